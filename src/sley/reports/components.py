"""What is known of a repository: a table of its components, bugs first, and the same for machines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sley import __version__
from sley.base.reasons import Why, stems_from
from sley.evidence.verdict import Unknown
from sley.program.memory_model import MemoryModel
from sley.reports.json_data import Json, schema_of, written
from sley.reports.lines import Line, Segment, labelled, line, shortened
from sley.reports.phrases import MAX_LISTED, seconds_text
from sley.reports.text import place_text
from sley.verification.command_line import command_line
from sley.verification.component_rows import NO_TIME, Findings, Row
from sley.verification.result import Answer, Result
from sley.verification.task import Limits

FORMAT, FORMAT_VERSION = "sley-components", "1.0"
_ORDER = (Answer.BUG, Answer.SAFE, Answer.BOUNDED, Answer.UNKNOWN, Answer.NOT_SUPPORTED)
_STYLES = {Answer.BUG: "bug", Answer.SAFE: "safe"}
LEAST_NAME = 20


@dataclass(frozen=True, slots=True)
class RowReport:
    """A row of the table as data."""

    component: str
    is_program: bool
    roles: tuple[tuple[str, ...], ...]
    calls: int
    answer: str
    """Empty: there is none."""
    is_certain: bool
    """Of a bug: that nothing speaks against it."""
    together: tuple[str, ...]
    """The functions that go wrong together."""
    doubts: tuple[str, ...]
    property: str
    message: str
    place: str
    reason: str
    properties: tuple[str, ...]
    memory_model: str
    assumptions: tuple[str, ...]
    files: tuple[str, ...]
    """What was checked, the harness first."""
    command: str
    """The command that asks again."""
    seconds: float


@dataclass(frozen=True, slots=True)
class NotReadReport:
    """A file that could not be read."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class LeftOutReport:
    """A function that no harness calls."""

    component: str
    function: str
    reason: str


@dataclass(frozen=True, slots=True)
class FindingsReport:
    """All of it as data."""

    format: str
    format_version: str
    sley_version: str
    result: str
    reason: str
    rows: tuple[RowReport, ...]
    not_read: tuple[NotReadReport, ...]
    left_out: tuple[LeftOutReport, ...]


def to_json(findings: Findings) -> Json:
    """The report for machines."""
    content = FindingsReport(
        format=FORMAT,
        format_version=FORMAT_VERSION,
        sley_version=__version__,
        result=result_of(findings),
        reason=findings.ended,
        rows=tuple(map(_row, _sorted(findings.rows))),
        not_read=tuple(NotReadReport(str(one.path), one.reason) for one in findings.not_read),
        left_out=tuple(
            LeftOutReport(component, function, reason)
            for component, functions in findings.left_out.items()
            for function, reason in functions
        ),
    )
    made: Json = written(content, FindingsReport)
    return made


def schema() -> Json:
    """What that report looks like."""
    return schema_of(FindingsReport)


def _row(row: Row) -> RowReport:
    result, scenario = row.result, row.scenario
    trace = result.traces[0] if result is not None and result.traces else None
    return RowReport(
        component=row.component,
        is_program=scenario is None,
        roles=() if scenario is None else scenario.roles,
        calls=1 if scenario is None else scenario.calls,
        answer="" if result is None else result.answer.name.lower().replace("_", "-"),
        is_certain=row.is_bug,
        together=row.together,
        doubts=row.doubts,
        property="" if trace is None else trace.failure.property.value,
        message="" if trace is None else trace.failure.message,
        place="" if trace is None else place_text(trace),
        reason=row.problem or (result.reason if result is not None else None) or "",
        properties=()
        if result is None
        else tuple(sorted(one.value for one in result.task.selection.properties)),
        memory_model="" if result is None else result.task.memory_model.value,
        assumptions=row.assumes,
        files=() if result is None else tuple(map(str, result.task.paths)),
        command=_command(row),
        seconds=round(row.seconds, 2),
    )


