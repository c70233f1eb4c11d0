"""Declarations in blocks: variables become registers or objects, and begin to live."""

from sley.frontend.c_types import VariableArrayType, unatomic
from sley.frontend.clang_library import CursorKind
from sley.frontend.emitter import Scopes
from sley.frontend.expressions import Expressions
from sley.frontend.places import RegisterPlace, memory_place
from sley.frontend.syntax import Declaration, DeclarationKind, SyntaxNode
from sley.program.instructions import Cause, Havoc


class Declarations:
    """Lowers the declarations of one function."""

    def __init__(self, expressions: Expressions, scopes: Scopes) -> None:
        self._expressions = expressions
        self._emitter = expressions.emitter
        self._scopes = scopes

    def lower(self, node: SyntaxNode) -> None:
        """One declaration, which may declare several variables."""
        variables = [child for child in node.children if child.kind == CursorKind.VARIABLE]
        for variable in variables:
            shown = node if len(variables) == 1 else variable
            self._emitter.at(*node.unit.expression(shown.cursor))
            self._variable(variable)
            self._expressions.aggregates.end_temporaries()

    def _variable(self, node: SyntaxNode) -> None:
        declaration = node.declaration
        if declaration.kind is not DeclarationKind.LOCAL:
            return
        cleanup = self._expressions.automatic.cleanup(node)
        self._local_variable(node)
        if cleanup is not None:
            self._scopes.declare(cleanup)

    def _local_variable(self, node: SyntaxNode) -> None:
        declaration = node.declaration
        ctype = unatomic(declaration.ctype)
        initialiser = node.initialiser
        expressions = self._expressions
        expressions.arrays.declare(node)
        if isinstance(ctype, VariableArrayType):
            if initialiser is not None:
                raise node.unsupported(f"an initialiser of an array of variable length: `{node.text}`")
            address = expressions.arrays.enter(ctype, node)
            expressions.locals[declaration] = memory_place(address, ctype, declaration.name)
            return
        if expressions.is_register(declaration):
            self._register_variable(node, initialiser)
            return
        made = expressions.aggregates.local_object(
            declaration.name, declaration.ctype, node, declaration=declaration
        )
        expressions.locals[declaration] = memory_place(made.address, declaration.ctype, declaration.name)
        is_zeroed = initialiser is not None and expressions.aggregates.is_partial(ctype, initialiser)
        self._scopes.enter(made, is_zeroed=is_zeroed)
        if initialiser is not None:
            expressions.aggregates.initialise(made, declaration.ctype, initialiser)

    def _register_variable(self, node: SyntaxNode, initialiser: SyntaxNode | None) -> None:
        declaration = node.declaration
        ctype = unatomic(declaration.ctype)
        register = self._emitter.register(
            declaration.name,
            self._expressions.sort(ctype),
            c_name=declaration.name,
            display=getattr(ctype, "display"),  # noqa: B009 - every scalar type has one
        )
        self._expressions.locals[declaration] = RegisterPlace(register, ctype)
        self._scopes.declare(register)
        if initialiser is None or _mentions(initialiser, declaration):
            self._emitter.emit(Havoc(register, Cause.UNINITIALISED, declaration.name))
        if initialiser is None:
            return
        while initialiser.inner().kind == CursorKind.INITIALISERS:
            if not initialiser.inner().children:
                self._emitter.assign(register, self._expressions.literal(0, ctype))
                return
            initialiser = initialiser.inner().children[0]
        self._emitter.assign(register, self._expressions.value_as(initialiser, ctype))


def _mentions(node: SyntaxNode, declaration: Declaration) -> bool:
    return any(n.kind == CursorKind.REFERENCE and n.declaration is declaration for n in node.walk())
