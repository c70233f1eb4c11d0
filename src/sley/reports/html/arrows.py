"""Arrows between the rows of a run: what a thread does follows from what another one did."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from sley.evidence.trace import EventKind, TraceEvent
from sley.reports.html.course import Course


class Bond(Enum):
    """Why a row follows from another one; the value explains it."""

    CREATE = "starts a thread"
    JOIN = "waits for its end"
    LOCK = "passes on a lock"
    READ = "is read by another thread"
    WAKE = "wakes up"
    AWAIT = "is waited for"


SAID = {
    Bond.CREATE: "started in step {}",
    Bond.JOIN: "after step {}, the last of that thread here",
    Bond.LOCK: "takes over the lock from step {}",
    Bond.READ: "reads what step {} wrote",
    Bond.WAKE: "woken up in step {}",
    Bond.AWAIT: "waits for what step {} took",
}
"""What a row is told to have to do with an earlier one, whose number is left open."""


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
class RowArrow:
    """From a row to a later one of another thread, by their indices."""

    source: int
    target: int
    bond: Bond


def arrows_of(course: Course) -> list[RowArrow]:
    """All arrows between rows that are shown, each once."""
    by_step: dict[int, list[int]] = {}
    for index, event in enumerate(course.trace.events):
        by_step.setdefault(event.step, []).append(index)
    found = dict.fromkeys((*_creations(course), *_followed(course, by_step)))
    return [arrow for arrow in found if arrow.source < arrow.target]


def _creations(course: Course) -> Iterator[RowArrow]:
    """Threads are numbered as they are created, from 1 on."""
    created = [i for i, event in enumerate(course.trace.events) if event.kind is EventKind.CREATE]
    for thread, index in enumerate(created, start=1):
        source = course.row_of.get(index)
        first = next((i for i, row in enumerate(course.rows) if row.thread == thread), None)
        if source is not None and first is not None:
            yield RowArrow(source, first, Bond.CREATE)


def _followed(course: Course, by_step: Mapping[int, Sequence[int]]) -> Iterator[RowArrow]:
    for number, row in enumerate(course.rows):
        for event in row.events:
            bond = _BONDS.get(event.kind)
            if bond is None or event.source is None:
                continue
            if bond is Bond.JOIN:
                source = _last_of(course, event.others, number)
            else:
                source = _giver(course, event, bond, by_step.get(event.source, ()))
            if source is not None and course.rows[source].thread != row.thread:
                yield RowArrow(source, number, bond)


def _last_of(course: Course, threads: Sequence[int], before: int) -> int | None:
    """The last row of threads that have ended: that they end need not be shown."""
    return max((i for i in range(before) if course.rows[i].thread in threads), default=None)


def _giver(course: Course, event: TraceEvent, bond: Bond, candidates: Sequence[int]) -> int | None:
    """The row that an event follows from, if it is shown."""
    kinds = _GIVERS.get(bond)
    for index in candidates:
        giver = course.trace.events[index]
        if kinds is None or (giver.kind in kinds and giver.target == event.target):
            return course.row_of.get(index)
    return None
