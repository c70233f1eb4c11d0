"""Critical cycles: which stores have to be delayed to see all that a machine with store buffers can do.

A run that no interleaving explains has a cycle of program order and conflicts (D. Shasha, M. Snir, *Efficient
and Correct Execution of Parallel Programs that Share Memory*, TOPLAS 1988), and one of its steps in program
order is a pair that the machine does not keep in order (J. Alglave, D. Kroening, V. Nimal, M. Tautschnig,
*Software Verification for Weak Memory via Program Transformation*, ESOP 2013): a write and a later read,
under PSO also a write and a later write. What is here says for each store whether it may be the first of such
a pair. Cycles are not listed: it is enough that the two are on *some* cycle, so more stores may be named than
have to be.

Both ends of such a pair are next to a conflict on the cycle. Where two conflicting accesses hold a common
mutex, or one is done before the other's thread begins or after it has been joined, a barrier that comes with
that is between them: the cycle can be led through it, and needs no other order.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from sley.analyses.graphs import components
from sley.analyses.objects import indices
from sley.analyses.shared_cells import SharedCells
from sley.analyses.threads import Instances
from sley.program import instructions as ir
from sley.program.compiled_orders import barriers_of
from sley.program.instructions import Barrier
from sley.program.memory_model import MemoryModel
from sley.program.ordering import forward_facts
from sley.program.program import Edge, Function, Program

EMPTYING = (
    *(ir.Update, ir.Lock, ir.Unlock, ir.AtomicBegin, ir.Await, ir.CallUnmodelled),
    *(ir.Create, ir.Join, ir.Detach, ir.Exit, ir.End),
)
"""Wait until all stores of their thread have reached memory."""


UNKNOWN = -1
"""How many threads there are, if that is not known."""

_NOTICED = (ir.Accessing, ir.Living, ir.CallUnmodelled)
"""Touch memory; whatever ends or begins the life of an object conflicts with all accesses to it."""


@dataclass(frozen=True, slots=True)
class _Access:
    edge: Edge
    template: str
    held: frozenset[int]
    """Mutexes."""
    is_alone: bool
    """Whether there is no other thread at that time."""

    @property
    def writes(self) -> bool:
        return not isinstance(self.edge.instruction, ir.Load)


def delayed_stores(program: Program, cells: SharedCells, model: MemoryModel) -> frozenset[int]:
    """The locations of the stores to delay under TSO or PSO.

    Law: if all others reach memory at once, unless they would overtake one that waits and must not, then
    every outcome of the machine is still possible.
    """
    graph = _EventGraph(program, cells, model)
    return frozenset(
        store.edge.source
        for store in graph.accesses
        if graph.is_racy(store) and graph.may_be_overtaken(store)
    )


class _EventGraph:
    def __init__(self, program: Program, cells: SharedCells, model: MemoryModel) -> None:
        self.program = program
        self.cells = cells
        self.model = model
        self.creations = cells.accesses.sharing.creations
        self.accesses = [one for f in program.functions.values() for one in self._accesses_of(f)]
        self.at = {one.edge.source: one for one in self.accesses}
        self.touching: dict[int, list[_Access]] = {}
        for one in self.accesses:
            for cell in indices(cells.touched(one.edge)):
                self.touching.setdefault(cell, []).append(one)
        self._racy: dict[int, bool] = {}

    def _accesses_of(self, function: Function) -> Iterator[_Access]:
        held = forward_facts(function, frozenset[int](), self._held_behind, frozenset.intersection)
        alone = self._alone(function)
        for edge in function.edges:
            is_access = isinstance(edge.instruction, _NOTICED) and self.cells.touched(edge)
            if is_access and edge.source in self.creations.reachable:
                yield _Access(edge, function.name, held[edge.source], edge.source in alone)

    # --- conflicts that no barrier comes with ---------------------------------------------------------

    def _held_behind(self, edge: Edge, held: frozenset[int]) -> frozenset[int]:
        match edge.instruction:
            case ir.Lock(access=access):
                mutex = self.program.terms.number(access.address)
                return held if mutex is None or mutex not in self._reliable else held | {mutex}
            case ir.Unlock(access=access):
                mutex = self.program.terms.number(access.address)
                return frozenset() if mutex is None else held - {mutex}
            case _:
                return held

    @cached_property
    def _reliable(self) -> frozenset[int]:
        """The mutexes that nothing but locking and unlocking changes once there are threads."""
        accesses = self.cells.accesses
        entry = self.program.functions[self.program.entry]
        alone, overwritten = self._alone(entry), 0
        for at in self.creations.reachable:
            if at not in alone:
                overwritten |= accesses.overwrites(at)
        return frozenset(mutex for mutex in accesses.mutexes if not accesses.cell_of(mutex) & overwritten)

    def _alone(self, function: Function) -> frozenset[int]:
        """Where the first thread has created no other, or has joined all."""
        starts = (edge for edges in self.creations.edges.values() for edge in edges)
        creators = {self.creations.template_at[edge.source] for edge in starts}
        if function.name != self.program.entry or not creators <= {self.program.entry}:
            return frozenset()
        running = forward_facts(function, 0, _running_behind, lambda a, b: a if a == b else UNKNOWN)
        return frozenset(at for at, number in running.items() if number == 0)

    def is_racy(self, one: _Access) -> bool:
        """Whether it may conflict with an access of another thread that no barrier keeps apart from it."""
        at = one.edge.source
        if at not in self._racy:
            cells = indices(self.cells.touched(one.edge))
            others = (other for cell in cells for other in self.touching[cell])
            self._racy[at] = any(self._is_race(one, other) for other in others)
        return self._racy[at]

    def _is_race(self, one: _Access, other: _Access) -> bool:
        is_other_thread = (
            one.template != other.template or self.creations.instances[one.template] is Instances.MANY
        )
        is_ordered = one.is_alone or other.is_alone or one.held & other.held
        return (one.writes or other.writes) and is_other_thread and not is_ordered

    # --- cycles ---------------------------------------------------------------------------------------

    def may_be_overtaken(self, store: _Access) -> bool:
        """Whether the machine may let a later access of its thread overtake it, observably."""
        if not isinstance(store.edge.instruction, ir.Store) or store.edge.source in self.cells.inside:
            return False
        if self.cells.is_bookkeeping(store.edge):
            return False
        return any(
            self.is_racy(later)
            and self._component[later.edge.source] == self._component[store.edge.source]
            and not self._is_same_cell(store.edge.instruction, later.edge.instruction)
            for later in self._overtaking(store.edge)
        )

    def _is_same_cell(self, one: ir.Instruction, other: ir.Instruction) -> bool:
        assert isinstance(one, ir.Accessing)
        assert isinstance(other, ir.Accessing)
        return one.access.address == other.access.address and self.program.terms.is_const(one.access.address)

    def _overtaking(self, store: Edge) -> Iterator[_Access]:
        """The later accesses, up to barriers, that the machine does not keep in order with a store."""
        kinds = "R" if self.model is MemoryModel.TSO else "RW"
        if self._is_full_after(store):
            return
        seen, waiting = {(store.target, kinds)}, [(store.target, kinds)]
        outgoing = self.program.functions[self.creations.template_at[store.source]].outgoing
        while waiting:
            location, kinds = waiting.pop()
            for edge in outgoing.get(location, ()):
                kinds_here = self._kinds_before(edge, kinds)
                if _kind(edge) in kinds_here and edge.source in self.at:
                    yield self.at[edge.source]
                left = "" if self._is_full_after(edge) else self._kinds_behind(edge, kinds)
                if left and (edge.target, left) not in seen:
                    seen.add((edge.target, left))
                    waiting.append((edge.target, left))

    def _kinds_before(self, edge: Edge, kinds: str) -> str:
        """Which accesses may overtake the store, up to the barrier that comes before an access."""
        if isinstance(edge.instruction, ir.Store):
            before = barriers_of(edge.instruction, self.model).before
            return _left(kinds, before)
        return kinds

    def _kinds_behind(self, edge: Edge, kinds: str) -> str:
        """Which accesses behind an edge may overtake the store."""
        if isinstance(edge.instruction, EMPTYING):
            return ""
        if isinstance(edge.instruction, ir.Fence):
            return _left(kinds, edge.instruction.barrier)
        return self._kinds_before(edge, kinds)

    def _is_full_after(self, edge: Edge) -> bool:
        store = edge.instruction
        return isinstance(store, ir.Store) and barriers_of(store, self.model).after is Barrier.FULL

    @cached_property
    def _component(self) -> Mapping[int, int]:
        """Location -> which of the sets it is in whose members are all on common cycles.

        Nodes are locations and, to have fewer edges, negative numbers for cells that are written.
        """
        successors = {at: list(after) for at, after in self.creations.successors.items()}
        ends = [e.source for e in self.program.edges if isinstance(e.instruction, ir.Exit)]
        joins = [e.source for e in self.program.edges if isinstance(e.instruction, ir.Join)]
        for at in ends:
            successors[at] += joins
        for cell, accesses in self.touching.items():
            if any(one.writes for one in accesses):
                for one in accesses:
                    successors[one.edge.source].append(-1 - cell)
                    successors.setdefault(-1 - cell, []).append(one.edge.source)
        found = components(list(successors), successors)
        return {node: number for number, nodes in enumerate(found) for node in nodes}


def _running_behind(edge: Edge, number: int) -> int:
    """How many threads were created and not joined, where that is the same on all ways."""
    change = isinstance(edge.instruction, ir.Create) - isinstance(edge.instruction, ir.Join)
    return number if number == UNKNOWN else number + change


def _kind(edge: Edge) -> str:
    match edge.instruction:
        case ir.Load():
            return "R"
        case ir.Store():
            return "W"
        case _:
            return "nothing"


def _left(kinds: str, barrier: Barrier | None) -> str:
    """Which later accesses may still overtake a store that has a barrier behind it."""
    return kinds if barrier is None else "".join(kind for kind in kinds if f"W{kind}" not in barrier.pairs)
