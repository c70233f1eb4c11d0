"""Memory as C11 has it while a step runs: an atomic access reads one of the writes that RC11 lets it read.

The axioms are those of ``axioms``. A step adds its events to the graph of the history one by one, each after
what it reads from. So NO-THIN-AIR holds by construction, and every consistent graph is built in some order:
what comes before a set of its events, by sb and rf, is consistent by itself. A new event happens before
nothing. So

* COHERENCE says: it does not read, or write before, a write that is older than the newest that it knows
  of; known of is what happened before it, or was read by something that happened before it;
* ATOMICITY says: a write does not come between an update and what that reads;
* SC is asked of the whole graph, by definition, where there are at least two events that it speaks of.

The newest write can always be read, and a write can always be the newest: nobody gets stuck.

Plain accesses have no place in the graph. They race if a conflicting access did not happen before; what does
not race sees the last value, which is in memory as in a sequentially consistent run. Only a plain write
to an object that was accessed atomically is an event.

A mutex passes on what the last unlock knew. Atomic sections synchronise by address: who reads there knows
what the one knew who wrote. So do those in the models of the library, but only where they have an effect or
had to wait (a failed attempt orders nothing), and only through objects of the user: what the library keeps
for itself is no business of the memory model. Condition variables order nothing, their mutexes do.

Spin loops. A thread that is back where it was, and meanwhile has only read, forgets what it read. Take any
execution with these reads, and leave them out: the thread does the same as before, fewer events are ordered,
so the axioms still hold, and what raced still races. So nothing is lost: no value, no violation, no race.
(The accesses themselves are remembered: a round that makes new ones is not forgotten.) The same is true of an
update that writes what it has found, if it is all that a round consists of, as in
``while (exchange(&lock, 1));``: who would read from it reads the same value from what it found, and knows
less. What races with the update races with that of the next round.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from sley.analyses.loops import find_loops
from sley.base.errors import GaveUpError
from sley.program import instructions as ir
from sley.program.instructions import Order
from sley.program.program import Function
from sley.semantics.axioms import INITIAL, Execution, Kind, Relation, sequential_consistency
from sley.semantics.code import Code, confined_addresses
from sley.semantics.history import (
    INITIAL_WRITE,
    Access,
    Clock,
    History,
    Id,
    Performed,
    Place,
    RacingAccesses,
    Snapshot,
    View,
    joined,
    known,
    raised,
)
from sley.semantics.memory import Change, Choice, Memory, MemoryMap
from sley.semantics.state import LOCAL_BLOCK, Block, CellValue, State, ThreadState, is_ended

CONDITIONS = ("pthread_cond_", "cnd_")
"""How the functions of condition variables begin."""


class Rules(NamedTuple):
    """What memory needs to know of the code that a thread runs."""

    private: frozenset[int]
    """Slots of the thread's local objects that nobody else can reach."""
    loops: frozenset[int]
    """Locations on cycles."""


@dataclass(slots=True)
class _Section:
    """What an atomic section has done so far."""

    written: list[int] = field(default_factory=list)
    """Addresses."""
    known: Clock = ()
    """What those knew who wrote what it read."""
    unordered: Clock = ()
    """The same for objects of the library, which order nothing."""
    has_effect: bool = False
    """Whether it wrote something, took or gave back a lock, or had to wait."""


class _Graph(Execution):
    """The graph of a history: happens-before comes from clocks."""

    def __init__(self, threads: Sequence[Sequence[Performed]], mo: Mapping[Place, Sequence[Id]]) -> None:
        names = [(thread, index) for thread, events in enumerate(threads) for index in range(len(events))]
        numbers = {name: number for number, name in enumerate(names)}
        initial = {place: len(names) + number for number, place in enumerate(mo)}
        events = [event for events in threads for event in events]
        events += [Performed(INITIAL, Kind.WRITE, Order.PLAIN, place) for place in mo]

        def number(name: Id, place: object) -> int:
            assert isinstance(place, Place)
            return initial[place] if name == INITIAL_WRITE else numbers[name]

        sources = {i: number(e.source, e.location) for i, e in enumerate(events) if e.source is not None}
        orders = [[number(name, place) for name in order] for place, order in mo.items()]
        super().__init__(events, sources, orders)
        self.performed = events

    @cached_property
    def hb(self) -> Relation:
        """As the clocks of the events say."""
        events = self.performed
        rows = list(self.sb.rows)
        for i, a in enumerate(events):
            for j, b in enumerate(events):
                if a.thread != b.thread and a.thread != INITIAL and known(b.clock, a.thread) > a.epoch:
                    rows[i] |= 1 << j
        return Relation(rows)


