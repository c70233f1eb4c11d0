"""The run of a violation as witnesses tell it: which thread passes which statement, in order.

A passage is a row of the story, with what other tools can check: threads that begin, inputs, and values of
variables that the statement names. Only what C can name is told: integers in variables whose name stands in
the statement, so that it is in scope there.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sley.base.source import Span
from sley.evidence.trace import EventKind, Trace, TraceEvent
from sley.reports.rows import LIBRARY_KINDS, StatementRow, mentioned, rows_of

NUMBER = re.compile(r"-?[0-9]+")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")

_CHANGES = (EventKind.WRITE, EventKind.UPDATE, EventKind.ASSIGN)

Values = tuple[tuple[str, str], ...]
"""Variables and their values."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A thread passes a statement."""

    thread: int
    span: Span
    text: str
    function: str
    """The function that the statement stands in."""
    is_continued: bool
    """The thread was interrupted inside the statement, and goes on."""
    creates: tuple[int, ...]
    """The threads that begin with it."""
    inputs: Values
    """Functions that gave an input, and which."""
    before: Values
    """What holds before the statement."""
    is_failure: bool


def passages_of(trace: Trace) -> tuple[Passage, ...]:
    """The passages of the run, in order; the failing ones last."""
    return tuple(_Telling(trace).passages())


class _Telling:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.created = 0
        self.last: dict[int, StatementRow] = {}
        """The last row of each thread."""

    def passages(self) -> Iterator[Passage]:
        for row in rows_of(self.trace.events, mentioned(self.trace)):
            if row.statement.span is not None:
                yield self._passage(row, row.statement.span)

    def _passage(self, row: StatementRow, span: Span) -> Passage:
        function = self._function(row.events[0])
        names = _named(row)
        is_continued = self._is_continued(row)
        before = {} if is_continued else dict(_reads(row, names))
        return Passage(
            thread=row.thread,
            span=span,
            text=row.statement.text,
            function=function,
            is_continued=is_continued,
            creates=self._creates(row),
            inputs=tuple(_inputs(row.events)),
            before=_numbers(before),
            is_failure=row.is_failure,
        )

    def _function(self, event: TraceEvent) -> str:
        calls = event.origin.calls
        return calls[-1].function if calls else self.trace.threads[event.thread].function

    def _creates(self, row: StatementRow) -> tuple[int, ...]:
        """Threads are numbered in the order in which they are created."""
        count = sum(event.kind is EventKind.CREATE for event in row.events)
        self.created += count
        return tuple(range(self.created - count + 1, self.created + 1))

    def _is_continued(self, row: StatementRow) -> bool:
        """Whether the thread's last row is the beginning of the same run of the statement."""
        last = self.last.get(row.thread)
        self.last[row.thread] = row
        if last is None or last.statement != row.statement:
            return False
        runs = last.events[-1].run, row.events[0].run
        return runs[0] == runs[1]


def _reads(row: StatementRow, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    """What a row reads before it writes anything: that held before the statement."""
    for event in row.events:
        if event.kind is EventKind.READ and event.target in names:
            yield event.target, event.value
        elif event.kind in _CHANGES:
            return


def _named(row: StatementRow) -> frozenset[str]:
    """The variables that a statement names; threads and locks are no numbers elsewhere."""
    is_opaque = any(event.kind in LIBRARY_KINDS for event in row.events)
    return frozenset() if is_opaque else frozenset(IDENTIFIER.findall(row.statement.text))


def _inputs(events: Iterable[TraceEvent]) -> Iterator[tuple[str, str]]:
    """Inputs that a function returns; others come in another way, such as by ``scanf``."""
    for event in events:
        name = event.target.removesuffix("()")
        is_returned = name != event.target and name.startswith("__VERIFIER_nondet_")
        if event.kind is EventKind.INPUT and is_returned and NUMBER.fullmatch(event.value):
            yield name, event.value


def _numbers(values: dict[str, str]) -> Values:
    return tuple((name, value) for name, value in values.items() if NUMBER.fullmatch(value))
