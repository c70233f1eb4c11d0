"""Where the threads of a state stand: which run, what they are about to access, and what they wait for.

The search asks this at every state, and from one state to the next one thread has moved. So the answers are
kept for one state and moved to the next by what is different; they cost what has changed, however many
threads there are.

Races and cycles are only suspected here: whether there is one, ``semantics.violations`` says.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sley.base.errors import GaveUpError
from sley.base.persistent import Items, differences
from sley.engines.explore.thresholds import GRANULE, MANY
from sley.program import instructions as ir
from sley.program.program import Edge
from sley.program.rewriting import used_address
from sley.semantics.state import State, ThreadState, is_awaited, is_ended, location_of
from sley.semantics.values import NeedsSplitError
from sley.semantics.violations import NextAccess, StatePredicates, flat_locks, known_section_accesses

Span = tuple[int, int, bool, bool]
"""Of an access: its first byte, that after its last, whether it writes, whether it is atomic."""


class Control(NamedTuple):
    """Where the threads stand, what those at a join wait for, and the holder of each lock."""

    places: tuple[int, ...]
    awaited: tuple[tuple[int, int | None], ...]
    holders: tuple[object, ...]


class Suspicion(NamedTuple):
    """What there may be in a state; what is not suspected is not there."""

    race: bool
    cycle: bool


class ThreadPlaces:
    """The threads of one state, which moves."""

    def __init__(self, predicates: StatePredicates, *, asks_races: bool, asks_deadlocks: bool) -> None:
        self.predicates = predicates
        self.asks_deadlocks = asks_deadlocks
        self.control: Control | None = None
        """None if there are too many threads, or too little is known."""
        self.running: Sequence[int] = ()
        """The threads that have not ended, in order."""
        self.places: dict[int, dict[int, None]] = {}
        """Location -> the threads there."""
        self.meetings = Meetings()
        code = predicates.code
        self.joins = {
            at: edge.instruction.handle
            for at, edge in predicates.waiting.items()
            if isinstance(edge.instruction, ir.Join)
        }
        """Location of a join -> the handle of the thread that is awaited."""
        self.locks = [(cell, address) for address, cell in flat_locks(code).items()]
        self._cells = [cell for cell, _ in self.locks]
        self._accesses = frozenset(
            at for at, edges in code.out.items() if asks_races and any(_is_access(e) for e in edges)
        )
        self._begins = frozenset(
            at
            for at, edges in code.out.items()
            if asks_races and isinstance(edges[0].instruction, ir.AtomicBegin)
        )
        self._waiting = predicates.waiting.keys()
        self._flat_locks = {
            at: flat for at in self._waiting if (flat := predicates.flat_lock_at(at)) is not None
        }
        self._open = frozenset(
            at for at in self._accesses if not all(self._is_constant(e) for e in code.out[at])
        ) | (self._waiting - self._flat_locks.keys() - self.joins.keys())
        """Where it depends on registers what is accessed, or locked."""
        self._threads: Items[ThreadState] = ()
        self._running: list[int] = []
        self._found: dict[int, NextAccess | None] = {}
        """What threads are about to access; None if that is not known."""
        self._unknown = 0
        self._sections: dict[int, list[tuple[int, int]] | None] = {}
        self._known: dict[Control, tuple[tuple[int, ...], Suspicion]] = {}
        self._suspicion: Suspicion | None = None

    def _is_constant(self, edge: Edge) -> bool:
        address = used_address(edge.instruction)
        return address is None or self.predicates.code.program.terms.is_const(address)

    def is_access(self, location: int) -> bool:
        """Whether races are asked for, and a thread here is about to access something."""
        return location in self._accesses or location in self._begins

    def move(self, state: State) -> None:
        """Speak of another state from now on."""
        self._suspicion = None
        self.control = control = self._control_of(state) if len(state.threads) <= MANY else None
        if control is None or not self._open.isdisjoint(control.places):
            self._go_to(state)
            self.running = self._running
            return
        known = self._known.get(control)
        if known is None:
            self._go_to(state)
            known = self._known[control] = tuple(self._running), self._suspected(state)
        self.running, self._suspicion = known

    def suspicion(self, state: State) -> Suspicion:
        """What there may be in the state that this is about."""
        return self._suspicion or self._suspected(state)

    def _suspected(self, state: State) -> Suspicion:
        return Suspicion(self._may_race(), self.asks_deadlocks and self._may_wait_in_cycle(state))

    def _control_of(self, state: State) -> Control | None:
        places = tuple([at[0] for at in state.threads])
        awaited: tuple[tuple[int, int | None], ...] = ()
        if not self.joins.keys().isdisjoint(places):
            try:
                awaited = self.awaited(state, [t for t, at in enumerate(places) if at in self.joins])
            except GaveUpError:  # which is noted when the thread is to step
                return None
        cells = state.cells
        return Control(places, awaited, tuple([cells[cell] for cell in self._cells]))

    def awaited(self, state: State, joining: Iterable[int]) -> tuple[tuple[int, int | None], ...]:
        """The threads that threads at a join wait for; None if they need not."""
        found: list[tuple[int, int | None]] = []
        for thread in joining:
            handle = self.predicates.interpreter.evaluate(
                state, thread, self.joins[location_of(state.threads[thread])]
            )
            found.append((thread, handle - 1 if is_awaited(state, handle) else None))
        return tuple(found)

    def _go_to(self, state: State) -> None:
        for thread, old, new in differences(self._threads, state.threads):
            was, runs = old is not None and not is_ended(old), new is not None and not is_ended(new)
            if was and old is not None:
                self._leave(thread, old[0])
            if runs and new is not None:
                self._come(state, thread, new[0])
            if runs and not was:
                insort(self._running, thread)
            elif was and not runs:
                del self._running[bisect_left(self._running, thread)]
        self._threads = state.threads

    def _leave(self, thread: int, location: int) -> None:
        there = self.places[location]
        del there[thread]
        if not there:
            del self.places[location]
        if location in self._accesses:
            access = self._found.pop(thread)
            if access is None:
                self._unknown -= 1
            else:
                self.meetings.change(access, -1)

    def _come(self, state: State, thread: int, location: int) -> None:
        there = self.places.get(location)
        if there is None:
            there = self.places[location] = {}
        there[thread] = None
        if location in self._accesses:
            try:
                access = self.predicates.standing_access(state, thread)
            except (NeedsSplitError, GaveUpError):
                access = None
            self._found[thread] = access
            if access is None:
                self._unknown += 1
            else:
                self.meetings.change(access, 1)

    # --- races --------------------------------------------------------------------------------

    def _may_race(self) -> bool:
        """Whether there may be a race; false only if there is none."""
        if self._unknown or self.meetings.count:
            return True
        begins = self._begins & self.places.keys() if self._begins else ()
        return any(self._may_meet(location) for location in begins)

    def _may_meet(self, location: int) -> bool:
        """Whether the atomic section here may access what another thread is about to access otherwise."""
        if location not in self._sections:
            self._sections[location] = self._constant_accesses(location)
        known = self._sections[location]
        if known is None:
            return self.meetings.has_plain
        return any(self.meetings.meets_plain(first, end) for first, end in known)

    def _constant_accesses(self, location: int) -> list[tuple[int, int]] | None:
        terms = self.predicates.code.program.terms
        found: list[tuple[int, int]] = []
        for term, size in known_section_accesses(self.predicates.code, location) or [(terms.true, 0)]:
            address = terms.number(term) if size else None
            if address is None:
                return None
            found.append((address, address + size))
        return found

    # --- deadlocks ----------------------------------------------------------------------------

    def _may_wait_in_cycle(self, state: State) -> bool:
        """Whether some threads wait for each other."""
        for location, there in self.places.items():
            if location in self._flat_locks:  # all of them wait for the same one
                if self._comes_back(state, next(iter(there))):
                    return True
            elif location in self._waiting and any(self._comes_back(state, thread) for thread in there):
                return True
        return False

    def _comes_back(self, state: State, thread: int) -> bool:
        """Whether the waits-for relation leads from a thread into a cycle."""
        seen: list[int] = []
        while thread not in seen:
            seen.append(thread)
            flat = self._flat_locks.get(state.threads[thread][0])
            if flat is None:
                wait = self.predicates.waits_for(state, thread)
                if wait is None:
                    return False
                thread = wait.holder
            else:
                holder = state.cells[flat]
                if not isinstance(holder, int) or not 0 < holder <= len(state.threads):
                    return False
                thread = holder - 1
        return True


class Meetings:
    """The accesses that threads are about to make, and how many pairs of them conflict."""

    def __init__(self) -> None:
        self.count = 0
        """Conflicting pairs; pairs that share several granules count several times."""
        self.plain = 0
        """Accesses that are not atomic."""
        self._granules: dict[int, dict[Span, int]] = {}

    @property
    def has_plain(self) -> bool:
        """Whether some access is not atomic."""
        return self.plain > 0

    def change(self, access: NextAccess, by: int) -> None:
        """One more access, or one less."""
        address, size, is_write, is_atomic, _ = access
        if not is_atomic:
            self.plain += by
        if not size:  # a free: of a block of unknown size
            self.count += by
        span = (address, address + size, is_write, is_atomic)
        for granule in range(address >> GRANULE, (address + size - 1 >> GRANULE) + 1):
            spans = self._granules.get(granule)
            if spans is None:
                self._granules[granule] = {span: by}
                continue
            left = spans.get(span, 0) + by
            if by < 0:
                spans[span] = left
            conflicting = sum([count for other, count in spans.items() if conflict(span, other)])
            self.count += by * conflicting
            spans[span] = left
            if not left:
                del spans[span]
                if not spans:
                    del self._granules[granule]

    def meets_plain(self, first: int, end: int) -> bool:
        """Whether an access that is not atomic is to one of these bytes."""
        return any(
            not span[3] and span[0] < end and first < span[1]
            for granule in range(first >> GRANULE, (end - 1 >> GRANULE) + 1)
            for span in self._granules.get(granule, ())
        )


def conflict(a: Span, b: Span) -> bool:
    """Same bytes, one writes, not both atomic."""
    return (a[2] or b[2]) and not (a[3] and b[3]) and a[0] < b[1] and b[0] < a[1]


def _is_access(edge: Edge) -> bool:
    return isinstance(edge.instruction, ir.Accessing | ir.Free)
