"""What RC11 speaks of in a plain unrolling: atomic accesses and fences."""

from collections.abc import Iterator
from dataclasses import dataclass

from sley.base.errors import GaveUpError
from sley.evidence.bounded.events import BoundedEvent, Stand
from sley.evidence.bounded.unrolling import UnrolledState, UnrolledStep, UnrolledSteps, Unrolling
from sley.logic.terms import Term
from sley.program.instructions import (
    Accessing,
    AtomicBegin,
    Await,
    Exit,
    FaultTest,
    Fence,
    Free,
    Instruction,
    Join,
    Load,
    Lock,
    MemoryOrder,
    Store,
    Unlock,
    Update,
)
from sley.program.program import Edge
from sley.program.rewriting import written_registers
from sley.semantics.code import Code
from sley.semantics.roles import AliveRole, CellRole, StatusRole
from sley.semantics.symbolic_memory import from_bits
from sley.semantics.symbolic_step import Shape
from sley.semantics.weak_memory import CONDITIONS


class WeakSteps(UnrolledSteps):
    """Steps that end before fences, too."""

    def __init__(self, code: Code, shape: Shape) -> None:
        super().__init__(code, shape)
        edges = [edge for out in code.out.values() for edge in out]
        fences = {edge.source for edge in edges if isinstance(edge.instruction, Fence)}
        self.stops = self.stops | (fences - code.inside)


class ReadsKept(Unrolling):
    """An unrolling in which accesses read what nothing needs, too."""

    def _keep(self, state: UnrolledState, event: BoundedEvent, edge: Edge) -> None:
        """An access reads, even if nothing needs what it finds: it may order others.

        A load at a place that is not known is left out: that admits more runs, as it does to leave out
        any condition.
        """
        t, vocabulary = self.terms, self.vocabulary
        if any(isinstance(t.symbol(v), CellRole) for v in (*event.reads, *event.writes)):
            return
        assert isinstance(edge.instruction, Accessing)
        address = vocabulary.instantiated(self.thread, edge.instruction.access.address)
        number = t.number(t.substitute(address, {**self._known, **state.values}))
        if number is None and isinstance(edge.instruction, Load):
            return
        if number is None:
            raise GaveUpError("an update that changes nothing, at a place that is not known")
        instance = vocabulary.instances.get(vocabulary.pointers.number(number))
        for variable in () if instance is None else vocabulary.cells(instance):
            role = t.symbol(variable)
            assert isinstance(role, CellRole)
            assert instance is not None
            is_here = instance.layout.offset_of(role.index) == vocabulary.pointers.offset(number)
            if is_here and self.is_shared(variable):
                self.initial(variable)
                event.reads[variable] = self._symbol("read", t.sort(variable))


class WeakUnrolling(ReadsKept):
    """An unrolling in which fences are events, and all accesses."""

    watched = (AtomicBegin, Free, Fence, Load, Store, Update)
    kind_of_steps = WeakSteps
    forgets_rounds = True

    def _may_be_forgotten(self, head: int) -> bool:
        """Only if a round polls: whatever races with its one access races with that of the next round."""
        loops = self._positions_of(self.thread).loops
        return super()._may_be_forgotten(head) and head in loops.polling

    def _event(self, state: UnrolledState, step: UnrolledStep) -> BoundedEvent | None:
        event, edge = super()._event(state, step), edge_at(self.code, state.location)
        if event is not None and edge is not None and is_atomic(edge):
            self._keep(state, event, edge)
        return event


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
    order: MemoryOrder
    failure: MemoryOrder
    """The order if it is an update that does not write."""
    reads: bool = False
    is_update: bool = False


def edge_at(code: Code, location: int) -> Edge | None:
    """What a step from here begins with, if that is not wrong."""
    return next((e for e in code.out.get(location, ()) if not isinstance(e.instruction, FaultTest)), None)


def is_atomic(edge: Edge | None) -> bool:
    """Whether it is, outside of sections, an atomic access of the user's, or an update of the library."""
    if edge is None or not isinstance(edge.instruction, Load | Store | Update):
        return False
    is_event = isinstance(edge.instruction, Update) or not edge.origin.is_library
    return is_event and edge.instruction.access.is_atomic


