"""Calls: of functions of the program, of library functions that are instructions, of unknown functions."""

from collections.abc import Callable
from typing import TYPE_CHECKING

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
    has_hidden_argument,
    is_lowered,
    is_scalar,
    result_sort,
    unatomic,
)
from sley.frontend.clang_library import CursorKind
from sley.frontend.emitter import Emitter
from sley.frontend.inner_arrays import extent
from sley.frontend.library import ENTRY, NEVER_FROM_USER, Definition
from sley.frontend.model_calls import call_model
from sley.frontend.places import MemoryPlace
from sley.frontend.program_objects import ProgramObjects
from sley.frontend.stubs import promises, stub_of
from sley.frontend.syntax import Declaration, DeclarationKind, SyntaxNode
from sley.frontend.variable_arguments import is_list
from sley.logic.terms import Term, Terms
from sley.program.instructions import Call, CallPointer, CallUnmodelled, Instruction, Register

if TYPE_CHECKING:
    from sley.frontend.expressions import Expressions

CASTS = (CursorKind.CAST, CursorKind.UNEXPOSED_EXPRESSION, CursorKind.PARENTHESES)
_BUILTIN = "__builtin_"

Handler = Callable[["Calls", SyntaxNode, list[SyntaxNode]], Term | None]
"""What a call of a library function becomes, given the call and its arguments; None: it has no value."""


