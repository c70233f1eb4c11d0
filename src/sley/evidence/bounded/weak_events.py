"""What RC11 speaks of in a plain unrolling: atomic accesses and fences."""

from collections.abc import Iterator
from dataclasses import dataclass

from sley.base.errors import GaveUpError
from sley.evidence.bounded.events import Event, Stand
from sley.evidence.bounded.unrolling import Steps, Unrolling
from sley.logic.terms import Term
from sley.program.instructions import (
    Accessing,
    AtomicBegin,
    Fault,
    Fence,
    Free,
    Instruction,
    Load,
    Lock,
    Order,
    Store,
    Unlock,
    Update,
)
from sley.program.program import Edge
from sley.semantics.code import Code
from sley.semantics.roles import AliveRole, CellRole
from sley.semantics.symbolic_memory import from_bits
from sley.semantics.symbolic_step import Shape


class WeakSteps(Steps):
    """Steps that end before fences, too."""

    def __init__(self, code: Code, shape: Shape) -> None:
        super().__init__(code, shape)
        edges = [edge for out in code.out.values() for edge in out]
        fences = {edge.source for edge in edges if isinstance(edge.instruction, Fence)}
        self.stops = self.stops | (fences - code.inside)


class WeakUnrolling(Unrolling):
    """An unrolling in which fences are events, and all accesses."""

    watched = (AtomicBegin, Free, Fence, Load, Store, Update)
    kind_of_steps = WeakSteps


@dataclass(frozen=True, slots=True)
class Access:
    """A step as an access to one of the variables that it may mean; or a fence, which has none."""

    event: int
    thread: int
    variable: Term | None
    happens: Term
    writes: Term
    """When it does so, and when it writes; it happens then."""
    value: Term | None
    """What it writes."""
    order: Order
    failure: Order
    """The order if it is an update that does not write."""
    reads: bool = False
    is_update: bool = False


def edge_at(code: Code, location: int) -> Edge | None:
    """What a step from here begins with, if that is not wrong."""
    return next((e for e in code.out.get(location, ()) if not isinstance(e.instruction, Fault)), None)


def is_user_atomic(edge: Edge | None) -> bool:
    """Whether it is an atomic access of the user's."""
    if edge is None or edge.origin.is_library:
        return False
    return isinstance(edge.instruction, Load | Store | Update) and edge.instruction.access.is_atomic


class Accesses:
    """The accesses to all variables that are accessed atomically, and the fences."""

    def __init__(self, unrolling: Unrolling) -> None:
        self.unrolling = unrolling
        self.terms = unrolling.terms
        self.code = unrolling.code
        self.events = unrolling.result.events
        self.stands = {s.event: s for s in unrolling.result.stands if s.event is not None}
        self.edges = [None if e.is_first else edge_at(self.code, e.location) for e in self.events]
        self.variables = frozenset(
            variable
            for event in self.events
            if is_user_atomic(self.edges[event.number])
            for variable in (*event.reads, *event.writes)
            if isinstance(self.terms.symbol(variable), CellRole)
        )
        self._must_be_simple()
        self.all = [access for event in self.events for access in self._of(event)]

    def instruction(self, event: int) -> Instruction | None:
        """What a step begins with; None: what main wrote while it was alone."""
        edge = self.edges[event]
        return None if edge is None else edge.instruction

    def _must_be_simple(self) -> None:
        for event in self.events:
            if isinstance(self.instruction(event.number), AtomicBegin):
                inside = self.code.section(event.location)
                is_mixed = any(map(is_user_atomic, inside))
                if is_mixed or not self.variables.isdisjoint((*event.reads, *event.writes)):
                    raise GaveUpError("an atomic section with atomic objects")

    def _of(self, event: Event) -> Iterator[Access]:
        instruction, t = self.instruction(event.number), self.terms
        if isinstance(instruction, Fence):
            order = instruction.order
            yield Access(event.number, event.thread, None, event.looks, t.false, None, order, order)
        for variable in dict.fromkeys((*event.reads, *event.writes)):
            if variable in self.variables:
                yield self._access(event, instruction, variable)

    def _access(self, event: Event, instruction: Instruction | None, variable: Term) -> Access:
        t, write = self.terms, event.writes.get(variable)
        if not isinstance(instruction, Accessing):
            writes, value = (t.false, None) if write is None else (write.condition, write.value)
            plain = Order.PLAIN
            return Access(event.number, event.thread, variable, event.looks, writes, value, plain, plain)
        is_user = is_user_atomic(self.edges[event.number])
        if isinstance(instruction, Lock | Unlock) or (instruction.access.is_atomic and not is_user):
            raise GaveUpError("atomic accesses to what atomic sections or locks use")
        if 8 * instruction.access.size != t.width(variable) or instruction.access.location is not None:
            raise GaveUpError("accesses of different sizes to an atomic object")
        happens = t.and_(event.looks, self.hits(event, instruction, variable))
        order = instruction.access.order
        if isinstance(instruction, Load):
            return Access(
                event.number, event.thread, variable, happens, t.false, None, order, order, reads=True
            )
        if isinstance(instruction, Store):
            if write is None:
                raise GaveUpError("a store that writes nothing")
            return Access(event.number, event.thread, variable, happens, happens, write.value, order, order)
        return self._update(event, instruction, variable, happens)

    def _update(self, event: Event, update: Update, variable: Term, happens: Term) -> Access:
        """An update writes where it succeeds, also if it writes what was there."""
        t, symbol, write = self.terms, event.reads.get(variable), event.writes.get(variable)
        if symbol is None:
            raise GaveUpError("an update that reads nothing")
        value = symbol if write is None else t.ite(write.condition, write.value, symbol)
        success, order = self._success(event, update, symbol), update.access.order
        writes = t.and_(happens, success)
        failure = order if update.success is None else update.failure
        thread = event.thread
        return Access(
            event.number, thread, variable, happens, writes, value, order, failure, reads=True, is_update=True
        )

    def _success(self, event: Event, update: Update, symbol: Term) -> Term:
        """When an update succeeds that finds what the symbol stands for."""
        if update.success is None:
            return self.terms.true
        stand, vocabulary = self.stands[event.number], self.unrolling.vocabulary
        target = vocabulary.register(event.thread, update.target)
        known = {**stand.values, target: from_bits(self.terms, symbol, update.access.sort)}
        return self.terms.substitute(vocabulary.instantiated(event.thread, update.success), known)

    def hits(self, event: Event, instruction: Accessing, variable: Term) -> Term:
        """When an access is to just the bytes of a cell, in an object that lives."""
        t, vocabulary = self.terms, self.unrolling.vocabulary
        role = t.symbol(variable)
        assert isinstance(role, CellRole)
        instance = vocabulary.instances[role.number]
        place = vocabulary.address(role.number, instance.layout.offset_of(role.index))
        address = vocabulary.instantiated(event.thread, instruction.access.address)
        alive = vocabulary.alive(instance)
        stand: Stand = self.stands[event.number]
        lives = event.reads.get(alive, stand.values.get(alive, alive)) if alive != t.true else alive
        if isinstance(t.symbol(lives) if t.is_var(lives) else None, AliveRole):
            raise GaveUpError("whether an object lives is not read")
        return t.and_(t.eq(t.substitute(address, dict(stand.values)), place), lives)
