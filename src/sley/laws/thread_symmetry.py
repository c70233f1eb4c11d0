"""Thread symmetry: it makes no difference which of some threads has which id.

States *stand for each other* if they differ in this alone: which id each of some threads has, all
of them of the symmetric ones of that state. ``key`` is the same for two states only if they do. A
proof whose successors are in it up to that is as good as any other. This is symmetry reduction
(Clarke, Enders, Filkorn, Jha 1996; Emerson, Sistla 1996; Ip, Dill 1996) of a search with persistent
sets (Emerson, Jha, Peled 1997), where the group is that of all permutations of the ids of symmetric
threads.

*Steps do not look at ids.* Let p be a permutation of ids that keeps the first thread's, 0. p(s) is
s with the states, local objects and detachments of threads moved, and with handles renamed where
threads leave their own (``OwnHandles``: registers, and cells such as the owners of locks), and in
sets of threads (those that wait at a barrier, or for a condition; how often each reads). Whatever thread
t does in s, thread p(t) does in p(s), and it leads to p of what it leads to in s. For
``handle_typing`` sees to it that

* a place that may hold an own handle holds nothing but own handles, 0 or 1 (no thread's, and the
  first thread's), and these values are moved, or compared with each other, and nothing else;
* a place that may hold a set holds nothing but sets, of which sets are made that treat all threads
  alike, or some member is chosen, any of them; they are compared with each other, and nothing else
  is done;
* so are the addresses of local objects of created threads, which are accessed, too; or the objects
  are accessed directly, so that their addresses are nowhere;
* Join and Detach, which look at the thread that a number names, are instructions of the first thread alone.

All else that has to do with ids is the same in s and p(s): numbers that Create hands out depend on
how many threads there are, and are numbers like others to all but Join and Detach; numbers of heap
blocks and of undetermined values do not depend on ids.

*Joins do not notice.* The first thread is not permuted, nor are the numbers that it will join. So
p(s) and s behave alike if it joins and detaches no thread any more. They also do if it stands
before a *chain* of joins, with nothing in between that others could notice and with unused results,
and p moves only those that it will join in the chain. Say a(s) is s without the place of the first
thread in its chain, and without members of the chain that have ended. Then a(p(s)) is p(a(s)), a
join in the chain of a thread that has ended does not change a(s), and any other step does the same
to it in all states with the same a(s). The chain is over when all its members have ended, in
whichever order. So s and p(s) come to the same violations, up to joins in the chain: at most as
many as there are threads.

What violates depends on a(s) alone: steps to error locations and races, since the first thread
accesses nothing that another can reach; that no thread can step, once the first one has joined
those that it can; lost memory, since no thread of a program with a heap ends with an address. A
cycle of threads that wait for each other depends on what the first thread waits for only if another
one waits for it; so in a chain threads are symmetric only while it holds no lock.

*With persistent sets.* Let w be a shortest run to a violation from a state s of the proof, not
counting joins in chains, which are put off as long as possible. If all threads are taken at s, or
the first step of w that is taken there is, what follows has a shorter such run, or as long a one
with fewer joins in it. Otherwise the steps of w do not disturb those taken, so w is possible after
them; and this happens finitely often in a row, as there is no cycle of such states in the proof,
whose states are those that stand for each other.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from sley.analyses.graphs import reachable
from sley.analyses.own_handles import ADDRESS
from sley.analyses.pointers import PointsTo
from sley.base.errors import GaveUpError
from sley.base.persistent import replaced
from sley.laws.handle_typing import FIXED, Typing
from sley.laws.private_objects import PrivateObjects
from sley.laws.thread_names import OWN, ThreadNames, UnclearError, emptied
from sley.program import instructions as ir
from sley.program.rewriting import written_registers
from sley.semantics.machine import StateMachine
from sley.semantics.state import EXITED, GONE, CellValue, State, ThreadState, is_ended, location_of
from sley.semantics.values import NeedsSplitError

Links = Mapping[int, tuple[tuple[int, int, int], ...]]
"""Thread -> those that it knows, and those that know it, each with the place and what is there."""


class _ThreadPart(NamedTuple):
    """What belongs to a thread of a state."""

    number: int
    """The same for threads that have the same, without their ids, whichever those are that they know."""
    links: tuple[tuple[int, int, int], ...]
    """Those that it knows, each with the place and what is there."""

    def named(self, names: Mapping[int, int]) -> object:
        """What belongs to the thread, with others called by their names."""
        return self.number, *sorted((place, names[other], what) for other, place, what in self.links)


class _ThreadView(NamedTuple):
    """Threads of a state as they are apart from their ids."""

    kinds: Mapping[int, int]
    """Thread -> a number, the same for threads that are alike, as far as that can be seen at once."""
    parts: Mapping[int, _ThreadPart]
    links: Links
    known: Mapping[int, object]
    """Thread -> the places, not in these threads, that name it."""


class ThreadSymmetry:
    """Says which threads of a state are symmetric."""

    def __init__(
        self, machine: StateMachine, points_to: PointsTo, is_unnoticed: Callable[[int], bool]
    ) -> None:
        self.machine = machine
        self.code = machine.code
        self.points_to = points_to
        self.is_unnoticed = is_unnoticed
        """Whether others cannot notice the action at a location: they cannot reach what it accesses."""
        self.names = ThreadNames(self.code, points_to)
        self._private = PrivateObjects(machine, self.names)
        typing = Typing(self.code, points_to, self.names.own)
        self.is_possible = typing.is_kept()
        """Whether threads of this program can be told apart by nothing but their states."""
        self.most = typing.most
        """With more threads than this, none are symmetric."""
        self._chains: dict[object, tuple[int, ...]] = {}
        self._kinds: dict[object, int] = {}
        self._parts: dict[tuple[int, ...], dict[object, _ThreadPart]] = {}
        """By the symmetric threads, and what a part is made of."""
        self._viewed: tuple[State, tuple[int, ...], _ThreadView | None] | None = None
        """What was looked at last."""

    def is_alone(self, state: State, thread: int) -> bool:
        """Whether the thread may be taken alone, as it uses an object that only it knows."""
        return self.is_possible and self._private.is_next(state, thread)

    def threads(self, state: State) -> tuple[int, ...]:
        """The symmetric threads, in the order in which they will be joined, if they will.

        All but the first one, or none, where they know addresses of each other's objects.
        """
        found = self._symmetric(state)
        return () if ADDRESS in self.names.own.classes and len(found) < len(state.threads) - 1 else found

    def _symmetric(self, state: State) -> tuple[int, ...]:
        if not self.is_possible or len(state.threads) < 3 or state.history is not None:
            return ()
        if self.most is not None and len(state.threads) > self.most:
            return ()
        first = state.threads[0]
        if is_ended(first) or location_of(first) not in self._observing:
            return tuple(range(1, len(state.threads)))
        if location_of(first) not in self.idle or FIXED in [state.cells[cell] for cell in self.names.owners]:
            return ()
        found: list[int] = []
        for thread in self._chain(state):
            if state.detached >> thread & 1 or state.threads[thread][0] == GONE:
                break
            found.append(thread)
        return tuple(found)

    @cached_property
    def _observing(self) -> frozenset[int]:
        """Where the first thread may still join or detach a thread."""
        edges = [
            edge for edge in self.code.program.edges if isinstance(edge.instruction, ir.Join | ir.Detach)
        ]
        before: dict[int, list[int]] = {}
        for edge in self.code.program.edges:
            before.setdefault(edge.target, []).append(edge.source)
        return reachable(tuple(edge.source for edge in edges), {at: tuple(b) for at, b in before.items()})

    @cached_property
    def idle(self) -> frozenset[int]:
        """Where the next step is a join with an unused result, or nothing that others notice."""
        main = self.code.program.functions[self.code.program.entry]
        return frozenset(at for at in main.outgoing if at in self.code.stops and self._is_idle(at))

    def _is_idle(self, location: int) -> bool:
        edges = [e for e in self.code.out[location] if not isinstance(e.instruction, ir.FaultTest)]
        if len(edges) != 1:
            return False
        instruction = edges[0].instruction
        if isinstance(instruction, ir.Join):
            live = self.code.live[edges[0].target]
            return all(register not in live for register in written_registers(instruction))
        return isinstance(instruction, ir.Load) and self.is_unnoticed(location)

    def _chain(self, state: State) -> tuple[int, ...]:
        """The threads that the first one joins, one after another, as soon as they have ended."""
        key = (
            state.threads[0],
            len(state.threads),
            tuple([state.cells[cell] for cell in self._read_when_idle]),
            tuple([state.blocks.get(number) for number in self.names.local_numbers(state, 0)]),
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
        """Let those end that are to be joined, and see which it comes to next."""
        found: list[int] = []
        state = state._replace(detached=0)
        while (location := location_of(state.threads[0])) in self.idle:
            instruction = next(
                e.instruction for e in self.code.out[location] if not isinstance(e.instruction, ir.FaultTest)
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

    def key(self, state: State) -> object:
        """Equal for two states only if they stand for each other."""
        threads = self.threads(state)
        view = None if len(threads) < 2 else self._view(state, threads)
        if view is None:
            return state
        unnamed = dict.fromkeys(threads, OWN)
        cells, blocks, detached = state.cells, state.blocks, state.detached
        for cell, kind in self.names.cells:
            if (new := self.names.without(kind, cells[cell], unnamed)) != cells[cell]:
                cells = replaced(cells, cell, new)
        for thread in threads:
            detached &= ~(1 << thread)
            for number in self.names.local_numbers(state, thread):
                blocks = blocks.replaced(number, None) if number in blocks else blocks
        others = tuple(
            [None if t in unnamed else self._rest(at, unnamed) for t, at in enumerate(state.threads)]
        )
        order = sorted(threads, key=view.kinds.__getitem__)
        bundles: list[object] = [view.kinds[thread] for thread in order]
        if view.links:
            names = {thread: name for name, thread in enumerate(order)}
            bundles = [(view.parts[thread].named(names), view.known.get(thread)) for thread in order]
        return threads, cells, blocks, others, detached, tuple(bundles)

    def _rest(self, at: ThreadState, unnamed: Mapping[int, int]) -> ThreadState:
        """The state of a thread without those that it knows."""
        for position, kind in self.names.positions(at[0]):
            at = (*at[:position], self.names.without(kind, at[position], unnamed), *at[position + 1 :])
        return at

    def distinct(self, state: State, threads: Sequence[int]) -> tuple[int, ...]:
        """One for each of some threads that are alike: what one of them does, the others do by another id."""
        symmetric = self.threads(state) if len(threads) > 1 else ()
        view = None if len(symmetric) < 2 else self._view(state, symmetric)
        if view is None:
            return tuple(threads)
        found: dict[object, int] = {}
        for thread in reversed(threads):
            is_one = thread not in view.kinds or thread in view.links
            found[(thread,) if is_one else view.kinds[thread]] = thread
        return tuple(reversed(found.values()))

    def kinds(self, state: State, threads: tuple[int, ...]) -> list[int] | None:
        """Numbers of threads, the same if they are alike as far as one can see; None if it is not clear."""
        view = self._view(state, threads)
        return None if view is None else [view.kinds[thread] for thread in threads]

    def _view(self, state: State, threads: tuple[int, ...]) -> _ThreadView | None:
        """Threads as they are; None if it is not clear."""
        if self._viewed is None or self._viewed[0] is not state or self._viewed[1] != threads:
            try:
                self._viewed = state, threads, self._made_view(state, threads)
            except UnclearError:
                self._viewed = state, threads, None
        return self._viewed[2]

    def _made_view(self, state: State, threads: tuple[int, ...]) -> _ThreadView:
        """Threads are alike if what they have is, and those that they know are, and so on."""
        names: Mapping[int, int] = dict.fromkeys(threads, 0)
        known, parts = self._known(state, names), self._parts_of(state, threads)
        numbers = self._kinds
        kinds: Mapping[int, int] = {
            thread: numbers.setdefault((part.number, known.get(thread)), len(numbers))
            for thread, part in parts.items()
        }
        links = self._links(parts)
        while links and len({*kinds.values()}) > len({*names.values()}):
            names, kinds = kinds, self._refined(kinds, links)
        return _ThreadView(kinds, parts, links, known)

    def _parts_of(self, state: State, threads: tuple[int, ...]) -> Mapping[int, _ThreadPart]:
        """What belongs to each thread, computed once for all states in which it has the same."""
        parts, found = self._parts.setdefault(threads, {}), dict[int, _ThreadPart]()
        for thread in threads:
            blocks = tuple([state.blocks.get(number) for number in self.names.local_numbers(state, thread)])
            key = thread, state.threads[thread], state.detached >> thread & 1, blocks
            part = parts.get(key)
            if part is None:
                part = parts[key] = self._part(state, thread, threads)
            found[thread] = part
        return found

    def _part(self, state: State, thread: int, threads: tuple[int, ...]) -> _ThreadPart:
        bundle = self._bundle(state, thread, {**dict.fromkeys(threads, 0), thread: OWN})
        links = [
            (other, place, what)
            for place, (kind, value) in enumerate(self.names.inside(state, thread), 1)
            for other, what in self.names.members(kind, value)
            if other in threads and other != thread
        ]
        return _ThreadPart(self._kinds.setdefault(bundle, len(self._kinds)), tuple(links))

    def _refined(self, names: Mapping[int, int], links: Links) -> Mapping[int, int]:
        """Numbers of threads by which others know them, and those that they know."""
        kinds, found = self._kinds, dict[int, int]()
        for thread, name in names.items():
            around = tuple(
                sorted((names[other], place, what) for other, place, what in links.get(thread, ()))
            )
            found[thread] = kinds.setdefault((name, around), len(kinds))
        return found

    def _bundle(self, state: State, thread: int, names: Mapping[int, int]) -> object:
        """What belongs to a thread, without its id."""
        at = state.threads[thread]
        for position, kind in self.names.positions(at[0]):
            at = (*at[:position], self.names.named(kind, at[position], names), *at[position + 1 :])
        blocks: list[object] = []
        cells = self.names.local_cells(location_of(at))
        for slot, number in enumerate(self.names.local_numbers(state, thread)):
            block = state.blocks.get(number)
            blocks.append(block)
            if block is not None and slot in cells:
                blocks.append(
                    tuple([self.names.named(ADDRESS, block.cells[cell], names) for cell in cells[slot]])
                )
                blocks[-2] = block.with_cells(emptied(block.cells, cells[slot]))
        return at, state.detached >> thread & 1, tuple(blocks)

    def _known(self, state: State, names: Mapping[int, int]) -> Mapping[int, object]:
        """The places outside of some threads that name them, with what is said of each."""
        found: dict[int, tuple[object, ...]] = {}
        for place, kind, value in self._outside(state, names):
            for thread, what in self.names.members(kind, value):
                if thread in names:
                    found[thread] = (*found.get(thread, ()), (place, what))
        return found

    def _outside(self, state: State, names: Mapping[int, int]) -> Iterator[tuple[object, int, CellValue]]:
        for cell, kind in self.names.cells:
            yield cell, kind, state.cells[cell]
        for thread, at in enumerate(state.threads) if self.names.own.registers else ():
            for position, kind in self.names.positions(at[0]) if thread not in names else ():
                yield (thread, position), kind, at[position]

    def _links(self, parts: Mapping[int, _ThreadPart]) -> Links:
        """Threads that know another one of them, and those that they know."""
        found: dict[int, tuple[tuple[int, int, int], ...]] = {}
        for thread, part in parts.items():
            for other, place, what in part.links:
                found[thread] = (*found.get(thread, ()), (other, place, what))
                found[other] = (*found.get(other, ()), (thread, -place, what))
        return found
