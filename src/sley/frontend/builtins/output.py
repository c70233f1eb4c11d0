"""Output: arguments are evaluated, what is printed does not matter, the result is arbitrary."""

from typing import TYPE_CHECKING

from sley.frontend.c_types import VoidType
from sley.frontend.syntax import Node
from sley.logic.terms import Term
from sley.program.instructions import Cause

if TYPE_CHECKING:
    from sley.frontend.builtins import Handler
    from sley.frontend.calls import Calls

_NAMES = (
    "printf",
    "fprintf",
    "dprintf",
    "vprintf",
    "puts",
    "fputs",
    "putchar",
    "putc",
    "fputc",
    "fflush",
    "perror",
    "syslog",
    "setbuf",
    "setvbuf",
    "setlinebuf",
)


def _print(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    for argument in arguments:
        calls.expressions.value(argument)
        calls.expressions.arguments.hand_over(argument)
    ctype = calls.expressions.value_type(node)
    if isinstance(ctype, VoidType):
        return calls.terms.true
    return calls.emitter.havoc(calls.expressions.sort(ctype), Cause.INPUT, node.text)


HANDLERS: "dict[str, Handler]" = {
    name: _print for plain in _NAMES for name in (plain, f"{plain}_unlocked", f"__builtin_{plain}")
}
