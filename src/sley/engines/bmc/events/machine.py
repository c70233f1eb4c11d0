"""The events of a machine in a graph: accesses of memory, and the barriers between them.

Every shared variable is memory, also whether an object lives and whether a thread has ended. What is no
access of its own but a call of the system, or an atomic section, has full barriers around it. A local object
that ceases to live has none: the machine does nothing then. Where an access may find its object gone, it
looks for that first, by a read of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sley.base.errors import GaveUpError
from sley.engines.bmc.events.atomics import edge_at
from sley.engines.bmc.events.dependencies import Sources
from sley.engines.bmc.events.graph import EventGraph, EventNode, NodeRead
from sley.logic.terms import Term
from sley.program.compiled_orders import Barriers, Tags, barriers_of, tags_of
from sley.program.instructions import Barrier, Enter, Fence, Leave, Load, Store, Update
from sley.program.memory_model import MemoryModel
from sley.program.program import Edge
from sley.semantics.code import Code
from sley.semantics.roles import CellRole
from sley.semantics.vocabulary import Vocabulary

SIZES = "accesses of different sizes to one object, under a memory model of a machine"
BORN = "a local object that several threads use begins to live while there are threads"

_AROUND = Barriers(Barrier.FULL, Barrier.FULL)


@dataclass(frozen=True, slots=True)
class MachineEvent:
    """A node, or the read or the write of an update that is two accesses."""

    number: int
    node: int
    thread: int
    occurs: Term
    reads: dict[Term, Term] = field(default_factory=dict)
    """Variables, and when it reads them."""
    writes: dict[Term, Term] = field(default_factory=dict)
    """Variables, and when it writes them."""
    is_write_part: bool = False
    """The write of an update whose read is the event before."""
    is_look: bool = False
    """Looks whether an object lives, before the access itself."""
    tags: tuple[str, ...] = ()
    """More sets of the texts that it is in."""


@dataclass(frozen=True, slots=True)
class MachineFence:
    """A barrier between nodes of one thread: after one, before another."""

    thread: int
    after: int
    """It stands after this node, and all before."""
    before: int
    """It stands before this node, and all after."""
    barrier: Barrier
    occurs: Term
    control: Sources
    """What branches before it depend on."""


class MachineUnrolling(NamedTuple):
    """An unrolled program for a machine."""

    code: Code
    graph: EventGraph
    vocabulary: Vocabulary
    model: MemoryModel

    def exact(self) -> "MachineUnrolling":
        """The same where updates write just when they succeed, and just what they mean."""
        return self._replace(graph=replace(self.graph, nodes=[self._exact(n) for n in self.graph.nodes]))

    def _exact(self, node: EventNode) -> EventNode:
        edge = edge_at(self.code, node)
        if edge is None or not isinstance(edge.instruction, Update):
            return node
        assert node.success is not None
        t, success = self.graph.terms, node.success
        exact = {
            v: replace(w, condition=t.and_(w.condition, success, self.hits(node, v)))
            for v, w in node.writes.items()
        }
        return replace(node, writes={v: w for v, w in exact.items() if w.condition != t.false})

    def hits(self, node: EventNode, variable: Term) -> Term:
        """When an access is one of a variable."""
        t, role = self.graph.terms, self.graph.terms.symbol(variable)
        if not isinstance(role, CellRole):
            return t.true
        instance = self.vocabulary.instances[role.number]
        place = self.vocabulary.address(role.number, instance.layout.offset_of(role.index))
        here = (
            t.and_(touch.condition, t.eq(touch.address, place))
            for touch in node.touches
            if touch.freed is None
        )
        return t.or_(*here)


class MachineEvents:
    """The events of a graph under a model."""

    def __init__(self, unrolled: MachineUnrolling, is_known: Callable[[NodeRead], bool]) -> None:
        """The events; of reads that are known, all writes that they may see have one value."""
        self.unrolled = unrolled
        self.code, self.graph, self.vocabulary, self.model = unrolled
        self.is_known = is_known
        self.terms = self.graph.terms
        graph = self.graph
        self.events: list[MachineEvent] = []
        self.fences: list[MachineFence] = []
        self.waits = {wait.node for wait in graph.waits}
        for node in graph.nodes:
            if node.number not in self.waits:
                self._add(node)
        self.of_read = {(e.node, v): e for e in self.events for v in e.reads}
        self.of_write = {(e.node, v): e for e in self.events for v in e.writes}

    @property
    def splits(self) -> bool:
        """Whether the read and the write of an update are two events."""
        return self.model.splits_updates

    def _add(self, node: EventNode) -> None:
        edge = edge_at(self.code, node)
        if edge is not None and isinstance(edge.instruction, Fence):
            at, barrier = node.number, edge.instruction.barrier
            self._fence(node, at, at, barrier)
            return
        if edge is None and not (node.reads or node.writes):
            return  # a failure
        reads = {v: when for v in node.reads if (when := self._reads(node, edge, v)) != self.terms.false}
        if edge is not None and isinstance(edge.instruction, Load | Store | Update):
            looks = {v: when for v, when in reads.items() if not self._is_cell(v)}
            reads = {v: when for v, when in reads.items() if v not in looks}
            looks = {v: when for v, when in looks.items() if not self.is_known(node.reads[v])}
            if looks:
                self._event(node, looks, {}, is_look=True)
        writes = {v: when for v in node.writes if (when := self._writes(node, v)) != self.terms.false}
        self._add_barriers(node, edge)
        tags = Tags() if edge is None else tags_of(edge.instruction, self.model)
        if self.splits and edge is not None and isinstance(edge.instruction, Update):
            self._event(node, reads, {}, tags=tags.read)
            self._event(node, {}, writes, is_write_part=True, tags=tags.write)
        else:
            self._event(node, reads, writes, tags=(*tags.read, *tags.write))

    def _event(
        self,
        node: EventNode,
        reads: dict[Term, Term],
        writes: dict[Term, Term],
        *,
        is_write_part: bool = False,
        is_look: bool = False,
        tags: tuple[str, ...] = (),
    ) -> None:
        if reads or writes:
            at, thread = len(self.events), node.thread
            when = self.terms.or_(*writes.values()) if is_write_part else node.occurs
            self.events.append(
                MachineEvent(at, node.number, thread, when, reads, writes, is_write_part, is_look, tags)
            )

    def _add_barriers(self, node: EventNode, edge: Edge | None) -> None:
        before, after = self._barriers(node, edge)
        at = node.number
        if before is not None:
            self._fence(node, at - 1, at, before)
        if after is not None:
            own = {at: self.terms.true} if after is Barrier.CONTROL else {}
            self._fence(node, at, at + 1, after, own)

    def _fence(
        self, node: EventNode, after: int, before: int, barrier: Barrier, branches: Sources | None = None
    ) -> None:
        control = {**node.dependencies.control, **(branches or {})}
        self.fences.append(MachineFence(node.thread, after, before, barrier, node.occurs, control))

    def _barriers(self, node: EventNode, edge: Edge | None) -> Barriers:
        instruction = None if edge is None else edge.instruction
        match instruction:
            case Load() | Store() | Update():
                self._must_fit(node, instruction)
                return barriers_of(instruction, self.model)
            case Leave():
                return Barriers()
            case Enter():
                raise GaveUpError(BORN)
            case _:
                return _AROUND

    def _must_fit(self, node: EventNode, instruction: Load | Store | Update) -> None:
        cells = [v for v in (*node.reads, *node.writes) if self._is_cell(v)]
        is_part = instruction.access.location is not None
        if is_part or any(8 * instruction.access.size != self.terms.width(v) for v in cells):
            raise GaveUpError(SIZES)

    def _is_cell(self, variable: Term) -> bool:
        return isinstance(self.terms.symbol(variable), CellRole)

    def _reads(self, node: EventNode, edge: Edge | None, variable: Term) -> Term:
        needed = self.terms.and_(node.occurs, node.reads[variable].needed)
        instruction = None if edge is None else edge.instruction
        if not self._is_cell(variable) or not isinstance(instruction, Load | Update):
            return self.terms.false if isinstance(instruction, Store) and self._is_cell(variable) else needed
        return self.terms.and_(needed, self.unrolled.hits(node, variable))

    def _writes(self, node: EventNode, variable: Term) -> Term:
        when = node.writes[variable].condition
        return self.terms.and_(node.occurs, when) if node.number else self.terms.true

    # --- order ------------------------------------------------------------------------------------

    def is_first(self, a: MachineEvent, b: MachineEvent) -> bool:
        """Program order, also over creations and joins: whether one is before another wherever both are."""
        if a.node == b.node:
            return a.number < b.number
        return a.node == 0 or self.graph.order.is_before(a.node, b.node)
