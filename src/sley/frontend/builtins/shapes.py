"""Library functions by their arguments: a program may have a function of its own under a well-known name."""

from sley.frontend.c_types import IntegerType, PointerType
from sley.frontend.calls import Calls, Handler
from sley.frontend.syntax import SyntaxNode
from sley.logic.terms import Term

_KINDS = {"p": PointerType, "i": IntegerType}


def has_shape(calls: Calls, arguments: list[SyntaxNode], shape: str) -> bool:
    """Whether the first arguments are pointers (p) and integers (i) as the shape says."""
    if len(arguments) < len(shape):
        return False
    given = zip(arguments, shape, strict=False)
    return all(isinstance(calls.expressions.value_type(a), _KINDS[letter]) for a, letter in given)


def shaped(name: str, shape: str, handler: Handler) -> Handler:
    """The handler for calls whose arguments have the shape.

    A function with other arguments is unmodelled.
    """

    def chosen(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term | None:
        if has_shape(calls, arguments, shape):
            return handler(calls, node, arguments)
        return calls.unmodelled(node, name, arguments)

    return chosen
