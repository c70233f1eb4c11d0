"""The rows of a trace: one per statement that a thread ran without a break.

A trace has one event per action and knows the inside of library models. A reader wants statements: all
consecutive events of one thread that belong to the same statement become one row, a library call is one row
however much its model does, and what has no effect on other threads or on the violation is left out unless
asked for.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sley.base.source import Span
from sley.evidence.remarks import Value, Waits
from sley.evidence.trace import EventKind, Trace, TraceEvent
from sley.program.c_text import base_of, names_in
from sley.program.program import Origin
from sley.program.properties import OF_STATES

MEMORY_KINDS = (EventKind.READ, EventKind.WRITE, EventKind.UPDATE)
QUIET_KINDS = (EventKind.ASSIGN, EventKind.BRANCH, EventKind.EXIT, EventKind.END)
"""Nothing in them concerns another thread: shown only together with something else."""
WAITING_KINDS = (EventKind.JOIN, EventKind.LOCK, EventKind.WAIT)
LIBRARY_KINDS = (*WAITING_KINDS, EventKind.CREATE, EventKind.UNLOCK, EventKind.FREE)
"""What a library call does: the call says it all, whatever it reads for that."""
CLOSE = 2
"""So near to the failure, also what a thread does with its own variables is of interest."""


@dataclass(frozen=True, slots=True)
class UserStatement:
    """What the user sees of an origin: a statement of theirs, a library call as a whole."""

    span: Span | None
    text: str
    is_call: bool = field(default=False, compare=False)
    """A library call, of which the inside is hidden."""


def statement_of(origin: Origin) -> UserStatement | None:
    """The user's statement that an origin belongs to; None for what no user statement causes."""
    depth = origin.library_call
    if depth is not None:
        return UserStatement(origin.calls[depth].span, origin.calls[depth].text, is_call=True)
    return None if origin.is_library else UserStatement(origin.span, origin.text)


@dataclass(slots=True)
class StatementRow:
    """One statement of one thread, without interruption."""

    thread: int
    statement: UserStatement
    events: list[TraceEvent] = field(default_factory=list)
    indices: list[int] = field(default_factory=list)
    """Where the events are in the trace."""
    number: int = 0
    """Counts the rows shown, from 1."""
    is_failure: bool = False
    hidden_before: int = 0
    """So many rows right before this one are folded away."""
    hidden_threads: tuple[int, ...] = ()
    """Whose they are."""
    notes: tuple[str, ...] = ()
    """What is to be said below the statement."""

    @property
    def line(self) -> int:
        """The source line, 0 if there is none."""
        return self.statement.span.line if self.statement.span else 0

    @property
    def run(self) -> int:
        """Which run of its statement it is part of."""
        return self.events[-1].run

    @property
    def is_library_call(self) -> bool:
        """Whether the call says it all."""
        return self.statement.is_call or any(event.kind in LIBRARY_KINDS for event in self.events)

    @property
    def distance(self) -> int | None:
        """How far its nearest event is from the failure; None if the failure does not depend on it."""
        return min((e.distance for e in self.events if e.distance is not None), default=None)

    def belongs(self, event: TraceEvent, statement: UserStatement) -> bool:
        """Whether the event continues this row: same statement, and not its second run.

        If the runs were not counted, what repeats tells a second one; the model of a library call may touch
        memory as often as it likes.
        """
        if event.thread != self.thread or statement != self.statement:
            return False
        if event.run and self.events[-1].run:
            return event.run == self.events[-1].run
        if statement.is_call and event.kind in MEMORY_KINDS:
            return True
        key = (event.kind, "" if statement.is_call else event.target)
        return not any((e.kind, "" if statement.is_call else e.target) == key for e in self.events)