def result_of(findings: Findings) -> str:
    """What stands behind ``RESULT:``."""
    bugs = [row for row in _sorted(findings.rows) if row.is_bug]
    if bugs:
        assert bugs[0].result is not None
        return bugs[0].result.result
    return "true" if findings.is_decided else "unknown"


def _sorted(rows: Sequence[Row]) -> list[Row]:
    """Bugs first, the surest of them first; what has no answer last."""

    def order(row: Row) -> tuple[int, int]:
        if row.result is None:
            return len(_ORDER), 0
        return _ORDER.index(row.result.answer), len(row.doubts)

    return sorted(rows, key=order)


# --- for people -----------------------------------------------------------------------------------


def report(findings: Findings, seconds: float, width: int) -> list[Line]:
    """The table, and what stands behind it."""
    rows = [row for row in _sorted(findings.rows) if row.problem != NO_TIME]
    return [
        *_headline(findings, seconds, width),
        line(""),
        *_table(rows, width),
        *_commands(rows),
        *_notes(findings, width),
    ]


def closing_lines(findings: Findings) -> str:
    """The last lines, for scripts."""
    reason = f"REASON: {findings.ended}\n" if findings.ended and result_of(findings) == "unknown" else ""
    return f"{reason}RESULT: {result_of(findings)}\n"


def _headline(findings: Findings, seconds: float, width: int) -> list[Line]:
    rows = findings.rows
    bugs, proved = sum(row.is_bug for row in rows), sum(row.is_proved for row in rows)
    doubtful = sum(bool(row.doubts) for row in rows)
    said = [
        _counted(bugs, "bug"),
        _counted(doubtful, "possible bug"),
        f"{proved} proved",
        f"{len(rows) - bugs - doubtful - proved} open",
    ]
    text = f" {', '.join(said)}."
    filling = " " * max(3, width - len(text) - len(seconds_text(seconds)) - 1)
    return [line(text, filling, seconds_text(seconds))]


def _counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'s' * (number != 1)}"


