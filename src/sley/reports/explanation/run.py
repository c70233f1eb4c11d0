"""A run to be explained: what happened before, in words that the rows of the report bear out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from sley.base.source import Span
from sley.evidence.remarks import Mark
from sley.evidence.trace import EventKind, Trace, TraceEvent
from sley.program.c_text import names_in, object_of
from sley.reports.explanation.explanation import Explanation
from sley.reports.rows import MEMORY_KINDS, StatementRow, statement_of
from sley.wording.events import EventWords

WRITES = (EventKind.WRITE, EventKind.UPDATE)
READS = (EventKind.READ, EventKind.UPDATE)


@dataclass(frozen=True, slots=True)
class Held:
    """A lock that a thread holds: the event with which it took it."""

    name: str
    index: int
    is_for_reading: bool


class TraceRun:
    """The events of a trace; whoever names an event's step makes it decisive."""

    def __init__(self, trace: Trace, rows: Sequence[StatementRow], watched: Sequence[str] = ()) -> None:
        self.trace = trace
        self.events = trace.events
        self.rows = rows
        self.watched = watched
        self.cited: set[int] = set()
        self._has_several_files = len({row.statement.span.file for row in rows if row.statement.span}) > 1
        self._rows = {index: row for row in rows for index in row.indices}
        self._names = {thread.id: thread.name for thread in trace.threads}

    # --- words --------------------------------------------------------------------------------------------

    def name(self, thread: int) -> str:
        """What a thread is called."""
        return self._names[thread]

    def step(self, index: int) -> str:
        """Where an event is: the number of its row, or the line if it has none."""
        self.cited.add(index)
        row = self._rows.get(index)
        return self.line(index) if row is None else f"step {row.number}"

    def note(self, event: TraceEvent) -> str:
        """What is remarked of an event."""
        return EventWords(self.trace.threads).note(event)

    def line(self, index: int) -> str:
        """The line of an event."""
        statement = statement_of(self.events[index].origin)
        if statement is None or statement.span is None:
            return "an unknown line"
        return f"line {statement.span.line}{self.of_file(statement.span)}"

    def of_file(self, span: Span) -> str:
        """The file that a line is of, if there are several."""
        return f" of {PurePath(span.file).name}" if self._has_several_files else ""

    def place(self, index: int) -> str:
        """Step and line of an event."""
        step = self.step(index)
        return step if index not in self._rows else f"{step} ({self.line(index)})"

    def row(self, index: int) -> StatementRow | None:
        """The row that shows an event."""
        return self._rows.get(index)

    def said(self, why: Sequence[str], fix: Sequence[str] = ()) -> Explanation:
        """An explanation that rests on what was named so far."""
        return Explanation(tuple(why), tuple(fix), decisive=frozenset(self.cited))

    # --- events -------------------------------------------------------------------------------------------

    @property
    def failing(self) -> list[int]:
        """The events that are the violation."""
        return [i for i, event in enumerate(self.events) if event.kind is EventKind.FAIL]

    def before(self, end: int, accepts: Callable[[TraceEvent], bool]) -> Iterator[int]:
        """The events before ``end`` that a condition holds of, latest first."""
        return (i for i in range(end - 1, -1, -1) if accepts(self.events[i]))

    def last(self, end: int, accepts: Callable[[TraceEvent], bool]) -> int | None:
        """The latest of them."""
        return next(self.before(end, accepts), None)

    def of_kind(self, end: int, kind: EventKind, target: str) -> int | None:
        """The latest event of a kind about an object."""
        return self.last(end, lambda e: e.kind is kind and e.target == target)

    def own(self, end: int, event: TraceEvent) -> int | None:
        """The latest access of the thread of an access to the same location."""
        return self.last(end, lambda e: is_memory(e) and (e.target, e.thread) == (event.target, event.thread))

    def writer(self, index: int) -> int | None:
        """The write that an access read from: None if there is none before, or it is not known which."""
        read = self.events[index]
        if read.source is None:
            return None
        return self.last(
            len(self.events), lambda e: e.step == read.source and e.kind in WRITES and e.target == read.target
        )

    def is_initial(self, index: int) -> bool:
        """Whether what was read is there from the beginning: it was never written."""
        read = self.events[index]
        is_plain = not (read.note is not None or self.trace.depends_on or self.trace.memory_model.is_hardware)
        is_unwritten = read.source is None and self.last(index, lambda e: _may_write(e, read.target)) is None
        return is_plain and is_unwritten

    def is_in_block(self, place: str) -> bool:
        """Whether a place is in a heap block, as events name it."""
        return self.of_kind(len(self.events), EventKind.ALLOCATE, object_of(place)) is not None

    def has_ended(self, thread: int) -> int | None:
        """The event with which a thread ended."""
        return self.last(len(self.events), lambda e: e.thread == thread and e.kind is EventKind.EXIT)

    def held(self, thread: int, end: int) -> dict[str, Held]:
        """The locks that a thread holds before an event; another one may release or initialise them."""
        held: dict[str, Held] = {}
        for index, event in enumerate(self.events[:end]):
            is_for_reading, is_own = event.note is Mark.FOR_READING, event.thread == thread
            if event.kind is EventKind.LOCK and is_own:
                held[event.target] = Held(event.target, index, is_for_reading)
            elif (
                event.kind is EventKind.INITIALISE
                or (event.kind is EventKind.UNLOCK and is_own)
                or (event.kind is EventKind.UNLOCK and not is_for_reading)
            ):
                held.pop(event.target, None)
        return held

    def refused(self, thread: int, end: int) -> int | None:
        """The last attempt at a lock that failed, if the thread has not got the lock since."""
        index = self.last(end, lambda e: e.thread == thread and e.kind is EventKind.REFUSE)
        return None if index is None or self.events[index].target in self.held(thread, end) else index

    # --- what a failing statement goes by -----------------------------------------------------------------

    def feeding(self, fail: int) -> list[int]:
        """The reads of the failing statement, and of the statements that made its local variables."""
        event = self.events[fail]
        found = dict.fromkeys(self._reads_of(event, fail))
        for name in set(names_in(event.origin.text)):
            made = self.made(name, event, fail)
            found |= {} if made is None else dict.fromkeys(self._reads_of(self.events[made], made + 1))
        return sorted(found)

    def made(self, name: str, user: TraceEvent, end: int) -> int | None:
        """Where the thread gave a local variable of the same function its value."""
        return self.last(
            end,
            lambda e: (
                (e.thread, e.kind, e.target, e.origin.function)
                == (user.thread, EventKind.ASSIGN, name, user.origin.function)
            ),
        )

    def _reads_of(self, event: TraceEvent, end: int) -> Iterator[int]:
        """The reads of the statement that an event belongs to, in its last run before ``end``."""
        if event.run:
            same = (i for i, other in enumerate(self.events[:end]) if other.run == event.run)
            yield from (i for i in same if self.events[i].kind in READS and self.events[i].target)
            return
        for index in range(end - 1, -1, -1):  # a trace that was written by an earlier version
            other = self.events[index]
            if other.thread != event.thread:
                continue
            if not _is_same_statement(other, event):
                return
            if other.kind in READS and other.target:
                yield index


def _is_same_statement(one: TraceEvent, other: TraceEvent) -> bool:
    places = [(e.origin.span.file, e.origin.span.line) for e in (one, other) if e.origin.span is not None]
    return len(places) == 2 and places[0] == places[1]


def _may_write(event: TraceEvent, name: str) -> bool:
    """Whether an event writes a location, or a part of it, or something that it is part of."""
    is_part = event.target.startswith(name) or name.startswith(event.target)
    return event.kind in (*WRITES, EventKind.DELAY) and is_part


def value_read(event: TraceEvent) -> str:
    """The value that an access found."""
    return event.old if event.kind is EventKind.UPDATE else event.value


def is_memory(event: TraceEvent) -> bool:
    """Whether an event accesses memory."""
    return event.kind in MEMORY_KINDS
