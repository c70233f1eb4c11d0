"""Arrows between the rows of a run: what a thread does follows from what another one did."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from sley.evidence.trace import Event, EventKind
from sley.reports.html.course import Course


class Bond(Enum):
    """Why a row follows from another one; the value explains it."""

    CREATE = "starts a thread"
    JOIN = "waits for its end"
    LOCK = "passes on a lock"
    READ = "is read by another thread"
    WAKE = "wakes up"
    AWAIT = "is waited for"


_BONDS = {
    EventKind.JOIN: Bond.JOIN,
    EventKind.LOCK: Bond.LOCK,
    EventKind.READ: Bond.READ,
    EventKind.UPDATE: Bond.READ,
    EventKind.WAIT: Bond.WAKE,
    EventKind.FAIL: Bond.AWAIT,
}
_GIVERS = {
    Bond.LOCK: (EventKind.UNLOCK,),
    Bond.READ: (EventKind.WRITE, EventKind.UPDATE),
    Bond.AWAIT: (EventKind.LOCK,),
}
"""What the step that is followed did, where it has to be of the same target."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """From a row to a later one of another thread, by their indices."""

    source: int
    target: int
    bond: Bond


def arrows_of(course: Course) -> list[Arrow]:
    """All arrows between rows that are shown, each once."""
    found = dict.fromkeys((*_creations(course), *_followed(course)))
    return [arrow for arrow in found if arrow.source < arrow.target]


def _creations(course: Course) -> Iterator[Arrow]:
    """Threads are numbered as they are created, from 1 on."""
    created = [i for i, event in enumerate(course.trace.events) if event.kind is EventKind.CREATE]
    for thread, index in enumerate(created, start=1):
        source = _row_with(course, index)
        first = next((i for i, row in enumerate(course.rows) if row.thread == thread), None)
        if source is not None and first is not None:
            yield Arrow(source, first, Bond.CREATE)


def _followed(course: Course) -> Iterator[Arrow]:
    for index, row in enumerate(course.rows):
        for event in row.events:
            bond = _BONDS.get(event.kind)
            if bond is not None and event.source is not None:
                source = _source(course, event, bond, index)
                if source is not None and course.rows[source].thread != row.thread:
                    yield Arrow(source, index, bond)


def _source(course: Course, event: Event, bond: Bond, before: int) -> int | None:
    """The row that an event follows from, if it is shown; a thread may end with a row that is not."""
    assert event.source is not None
    if bond is Bond.JOIN:
        (thread,) = event.others
        return max((i for i in range(before) if course.rows[i].thread == thread), default=None)
    kinds = _GIVERS.get(bond)
    for index, giver in enumerate(course.trace.events):
        is_giver = kinds is None or (giver.kind in kinds and giver.target == event.target)
        if giver.step == event.source and is_giver:
            return _row_with(course, index)
    return None


def _row_with(course: Course, index: int) -> int | None:
    """The row that shows an event of the trace."""
    return next((i for i, row in enumerate(course.rows) if index in row.indices), None)
