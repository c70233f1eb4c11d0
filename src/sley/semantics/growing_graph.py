"""The execution graph of a run while a thread adds events to it: which events RC11 lets it add.

The axioms are those of ``memory_models/rc11.cat``. Events are added one by one, each after what it reads
from. So NO-THIN-AIR holds by construction, and every consistent graph is built in some order: what comes
before a set of its events, by sb and rf, is consistent by itself. A new event happens before nothing. So

* COHERENCE says: it does not read, or write before, a write that is older than the newest that it knows
  of; known of is what happened before it, or was read by something that happened before it;
* ATOMICITY says: a write does not come between an update and what that reads;
* SC is asked of the whole graph, by definition, where there are at least two events that it speaks of.

The newest write can always be read, and a write can always be the newest: no thread gets stuck.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sley.memory_models.relations import Relation
from sley.program.instructions import MemoryOrder
from sley.semantics.axioms import INITIAL, Execution, Kind, is_sequential
from sley.semantics.history import (
    INITIAL_WRITE,
    AtomicPlace,
    Clock,
    History,
    Id,
    PerformedEvent,
    ThreadHistory,
    joined,
    known,
    raised,
)
from sley.semantics.memory import Change
from sley.semantics.state import CellValue

_INITIAL_EVENT = PerformedEvent(INITIAL, Kind.WRITE, MemoryOrder.PLAIN)


class Option(NamedTuple):
    """An event that a thread may add: a write or an update at a position, or a read of what is before it."""

    event: PerformedEvent
    position: int
    """In the modification order of its place."""


class GrowingGraph:
    """A graph to which one thread adds events."""

    def __init__(self, history: History, thread: int) -> None:
        self.thread = thread
        self.others = history.events
        self.own = list(history.events[thread])
        self.mo = dict(history.mo)
        self.initial = dict(history.initial)

    def event(self, name: Id) -> PerformedEvent:
        """An event by its name."""
        thread, index = name
        if name == INITIAL_WRITE:
            return _INITIAL_EVENT
        return self.own[index] if thread == self.thread else self.others[thread][index]

    def value(self, place: AtomicPlace, write: Id) -> CellValue:
        """What a write wrote."""
        if write == INITIAL_WRITE:
            return self.initial[place]
        return self.event(write).value  # type: ignore[return-value]

    def threads(self) -> Iterator[tuple[int, Sequence[PerformedEvent]]]:
        """All events, by thread."""
        for thread, events in enumerate(self.others):
            yield thread, self.own if thread == self.thread else events

    # --- what can be added --------------------------------------------------------------------

    def reads(
        self,
        place: AtomicPlace,
        order: MemoryOrder,
        change: Change,
        failure: MemoryOrder,
        view: ThreadHistory,
    ) -> list[Option]:
        """What a read or an update can be; reading the newest write comes first."""
        writes = self.mo[place]
        found: list[Option] = []
        for at in range(len(writes), self._newest_known(place, view.current), -1):
            source = writes[at - 1]
            value, is_success = change(self.value(place, source))
            if is_success and at < len(writes) and self.event(writes[at]).kind is Kind.UPDATE:
                continue
            clock = self.after_reading(source, order if is_success else failure, view)
            option = Option(
                self.written(place, order, value, view._replace(current=clock), source)
                if is_success
                else PerformedEvent(
                    self.thread, Kind.READ, failure, place, 0, source, known(clock, self.thread), clock
                ),
                at,
            )
            if self._is_sequential(option):
                found.append(option)
        return found

    def writes(self, event: PerformedEvent, view: ThreadHistory) -> list[Option]:
        """Where a write can be in the modification order; the newest comes first."""
        assert isinstance(event.location, AtomicPlace)
        writes = self.mo[event.location]
        return [
            option
            for at in range(len(writes), self._newest_known(event.location, view.current), -1)
            if (at == len(writes) or self.event(writes[at]).kind is not Kind.UPDATE)
            and self._is_sequential(option := Option(event, at))
        ]

    def after_reading(self, source: Id, order: MemoryOrder, view: ThreadHistory) -> Clock:
        """What a thread knows that has read from a write."""
        return joined(view.current, self.event(source).message) if order.acquires else view.current

    def written(
        self,
        place: AtomicPlace,
        order: MemoryOrder,
        value: CellValue,
        view: ThreadHistory,
        source: Id | None = None,
    ) -> PerformedEvent:
        """A write, or an update if it has a source: what it releases, and passes on."""
        kind = Kind.WRITE if source is None else Kind.UPDATE
        epoch = known(view.current, self.thread)
        clock = raised(view.current, self.thread)
        message: Clock = () if source is None else self.event(source).message
        if order is MemoryOrder.PLAIN:
            message = ()
        elif order.releases:
            message = joined(message, clock)
        else:
            message = joined(message, view.released)
            for event in self.own:  # sb|loc, the beginning of a release sequence
                if event.location == place and event.writes and event.order.releases:
                    message = joined(message, event.clock)
        return PerformedEvent(self.thread, kind, order, place, value, source, epoch, clock, message)

    def _newest_known(self, place: AtomicPlace, clock: Clock) -> int:
        """The position of the newest write that the thread knows of, itself or by a read that it knows of."""
        positions = {name: at for at, name in enumerate(self.mo[place])}
        newest = 0
        for thread, events in self.threads():
            count = known(clock, thread)
            for index, event in enumerate(events):
                if event.location != place:
                    continue
                if thread != self.thread and event.epoch >= count:
                    break
                name = (thread, index) if event.writes else event.source
                assert name is not None
                newest = max(newest, positions[name])
        return newest

    def _is_sequential(self, option: Option) -> bool:
        """Whether the graph with this event satisfies the axiom SC: nothing comes after the newest."""
        event, place = option.event, option.event.location
        assert isinstance(place, AtomicPlace)
        if option.position == len(self.mo[place]):
            return True
        threads = [list(events) for _, events in self.threads()]
        threads[self.thread].append(event)
        if sum(e.order is MemoryOrder.SEQUENTIAL for events in threads for e in events) <= 1:
            return True
        mo = {**self.mo, place: self._with(option)} if event.writes else self.mo
        graph = _Clocked(threads, mo)
        return is_sequential(graph, graph.happens_before())

    # --- adding -------------------------------------------------------------------------------

    def add(self, option: Option) -> Id:
        """The event takes place; its name."""
        place = option.event.location
        assert isinstance(place, AtomicPlace)
        if option.event.writes:
            self.mo[place] = self._with(option)
        self.own.append(option.event)
        return self.thread, len(self.own) - 1

    def _with(self, option: Option) -> tuple[Id, ...]:
        """The modification order with one more write."""
        assert isinstance(option.event.location, AtomicPlace)
        writes, name = self.mo[option.event.location], (self.thread, len(self.own))
        return (*writes[: option.position], name, *writes[option.position :])


class _Clocked(Execution):
    """A graph whose happens-before comes from the clocks of its events."""

    def __init__(
        self, threads: Sequence[Sequence[PerformedEvent]], mo: Mapping[AtomicPlace, Sequence[Id]]
    ) -> None:
        names = [(thread, index) for thread, events in enumerate(threads) for index in range(len(events))]
        numbers = {name: number for number, name in enumerate(names)}
        initial = {place: len(names) + number for number, place in enumerate(mo)}
        events = [event for events in threads for event in events]
        events += [PerformedEvent(INITIAL, Kind.WRITE, MemoryOrder.PLAIN, place) for place in mo]

        def number(name: Id, place: object) -> int:
            assert isinstance(place, AtomicPlace)
            return initial[place] if name == INITIAL_WRITE else numbers[name]

        sources = {i: number(e.source, e.location) for i, e in enumerate(events) if e.source is not None}
        orders = [[number(name, place) for name in order] for place, order in mo.items()]
        super().__init__(events, sources, orders)
        self.performed = events

    def happens_before(self) -> Relation:
        """As the clocks of the events say."""
        program_order = self.base("po")
        assert program_order is not None
        rows = list(program_order.rows)
        for i, a in enumerate(self.performed):
            for j, b in enumerate(self.performed):
                if a.thread not in (b.thread, INITIAL) and known(b.clock, a.thread) > a.epoch:
                    rows[i] |= 1 << j
        return Relation(rows)
