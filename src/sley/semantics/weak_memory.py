"""Memory as C11 has it while a step runs: an atomic access reads one of the writes that RC11 lets it read.

Each atomic access adds an event to the execution graph of the run (``growing_graph``).

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
(The accesses themselves are remembered: a round that makes new ones is not forgotten.) The round may also
write plainly what was there: who reads that reads the same from whoever wrote it before. The same is true of
an update that writes what it has found, if it is all that a round consists of, as in
``while (exchange(&lock, 1));``: who would read from it reads the same value from what it found, and knows
less. What races with the update races with that of the next round.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple

from sley.analyses.loops import find_loops
from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why, beyond_orders
from sley.program import instructions as ir
from sley.program.instructions import MemoryOrder
from sley.program.program import Edge, Function
from sley.semantics.access_log import AccessLog
from sley.semantics.axioms import Kind
from sley.semantics.code import Code, confined_addresses
from sley.semantics.growing_graph import GrowingGraph, Option
from sley.semantics.history import (
    INITIAL_WRITE,
    Accesses,
    AtomicPlace,
    Clock,
    History,
    Id,
    PerformedEvent,
    RaceableAccess,
    Snapshot,
    ThreadHistory,
    joined,
    known,
    raised,
)
from sley.semantics.memory import Change, Choice, MemoryMap, StepMemory
from sley.semantics.state import LOCAL_BLOCK, Block, Cells, CellValue, State, ThreadState, is_ended

INTERLOCKED = ("Interlocked", "_Interlocked")
"""How those functions of Windows begin that are atomic operations of the user."""

CONDITIONS = ("pthread_cond_", "cnd_")
"""How the functions of condition variables begin."""


class Rules(NamedTuple):
    """What memory needs to know of the code that a thread runs."""

    private: frozenset[int]
    """Slots of the thread's local objects that no other thread can reach."""
    loops: frozenset[int]
    """Locations on cycles."""
    has_sequential: bool
    """Whether the axiom SC has anything to say: then what is in between matters, too (see ``_pass``)."""


@dataclass(slots=True)
class _SectionSoFar:
    """What an atomic section has done so far."""

    written: list[int] = field(default_factory=list)
    """Addresses."""
    known: Clock = ()
    """What the writers knew of what it read."""
    unordered: Clock = ()
    """The same for objects of the library, which order nothing."""
    has_effect: bool = False
    """Whether it wrote something, took or gave back a lock, or had to wait."""


