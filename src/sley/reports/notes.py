"""What is said below a statement: what it read, got, or waits for, where the statement does not show it."""

from collections.abc import Collection, Iterator

from sley.evidence.trace import Event, EventKind
from sley.reports.rows import LIBRARY_KINDS, Row


def notes_of(row: Row, columns: Collection[str], remark: str = "", unsaid: str = "") -> tuple[str, ...]:
    """The notes of a row; changes of variables in ``columns`` are shown there, ``unsaid`` is elsewhere."""
    notes = [*_assigned_or_read(row), *_of_events(row, columns), remark]
    return tuple(note for note in dict.fromkeys(notes) if note and note != unsaid)


def _assigned_or_read(row: Row) -> list[str]:
    """Local variables that got a value; else the values that were only read."""
    if row.statement.is_call or any(event.kind in LIBRARY_KINDS for event in row.events):
        return []
    assigned = [f"{e.target} = {e.value}" for e in row.events if e.kind is EventKind.ASSIGN and e.target]
    has_write = any(event.kind in (EventKind.WRITE, EventKind.UPDATE) for event in row.events)
    if assigned or has_write or row.is_failure:
        return assigned
    reads = [event for event in row.events if event.kind is EventKind.READ and event.value]
    if len(reads) == 1:
        return [f"reads {reads[0].value}"]
    return [f"{event.target} = {event.value}" for event in reads]


def _of_events(row: Row, columns: Collection[str]) -> Iterator[str]:
    for event in row.events:
        if event.kind in (EventKind.WRITE, EventKind.UPDATE):
            if event.is_shared and event.target not in columns and not row.statement.is_call:
                yield _change(event)
        elif event.kind is EventKind.INPUT:
            yield from _input(event)
        elif event.kind is EventKind.ALLOCATE and event.target:
            yield f"new block {event.target}"
        if event.note:
            yield event.note


def _change(event: Event) -> str:
    if event.old:
        return f"{event.target}: {event.old} -> {event.value}"
    return f"{event.target} = {event.value}"


def _input(event: Event) -> Iterator[str]:
    """The value of an input; that something ``fails for no reason`` is only worth a word if it does."""
    if event.target.endswith("for no reason"):
        if event.value == "true":
            yield "fails for no reason"
    elif event.target.endswith(")") or not event.target:
        yield f"input: {event.value}"
    else:
        yield f"input: {event.target} = {event.value}"
