"""What is said below a statement: what it read, got, or waits for, where the statement does not show it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from sley.evidence.trace import EventKind, TraceEvent
from sley.program.c_text import object_of
from sley.reports.rows import CLOSE, StatementRow
from sley.reports.values import ARBITRARY, ShownVariable
from sley.wording.events import EventWords

MANY = 4
"""So many elements that get one value are one note."""


def notes_of(
    row: StatementRow, columns: Sequence[ShownVariable], words: EventWords, remark: str = ""
) -> tuple[str, ...]:
    """The notes of a row; changes of variables in ``columns`` are shown there."""
    notes = [*_assigned_or_read(row, columns), *_of_events(row, columns, words), remark]
    return tuple(filter(None, dict.fromkeys(notes)))


def _assigned_or_read(row: StatementRow, columns: Sequence[ShownVariable]) -> list[str]:
    """Local variables that got a value; else values that were only read, but those of the first column."""
    if row.is_library_call:
        return []
    inputs = {event.value for event in row.events if event.kind is EventKind.INPUT}
    assigned = [
        _equation(event)
        for event in row.events
        if event.kind is EventKind.ASSIGN and _is_worth_saying(event) and event.value not in inputs
    ]
    has_write = any(event.kind in (EventKind.WRITE, EventKind.UPDATE) for event in row.events)
    if assigned or has_write or row.is_failure:
        return assigned
    reads = [event for event in row.events if event.kind is EventKind.READ and _is_worth_saying(event)]
    reads = [event for event in reads if not columns or not columns[0].is_in(event)]
    if len(reads) == 1:
        return [f"reads {reads[0].value}"]
    return [_equation(event) for event in reads]


def _is_worth_saying(event: TraceEvent) -> bool:
    """Values tell something, addresses and the text of a literal do not."""
    return bool(event.value and event.target) and not event.value.startswith("&") and event.target[0] != '"'


def _equation(event: TraceEvent) -> str:
    return f"{event.target} = {event.value}"


def filled(names: Sequence[str]) -> Sequence[str]:
    """What gets one value: many neighbours, as in a fill, are named by the first and the last."""
    return [f"{names[0]} … {names[-1]}"] if len(names) >= MANY else names


def _of_events(row: StatementRow, columns: Sequence[ShownVariable], words: EventWords) -> Iterator[str]:
    for value, same in groupby(row.events, key=lambda event: _filling(event, row, columns)):
        events = list(same)
        if value is None:
            yield from _of_each(events, row, columns, words)
        else:
            yield from (f"{name} = {events[0].value}" for name in filled([one.target for one in events]))


def _filling(
    event: TraceEvent, row: StatementRow, columns: Sequence[ShownVariable]
) -> tuple[str, str] | None:
    """What writes have in common that fill one object with one value, where that is all there is to say."""
    is_plain = event.kind is EventKind.WRITE and event.note is None and not row.is_library_call
    if not is_plain or any(column.is_in(event) for column in columns):
        return None
    return (event.value, object_of(event.target)) if [*_change(event)] == [_equation(event)] else None


def _of_each(
    events: Iterable[TraceEvent], row: StatementRow, columns: Sequence[ShownVariable], words: EventWords
) -> Iterator[str]:
    for event in events:
        if event.kind in (EventKind.WRITE, EventKind.UPDATE):
            if not row.is_library_call and not any(column.is_in(event) for column in columns):
                yield from _change(event)
        elif event.kind is EventKind.INPUT:
            yield from _input(event)
        elif event.kind is EventKind.ALLOCATE and event.target:
            yield f"new block {event.target}"
        yield words.note(event)


def _change(event: TraceEvent) -> Iterator[str]:
    """What is written; where no other thread sees it, only if the failure is near."""
    if not event.is_shared:
        is_near = event.distance is not None and event.distance <= CLOSE
        yield from [_equation(event)] if is_near and _is_worth_saying(event) else []
    elif event.old and event.old != ARBITRARY:
        yield f"{event.target}: {event.old} -> {event.value}"
    elif _is_worth_saying(event):
        yield _equation(event)


def _input(event: TraceEvent) -> Iterator[str]:
    """The value of an input, if no note says what it means."""
    if not event.value or event.note is not None:
        return
    if event.target.endswith(")") or not event.target:
        yield f"input: {event.value}"
    else:
        yield f"input: {event.target} = {event.value}"
