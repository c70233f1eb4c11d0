"""Expressions: from syntax to terms, with one edge for every access to memory.

Operands are evaluated from left to right. A value is a term over registers; where a later operand assigns
variables, values that were computed before are saved first. Values of array, function and record type are
addresses.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from sley.base.errors import Unsupported
from sley.frontend.aggregates import Aggregates
from sley.frontend.arithmetic import COMPARISONS, SHIFTS, Arithmetic, PointerArithmetic, wide_shift_amount
from sley.frontend.assignments import STEPS, Assignments
from sley.frontend.automatic_calls import AutomaticCalls
from sley.frontend.builtins import handler_of
from sley.frontend.builtins.memory import allocation
from sley.frontend.c_types import (
    INT,
    ArgumentListType,
    ArrayType,
    AtomicType,
    BoolType,
    CType,
    FloatType,
    FunctionType,
    IntegerType,
    OtherType,
    PointerType,
    RecordType,
    VariableArrayType,
    VoidType,
    common_type,
    is_scalar,
    promoted,
    unatomic,
)
from sley.frontend.calls import Calls
from sley.frontend.choices import LOGICAL, Choices
from sley.frontend.clang_library import Binary, CursorKind, Unary
from sley.frontend.conversions import convert, fits_after_truncation, signed_range
from sley.frontend.emitter import Emitter, Scopes
from sley.frontend.generic_selection import fitting_choices
from sley.frontend.inner_arrays import inner_array, length
from sley.frontend.places import (
    MemoryPlace,
    Place,
    PlaceAccess,
    RegisterPlace,
    member_place,
    memory_place,
)
from sley.frontend.program_objects import ProgramObjects
from sley.frontend.stack_blocks import StackBlocks
from sley.frontend.syntax import Declaration, DeclarationKind, SyntaxNode, UnsupportedConstructError
from sley.frontend.variable_arguments import VariableArguments, is_list
from sley.frontend.variable_arrays import VariableArrays
from sley.frontend.wide_bit_fields import WideBitFields
from sley.frontend.writing import c_text
from sley.logic.floats import encode_float
from sley.logic.sorts import BoolSort, FloatSort, Sort, width_of
from sley.logic.terms import Term
from sley.program.instructions import Cause, Check
from sley.program.properties import FLOAT_CONVERSION, Failure, Property

_BINARY_CONDITIONAL_PARTS = 4
_CHOOSE_PARTS = 3


class Expressions:
    """Lowers the expressions of one function."""

    def __init__(self, emitter: Emitter, scopes: Scopes, objects: ProgramObjects) -> None:
        self.emitter = emitter
        self.terms = emitter.terms
        self.scopes = scopes
        self.objects = objects
        self.memory = PlaceAccess(emitter, objects.pointers)
        self.arithmetic = Arithmetic(emitter)
        self.pointers = PointerArithmetic(emitter.terms, objects.pointers)
        self.locals: dict[Declaration, Place] = {}
        self.aggregates = Aggregates(self)
        self.arrays = VariableArrays(self)
        self.arguments: VariableArguments = VariableArguments(self)
        self.calls = Calls(self, handler_of)
        self.automatic = AutomaticCalls(self)
        self.blocks: StackBlocks = StackBlocks(self)
        self.wide_bit_fields = WideBitFields(self)
        self.assignments = Assignments(self)
        self.choices: Choices = Choices(self)
        self.lower_statement_expression: Callable[[SyntaxNode], Term] = self._no_statements
        self.allocated_type: CType | None = None
        """What blocks hold that the function allocates without saying so."""
        self.selected: Callable[[SyntaxNode], SyntaxNode] = self._only_fitting
        self._handlers: dict[int, Callable[[SyntaxNode], Term]] = {
            CursorKind.UNEXPOSED_EXPRESSION: self._unexposed,
            CursorKind.PARENTHESES: lambda node: self.value(node.children[0]),
            CursorKind.REFERENCE: self._reference,
            CursorKind.MEMBER: self._loaded,
            CursorKind.SUBSCRIPT: self._loaded,
            CursorKind.COMPOUND_LITERAL: self._loaded,
            CursorKind.CALL: self.calls.call,
            CursorKind.INTEGER: self._constant,
            CursorKind.CHARACTER: self._constant,
            CursorKind.FLOATING: self._constant,
            CursorKind.SIZE_OF: self._size_of,
            CursorKind.STRING: objects.string,
            CursorKind.UNARY: self._unary,
            CursorKind.BINARY: self._binary,
            CursorKind.COMPOUND_ASSIGNMENT: self.assignments.compound_assignment,
            CursorKind.CONDITIONAL: self.choices.conditional,
            CursorKind.CAST: lambda node: self._converted(node, node.children[-1]),
            CursorKind.STATEMENT_EXPRESSION: lambda node: self.lower_statement_expression(node),
            CursorKind.GENERIC_SELECTION: self._generic_selection,
            CursorKind.LABEL_ADDRESS: objects.label_address,
        }

    # --- entry points -----------------------------------------------------------------------------

    def value(self, node: SyntaxNode) -> Term:
        """The value of an expression (an address for arrays, functions and records)."""
        handler = self._handlers.get(node.kind)
        if handler is None:
            raise node.unsupported(f"this kind of expression: `{node.text}`")
        return handler(node)

    def effect(self, node: SyntaxNode) -> None:
        """Evaluate an expression whose value is not used."""
        inner = node
        while inner.kind == CursorKind.PARENTHESES:
            inner = inner.children[0]
        if inner.kind == CursorKind.UNARY and inner.unary_operator in STEPS:
            self.assignments.step(inner, is_used=False)
        else:
            self.value(inner)

    def value_as(self, node: SyntaxNode, ctype: CType) -> Term:
        """The value, converted to a scalar type."""
        value = self.value(node)
        return self.converted(value, node, ctype)

    def converted(self, value: Term, node: SyntaxNode, ctype: CType) -> Term:
        """A value of ``node``, converted to a scalar type."""
        source = self.value_type(node)
        if not is_scalar(source) or not is_scalar(ctype):
            raise node.unsupported(f"a conversion of `{node.text}`")
        return self.convert(value, source, ctype, lambda: c_text(node))

    def convert(
        self, value: Term, source: CType, target: CType, text: Callable[[], str] | None = None
    ) -> Term:
        """A scalar value, converted; what becomes of a float that does not fit is not known (C11 6.3.1.4)."""
        if isinstance(source, PointerType) and isinstance(target, IntegerType):
            value = self._unfolded(value)
        made = convert(self.terms, value, source, target)
        if not isinstance(source, FloatType) or not isinstance(target, IntegerType):
            return made
        fits = fits_after_truncation(self.terms, value, target)
        if fits == self.terms.true:
            return made
        shown = "" if text is None else text()
        phrase = "a floating-point number does not fit the integer type"
        self.emitter.emit(Check(fits, Failure(Property.OVERFLOW, FLOAT_CONVERSION, phrase, shown)))
        return self.choices.or_anything(fits, made, shown)

    def _unfolded(self, address: Term) -> Term:
        """An address in a register of its own: no operation on it is folded, as C does not fix its number."""
        if not any(self.objects.is_static(part) for part in self.terms.walk((address,))):
            return address
        register = self.emitter.temporary(self.terms.sort(address))
        self.emitter.assign(register, address)
        return register.term

    def sort(self, ctype: CType) -> Sort:
        """The sort of values of a scalar type."""
        assert isinstance(ctype, BoolType | IntegerType | FloatType | PointerType)
        return ctype.sort

    def place(self, node: SyntaxNode, *, is_accessed: bool = False) -> Place:
        """What an lvalue denotes; where it is accessed, each index must be inside its array."""
        match node.kind:
            case CursorKind.PARENTHESES:
                return self.place(node.children[0], is_accessed=is_accessed)
            case CursorKind.REFERENCE:
                return self._variable(node)
            case CursorKind.MEMBER:
                return self._member(node, is_accessed=is_accessed)
            case CursorKind.SUBSCRIPT:
                address = self._element_address(node, is_accessed=is_accessed)
                return memory_place(address, node.ctype, c_text(node))
            case CursorKind.UNARY if node.unary_operator == Unary.DEREFERENCE:
                return memory_place(self.value(node.children[0]), node.ctype, c_text(node))
            case CursorKind.UNARY if node.unary_operator == Unary.EXTENSION:
                return self.place(node.children[0], is_accessed=is_accessed)
            case CursorKind.COMPOUND_LITERAL:
                return self.aggregates.compound_literal(node)
            case CursorKind.GENERIC_SELECTION:
                return self.place(self.selected(node), is_accessed=is_accessed)
            case CursorKind.STRING:
                return MemoryPlace(self.objects.string(node), node.ctype, node.name)
            case _ if isinstance(node.ctype, RecordType | ArrayType | VariableArrayType):
                return MemoryPlace(self.value(node), node.ctype, node.text)
            case _:
                raise node.unsupported(f"this kind of lvalue: `{node.text}`")

    def address(self, node: SyntaxNode, *, is_accessed: bool = False) -> Term:
        """The address of an lvalue."""
        if isinstance(node.ctype, FunctionType):
            return self.value(node)
        place = self.place(node, is_accessed=is_accessed)
        if not isinstance(place, MemoryPlace):
            raise node.unsupported(f"the address of `{node.text}`")
        return place.address

    def value_type(self, node: SyntaxNode) -> CType:
        """The type of an expression's value: arrays and functions decay, ``_Atomic`` is gone."""
        ctype = unatomic(node.ctype)
        if isinstance(ctype, ArrayType | VariableArrayType):
            return self.objects.pointer_to(ctype.element)
        if isinstance(ctype, FunctionType):
            return self.objects.pointer_to(ctype)
        if isinstance(ctype, OtherType):
            raise node.unsupported(ctype.what)
        return ctype

    def is_register(self, declaration: Declaration) -> bool:
        """Whether a local variable needs no memory."""
        ctype = unatomic(declaration.ctype)
        is_stepped = isinstance(ctype, ArgumentListType)
        if declaration.is_address_taken or is_stepped or not is_scalar(ctype):
            return False
        if declaration.unit.is_library:
            return True
        is_parameter = declaration.cursor.kind == CursorKind.PARAMETER
        if self.objects.library.options.keeps_locals and not is_parameter:
            return False
        return not (self.objects.keeps_frames and isinstance(ctype, PointerType))

    def stable(self, value: Term, *later: SyntaxNode) -> Term:
        """A value that what is evaluated later does not change."""
        return self.emitter.saved(value) if any(node.assigns for node in later) else value

    def give_up(self, node: SyntaxNode, what: str) -> Term:
        """No run gets past the expression; for engines that pass it over, its value is arbitrary."""
        self.emitter.pass_over(f"not modelled: {Unsupported(what, node.span)}")
        ctype = self.value_type(node)
        if isinstance(ctype, VoidType):
            return self.terms.true
        if isinstance(ctype, RecordType):
            return self.terms.bv(0, self.objects.pointers.width)
        return self.emitter.havoc(self.terms.sort(self.literal(0, ctype)), Cause.UNMODELLED, node.text)

    # --- leaves -----------------------------------------------------------------------------------

    def _only_fitting(self, node: SyntaxNode) -> SyntaxNode:
        fitting = fitting_choices(node)
        if len(fitting) != 1:
            raise node.unsupported(f"this selection by type: `{node.text}`")
        return fitting[0]

    def _no_statements(self, node: SyntaxNode) -> Term:
        raise node.unsupported("a statement expression in a constant")

    def _constant(self, node: SyntaxNode) -> Term:
        value = node.constant()
        ctype = self.value_type(node)
        if value is None:
            raise node.unsupported(f"`{node.text}`, which is not constant")
        return self.literal(value, ctype)

    def _size_of(self, node: SyntaxNode) -> Term:
        if node.constant() is None:
            size = self.arrays.size_of(node)
            if size is not None:
                return size
        return self._constant(node)

    def literal(self, value: float | Fraction, ctype: CType) -> Term:
        """A number as a term of a scalar type."""
        assert isinstance(ctype, BoolType | IntegerType | FloatType | PointerType)
        sort = ctype.sort
        if isinstance(sort, FloatSort):
            exact = value if isinstance(value, Fraction) else float(value)
            return self.terms.const(encode_float(exact, sort), sort)
        if isinstance(sort, BoolSort):
            return self.terms.boolean(bool(value))
        return self.terms.bv(int(value), width_of(sort))

    def _reference(self, node: SyntaxNode) -> Term:
        declaration = node.declaration
        if declaration.kind is DeclarationKind.CONSTANT:
            return self._constant(node)
        if declaration.kind is DeclarationKind.FUNCTION:
            if self.objects.library.may_be_missing(declaration):
                raise node.unsupported(f"the address of `{declaration.name}`, which is weak and not defined")
            return self.objects.code_address(declaration)
        return self._loaded(node)

    def _loaded(self, node: SyntaxNode) -> Term:
        place = self.place(node, is_accessed=not isinstance(node.ctype, ArrayType | VariableArrayType))
        if isinstance(place.ctype, ArrayType | VariableArrayType | RecordType | FunctionType):
            assert isinstance(place, MemoryPlace)
            return self.aggregates.loaded(place, node)
        self.value_type(node)
        return self.memory.read(place)

    def _variable(self, node: SyntaxNode) -> Place:
        declaration = node.declaration
        known = self.locals.get(declaration)
        if known is not None:
            return known
        if declaration.kind in (DeclarationKind.GLOBAL, DeclarationKind.STATIC_LOCAL):
            address = self.objects.variable_address(declaration, self.emitter.builder, node)
            return memory_place(address, declaration.ctype, declaration.name)
        raise node.unsupported(f"a use of `{declaration.name}` here")

    def _member(self, node: SyntaxNode, *, is_accessed: bool) -> Place:
        base = node.children[0]
        written = base.inner().ctype  # clang hides a conversion from an atomic struct
        pointer = unatomic(written)
        holder = pointer.pointee if isinstance(pointer, PointerType) else written
        if isinstance(holder, AtomicType):
            raise node.unsupported("a member of an atomic struct, whose use is undefined")
        if isinstance(base.ctype, PointerType):
            record, address = base.ctype.pointee, self.value(base)
        else:
            record, address = base.ctype, self.address(base, is_accessed=is_accessed)
        place = member_place(self.terms, address, record, node.member, c_text(node))
        self.wide_bit_fields.note(place)
        if node.unit.is_library and not isinstance(place, RegisterPlace):
            return replace(place, open=())
        return place

    def _element_address(self, node: SyntaxNode, *, is_accessed: bool) -> Term:
        base, index = node.children
        if not isinstance(self.value_type(base), PointerType):
            pointer_node, index_node = index, base
        else:
            pointer_node, index_node = base, index
        array = inner_array(pointer_node) if is_accessed and not node.unit.is_library else None
        first = self.stable(self._base(base, array), index)
        second = self._base(index, array)
        pointer, number = (first, second) if pointer_node is base else (second, first)
        position = self.index(number, index_node)
        if array is not None:
            self._check_inside(position, array, node)
        return self.arrays.moved(pointer, position, node.ctype, node)

    def _base(self, node: SyntaxNode, array: SyntaxNode | None) -> Term:
        """An operand of a subscript: an array inside another object is accessed with its element."""
        is_array = array is not None and node.inner() is array
        return self.address(node.inner(), is_accessed=True) if is_array else self.value(node)

    def _check_inside(self, position: Term, array: SyntaxNode, node: SyntaxNode) -> None:
        terms, width, count = self.terms, self.objects.pointers.width, length(array)
        low, high = signed_range(terms, position)
        if low >= 0 and (count is None or high < count):
            return
        if self.objects.library.options.allows_inner_overrun:
            self.objects.assumptions.setdefault("an index may leave an array inside the same object")
            return
        is_behind = terms.sle(terms.bv(0, width), position)
        fine = is_behind if count is None else terms.ult(position, terms.bv(count, width))
        frame = f": `{{}}` is outside `{c_text(array)}`"
        failure = Failure(Property.DEREF, "inner-bounds", "invalid dereference", c_text(node), frame)
        self.emitter.check(fine, failure)

    def index(self, value: Term, node: SyntaxNode) -> Term:
        """An integer as a signed number of pointer width."""
        ctype = self.value_type(node)
        if isinstance(ctype, BoolType):
            return self.terms.bool_to_bv(value, self.objects.pointers.width)
        assert isinstance(ctype, IntegerType)
        return self.terms.resize(value, self.objects.pointers.width, signed=ctype.is_signed)

    def _generic_selection(self, node: SyntaxNode) -> Term:
        """``_Generic``: clang does not say which expression it chose, but evaluates constants."""
        try:
            chosen = self.selected(node)
        except UnsupportedConstructError:
            if is_scalar(node.ctype) and node.plain_constant() is not None:
                return self._constant(node)
            raise
        return self.value(chosen)

    # --- conversions ------------------------------------------------------------------------------

    def _unexposed(self, node: SyntaxNode) -> Term:
        """Implicit conversions; ``a ?: b``; ``__builtin_choose_expr``; ``offsetof``; other constants."""
        parts = node.children
        if len(parts) == 1 and is_list(parts[0]) and not is_list(node):
            return self.arguments.next(node)
        if len(parts) == 1 and parts[0].kind != CursorKind.MEMBER_REFERENCE:
            return self._converted(node, parts[0])
        if len(parts) == _CHOOSE_PARTS and isinstance(parts[0].ctype, IntegerType):
            is_chosen = parts[0].constant()
            if is_chosen is not None:
                return self.value(parts[1] if is_chosen else parts[2])
        if len(parts) == _BINARY_CONDITIONAL_PARTS and parts[0].cursor.data1 == parts[1].cursor.data1:
            return self.choices.binary_conditional(node)
        if parts and parts[0].kind == CursorKind.MEMBER_REFERENCE and node.constant() is None:
            return self._offset(node)
        return self._constant(node)

    def _offset(self, node: SyntaxNode) -> Term:
        """``offsetof`` with an index that is not constant: a sum along the way to the member."""
        ctype = self.value_type(node)
        offset, reached = self.literal(0, ctype), node.ctype
        for part in node.children:
            if part.kind == CursorKind.MEMBER_REFERENCE:
                offset = self.terms.add(offset, self.literal(part.member.offset, ctype))
                reached = part.member.ctype
                continue
            if not isinstance(reached, ArrayType):
                raise node.unsupported(f"this offset: `{node.text}`")
            reached = reached.element
            position = self.terms.resize(self.index(self.value(part), part), 8 * ctype.size, signed=True)
            step = self.terms.mul(position, self.literal(reached.size, ctype))
            offset = self.terms.add(self.stable(offset, part), step)
        return offset

    def _converted(self, node: SyntaxNode, source: SyntaxNode) -> Term:
        target = unatomic(node.ctype)
        hint = target.pointee if isinstance(target, PointerType) else None
        allocated = allocation(self.calls, source, hint)
        if allocated is not None:
            return allocated
        if isinstance(target, VoidType) and self._is_local_scalar(source):
            return self.terms.true  # `(void)x` says that x is not used
        value = self.value(source)
        if isinstance(target, VoidType | ArrayType | VariableArrayType | RecordType | FunctionType):
            if isinstance(target, RecordType) and not isinstance(unatomic(source.ctype), RecordType):
                raise node.unsupported("a cast to a union")
            return value
        return self.converted(value, source, self.value_type(node))

    def _is_local_scalar(self, node: SyntaxNode) -> bool:
        """Whether an expression is a variable that no other thread knows: reads of it cannot be observed."""
        inner = node
        while inner.kind == CursorKind.PARENTHESES or _is_plain_read(inner):
            inner = inner.children[0]
        if inner.kind != CursorKind.REFERENCE or inner.declaration not in self.locals:
            return False
        declaration = inner.declaration
        return not declaration.is_address_taken and is_scalar(unatomic(declaration.ctype))

    # --- operators --------------------------------------------------------------------------------

    def _unary(self, node: SyntaxNode) -> Term:
        operand = node.children[0]
        operator = node.unary_operator
        match operator:
            case Unary.ADDRESS_OF:
                return self.address(operand)
            case Unary.DEREFERENCE if isinstance(node.ctype, FunctionType):
                return self.value(operand)
            case Unary.DEREFERENCE:
                return self._loaded(node)
            case Unary.PLUS | Unary.EXTENSION:
                return self.value(operand)
            case Unary.MINUS:
                value = self.value(operand)
                result = self.arithmetic.negative(value, self.value_type(node), lambda: c_text(node))
                return self.wide_bit_fields.settled(node, result)
            case Unary.NOT:
                return self.wide_bit_fields.settled(node, self.terms.bvnot(self.value(operand)))
            case Unary.LOGICAL_NOT:
                return self.terms.bool_to_bv(self.choices.condition(node), INT.width)
            case _ if operator in STEPS:
                return self.assignments.step(node)
            case _:
                raise node.unsupported(f"this operator: `{node.text}`")

    def _binary(self, node: SyntaxNode) -> Term:
        left, right = node.children
        operator = node.binary_operator
        if operator == Binary.ASSIGN:
            return self.assignments.assignment(node)
        if operator == Binary.COMMA:
            self.effect(left)
            return self.value(right)
        if operator in LOGICAL or operator in COMPARISONS:
            return self.terms.bool_to_bv(self.choices.condition(node), INT.width)
        left_type, right_type = self.value_type(left), self.value_type(right)
        a, b = self.calls.values(node.children)
        if isinstance(left_type, PointerType) or isinstance(right_type, PointerType):
            return self._pointer_sum(node, operator, a, b)
        ctype = self.value_type(node)
        if operator in SHIFTS:
            return self._shift(node, operator, a, b)
        a, b = convert(self.terms, a, left_type, ctype), convert(self.terms, b, right_type, ctype)
        result = self.arithmetic.binary(operator, a, b, ctype, lambda: c_text(node))
        self.wide_bit_fields.settle(node.children, operator, [a, b], result)
        return result

    def _shift(self, node: SyntaxNode, operator: int, a: Term, b: Term) -> Term:
        ctype = self.value_type(node)
        amount_type = promoted(self.value_type(node.children[1]))
        amount = self.converted(b, node.children[1], amount_type)
        amount = wide_shift_amount(self.emitter, amount, amount_type, ctype)
        result = self.arithmetic.binary(operator, a, amount, ctype, lambda: c_text(node))
        self.wide_bit_fields.settle(node.children, operator, [a], result)
        return result

    def _pointer_sum(self, node: SyntaxNode, operator: int, a: Term, b: Term) -> Term:
        left, right = node.children
        left_type, right_type = self.value_type(left), self.value_type(right)
        if isinstance(left_type, PointerType) and isinstance(right_type, PointerType):
            a, b = self._unfolded(a), self._unfolded(b)
            distance = self.arrays.difference(a, b, left_type.pointee, node)
            return self.terms.resize(distance, 8 * self.value_type(node).size, signed=True)
        if isinstance(right_type, PointerType):
            return self.arrays.moved(b, self.index(a, left), right_type.pointee, node)
        assert isinstance(left_type, PointerType)
        index = self.index(b, right)
        index = self.terms.neg(index) if operator == Binary.SUB else index
        return self.arrays.moved(a, index, left_type.pointee, node)

    def comparison(self, node: SyntaxNode, operator: int) -> Term:
        """A comparison as a truth value."""
        left, right = node.children
        a, b = self.calls.values(node.children)
        left_type, right_type = self.value_type(left), self.value_type(right)
        if isinstance(left_type, PointerType) or isinstance(right_type, PointerType):
            pointer = left_type if isinstance(left_type, PointerType) else right_type
            a, b = self.converted(a, left, pointer), self.converted(b, right, pointer)
            null = self.terms.bv(0, self.terms.width(a))
            if operator not in (Binary.EQ, Binary.NE) or null not in (a, b):
                a, b = self._unfolded(a), self._unfolded(b)
            return self.arithmetic.compare(operator, a, b, pointer)
        ctype = common_type(left_type, right_type)
        a, b = self.converted(a, left, ctype), self.converted(b, right, ctype)
        self.wide_bit_fields.settle(node.children, operator, [a, b])
        return self.arithmetic.compare(operator, a, b, ctype)


def _is_plain_read(node: SyntaxNode) -> bool:
    """Whether a node only says that the value of an lvalue is meant."""
    if node.kind != CursorKind.UNEXPOSED_EXPRESSION or len(node.children) != 1:
        return False
    (inner,) = node.children
    return inner.kind in (CursorKind.PARENTHESES, CursorKind.REFERENCE) and inner.ctype == node.ctype
