"""What a machine does in a plain unrolling: accesses to memory, and barriers.

A variable that only calls of the system and atomic sections use (a lock, the state of a thread) is the
system's: these have full barriers around them, so they happen in one order, as do the lives of objects. All
other cells are *memory*.
"""

from dataclasses import dataclass, field

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.evidence.bounded.dependencies import Needs, Reads, StopDependencies, Tracker
from sley.evidence.bounded.events import BoundedEvent
from sley.evidence.bounded.proof import BoundedProof
from sley.evidence.bounded.unrolling import CheckedClaims, GuardedBranch, UnrolledState, UnrolledStep
from sley.evidence.bounded.weak_events import Located, ReadsKept, WeakSteps, edge_at
from sley.logic.terms import Term
from sley.program.compiled_orders import barriers_of, tags_of
from sley.program.instructions import (
    AtomicBegin,
    Barrier,
    Enter,
    Fence,
    Free,
    Instruction,
    Leave,
    Load,
    Store,
    Update,
)
from sley.program.memory_model import MemoryModel
from sley.semantics.code import Code
from sley.semantics.roles import CellRole


class MachineUnrolling(ReadsKept):
    """An unrolling in which fences are events, and all accesses, with what they depend on."""

    watched = (AtomicBegin, Free, Fence, Load, Store, Update)
    kind_of_steps = WeakSteps
    forgets_rounds = True
    model: MemoryModel

    def __init__(self, code: Code, proof: BoundedProof, claims: CheckedClaims, budget: Budget) -> None:
        super().__init__(code, proof, claims, budget)
        self.tracker = Tracker(self.terms, self.model)
        self.needs: dict[int, Needs] = {}

    def _event(self, state: UnrolledState, step: UnrolledStep) -> BoundedEvent | None:
        event, edge = super()._event(state, step), edge_at(self.code, state.location)
        if event is not None:
            instruction = None if edge is None else edge.instruction
            if edge is not None and isinstance(instruction, Load | Update):
                self._keep(state, event, edge)
            self.needs[event.number] = self.tracker.needs(state.flow, instruction, event.number)
        return event

    def _merge(self, one: UnrolledState, other: UnrolledState) -> UnrolledState:
        t, merged = self.terms, super()._merge(one, other)
        common = [part for part in one.guard if part in other.guard]
        first = self.named(t.and_(*(part for part in one.guard if part not in common)))
        second = self.named(t.and_(*(part for part in other.guard if part not in common)))
        merged.flow = self.tracker.merged(one.flow, other.flow, first, second)
        return merged

    def _after(
        self, state: UnrolledState, step: UnrolledStep, event: BoundedEvent | None, way: GuardedBranch
    ) -> UnrolledState:
        after = super()._after(state, step, event, way)
        after.flow = self._flow(state, step, event, way)
        return after

    def _flow(
        self, state: UnrolledState, step: UnrolledStep, event: BoundedEvent | None, way: GuardedBranch
    ) -> StopDependencies:
        """Where the edges are not all known, nothing is sure of registers."""
        if step.is_merged:
            return StopDependencies({}, state.flow.branches)
        instructions = [edge.instruction for edge in way.branch.edges]
        return self.tracker.after(state.flow, instructions, None if event is None else event.number)


def unrolling_for(model: MemoryModel) -> type[MachineUnrolling]:
    """An unrolling for one model."""
    return type("MachineUnrolling", (MachineUnrolling,), {"model": model})


@dataclass(frozen=True, slots=True)
class Access:
    """An event, or the read or the write of an update that is two accesses."""

    number: int
    event: int
    thread: int
    happens: Term
    reads: dict[Term, Term] = field(default_factory=dict)
    """Memory that it reads, and when."""
    writes: dict[Term, Term] = field(default_factory=dict)
    """Memory that it writes, and when."""
    is_second: bool = False
    """The write of an update; its read is the access before."""
    is_call: bool = False
    """With full barriers around."""
    tags: tuple[str, ...] = ()
    """More sets of the text that it is in."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A barrier of a thread."""

    thread: int
    after: int
    before: int
    """Between these events, or those around them."""
    barrier: Barrier
    happens: Term
    control: Reads
    """What branches before it depend on."""


