"""Threads that may be exchanged: it makes no difference which of them has which id.

States *stand for each other* if they differ in this alone: which id each of some threads has, all of them
of those that may be exchanged in that state. ``key`` is the same for two states only if they do. A proof
whose successors are in it up to that is as good as any other. This is symmetry reduction (Clarke, Enders,
Filkorn, Jha 1996; Emerson, Sistla 1996; Ip, Dill 1996) of a search with persistent sets (Emerson, Jha,
Peled 1997), where the group is that of all permutations of the ids of exchangeable threads.

*Steps do not look at ids.* Let p be a permutation of ids that keeps the first thread's, 0. p(s) is s with
the states, local objects and detachments of threads moved, and with handles renamed where threads leave
their own (``OwnHandles``: registers, and cells such as the owners of locks). Whatever thread t does in s,
thread p(t) does in p(s), and it leads to p of what it leads to in s. For ``handle_typing`` sees to it that

* a place that may hold an own handle holds nothing but own handles, 0 or 1 (nobody's, and the first
  thread's), and these values are moved, or compared with each other, and nothing else;
* local objects of created threads are accessed directly, so their addresses are nowhere;
* Join and Detach, which look at whom a number names, are instructions of the first thread alone.

All else that has to do with ids is the same in s and p(s): numbers that Create hands out depend on how many
threads there are, and are numbers like others to all but Join and Detach; numbers of heap blocks and of
undetermined values do not depend on ids.

*Joins do not notice.* The first thread is not permuted, nor are the numbers that it will join. So p(s) and
s behave alike if it joins and detaches nobody any more. They also do if it stands before a *chain* of
joins, with nothing in between that others could notice and with results that nobody uses, and p moves only
those that it will join in the chain. Say a(s) is s without the place of the first thread in its chain, and
without members of the chain that have ended. Then a(p(s)) is p(a(s)), a join in the chain of a thread that
has ended does not change a(s), and any other step does the same to it in all states with the same a(s). The
chain is over when all its members have ended, in whichever order. So s and p(s) come to the same
violations, up to joins in the chain: at most as many as there are threads.

What violates depends on a(s) alone: steps to error locations and races, since the first thread accesses
nothing that another can reach; that nobody can step, once the first thread has joined whom it can; lost
memory, since no thread of a program with a heap ends with an address. A cycle of threads that wait for each
other depends on whom the first thread waits for only if somebody waits for the first one; so in a chain
threads are exchanged only while it holds no lock.

*With persistent sets.* Let w be a shortest run to a violation from a state s of the proof, not counting
joins in chains, which are put off as long as possible. If all threads are taken at s, or the first step of
w that is taken there is, what follows has a shorter such run, or as long a one with fewer joins in it.
Otherwise the steps of w do not disturb those taken, so w is possible after them; and this happens finitely
often in a row, as there is no cycle of such states in the proof, whose states are those that stand for each
other.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property

from sley.analyses.graphs import reachable
from sley.analyses.own_handles import find_own_handles
from sley.analyses.pointers import PointsTo
from sley.base.errors import GaveUpError
from sley.base.persistent import replaced
from sley.evidence.closed_states.handle_typing import FIXED, Typing
from sley.program import instructions as ir
from sley.program.rewriting import written_registers
from sley.semantics.machine import Machine
from sley.semantics.state import EXITED, GONE, State, is_ended, location_of
from sley.semantics.values import NeedsSplitError


class Exchange:
    """Says which threads of a state may be exchanged."""

    def __init__(self, machine: Machine, points_to: PointsTo, is_unnoticed: Callable[[int], bool]) -> None:
        self.machine = machine
        self.code = machine.code
        self.points_to = points_to
        self.is_unnoticed = is_unnoticed
        """Whether others cannot notice the action at a location: they cannot reach what it accesses."""
        self.own = find_own_handles(self.code.program, points_to)
        self.is_possible = Typing(self.code, points_to, self.own).is_kept()
        """Whether threads of this program can be told apart by nothing but their states."""
        self._chains: dict[object, tuple[int, ...]] = {}
        self._positions: dict[int, tuple[int, ...]] = {EXITED: (), GONE: ()}
        self._slots: dict[int, int] = {EXITED: 0, GONE: 0}

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """The flat cells that may hold own handles."""
        return tuple(
            first + index
            for number, (first, table, size, _) in self.code.memory_map.flat.items()
            for index in range(table.layout.count(size))
            if self._classes_of(number) >> index & 1
        )

    def _classes_of(self, number: int) -> int:
        """The cells of a global object with own handles, one bit each."""
        points_to = self.points_to
        obj = points_to.objects.of_static(number)
        assert obj is not None
        partition = points_to.classes.partitions[obj]
        return (self.own.classes & partition.all_bytes) >> partition.first

    def positions(self, location: int) -> tuple[int, ...]:
        """Where the state of a thread here has registers that may hold own handles."""
        found = self._positions.get(location)
        if found is None:
            name = self.code.function_at[location].name
            live = enumerate(self.code.live[location], 1)
            found = tuple(at for at, register in live if (name, register.term) in self.own.registers)
            self._positions[location] = found
        return found

    # --- who ----------------------------------------------------------------------------------------

    def threads(self, state: State) -> tuple[int, ...]:
        """The threads that may be exchanged, in the order in which they will be joined, if they will."""
        if not self.is_possible or len(state.threads) < 3 or state.history is not None:
            return ()
        first = state.threads[0]
        if is_ended(first) or location_of(first) not in self._observing:
            return tuple(range(1, len(state.threads)))
        if location_of(first) not in self.idle or FIXED in [state.cells[cell] for cell in self.cells]:
            return ()
        found: list[int] = []
        for thread in self._chain(state):
            if state.detached >> thread & 1 or state.threads[thread][0] == GONE:
                break
            found.append(thread)
        return tuple(found)

    @cached_property
    def _observing(self) -> frozenset[int]:
        """Where the first thread may still join or detach somebody."""
        edges = [
            edge for edge in self.code.program.edges if isinstance(edge.instruction, ir.Join | ir.Detach)
        ]
        before: dict[int, list[int]] = {}
        for edge in self.code.program.edges:
            before.setdefault(edge.target, []).append(edge.source)
        return reachable(tuple(edge.source for edge in edges), {at: tuple(b) for at, b in before.items()})

    @cached_property
    def idle(self) -> frozenset[int]:
        """Where the next step is a join with a result that nobody uses, or nothing that others notice."""
        main = self.code.program.functions[self.code.program.entry]
        return frozenset(at for at in main.outgoing if at in self.code.stops and self._is_idle(at))

    def _is_idle(self, location: int) -> bool:
        edges = [e for e in self.code.out[location] if not isinstance(e.instruction, ir.Fault)]
        if len(edges) != 1:
            return False
        instruction = edges[0].instruction
        if isinstance(instruction, ir.Join):
            live = self.code.live[edges[0].target]
            return all(register not in live for register in written_registers(instruction))
        return isinstance(instruction, ir.Load) and self.is_unnoticed(location)

    def _chain(self, state: State) -> tuple[int, ...]:
        """Whom the first thread joins, one after another, as soon as they have ended."""
        key = (
            state.threads[0],
            len(state.threads),
            tuple([state.cells[cell] for cell in self._read_when_idle]),
            tuple([state.blocks.get(number) for number in self.local_numbers(state, 0)]),
        )
        found = self._chains.get(key)
        if found is None:
            found = self._chains[key] = tuple(self._follow_chain(state))
        return found

    @cached_property
    def _read_when_idle(self) -> tuple[int, ...]:
        """The flat cells that the first thread may read between joins."""
        points_to, flat = self.points_to, self.code.memory_map.flat
        objects = 0
        for at in self.idle & frozenset(points_to.access_locations):
            objects |= points_to.targets(at).objects
        return tuple(
            cell
            for number, (first, table, size, _) in flat.items()
            if objects >> (points_to.objects.of_static(number) or 0) & 1
            for cell in range(first, first + table.layout.count(size))
        )

    def _follow_chain(self, state: State) -> list[int]:
        """Let those end that are to be joined, and see whom it comes to next."""
        found: list[int] = []
        state = state._replace(detached=0)
        while (location := location_of(state.threads[0])) in self.idle:
            instruction = next(
                e.instruction for e in self.code.out[location] if not isinstance(e.instruction, ir.Fault)
            )
            try:
                if isinstance(instruction, ir.Join):
                    thread = self.machine.interpreter.evaluate(state, 0, instruction.handle) - 1
                    if not 0 < thread < len(state.threads) or thread in found:
                        break
                    found.append(thread)
                    state = state._replace(threads=replaced(state.threads, thread, (EXITED, 0)))
                outcomes = self.machine.successors(state, 0)
            except (NeedsSplitError, GaveUpError):
                break
            if len(outcomes) != 1 or outcomes[0].choices or outcomes[0].state is None:
                break
            state = outcomes[0].state
        return found

    # --- states up to exchange ----------------------------------------------------------------------

    def key(self, state: State) -> object:
        """Equal for two states only if they stand for each other."""
        threads = self.threads(state)
        bundles = None if len(threads) < 2 else self.bundles(state, threads)
        if bundles is None:
            return state
        handles = {thread + 1 for thread in threads}
        cells, blocks, detached = state.cells, state.blocks, state.detached
        for cell in self.cells:
            if cells[cell] in handles:
                cells = replaced(cells, cell, -1)
        for thread in threads:
            detached &= ~(1 << thread)
            for number in self.local_numbers(state, thread):
                blocks = blocks.replaced(number, None) if number in blocks else blocks
        others = tuple(None if t in handles else at for t, at in enumerate(state.threads, 1))
        return threads, cells, blocks, others, detached, frozenset(Counter(bundles).items())

    def distinct(self, state: State, threads: Sequence[int]) -> tuple[int, ...]:
        """One for each of some threads that are alike: what one of them does, the others do by another id."""
        exchanged = self.threads(state)
        bundles = None if len(exchanged) < 2 else self.bundles(state, exchanged)
        if bundles is None:
            return tuple(threads)
        bundle_of = dict(zip(exchanged, bundles, strict=True))
        found = {bundle_of.get(thread, thread): thread for thread in reversed(threads)}
        return tuple(reversed(found.values()))

    def bundles(self, state: State, threads: tuple[int, ...]) -> list[object] | None:
        """What belongs to each of some threads, without its id; None if they know each other's handles."""
        handles = {thread + 1 for thread in threads}
        held: dict[object, tuple[int, ...]] = {}
        for cell in self.cells:
            value = state.cells[cell]
            if not isinstance(value, int):
                return None
            held[value] = (*held.get(value, ()), cell)
        states = state.threads
        for thread, at in enumerate(states) if self.own.registers else ():
            for position in self.positions(at[0]):
                value = at[position]
                if not isinstance(value, int) or (value in handles and value != thread + 1):
                    return None
                if value == thread + 1:
                    at = (*at[:position], None, *at[position + 1 :])
                    states = replaced(states, thread, at)
        return [
            (
                states[thread],
                state.detached >> thread & 1,
                held.get(thread + 1),
                tuple([state.blocks.get(number) for number in self.local_numbers(state, thread)]),
            )
            for thread in threads
        ]

    def local_numbers(self, state: State, thread: int) -> range:
        """The numbers that local objects of a thread may have."""
        location = location_of(state.threads[thread])
        count = self._slots.get(location)
        if count is None:
            count = self._slots[location] = len(self.code.function_at[location].objects)
        first = self.code.program.local_number(thread, 0)
        return range(first, first + count)
