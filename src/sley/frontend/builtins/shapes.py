"""Library functions by their arguments: a program may have a function of its own under a well-known name."""

from typing import TYPE_CHECKING

from sley.frontend.c_types import IntegerType, PointerType
from sley.frontend.syntax import Node
from sley.logic.terms import Term

if TYPE_CHECKING:
    from sley.frontend.builtins import Handler
    from sley.frontend.calls import Calls

_KINDS = {"p": PointerType, "i": IntegerType}


def shaped(name: str, shape: str, handler: "Handler") -> "Handler":
    """The handler for calls whose first arguments are pointers (p) and integers (i) as the shape says.

    Nobody knows what a function with other arguments does.
    """

    def chosen(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
        kinds = [type(calls.expressions.value_type(argument)) for argument in arguments]
        if len(kinds) < len(shape) or any(
            kind is not _KINDS[letter] for kind, letter in zip(kinds, shape, strict=False)
        ):
            return calls.unmodelled(node, name, arguments)
        return handler(calls, node, arguments)

    return chosen