class MachineAccesses(Located):
    """The accesses and barriers of an unrolling."""

    def __init__(self, unrolling: MachineUnrolling) -> None:
        super().__init__(unrolling)
        self.model = unrolling.model
        self.needs = unrolling.needs
        self.splits = self.model.splits_updates
        self.memory = frozenset(
            variable
            for event in self.events
            if isinstance(self.instruction(event.number), Load | Store | Update)
            for variable in (*event.reads, *event.writes)
            if self.is_cell(variable)
        )
        self.all: list[Access] = []
        self.bars: list[Bar] = []
        for event in self.events:
            if event.thread >= 0:  # others only look on
                self._add(event, self.instruction(event.number))

    def is_cell(self, variable: Term) -> bool:
        """Whether a variable is memory of the program."""
        return isinstance(self.terms.symbol(variable), CellRole)

    def _add(self, event: BoundedEvent, instruction: Instruction | None) -> None:
        at, thread = event.number, event.thread
        match instruction:
            case Fence(barrier=barrier):
                self.bars.append(Bar(thread, at, at, barrier, event.looks, self._branches(event)))
            case Load() | Store() | Update():
                self._must_fit(event, instruction)
                before, after = barriers_of(instruction, self.model)
                self._bar(event, before, after)
                self._add_access(event, instruction)
            case Leave():
                self._put(event, *self._plain(event))
            case Enter():
                raise GaveUpError("a local object that several threads use begins to live late")
            case _:
                self._bar(event, Barrier.FULL, Barrier.FULL)
                self._put(event, *self._plain(event), is_call=True)

    def _bar(self, event: BoundedEvent, before: Barrier | None, after: Barrier | None) -> None:
        at, thread = event.number, event.thread
        control = self._branches(event)
        if before is not None:
            self.bars.append(Bar(thread, at - 1, at, before, event.looks, control))
        if after is not None:
            own = {at: self.terms.true} if after is Barrier.CONTROL else {}
            self.bars.append(Bar(thread, at, at + 1, after, event.looks, {**control, **own}))

    def _branches(self, event: BoundedEvent) -> Reads:
        needs = self.needs.get(event.number)
        return {} if needs is None else needs.control

    def _must_fit(self, event: BoundedEvent, instruction: Load | Store | Update) -> None:
        cells = [v for v in (*event.reads, *event.writes) if self.is_cell(v)]
        is_part = instruction.access.location is not None
        if is_part or any(8 * instruction.access.size != self.terms.width(v) for v in cells):
            raise GaveUpError("accesses of different sizes to one object")

    def _plain(self, event: BoundedEvent) -> tuple[dict[Term, Term], dict[Term, Term]]:
        """What a call, or a section, reads and writes of memory."""
        reads = {v: event.looks for v in event.reads if v in self.memory}
        return reads, {v: w.condition for v, w in event.writes.items() if v in self.memory}

    def _add_access(self, event: BoundedEvent, instruction: Load | Store | Update) -> None:
        t = self.terms
        cells = [v for v in dict.fromkeys((*event.reads, *event.writes)) if v in self.memory]
        hits = {v: t.and_(event.looks, self.hits(event, instruction, v)) for v in cells}
        reads = {} if isinstance(instruction, Store) else {v: hits[v] for v in cells if v in event.reads}
        writes: dict[Term, Term] = {}
        if isinstance(instruction, Store):
            writes = {v: hits[v] for v in cells if v in event.writes}
        elif isinstance(instruction, Update):
            writes = {v: t.and_(hits[v], self._succeeds(event, instruction, v)) for v in cells}
        tags = tags_of(instruction, self.model)
        if self.splits and isinstance(instruction, Update):
            self._put(event, reads, {}, tags=tags.read)
            self._put(event, {}, writes, is_second=True, tags=tags.write)
        else:
            self._put(event, reads, writes, tags=(*tags.read, *tags.write))

    def _succeeds(self, event: BoundedEvent, update: Update, variable: Term) -> Term:
        if update.success is None:
            return self.terms.true
        if variable not in event.reads:
            raise GaveUpError("an update that reads nothing")
        return self.success(event, update, event.reads[variable])

    def _put(
        self,
        event: BoundedEvent,
        reads: dict[Term, Term],
        writes: dict[Term, Term],
        *,
        is_second: bool = False,
        is_call: bool = False,
        tags: tuple[str, ...] = (),
    ) -> None:
        happens = self.terms.or_(*writes.values()) if is_second else event.looks
        at, thread = len(self.all), event.thread
        self.all.append(Access(at, event.number, thread, happens, reads, writes, is_second, is_call, tags))

    def value(self, access: Access, variable: Term) -> Term:
        """What an access writes."""
        event, t = self.events[access.event], self.terms
        write = event.writes.get(variable)
        if isinstance(self.instruction(access.event), Update) and variable in event.reads:
            symbol = event.reads[variable]
            return symbol if write is None else t.ite(write.condition, write.value, symbol)
        assert write is not None
        return write.value
