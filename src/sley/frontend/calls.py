"""Calls: of functions of the program, of library functions that are instructions, of unknown functions."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from sley.frontend.builtins import HANDLERS, PREFIX_HANDLERS, UNSUPPORTED_FUNCTIONS
from sley.frontend.builtins.memory import MALLOC_SUCCEEDS, SHAPES, allocation_layout, required_alignment
from sley.frontend.builtins.reallocation import reallocated
from sley.frontend.builtins.shapes import has_shape
from sley.frontend.builtins.verifier import ASSERTION_FAILURES, assertion_text
from sley.frontend.c_types import (
    VOID,
    ArrayType,
    CType,
    FunctionType,
    IntegerType,
    PointerType,
    RecordType,
    VariableArrayType,
    VoidType,
    fixed_size,
    is_scalar,
    unatomic,
)
from sley.frontend.clang_library import CursorKind
from sley.frontend.library import ENTRY, NEVER_FROM_USER, Definition
from sley.frontend.places import MemoryPlace
from sley.frontend.signatures import has_hidden_argument, is_lowered, result_sort
from sley.frontend.syntax import Declaration, DeclarationKind, Node
from sley.logic.terms import Term
from sley.program.instructions import Call, CallPointer, CallUnmodelled, Instruction, Register
from sley.program.properties import Property

if TYPE_CHECKING:
    from sley.frontend.expressions import Expressions

_CASTS = (CursorKind.CAST, CursorKind.UNEXPOSED_EXPRESSION, CursorKind.PARENTHESES)
_BUILTIN = "__builtin_"
_ALIGNED_ALLOCATORS = frozenset({"aligned_alloc", "memalign"})
_REALLOCATORS = frozenset({"realloc", "reallocarray"})


class Calls:
    """Lowers the calls of one function; the handlers of library functions use it as their way in."""

    def __init__(self, expressions: "Expressions") -> None:
        self.expressions = expressions
        self.emitter = expressions.emitter
        self.terms = expressions.terms
        self.objects = expressions.objects

    def call(self, node: Node) -> Term:
        """The value of a call (an address if it is a record)."""
        callee, arguments = node.children[0], node.children[1:]
        named = callee.inner()
        if named.kind == CursorKind.REFERENCE and named.declaration.kind is DeclarationKind.FUNCTION:
            return self._named(node, named.declaration, arguments)
        pointer = self.expressions.stable(self.expressions.value(callee), *arguments)
        known = self.objects.function_at(pointer)
        if known is not None:
            return self._named(node, known, arguments)
        pointer_type = self.expressions.value_type(callee)
        assert isinstance(pointer_type, PointerType)
        ctype = pointer_type.pointee
        assert isinstance(ctype, FunctionType)
        if not ctype.has_prototype and arguments:
            ctype = FunctionType(ctype.result, tuple(self.expressions.value_type(a) for a in arguments))
        return self._invoke(node, ctype, arguments, lambda t, a: CallPointer(t, pointer, tuple(a)))

    def _named(self, node: Node, declaration: Declaration, arguments: list[Node]) -> Term:
        name = declaration.name
        library = self.objects.library
        if name in NEVER_FROM_USER or not library.is_user_function(declaration):
            if name in UNSUPPORTED_FUNCTIONS and library.model(name) is None:
                return self.expressions.give_up(node, f"a call to `{name}`")
            handler = HANDLERS.get(name)
            if handler is not None:
                return handler(self, node, arguments)
            for prefix, prefix_handler in PREFIX_HANDLERS:
                if name.startswith(prefix):
                    return prefix_handler(self, node, arguments)
        return self._defined(node, declaration, arguments)

    def of_model(self, node: Node, arguments: list[Node]) -> Term:
        """A call of a function that has a model besides its handler."""
        return self._defined(node, node.children[0].inner().declaration, arguments)

    def model(self, name: str, values: list[Term]) -> Term:
        """A call of a function of the models with these values, which fit its parameters."""
        library = self.objects.library
        definition = library.model(name)
        assert definition is not None, f"there is no model of {name}"
        reader, cursor = definition
        program_name = library.program_name(reader.declaration(cursor))
        self.objects.requested.setdefault(program_name, definition)
        ctype = reader.unit.types.of_cursor(cursor)
        assert isinstance(ctype, FunctionType)
        sort = result_sort(ctype)
        target = None if sort is None else self.emitter.temporary(sort)
        self.emitter.emit(Call(target, program_name, tuple(values)))
        return self.terms.true if target is None else target.term

    def _defined(self, node: Node, declaration: Declaration, arguments: list[Node]) -> Term:
        library = self.objects.library
        definition = library.function(declaration)
        name = declaration.name
        if definition is None and name.startswith(_BUILTIN):
            constant = node.plain_constant()
            if constant is not None:
                return self.expressions.literal(constant, self.expressions.value_type(node))
            definition = library.model(name.removeprefix(_BUILTIN).strip("_").removesuffix("_chk"))
        if definition is None:
            return self.unmodelled(node, name, arguments)
        reader, cursor = definition
        if name == ENTRY:
            return self.expressions.give_up(node, "a call of `main`")
        ctype = reader.unit.types.of_cursor(cursor)
        assert isinstance(ctype, FunctionType)
        if not is_lowered(ctype):
            return self.expressions.give_up(node, f"a call to `{name}`, which has a parameter of such a type")
        if reader.unit.is_library and self._loses_pointer(node, ctype):
            return self.expressions.give_up(node, f"a call to `{name}`, which is not declared")
        return self._call_of(node, definition, library.program_name(reader.declaration(cursor)), arguments)

    def _call_of(self, node: Node, definition: Definition, program_name: str, arguments: list[Node]) -> Term:
        reader, cursor = definition
        ctype = reader.unit.types.of_cursor(cursor)
        assert isinstance(ctype, FunctionType)
        self.objects.requested.setdefault(program_name, definition)
        return self._invoke(node, ctype, arguments, lambda t, a: Call(t, program_name, tuple(a)))

    def _loses_pointer(self, node: Node, ctype: FunctionType) -> bool:
        """Whether a pointer becomes an ``int`` because the caller knows nothing of the library function."""
        is_pointer = isinstance(unatomic(ctype.result), PointerType)
        return is_pointer and isinstance(unatomic(node.ctype), IntegerType)

    def pointee(self, argument: Node) -> CType:
        """What a pointer points to, before it became a pointer to ``void``; that if nothing else is known."""
        node = argument
        while True:
            ctype = unatomic(node.ctype)
            if isinstance(ctype, ArrayType | VariableArrayType):
                return unatomic(fixed_size(ctype.element))
            if isinstance(ctype, PointerType) and not isinstance(ctype.pointee, VoidType):
                return unatomic(fixed_size(ctype.pointee))
            if len(node.children) != 1 or node.kind not in _CASTS:
                return VOID
            node = node.children[0]

    def _invoke(
        self,
        node: Node,
        ctype: FunctionType,
        arguments: list[Node],
        make: Callable[[Register | None, list[Term]], Instruction],
    ) -> Term:
        result_type = unatomic(ctype.result)
        values: list[Term] = []
        returned = None
        if isinstance(result_type, RecordType):
            returned = self.expressions.aggregates.temporary(result_type, node)
            values.append(returned.address)
        values += self._arguments(node, ctype, arguments)
        if has_hidden_argument(ctype):
            values.append(self.terms.bv(0, self.objects.pointers.width))
        sort = result_sort(ctype)
        target = None if sort is None else self.emitter.temporary(sort)
        self.emitter.emit(make(target, values))
        if returned is not None:
            return returned.address
        wanted = self.expressions.value_type(node)
        if target is None or isinstance(wanted, VoidType):
            return self.terms.true
        return self._result(node, target.term, result_type)

    def _result(self, node: Node, value: Term, source: CType) -> Term:
        """A result, converted from the type of the definition to that of the declaration in use."""
        target = self.expressions.value_type(node)
        if not is_scalar(source) or not is_scalar(target):
            raise node.unsupported(f"a call with another result type than the definition: `{node.text}`")
        return self.expressions.convert(value, source, target)

    def _arguments(self, node: Node, ctype: FunctionType, arguments: list[Node]) -> list[Term]:
        if len(arguments) < len(ctype.parameters):
            raise node.unsupported(f"a call with too few arguments: `{node.text}`")
        values: list[Term] = []
        variable: list[tuple[Node, Term]] = []
        for number, argument in enumerate(arguments):
            later = arguments[number + 1 :]
            if number >= len(ctype.parameters):
                variable.append((argument, self.expressions.stable(self.expressions.value(argument), *later)))
                continue
            parameter = unatomic(ctype.parameters[number])
            if isinstance(parameter, RecordType):
                address = self.expressions.value(argument)
                place = MemoryPlace(address, parameter, argument.text)
                values += self.expressions.aggregates.scalars(place, argument)
            else:
                value = self.expressions.value_as(argument, parameter)
                values.append(self.expressions.stable(value, *later))
                self.expressions.arguments.hand_over(argument)
        if ctype.is_variadic:
            values.append(self.expressions.arguments.pass_all(variable, node))
        return values

    def unmodelled(self, node: Node, name: str, arguments: list[Node]) -> Term:
        """A call of a function that we know nothing about."""
        self.objects.unmodelled_calls.setdefault(name, []).append(node.span)
        values = [
            self.expressions.stable(self.expressions.value(argument), *arguments[number + 1 :])
            for number, argument in enumerate(arguments)
        ]
        for argument in arguments:
            self.expressions.arguments.hand_over(argument)
        ctype = self.expressions.value_type(node)
        if isinstance(ctype, RecordType):
            raise node.unsupported(f"a call to `{name}`, which returns a struct and has no model")
        sort = None if isinstance(ctype, VoidType) else self.expressions.sort(ctype)
        target = None if sort is None else self.emitter.temporary(sort)
        self.emitter.emit(CallUnmodelled(target, name, tuple(values)))
        return self.terms.true if target is None else target.term

    # --- special shapes ---------------------------------------------------------------------------

    def allocation(self, source: Node, hint: CType | None) -> Term | None:
        """The new block, if ``source`` is a call of an allocator whose result becomes a ``hint *``."""
        node = source
        while node.kind in _CASTS and isinstance(node.ctype, PointerType):
            if not isinstance(node.ctype.pointee, VoidType):
                return None
            node = node.children[-1]
        if node.kind != CursorKind.CALL:
            return None
        callee = node.children[0].inner()
        if callee.kind != CursorKind.REFERENCE or callee.declaration.kind is not DeclarationKind.FUNCTION:
            return None
        if self.objects.library.is_user_function(callee.declaration):
            return self._from_wrapper(node, callee.declaration, hint)
        shape = SHAPES.get(callee.name)
        is_allocation = shape is not None and has_shape(self, node.children[1:], shape)
        return self.allocate(node, hint) if is_allocation else None

    def _from_wrapper(self, node: Node, declaration: Declaration, hint: CType | None) -> Term | None:
        """What a function of the user's returns that allocates memory: a copy of it for each type in use.

        The copies differ in nothing but how their blocks are laid out, and so shown.
        """
        definition = self.objects.library.function(declaration)
        if hint is None or isinstance(hint, VoidType) or definition is None or not _allocates(definition):
            return None
        name = self.objects.variant(self.objects.library.program_name(declaration), fixed_size(hint))
        return self._call_of(node, definition, name, node.children[1:])

    def allocate(self, node: Node, hint: CType | None) -> Term:
        """``malloc``, ``calloc``, ``realloc`` or ``aligned_alloc``, for objects of the hinted type."""
        name = node.children[0].inner().name.removeprefix("__builtin_")
        self.objects.assumptions.setdefault(MALLOC_SUCCEEDS)
        hint = None if hint is None else fixed_size(hint)
        if hint is None or isinstance(hint, VoidType):
            hint = self.expressions.allocated_type
        sizes = node.children[1:]
        if name in _REALLOCATORS:
            return reallocated(self, sizes[0], sizes[1:], hint)
        alignment = None
        if name in _ALIGNED_ALLOCATORS:
            alignment, sizes = required_alignment(self, sizes[0]), sizes[1:]
        return allocation_layout(self, sizes, hint, is_zeroed=name == "calloc", alignment=alignment)

    def assertion(self, condition: Node, then: Node | None, otherwise: Node | None) -> bool:
        """Recognise ``condition ? (void)0 : __assert_fail(...)``, in whatever clothes, as one check."""
        failing = _failing_call(otherwise)
        is_negated = failing is None
        if failing is None:
            failing = _failing_call(then)
        other = otherwise if is_negated else then
        if failing is None or not _is_nothing(other):
            return False
        if self.objects.library.is_user_function(failing.children[0].inner().declaration):
            return False
        text = assertion_text(failing)
        if text:
            self.emitter.at(self.emitter.origin.span, text)
        holds = self.expressions.choices.condition(condition)
        holds = self.terms.not_(holds) if is_negated else holds
        self.emitter.check(holds, Property.REACH, "assertion", "assertion can fail")
        return True


def _allocates(definition: Definition) -> bool:
    """Whether a function returns an untyped pointer and calls an allocator."""
    reader, cursor = definition
    ctype = reader.unit.types.of_cursor(cursor)
    assert isinstance(ctype, FunctionType)
    if not isinstance(ctype.result, PointerType) or not isinstance(ctype.result.pointee, VoidType):
        return False
    parts = reader.read(cursor).walk()
    return is_lowered(ctype) and any(p.kind == CursorKind.CALL and p.name in SHAPES for p in parts)


def _failing_call(node: Node | None) -> Node | None:
    while node is not None and len(node.children) == 1 and node.kind in (*_CASTS, CursorKind.COMPOUND):
        node = node.children[0]
    if node is None or node.kind != CursorKind.CALL:
        return None
    callee = node.children[0].inner()
    is_failure = callee.kind == CursorKind.REFERENCE and callee.name in ASSERTION_FAILURES
    return node if is_failure else None


def _is_nothing(node: Node | None) -> bool:
    """Whether a statement or expression has no effect at all."""
    if node is None:
        return True
    quiet = (*_CASTS, CursorKind.COMPOUND, CursorKind.NULL, CursorKind.INTEGER)
    return all(part.kind in quiet for part in node.walk())
