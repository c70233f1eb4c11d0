"""What belongs to SAFE in its headline: what it rests on that does not happen, or is not asked about."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import assert_never

from sley.base.source import Span
from sley.program.properties import PROPERTY_GROUPS, Property
from sley.verification.caveats import Caveat, Constant, How, Missing, NotAsked, RunEnds, Vacuity
from sley.verification.result import Result
from sley.wording.phrases import enumeration

_MISSING = {
    Missing.THREADS: ("no thread is started", "no thread was started"),
    Missing.ASSERTIONS: ("no assertion is reached", "no assertion was reached"),
    Missing.REST: ("what comes after it in `main` is not reached", "what comes after it was not reached"),
}
"""What is proved not to happen, and what was not seen to."""

_ALWAYS = {
    How.RETURN: "{} always returns",
    How.EXIT: "{} always ends the program",
    How.ABORT: "{} always aborts",
    How.CUT: "the assumption in {} never holds",
    How.WRONG: "{} always goes wrong, which is not asked about",
}

_UNASKED = {
    Property.DEREF: "no memory access is invalid",
    Property.FREE: "no block is freed wrongly",
    Property.DIVISION: "nothing is divided by zero",
    Property.MISUSE: "no library function is used wrongly",
}


@dataclass(frozen=True, slots=True)
class Remark:
    """A caveat in words."""

    caveats: tuple[Caveat, ...]
    joint: str
    """What stands between it and the answer."""
    text: str
    more: str = ""
    """A sentence that follows."""


def remarks(result: Result) -> list[Remark]:
    """All that a headline has to say beside the answer; what has one reason is said at once."""
    return [*_vacuous(result), *_ending(result), *_unasked(result)]


def in_words(result: Result) -> str:
    """As it follows the answer; empty if there is nothing to say."""
    return "; ".join(f"{one.joint} {one.text}" for one in remarks(result))


def sentences(result: Result) -> list[str]:
    """What a reader may want to know about it."""
    return [one.more for one in remarks(result) if one.more]


# --- what does not happen ---------------------------------------------------------------------------


def _vacuous(result: Result) -> Iterator[Remark]:
    """Those with one end together."""
    groups: dict[tuple[bool, object], list[Vacuity]] = {}
    for one in result.caveats:
        if isinstance(one, Vacuity):
            place = None if one.end is None else (one.end.how, one.end.origin.span)
            groups.setdefault((one.is_proved, place), []).append(one)
    for (is_proved, _), together in groups.items():
        text = (_proved if is_proved else _not_seen)(result, together)
        yield Remark(tuple(together), "but", text, _because(result, together))


def _proved(result: Result, together: Sequence[Vacuity]) -> str:
    what = enumeration([_MISSING[one.missing][0] for one in together], "and")
    end = together[0].end
    return what if end is None else f"{_ALWAYS[end.how].format(_where(result, end))}: {what}"


def _not_seen(result: Result, together: Sequence[Vacuity]) -> str:
    what = enumeration([_MISSING[one.missing][1] for one in together], "and")
    runs, end = min(one.runs for one in together), together[0].end
    seen = f"in {runs} random runs"
    if end is not None:
        seen = f"{runs} random runs all ended in {_where(result, end)}, and"
    return f"{seen} {what} (whether that can happen is not known)"


def _where(result: Result, end: RunEnds) -> str:
    return _place(result, end.origin.span)


def _place(result: Result, span: Span | None) -> str:
    """A line, with its file where there may be a doubt."""
    if span is None:
        return "an unknown place"
    is_only = len(result.task.paths) == 1 and str(result.task.paths[0]) == span.file
    return f"line {span.line}" if is_only else f"{PurePath(span.file).name}:{span.line}"


def _because(result: Result, together: Sequence[Vacuity]) -> str:
    found = dict.fromkeys(one for vacuity in together for one in vacuity.because_of)
    if not found:
        return ""
    return f"That rests on {enumeration([_constant(one) for one in found], 'and')}."


def _constant(one: Constant) -> str:
    place = "" if one.span is None else f" ({PurePath(one.span.file).name}:{one.span.line})"
    return f"`{one.name}`, which always returns {one.value}{place}"


# --- what is not asked about ------------------------------------------------------------------------


def _ending(result: Result) -> Iterator[Remark]:
    """What was seen to end runs."""
    for one in result.caveats:
        if isinstance(one, NotAsked) and one.failure is not None:
            span = None if one.origin is None else one.origin.span
            text = (
                f"some runs end in {_place(result, span)}: {one.failure.message} "
                f"(not asked: {_groups([one.property])})"
            )
            yield Remark((one,), "but", text, "What would come after that is not looked at.")


def _unasked(result: Result) -> Iterator[Remark]:
    """What is not excluded."""
    found = [one for one in result.caveats if isinstance(one, NotAsked) and one.failure is None]
    if not found:
        return
    conditions = enumeration([_UNASKED[one.property] for one in found], "and")
    asked = _groups([one.property for one in found])
    yield Remark(tuple(found), "if", f"{conditions} (not asked: {asked})")


def _groups(properties: Sequence[Property]) -> str:
    """As ``--property`` has them."""
    names = [name for name, group in PROPERTY_GROUPS.items() if not group.isdisjoint(properties)]
    return ", ".join(names)


# --- for machines -----------------------------------------------------------------------------------


def place_of(caveat: Caveat) -> Span | None:
    """Where it is, if that is one place."""
    match caveat:
        case Vacuity(end=end):
            return None if end is None else end.origin.span
        case NotAsked(origin=origin):
            return None if origin is None else origin.span
        case _:
            assert_never(caveat)


def is_certain(caveat: Caveat) -> bool:
    """Whether it is proved, or a run shows it."""
    return caveat.is_proved if isinstance(caveat, Vacuity) else caveat.failure is not None


def kind_of(caveat: Caveat) -> str:
    """A stable name."""
    match caveat:
        case Vacuity(missing=missing):
            return missing.value
        case NotAsked():
            return "not-asked"
        case _:
            assert_never(caveat)
