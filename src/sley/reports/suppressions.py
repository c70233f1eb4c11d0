"""What is not reported because the user has accepted it, and what was accepted but is not there any more."""

from sley.reports.lines import Line, labelled
from sley.reports.text import place_text
from sley.verification.result import Result, Suppressed

RELAXED = "The accesses of a suppressed race are taken as atomic and relaxed."


def report(result: Result, width: int) -> list[Line]:
    """Lines for suppressed findings and for suppressions that nothing needs."""
    hidden = [_one(suppressed) for suppressed in result.suppressed]
    meaning = [RELAXED] if result.task.relaxed else []
    unused = [f"Suppresses nothing: {text}" for text in result.unused_suppressions]
    return labelled("Note", [*hidden, *meaning, *unused], width)


def _one(suppressed: Suppressed) -> str:
    trace = suppressed.trace
    return f"Suppressed: {trace.failure.message}: {place_text(trace)} ({suppressed.by})"
