"""Assertions, arbitrary values, assumptions: what the verification community writes, and ``assert``."""

from sley.frontend.c_types import RecordType, VoidType
from sley.frontend.calls import CASTS, Calls, Handler
from sley.frontend.clang_library import CursorKind
from sley.frontend.strings import string_text
from sley.frontend.syntax import SyntaxNode
from sley.logic.terms import Term
from sley.program.instructions import Assume, AtomicBegin, AtomicEnd, Cause, End, Ending
from sley.program.properties import ASSERTION, ASSERTION_FAILURES, CALLED, Failure, Property

"""What ``assert`` calls when it fails; the first argument is its text (on Linux)."""

ATOMIC_PREFIX = "__VERIFIER_atomic_"
"""Functions with such names run as one step."""

_FAILURE = Failure(Property.REACH, ASSERTION, "assertion can fail")


def _assertion_text(failing: SyntaxNode) -> str:
    """The assertion as the user wrote it, from the text that the failing call is given."""
    literal = failing.children[1].inner() if len(failing.children) > 1 else None
    if literal is None or literal.kind != CursorKind.STRING:
        return ""
    return f"assert({string_text(literal)})"


def arbitrary(calls: Calls, node: SyntaxNode, _arguments: list[SyntaxNode]) -> Term:
    """An input of the type that the call has."""
    ctype = calls.expressions.value_type(node)
    if isinstance(ctype, VoidType | RecordType):
        raise node.unsupported(f"an arbitrary value of this type: `{node.text}`")
    origin = calls.emitter.origin
    text = f"{origin.function}()" if origin.is_library else node.text
    return calls.emitter.havoc(calls.expressions.sort(ctype), Cause.INPUT, text)


def _assume(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> None:
    condition = calls.expressions.choices.condition(arguments[0])
    if condition != calls.terms.true:
        calls.emitter.emit(Assume(condition))


def _error(calls: Calls, node: SyntaxNode, _arguments: list[SyntaxNode]) -> None:
    name = node.children[0].inner().name
    calls.emitter.fail(Failure(Property.REACH, "reach-error", "", name, CALLED))


def _assertion_failed(calls: Calls, node: SyntaxNode, _arguments: list[SyntaxNode]) -> None:
    text = _assertion_text(node)
    if text:
        calls.emitter.at(calls.emitter.origin.span, text)
    calls.emitter.fail(_FAILURE)


def _assert(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term | None:
    """``assert`` as a function: what a call is without its header."""
    if len(arguments) != 1:
        return calls.unmodelled(node, "assert", arguments)
    holds = calls.expressions.choices.condition(arguments[0])
    calls.emitter.check(holds, _FAILURE)
    ctype = calls.expressions.value_type(node)
    return None if isinstance(ctype, VoidType) else calls.expressions.literal(0, ctype)


def _abort(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> None:
    for argument in arguments:
        calls.expressions.value(argument)
    calls.emitter.end(End(Ending.ABORT))


def is_assertion(
    calls: Calls, condition: SyntaxNode, then: SyntaxNode | None, otherwise: SyntaxNode | None
) -> bool:
    """Recognise ``condition ? (void)0 : __assert_fail(...)``, in whatever clothes; written as one check."""
    failing = _failing_call(otherwise)
    is_negated = failing is None
    if failing is None:
        failing = _failing_call(then)
    other = otherwise if is_negated else then
    if failing is None or not _is_nothing(other):
        return False
    if calls.objects.library.is_user_function(failing.children[0].inner().declaration):
        return False
    text = _assertion_text(failing)
    if text:
        calls.emitter.at(calls.emitter.origin.span, text)
    holds = calls.expressions.choices.condition(condition)
    holds = calls.terms.not_(holds) if is_negated else holds
    calls.emitter.check(holds, _FAILURE)
    return True


def _failing_call(node: SyntaxNode | None) -> SyntaxNode | None:
    while node is not None and len(node.children) == 1 and node.kind in (*CASTS, CursorKind.COMPOUND):
        node = node.children[0]
    if node is None or node.kind != CursorKind.CALL:
        return None
    callee = node.children[0].inner()
    is_failure = callee.kind == CursorKind.REFERENCE and callee.name in ASSERTION_FAILURES
    return node if is_failure else None


def _is_nothing(node: SyntaxNode | None) -> bool:
    """Whether a statement or expression has no effect at all."""
    if node is None:
        return True
    quiet = (*CASTS, CursorKind.COMPOUND, CursorKind.NULL, CursorKind.INTEGER)
    return all(part.kind in quiet for part in node.walk())


_PREFIXES = ("__VERIFIER", "__sley")

HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(("__VERIFIER_assume", "__sley_assume"), _assume),
    **dict.fromkeys(("__VERIFIER_error", "reach_error"), _error),
    **{f"{p}_atomic_begin": lambda calls, _, __: calls.emitter.emit(AtomicBegin()) for p in _PREFIXES},
    **{f"{p}_atomic_end": lambda calls, _, __: calls.emitter.emit(AtomicEnd()) for p in _PREFIXES},
    "assert": _assert,
    **dict.fromkeys(("abort", "__builtin_trap", "__builtin_abort"), _abort),
    **dict.fromkeys(ASSERTION_FAILURES, _assertion_failed),
}
