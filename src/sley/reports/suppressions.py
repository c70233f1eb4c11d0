"""What is not reported because the user has accepted it, and what was accepted but is not there any more."""

from sley.program.properties import WITHOUT_LOCATION
from sley.reports.lines import Line, labelled
from sley.reports.text import place_text
from sley.verification.result import Result, Suppressed
from sley.wording.phrases import enumeration

RELAXED = "The accesses of a suppressed race are taken as atomic and relaxed."


def report(result: Result, width: int) -> list[Line]:
    """Lines for suppressed findings and for suppressions that nothing needs."""
    hidden = [_one(suppressed) for suppressed in result.suppressed]
    unused = [f"Suppresses nothing: {text}" for text in result.unused_suppressions]
    return labelled("Note", [*hidden, *meaning(result), *unused], width)


def meaning(result: Result) -> list[str]:
    """How the program is taken, for what is suppressed."""
    return [*_ends(result), *([RELAXED] if result.task.relaxed else [])]


def _ends(result: Result) -> list[str]:
    """Where runs end, so that what follows is not taken for checked."""
    traces = (suppressed.trace for suppressed in result.suppressed)
    ends = dict.fromkeys(place_text(one) for one in traces if one.failure.property not in WITHOUT_LOCATION)
    listed = enumeration(list(ends), "and")
    return [f"Runs end at {listed}: what comes after that was not looked at."] if ends else []


def _one(suppressed: Suppressed) -> str:
    trace = suppressed.trace
    return f"Suppressed: {trace.failure.message}: {place_text(trace)} ({suppressed.by})"
