"""``va_start``, ``va_copy`` and ``va_end``; ``va_arg`` is an expression of its own."""

from typing import TYPE_CHECKING

from sley.frontend.syntax import Node
from sley.logic.terms import Term

if TYPE_CHECKING:
    from sley.frontend.builtins import Handler
    from sley.frontend.calls import Calls


def _start(calls: "Calls", _node: Node, arguments: list[Node]) -> Term:
    calls.expressions.arguments.start(arguments[0])
    return calls.terms.true


def _copy(calls: "Calls", _node: Node, arguments: list[Node]) -> Term:
    calls.expressions.arguments.copy(arguments[0], arguments[1])
    return calls.terms.true


def _end(calls: "Calls", _node: Node, arguments: list[Node]) -> Term:
    calls.expressions.arguments.hand_over(arguments[0])
    return calls.terms.true


HANDLERS: "dict[str, Handler]" = {
    "__builtin_va_start": _start,
    "__builtin_va_copy": _copy,
    "__builtin_va_end": _end,
}