class WeakMemory(Memory):
    """The memory of one step under C11."""

    __slots__ = (
        "_accesses",
        "_events",
        "_has_changed",
        "_has_written",
        "_in_section",
        "_initial",
        "_lives",
        "_locks",
        "_mo",
        "_race",
        "_section",
        "_sections",
        "_views",
        "rules",
        "unseen",
        "written",
    )

    def __init__(
        self,
        memory_map: MemoryMap,
        state: State,
        thread: int,
        choices: tuple[Choice, ...],
        rules: Rules,
    ) -> None:
        self.rules = rules
        super().__init__(memory_map, state, thread, choices)

    @property
    def history(self) -> History:
        """What was before the step."""
        assert self.state.history is not None
        return self.state.history

    def restart(self) -> None:
        """Forget what the step did so far."""
        super().restart()
        history = self.history
        self._events = list(history.events[self.thread])
        self._mo = dict(history.mo)
        self._initial = dict(history.initial)
        self._views = list(history.views)
        self._locks = dict(history.locks)
        self._sections = dict(history.sections)
        self._accesses = dict(history.accesses)
        self._lives = dict(history.lives)
        self._race = history.race
        self._has_changed = self._has_written = False
        """Whether others may notice the step; whether it has writes at all, maybe of what was there."""
        self._in_section = False
        self._section = _Section()
        self.unseen: Id | None = None
        """The first write that the last access did not see, or came before, if it was there already."""
        self.written: Id | None = None
        """The write of the last access, if it is an event."""

    # --- accesses -----------------------------------------------------------------------------

    def read(self, address: int, access: ir.Access) -> CellValue:
        """What the access reads."""
        self.unseen = self.written = None
        if not self._is_event(access):
            return self._read_as_is(address, access)
        place = self._place(address, access.size)
        options = self._options(place, access.order, lambda old: (old, False), access.order)
        value, event = self._taken_option(place, options)
        self._touch(address, access, event.epoch, is_write=False)
        return value

    def update(self, address: int, update: ir.Update, change: Change) -> CellValue:
        """Read, and write what ``change`` says, at once; what was read."""
        self.unseen = self.written = None
        access = update.access
        if not self._is_event(access):
            old = self._read_as_is(address, access)
            value, is_success = change(old)
            if is_success:
                self._write_as_is(address, access, value)
            return old
        place = self._place(address, access.size)
        options = self._options(place, access.order, change, update.failure)
        old, event = self._taken_option(place, options)
        change(old)  # the last word is that of the option that was taken
        self._touch(address, access, event.epoch, is_write=event.writes)
        return old

    def write(self, address: int, access: ir.Access, value: CellValue) -> None:
        """Write these bytes."""
        self.unseen = self.written = None
        if not self._is_event(access):
            self._write_as_is(address, access, value)
            return
        place = self._place(address, access.size)
        order = self._mo[place]
        event = self._written(place, access.order, value, self._current, None)
        positions = [
            position
            for position in range(len(order), self._newest_known(place), -1)
            if position == len(order) or self._event(order[position]).kind is not Kind.UPDATE
        ]
        fitting = [at for at in positions if at == len(order) or self._is_sequential(event, place, at)]
        self._add(event, place, fitting[self.choose(len(fitting)) if len(fitting) > 1 else 0])
        self._touch(address, access, event.epoch, is_write=True)

    def _is_event(self, access: ir.Access) -> bool:
        """Whether an access is one of the user's atomic ones, of which the model speaks."""
        if access.order is Order.PLAIN:
            return False
        if self.edge.origin.is_library:
            return isinstance(self.edge.instruction, ir.Update) and not self._in_section
        if self._in_section:
            raise GaveUpError("an atomic section with atomic accesses (--memory-model sc)")
        return True

    def _place(self, address: int, size: int) -> Place:
        """The atomic object at an address; from its first atomic access on, its writes are events."""
        number = address >> self.map.offset_bits
        place = Place(address, size, self._lives.get(number, 0))
        if place not in self._mo:
            if self._overlapping(address, size):
                raise GaveUpError("atomic accesses of different sizes to the same bytes (--memory-model sc)")
            if address in self._sections or address in self._locks:
                raise GaveUpError("atomic accesses to what atomic sections or locks use (--memory-model sc)")
            self._initial[place] = self.load(address, size)
            self._mo[place] = (INITIAL_WRITE,)
        return place

    def _overlapping(self, address: int, size: int) -> list[Place]:
        """The atomic objects that share bytes with these."""
        number = address >> self.map.offset_bits
        life = self._lives.get(number, 0)
        return [
            place
            for place in self._mo
            if place.address < address + size
            and address < place.address + place.size
            and place.life == life
            and place.address >> self.map.offset_bits == number
        ]

    # --- events -------------------------------------------------------------------------------

    @property
    def _view(self) -> View:
        return self._views[self.thread]

    @property
    def _current(self) -> Clock:
        return self._view.current

    @property
    def _epoch(self) -> int:
        return known(self._view.current, self.thread)

    def _event(self, name: Id) -> Performed:
        thread, index = name
        if name == INITIAL_WRITE:
            return _INITIAL_EVENT
        return self._events[index] if thread == self.thread else self.history.events[thread][index]

    def _all_events(self) -> Iterator[tuple[int, Sequence[Performed]]]:
        for thread, events in enumerate(self.history.events):
            yield thread, self._events if thread == self.thread else events

    def _newest_known(self, place: Place) -> int:
        """The position of the newest write that the thread knows of, itself or by a read that it knows of."""
        order = self._mo[place]
        positions = {name: at for at, name in enumerate(order)}
        newest, current = 0, self._current
        for thread, events in self._all_events():
            count = known(current, thread)
            for index, event in enumerate(events):
                if event.location != place:
                    continue
                if thread != self.thread and event.epoch >= count:
                    break
                name = (thread, index) if event.writes else event.source
                assert name is not None
                newest = max(newest, positions[name])
        return newest

    def _options(
        self,
        place: Place,
        order: Order,
        change: Callable[[CellValue], tuple[CellValue, bool]],
        failure: Order,
    ) -> list[tuple[Performed, int]]:
        """The events that a read or an update can be, with the position of what it reads; newest first."""
        writes = self._mo[place]
        found: list[tuple[Performed, int]] = []
        for at in range(len(writes) - 1, self._newest_known(place) - 1, -1):
            value, is_success = change(self._value(place, writes[at]))
            is_newest = at == len(writes) - 1
            if is_success:
                if not is_newest and self._event(writes[at + 1]).kind is Kind.UPDATE:
                    continue
                event = self._updated(place, order, value, writes[at])
            else:
                event = self._seen(place, failure, writes[at])
            if is_newest or self._is_sequential(event, place, at + 1):
                found.append((event, at))
        return found

    def _taken_option(
        self, place: Place, options: list[tuple[Performed, int]]
    ) -> tuple[CellValue, Performed]:
        """One of the events takes place: what it reads, and the event."""
        event, at = options[self.choose(len(options)) if len(options) > 1 else 0]
        writes = self._mo[place]
        if at + 1 < len(writes):
            self.unseen = writes[at + 1]
        value = self._value(place, writes[at])
        self._acquire_from(self._event(writes[at]), event.order)
        self._add(event, place, at + 1)
        return value, event

    def _value(self, place: Place, name: Id) -> CellValue:
        if name == INITIAL_WRITE:
            return self._initial[place]
        return self._event(name).value  # type: ignore[return-value]

    def _seen(self, place: Place, order: Order, source: Id) -> Performed:
        """A read."""
        clock = self._after_reading(self._event(source), order)
        epoch = known(clock, self.thread)
        return Performed(self.thread, Kind.READ, order, place, 0, source, epoch, clock)

    def _updated(self, place: Place, order: Order, value: CellValue, source: Id) -> Performed:
        clock = self._after_reading(self._event(source), order)
        return self._written(place, order, value, clock, source)

    def _after_reading(self, source: Performed, order: Order) -> Clock:
        return joined(self._current, source.message) if order.acquires else self._current

    def _acquire_from(self, source: Performed, order: Order) -> None:
        current = self._after_reading(source, order)
        view = self._view
        self._views[self.thread] = view._replace(
            current=current, pending=joined(view.pending, source.message)
        )

    def _written(
        self, place: Place, order: Order, value: CellValue, clock: Clock, source: Id | None
    ) -> Performed:
        """A write, or an update if it has a source; what it releases, and passes on."""
        kind = Kind.WRITE if source is None else Kind.UPDATE
        epoch = known(clock, self.thread)
        clock = raised(clock, self.thread)
        message: Clock = () if source is None else self._event(source).message
        if order is Order.PLAIN:
            message = ()
        elif order.releases:
            message = joined(message, clock)
        else:
            message = joined(message, self._view.released)
            for event in self._events:  # sb|loc, the beginning of a release sequence
                if event.location == place and event.writes and event.order.releases:
                    message = joined(message, event.clock)
        return Performed(self.thread, kind, order, place, value, source, epoch, clock, message)

    def _add(self, event: Performed, place: Place, position: int) -> None:
        """The event takes place; a write at this position of the modification order."""
        name = (self.thread, len(self._events))
        self._events.append(event)
        if event.writes:
            self._has_written = True
            is_silent = event.source is not None and self._value(place, event.source) == event.value
            self._has_changed = self._has_changed or not is_silent
            self._views[self.thread] = self._view._replace(current=event.clock)
            writes = self._mo[place]
            self.written = name
            if event.kind is Kind.WRITE and position < len(writes):
                self.unseen = writes[position]
            self._mo[place] = (*writes[:position], name, *writes[position:])
            if position == len(writes):
                self.store(place.address, place.size, event.value)  # type: ignore[arg-type]

    def _is_sequential(self, event: Performed, place: Place, position: int) -> bool:
        """Whether the graph with this event satisfies the axiom SC."""
        threads = [list(events) for _, events in self._all_events()]
        name = (self.thread, len(self._events))
        threads[self.thread].append(event)
        if sum(e.order is Order.SEQUENTIAL for events in threads for e in events) <= 1:
            return True
        mo = dict(self._mo)
        if event.writes:
            mo[place] = (*mo[place][:position], name, *mo[place][position:])
        return sequential_consistency(_Graph(threads, mo))

    def fence(self, order: Order) -> None:
        """A fence; only one of order seq_cst is an event, the others act through what the thread knows."""
        view = self._view
        current = joined(view.current, view.pending) if order.acquires else view.current
        epoch = known(current, self.thread)
        if order.releases:
            current = raised(current, self.thread)
            view = view._replace(released=current)
        self._views[self.thread] = view._replace(current=current)
        if order is Order.SEQUENTIAL:
            self._events.append(Performed(self.thread, Kind.FENCE, order, epoch=epoch, clock=current))

    # --- plain accesses -----------------------------------------------------------------------

    def _read_as_is(self, address: int, access: ir.Access) -> CellValue:
        """The last value: nothing else can be read without a race."""
        places = self._overlapping(address, access.size)
        if places:
            self._require_plain(places, address, access)
        value = self.load(address, access.size)
        if self._in_section:
            self._read_in_section(address, value)
        self._touch(address, access, self._epoch, is_write=False)
        return value

    def _write_as_is(self, address: int, access: ir.Access, value: CellValue) -> None:
        places = self._overlapping(address, access.size)
        if places:
            self._require_plain(places, address, access)
            event = self._written(places[0], Order.PLAIN, value, self._current, None)
            self._touch(address, access, event.epoch, is_write=True)
            self._add(event, places[0], len(self._mo[places[0]]))
            return
        self._touch(address, access, self._epoch, is_write=True)
        self.store(address, access.size, value)
        if self._is_synchronising(access):
            self._section.written.append(address)
            self._section.has_effect = True
            if not self._in_section:
                self.end_section()

    def _is_synchronising(self, access: ir.Access) -> bool:
        return self._in_section or access.order is not Order.PLAIN

    def _require_plain(self, places: list[Place], address: int, access: ir.Access) -> None:
        """An atomic object is accessed in another way."""
        if self._is_synchronising(access):
            raise GaveUpError("an atomic section with atomic objects (--memory-model sc)")
        if len(places) > 1 or (places[0].address, places[0].size) != (address, access.size):
            raise GaveUpError("accesses of different sizes to an atomic object (--memory-model sc)")

    # --- atomic sections ----------------------------------------------------------------------

    def begin_section(self) -> None:
        """All until ``end_section`` is one step."""
        self._in_section = True

    def end_section(self) -> None:
        """The section is over: who reads what it wrote knows what its thread knows now."""
        section, self._section, self._in_section = self._section, _Section(), False
        if self._orders_nothing():
            return
        if section.has_effect:
            self._learn(section.known)
        if section.written:
            self._release()
            self._sections.update(dict.fromkeys(section.written, self._current))

    def _read_in_section(self, address: int, value: CellValue) -> None:
        """What the section learns: at its end, if it is one of the library that has an effect then."""
        clock = self._sections.get(address, ())
        if value == 0:
            clock = joined(clock, self._locks.get(address, ()))  # what an unlock wrote
        if self._is_of_library(address):
            self._section.unordered = joined(self._section.unordered, clock)
        elif self.edge.origin.is_library:
            self._section.known = joined(self._section.known, clock)
        else:
            self._learn(clock)

    def awaited(self) -> None:
        """The section did not have to wait any longer."""
        self._section.has_effect = True
        if joined(self._current, self._section.unordered) != self._current:
            raise GaveUpError("what threads wait for here, in a program with weak orders (--memory-model sc)")

    def _is_of_library(self, address: int) -> bool:
        """Whether an object is one that our models keep for themselves."""
        index = (address >> self.map.offset_bits) - self.map.pointers.first_object
        objects = self.map.program.objects
        return 0 <= index < len(objects) and not objects[index].c_name

    def _orders_nothing(self) -> bool:
        """Whether the library function that runs is one of a condition variable."""
        origin = self.edge.origin
        return origin.is_library and any(call.function.startswith(CONDITIONS) for call in origin.calls)

    # --- mutexes ------------------------------------------------------------------------------

    def lock(self, address: int, size: int) -> None:
        """The thread takes a lock."""
        if self._overlapping(address, size):
            raise GaveUpError("a lock that is accessed atomically (--memory-model sc)")
        super().lock(address, size)
        self._section.has_effect = True
        self._learn(self._locks.get(address, ()))
        self._touch_bytes(address, size, self._epoch, is_write=True, is_atomic=True)

    def unlock(self, address: int, size: int) -> None:
        """The thread gives a lock back."""
        super().unlock(address, size)
        self._section.has_effect = True
        self._touch_bytes(address, size, self._epoch, is_write=True, is_atomic=True)
        self._release()
        self._locks[address] = self._current

    def _learn(self, clock: Clock) -> None:
        self._views[self.thread] = self._view._replace(current=joined(self._current, clock))

    def _release(self) -> None:
        """Whoever synchronises with what the thread does now knows all that it did before."""
        self._has_changed = True
        self._views[self.thread] = self._view._replace(current=raised(self._current, self.thread))

    # --- races --------------------------------------------------------------------------------

    def _touch(self, address: int, access: ir.Access, epoch: int, *, is_write: bool) -> None:
        start, size = 0, access.size
        if access.location is not None:
            start, end = access.location
            size = end - start
        is_atomic = self._is_synchronising(access)
        self._touch_bytes(address + start, size, epoch, is_write=is_write, is_atomic=is_atomic)

    def _touch_bytes(self, address: int, size: int, epoch: int, *, is_write: bool, is_atomic: bool) -> None:
        """An access: it races with those that conflict and did not happen before."""
        number, offset = divmod(address, 1 << self.map.offset_bits)
        if self._is_private(number):
            return
        access = Access(offset, size, self.thread, is_write, is_atomic, epoch, self.edge.source)
        before = self._accesses.get(number, ())
        self._look_for_race(number, access, before)
        kept = tuple(old for old in before if not _replaces(access, old))
        self._accesses[number] = tuple(sorted((*kept, access)))

    def _look_for_race(self, number: int, access: Access, before: tuple[Access, ...]) -> None:
        for old in before:
            if access.conflicts(old) and known(self._current, old.thread) <= old.epoch:
                if self.history.finds_races:
                    self._race = self._race or RacingAccesses(number, old, access)
                elif access.is_atomic or old.is_atomic:
                    raise GaveUpError("an atomic access and a plain one race, but races were not asked about")

    def _is_private(self, number: int) -> bool:
        """Whether nobody but the thread can reach an object."""
        return number - self.base in self.rules.private

    # --- lifetimes ----------------------------------------------------------------------------

    def enter(
        self, slot: int, layout: int, size: int, cells: tuple[CellValue, ...], kind: int = LOCAL_BLOCK
    ) -> None:
        """A local object begins to live."""
        self._end_life(self.base + slot)
        super().enter(slot, layout, size, cells, kind)

    def leave(self, slot: int) -> None:
        """A local object ceases to live; that others have left it alone must be certain."""
        number = self.base + slot
        for access in self._accesses.get(number, ()):
            if access.thread != self.thread and known(self._current, access.thread) <= access.epoch:
                raise GaveUpError("a thread uses a local variable of another one that may be gone by then")
        self._end_life(number)
        super().leave(slot)

    def allocate(self, size: int, layout: int, site: int, *, zeroed: bool, text: str) -> int:
        """A new heap block; who clears it writes all of its bytes."""
        address = super().allocate(size, layout, site, zeroed=zeroed, text=text)
        self._end_life(address >> self.map.offset_bits)
        if zeroed and size:
            self._touch_bytes(address, size, self._epoch, is_write=True, is_atomic=False)
        return address

    def free(self, address: int) -> None:
        """End the life of a heap block: to free it is to write all of its bytes."""
        number = address >> self.map.offset_bits
        if address:
            size = self.blocks[number].size
            if size:
                self._touch_bytes(address, size, self._epoch, is_write=True, is_atomic=self._in_section)
            freed = self._accesses.get(number, ())
            self._end_life(number)
            self._accesses[number] = freed  # until the next life begins, somebody may use it nevertheless
        super().free(address)

    def fails(self, address: int) -> None:
        """An access is wrong where nobody asks for that: the run is cut; but it may be a race as well."""
        number = address >> self.map.offset_bits
        unknown = [a for a in self._accesses.get(number, ()) if known(self._current, a.thread) <= a.epoch]
        if (
            number not in self.blocks
            and number >= self.map.heap_base
            and unknown
            and self.history.finds_races
        ):
            raise GaveUpError("a block may be freed while it is used (ask for --property memory as well)")

    def _end_life(self, number: int) -> None:
        self._accesses.pop(number, None)
        life = self._lives.get(number, 0)
        if any(place.life == life and place.address >> self.map.offset_bits == number for place in self._mo):
            self._lives[number] = life + 1

    def scramble(self, function: str, arguments: tuple[int, ...]) -> None:
        """Nobody knows what a function without a model does to atomic objects."""
        raise GaveUpError(f"the unmodelled function `{function}` in a program with weak memory orders")

    def values(self) -> Iterator[object]:
        """Also those that atomic objects had, or have for others."""
        yield from super().values()
        yield from self._initial.values()
        for _, events in self._all_events():
            yield from (event.value for event in events)

    # --- threads ------------------------------------------------------------------------------

    def create(self, thread: ThreadState, thread_objects: tuple[tuple[int, Block], ...]) -> int:
        """The new thread knows what its creator knows."""
        self._release()
        self._views.append(View(self._current))
        return super().create(thread, thread_objects)

    def joined(self, handle: int) -> object | None:
        """Who joins a thread knows what it knew at its end."""
        result = super().joined(handle)
        if result is not None:
            self._has_changed = True
            self._learn(self._views[handle - 1].current)
            self._views[handle - 1] = View()
        return result

    def exit(self, value: object) -> ThreadState:
        """The thread ends."""
        result = super().exit(value)
        self._release()
        return result

    # --- the end of a step --------------------------------------------------------------------

    def freeze(self, thread: ThreadState) -> State:
        """The state after the step, with the running thread at ``thread``."""
        plain = super().freeze(thread)
        before = self.history
        is_same = (
            not self._has_changed
            and self._race == before.race
            and plain[:2] == self.state[:2]
            and plain.detached == self.state.detached
        )
        if is_same and thread == self.state.threads[self.thread]:
            return self.state
        accesses = self._unknown_accesses(plain)
        has_changed = not is_same or self._has_written or accesses != before.accesses
        recent = list(before.recent) + [()] * (len(plain.threads) - len(before.recent))
        recent[self.thread] = self._turned_back(thread, () if has_changed else recent[self.thread])
        events = list(before.events) + [()] * (len(plain.threads) - len(before.events))
        events[self.thread] = tuple(self._events)
        history = History(
            events=tuple(events),
            mo=tuple(sorted(self._mo.items())),
            initial=tuple(sorted(self._initial.items(), key=itemgetter(0))),
            views=tuple(self._views),
            locks=tuple(sorted(self._locks.items())),
            sections=tuple(sorted(self._sections.items())),
            accesses=accesses,
            lives=tuple(sorted(self._lives.items())),
            recent=tuple(recent),
            race=self._race,
            finds_races=before.finds_races,
        )
        return plain._replace(history=history.renumbered())

    def _turned_back(self, thread: ThreadState, recent: tuple[Snapshot, ...]) -> tuple[Snapshot, ...]:
        """Where the thread has been; if it was here before, it forgets what it read since."""
        if is_ended(thread) or thread[0] not in self.rules.loops:
            return recent
        for index, snapshot in enumerate(recent):
            if snapshot.thread == thread:
                del self._events[snapshot.events :]
                self._views[self.thread] = snapshot.view
                return recent[: index + 1]
        return (*recent, Snapshot(thread, len(self._events), self._view))

    def _unknown_accesses(self, state: State) -> tuple[tuple[int, tuple[Access, ...]], ...]:
        """The accesses that a running thread does not know of, so that it might race with them."""
        running = [t for t, at in enumerate(state.threads) if not is_ended(at)]

        def is_unknown(access: Access) -> bool:
            return any(
                t != access.thread and known(self._views[t].current, access.thread) <= access.epoch
                for t in running
            )

        found = ((n, tuple(filter(is_unknown, accesses))) for n, accesses in sorted(self._accesses.items()))
        return tuple((number, accesses) for number, accesses in found if accesses)


_INITIAL_EVENT = Performed(INITIAL_WRITE[0], Kind.WRITE, Order.PLAIN)


def _replaces(new: Access, old: Access) -> bool:
    """Whether who races with an access races with the new one as well, so that it need not be kept.

    A plain write conflicts with everything, and what it did not race with happened before it.
    """
    if new.is_write and not new.is_atomic:
        return new.offset <= old.offset and old.offset + old.size <= new.offset + new.size
    return old[:5] == new[:5]


def rules_of(code: Code, function: Function) -> Rules:
    """What memory needs to know of a thread template."""
    confined = confined_addresses(code.program.terms, function)
    private = {slot for slot, obj in enumerate(function.objects) if obj.address in confined}
    return Rules(frozenset(private), find_loops(function).on_cycle)
