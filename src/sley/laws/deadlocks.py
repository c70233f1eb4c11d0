"""Whether threads may wait for each other for ever: by the order in which they take locks.

A deadlock is a state in which a thread is blocked and none can step, or one in which threads wait
for each other in a circle (``semantics.violations``). Claim: if nothing is ``stuck`` here, there is
none.

A blocked thread stands at a Lock, a Join, an Await, or before an atomic section that cannot be
completed. An Await outside of sections, and a section for which ``semantics.abstract.sections`` has
no way through, are stuck. So is a Lock whose cell may hold something else than 0 or the handle of
the thread that took it: of memory that the thread owns, whatever is not 0; of other memory, where
anything but 0 is written. What then is in the cell is the handle of a thread that took this lock
and has not given it back. If that one has ended, it ended with the lock, which is stuck. So a
blocked thread waits for a thread that runs: one that has the lock, or is joined.

In a deadlock of either kind there is therefore a circle of threads, each of which waits for the
next. Draw an arrow from x to y for each wait for y, from all that the waiting thread may have: its
locks, and its own end. Each thread of the circle has what the one before waits for; so the arrows
of their waits make a closed walk, and contain a circle in which no node occurs twice. Its waits are
those of different threads, all at once: any two of them may run beside each other and have no lock
both. If there is no such circle, there is no deadlock.

A node is the cell of a lock, in all instances of its object at once, or all threads of one kind.
Which cells a lock is that is known by a name: what the name may stand for; else all that threads of
the kind may take.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from sley.analyses.graphs import components
from sley.analyses.ranges import Fact
from sley.laws.races import Threads, is_kept, settle_races
from sley.laws.settled import Place, Settled
from sley.program.memory import NO_ADDRESS
from sley.program.program import Program
from sley.semantics.abstract.contexts import Context
from sley.semantics.abstract.facts import LOCK_SIZE, FactReader
from sley.semantics.abstract.objects import ObjectCell
from sley.semantics.abstract.sections import ProgramSections
from sley.semantics.abstract.state import AbstractState, Lock
from sley.semantics.abstract.values import NOTHING, Token, Value, object_of, shifted, union, without_symbol
from sley.semantics.abstract.world import PossibleWait

MOST_STEPS = 100_000
"""So many when circles are looked for; after that there may be one."""

Node = ObjectCell | int
"""The cell of a lock; or a kind of threads, whose end may be waited for."""

WAITS = "a thread may wait for ever"
CIRCLE = "threads may wait for each other"


class WaitsFor(NamedTuple):
    """A thread that has the one node waits for the other."""

    target: Node
    wait: PossibleWait


class Deadlocks:
    """Looks for waits without end."""

    def __init__(
        self,
        settled: Settled,
        facts: FactReader,
        threads: Threads,
        is_once: Callable[[int], bool],
        given: Callable[[Token], Value | None],
    ) -> None:
        self.settled = settled
        self.facts = facts
        self.threads = threads
        self.is_once = is_once
        self.given = given
        """What the name of a parameter may stand for; None: that is not known."""
        self._gates: dict[frozenset[Lock], frozenset[Lock]] = {}

    def settle(self) -> None:
        """Say where threads may wait for ever."""
        program = self.facts.objects.program
        self._stuck(self.settled.staying, WAITS)
        sections = ProgramSections(program)
        for place in sorted(self.settled.sections):
            function = program.functions[self.settled.functions[place[0]]]
            if not sections.can_complete(function, self.settled.edges[place]):
                self._stuck([place], WAITS)
        for wait, places in self.settled.waits.items():
            if not all(map(self._is_lock, wait.cells)):
                self._stuck(places, WAITS)
        self._settle_kept()
        found = _circle(self._arrows(), self._are_at_once)
        if found is not None:
            self._stuck(self.settled.waits[found], CIRCLE)

    def _stuck(self, places: Iterable[Place], reason: str) -> None:
        for place in sorted(places):
            self.settled.stuck.setdefault(place, reason)

    def _is_lock(self, cell: ObjectCell) -> bool:
        """Whether a cell holds 0 or the owner of the lock, and has no bytes in common with another one."""
        others = {one for taken in self.settled.taken.values() for one in taken} - {cell}
        return self.facts.is_lock(cell) and not any(self.facts.objects.meet(cell, one) for one in others)

    def _settle_kept(self) -> None:
        """Locks that a thread may have when it ends are not to be waited for by another one."""
        for (thread, locks), ends in self.settled.kept.items():
            cells = self._cells(thread, locks)
            for wait in self.settled.waits:
                is_other = wait.thread != thread or thread in self.threads.many
                if is_other and not cells.isdisjoint(wait.cells):
                    self._stuck(ends, "a thread may end with a lock that others wait for")

    def _cells(self, thread: int | None, locks: frozenset[Lock] | None) -> set[ObjectCell]:
        """All that these locks may be; None: any that such a thread may take."""
        found: set[ObjectCell] = set()
        for lock in locks or ():
            made = self._cells_of(lock)
            if made is None:
                locks = None
                break
            found.update(made)
        return set(self.settled.taken.get(thread, ())) if locks is None else found

    def _cells_of(self, lock: Lock) -> tuple[ObjectCell, ...] | None:
        base, distance = lock
        if isinstance(base, int):
            return self._cells_at(base, Fact(distance, distance, distance, 0))
        value = self.given(base) if base[0] == "parameter" else self.settled.named.get(base)
        if value is None:
            return None
        numbers = value.number
        if numbers is not None and (numbers.low < -NO_ADDRESS or numbers.high > NO_ADDRESS):
            return None
        found: list[ObjectCell] = []
        for reference, at in value.places:
            found += self._cells_at(object_of(reference), shifted(at, distance))
        return tuple(found) if all(cell.size for cell in found) else None

    def _cells_at(self, obj: int, offsets: Fact) -> tuple[ObjectCell, ...]:
        return self.facts.objects.cells(obj, offsets, LOCK_SIZE)[0]

    def _arrows(self) -> dict[Node, list[WaitsFor]]:
        """From each node; of those that cannot be told apart, one."""
        found: dict[Node, dict[object, WaitsFor]] = {}
        for wait in self.settled.waits:
            locks = None if wait.maybe is None else wait.held | wait.maybe
            sources: set[Node] = {*self._cells(wait.thread, locks)}
            if wait.thread is not None:
                sources.add(wait.thread)
            circumstances = (wait.thread, wait.running, self._sure(wait.held))
            targets: tuple[Node, ...] = (*wait.cells, *wait.threads)
            for target in targets:
                for source in sources:
                    found.setdefault(source, {})[target, circumstances] = WaitsFor(target, wait)
        return {source: list(arrows.values()) for source, arrows in found.items()}

    def _are_at_once(self, one: PossibleWait, other: PossibleWait) -> bool:
        """Whether two threads may wait so at the same time."""
        is_beside = self.threads.may_run_beside(one, other)
        return is_beside and self._sure(one.held).isdisjoint(self._sure(other.held))

    def _sure(self, held: frozenset[Lock]) -> frozenset[Lock]:
        """Those that no two threads can have."""
        if held not in self._gates:
            self._gates[held] = frozenset(
                (obj, offset)
                for obj, offset in held
                if isinstance(obj, int) and self.is_once(obj) and is_kept(self.facts, obj, offset)
            )
        return self._gates[held]


def settle_threads(
    settled: Settled,
    facts: FactReader,
    threads: Threads,
    is_once: Callable[[int], bool],
    given: Callable[[Token], Value | None],
) -> None:
    """Say of each access whether it may race, and where threads may wait for ever."""
    threads.started_once(facts.objects, is_once)
    settle_races(settled, facts, threads, is_once)
    Deadlocks(settled, facts, threads, is_once, given).settle()


def given_by(
    program: Program, contexts: Sequence[Context], states_at: Callable[[int, int], Iterable[AbstractState]]
) -> Callable[[Token], Value | None]:
    """What parameters are, by the states in which functions start; None if one of them does not say."""

    def given(token: Token) -> Value | None:
        _, index, position = token
        function = program.functions[contexts[index].function]
        made = NOTHING
        for state in states_at(index, function.entry):
            value = state.registers.get(function.parameters[position].term)
            if value is None:
                return None
            made = union(made, without_symbol(value))
        return None if made is NOTHING else made

    return given


def _circle(
    arrows: dict[Node, list[WaitsFor]], are_at_once: Callable[[PossibleWait, PossibleWait], bool]
) -> PossibleWait | None:
    """A wait in a circle of nodes that occur once, of waits that can all be at once; None: there is none."""
    numbers = {node: index for index, node in enumerate(_nodes(arrows))}
    successors = {
        numbers[node]: [numbers[arrow.target] for arrow in leaving] for node, leaving in arrows.items()
    }
    component = {}
    for index, members in enumerate(components(numbers.values(), successors)):
        component.update(dict.fromkeys(members, index))
    steps = 0
    for first in arrows:
        waiting: list[tuple[Node, tuple[PossibleWait, ...], frozenset[Node]]] = [(first, (), frozenset())]
        while waiting:
            node, waits, passed = waiting.pop()
            for target, wait in arrows.get(node, ()):
                if component[numbers[target]] != component[numbers[first]] or target in passed:
                    continue
                steps += 1
                is_possible = all(are_at_once(wait, other) for other in waits)
                if (is_possible and target == first) or steps > MOST_STEPS:
                    return wait
                if is_possible and numbers[target] > numbers[first]:
                    waiting.append((target, (*waits, wait), passed | {target}))
    return None


def _nodes(arrows: dict[Node, list[WaitsFor]]) -> Iterator[Node]:
    seen: dict[Node, None] = {}
    for node, leaving in arrows.items():
        seen[node] = None
        for arrow in leaving:
            seen[arrow.target] = None
    yield from seen
