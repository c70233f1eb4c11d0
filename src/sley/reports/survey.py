"""Every check of a program on its own: how many are proved, and the open ones by cause and place."""

from collections.abc import Iterable, Sequence

from sley.evidence.fixpoint.survey import WORST, OpenCheck, Survey
from sley.evidence.verdict import Unsafe
from sley.program.program import Origin
from sley.program.properties import Property
from sley.reports.lines import Line, Segment, labelled, line, shortened
from sley.reports.phrases import NOUNS
from sley.semantics.abstract.world import Doubt
from sley.verification.baseline import Baseline
from sley.verification.result import Result
from sley.verification.suppressions import places_of
from sley.wording.phrases import enumeration

MOST_PLACES = 5
"""So many places of one cause are shown."""

Cause = tuple[Property, Doubt]

_SETTLES = {
    Doubt.WAITS: "one order of all locks, and nothing to wait for that may fail to happen",
    Doubt.MEETS: "a lock that both hold, or an atomic type",
    Doubt.NULL: "a test before it",
    Doubt.BOUNDS: "a test of the index or the size before it",
    Doubt.GONE: "an order between the end of the object and this use: a join, a lock, a count of users",
    Doubt.FOREIGN: "a model of the function: --models FILE (sley explain models)",
    Doubt.ADDRESS: "a pointer that is set in plain sight rather than computed",
    Doubt.CONSTANT: "a copy of the object that may be written",
    Doubt.BLOCK: "one owner of the block",
    Doubt.NOT_HELD: "taking and giving back the lock in the same function",
    Doubt.HANDLE: "joining each thread once, by the handle that its creation gave",
    Doubt.CODE: "function pointers that are never null and have one type",
    Doubt.VALUES: "ranges: a test before it, or __VERIFIER_assume (sley explain inputs)",
}
"""What would settle it."""


def report(result: Result, baseline: Baseline | None, width: int) -> list[Line]:
    """How many checks are proved, and what is open, the worst first; with a baseline, what is new."""
    survey = result.survey
    if survey is None:
        return []
    confirmed = [one for one in survey.open if _is_confirmed(one, result)]
    listed = [one for one in survey.open if one not in confirmed]
    counts = [_counts(survey, confirmed), *_runs(survey), *_rests_on(survey)]
    label = "Open"
    if baseline is not None:
        new = baseline.new_in(survey)
        listed = [one for one in listed if one in new]
        counts.append(_accepted(baseline, survey, len(new)))
        label = "New"
    return [
        *labelled("Count", counts, width),
        *locks_report(survey, width),
        *(part for group in _groups(listed) for part in _group(label, group, width)),
    ]


def locks_report(survey: Survey, width: int) -> list[Line]:
    """What is kept by which lock, alone."""
    return labelled("Locks", _locks(survey), width)


def _locks(survey: Survey) -> list[str]:
    """What is kept by which lock."""
    by_lock: dict[str, list[str]] = {}
    for name, lock in survey.guarded:
        by_lock.setdefault(lock, []).append(f"`{name}`")
    return [
        f"While others run, {_some(names)} {'is' if len(names) == 1 else 'are'} only touched under `{lock}`."
        for lock, names in by_lock.items()
    ]


def _is_confirmed(one: OpenCheck, result: Result) -> bool:
    """Whether there is a run in which it goes wrong."""
    span = one.origin.span
    return isinstance(result.outcome, Unsafe) and any(
        trace.failure.property is one.property and span in places_of(trace) and not trace.depends_on
        for trace in result.traces
    )


def _accepted(baseline: Baseline, survey: Survey, new: int) -> str:
    also = baseline.also_new_in(survey)
    if not new and not also:
        return f"All that is open is accepted by {baseline.file}."
    listed = [f"{new:,} open checks" if new != 1 else "1 open check", *also]
    return f"Not accepted by {baseline.file}: {enumeration(listed, 'and')}."


