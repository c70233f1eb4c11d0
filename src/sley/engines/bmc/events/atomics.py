"""Which nodes are what RC11 speaks of: atomic accesses of the user's, updates of the library, and fences.

All else that synchronises does so along the one order of all nodes, in which threads also see plain memory:
mutexes, creations and joins, atomic sections, and what our models of the library do with their own objects.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

from sley.base.errors import GaveUpError
from sley.base.reasons import beyond_orders
from sley.engines.bmc.events.graph import EventGraph, EventNode
from sley.logic.terms import Term
from sley.program.instructions import (
    AtomicBegin,
    Await,
    Exit,
    FaultTest,
    Fence,
    Join,
    Load,
    Lock,
    MemoryOrder,
    Store,
    Unlock,
    Update,
)
from sley.program.program import Edge
from sley.semantics.code import Code
from sley.semantics.roles import CellRole
from sley.semantics.vocabulary import Vocabulary
from sley.semantics.weak_memory import CONDITIONS

ACCESSING = (Load, Store, Update, Lock, Unlock, AtomicBegin)
SIZES = beyond_orders("accesses of different sizes to an atomic object")
SECTIONS = beyond_orders("an atomic section with atomic objects")


class Role(Enum):
    """How a node takes part in happens-before."""

    ATOMIC = auto()
    """An atomic access: as its order says."""
    FENCE = auto()
    LOCK = auto()
    UNLOCK = auto()
    SECTION = auto()
    LIBRARY = auto()
    """An atomic access of the library."""
    EXIT = auto()
    JOIN = auto()
    OTHER = auto()


def is_atomic(edge: Edge) -> bool:
    """Whether an edge, outside of sections, is an atomic access of the user or an update of the library."""
    instruction = edge.instruction
    is_access = isinstance(instruction, Load | Store | Update) and instruction.access.is_atomic
    return is_access and (isinstance(instruction, Update) or not edge.origin.is_library)


def _is_users(edge: Edge) -> bool:
    return is_atomic(edge) and not edge.origin.is_library


def edge_at(code: Code, node: EventNode) -> Edge | None:
    """What a node does first, or waits for; None for the first node of all, and for failures."""
    edges = code.out.get(node.location, ()) if node.number else ()
    return next((edge for edge in edges if not isinstance(edge.instruction, FaultTest)), None)


def role_of(code: Code, node: EventNode) -> Role:
    """How a node takes part in happens-before."""
    edge = edge_at(code, node)
    if edge is None:
        return Role.OTHER
    match edge.instruction:
        case Load(access=access) | Store(access=access) | Update(access=access) if access.is_atomic:
            return Role.ATOMIC if is_atomic(edge) else Role.LIBRARY
        case AtomicBegin():
            return Role.SECTION
        case Fence():
            return Role.FENCE
        case Lock():
            return Role.LOCK
        case Unlock():
            return Role.UNLOCK
        case Exit():
            return Role.EXIT
        case Join():
            return Role.JOIN
        case _:
            return Role.OTHER


def atomic_variables(code: Code, graph: EventGraph) -> frozenset[Term]:
    """The shared cells that are accessed atomically."""
    return frozenset(
        variable
        for node in graph.nodes
        if role_of(code, node) is Role.ATOMIC
        for variable in (*node.reads, *node.writes)
        if isinstance(graph.terms.symbol(variable), CellRole)
    )


def is_condition(edge: Edge) -> bool:
    """Whether an edge belongs to a condition variable, which orders nothing by itself."""
    return edge.origin.is_library and any(c.function.startswith(CONDITIONS) for c in edge.origin.calls)


def waits_surely(code: Code, location: int) -> bool:
    """Whether a section has one path only, on which it waits for something."""
    edges = [edge for edge in code.section(location) if not isinstance(edge.instruction, FaultTest)]
    is_line = len({edge.source for edge in edges}) == len(edges)
    return is_line and any(isinstance(edge.instruction, Await) for edge in edges)


@dataclass(frozen=True, slots=True)
class Atomic:
    """A node as an event of RC11: an access to one of the variables that it may mean, or a fence."""

    node: int
    variable: Term | None
    """None: a fence."""
    occurs: Term
    """When it is that."""
    writes: Term
    """When it writes."""
    order: MemoryOrder
    failure: MemoryOrder
    """The order of an update that does not write; otherwise the same."""
    reads: bool = False
    is_update: bool = False

    @property
    def is_fence(self) -> bool:
        """Whether it is no access."""
        return self.variable is None


class Atomics:
    """The events of RC11 in a graph."""

    def __init__(self, code: Code, graph: EventGraph, vocabulary: Vocabulary) -> None:
        self.code = code
        self.graph = graph
        self.terms = graph.terms
        self.vocabulary = vocabulary
        waits = {wait.node for wait in graph.waits}
        self.roles = [Role.OTHER if n.number in waits else role_of(code, n) for n in graph.nodes]
        for node, role in zip(graph.nodes, self.roles, strict=True):
            if role is Role.SECTION and any(map(_is_users, code.section(node.location))):
                raise GaveUpError(SECTIONS)
        self.variables = atomic_variables(code, graph)
        self.events = [event for node in graph.nodes for event in self._events(node)]
        self.of_node: dict[tuple[int, Term | None], Atomic] = {(e.node, e.variable): e for e in self.events}

    def accessed(self, node: EventNode, variable: Term) -> Term:
        """When a node accesses just the bytes of a variable."""
        t, role = self.terms, self.terms.symbol(variable)
        edge = edge_at(self.code, node)
        if not isinstance(role, CellRole) or edge is None or not isinstance(edge.instruction, ACCESSING):
            return node.occurs
        instance = self.vocabulary.instances[role.number]
        place = self.vocabulary.address(role.number, instance.layout.offset_of(role.index))
        here = (
            t.and_(touch.condition, t.eq(touch.address, place))
            for touch in node.touches
            if touch.freed is None
        )
        return t.and_(node.occurs, t.or_(*here))

    def does(self, location: int, kind: type[Lock | Unlock]) -> bool:
        """Whether a lock is taken, or given back, at a location."""
        return any(isinstance(edge.instruction, kind) for edge in self.code.out.get(location, ()))

    def orders(self, node: int) -> bool:
        """Whether a node is a section, or an access of the library, that orders anything."""
        edge = edge_at(self.code, self.graph.nodes[node])
        is_one = self.roles[node] in (Role.SECTION, Role.LIBRARY)
        return is_one and edge is not None and not is_condition(edge)

    def is_of_library(self, node: int) -> bool:
        """Whether a node is part of one of our models."""
        edge = edge_at(self.code, self.graph.nodes[node])
        return edge is not None and edge.origin.is_library

    def is_own(self, variable: Term) -> bool:
        """Whether a variable is one that our models keep for themselves: what it says orders nothing."""
        role, program = self.terms.symbol(variable), self.code.program
        index = role.number - program.pointers.first_object if isinstance(role, CellRole) else -1
        return 0 <= index < len(program.objects) and not program.objects[index].c_name

    def effect(self, node: EventNode) -> Term:
        """When a section changes anything, or has waited for something: otherwise it has failed."""
        written = [w.condition for v, w in node.writes.items() if self._is_cell(v)]
        waited = node.occurs if waits_surely(self.code, node.location) else self.terms.false
        return self.terms.or_(*written, waited)

    def _is_cell(self, variable: Term) -> bool:
        return isinstance(self.terms.symbol(variable), CellRole)

    def _events(self, node: EventNode) -> Iterator[Atomic]:
        edge, t = edge_at(self.code, node), self.terms
        if edge is not None and isinstance(edge.instruction, Fence):
            order = edge.instruction.order
            yield Atomic(node.number, None, node.occurs, t.false, order, order)
        for variable in dict.fromkeys((*node.reads, *node.writes)):
            if variable in self.variables:
                yield self._event(node, edge, variable)

    def _event(self, node: EventNode, edge: Edge | None, variable: Term) -> Atomic:
        t = self.terms
        if self.roles[node.number] in (Role.SECTION, Role.LIBRARY, Role.LOCK, Role.UNLOCK):
            raise GaveUpError(SECTIONS)
        occurs = self.accessed(node, variable)
        write = node.writes.get(variable)
        writes = t.false if write is None else t.and_(occurs, write.condition)
        if self.roles[node.number] is not Role.ATOMIC:
            is_access = edge is not None and isinstance(edge.instruction, ACCESSING)
            if is_access and any(8 * touch.size != t.width(variable) for touch in node.touches):
                raise GaveUpError(SIZES)
            reads = edge is not None and isinstance(edge.instruction, Load)
            return Atomic(node.number, variable, occurs, writes, MemoryOrder.PLAIN, MemoryOrder.PLAIN, reads)
        assert edge is not None
        instruction = edge.instruction
        assert isinstance(instruction, Load | Store | Update)
        if 8 * instruction.access.size != t.width(variable):
            raise GaveUpError(SIZES)
        order = instruction.access.order
        if not isinstance(instruction, Update):
            reads = isinstance(instruction, Load)
            return Atomic(node.number, variable, occurs, writes, order, order, reads)
        assert node.success is not None
        writes = t.and_(occurs, node.success)
        failure = order if instruction.success is None else instruction.failure
        return Atomic(node.number, variable, occurs, writes, order, failure, reads=True, is_update=True)

    def exact_writes(self) -> EventGraph:
        """The graph in which atomic variables are written just when their events say so."""

        def exact(node: EventNode) -> EventNode:
            writes = {
                v: replace(w, condition=self.of_node[node.number, v].writes) if v in self.variables else w
                for v, w in node.writes.items()
            }
            return replace(node, writes={v: w for v, w in writes.items() if w.condition != self.terms.false})

        return replace(self.graph, nodes=[exact(node) for node in self.graph.nodes])
