"""The events of a run while it is replayed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sley.evidence.dependence import Dependences
from sley.evidence.remarks import Note
from sley.evidence.replay.threads import Threads
from sley.evidence.trace import EventKind, TraceEvent
from sley.program.program import Edge, Origin, user_origin


class EventList:
    """Grows by the events of the step that is being taken."""

    def __init__(self, threads: Threads, dependences: Dependences) -> None:
        self.threads = threads
        self.dependences = dependences
        self.events: list[TraceEvent] = []
        self.step = self.thread = 0
        """The step that is being taken, and its thread."""
        self._touched: dict[int, set[int]] = {}
        """For each address the threads that accessed it."""

    def add(  # noqa: PLR0913 - the fields of an event
        self,
        kind: EventKind,
        edge: Edge,
        *,
        address: int | None = None,
        target: str = "",
        value: str = "",
        old: str = "",
        note: Note | None = None,
        source: int | None = None,
        others: tuple[int, ...] = (),
    ) -> None:
        """An event of the step that is being taken."""
        if address is not None:
            self._touched.setdefault(address, set()).add(self.thread)
        event = TraceEvent(self.step, self.thread, kind, self.origin(edge, self.thread), target, value, old)
        run = self.dependences.nodes[-1].statement
        self.events.append(replace(event, note=note, others=others, source=source, address=address, run=run))

    def origin(self, edge: Edge, thread: int) -> Origin:
        """Where the user sees an edge; what the thread's own function calls stands in that function."""
        origin = user_origin(edge.origin)
        if edge.origin.library_call != 0:
            return origin
        return replace(origin, function=self.threads.functions[thread])

    @property
    def last(self) -> TraceEvent | None:
        """The last event of the step that is being taken."""
        return self.events[-1] if self.events and self.events[-1].step == self.step else None

    def latest(self, thread: int, kinds: Sequence[EventKind]) -> Iterator[TraceEvent]:
        """The events of a thread that are of some kinds, latest first."""
        return (e for e in reversed(self.events) if e.thread == thread and e.kind in kinds)

    def depend_on(self, roots: Mapping[int, int]) -> None:
        """Tell of all events how far they are from a failure that depends on these nodes."""
        distances = self.dependences.by_statement(self.dependences.distances(roots))
        self.events = [
            replace(event, distance=distances[event.run]) if event.run in distances else event
            for event in self.events
        ]

    def completed(self, event: TraceEvent) -> TraceEvent:
        """The event with what is known when all threads are: their names, and what they share."""
        if event.kind in (EventKind.CREATE, EventKind.JOIN):
            return replace(event, target=" and ".join(map(self.threads.name, event.others)))
        if event.address is None:
            return event
        return replace(event, is_shared=len(self._touched[event.address]) > 1)
