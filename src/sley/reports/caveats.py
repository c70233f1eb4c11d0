"""What belongs to SAFE in its headline: what it rests on that does not happen, or is not asked about."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from sley.base.source import Span
from sley.program.properties import PROPERTY_GROUPS, Property
from sley.verification.caveats import Caveat, Missing, NotAsked, Vacuity
from sley.verification.result import Result
from sley.wording.phrases import enumeration

_MISSING = {
    Missing.THREADS: ("no thread is started", "no thread was started"),
    Missing.ASSERTIONS: ("no assertion is reached", "no assertion was reached"),
}
"""What is proved not to happen, and what was not seen to."""

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
    groups: dict[tuple[bool, Span | None], list[Vacuity]] = {}
    for one in result.caveats:
        if isinstance(one, Vacuity):
            groups.setdefault((one.is_proved, place_of(one)), []).append(one)
    for (is_proved, span), together in groups.items():
        what = enumeration([_MISSING[one.missing][not is_proved] for one in together], "and")
        runs = f"{min(one.runs for one in together)} random runs"
        end = "" if span is None else f": {runs} all ended in {_place(result, span)}"
        seen = "" if is_proved else f"{'' if end else f' in {runs}'} (whether that can happen is not known)"
        yield Remark(tuple(together), "but", f"{what}{seen}{end}")


def _place(result: Result, span: Span | None) -> str:
    """A line, with its file where there may be a doubt."""
    if span is None:
        return "an unknown place"
    is_only = len(result.task.paths) == 1 and str(result.task.paths[0]) == span.file
    return f"line {span.line}" if is_only else f"{PurePath(span.file).name}:{span.line}"


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
    return None if caveat.origin is None else caveat.origin.span


def is_certain(caveat: Caveat) -> bool:
    """Whether it is proved, or a run shows it."""
    return caveat.is_proved if isinstance(caveat, Vacuity) else caveat.failure is not None


def kind_of(caveat: Caveat) -> str:
    """A stable name."""
    return caveat.missing.value if isinstance(caveat, Vacuity) else "not-asked"
