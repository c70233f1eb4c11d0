"""What compilers understand without a library: hints, and statements about what cannot happen."""

from typing import TYPE_CHECKING

from sley.frontend.syntax import STACK_ALLOCATORS, Node
from sley.logic.terms import Term
from sley.program.instructions import Fence, Order
from sley.program.properties import Property

if TYPE_CHECKING:
    from sley.frontend.builtins import Handler
    from sley.frontend.calls import Calls


def _first(calls: "Calls", _node: Node, arguments: list[Node]) -> Term:
    value = calls.expressions.stable(calls.expressions.value(arguments[0]), *arguments[1:])
    for argument in arguments[1:]:
        calls.expressions.value(argument)
    return value


def _unreachable(calls: "Calls", _node: Node, _arguments: list[Node]) -> Term:
    message = "`__builtin_unreachable()` is reached"
    calls.emitter.fail(Property.MISUSE, "unreachable", message)
    return calls.terms.true


def _nothing(calls: "Calls", _node: Node, arguments: list[Node]) -> Term:
    for argument in arguments:
        calls.expressions.value(argument)
    return calls.terms.true


def _is_constant(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    is_constant = arguments[0].constant() is not None
    return calls.expressions.literal(is_constant, calls.expressions.value_type(node))


def _fence(calls: "Calls", _node: Node, arguments: list[Node]) -> Term:
    """CBMC's fence names the pairs that it orders; only those of a write and a later read need a full one."""
    names = [argument.inner().name.strip('"') for argument in arguments]
    calls.emitter.emit(Fence(Order.SEQUENTIAL if "WRfence" in names else Order.ACQUIRE_RELEASE))
    return calls.terms.true


def _alloca(calls: "Calls", node: Node, _arguments: list[Node]) -> Term:
    return calls.expressions.blocks.make(node)


HANDLERS: "dict[str, Handler]" = {
    "__builtin_expect": _first,
    "__builtin_expect_with_probability": _first,
    "__builtin_assume_aligned": _first,
    "__builtin_unreachable": _unreachable,
    "__builtin_prefetch": _nothing,
    "__builtin_constant_p": _is_constant,
    "__CPROVER_fence": _fence,
    **dict.fromkeys(STACK_ALLOCATORS, _alloca),
}