def _table(rows: Sequence[Row], width: int) -> Iterator[Line]:
    if not rows:
        yield line("       Nothing was found that threads share by functions of one file.")
        return
    room = width - 5 - 14 - 8 - 8 - 2
    names = min(max(LEAST_NAME, *(len(_name(row)) for row in rows)), room // 2)
    head = f"   # {'component':<{names}}  {'calls':<{room - names}}threads  answer        seconds"
    yield line(Segment(head, "label"))
    for number, row in enumerate(rows, start=1):
        threads = "" if row.scenario is None else str(len(row.scenario.roles))
        calls = shortened(_calls(row), room - names - 2)
        seconds = f"{row.seconds:.1f}" if row.result is not None else ""
        left = f"{number:4} {shortened(_name(row), names):<{names}}  {calls:<{room - names}}{threads:>7}  "
        yield line(left, Segment(f"{_answer(row):<12}", _style(row)), f"{seconds:>9}")
        for text in _details(row):
            yield from labelled("", [text], width)


def _name(row: Row) -> str:
    """With the name of the file, without its folders."""
    if row.scenario is None:
        return f"program {Path(row.component).name}"
    what, _, where = row.component.removesuffix(")").partition(" (")
    return f"{what} ({Path(where).name})"


def _calls(row: Row) -> str:
    if row.scenario is None:
        return "all of it"
    often = "" if row.scenario.calls == 1 else f" ({row.scenario.calls} times)"
    model = row.result.task.memory_model if row.result is not None else MemoryModel.C11
    return f"{row.scenario}{often}{'' if model is MemoryModel.C11 else f' ({model.label})'}"


def _answer(row: Row) -> str:
    if row.result is None:
        return "not checked"
    if row.doubts:
        return "POSSIBLE BUG"
    if row.result.answer is Answer.SAFE and row.is_vacuous:
        return "SAFE, vacuous"
    return row.result.answer.value.removesuffix(" TO")


def _style(row: Row) -> str:
    if row.result is None or row.doubts:
        return "unknown" if row.doubts else ""
    return _STYLES.get(row.result.answer, "unknown")


def _details(row: Row) -> Iterator[str]:
    """What goes wrong, or why there is no answer."""
    if row.problem:
        yield shortened(row.problem, 300)
    if row.result is None:
        return
    for trace in row.result.traces[:1]:
        both = f" in {' and '.join(row.together)}" if row.together else ""
        yield f"{trace.failure.message}{both}   {place_text(trace)}"
    if row.doubts:
        yield f"It is none if this cannot happen: {'; '.join(row.doubts)}."
    if row.result.answer is Answer.BOUNDED:
        yield row.result.reason or ""
    elif not row.result.traces:
        yield from _why_unknown(row.result)


def _why_unknown(result: Result) -> Iterator[str]:
    """What stands in the way; that the time was used up says the column of seconds."""
    outcome = result.outcome
    if not isinstance(outcome, Unknown):
        yield from [shortened(result.reason, 160)] if result.reason else []
        return
    reasons = dict.fromkeys([why for _, why in outcome.reasons] or [outcome.reason])
    more = [why for why in reasons if not stems_from(why, Why.TIME) and not stems_from(why, Why.SHARE)]
    yield from (shortened(one, 160) for one in more[:1])


def _command(row: Row) -> str:
    """With more time than the row had: an answer that took all of it comes again."""
    if row.result is None:
        return ""
    task = row.result.task
    return command_line(replace(task, limits=Limits(megabytes=task.limits.megabytes)))


def _commands(rows: Sequence[Row]) -> list[Line]:
    """How to ask again."""
    commands = [(number, _command(row)) for number, row in enumerate(rows, 1) if row.result is not None]
    heads = [Segment(f" {'Again' if not place else '':<5} ", "label") for place in range(len(commands))]
    lines = [line(head, f"{one:2}  {text}") for head, (one, text) in zip(heads, commands, strict=True)]
    return [line(""), *lines]


def _notes(findings: Findings, width: int) -> list[Line]:
    components = [row for row in findings.rows if row.scenario is not None]
    notes = []
    if components:
        notes.append(
            "The callers of components are made up: what they assume is said at the head of each C file "
            "(sley explain harness). Deadlocks are not asked about where functions wait for others, leaks "
            "where callers keep or make blocks."
        )
    if waiting := sum(row.problem == NO_TIME for row in findings.rows):
        notes.append(
            f"There was no time for {_counted(waiting, 'more row')} (--time-limit, --json FILE lists them)."
        )
    left_out = [name for functions in findings.left_out.values() for name, _ in functions]
    if left_out:
        notes.append(f"No component calls {_listed(left_out)} (--json FILE has the reasons).")
    notes += _not_read(findings)
    notes += [f"Internal error in {one.of}: {one.error}" for one in findings.crashes]
    return labelled("Note", notes, width)


def _not_read(findings: Findings) -> list[str]:
    """The files without a look, those with the same reason together."""
    by_reason: dict[str, list[Path]] = {}
    for one in findings.not_read:
        by_reason.setdefault(one.reason, []).append(one.path)
    found = sorted(by_reason.items(), key=lambda item: -len(item[1]))
    texts = [f"Not read, as {reason}: {_listed(list(map(str, paths)))}." for reason, paths in found]
    return [
        *texts[:MAX_LISTED],
        *([f"and {len(texts) - MAX_LISTED} more reasons"] if texts[MAX_LISTED:] else []),
    ]


def _listed(names: Sequence[str]) -> str:
    listed = list(dict.fromkeys(names))
    more = f" and {len(listed) - MAX_LISTED} more" if len(listed) > MAX_LISTED else ""
    return ", ".join(listed[:MAX_LISTED]) + more
