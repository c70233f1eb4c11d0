"""What is not reported because the user has accepted it, and what was accepted but is not there any more."""

from sley.reports.lines import Line, labelled
from sley.reports.text import place_text
from sley.verification.result import Result, Suppressed


def report(result: Result, width: int) -> list[Line]:
    """Lines for suppressed findings and for suppressions that nothing needs."""
    hidden = [_one(suppressed) for suppressed in result.suppressed]
    unused = [f"suppresses nothing: {text}" for text in result.unused_suppressions]
    return labelled("Note", [*hidden, *unused], width)


def _one(suppressed: Suppressed) -> str:
    trace = suppressed.trace
    return f"suppressed: {trace.failure.message}: {place_text(trace)} ({suppressed.by})"
