"""One state for all that differ in which of some threads has which id.

Which threads are symmetric, and why that is sound together with persistent sets, is in
``laws.thread_symmetry``, by which the proof is checked. Here threads are sorted: the state that
the search goes on with is a state of the program, with ids renamed, and with those last that have ended:
a thread that joins them in turn does so when all have ended, not now one and now another. The order is that
in which threads of a kind were first met. It need not be perfect: where two states stand for each other and
are not sorted alike, both are searched.

A schedule has to be one of the program with the ids as they are (``schedules``). Each arrival at a state
knows how ids were renamed there. And the first thread may join sooner or later by the real ids, so its joins
are put where they fit: before it goes on to something else.
"""

from collections.abc import Iterator, Sequence
from math import inf

from sley.analyses.effects import NOTHING
from sley.analyses.own_handles import ADDRESS, HANDLE
from sley.analyses.threads import Creations
from sley.base.persistent import PersistentTable, items, replaced
from sley.engines.explore.reduction import PersistentSets
from sley.engines.explore.thresholds import MOST_KNOWN
from sley.laws.thread_symmetry import ThreadSymmetry
from sley.semantics.machine import StateMachine, Successor
from sley.semantics.state import Block, CellValue, State, is_ended, location_of

Renaming = tuple[int, ...]
"""Thread -> what it is called from now on; empty if nothing changes."""

LAST = inf
"""The rank of threads that have ended."""


class Symmetry:
    """Sorts the threads of states."""

    def __init__(self, law: ThreadSymmetry) -> None:
        self.law = law
        self.is_used = False
        """Whether some state was not taken as it is."""
        self._known: dict[State, tuple[State, Renaming]] = {}
        """What was sorted lately."""

    def sorted(self, state: State) -> tuple[State, Renaming]:
        """A state that stands for this one, and how threads are called there."""
        found = self._known.get(state)
        if found is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            found = self._known[state] = self._sorted(state)
        return found

    def _sorted(self, state: State) -> tuple[State, Renaming]:
        threads = self.law.threads(state)
        kinds = self.law.kinds(state, threads) if len(threads) > 1 else None
        if kinds is None:
            return state, ()
        ranks = [
            LAST if is_ended(state.threads[thread]) else kind
            for thread, kind in zip(threads, kinds, strict=True)
        ]
        order = sorted(range(len(threads)), key=ranks.__getitem__)
        if all(at == place for place, at in enumerate(order)):
            return state, ()
        self.is_used = True
        renaming = list(range(len(state.threads)))
        for place, at in enumerate(order):
            renaming[threads[at]] = threads[place]
        return self.renamed(state, renaming), tuple(renaming)

    def renamed(self, state: State, renaming: Sequence[int]) -> State:
        """The state with threads called otherwise, wherever something of them is."""
        moved = [(old, new) for old, new in enumerate(renaming) if old != new]
        threads, detached = list(state.threads), state.detached
        for old, at in enumerate(state.threads):
            for position, kind in self.law.names.positions(at[0]):
                at = (*at[:position], self._value(kind, at[position], renaming), *at[position + 1 :])
            threads[renaming[old]] = at
        for _, new in moved:
            detached &= ~(1 << new)
        for old, new in moved:
            detached |= (state.detached >> old & 1) << new
        cells = state.cells
        for cell, kind in self.law.names.cells:
            if (value := self._value(kind, cells[cell], renaming)) != cells[cell]:
                cells = replaced(cells, cell, value)
        return State(cells, self._moved_blocks(state, renaming), items(threads), detached)

    def _moved_blocks(self, state: State, renaming: Sequence[int]) -> PersistentTable[Block]:
        """The local objects of threads with their new numbers, and with other addresses in them."""
        blocks, slots = state.blocks, self.law.code.program.local_slots
        found: list[tuple[int, Block]] = []
        for old, new in enumerate(renaming):
            cells = self.law.names.local_cells(location_of(state.threads[old]))
            for slot, number in enumerate(self.law.names.local_numbers(state, old)):
                if (block := state.blocks.get(number)) is None or (old == new and slot not in cells):
                    continue
                blocks = blocks.replaced(number, None)
                values = block.cells
                for cell in cells.get(slot, ()):
                    values = replaced(values, cell, self._value(ADDRESS, values[cell], renaming))
                moved = block if values is block.cells else block.with_cells(values)
                found.append((number + (new - old) * slots, moved))
        for number, block in found:
            blocks = blocks.replaced(number, block)
        return blocks

    def _value(self, kind: int, value: CellValue, renaming: Sequence[int]) -> CellValue:
        """A handle, a set, or an address of threads that are called otherwise; other values as they are."""
        if not isinstance(value, int):
            return value
        if kind == ADDRESS:
            return self._address(value, renaming)
        if kind == HANDLE:
            return renaming[value - 1] + 1 if 0 < value <= len(renaming) else value
        field = (1 << kind) - 1
        moved = sum((value >> old * kind & field) << new * kind for old, new in enumerate(renaming))
        return value >> len(renaming) * kind << len(renaming) * kind | moved

    def _address(self, value: int, renaming: Sequence[int]) -> int:
        program = self.law.code.program
        number, offset = program.pointers.number(value), program.pointers.offset(value)
        local = program.local_slot(number)
        if local is None or local[0] >= len(renaming):
            return value
        moved = program.local_number(renaming[local[0]], local[1])
        return moved << program.pointers.offset_bits | offset

    def distinct(self, state: State, threads: tuple[int, ...]) -> tuple[int, ...]:
        """One of each kind of threads that are alike."""
        found = self.law.distinct(state, threads)
        self.is_used = self.is_used or len(found) < len(threads)
        return found

    def alone(self, state: State, running: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """A thread that uses an object unknown to all others, if there is one."""
        for thread in running:
            if self.law.is_alone(state, thread):
                self.is_used = True
                yield (thread,)
                return

    def is_idle(self, state: State, thread: int, outcomes: Sequence[Successor]) -> bool:
        """Whether the step of the thread is a join, or what comes between joins: it can be put off."""
        if thread or len(state.threads) == 1 or len(outcomes) != 1:
            return False
        if location_of(state.threads[0]) not in self.law.idle:
            return False
        (only,) = outcomes
        is_error = location_of(only.thread) in self.law.code.errors
        return only.state is not None and not only.choices and not is_error


def symmetry_of(machine: StateMachine, reduction: PersistentSets) -> Symmetry | None:
    """None if there are no threads, or they can be told apart."""
    if not any(Creations(machine.code.program).edges.values()):
        return None
    accesses = reduction.accesses
    law = ThreadSymmetry(machine, accesses.sharing.points_to, lambda at: accesses.action(at) == NOTHING)
    if not law.is_possible:
        return None
    reduction.ineffectual.leave_out({cell for cell, _ in law.names.cells})
    return Symmetry(law)