class Calls:
    """Lowers the calls of one function; the handlers of library functions use it as their way in."""

    def __init__(self, expressions: "Expressions", handler_of: Callable[[str], Handler | None]) -> None:
        self.expressions = expressions
        self._handler_of = handler_of
        self.emitter: Emitter = expressions.emitter
        self.terms: Terms = expressions.terms
        self.objects: ProgramObjects = expressions.objects

    def call(self, node: SyntaxNode) -> Term:
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

    def _named(self, node: SyntaxNode, declaration: Declaration, arguments: list[SyntaxNode]) -> Term:
        name = declaration.name
        library = self.objects.library
        is_users = library.is_user_function(declaration) or library.has_model_of_user(name)
        is_ours = name in NEVER_FROM_USER or not is_users
        handler = self._handler_of(name) if is_ours else None
        if handler is None:
            return self._defined(node, declaration, arguments)
        value = handler(self, node, arguments)
        return self.terms.true if value is None else value

    def values(self, arguments: list[SyntaxNode]) -> list[Term]:
        """The arguments from left to right; what comes later does not change them."""
        return [
            self.expressions.stable(self.expressions.value(argument), *arguments[number + 1 :])
            for number, argument in enumerate(arguments)
        ]

    def of_model(self, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
        """A call of a function that has a model besides its handler."""
        return self._defined(node, node.children[0].inner().declaration, arguments)

    def model(self, name: str, values: list[Term]) -> Term:
        """A call of a function of the models with these values, which fit its parameters."""
        return call_model(self.objects, self.emitter, name, values)

    def _defined(self, node: SyntaxNode, declaration: Declaration, arguments: list[SyntaxNode]) -> Term:
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
        return self.call_of(node, definition, library.program_name(reader.declaration(cursor)), arguments)

    def call_of(
        self, node: SyntaxNode, definition: Definition, program_name: str, arguments: list[SyntaxNode]
    ) -> Term:
        """A call of a function that is part of the program under a name."""
        reader, cursor = definition
        ctype = reader.unit.types.of_cursor(cursor)
        assert isinstance(ctype, FunctionType)
        self.objects.requested.setdefault(program_name, definition)
        return self._invoke(
            node,
            ctype,
            arguments,
            lambda t, a: Call(t, program_name, tuple(a)),
            is_library=reader.unit.is_library,
        )

    def _loses_pointer(self, node: SyntaxNode, ctype: FunctionType) -> bool:
        """Whether a pointer becomes an ``int`` because the caller knows nothing of the library function."""
        is_pointer = isinstance(unatomic(ctype.result), PointerType)
        return is_pointer and isinstance(unatomic(node.ctype), IntegerType)

    def pointee(self, argument: SyntaxNode) -> CType:
        """What a pointer points to, before it became a pointer to ``void``; that if nothing else is known."""
        node = argument
        while True:
            ctype = unatomic(node.ctype)
            if isinstance(ctype, ArrayType | VariableArrayType):
                return unatomic(fixed_size(ctype.element))
            if isinstance(ctype, PointerType) and not isinstance(ctype.pointee, VoidType):
                return unatomic(fixed_size(ctype.pointee))
            if len(node.children) != 1 or node.kind not in CASTS:
                return VOID
            node = node.children[0]

    def _invoke(
        self,
        node: SyntaxNode,
        ctype: FunctionType,
        arguments: list[SyntaxNode],
        make: Callable[[Register | None, list[Term]], Instruction],
        *,
        is_library: bool = False,
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
        result = self.emitter.result_of(sort, lambda target: make(target, values))
        for argument in arguments[: len(ctype.parameters)]:
            if is_library:
                self.expressions.arguments.hand_over(argument)
            else:
                self.expressions.arguments.give_back(argument)
        if returned is not None:
            return returned.address
        if sort is None or isinstance(self.expressions.value_type(node), VoidType):
            return self.terms.true
        return self._result(node, result, result_type)

    def _result(self, node: SyntaxNode, value: Term, source: CType) -> Term:
        """A result, converted from the type of the definition to that of the declaration in use."""
        target = self.expressions.value_type(node)
        if not is_scalar(source) or not is_scalar(target):
            raise node.unsupported(f"a call with another result type than the definition: `{node.text}`")
        return self.expressions.convert(value, source, target)

    def _arguments(self, node: SyntaxNode, ctype: FunctionType, arguments: list[SyntaxNode]) -> list[Term]:
        if len(arguments) < len(ctype.parameters):
            raise node.unsupported(f"a call with too few arguments: `{node.text}`")
        values: list[Term] = []
        variable: list[tuple[SyntaxNode, Term]] = []
        for number, argument in enumerate(arguments):
            later = arguments[number + 1 :]
            if number >= len(ctype.parameters):
                variable.append((argument, self.expressions.stable(self.expressions.value(argument), *later)))
                continue
            parameter = unatomic(ctype.parameters[number])
            if isinstance(parameter, PointerType):
                argument = _of_transparent_union(argument)
            if isinstance(parameter, RecordType):
                address = self.expressions.value(argument)
                place = MemoryPlace(address, parameter, argument.text)
                values += self.expressions.aggregates.scalars(place, argument)
            elif is_list(argument):
                values.append(self.expressions.arguments.address(argument))
            else:
                value = self.expressions.value_as(argument, parameter)
                values.append(self.expressions.stable(value, *later))
        if ctype.is_variadic:
            values.append(self.expressions.arguments.pass_all(variable, node))
        return values

    def unmodelled(self, node: SyntaxNode, name: str, arguments: list[SyntaxNode]) -> Term:
        """A call of a function that we know nothing about."""
        self.objects.unmodelled_calls.setdefault(name, []).append(node.span)
        self._plan_stub(node, name)
        values = self.values(arguments)
        for argument in arguments:
            self.expressions.arguments.hand_over(argument)
        ctype = self.expressions.value_type(node)
        if isinstance(ctype, RecordType):
            raise node.unsupported(f"a call to `{name}`, which returns a struct and has no model")
        sort = None if isinstance(ctype, VoidType) else self.expressions.sort(ctype)
        extents = self._extents(node.children[0].inner(), arguments)
        if all(one is None for one in extents):
            extents = ()
        return self.emitter.result_of(
            sort, lambda target: CallUnmodelled(target, name, tuple(values), extents)
        )

    def _extents(self, callee: SyntaxNode, arguments: list[SyntaxNode]) -> tuple[int | None, ...]:
        is_kept = promises(callee.declaration.cursor) if callee.kind == CursorKind.REFERENCE else ()
        return tuple(
            0 if number < len(is_kept) and is_kept[number] else extent(argument)
            for number, argument in enumerate(arguments)
        )

    def _plan_stub(self, node: SyntaxNode, name: str) -> None:
        """Keep what a model of the called function could look like."""
        callee = node.children[0].inner()
        if callee.kind == CursorKind.REFERENCE and callee.name == name:
            self.objects.stubs.setdefault(name, stub_of(callee.declaration.cursor))


def _of_transparent_union(argument: SyntaxNode) -> SyntaxNode:
    """The pointer that headers put into a union, for a parameter that takes pointers of several types."""
    is_union = argument.kind == CursorKind.COMPOUND_LITERAL and isinstance(
        unatomic(argument.ctype), RecordType
    )
    return argument.children[-1].children[0] if is_union else argument