def rows_of(
    events: Iterable[TraceEvent],
    names: frozenset[str],
    *,
    show_all: bool = False,
    decisive: frozenset[int] = frozenset(),
) -> list[StatementRow]:
    """The rows of a run in order, numbered; ``names`` are variables of interest even if they are not shared.

    With ``show_all`` also the rows without visible effect; those of ``decisive`` events in any case.
    """
    rows: list[StatementRow] = []
    is_sliced = False
    for index, event in enumerate(events):
        is_sliced |= event.distance is not None
        statement = statement_of(event.origin)
        if statement is None or not statement.text:
            continue
        if not show_all and statement.text == event.origin.function:
            continue  # a function is entered
        if not rows or not rows[-1].belongs(event, statement):
            rows.append(StatementRow(event.thread, statement))
        rows[-1].events.append(event)
        rows[-1].indices.append(index)
        rows[-1].is_failure |= event.kind is EventKind.FAIL
    if show_all:
        return _numbered(rows)
    telling = [
        row
        for row in rows
        if any(_is_telling(e, names, is_sliced=is_sliced) for e in row.events) or decisive & set(row.indices)
    ]
    return _numbered(_joined(telling))


def mentioned(trace: Trace) -> frozenset[str]:
    """The variables that the violation is about: those its statements and its facts name."""
    failing = [event for event in trace.events if event.kind is EventKind.FAIL]
    texts = [event.target for event in failing] + [trace.failure.subject]
    if trace.failure.property not in OF_STATES:
        texts += [event.origin.text for event in failing]
    texts += [fact.name for fact in trace.facts if isinstance(fact, Value)]
    return frozenset(name for text in texts for name in names_in(text))


def _is_telling(event: TraceEvent, names: frozenset[str], *, is_sliced: bool) -> bool:
    """Whether another thread, or the reader, has to know about this event."""
    if event.kind in MEMORY_KINDS and event.is_shared:
        return True
    if event.kind in (*MEMORY_KINDS, EventKind.ASSIGN):
        if not is_sliced:
            return base_of(event.target) in names
        return event.distance is not None and event.distance <= CLOSE
    return event.kind not in QUIET_KINDS


def _joined(rows: Sequence[StatementRow]) -> list[StatementRow]:
    """Rows of the same statement that only hidden rows kept apart become one again."""
    result: list[StatementRow] = []
    for row in rows:
        last = result[-1] if result else None
        if last is not None and all(last.belongs(event, row.statement) for event in row.events):
            last.events.extend(row.events)
            last.indices.extend(row.indices)
            last.is_failure |= row.is_failure
        else:
            result.append(row)
    return result


def _numbered(rows: list[StatementRow]) -> list[StatementRow]:
    for number, row in enumerate(rows, start=1):
        row.number = number
    return rows


def preempted(rows: Sequence[StatementRow], *, ends_blocked: bool) -> dict[int, set[int]]:
    """For each thread the indices of rows during which it is interrupted although it could go on.

    A thread whose next statement waits for something may be blocked rather than interrupted: not counted.
    With ``ends_blocked`` (a deadlock) the failing statements are such waits; others if they say so. Next
    statements that are folded away are unknown.
    """
    result: dict[int, set[int]] = {}
    last: dict[int, int] = {}
    for index, row in enumerate(rows):
        previous = last.get(row.thread)
        may_wait = any(_waits(event, ends_blocked=ends_blocked) for event in row.events)
        between = rows[index if previous is None else previous + 1 : index + 1]
        is_folded = any(row.thread in other.hidden_threads for other in between)
        if previous is not None and not may_wait and not is_folded:
            result.setdefault(row.thread, set()).update(range(previous + 1, index))
        last[row.thread] = index
    return result


def _waits(event: TraceEvent, *, ends_blocked: bool) -> bool:
    """Whether a thread may have had to wait for an event, or waits for it for ever."""
    is_wait = ends_blocked or isinstance(event.note, Waits)
    return event.kind in WAITING_KINDS or (event.kind is EventKind.FAIL and is_wait)
