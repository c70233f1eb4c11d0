"""Mining: random runs are watched, and what held in all of them is kept.

A *step* of the interpreter makes one access to shared memory, or is an atomic section: no thread sees what a
section overwrites itself, and what it reads again, or wrote itself, it does not read from others. What main
does while it is the only thread is no part of this: it makes the initial values.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from sley.analyses.pointers import PointsTo
from sley.analyses.sharing import find_sharing
from sley.base.budget import Budget
from sley.engines.bmc.likely.invariants import INITIAL, LikelyInvariants, LikelyRead, Source
from sley.engines.bmc.thresholds import MINED_RUNS
from sley.logic.operators import Op
from sley.program.instructions import (
    Allocate,
    CallUnmodelled,
    Enter,
    Instruction,
    Load,
    Lock,
    Store,
    Unlock,
    Update,
)
from sley.program.program import Edge, Program
from sley.semantics.code import Code
from sley.semantics.memory import StepMemory
from sley.semantics.random_runs import RandomRuns, Taken
from sley.semantics.step import Happening

READING = (Load, Update, Lock)
WRITING = (Store, Update, Lock, Unlock)
MAKING = (Enter, Allocate)
"""An object begins to live: all its cells are written."""


def mine(
    program: Program, runs: int = MINED_RUNS, seed: int = 0, budget: Budget | None = None
) -> LikelyInvariants:
    """What is likely of a prepared program, after so many random runs; the same seed finds the same."""
    code = Code(program)
    random_runs = RandomRuns(code, seed, budget or Budget())
    watch = _ReadsFromWatch(code)
    for number in range(runs):
        watch.begin_run()
        for taken in random_runs.run(number):
            if any(isinstance(one.edge.instruction, CallUnmodelled) for one in taken.happenings):
                break  # what an unmodelled function writes is unknown
            watch.follow(taken)
    return LikelyInvariants({at: watch.facts[at].likely() for at in sorted(watch.facts)}, runs)


class _Write(NamedTuple):
    """One write in a run."""

    location: int
    thread: int
    number: int
    """Which one of the run."""


_FIRST = _Write(INITIAL, 0, 0)

_Cell = tuple[int, int]
"""Object number, index of the cell in it."""


class _Access(NamedTuple):
    """An executed edge: which cells it reads and writes, or which object it makes."""

    location: int
    cells: tuple[_Cell, ...] = ()
    is_read: bool = False
    is_write: bool = False
    made: int | None = None


@dataclass(slots=True)
class _Facts:
    """What was seen of one static read so far."""

    sources: dict[Source, None] = field(default_factory=dict)
    first: dict[Source, None] = field(default_factory=dict)
    """Of initial values: they count only if nothing else was seen."""
    writes: set[int] = field(default_factory=set)
    seen: int = 0
    followed: int = 0
    """How often it saw what the read before had seen."""
    strayed: int = 0
    """How often it saw something else."""

    def likely(self) -> LikelyRead:
        """The invariants."""
        sources = self.sources or self.first
        (origin,) = sources if len(sources) == 1 else (None,)
        return LikelyRead(origin, self.followed > 0 and not self.strayed, frozenset(self.writes), self.seen)


class _ReadsFromWatch:
    """Listens to runs, and records reads-from."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.facts: dict[int, _Facts] = {}
        self._instructions = dict(_watched(code.program))
        """Location -> the instruction there, if it concerns shared memory."""
        self._cells: dict[tuple[int, int], tuple[_Cell, ...]] = {}
        """Address and size -> cells of a global."""
        self._globals = len(code.program.objects)
        self.begin_run()

    def begin_run(self) -> None:
        """Forget the last run, but not what was learnt."""
        self._last_write: dict[_Cell, _Write] = {}
        self._made: dict[int, _Write] = {}
        """Object -> when it began to live; cells that were not written since hold what it began with."""
        self._last_read: dict[tuple[int, _Cell], _Write] = {}
        self._count = 0

    def follow(self, taken: Taken) -> None:
        """A step was taken: note what it reads, then what it writes."""
        memory = taken.memory
        is_alone = len(memory.threads) == 1
        own: set[_Cell] = set()
        """Cells that the step knows by itself by now."""
        made: set[int] = set()
        for access in (found for one in taken.happenings if (found := self._access(one, memory)) is not None):
            if access.is_read and not is_alone:
                for cell in access.cells:
                    if cell not in own and cell[0] not in made:
                        self._read(access.location, memory.thread, cell)
            own.update(access.cells)
            if access.made is not None:
                made.add(access.made)
            if access.is_write or access.made is not None:
                self._write(access, memory.thread, is_alone=is_alone)

    def _access(self, happening: Happening, memory: StepMemory) -> _Access | None:
        """What an executed edge does to memory that threads share, if anything."""
        edge = happening.edge
        if edge.instruction is not self._instructions.get(edge.source):
            return None
        match edge.instruction:
            case Enter(object=obj):
                slots = self.code.slots[self.code.function_at[edge.source].name]
                return _Access(edge.source, made=memory.base + slots[obj.name])
            case Allocate():
                assert isinstance(happening.value, int)
                return _Access(edge.source, made=happening.value >> memory.map.offset_bits)
            case Load() | Store() | Update() | Lock() | Unlock() as instruction:
                assert happening.address is not None
                cells = self._cells_at(happening.address, instruction.access.size, memory)
                is_read, is_write = isinstance(instruction, READING), isinstance(instruction, WRITING)
                is_write &= not self._is_kept(instruction, happening)
                return _Access(edge.source, cells, is_read, is_write)
            case _:
                return None

    def _is_kept(self, instruction: Instruction, happening: Happening) -> bool:
        """Whether an exchange found another value than it compares with: the cell keeps its own."""
        if not isinstance(instruction, Update) or happening.value != happening.old:
            return False
        t, value = self.code.program.terms, instruction.value
        return t.op(value) is Op.ITE and instruction.target.term in t.args(value)

    def _cells_at(self, address: int, size: int, memory: StepMemory) -> tuple[_Cell, ...]:
        found = self._cells.get((address, size))
        if found is None:
            number, offset = address >> memory.map.offset_bits, address & memory.map.offset_mask
            flat = memory.map.flat.get(number)
            block = memory.blocks.get(number) or memory.state.blocks.get(number)
            if flat is not None:
                table = flat[1]
            elif block is not None:
                table = memory.map.layouts[block.layout]
            else:
                return ()  # it began and ended with the step: no other thread has seen it
            found = tuple((number, index) for index, *_ in table.covering(offset, size) if index >= 0)
            if number <= self._globals:
                self._cells[address, size] = found
        return found

    def _read(self, location: int, thread: int, cell: _Cell) -> None:
        write = self._last_write.get(cell) or self._made.get(cell[0], _FIRST)
        facts = self.facts.get(location)
        if facts is None:
            facts = self.facts[location] = _Facts()
        facts.seen += 1
        sources = facts.first if write.location == INITIAL else facts.sources
        sources["local" if write.thread == thread else "remote"] = None
        facts.writes.add(write.location)
        before = self._last_read.get((thread, cell))
        if before is not None:
            if before == write:
                facts.followed += 1
            else:
                facts.strayed += 1
        self._last_read[thread, cell] = write

    def _write(self, access: _Access, thread: int, *, is_alone: bool) -> None:
        self._count += 1
        write = _FIRST if is_alone else _Write(access.location, thread, self._count)
        for cell in access.cells:
            self._last_write[cell] = write
        if access.made is not None:
            self._made[access.made] = write
            for cell in [cell for cell in self._last_write if cell[0] == access.made]:
                del self._last_write[cell]


def _watched(program: Program) -> list[tuple[int, Instruction]]:
    """What may concern memory that threads share, by location."""
    sharing = find_sharing(program, PointsTo(program))
    edges = [edge for function in program.functions.values() for edge in function.edges]

    def is_watched(edge: Edge) -> bool:
        if isinstance(edge.instruction, READING + WRITING):
            return not sharing.is_private(edge.source)
        return isinstance(edge.instruction, MAKING)

    return [(edge.source, edge.instruction) for edge in edges if is_watched(edge)]
