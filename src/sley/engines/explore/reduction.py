"""Partial-order reduction by persistent sets.

A set of threads is *persistent* at a state if nothing that the other threads can do, as long as the set does
not move, conflicts with the next step of a thread in the set. It then suffices to take the steps of the set
first: every other interleaving only swaps steps that do not notice each other. The closure below starts with
one thread and adds every thread whose future (what it may do from where it stands, and what the threads that
it may create may do) conflicts with the next step of a member.

Four things keep futures small. A thread that knows which element of an array it will access has that alone in
its future (``analyses.known_accesses``). A thread does not get past a lock that a member of the set holds,
nor past a join that waits for a member. A join depends on no thread but the one it waits for, and the end of
a thread disturbs no other: one that waits for it cannot step before (unless it may do something else, as
`pthread_tryjoin_np` does). And what others cannot observe is not an access at all (see ``semantics.code``).

A thread whose compare-exchange fails, so that it reads again, suffices whatever others do
(``laws.retries``), and so does one that reads ineffectually (``laws.ineffectual``).

The end of the process looks at all memory when leaks are checked, yet conflicts with nothing: a block that is
lost stays lost whatever others do before the end.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, Protocol

from sley.analyses.accesses import ActionEffects, find_accesses
from sley.analyses.effects import ClassEffect
from sley.analyses.known_accesses import KnownAccesses
from sley.base.errors import GaveUpError
from sley.engines.explore.rising import GuessedIneffectualReads
from sley.engines.explore.standing import Control, ThreadPlaces
from sley.laws.retries import Retries
from sley.logic.terms import Term
from sley.semantics.code import Code
from sley.semantics.state import State, is_ended, location_of
from sley.semantics.step import Interpreter
from sley.semantics.values import NeedsSplitError


class Reduction(Protocol):
    """Says which threads suffice at a state."""

    def proposals(self, state: State, standing: ThreadPlaces, last: int) -> Iterable[tuple[int, ...]]:
        """Persistent sets of threads, not all that run, the best first; rather with ``last``."""


class PersistentSets:
    """Proposes persistent sets of threads."""

    def __init__(self, code: Code, interpreter: Interpreter) -> None:
        self.code = code
        self.interpreter = interpreter
        self.accesses: ActionEffects = find_accesses(code.program, is_elsewhere_excluded=True)
        self._noticed = ~(self.accesses.starts | self.accesses.awaited_ends)
        self.known = KnownAccesses(code.program, self.accesses)
        self.retries = Retries(code, interpreter, self.accesses.sharing.points_to)
        self.ineffectual = GuessedIneffectualReads(code, self.accesses.sharing.points_to)
        self._spots: dict[int, Spot] = {}
        """Of threads that know no addresses."""
        self._disturbances: dict[tuple[Spot, Spot, frozenset[int]], bool] = {}
        self._proposals: dict[tuple[int, Control, tuple[Spot, ...]], Remembered] = {}

    def proposals(self, state: State, standing: ThreadPlaces, last: int) -> Iterable[tuple[int, ...]]:
        """A thread that reads ineffectually or tries again, or else sets that are persistent."""
        alone = self.ineffectual.first(state, standing.running)
        if alone is None:
            alone = self.retries.first(state, standing.running)
        persistent = self._persistent(state, standing, last)
        return persistent if alone is None else chain(((alone,),), persistent)

    def _persistent(self, state: State, standing: ThreadPlaces, last: int) -> Iterable[tuple[int, ...]]:
        """Proper subsets of the running threads: single threads in their order, then larger sets by size.

        They depend on where the threads stand, what they wait for, the holder of each lock, and which
        addresses they know, nothing else.
        """
        control = standing.control
        if len(standing.running) < 2:
            return ()
        if control is None:
            return self._singles(state, standing, last)
        order = last_first(standing.running, last)
        spots = tuple([self.spot(state, thread, control.places[thread]) for thread in order])
        found = self._proposals.get((last, control, spots))
        if found is None:
            view = _StateView(self, dict(zip(order, spots, strict=True)), standing.locks, control)
            found = self._proposals[last, control, spots] = Remembered(view.proposals())
        return found

    def spot(self, state: State, thread: int, location: int) -> "Spot":
        """Where a thread stands, and the addresses that it knows."""
        spot = self._spots.get(location)
        if spot is not None:
            return spot
        known = self.known.known(location).all
        spot = Spot(location, tuple([self._address(state, thread, at, term) for at, term in known]))
        if not known:
            self._spots[location] = spot
        return spot

    def _address(self, state: State, thread: int, location: int, term: Term) -> tuple[int, int | None]:
        try:
            return location, self.interpreter.evaluate(state, thread, term)
        except (NeedsSplitError, GaveUpError):
            return location, None

    def _singles(self, state: State, standing: ThreadPlaces, last: int) -> Iterator[tuple[int, ...]]:
        """Threads that suffice by themselves: the last one, or else the first ones of those in one place."""
        places = standing.places
        awaited = dict(standing.awaited(state, [t for at in standing.joins for t in places.get(at, ())]))
        holders = tuple([state.cells[cell] for cell, _ in standing.locks])
        counts = {location: len(there) for location, there in places.items()}

        def suffices(thread: int) -> bool:
            location, left = location_of(state.threads[thread]), counts.copy()
            here = Spot(location)
            for other in (thread, *(t for t, whom in awaited.items() if whom == thread)):
                left[location_of(state.threads[other])] -= 1
            others = [at for at, count in left.items() if count]
            held = self.accesses.staying_blocked(others, held_by(standing.locks, holders, {thread}))
            disturbing = (at for at in others if self.disturbs(Spot(at), here, held))
            return awaited.get(thread) is None and not any(disturbing)

        if not is_ended(state.threads[last]) and suffices(last):
            yield (last,)
        for thread in sorted(min(there) for there in places.values()):
            if thread != last and suffices(thread):
                yield (thread,)

    def disturbs(self, other: "Spot", spot: "Spot", held: frozenset[int]) -> bool:
        """Whether a thread at ``other`` may do what conflicts with the action at ``spot``."""
        key = (other, spot, held)
        found = self._disturbances.get(key)
        if found is None:
            future = self._effect(self._future(other, held))
            action = self.known.action(spot.location, dict(spot.addresses))
            found = self._effect(action).conflicts_with(future)
            self._disturbances[key] = found
        return found

    def _future(self, spot: "Spot", held: frozenset[int]) -> ClassEffect:
        if not spot.addresses:
            return self.accesses.future_until(spot.location, held)
        return self.known.future(spot.location, held, dict(spot.addresses))

    def _effect(self, effect: ClassEffect) -> ClassEffect:
        return ClassEffect(effect.reads & self._noticed, effect.writes & self._noticed)


class Spot(NamedTuple):
    """Where a thread stands, with what it knows of addresses."""

    location: int
    addresses: tuple[tuple[int, int | None], ...] = ()
    """Locations of accesses, and where they go."""


class Remembered:
    """Proposals that are made when first asked for."""

    def __init__(self, more: Iterator[tuple[int, ...]]) -> None:
        self._made: list[tuple[int, ...]] = []
        self._more = more

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        yield from self._made
        for made in self._more:
            self._made.append(made)
            yield made


@dataclass(frozen=True, slots=True)
class _StateView:
    """What the closure needs to know about a state."""

    sets: PersistentSets
    where: dict[int, Spot]
    """The threads in order, with their places."""
    locks: list[tuple[int, int]]
    control: Control

    def proposals(self) -> Iterator[tuple[int, ...]]:
        """The persistent sets that grow from single threads, without the set of all."""
        others: list[int] = []
        for thread in self.where:
            if self._disturbing({thread}) is None:
                yield (thread,)
            else:
                others.append(thread)
        grown: dict[tuple[int, ...], None] = {}
        known: set[int] = set()
        """Threads for which some other one at the same place, that is in their set, stands."""
        for thread in others:
            if thread not in known:
                grown[members := self._closure({thread})] = None
                known.update(self._alike(thread) & set(members))
        yield from sorted((members for members in grown if len(members) < len(self.where)), key=len)

    def _closure(self, members: set[int]) -> tuple[int, ...]:
        """The smallest persistent set with these members."""
        while (extra := self._disturbing(members)) is not None:
            members |= self._alike(extra) | {extra}
        return tuple(sorted(members))

    def _alike(self, thread: int) -> set[int]:
        """Those at its place that hold no lock, do not wait and are not waited for: they disturb alike."""
        involved = {t for pair in self.control.awaited for t in pair} | {
            holder - 1 for holder in self.control.holders if isinstance(holder, int)
        }
        if thread in involved:
            return set()
        at = self.where[thread]
        return {other for other, place in self.where.items() if place == at} - involved

    def _disturbing(self, members: set[int]) -> int | None:
        """A thread outside the set that can disturb a step of the set."""
        awaited = dict(self.control.awaited)
        others: dict[Spot, int] = {}
        """Place -> the first of the others there."""
        for thread, at in self.where.items():
            # a thread that joins a member cannot move before it
            if at not in others and thread not in members and awaited.get(thread, -1) not in members:
                others[at] = thread
        locks = held_by(self.locks, self.control.holders, members)
        held = self.sets.accesses.staying_blocked([spot.location for spot in others], locks)
        here = dict.fromkeys(self.where[member] for member in members)
        for at, thread in others.items():
            if any(self.sets.disturbs(at, member, held) for member in here):
                return thread
        needed = {awaited.get(member) for member in members}
        return next((thread for thread in self.where if thread in needed and thread not in members), None)


def held_by(locks: list[tuple[int, int]], holders: tuple[object, ...], members: set[int]) -> frozenset[int]:
    """The addresses of the locks that the members hold."""
    handles = {thread + 1 for thread in members}
    return frozenset(
        address for (_, address), holder in zip(locks, holders, strict=True) if holder in handles
    )


def last_first(running: Sequence[int], last: int) -> tuple[int, ...]:
    """The threads in order, but the last one that acted before the others."""
    if last not in running:
        return tuple(running)
    return (last, *(thread for thread in running if thread != last))
