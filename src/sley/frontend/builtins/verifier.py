"""Assertions, arbitrary values, assumptions: what the verification community writes, and ``assert``."""

from typing import TYPE_CHECKING

from sley.frontend.c_types import RecordType, VoidType
from sley.frontend.clang_library import CursorKind
from sley.frontend.strings import string_text
from sley.frontend.syntax import Node
from sley.logic.terms import Term
from sley.program.instructions import Assume, AtomicBegin, AtomicEnd, Cause, End, Ending
from sley.program.properties import Property

if TYPE_CHECKING:
    from sley.frontend.calls import Calls

ASSERTION_FAILURES = frozenset({"__assert_fail", "__assert", "__assert_rtn", "__assert2"})
"""What ``assert`` calls when it fails; the first argument is its text (on Linux)."""

ATOMIC_PREFIX = "__VERIFIER_atomic_"
"""Functions with such names run as one step."""


def assertion_text(failing: Node) -> str:
    """The assertion as the user wrote it, from the text that the failing call is given."""
    literal = failing.children[1].inner() if len(failing.children) > 1 else None
    if literal is None or literal.kind != CursorKind.STRING:
        return ""
    return f"assert({string_text(literal)})"


def arbitrary(calls: "Calls", node: Node, _arguments: list[Node]) -> Term:
    """An input of the type that the call has."""
    ctype = calls.expressions.value_type(node)
    if isinstance(ctype, VoidType | RecordType):
        raise node.unsupported(f"an arbitrary value of this type: `{node.text}`")
    origin = calls.emitter.origin
    text = f"{origin.function}()" if origin.is_library else node.text
    return calls.emitter.havoc(calls.expressions.sort(ctype), Cause.INPUT, text)


def _assume(calls: "Calls", _node: Node, arguments: list[Node]) -> Term:
    condition = calls.expressions.choices.condition(arguments[0])
    if condition != calls.terms.true:
        calls.emitter.emit(Assume(condition))
    return calls.terms.true


def _error(calls: "Calls", node: Node, _arguments: list[Node]) -> Term:
    name = node.children[0].inner().name
    calls.emitter.fail(Property.REACH, "reach-error", f"`{name}()` can be called")
    return calls.terms.true


def _assertion_failed(calls: "Calls", node: Node, _arguments: list[Node]) -> Term:
    text = assertion_text(node)
    if text:
        calls.emitter.at(calls.emitter.origin.span, text)
    calls.emitter.fail(Property.REACH, "assertion", "assertion can fail")
    return calls.terms.true


def _assert(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    """``assert`` as a function: what a call is when nobody included its header."""
    if len(arguments) != 1:
        return calls.unmodelled(node, "assert", arguments)
    holds = calls.expressions.choices.condition(arguments[0])
    calls.emitter.check(holds, Property.REACH, "assertion", "assertion can fail")
    ctype = calls.expressions.value_type(node)
    return calls.terms.true if isinstance(ctype, VoidType) else calls.expressions.literal(0, ctype)


def _end(ending: Ending) -> "_Handler":
    def handler(calls: "Calls", _node: Node, arguments: list[Node]) -> Term:
        for argument in arguments:
            calls.expressions.value(argument)
        calls.emitter.end(End(ending))
        return calls.terms.true

    return handler


def _atomic_begin(calls: "Calls", _node: Node, _arguments: list[Node]) -> Term:
    calls.emitter.emit(AtomicBegin())
    return calls.terms.true


def _atomic_end(calls: "Calls", _node: Node, _arguments: list[Node]) -> Term:
    calls.emitter.emit(AtomicEnd())
    return calls.terms.true


if TYPE_CHECKING:
    from sley.frontend.builtins import Handler as _Handler

HANDLERS: "dict[str, _Handler]" = {
    "__VERIFIER_assume": _assume,
    "__sley_assume": _assume,
    "__VERIFIER_error": _error,
    "reach_error": _error,
    "__VERIFIER_atomic_begin": _atomic_begin,
    "__VERIFIER_atomic_end": _atomic_end,
    "__sley_atomic_begin": _atomic_begin,
    "__sley_atomic_end": _atomic_end,
    "assert": _assert,
    "abort": _end(Ending.ABORT),
    "__builtin_trap": _end(Ending.ABORT),
    "__builtin_abort": _end(Ending.ABORT),
    **dict.fromkeys(ASSERTION_FAILURES, _assertion_failed),
}