class WeakMemory(StepMemory):
    """The memory of one step under C11."""

    __slots__ = (
        "_had_section",
        "_has_changed",
        "_has_written",
        "_in_section",
        "_lives",
        "_locks",
        "_log",
        "_section",
        "_sections",
        "_views",
        "event",
        "graph",
        "rules",
        "unseen",
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
        self.graph = GrowingGraph(history, self.thread)
        self._views = list(history.views)
        self._locks = dict(history.locks)
        self._sections = dict(history.sections)
        self._log = AccessLog(history)
        self._lives = dict(history.lives)
        self._has_changed = self._has_written = False
        """Whether others may notice the step; whether it has writes at all, maybe of what was there."""
        self._in_section = self._had_section = False
        self._section = _SectionSoFar()
        self.event: Id | None = None
        """What the last access is in the graph."""
        self.unseen: Id | None = None
        """The first write that the last access did not see, or came before, if it was there already."""

    # --- accesses -----------------------------------------------------------------------------

    def read(self, address: int, access: ir.Access) -> CellValue:
        """What the access reads."""
        self.unseen = self.event = None
        if not self._is_event(access):
            return self._read_as_is(address, access)
        place = self._place(address, access.size)
        options = self.graph.reads(place, access.order, lambda old: (old, False), access.order, self._view)
        event = self._one_of(options)
        self._touch(address, access, event.epoch, is_write=False)
        return self._found(event)

    def update(self, address: int, update: ir.Update, change: Change) -> CellValue:
        """Read, and write what ``change`` says, at once; what was read."""
        self.unseen = self.event = None
        access = update.access
        if not self._is_event(access):
            old = self._read_as_is(address, access)
            value, is_success = change(old)
            if is_success:
                self._write_as_is(address, access, value)
            return old
        place = self._place(address, access.size)
        event = self._one_of(self.graph.reads(place, access.order, change, update.failure, self._view))
        change(self._found(event))  # the last word is that of the event that takes place
        self._touch(address, access, event.epoch, is_write=event.writes)
        return self._found(event)

    def write(self, address: int, access: ir.Access, value: CellValue) -> None:
        """Write these bytes."""
        self.unseen = self.event = None
        if not self._is_event(access):
            self._write_as_is(address, access, value)
            return
        place = self._place(address, access.size)
        event = self.graph.written(place, access.order, value, self._view)
        self._one_of(self.graph.writes(event, self._view))
        self._touch(address, access, event.epoch, is_write=True)

    def _is_event(self, access: ir.Access) -> bool:
        """Whether an access is one of the user's atomic ones, of which the model speaks."""
        if access.order is MemoryOrder.PLAIN:
            return False
        if not _is_of_user(self.edge):
            return False
        if self._in_section:
            raise GaveUpError(beyond_orders("an atomic section with atomic accesses"))
        return True

    def _place(self, address: int, size: int) -> AtomicPlace:
        """The atomic object at an address; from its first atomic access on, its writes are events."""
        number = address >> self.map.offset_bits
        place = AtomicPlace(address, size, self._lives.get(number, 0))
        if place not in self.graph.mo:
            if self._overlapping(address, size):
                raise GaveUpError(beyond_orders("atomic accesses of different sizes to the same bytes"))
            if address in self._sections or address in self._locks:
                raise GaveUpError(beyond_orders("atomic accesses to what atomic sections or locks use"))
            self.graph.initial[place] = self.load(address, size)
            self.graph.mo[place] = (INITIAL_WRITE,)
        return place

    def _overlapping(self, address: int, size: int) -> list[AtomicPlace]:
        """The atomic objects that share bytes with these."""
        number = address >> self.map.offset_bits
        life = self._lives.get(number, 0)
        return [
            place
            for place in self.graph.mo
            if place.address < address + size
            and address < place.address + place.size
            and place.life == life
            and place.address >> self.map.offset_bits == number
        ]

    # --- events -------------------------------------------------------------------------------

    @property
    def _view(self) -> ThreadHistory:
        return self._views[self.thread]

    @property
    def _current(self) -> Clock:
        return self._view.current

    @property
    def _epoch(self) -> int:
        return known(self._view.current, self.thread)

    def _one_of(self, options: list[Option]) -> PerformedEvent:
        """One of the events takes place."""
        option = options[self.choose(len(options)) if len(options) > 1 else 0]
        self._add(option)
        return option.event

    def _found(self, event: PerformedEvent) -> CellValue:
        """What a read or an update has read."""
        assert event.source is not None
        assert isinstance(event.location, AtomicPlace)
        return self.graph.value(event.location, event.source)

    def _add(self, option: Option) -> None:
        event, place = option.event, option.event.location
        assert isinstance(place, AtomicPlace)
        writes = self.graph.mo[place]
        is_newest = option.position == len(writes)
        if not is_newest:
            self.unseen = writes[option.position]
        self.event = self.graph.add(option)
        pending = () if event.source is None else self.graph.event(event.source).message
        self._set_view(current=event.clock, pending=joined(self._view.pending, pending))
        if event.writes:
            is_silent = event.source is not None and self._found(event) == event.value
            self._has_written = True
            self._has_changed = self._has_changed or not is_silent
            if is_newest:
                self.store(place.address, place.size, event.value)  # type: ignore[arg-type]

    def _set_view(self, **known: Clock) -> None:
        self._views[self.thread] = self._view._replace(**known)

    def fence(self, order: MemoryOrder) -> None:
        """A fence: it acts through what the thread knows."""
        if order.acquires:
            self._learn(self._view.pending)
        epoch = self._epoch
        if order.releases:
            current = raised(self._current, self.thread)
            self._set_view(current=current, released=current)
        self._pass(order, epoch)

    def _pass(self, order: MemoryOrder, epoch: int) -> None:
        """An event without a location: a fence, or (relaxed) whatever else is an event for the axiom SC.

        Of a plain access, or one by a mutex, scb asks only whether there is one: it is enough to have one
        where the thread knows the same. It is not asked where no event is sequentially consistent.
        """
        event = PerformedEvent(self.thread, Kind.FENCE, order, epoch=epoch, clock=self._current)
        last = self.graph.own[-1] if self.graph.own else None
        is_known = last is not None and last.order is MemoryOrder.RELAXED is order and last.location is None
        if self.rules.has_sequential and not (is_known and last is not None and last.clock == event.clock):
            self.graph.own.append(event)

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
        self._pass(MemoryOrder.RELAXED, self._epoch)
        return value

    def _write_as_is(self, address: int, access: ir.Access, value: CellValue) -> None:
        places = self._overlapping(address, access.size)
        if places:
            self._require_plain(places, address, access)
            event = self.graph.written(places[0], MemoryOrder.PLAIN, value, self._view)
            self._touch(address, access, event.epoch, is_write=True)
            self._add(Option(event, len(self.graph.mo[places[0]])))
            return
        self._touch(address, access, self._epoch, is_write=True)
        self._pass(MemoryOrder.RELAXED, self._epoch)
        self.store(address, access.size, value)
        if self._is_synchronising(access):
            self._section.written.append(address)
            self._section.has_effect = True
            if not self._in_section:
                self.end_section()

    def _is_synchronising(self, access: ir.Access) -> bool:
        return self._in_section or access.order is not MemoryOrder.PLAIN

    def _require_plain(self, places: list[AtomicPlace], address: int, access: ir.Access) -> None:
        """An atomic object is accessed in another way."""
        if self._is_synchronising(access):
            raise GaveUpError(beyond_orders("an atomic section with atomic objects"))
        if len(places) > 1 or (places[0].address, places[0].size) != (address, access.size):
            raise GaveUpError(beyond_orders("accesses of different sizes to an atomic object"))

    # --- atomic sections ----------------------------------------------------------------------

    def begin_section(self) -> None:
        """All until ``end_section`` is one step."""
        self._in_section = self._had_section = True

    def end_section(self) -> None:
        """The section is over: a reader of what it wrote knows what its thread knows now."""
        section, self._section, self._in_section = self._section, _SectionSoFar(), False
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
            raise GaveUpError(beyond_orders("what threads wait for here, in a program with weak orders"))

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
            raise GaveUpError(beyond_orders("a lock that is accessed atomically"))
        super().lock(address, size)
        self._section.has_effect = True
        self._learn(self._locks.get(address, ()))
        self._touch_bytes(address, size, self._epoch, is_write=True, is_atomic=True)
        self._pass(MemoryOrder.RELAXED, self._epoch)

    def unlock(self, address: int, size: int) -> None:
        """The thread gives a lock back."""
        super().unlock(address, size)
        self._section.has_effect = True
        self._touch_bytes(address, size, self._epoch, is_write=True, is_atomic=True)
        self._pass(MemoryOrder.RELAXED, self._epoch)
        self._release()
        self._locks[address] = self._current

    def _learn(self, clock: Clock) -> None:
        self._set_view(current=joined(self._current, clock))

    def _release(self) -> None:
        """Whoever synchronises with what the thread does now knows all that it did before."""
        self._has_changed = True
        self._set_view(current=raised(self._current, self.thread))

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
        access = RaceableAccess(offset, size, self.thread, is_write, is_atomic, epoch, self.edge.source)
        self._log.add(number, access, self._current)

    def _is_private(self, number: int) -> bool:
        """Whether only the thread can reach an object."""
        return number - self.base in self.rules.private

    # --- lifetimes ----------------------------------------------------------------------------

    def enter(self, slot: int, layout: int, size: int, cells: Cells, kind: int = LOCAL_BLOCK) -> None:
        """A local object begins to live."""
        self._end_life(self.base + slot)
        super().enter(slot, layout, size, cells, kind)

    def leave(self, slot: int) -> None:
        """A local object ceases to live; that others have left it alone must be certain."""
        number = self.base + slot
        if self._log.is_in_use(number, self.thread, self._current):
            raise GaveUpError("a thread uses a local variable of another one that may be gone by then")
        self._end_life(number)
        super().leave(slot)

    def allocate(self, size: int, layout: int, site: int, *, zeroed: bool, text: str) -> int:
        """A new heap block; clearing it writes all of its bytes."""
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
            self._end_life(number, keeps_accesses=True)  # it may be used nevertheless
        super().free(address)

    def fails(self, address: int) -> None:
        """An access is wrong and that is not selected: the run is cut; but it may be a race as well."""
        number = address >> self.map.offset_bits
        is_freed = number not in self.blocks and number >= self.map.heap_base
        is_in_use = self._log.is_in_use(number, self.thread, self._current)
        if is_freed and is_in_use and self.history.finds_races:
            raise GaveUpError("a block may be freed while it is used (ask for --property memory as well)")

    def _end_life(self, number: int, *, keeps_accesses: bool = False) -> None:
        if not keeps_accesses:
            self._log.forget(number)
        life = self._lives.get(number, 0)
        if any(p.life == life and p.address >> self.map.offset_bits == number for p in self.graph.mo):
            self._lives[number] = life + 1

    def scramble(self, function: str, arguments: tuple[int, ...]) -> None:
        """What a function without a model does to atomic objects is unknown."""
        raise GaveUpError(
            Reason(
                f"the unmodelled function `{function}` in a program with weak memory orders",
                Why.NO_MODEL,
                f"`{function}`",
            )
        )

    def other_values(self) -> Iterator[object]:
        """Those that atomic objects had, or have for others."""
        yield from self.graph.initial.values()
        for _, events in self.graph.threads():
            yield from (event.value for event in events)

    # --- threads ------------------------------------------------------------------------------

    def create(self, thread: ThreadState, thread_objects: tuple[tuple[int, Block], ...]) -> int:
        """The new thread knows what its creator knows."""
        self._pass(MemoryOrder.RELAXED, self._epoch)
        self._release()
        self._views.append(ThreadHistory(self._current))
        return super().create(thread, thread_objects)

    def joined(self, handle: int) -> object | None:
        """A join passes on what the thread knew at its end."""
        result = super().joined(handle)
        if result is not None:
            self._has_changed = True
            self._learn(self._views[handle - 1].current)
            self._views[handle - 1] = ThreadHistory()
            self._pass(MemoryOrder.RELAXED, self._epoch)
        return result

    def exit(self, value: object) -> ThreadState:
        """The thread ends."""
        result = super().exit(value)
        self._pass(MemoryOrder.RELAXED, self._epoch)
        self._release()
        return result

    # --- the end of a step --------------------------------------------------------------------

    def freeze(self, thread: ThreadState) -> State:
        """The state after the step, with the running thread at ``thread``."""
        plain = super().freeze(thread)
        before = self.history
        is_same = (
            not self._has_changed
            and self._log.race == before.race
            and plain[:2] == self.state[:2]
            and plain.detached == self.state.detached
        )
        if is_same and not self._had_section and thread == self.state.threads[self.thread]:
            return self.state  # one access, which comes again
        running = [t for t, at in enumerate(plain.threads) if not is_ended(at)]
        accesses = self._log.unknown_to({t: self._views[t].current for t in running})
        has_changed = not is_same or self._has_written
        recent = list(before.recent) + [()] * (len(plain.threads) - len(before.recent))
        recent[self.thread] = self._turned_back(thread, () if has_changed else recent[self.thread], accesses)
        events = list(before.events) + [()] * (len(plain.threads) - len(before.events))
        events[self.thread] = tuple(self.graph.own)
        history = History(
            events=tuple(events),
            mo=tuple(sorted(self.graph.mo.items())),
            initial=tuple(sorted(self.graph.initial.items(), key=itemgetter(0))),
            views=tuple(self._views),
            locks=tuple(sorted(self._locks.items())),
            sections=tuple(sorted(self._sections.items())),
            accesses=accesses,
            lives=tuple(sorted(self._lives.items())),
            recent=tuple(recent),
            race=self._log.race,
            finds_races=before.finds_races,
        )
        return plain._replace(history=history.renumbered())

    def _turned_back(
        self, thread: ThreadState, recent: tuple[Snapshot, ...], accesses: Accesses
    ) -> tuple[Snapshot, ...]:
        """Where the thread has been; if it was here before, it forgets what it read since."""
        if is_ended(thread) or thread[0] not in self.rules.loops:
            return recent
        own = tuple((n, mine) for n, some in accesses if (mine := self._own(some)))
        for index, snapshot in enumerate(recent):
            if (snapshot.thread, snapshot.accesses) == (thread, own):
                del self.graph.own[snapshot.events :]
                self._views[self.thread] = snapshot.view
                return recent[: index + 1]
        return (*recent, Snapshot(thread, len(self.graph.own), self._view, own))

    def _own(self, accesses: tuple[RaceableAccess, ...]) -> tuple[RaceableAccess, ...]:
        return tuple(access for access in accesses if access.thread == self.thread)


def rules_of(code: Code, function: Function) -> Rules:
    """What memory needs to know of a thread template."""
    confined = confined_addresses(code.program.terms, function)
    private = {slot for slot, obj in enumerate(function.objects) if obj.address in confined}
    has_sequential = any(map(_is_sequential, filter(_is_of_user, code.program.edges)))
    return Rules(frozenset(private), find_loops(function).on_cycle, has_sequential)


def _is_of_user(edge: Edge) -> bool:
    """Whether an atomic access is one that the user wrote."""
    return not edge.origin.is_library or edge.origin.function.startswith(INTERLOCKED)


def _is_sequential(edge: Edge) -> bool:
    match edge.instruction:
        case ir.Load(access=access) | ir.Store(access=access):
            return access.order is MemoryOrder.SEQUENTIAL
        case ir.Update(access=access, success=success, failure=failure):
            is_failure = success is not None and failure is MemoryOrder.SEQUENTIAL
            return access.order is MemoryOrder.SEQUENTIAL or is_failure
        case ir.Fence(order=order):
            return order is MemoryOrder.SEQUENTIAL
        case _:
            return False
