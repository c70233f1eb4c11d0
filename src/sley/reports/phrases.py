"""Pieces that several reports are made of: headlines, paragraphs, enumerations, names of properties."""

from sley.program.properties import Property
from sley.reports.lines import Line, Segment, labelled, line
from sley.verification.result import Result

WIDTH = 100
MAX_LISTED = 12

NOUNS = {
    Property.REACH: "failing assertion",
    Property.RACE: "data race",
    Property.DEADLOCK: "deadlock",
    Property.DEREF: "invalid memory access",
    Property.FREE: "invalid free",
    Property.LEAK: "memory leak",
    Property.OVERFLOW: "signed overflow",
    Property.DIVISION: "division by zero",
    Property.MISUSE: "misuse of the thread library",
    Property.PROGRESS: "thread that can only run for ever while all others wait or have ended",
    Property.UNINITIALISED: "read of an uninitialised variable or block",
}


def nouns_of(result: Result) -> dict[Property, str]:
    """What violations are called: where a function counts as the error, no assertion does."""
    call = result.task.selection.error_call
    return NOUNS if call is None else NOUNS | {Property.REACH: f"call of `{call}`"}


def nouns(result: Result) -> list[str]:
    """What was looked for."""
    chosen = result.task.selection.properties
    return [noun for prop, noun in nouns_of(result).items() if prop in chosen]


def headline(result: Result, text: str, style: str, width: int, joint: str = "  ") -> list[Line]:
    """The answer, a sentence, and how long it took."""
    word = result.answer.value
    time = seconds_text(result.times.total)
    indent = len(word) + 1 + len(joint)
    first, *rest = _broken(text, width - indent - len(time) - 3)
    filling = " " * max(3, width - indent - len(first) - len(time))
    return [
        line(" ", Segment(word, style), f"{joint}{first}{filling}{time}"),
        *(line(" " * 7 + part) for part in rest),
    ]


def _broken(text: str, width: int) -> list[str]:
    return ["".join(segment.text for segment in one[1:]) for one in labelled("", [text], width + 7)]


def paragraph(text: str, width: int) -> list[Line]:
    """Text in the margin of a report."""
    return labelled("", [text], width)


def seconds_text(value: float) -> str:
    """A time for people."""
    return f"{value:.1f} s" if value >= 0.095 else f"{max(1, round(value * 1000))} ms"


def rests_on(result: Result, width: int) -> list[Line]:
    """The assumptions of an answer, and what need not be assumed."""
    return [*assumed(result, width), *(part for text in result.follows for part in paragraph(text, width))]


def assumed(result: Result, width: int) -> list[Line]:
    """The assumptions of an answer."""
    return paragraph(f"Assumes: {'; '.join(result.assumptions)}.", width) if result.assumptions else []


def missing_models(result: Result, width: int) -> list[Line]:
    """The calls of unmodelled functions."""
    listed = [str(one) for one in result.unmodelled[:MAX_LISTED]]
    if len(result.unmodelled) > MAX_LISTED:
        listed.append(f"and {len(result.unmodelled) - MAX_LISTED} more")
    return labelled("Note", listed, width)
