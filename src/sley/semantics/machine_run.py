"""A run on a machine: threads take steps in some order, and reads and writes need not keep to it.

Steps run one after another, as ever. But a read may be said to see another write than the last one, even
one that comes later, and a write may be said to come before others in coherence order, of which memory holds
the last. After the run, what was said must be true (values are those that were written), and the execution as
a whole is one that the axioms of the machine allow (``hardware``). So no run is accepted that they forbid,
whoever chose it.

Every access takes choices: a read 0 for the last write, or a source and its value; a write 0 to be the last
one, or the write that it comes before. A source is the number of a step, from 1 on, or -1 for what was there
at first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from sley.base.errors import GaveUpError
from sley.logic.terms import Term, Terms
from sley.program.compiled_orders import barriers_of, tags_of
from sley.program.instructions import (
    Access,
    Allocate,
    Assign,
    Assume,
    AtomicBegin,
    AtomicEnd,
    Barrier,
    Create,
    Detach,
    End,
    Exit,
    FaultTest,
    Fence,
    Free,
    Instruction,
    Join,
    Leave,
    Load,
    Lock,
    Store,
    Unlock,
    Update,
)
from sley.program.memory_model import MemoryModel
from sley.program.rewriting import written_registers
from sley.semantics.code import Code
from sley.semantics.hardware import INITIAL, Event, Execution, is_allowed
from sley.semantics.memory import Change, Choice, MemoryMap, StepMemory
from sley.semantics.state import CellValue, State
from sley.semantics.step import Happening

FIRST = -1
"""Where a read gets what was there at first."""


class ImpossibleRunError(Exception):
    """The machine does not run so."""


@dataclass(slots=True)
class MachineWrite:
    """A write, and by which step."""

    step: int
    value: CellValue
    event: int = -1


@dataclass(frozen=True, slots=True)
class StaleRead:
    """A read that does not see the last write."""

    step: int
    address: int
    source: int
    value: int
    event: int


@dataclass(slots=True)
class _Draft:
    """An event that is being made."""

    thread: int
    reads: set[object] = field(default_factory=set)
    writes: set[object] = field(default_factory=set)
    barrier: Barrier | None = None
    tags: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Dependencies:
    """What a thread depends on."""

    registers: dict[Term, frozenset[int]] = field(default_factory=dict)
    control: frozenset[int] = frozenset()
    section: int | None = None
    """The event of the atomic section that it is in."""


_CALLS = (AtomicBegin, AtomicEnd, Lock, Unlock, Create, Exit, Join, Detach, Allocate, Free, End)


class MachineRun:
    """What has happened so far, and the execution graph of it."""

    def __init__(self, code: Code, model: MemoryModel) -> None:
        self.code = code
        self.terms: Terms = code.program.terms
        self.model = model
        self.splits = model.splits_updates
        self.step = 0
        """The step that is being taken, from 1 on."""
        self.writes: dict[object, list[MachineWrite]] = {}
        """The writes of each location in coherence order, without what was there at first."""
        self.sizes: dict[int, int] = {}
        self.events: list[_Draft] = []
        self.sources: dict[tuple[int, object], MachineWrite | None] = {}
        """A read -> the write that it sees; None: what was there at first."""
        self.seen: list[StaleRead] = []
        """What is to be looked at when the run is over."""
        self.pairs: dict[str, list[tuple[int, int]]] = {
            kind: [] for kind in ("address", "data", "control", "update")
        }
        self.creators: dict[int, int] = {}
        self.joins: dict[int, int] = {}
        self.read_event: int | None = None
        self.write_event: int | None = None
        """What the last access is."""
        self._flows: dict[int, _Dependencies] = {}

    # --- accesses -----------------------------------------------------------------------------------

    def must_fit(self, address: int, size: int) -> None:
        """Accesses of different sizes to the same bytes are beyond the axioms."""
        for other in range(address - 16, address + size):
            known = self.sizes.get(other)
            if known is not None and other + known > address and (other, known) != (address, size):
                raise GaveUpError("accesses of different sizes to one object, under a model of a machine")
        self.sizes[address] = size

    def last(self, location: object) -> MachineWrite | None:
        """The last write so far."""
        found = self.writes.get(location)
        return found[-1] if found else None

    def by_step(self, location: object, step: int) -> MachineWrite | None:
        """What a step wrote."""
        return next((w for w in self.writes.get(location, ()) if w.step == step), None)

    def after(self, written: MachineWrite | None) -> MachineWrite | None:
        """The write that comes next to one in coherence order."""
        for line in self.writes.values():
            for one, other in pairwise(line):
                if one is written:
                    return other
        return None

    def later_than(self, seen: StaleRead) -> Sequence[MachineWrite]:
        """The writes that come after the one that a read has seen."""
        line = self.writes.get(seen.address, [])
        return line[next((i + 1 for i, w in enumerate(line) if w.step == seen.source), 0) :]

    # --- events -------------------------------------------------------------------------------------

    def note(self, happening: Happening, memory: "MachineMemory") -> None:
        """An edge was executed."""
        flow = self._flows.setdefault(memory.thread, _Dependencies())
        instruction = happening.edge.instruction
        match instruction:
            case Assign(assignments=assignments):
                new = {r.term: self._depends(flow, (value,)) for r, value in assignments}
                flow.registers |= new
                return
            case Assume():
                siblings = (e.instruction for e in self.code.out.get(happening.edge.source, ()))
                conditions = (one.condition for one in siblings if isinstance(one, Assume))
                flow.control |= self._depends(flow, conditions)
                return
            case Fence(barrier=barrier):
                self._fence(memory.thread, flow, barrier)
            case Load() | Store() | Update():
                self._access(happening, memory, flow, instruction)
                return
            case _:
                self._call(happening, memory, flow, instruction)
        for register in written_registers(instruction):
            flow.registers[register.term] = frozenset()

    def _depends(self, flow: _Dependencies, terms: Iterable[Term]) -> frozenset[int]:
        used = {v for term in terms for v in self.terms.variables(term)}
        return frozenset().union(*(flow.registers.get(v, ()) for v in used))

    def _fence(self, thread: int, flow: _Dependencies, barrier: Barrier | None) -> None:
        if barrier is not None and flow.section is None:
            self._controlled(_Draft(thread, barrier=barrier), flow)

    def _event(self, thread: int, flow: _Dependencies) -> int:
        """A new event, or the section."""
        if flow.section is not None:
            return flow.section
        return self._controlled(_Draft(thread), flow)

    def _controlled(self, draft: _Draft, flow: _Dependencies) -> int:
        at = len(self.events)
        self.events.append(draft)
        self.pairs["control"] += [(read, at) for read in sorted(flow.control)]
        return at

    def _read(self, event: int, location: object, source: MachineWrite | None) -> None:
        draft = self.events[event]
        if location not in draft.writes and location not in draft.reads:
            draft.reads.add(location)
            self.sources[event, location] = source

    def _write(self, event: int, location: object, written: MachineWrite) -> None:
        self.events[event].writes.add(location)
        written.event = event

    def _look(self, thread: int, flow: _Dependencies, address: int) -> None:
        """An access finds that its object lives, or not."""
        number = address >> self.code.memory_map.offset_bits
        if number not in self.code.memory_map.flat:
            life = ("life", number)
            self._read(self._event(thread, flow), life, self.last(life))

    def _access(
        self,
        happening: Happening,
        memory: "MachineMemory",
        flow: _Dependencies,
        instruction: Load | Store | Update,
    ) -> None:
        thread, address = memory.thread, happening.address
        assert address is not None
        self.read_event = self.write_event = None
        before, after = barriers_of(instruction, self.model)
        tags = tags_of(instruction, self.model)
        self._look(thread, flow, address)
        self._fence(thread, flow, before)
        sources = self._depends(flow, (instruction.access.address,))
        event = self._event(thread, flow)
        self.pairs["address"] += [(read, event) for read in sorted(sources)]
        if not isinstance(instruction, Store):
            self._read(event, address, memory.source)
            self.events[event].tags |= frozenset(tags.read)
            memory.name_seen(event)
            self.read_event = event
            flow.registers[instruction.target.term] = frozenset({event})
        if isinstance(instruction, Update):
            if instruction.success is not None:
                flow.control |= self._depends(flow, (instruction.success,))
            if self.splits and flow.section is None and memory.written is not None:
                event = self._second(thread, flow, event, sources)
        if memory.written is not None and not isinstance(instruction, Load):
            data = self._depends(flow, (instruction.value,))
            self.pairs["data"] += [(read, event) for read in sorted(data) if read != event]
            self._write(event, address, memory.written)
            self.events[event].tags |= frozenset(tags.write)
            self.write_event = event
        if after is Barrier.CONTROL and not isinstance(instruction, Store):
            flow.control |= flow.registers[instruction.target.term]
        self._fence(thread, flow, after)

    def _second(self, thread: int, flow: _Dependencies, read: int, sources: frozenset[int]) -> int:
        """The write of an update that is not locked."""
        event = self._event(thread, flow)
        self.pairs["address"] += [(one, event) for one in sorted(sources)]
        self.pairs["update"].append((read, event))
        return event

    def _call(
        self, happening: Happening, memory: "MachineMemory", flow: _Dependencies, instruction: Instruction
    ) -> None:
        """What else a thread does: calls of the system, and sections, with full barriers around."""
        barrier = Barrier.FULL if isinstance(instruction, _CALLS) else None
        self._fence(memory.thread, flow, barrier)
        match instruction:
            case AtomicBegin():
                flow.section = self._event(memory.thread, flow)
            case AtomicEnd():
                flow.section = None
            case Lock() | Unlock():
                self._lock(happening, memory, flow)
            case Create() | Exit() | Join() | Detach():
                self._thread(happening, memory.thread, flow)
            case Allocate() | Free() | Leave() | FaultTest():
                self._life(happening, memory.thread, flow)
            case _:
                pass
        self._fence(memory.thread, flow, barrier)
        if isinstance(instruction, Create):
            assert happening.handle is not None
            self.creators[happening.handle - 1] = len(self.events) - 1
        elif isinstance(instruction, Join):
            assert happening.handle is not None
            self.joins.setdefault(happening.handle - 1, len(self.events) - 1)

    def _lock(self, happening: Happening, memory: "MachineMemory", flow: _Dependencies) -> None:
        assert happening.address is not None
        assert memory.written is not None
        self._look(memory.thread, flow, happening.address)
        event = self._event(memory.thread, flow)
        if isinstance(happening.edge.instruction, Lock):
            self._read(event, happening.address, memory.source)
        self._write(event, happening.address, memory.written)

    def _thread(self, happening: Happening, thread: int, flow: _Dependencies) -> None:
        """A thread begins, ends, is joined or detached."""
        instruction, event = happening.edge.instruction, self._event(thread, flow)
        handle = thread + 1 if isinstance(instruction, Exit) else happening.handle
        assert handle is not None
        location = ("thread", handle - 1)
        if isinstance(instruction, Join | Detach):
            self._read(event, location, self.last(location))
        self._changes(event, location)
        for life in self._own_lives(thread) if isinstance(instruction, Exit) else ():
            self._changes(event, life)

    def _life(self, happening: Happening, thread: int, flow: _Dependencies) -> None:
        """An object begins or ends, or is found to have ended."""
        instruction = happening.edge.instruction
        address = happening.value if isinstance(instruction, Allocate) else happening.address
        if not isinstance(address, int):
            return
        if isinstance(instruction, Free | FaultTest):
            self._look(thread, flow, address)
        if not isinstance(instruction, FaultTest):
            self._changes(self._event(thread, flow), ("life", address >> self.code.memory_map.offset_bits))

    def _own_lives(self, thread: int) -> list[tuple[str, int]]:
        first = self.code.memory_map.local_base + thread * self.code.memory_map.local_slots
        numbers = range(first, first + self.code.memory_map.local_slots)
        return [("life", number) for number in numbers if ("life", number) in self.writes]

    def _changes(self, event: int, location: object) -> None:
        """Something that is no memory of the program changes, in the order of the run."""
        written = MachineWrite(self.step, 0)
        self.writes.setdefault(location, []).append(written)
        self._write(event, location, written)

    # --- the end ------------------------------------------------------------------------------------

    def judge(self) -> None:
        """All that was said is true, and the machine allows it; otherwise ImpossibleRunError."""
        for seen in self.seen:
            found = None if seen.source == FIRST else self.by_step(seen.address, seen.source)
            if seen.source != FIRST and (found is None or found.value != seen.value):
                raise ImpossibleRunError(f"step {seen.step} reads what no step writes")
            self.sources[seen.event, seen.address] = found
        if not is_allowed(self.execution(), self.model):
            raise ImpossibleRunError(f"{self.model.label} does not allow this")

    def execution(self) -> Execution:
        """The execution graph."""
        events = [
            Event(d.thread, frozenset(d.reads), frozenset(d.writes), d.barrier, d.tags) for d in self.events
        ]
        locations = dict.fromkeys((*self.writes, *(location for _, location in self.sources)))
        first = {location: len(events) + i for i, location in enumerate(locations)}
        events += [Event(INITIAL, writes=frozenset({location})) for location in locations]
        return Execution(
            events,
            {
                read: first[read[1]] if source is None else source.event
                for read, source in self.sources.items()
            },
            {
                location: list(dict.fromkeys((at, *(w.event for w in self.writes.get(location, ())))))
                for location, at in first.items()
            },
            self.creators,
            self.pairs["address"],
            self.pairs["data"],
            self.pairs["control"],
            self.joins,
            self.pairs["update"],
        )


class MachineMemory(StepMemory):
    """The memory of one step on a machine."""

    def __init__(
        self,
        memory_map: MemoryMap,
        state: State,
        thread: int,
        choices: tuple[Choice, ...],
        run: MachineRun,
    ) -> None:
        self.run = run
        self.source: MachineWrite | None = None
        """What the last access read from; None: what was there at first."""
        self.written: MachineWrite | None = None
        """What it wrote."""
        self.unnamed: tuple[int, int, int] | None = None
        """What it said to have seen, if not the last write: address, source and value."""
        super().__init__(memory_map, state, thread, choices)

    def choose_source(self, address: int, size: int) -> tuple[int, int]:
        """Which write a read sees, and its value: 0 for the last one."""
        source = self.choose(1)
        return source, self.choose(1) if source else 0

    def choose_place(self, address: int, value: CellValue) -> int:
        """Before which write another one comes: 0 for none."""
        return self.choose(1)

    def read(self, address: int, access: Access) -> CellValue:
        """What the access reads."""
        return self._seen(address, access.size)

    def _seen(self, address: int, size: int) -> CellValue:
        self.run.must_fit(address, size)
        self.written = self.unnamed = None
        own = self.run.by_step(address, self.run.step)
        if own is not None:  # in one section
            self.source = own
            return own.value
        source, value = self.choose_source(address, size)
        if source:
            self.unnamed = address, source, value
            return value
        self.source = self.run.last(address)
        return self.load(address, size)

    def name_seen(self, event: int) -> None:
        """The last read is this event."""
        if self.unnamed is not None:
            address, source, value = self.unnamed
            self.run.seen.append(StaleRead(self.run.step, address, source, value, event))
            self.source = None

    def write(self, address: int, access: Access, value: CellValue) -> None:
        """Write these bytes."""
        self.run.must_fit(address, access.size)
        self._put(address, access.size, value)

    def update(self, address: int, update: Update, change: Change) -> CellValue:
        """Read and write."""
        old = self._seen(address, update.access.size)
        value, is_success = change(old)
        if is_success:
            self._put(address, update.access.size, value)
        return old

    def _put(self, address: int, size: int, value: CellValue) -> None:
        line = self.run.writes.setdefault(address, [])
        later = self.choose_place(address, value)
        again = self.run.by_step(address, self.run.step)
        if again is not None:  # in one section only the last write counts
            line.remove(again)
        at = next((i for i, w in enumerate(line) if w.step == later), len(line)) if later else len(line)
        self.written = MachineWrite(self.run.step, value)
        line.insert(at, self.written)
        if at == len(line) - 1:
            self.store(address, size, value)

    def lock(self, address: int, size: int) -> None:
        """The thread takes a lock."""
        self.source = self.run.last(address)
        self._locked(address, size, self.handle)

    def unlock(self, address: int, size: int) -> None:
        """The thread gives a lock back."""
        self._locked(address, size, 0)

    def _locked(self, address: int, size: int, value: int) -> None:
        self.run.must_fit(address, size)
        self.written = MachineWrite(self.run.step, value)
        line = self.run.writes.setdefault(address, [])
        line[:] = [w for w in line if w.step != self.run.step]
        line.append(self.written)
        self.store(address, size, value)
