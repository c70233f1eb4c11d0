"""A trace retold in the user's terms: the rows that matter, and why the run goes wrong."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from sley.evidence.remarks import Waits
from sley.evidence.trace import EventKind, ThreadInfo, Trace, TraceEvent
from sley.reports.explanation import Explanation, explain
from sley.reports.notes import notes_of
from sley.reports.rows import MEMORY_KINDS, StatementRow, mentioned, rows_of
from sley.reports.values import MAX_COLUMNS, Column, ShownVariable, column, watched_variables
from sley.wording.events import EventWords

MAX_ROWS = 40
INFINITE = 1 << 30
FEW_ROWS = 10
"""So many rows are read with pleasure; if what the failure depends on is more, the nearest are shown."""


@dataclass(frozen=True, slots=True)
class Story:
    """What is shown of a run."""

    rows: tuple[StatementRow, ...]
    columns: tuple[Column, ...]
    """Variables worth a column of their own, the most telling first, with a cell for each row number."""
    hidden: int
    """So many rows after the last one are folded away."""
    explanation: Explanation


def tell(trace: Trace, *, show_all: bool = False) -> Story:
    """The story of a violation; with ``show_all`` every row of it."""
    names = mentioned(trace)
    rows = rows_of(trace.events, names, show_all=show_all)
    watched = watched_variables(rows, names)
    variables = [variable.name for variable in watched]
    explanation = explain(trace, rows, variables)
    if not explanation.decisive <= {index for row in rows for index in row.indices}:
        rows = rows_of(trace.events, names, show_all=show_all, decisive=explanation.decisive)
        explanation = explain(trace, rows, variables)
    watched.sort(key=lambda variable: not any(f"`{variable.name}`" in text for text in explanation.why))
    shown = rows if show_all else chosen(rows, explanation.decisive, watched)
    return _story(rows, shown, watched, explanation, trace.threads)


def tell_run(events: Sequence[TraceEvent], threads: Sequence[ThreadInfo]) -> Story:
    """The story of a run that violates nothing."""
    rows = rows_of(events, frozenset())
    watched = watched_variables(rows, frozenset())
    return _story(rows, chosen(rows, frozenset(), watched), watched, Explanation(), threads)


def _story(
    rows: Sequence[StatementRow],
    shown: Sequence[StatementRow],
    watched: Sequence[ShownVariable],
    explanation: Explanation,
    threads: Sequence[ThreadInfo],
) -> Story:
    watched, words = watched[:MAX_COLUMNS], EventWords(threads)
    for row in shown:
        row.notes = notes_of(row, watched, words, explanation.remarks.get(row.number, ""))
    columns = tuple(column(variable, rows) for variable in watched)
    hidden = rows[-1].number - shown[-1].number if shown else 0
    return Story(tuple(shown), columns, hidden, explanation)


def chosen(
    rows: Sequence[StatementRow], decisive: frozenset[int], watched: Sequence[ShownVariable]
) -> list[StatementRow]:
    """The rows that a reader needs; events with a number in ``decisive`` are always among them.

    Rows keep their numbers; ``hidden_before`` of the row after a gap says how many are missing.
    """
    if all(row.distance is None for row in rows):
        return folded(rows, watched)
    keep = [len(rows) <= FEW_ROWS or row.is_failure or not decisive.isdisjoint(row.indices) for row in rows]
    limit = _radius(rows, keep)
    keep = [
        is_kept or (row.distance is not None and row.distance <= limit)
        for row, is_kept in zip(rows, keep, strict=True)
    ]
    _keep_neighbours(keep, 1)
    waits = _runs_that_wait(rows)
    keep = [is_kept and not _only_begins(row, waits) for row, is_kept in zip(rows, keep, strict=True)]
    _drop_creators(rows, keep, decisive)
    if sum(keep) > MAX_ROWS:
        _keep_ends(keep, MAX_ROWS)
    return list(_with_gaps(rows, keep))


def _runs_that_wait(rows: Sequence[StatementRow]) -> set[int]:
    """Runs of statements in which the failure is that they wait."""
    failing = (event for row in rows if row.is_failure for event in row.events)
    return {event.run for event in failing if event.run and isinstance(event.note, Waits)}


def _only_begins(row: StatementRow, waits: set[int]) -> bool:
    """Whether it is the beginning of a call that does not end, and does nothing but read its arguments."""
    return row.run in waits and all(event.kind is EventKind.READ for event in row.events)


def _drop_creators(rows: Sequence[StatementRow], keep: list[bool], decisive: frozenset[int]) -> None:
    """A thread of which nothing is to be seen but that it creates others is not worth its column."""
    kept = [row for row, is_kept in zip(rows, keep, strict=True) if is_kept]
    acting = {
        row.thread
        for row in kept
        if not decisive.isdisjoint(row.indices) or not any(e.kind is EventKind.CREATE for e in row.events)
    }
    if acting:
        keep[:] = [is_kept and row.thread in acting for row, is_kept in zip(rows, keep, strict=True)]


def _radius(rows: Sequence[StatementRow], keep: Sequence[bool]) -> int:
    """How far from the failure rows may be so that a reader has time for all, those to keep included."""
    others = [row for row, is_kept in zip(rows, keep, strict=True) if not is_kept]
    distances = sorted(row.distance for row in others if row.distance is not None)
    few = max(FEW_ROWS - sum(keep), 0)
    return max(distances[few] - 1, 1) if len(distances) > few else INFINITE


def folded(rows: Sequence[StatementRow], watched: Sequence[ShownVariable]) -> list[StatementRow]:
    """The same where it is unknown what depends on what: long stretches without a watched variable go."""
    if len(rows) <= MAX_ROWS:
        return list(rows)
    keep = [_is_essential(row, {variable.name for variable in watched}) for row in rows]
    _keep_neighbours(keep, 2)
    if sum(keep) > MAX_ROWS:
        _keep_ends(keep, MAX_ROWS)
    return list(_with_gaps(rows, keep))


def _is_essential(row: StatementRow, watched: Collection[str]) -> bool:
    """Whether the row fails, or changes a watched variable, or takes an input."""
    return row.is_failure or any(
        event.kind is EventKind.INPUT or (event.kind in MEMORY_KINDS and event.target in watched)
        for event in row.events
    )


def _keep_neighbours(keep: list[bool], least: int) -> None:
    """A gap of so few rows is not worth its ellipsis."""
    start = 0
    while start < len(keep):
        end = start
        while end < len(keep) and not keep[end]:
            end += 1
        if 0 < end - start <= least:
            keep[start:end] = [True] * (end - start)
        start = max(end, start + 1)


def _keep_ends(keep: list[bool], limit: int) -> None:
    """Of too many rows worth keeping, those near the end explain most; a few at the start set the scene."""
    chosen = [index for index, kept in enumerate(keep) if kept]
    head = limit // 5
    for index in chosen[head : len(chosen) - (limit - head)]:
        keep[index] = False


def _with_gaps(rows: Sequence[StatementRow], keep: Sequence[bool]) -> Iterator[StatementRow]:
    missing: list[int] = []
    for row, kept in zip(rows, keep, strict=True):
        if kept:
            row.hidden_before, row.hidden_threads = len(missing), tuple(sorted(set(missing)))
            missing.clear()
            yield row
        else:
            missing.append(row.thread)