class Located:
    """What events do, and where."""

    def __init__(self, unrolling: Unrolling) -> None:
        self.unrolling = unrolling
        self.terms = unrolling.terms
        self.code = unrolling.code
        self.events = unrolling.result.events
        self.stands = {s.event: s for s in unrolling.result.stands if s.event is not None}
        self.edges = [None if e.is_first else edge_at(self.code, e.location) for e in self.events]

    def instruction(self, event: int) -> Instruction | None:
        """What a step begins with; None: what main wrote while it was alone."""
        edge = self.edges[event]
        return None if edge is None else edge.instruction

    def success(self, event: BoundedEvent, update: Update, symbol: Term) -> Term:
        """When an update succeeds that finds what the symbol stands for."""
        if update.success is None:
            return self.terms.true
        stand, vocabulary = self.stands[event.number], self.unrolling.vocabulary
        target = vocabulary.register(event.thread, update.target)
        known = {**stand.values, target: from_bits(self.terms, symbol, update.access.sort)}
        return self.terms.substitute(vocabulary.instantiated(event.thread, update.success), known)

    def hits(self, event: BoundedEvent, instruction: Accessing, variable: Term) -> Term:
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


class Accesses(Located):
    """The accesses to all variables that are accessed atomically, and the fences."""

    def __init__(self, unrolling: Unrolling) -> None:
        super().__init__(unrolling)
        self.variables = frozenset(
            variable
            for event in self.events
            if is_atomic(self.edges[event.number])
            for variable in (*event.reads, *event.writes)
            if isinstance(self.terms.symbol(variable), CellRole)
        )
        self._must_be_simple()
        self.all = [access for event in self.events for access in self._of(event)]

    def _must_be_simple(self) -> None:
        for event in self.events:
            if isinstance(self.instruction(event.number), AtomicBegin):
                inside = self.code.section(event.location)
                is_mixed = any(is_atomic(edge) and not edge.origin.is_library for edge in inside)
                if is_mixed or not self.variables.isdisjoint((*event.reads, *event.writes)):
                    raise GaveUpError("an atomic section with atomic objects")

    def _of(self, event: BoundedEvent) -> Iterator[Access]:
        instruction, t = self.instruction(event.number), self.terms
        if isinstance(instruction, Fence):
            order = instruction.order
            yield Access(event.number, event.thread, None, event.looks, t.false, None, order, order)
        for variable in dict.fromkeys((*event.reads, *event.writes)):
            if variable in self.variables:
                yield self._access(event, instruction, variable)

    def _access(self, event: BoundedEvent, instruction: Instruction | None, variable: Term) -> Access:
        t, write = self.terms, event.writes.get(variable)
        if not isinstance(instruction, Accessing):
            writes, value = (t.false, None) if write is None else (write.condition, write.value)
            plain = MemoryOrder.PLAIN
            return Access(event.number, event.thread, variable, event.looks, writes, value, plain, plain)
        is_event = is_atomic(self.edges[event.number])
        if isinstance(instruction, Lock | Unlock) or (instruction.access.is_atomic and not is_event):
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

    def _update(self, event: BoundedEvent, update: Update, variable: Term, happens: Term) -> Access:
        """An update writes where it succeeds, also if it writes what was there."""
        t, symbol, write = self.terms, event.reads.get(variable), event.writes.get(variable)
        if symbol is None:
            raise GaveUpError("an update that reads nothing")
        value = symbol if write is None else t.ite(write.condition, write.value, symbol)
        success, order = self.success(event, update, symbol), update.access.order
        writes = t.and_(happens, success)
        failure = order if update.success is None else update.failure
        thread = event.thread
        return Access(
            event.number, thread, variable, happens, writes, value, order, failure, reads=True, is_update=True
        )

    # --- what else synchronises -------------------------------------------------------------------

    def passing(self, one: BoundedEvent, other: BoundedEvent, variable: Term) -> Iterator[Term]:
        """When a step that reads what another wrote to a variable, which is not atomic, knows what that knew.

        A lock is taken after it was given back, a thread is joined after its end. A section knows of the one
        whose value it finds; one of the library only if it then changes something or has waited, and only by
        the user's objects. Condition variables order nothing.
        """
        role, own = self.terms.symbol(variable), other.writes.get(variable)
        first, second = self.instruction(one.number), self.instruction(other.number)
        if isinstance(role, StatusRole):
            if isinstance(first, Exit) and isinstance(second, Join) and own and role.thread == one.thread:
                yield own.condition
            return
        if not isinstance(role, CellRole):
            return
        is_given_back = self._only(one, variable, Unlock)
        if own is not None and is_given_back and self._only(other, variable, Lock):
            yield own.condition
        is_left = self._is_ordering(one) and not self._may_lock(one, variable)
        if isinstance(second, AtomicBegin) and self._is_ordering(other) and (is_given_back or is_left):
            yield from self._section_knows(other, variable, role)

    def _section_knows(self, event: BoundedEvent, variable: Term, role: CellRole) -> Iterator[Term]:
        """When a section certainly uses a variable, and that orders something."""
        edge, own = self.edges[event.number], event.writes.get(variable)
        assert edge is not None
        if edge.origin.is_library and not self._is_of_user(role):
            return
        if own is not None:
            yield own.condition
        inside = self._inside(event)
        is_line = len({one.source for one in inside}) == len(inside)
        waits = any(isinstance(one.instruction, Await) for one in inside)
        if is_line and (waits or not edge.origin.is_library) and self._loads(event, variable):
            yield event.occurs
        for other, write in event.writes.items():
            if isinstance(self.terms.symbol(other), CellRole) and self._is_read_before(
                event, variable, other
            ):
                yield write.condition

    def _is_read_before(self, event: BoundedEvent, variable: Term, other: Term) -> bool:
        """Whether a section writes one variable only after it has read another."""
        here, writes = self.place(other), self._writers(event)
        sources = [edge.source for edge in writes if self._place(event, edge) in (None, here)]
        return any(
            sources and not self._reached(event, load.source).intersection(sources)
            for load in self._loads(event, variable)
        )

    def _reached(self, event: BoundedEvent, without: int) -> set[int]:
        """The locations of a section that can be reached without passing one of them."""
        seen, waiting = {event.location}, [event.location]
        while waiting:
            at = waiting.pop()
            for edge in self._inside(event) if at != without else ():
                if edge.source == at and edge.target not in seen:
                    seen.add(edge.target)
                    waiting.append(edge.target)
        return seen - {without}

    def _is_ordering(self, event: BoundedEvent) -> bool:
        """Whether a step is a section, or an atomic access of the library, but of no condition variable."""
        edge = self.edges[event.number]
        if edge is None or is_condition(edge):
            return False
        is_access = isinstance(edge.instruction, Store) and edge.instruction.access.is_atomic
        return isinstance(edge.instruction, AtomicBegin) or (is_access and edge.origin.is_library)

    def _inside(self, event: BoundedEvent) -> list[Edge]:
        edge = self.edges[event.number]
        if edge is not None and isinstance(edge.instruction, AtomicBegin):
            return [e for e in self.code.section(event.location) if not isinstance(e.instruction, FaultTest)]
        return [] if edge is None else [edge]

    def _may_lock(self, event: BoundedEvent, variable: Term) -> bool:
        """Whether a step may write a cell by taking a lock there."""
        locks = [edge for edge in self._inside(event) if isinstance(edge.instruction, Lock)]
        return any(self._place(event, edge) in (None, self.place(variable)) for edge in locks)

    def _only(self, event: BoundedEvent, variable: Term, kind: type[Lock | Unlock]) -> bool:
        """Whether a step writes a cell only by taking a lock there, or only by giving it back."""
        writers = [
            e for e in self._inside(event) if isinstance(e.instruction, Store | Update | Lock | Unlock)
        ]
        places = [(self._place(event, edge), isinstance(edge.instruction, kind)) for edge in writers]
        here = self.place(variable)
        is_known = all(place is not None for place, _ in places)
        return is_known and [is_it for place, is_it in places if place == here] == [True]

    def _writers(self, event: BoundedEvent) -> list[Edge]:
        kinds = Store | Update | Lock | Unlock
        return [edge for edge in self._inside(event) if isinstance(edge.instruction, kinds)]

    def _loads(self, event: BoundedEvent, variable: Term) -> list[Edge]:
        """The loads of just this cell in a section."""
        loads = [edge for edge in self._inside(event) if isinstance(edge.instruction, Load)]
        return [edge for edge in loads if self._place(event, edge) == self.place(variable)]

    def _place(self, event: BoundedEvent, edge: Edge) -> int | None:
        """The address of an access, if it is known when its step begins."""
        t, vocabulary = self.terms, self.unrolling.vocabulary
        assert isinstance(edge.instruction, Accessing)
        address = edge.instruction.access.address
        changed = {r.term for one in self._inside(event) for r in written_registers(one.instruction)}
        if not changed.isdisjoint(t.variables(address)):
            return None
        known = dict(self.stands[event.number].values)
        return t.number(t.substitute(vocabulary.instantiated(event.thread, address), known))

    def place(self, variable: Term) -> int:
        """The address of a cell."""
        role = self.terms.symbol(variable)
        assert isinstance(role, CellRole)
        vocabulary = self.unrolling.vocabulary
        offset = vocabulary.instances[role.number].layout.offset_of(role.index)
        return vocabulary.pointers.address(role.number, offset)

    def _is_of_user(self, role: CellRole) -> bool:
        """Whether our models do not keep an object for themselves."""
        program = self.code.program
        index = role.number - program.pointers.first_object
        return not (0 <= index < len(program.objects)) or bool(program.objects[index].c_name)


def is_condition(edge: Edge) -> bool:
    """Whether an edge belongs to a condition variable."""
    return edge.origin.is_library and any(c.function.startswith(CONDITIONS) for c in edge.origin.calls)
