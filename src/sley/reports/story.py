"""A trace retold in the user's terms: the rows that matter, and why the run goes wrong."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sley.evidence.trace import Event, EventKind, Trace
from sley.reports.explanation import Explanation, explain
from sley.reports.notes import notes_of
from sley.reports.rows import MEMORY_KINDS, Row, mentioned, rows_of
from sley.reports.values import MAX_COLUMNS, Column, column, watched_variables

MAX_ROWS = 40


@dataclass(frozen=True, slots=True)
class Story:
    """What is shown of a run."""

    rows: tuple[Row, ...]
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
    explanation = explain(trace, rows, watched)
    if not explanation.decisive <= {index for row in rows for index in row.indices}:
        rows = rows_of(trace.events, names, show_all=show_all, decisive=explanation.decisive)
        explanation = explain(trace, rows, watched)
    shown = rows if show_all else folded(rows, watched[:MAX_COLUMNS], MAX_ROWS)
    return _story(rows, shown, watched[:MAX_COLUMNS], explanation, unsaid=trace.failure.message)


def tell_run(events: Sequence[Event]) -> Story:
    """The story of a run that violates nothing."""
    rows = rows_of(events, frozenset())
    watched = watched_variables(rows, frozenset())[:MAX_COLUMNS]
    return _story(rows, folded(rows, watched, MAX_ROWS), watched, Explanation())


def _story(
    rows: Sequence[Row],
    shown: Sequence[Row],
    watched: Sequence[str],
    explanation: Explanation,
    unsaid: str = "",
) -> Story:
    for row in shown:
        row.notes = notes_of(row, watched, explanation.remarks.get(row.number, ""), unsaid)
    columns = tuple(column(name, rows) for name in watched)
    hidden = rows[-1].number - shown[-1].number if shown else 0
    return Story(tuple(shown), columns, hidden, explanation)


def folded(rows: Sequence[Row], watched: Iterable[str], limit: int) -> list[Row]:
    """At most about ``limit`` rows: long stretches that do not touch a watched variable are folded away.

    Rows keep their numbers; ``hidden_before`` of the row after a gap says how many are missing.
    """
    if len(rows) <= limit:
        return list(rows)
    names = frozenset(watched)
    keep = [_is_essential(row, names) for row in rows]
    _keep_neighbours(keep)
    if sum(keep) > limit:
        _keep_ends(keep, limit)
    return list(_with_gaps(rows, keep))


def _is_essential(row: Row, watched: frozenset[str]) -> bool:
    """Whether the row fails, or changes a watched variable, or takes an input."""
    return row.is_failure or any(
        event.kind is EventKind.INPUT or (event.kind in MEMORY_KINDS and event.target in watched)
        for event in row.events
    )


def _keep_neighbours(keep: list[bool]) -> None:
    """A gap of one or two rows is not worth its ellipsis."""
    start = 0
    while start < len(keep):
        end = start
        while end < len(keep) and not keep[end]:
            end += 1
        if 0 < end - start <= 2:
            keep[start:end] = [True] * (end - start)
        start = max(end, start + 1)


def _keep_ends(keep: list[bool], limit: int) -> None:
    """Of too many rows worth keeping, those near the end explain most; a few at the start set the scene."""
    chosen = [index for index, kept in enumerate(keep) if kept]
    head = limit // 5
    for index in chosen[head : len(chosen) - (limit - head)]:
        keep[index] = False


def _with_gaps(rows: Sequence[Row], keep: Sequence[bool]) -> Iterator[Row]:
    missing = 0
    for row, kept in zip(rows, keep, strict=True):
        if kept:
            row.hidden_before = missing
            missing = 0
            yield row
        else:
            missing += 1