def _counts(survey: Survey, confirmed: Sequence[OpenCheck]) -> str:
    proved = sum(survey.proved.values())
    parts = []
    for prop in _ordered(survey):
        left = sum(one.property is prop for one in survey.open)
        count = survey.proved.get(prop, 0)
        parts.append(f"{prop.value} {count:,} of {count + left:,}")
    wrong = f"{len(confirmed):,} wrong as shown, " if confirmed else ""
    left = len(survey.open) - len(confirmed)
    undecided = enumeration([NOUNS[prop] for prop in survey.undecided], "or")
    beyond = f" Not among them: whether there is a {undecided}." if undecided else ""
    listed = f": {', '.join(parts)}" if parts else ""
    return f"{proved:,} of {survey.count:,} checks proved, {wrong}{left:,} open{listed}.{beyond}"


def _runs(survey: Survey) -> list[str]:
    """What was done to reach what is open."""
    if survey.runs is None or not survey.open:
        return []
    runs, left = survey.runs, survey.runs.places - survey.runs.tried
    untried = f"; the other {left:,} were not tried: no run came near, or the time was over" if left else ""
    return [
        f"What is open was looked for in {runs.runs:,} runs: they were led to {runs.tried:,} of "
        f"{runs.places:,} places, and came to {runs.reached:,} at least{untried}."
    ]


def _ordered(survey: Survey) -> list[Property]:
    known = {*survey.proved, *(one.property for one in survey.open)}
    return [prop for prop in WORST if prop in known]


def _rests_on(survey: Survey) -> list[str]:
    """What the proofs take for granted."""
    found = []
    if survey.passed_over:
        listed = [f"{reason}{_at(origin)}" for reason, origin in survey.passed_over.items()]
        found.append(f"Passed over, as if it left memory as it is: {_some(listed)}.")
    if survey.astray:
        listed = [place(origin) for origin in survey.astray]
        found.append(f"Taken to be right, although their address may be anything: {_some(listed)}.")
    return found


def _some(listed: Sequence[str]) -> str:
    listed = list(dict.fromkeys(listed))
    more = [f"{len(listed) - MOST_PLACES:,} more"] if len(listed) > MOST_PLACES else []
    return enumeration([*listed[:MOST_PLACES], *more], "and")


def _groups(checks: Iterable[OpenCheck]) -> list[list[OpenCheck]]:
    """By property and doubt; the worst property first, in it what there is most of."""
    found: dict[Cause, list[OpenCheck]] = {}
    for one in checks:
        found.setdefault((one.property, one.doubt), []).append(one)
    return sorted(found.values(), key=lambda group: (WORST.index(group[0].property), -len(group)))


def _group(label: str, group: Sequence[OpenCheck], width: int) -> list[Line]:
    first = group[0]
    noun = NOUNS[first.property].capitalize()
    head = f"{noun} ({len(group):,}): {first.doubt.value}. Would settle it: {_SETTLES[first.doubt]}."
    places = dict.fromkeys(_place_line(one) for one in group)
    shown = [line(Segment(f"         {shortened(text, width - 9)}")) for text in list(places)[:MOST_PLACES]]
    if len(places) > MOST_PLACES:
        shown.append(line(f"         and {len(places) - MOST_PLACES:,} more (--json FILE lists all)"))
    return [*labelled(label, [head], width), *shown]


def _place_line(one: OpenCheck) -> str:
    other = f"  with {_beside(one.origin, one.other)}" if one.other is not None else ""
    return f"{place(one.origin)}{other}  {' '.join(one.origin.text.split())}"


def _beside(origin: Origin, other: Origin) -> str:
    """Where the other thread is, by its line if that is in the same file."""
    if origin.span is None or other.span is None or origin.span.file != other.span.file:
        return place(other)
    return f"line {other.span.line}"


def place(origin: Origin) -> str:
    """Where that is."""
    return origin.function if origin.span is None else f"{origin.span.file}:{origin.span.line}"


def _at(origin: Origin) -> str:
    return "" if origin.span is None else f" ({place(origin)})"
