"""Threads that may be exchanged: it makes no difference which of them has which id.

States *stand for each other* if they differ in this alone: which id each of some threads has, all of them
of those that may be exchanged in that state. ``key`` is the same for two states only if they do. A proof
whose successors are in it up to that is as good as any other. This is symmetry reduction (Clarke, Enders,
Filkorn, Jha 1996; Emerson, Sistla 1996; Ip, Dill 1996) of a search with persistent sets (Emerson, Jha,
Peled 1997), where the group is that of all permutations of the ids of exchangeable threads.

*Steps do not look at ids.* Let p be a permutation of ids that keeps the first thread's, 0. p(s) is s with
the states, local objects and detachments of threads moved, and with handles renamed where threads leave
their own (``OwnHandles``: registers, and cells such as the owners of locks), and in sets of threads (who
waits at a barrier, or for a condition; how often each reads). Whatever thread t does in s, thread p(t) does
in p(s), and it leads to p of what it leads to in s. For ``handle_typing`` sees to it that

* a place that may hold an own handle holds nothing but own handles, 0 or 1 (nobody's, and the first
  thread's), and these values are moved, or compared with each other, and nothing else;
* a place that may hold a set holds nothing but sets, of which sets are made that treat all threads alike,
  or some member is chosen, any of them; they are compared with each other, and nothing else is done;
* so are the addresses of local objects of created threads, which are accessed, too; or the objects are
  accessed directly, so that their addresses are nowhere;
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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from sley.analyses.graphs import reachable
from sley.analyses.own_handles import ADDRESS, HANDLE, find_own_handles
from sley.analyses.pointers import PointsTo
from sley.base.errors import GaveUpError
from sley.base.persistent import replaced
from sley.evidence.closed_states.handle_typing import FIXED, Typing, known_addresses
from sley.program import instructions as ir
from sley.program.rewriting import written_registers
from sley.semantics.machine import Machine
from sley.semantics.state import EXITED, GONE, Cells, CellValue, State, ThreadState, is_ended, location_of
from sley.semantics.values import NeedsSplitError, Unset

Positions = tuple[tuple[int, int], ...]
"""Where something has values that name threads, and of which kind."""

Links = Mapping[int, tuple[tuple[int, int, int], ...]]
"""Thread -> those that it knows, and those that know it, each with the place and what is there."""

OWN = -1
"""What a thread calls itself."""


class _Part(NamedTuple):
    """What belongs to a thread of a state."""

    number: int
    """The same for threads that have the same, without their ids, whoever those are that they know."""
    links: tuple[tuple[int, int, int], ...]
    """Those that it knows, each with the place and what is there."""

    def named(self, names: Mapping[int, int]) -> object:
        """What belongs to the thread, with others called by their names."""
        return self.number, *sorted((place, names[other], what) for other, place, what in self.links)


class _View(NamedTuple):
    """Threads of a state as they are apart from their ids."""

    kinds: Mapping[int, int]
    """Thread -> a number, the same for threads that are alike, as far as that can be seen at once."""
    parts: Mapping[int, _Part]
    links: Links
    known: Mapping[int, object]
    """Thread -> the places, not in these threads, that name it."""


class _UnclearError(Exception):
    """Who is named by a value is not determined."""


class Exchange:
    """Says which threads of a state may be exchanged."""

    def __init__(self, machine: Machine, points_to: PointsTo, is_unnoticed: Callable[[int], bool]) -> None:
        self.machine = machine
        self.code = machine.code
        self.points_to = points_to
        self.is_unnoticed = is_unnoticed
        """Whether others cannot notice the action at a location: they cannot reach what it accesses."""
        self.own = find_own_handles(self.code.program, points_to, known_addresses(self.code))
        typing = Typing(self.code, points_to, self.own)
        self.is_possible = typing.is_kept()
        """Whether threads of this program can be told apart by nothing but their states."""
        self.most = typing.most
        """With more threads than this, they are not exchanged."""
        self._chains: dict[object, tuple[int, ...]] = {}
        self._kinds: dict[object, int] = {}
        self._parts: dict[tuple[int, ...], dict[object, _Part]] = {}
        """By the threads that are exchanged, and what a part is made of."""
        self._viewed: tuple[State, tuple[int, ...], _View | None] | None = None
        """What was looked at last."""
        self._local_cells: dict[str | None, Mapping[int, tuple[int, ...]]] = {}
        self._positions: dict[int, Positions] = {EXITED: (), GONE: ()}
        self._numbers: dict[tuple[int, int], range] = {}
        """Thread and location -> numbers of its local objects."""

    @cached_property
    def cells(self) -> Positions:
        """The flat cells that may name threads."""
        return tuple(
            (first + index, kind)
            for number, (first, table, size, _) in self.code.memory_map.flat.items()
            for index in range(table.layout.count(size))
            for kind, classes in self.own.classes.items()
            if self._in_object(number, classes) >> index & 1
        )

    @cached_property
    def _owners(self) -> tuple[int, ...]:
        """The flat cells that may hold own handles."""
        return tuple(cell for cell, kind in self.cells if kind == HANDLE)

    def _in_object(self, number: int, classes: int) -> int:
        """The cells of a global object that are in some classes, one bit each."""
        points_to = self.points_to
        obj = points_to.objects.of_static(number)
        assert obj is not None
        partition = points_to.classes.partitions[obj]
        return (classes & partition.all_bytes) >> partition.first

    def local_cells(self, location: int) -> Mapping[int, tuple[int, ...]]:
        """The cells of local objects of a thread here that may hold addresses, by slot."""
        name = None if location in (EXITED, GONE) else self.code.function_at[location].name
        found = self._local_cells.get(name)
        if found is None:
            found = self._local_cells[name] = dict(self._find_local_cells(name)) if name is not None else {}
        return found

    def _find_local_cells(self, name: str) -> Iterator[tuple[int, tuple[int, ...]]]:
        points_to, classes = self.points_to, self.own.classes.get(ADDRESS, 0)
        for slot, _ in enumerate(self.code.program.functions[name].objects if classes else ()):
            partition = points_to.classes.partitions[points_to.objects.of_local(name, slot)]
            here = classes >> partition.first
            cells = tuple(index for index in range(len(partition.cells)) if here >> index & 1)
            if cells:
                yield slot, cells

    def positions(self, location: int) -> Positions:
        """Where the state of a thread here has registers that may name threads."""
        found = self._positions.get(location)
        if found is None:
            name, own = self.code.function_at[location].name, self.own.registers
            live = enumerate(self.code.live[location], 1)
            kinds = ((at, own.get((name, register.term))) for at, register in live)
            found = self._positions[location] = tuple((at, kind) for at, kind in kinds if kind is not None)
        return found

    # --- who ----------------------------------------------------------------------------------------

    def threads(self, state: State) -> tuple[int, ...]:
        """The threads that may be exchanged, in the order in which they will be joined, if they will.

        All but the first one, or none, where they know addresses of each other's objects.
        """
        found = self._exchanged(state)
        return () if ADDRESS in self.own.classes and len(found) < len(state.threads) - 1 else found

    def _exchanged(self, state: State) -> tuple[int, ...]:
        if not self.is_possible or len(state.threads) < 3 or state.history is not None:
            return ()
        if self.most is not None and len(state.threads) > self.most:
            return ()
        first = state.threads[0]
        if is_ended(first) or location_of(first) not in self._observing:
            return tuple(range(1, len(state.threads)))
        if location_of(first) not in self.idle or FIXED in [state.cells[cell] for cell in self._owners]:
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
        view = None if len(threads) < 2 else self._view(state, threads)
        if view is None:
            return state
        nobody = dict.fromkeys(threads, OWN)
        cells, blocks, detached = state.cells, state.blocks, state.detached
        for cell, kind in self.cells:
            if (new := self._without(kind, cells[cell], nobody)) != cells[cell]:
                cells = replaced(cells, cell, new)
        for thread in threads:
            detached &= ~(1 << thread)
            for number in self.local_numbers(state, thread):
                blocks = blocks.replaced(number, None) if number in blocks else blocks
        others = tuple(
            [None if t in nobody else self._rest(at, nobody) for t, at in enumerate(state.threads)]
        )
        order = sorted(threads, key=view.kinds.__getitem__)
        bundles: list[object] = [view.kinds[thread] for thread in order]
        if view.links:
            names = {thread: name for name, thread in enumerate(order)}
            bundles = [(view.parts[thread].named(names), view.known.get(thread)) for thread in order]
        return threads, cells, blocks, others, detached, tuple(bundles)

    def _rest(self, at: ThreadState, nobody: Mapping[int, int]) -> ThreadState:
        """The state of a thread without those that it knows."""
        for position, kind in self.positions(at[0]):
            at = (*at[:position], self._without(kind, at[position], nobody), *at[position + 1 :])
        return at

    def distinct(self, state: State, threads: Sequence[int]) -> tuple[int, ...]:
        """One for each of some threads that are alike: what one of them does, the others do by another id."""
        exchanged = self.threads(state) if len(threads) > 1 else ()
        view = None if len(exchanged) < 2 else self._view(state, exchanged)
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

    def _view(self, state: State, threads: tuple[int, ...]) -> _View | None:
        """Threads as they are; None if it is not clear."""
        if self._viewed is None or self._viewed[0] is not state or self._viewed[1] != threads:
            try:
                self._viewed = state, threads, self._made_view(state, threads)
            except _UnclearError:
                self._viewed = state, threads, None
        return self._viewed[2]

    def _made_view(self, state: State, threads: tuple[int, ...]) -> _View:
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
        return _View(kinds, parts, links, known)

    def _parts_of(self, state: State, threads: tuple[int, ...]) -> Mapping[int, _Part]:
        """What belongs to each thread, computed once for all states in which it has the same."""
        parts, found = self._parts.setdefault(threads, {}), dict[int, _Part]()
        for thread in threads:
            blocks = tuple([state.blocks.get(number) for number in self.local_numbers(state, thread)])
            key = thread, state.threads[thread], state.detached >> thread & 1, blocks
            part = parts.get(key)
            if part is None:
                part = parts[key] = self._part(state, thread, threads)
            found[thread] = part
        return found

    def _part(self, state: State, thread: int, threads: tuple[int, ...]) -> _Part:
        bundle = self._bundle(state, thread, {**dict.fromkeys(threads, 0), thread: OWN})
        links = [
            (other, place, what)
            for place, (kind, value) in enumerate(self._inside(state, thread), 1)
            for other, what in self._members(kind, value)
            if other in threads and other != thread
        ]
        return _Part(self._kinds.setdefault(bundle, len(self._kinds)), tuple(links))

    def _refined(self, names: Mapping[int, int], links: Links) -> Mapping[int, int]:
        """Numbers of threads by which others know them, and whom they know."""
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
        for position, kind in self.positions(at[0]):
            at = (*at[:position], self._named(kind, at[position], names), *at[position + 1 :])
        blocks: list[object] = []
        cells = self.local_cells(location_of(at))
        for slot, number in enumerate(self.local_numbers(state, thread)):
            block = state.blocks.get(number)
            blocks.append(block)
            if block is not None and slot in cells:
                blocks.append(tuple([self._named(ADDRESS, block.cells[cell], names) for cell in cells[slot]]))
                blocks[-2] = block.with_cells(emptied(block.cells, cells[slot]))
        return at, state.detached >> thread & 1, tuple(blocks)

    def _known(self, state: State, names: Mapping[int, int]) -> Mapping[int, object]:
        """The places outside of some threads that name them, with what is said of each."""
        found: dict[int, tuple[object, ...]] = {}
        for place, kind, value in self._outside(state, names):
            for thread, what in self._members(kind, value):
                if thread in names:
                    found[thread] = (*found.get(thread, ()), (place, what))
        return found

    def _outside(self, state: State, names: Mapping[int, int]) -> Iterator[tuple[object, int, CellValue]]:
        for cell, kind in self.cells:
            yield cell, kind, state.cells[cell]
        for thread, at in enumerate(state.threads) if self.own.registers else ():
            for position, kind in self.positions(at[0]) if thread not in names else ():
                yield (thread, position), kind, at[position]

    def _links(self, parts: Mapping[int, _Part]) -> Links:
        """Threads that know another one of them, and those that they know."""
        found: dict[int, tuple[tuple[int, int, int], ...]] = {}
        for thread, part in parts.items():
            for other, place, what in part.links:
                found[thread] = (*found.get(thread, ()), (other, place, what))
                found[other] = (*found.get(other, ()), (thread, -place, what))
        return found

    def _inside(self, state: State, thread: int) -> Iterator[tuple[int, CellValue]]:
        """What a thread has that may name threads."""
        yield from self._registers(state, thread)
        for _, value in self._in_blocks(state, thread):
            yield ADDRESS, value

    def _registers(self, state: State, thread: int) -> Iterator[tuple[int, CellValue]]:
        at = state.threads[thread]
        for position, kind in self.positions(at[0]):
            yield kind, at[position]

    def _in_blocks(self, state: State, thread: int) -> Iterator[tuple[int, CellValue]]:
        """What is in cells of local objects that may hold addresses, with the slots of the objects."""
        for slot, cells in self.local_cells(location_of(state.threads[thread])).items():
            block = state.blocks.get(self.code.program.local_number(thread, slot))
            for cell in cells if block is not None else ():
                yield slot, block.cells[cell]

    # --- objects that nobody knows ------------------------------------------------------------------

    def is_alone(self, state: State, thread: int) -> bool:
        """Whether the next action is on a local object whose address nobody else can find.

        LAW. Such a thread is a persistent set: others get addresses of local objects by loading them, and as
        long as the thread does not move, this one is nowhere to be found. (A pointer that was never written
        may be any address. It is only compared for equality, so whoever accesses what it points to is given
        up on, and no proof comes of it.)
        """
        slot = self._own_slot(state, thread) if ADDRESS in self.own.classes and self.is_possible else None
        if slot is None or state.history is not None:
            return False
        everybody = dict.fromkeys(range(len(state.threads)), 0)
        values = [(kind, state.cells[cell]) for cell, kind in self.cells]
        for other in everybody:
            values += [] if other == thread else self._registers(state, other)
            values += [
                (ADDRESS, value)
                for at, value in self._in_blocks(state, other)
                if (other, slot) != (thread, at)
            ]
        return not any(self._points_to(kind, value, thread, slot) for kind, value in values)

    def _own_slot(self, state: State, thread: int) -> int | None:
        """The slot of the thread's local object that its next action is on, if it is on one."""
        location, code = location_of(state.threads[thread]), self.code
        if is_ended(state.threads[thread]):
            return None
        edges = [e.instruction for e in code.out[location] if not isinstance(e.instruction, ir.Fault)]
        match edges:
            case [ir.Enter(object=obj) | ir.Leave(object=obj)]:
                return code.slots[code.function_at[location].name][obj.name]
            case [ir.Load(access=access) | ir.Store(access=access) | ir.Update(access=access)]:
                address = self.machine.interpreter.evaluate(state, thread, access.address)
                local = code.program.local_slot(code.program.pointers.number(address))
                is_inside = self.machine.interpreter.memory(state, thread).is_valid(
                    address, access.size, writes=True
                )
                return local[1] if is_inside and local is not None and local[0] == thread else None
            case _:
                return None

    def _points_to(self, kind: int, value: CellValue, thread: int, slot: int) -> bool:
        """Whether a value is the address of a thread's local object."""
        if kind != ADDRESS or not isinstance(value, int):
            return False
        program = self.code.program
        return program.local_slot(program.pointers.number(value)) == (thread, slot)

    # --- values that name threads -------------------------------------------------------------------

    def _members(self, kind: int, value: CellValue) -> Iterator[tuple[int, int]]:
        """The threads that a value names, with what it says of each."""
        if kind == ADDRESS and isinstance(value, Unset):
            return
        if not isinstance(value, int):
            raise _UnclearError
        if kind == ADDRESS:
            program = self.code.program
            local = program.local_slot(program.pointers.number(value))
            if local is not None:
                yield local[0], value - (program.local_number(local[0], 0) << program.pointers.offset_bits)
        elif kind == HANDLE:
            yield value - 1, 1
        else:
            for thread in range((value.bit_length() + kind - 1) // kind):
                if field := value >> thread * kind & ((1 << kind) - 1):
                    yield thread, field

    def _without(self, kind: int, value: CellValue, threads: Mapping[int, int]) -> CellValue:
        """What is left of a value that names threads if some are not named."""
        called = [(thread, what) for thread, what in self._members(kind, value) if thread in threads]
        if not called or not isinstance(value, int):
            return value
        return OWN if kind <= HANDLE else value - sum(field << thread * kind for thread, field in called)

    def _named(self, kind: int, value: CellValue, names: Mapping[int, int]) -> object:
        """A value with some threads called by their names."""
        called = sorted(
            (names[thread], what) for thread, what in self._members(kind, value) if thread in names
        )
        return (self._without(kind, value, names), *called) if called else value

    def local_numbers(self, state: State, thread: int) -> range:
        """The numbers that local objects of a thread may have."""
        place = thread, location_of(state.threads[thread])
        found = self._numbers.get(place)
        if found is None:
            is_over = place[1] in (EXITED, GONE)
            count = 0 if is_over else len(self.code.function_at[place[1]].objects)
            first = self.code.program.local_number(thread, 0)
            found = self._numbers[place] = range(first, first + count)
        return found


def emptied(cells: Cells, places: Iterable[int]) -> Cells:
    """Cells without what is at some places."""
    for place in places:
        cells = replaced(cells, place, OWN)
    return cells
