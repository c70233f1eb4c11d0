"""Statements that run in a thread of their own: CBMC's ``__CPROVER_ASYNC_1: statement``.

The statement becomes a function. The new thread gets its own copies of the local variables that the statement
mentions; everything else it shares.
"""

from sley.frontend.c_types import is_scalar, unatomic
from sley.frontend.clang_library import CursorKind
from sley.frontend.emitter import Emitter, Scopes
from sley.frontend.expressions import Expressions
from sley.frontend.names import names_of
from sley.frontend.outside import OutsideReads
from sley.frontend.places import RegisterPlace
from sley.frontend.program_objects import ProgramObjects
from sley.frontend.statements import Statements
from sley.frontend.syntax import Declaration, DeclarationKind, SyntaxNode, addressed_variable
from sley.logic.terms import Term
from sley.program.builder import FunctionBuilder
from sley.program.instructions import Create, Register, Return
from sley.program.program import HANDLE

_LOOPS = (CursorKind.WHILE, CursorKind.DO, CursorKind.FOR)
_JUMPS = (CursorKind.RETURN, CursorKind.GOTO, CursorKind.INDIRECT_GOTO, CursorKind.LABEL)


def lowering(
    objects: ProgramObjects, builder: FunctionBuilder, c_name: str, *, is_library: bool
) -> Expressions:
    """What lowers the expressions of a function that is being built."""
    outside = OutsideReads(objects)
    emitter = Emitter(
        builder,
        c_name=c_name,
        is_library=is_library,
        opaque_at=objects.opaque_at,
        outside=outside,
        unusual_at=objects.unusual_at,
    )
    return Expressions(emitter, Scopes(emitter), objects)


class Outlining:
    """Makes functions of statements of one function."""

    def __init__(self, objects: ProgramObjects, function: SyntaxNode, *, is_library: bool) -> None:
        self._objects = objects
        self._function = function
        self._is_library = is_library

    def start(self, node: SyntaxNode, label: str, outer: Expressions) -> None:
        """Write the start of a thread that runs the statement."""
        if _jumps_out(node):
            raise node.unsupported(f"a jump out of the thread that `{label}` starts")
        copied = _outer_locals(node)
        values = [self._value(node, declaration, outer) for declaration in copied]
        name = self._objects.unique_name(f"thread.{label}")
        self._lower(node, name, label, copied)
        target = outer.emitter.temporary(HANDLE)
        outer.emitter.emit(Create(target, name, tuple(values)))

    def _value(self, node: SyntaxNode, declaration: Declaration, outer: Expressions) -> Term:
        place = outer.locals.get(declaration)
        if place is None or not is_scalar(place.ctype):
            raise node.unsupported(f"`{declaration.name}` in a thread that a label starts")
        return outer.emitter.saved(outer.memory.read(place))

    def _lower(self, node: SyntaxNode, name: str, label: str, copied: list[Declaration]) -> None:
        builder = FunctionBuilder(self._objects.terms, name)
        expressions = lowering(self._objects, builder, label, is_library=self._is_library)
        emitter = expressions.emitter
        statements = Statements(expressions, expressions.scopes, self._function, lambda _: None)
        parameters = [self._parameter(declaration, expressions) for declaration in copied]
        statements.lower(node)
        if emitter.is_live:
            emitter.end(Return(None))
        self._objects.outlined[name] = builder.finish(
            c_name=label,
            parameters=tuple(parameters),
            span=node.span,
            is_library=self._is_library,
            names=names_of(self._function, {}, (), {}),
        )

    def _parameter(self, declaration: Declaration, expressions: Expressions) -> Register:
        ctype = unatomic(declaration.ctype)
        name = declaration.name
        display = getattr(ctype, "display")  # noqa: B009 - every scalar type has one
        register = expressions.emitter.register(name, expressions.sort(ctype), c_name=name, display=display)
        expressions.locals[declaration] = RegisterPlace(register, ctype)
        return register


def _outer_locals(node: SyntaxNode) -> list[Declaration]:
    """The local variables that a statement mentions without declaring them, in order."""
    inside = {part.declaration for part in node.walk() if part.kind == CursorKind.VARIABLE}
    found: dict[Declaration, None] = {}
    for part in node.walk():
        target = addressed_variable(part)
        if target is not None and _is_outer(target, inside):
            raise node.unsupported(f"the address of `{target.name}` in a thread that a label starts")
        if part.kind == CursorKind.REFERENCE and _is_outer(part, inside):
            found.setdefault(part.declaration)
    return list(found)


def _is_outer(reference: SyntaxNode, inside: set[Declaration]) -> bool:
    return reference.declaration.kind is DeclarationKind.LOCAL and reference.declaration not in inside


def _jumps_out(node: SyntaxNode) -> bool:
    stack = [node]
    while stack:
        part = stack.pop()
        if part.kind in _JUMPS or part.kind in (CursorKind.BREAK, CursorKind.CONTINUE):
            return True
        if part.kind in _LOOPS or part.kind == CursorKind.SWITCH:
            if any(inner.kind in _JUMPS for inner in part.walk()):
                return True
        else:
            stack += part.children
    return False
