"""The course of a run: what is known after each of its rows, of threads, variables and locks.

All of it is read off the events of the trace, also those that no row shows.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from sley.base.source import Span
from sley.evidence.remarks import Waits
from sley.evidence.trace import EventKind, Trace, TraceEvent
from sley.program.properties import Property
from sley.reports.rows import MEMORY_KINDS, StatementRow, preempted, statement_of
from sley.reports.values import ShownVariable
from sley.wording.events import EventWords

MOST_VARIABLES = 16
"""More would be hard to follow."""


class ThreadActivity(Enum):
    """What a thread does; the value is a word for it."""

    ABSENT = "not started"
    RUNS = "runs"
    PAUSED = "paused"
    """Does nothing now; maybe it could."""
    PREEMPTED = "preempted"
    WAITS = "waits"
    ENDED = "ended"
    FAILS = "fails"


@dataclass(frozen=True, slots=True)
class ThreadAfterRow:
    """A thread after a row."""

    doing: ThreadActivity
    text: str
    """The word for it, or what it waits for."""
    span: Span | None
    """The statement that it executed last, or fails to."""
    local: Mapping[str, str]
    """The variables of its function that got a value."""


@dataclass(frozen=True, slots=True)
class LockState:
    """The thread that has a lock, and the threads that come to it next."""

    holder: int | None
    wanted_by: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """What is known after a row."""

    threads: tuple[ThreadAfterRow, ...]
    values: Mapping[ShownVariable, str]
    locks: Mapping[str, LockState]
    pending: tuple[str, ...]
    """Stores that have not reached memory."""


@dataclass(frozen=True, slots=True)
class RowWrite:
    """A variable gets a value in a row, or in one before it that is not shown."""

    row: int
    is_shown: bool
    thread: int
    old: str
    value: str


@dataclass(slots=True)
class _Now:
    """What is known so far."""

    values: dict[ShownVariable, str]
    holders: dict[str, int | None]
    spans: dict[int, Span | None] = field(default_factory=dict)
    local: dict[int, dict[str, str]] = field(default_factory=dict)
    functions: dict[int, str] = field(default_factory=dict)
    created: int = 1
    ended: set[int] = field(default_factory=set)
    failed: dict[int, TraceEvent] = field(default_factory=dict)
    pending: list[tuple[int, str, str]] = field(default_factory=list)
    asleep: set[int] = field(default_factory=set)
    """The threads that wait for a condition."""


class Course:
    """A trace row by row; ``rows`` are the ones to be shown."""

    def __init__(self, trace: Trace, rows: Sequence[StatementRow]) -> None:
        self.trace = trace
        self.rows = rows
        self.words = EventWords(trace.threads)
        self.ends_blocked = trace.failure.property is Property.DEADLOCK
        self.variables = _shared_variables(trace.events)
        self.locks = tuple(dict.fromkeys(e.target for e in trace.events if _is_of_lock(e)))
        self.acting = [t for t in trace.threads if any(row.thread == t.id for row in rows)]
        """The threads that have a row."""
        self.row_of = {index: number for number, row in enumerate(rows) for index in row.indices}
        """For events that are shown, the row that they are in."""
        self._interrupted = preempted(rows, ends_blocked=self.ends_blocked)
        self.history: dict[ShownVariable, list[RowWrite]] = {variable: [] for variable in self.variables}
        self.moments = tuple(self._moments())

    def _moments(self) -> Iterator[Moment]:
        events = self.trace.events
        now = _Now({v: _first_value(v, events) for v in self.variables}, dict.fromkeys(self.locks))
        coming: dict[int, deque[int]] = {}
        for index, event in enumerate(events):
            coming.setdefault(event.thread, deque()).append(index)
        done = 0
        for number, row in enumerate(self.rows):
            until = max(row.indices, default=done)
            for index in range(done, until + 1):
                self._apply(now, index, number)
                coming[events[index].thread].popleft()
            done = max(done, until + 1)
            following = {thread: events[queue[0]] for thread, queue in coming.items() if queue}
            yield self._moment(now, number, row, following)

    def _apply(self, now: _Now, index: int, row: int) -> None:
        event = self.trace.events[index]
        statement = statement_of(event.origin)
        if statement is not None and statement.span is not None:
            now.spans[event.thread] = statement.span
        match event.kind:
            case EventKind.ASSIGN if event.target:
                _assign(now, event)
            case EventKind.WRITE | EventKind.UPDATE:
                self._write(now, event, row, is_shown=index in self.rows[row].indices)
                _arrive(now, event)
            case EventKind.DELAY:
                now.pending.append((event.thread, event.target, event.value))
            case EventKind.LOCK:
                now.holders[event.target] = event.thread
            case EventKind.UNLOCK:
                now.holders[event.target] = None
            case _:
                _change_threads(now, event)

    def _write(self, now: _Now, event: TraceEvent, row: int, *, is_shown: bool) -> None:
        variable = ShownVariable(event.target, event.address)
        is_change = event.kind is EventKind.WRITE or event.old != event.value  # an exchange may fail
        if variable in now.values and is_change:
            self.history[variable].append(RowWrite(row, is_shown, event.thread, event.old, event.value))
            now.values[variable] = event.value

    def written(self, variable: ShownVariable, row: int) -> list[RowWrite]:
        """What a row itself writes to a variable."""
        return [one for one in self.history[variable] if one.row == row and one.is_shown]

    def _moment(
        self, now: _Now, number: int, row: StatementRow, following: Mapping[int, TraceEvent]
    ) -> Moment:
        standings = tuple(
            self._standing(now, thread.id, number, row, following) for thread in self.trace.threads
        )
        at = {**following, **now.failed}
        wanted = {name: tuple(t for t in sorted(at) if _wants(at[t], name, now)) for name in self.locks}
        locks = {name: LockState(holder, wanted[name]) for name, holder in now.holders.items()}
        names = {thread.id: thread.name for thread in self.trace.threads}
        pending = tuple(f"{names[thread]}: {target} = {value}" for thread, target, value in now.pending)
        return Moment(standings, dict(now.values), locks, pending)

    def _standing(
        self, now: _Now, thread: int, number: int, row: StatementRow, following: Mapping[int, TraceEvent]
    ) -> ThreadAfterRow:
        doing, text = self._doing(now, thread, number, row, following.get(thread))
        local = {} if doing is ThreadActivity.ENDED else dict(now.local.get(thread, {}))
        return ThreadAfterRow(doing, text or doing.value, now.spans.get(thread), local)

    def _doing(
        self, now: _Now, thread: int, number: int, row: StatementRow, following: TraceEvent | None
    ) -> tuple[ThreadActivity, str]:
        if thread in now.failed:
            failed = now.failed[thread]
            is_blocked = self.ends_blocked or isinstance(failed.note, Waits)
            text = self.words.note(failed) or self.trace.failure.message
            return (ThreadActivity.WAITS if is_blocked else ThreadActivity.FAILS), text
        if thread >= now.created:
            return ThreadActivity.ABSENT, ""
        if thread in now.ended:
            return ThreadActivity.ENDED, ""
        if thread == row.thread:
            return ThreadActivity.RUNS, ""
        waits = self._waits(now, following)
        if waits:
            return ThreadActivity.WAITS, waits
        if number in self._interrupted.get(thread, ()):
            return ThreadActivity.PREEMPTED, ""
        return ThreadActivity.PAUSED, "" if following is not None else "takes no further step"

    def _waits(self, now: _Now, following: TraceEvent | None) -> str:
        """What a thread waits for, by what it does next."""
        if following is None:
            return ""
        names = {thread.id: thread.name for thread in self.trace.threads}
        holder = now.holders.get(following.target)
        if following.kind is EventKind.LOCK and holder not in (None, following.thread):
            assert holder is not None
            return f"waits for {following.target}, held by {names[holder]}"
        if following.kind is EventKind.JOIN and following.others:
            (joined,) = following.others
            return "" if joined in now.ended else f"waits for {names[joined]} to end"
        return "waits to be woken" if following.thread in now.asleep else ""


def _assign(now: _Now, event: TraceEvent) -> None:
    """A local variable gets a value; those of other functions are out of sight."""
    if event.origin.function != now.functions.get(event.thread):
        now.functions[event.thread] = event.origin.function
        now.local[event.thread] = {}
    now.local[event.thread][event.target] = event.value


def _change_threads(now: _Now, event: TraceEvent) -> None:
    match event.kind:
        case EventKind.CREATE:
            now.created += 1
        case EventKind.EXIT:
            now.ended.add(event.thread)
        case EventKind.SLEEP:
            now.asleep.add(event.thread)
        case EventKind.SIGNAL:
            now.asleep.difference_update(event.others)
        case EventKind.WAIT:
            now.asleep.discard(event.thread)
        case EventKind.FAIL:
            now.failed[event.thread] = event
        case _:
            pass


def _is_of_lock(event: TraceEvent) -> bool:
    return event.kind in (EventKind.LOCK, EventKind.UNLOCK) and bool(event.target)


def _wants(following: TraceEvent, name: str, now: _Now) -> bool:
    """Whether what a thread does next is to take a lock that another thread has, or waits for in the end."""
    is_taken = now.holders[name] not in (None, following.thread)
    return is_taken and following.kind in (EventKind.LOCK, EventKind.FAIL) and following.target == name


def _arrive(now: _Now, event: TraceEvent) -> None:
    """A store reaches memory: the oldest one of its thread to this place that is pending."""
    place = event.thread, event.target
    for pending in now.pending:
        if pending[:2] == place:
            now.pending.remove(pending)
            return


def _shared_variables(events: Sequence[TraceEvent]) -> tuple[ShownVariable, ...]:
    """The variables that several threads use and one writes, in the order of their first use."""
    shared = [e for e in events if e.kind in MEMORY_KINDS and e.is_shared and e.target]
    written = {(event.target, event.address) for event in shared if event.kind is not EventKind.READ}
    names = dict.fromkeys(ShownVariable(event.target, event.address) for event in shared)
    return tuple(variable for variable in names if variable in written)[:MOST_VARIABLES]


def _first_value(variable: ShownVariable, events: Sequence[TraceEvent]) -> str:
    first = next(event for event in events if variable.is_in(event))
    return first.value if first.kind is EventKind.READ else first.old
