"""Store buffers: the program that behaves under sequential consistency as the given one does on a machine.

TSO is the abstract machine of S. Owens, S. Sarkar, P. Sewell, *A better x86 memory model: x86-TSO* (TPHOLs
2009): the stores of a thread wait in a queue, the oldest may reach memory at any time, a load takes the
newest of its own thread to that address that waits, or else memory; barriers and locked instructions wait
until the queue is empty. PSO is that of SPARC V8 (*The SPARC Architecture Manual*, version 8, appendix K):
the same with a queue for each address, and barriers that keep stores in order.

Which stores wait is part of the control flow: there is one copy of a location for each *shape*, the sequence
of the stores that wait, named by the locations where they were done. What they store is in registers of the
thread. So nothing is shared that was not shared before, a store that waits is a local step, and whoever can
verify interleaved threads can verify these, however many there are. A thread makes its own stores reach
memory: before each access, in each round of each loop, and before it waits or ends it may do so. That is as
good as at any time: a store that waits cannot be told from one whose thread has not got there.

Only the stores on critical cycles wait (``analyses.critical_cycles``), and others that must not overtake
them. A shape has a bounded length: where one more store would have to wait, and where a store that is not to
a whole scalar of a global would have to, there is a way to ``GiveUp``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from pathlib import PurePath

from sley.analyses.critical_cycles import EMPTYING, delayed_stores
from sley.analyses.loops import find_loops
from sley.analyses.shared_cells import SharedCells
from sley.logic.sorts import BOOL, Sort
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.compiled_orders import barriers_of
from sley.program.instructions import Barrier, Register
from sley.program.memory import Display
from sley.program.memory_model import MemoryModel
from sley.program.program import Edge, Function, Origin, Program, user_origin

PENDING = "%pending"
"""Registers whose names start so get the values of stores that wait."""
TARGET = "%target"
"""Registers whose names start so get their addresses."""
FORWARDED = "%forwarded"
"""Registers whose names start so get what loads take from stores that wait."""

Shape = tuple[int, ...]
"""The stores that wait, from the oldest on, and barriers between them."""

BARRIER = -1
"""In a shape: what is before it reaches memory before what is after it."""


class Instrument(Enum):
    """Which stores may wait."""

    CRITICAL = "critical"
    """Those on critical cycles."""
    ALL = "all"
    """All to shared memory: slower, to compare with."""


@dataclass(frozen=True, slots=True)
class Buffering:
    """How stores wait."""

    model: MemoryModel
    """TSO or PSO."""
    size: int
    """So many stores of a thread may wait at once."""
    instrument: Instrument = Instrument.CRITICAL


def with_store_buffers(program: Program, buffering: Buffering) -> Program:
    """The flat program in which threads delay stores: its runs are those of the machine, up to ``GiveUp``."""
    cells = SharedCells(program)
    delayed: frozenset[int] | None = None
    if buffering.instrument is Instrument.CRITICAL:
        delayed = delayed_stores(program, cells, buffering.model)
        if not delayed:
            return program
    places = _BufferCells(program, cells, delayed, program.fresh_locations())
    return program.mapped(lambda function: _BufferRewriting(places, function, buffering).function())


@dataclass(frozen=True, slots=True)
class _BufferCells:
    """What all functions share."""

    program: Program
    cells: SharedCells
    delayed: frozenset[int] | None
    """The locations of the stores that wait even where nothing forces them to; None: all."""
    fresh: Iterator[int]
    """New locations."""


class _BufferRewriting:
    """One function."""

    def __init__(self, places: _BufferCells, function: Function, buffering: Buffering) -> None:
        self.terms = places.program.terms
        self.old = function
        self.cells = places.cells
        self.delayed = places.delayed
        self.buffering = buffering
        self.locations = places.fresh
        self.heads = find_loops(function).heads
        self.stores = {e.source: e for e in function.edges if isinstance(e.instruction, ir.Store)}
        self.ends = {function.exit, *function.errors}
        self.registers = {register.name: register for register in function.registers}
        self.edges: list[Edge] = []
        self.copies: dict[tuple[int, Shape], int] = {}
        self.waiting: list[tuple[int, Shape]] = []

    def function(self) -> Function:
        """The function with a copy of each location for each shape that it is reached with."""
        self._copy(self.old.entry, ())
        while self.waiting:
            location, shape = self.waiting.pop()
            self._rewrite(location, shape)
        return replace(self.old, registers=tuple(self.registers.values()), edges=tuple(self.edges))

    def _copy(self, location: int, shape: Shape) -> int:
        """The copy of a location with this shape; a thread that ends or fails needs none."""
        shape = () if location in self.ends else _without_idle_barriers(shape)
        if (location, shape) not in self.copies:
            self.copies[location, shape] = next(self.locations) if shape else location
            self.waiting.append((location, shape))
        return self.copies[location, shape]

    def _edge(self, source: int, target: int, instruction: ir.Instruction, origin: Origin) -> None:
        self.edges.append(Edge(source, target, instruction, origin))

    def _register(self, name: str, sort: Sort) -> Register:
        """A register of this function, made when it is asked for first."""
        if name not in self.registers:
            term = self.terms.var(f"{self.old.name}::{name}", sort)
            self.registers[name] = Register(name, sort, term)
        return self.registers[name]

    def _shown_register(self, name: str, edge: Edge) -> Register:
        """A register that replays show as the variable that is accessed."""
        register = self._register(name, self._access(edge).sort)
        if not register.c_name:
            cells = (cell for obj in self.cells.globals_at(edge) for cell in obj.layout.cells)
            display = next((cell.display for cell in cells if cell.sort == register.sort), Display.SIGNED)
            register = replace(register, c_name=self._access(edge).text, display=display)
            self.registers[name] = register
        return register

    def _access(self, edge: Edge) -> ir.Access:
        assert isinstance(edge.instruction, ir.Load | ir.Store)
        return edge.instruction.access

    # --- one location ---------------------------------------------------------------------------------

    def _rewrite(self, location: int, shape: Shape) -> None:
        edges = self.old.outgoing.get(location, ())
        if not edges:
            return  # it ends here
        source, first = self.copies[location, shape], edges[0]
        if location in self.cells.inside:
            self._keep(source, edges, shape)
            return
        match first.instruction:
            case ir.Fence(barrier=barrier):
                self._fence(source, first, shape, barrier)
            case ir.Store():
                self._store(source, edges, shape)
            case ir.Load():
                self._load(source, edges, shape)
            case instruction if isinstance(instruction, EMPTYING) and shape:
                self._flush_first(source, first, shape)
            case _:
                if location in self.heads:
                    source = self._may_flush(source, first, shape)
                self._keep(source, edges, shape)

    def _keep(self, source: int, edges: Sequence[Edge], shape: Shape) -> None:
        """The edges as they are."""
        for edge in edges:
            self._edge(source, self._copy(edge.target, shape), edge.instruction, edge.origin)

    def _fence(self, source: int, edge: Edge, shape: Shape, barrier: Barrier) -> None:
        is_pso = self.buffering.model is MemoryModel.PSO
        if shape and is_pso and barrier is Barrier.STORE_LOAD:
            self._give_up_or_flush(source, edge, shape, "a barrier between stores and later loads only")
        elif shape and "WR" in barrier.pairs:
            self._flush_first(source, edge, shape)
        else:
            behind = (*shape, BARRIER) if is_pso and "WW" in barrier.pairs else shape
            self._edge(source, self._copy(edge.target, behind), edge.instruction, edge.origin)

    # --- stores ---------------------------------------------------------------------------------------

    def _store(self, source: int, edges: Sequence[Edge], shape: Shape) -> None:
        edge = edges[0]
        assert isinstance(edge.instruction, ir.Store)
        barriers = barriers_of(edge.instruction, self.buffering.model)
        behind = shape if barriers.before is None else (*shape, BARRIER)
        if barriers.after is Barrier.FULL and shape:
            self._flush_first(source, edge, shape)
        elif barriers.after is Barrier.FULL or not self.cells.touched(edge):
            self._keep(source, edges, behind)
        elif self._may_pass(edge, behind):
            self._keep(self._may_flush(source, edge, shape), edges, shape)
        elif not self.cells.is_whole(edge):
            self._give_up_or_flush(
                source, edge, shape, "a store to anything but a whole global variable would have to wait"
            )
        elif len(_stores(shape)) >= self.buffering.size:
            number = self.buffering.size
            reason = f"more than {number} stores of a thread may wait at once (--buffer-size)"
            self._give_up_or_flush(source, edge, shape, reason)
        else:
            self._wait(source, edges, behind)

    def _may_pass(self, edge: Edge, shape: Shape) -> bool:
        """Whether a store need not wait: it is not to be delayed, and overtakes nothing in order."""
        if self.cells.is_bookkeeping(edge):
            return True
        if self.delayed is None or edge.source in self.delayed:
            return False
        shape = _without_idle_barriers(shape)
        if self.buffering.model is MemoryModel.TSO or BARRIER in shape:
            return not shape
        touched = self.cells.touched(edge)
        return not any(touched & self.cells.touched(self.stores[site]) for site in shape)

    def _wait(self, source: int, edges: Sequence[Edge], shape: Shape) -> None:
        """The store waits: a local step, once it is known to be right."""
        edge = edges[0]
        store = edge.instruction
        assert isinstance(store, ir.Store)
        source = self._where_valid(source, edges, shape)
        number = shape.count(edge.source)
        what, where = self._value_register(edge.source, number), self._address_register(edge.source, number)
        waiting = ir.Assign(((what, store.value), (where, store.access.address)))
        self._edge(source, self._copy(edge.target, (*shape, edge.source)), waiting, edge.origin)

    def _where_valid(self, source: int, edges: Sequence[Edge], shape: Shape) -> int:
        """Where the store is one to a global; elsewhere is its fault, if that counts."""
        edge, *faults = edges
        assert isinstance(edge.instruction, ir.Store)
        access, t = edge.instruction.access, self.terms
        if t.is_const(access.address):
            return source
        width = t.width(access.address)
        bounds = ((o.address, o.size - access.size) for o in self.cells.globals_at(edge))
        is_valid = t.or_(
            *(t.ule(t.sub(access.address, base), t.bv(last, width)) for base, last in bounds if last >= 0)
        )
        valid = next(self.locations)
        self._edge(source, valid, ir.Assume(is_valid), edge.origin)
        for fault in faults:
            wrong = ir.Assume(t.not_(is_valid))
            self._edge(source, self._copy(fault.target, shape), wrong, fault.origin)
        return valid

    def _value_register(self, site: int, number: int) -> Register:
        return self._shown_register(f"{PENDING}.{site}.{number}", self.stores[site])

    def _address_register(self, site: int, number: int) -> Register:
        return self._register(
            f"{TARGET}.{site}.{number}", self.terms.sort(self._store_at(site).access.address)
        )

    def _store_at(self, site: int) -> ir.Store:
        store = self.stores[site].instruction
        assert isinstance(store, ir.Store)
        return store

    def _value(self, shape: Shape, index: int) -> Term:
        """What a store that waits will store."""
        site, number = shape[index], shape[:index].count(shape[index])
        value = self._store_at(site).value
        return value if self.terms.is_const(value) else self._value_register(site, number).term

    def _address(self, shape: Shape, index: int) -> Term:
        """Where it will store that."""
        site, number = shape[index], shape[:index].count(shape[index])
        address = self._store_at(site).access.address
        return address if self.terms.is_const(address) else self._address_register(site, number).term

    # --- loads ----------------------------------------------------------------------------------------

    def _load(self, source: int, edges: Sequence[Edge], shape: Shape) -> None:
        edge = edges[0]
        load = edge.instruction
        assert isinstance(load, ir.Load)
        touched = self.cells.touched(edge)
        own = [i for i in _stores(shape) if touched & self.cells.touched(self.stores[shape[i]])]
        same_sort = all(self._store_at(shape[i]).access.sort == load.access.sort for i in own)
        if not touched:
            self._keep(source, edges, shape)
        elif own and not (self.cells.is_whole(edge) and same_sort):
            self._give_up_or_flush(source, edge, shape, "a load of parts of variables whose stores wait")
        else:
            source = self._may_flush(source, edge, shape)
            self._read(source, edges, shape, own)

    def _read(self, source: int, edges: Sequence[Edge], shape: Shape, own: Sequence[int]) -> None:
        """The newest own store to the address that waits, or else memory."""
        edge, t = edges[0], self.terms
        load = edge.instruction
        assert isinstance(load, ir.Load)
        for index in reversed(own):
            is_same = t.eq(load.access.address, self._address(shape, index))
            if is_same == t.false:
                continue
            found = source if is_same == t.true else next(self.locations)
            shown, value = self._shown_register(f"{FORWARDED}.{edge.source}", edge), self._value(shape, index)
            forwarded = ir.Assign(((shown, value), (load.target, value)))
            self._edge(found, self._copy(edge.target, shape), forwarded, edge.origin)
            if is_same == t.true:
                return
            source = self._branch(source, is_same, found, edge.origin)
        self._keep(source, edges, shape)

    def _branch(self, source: int, condition: Term, target: int, origin: Origin) -> int:
        """To the target if the condition holds, else to a new location."""
        otherwise = next(self.locations)
        self._edge(source, target, ir.Assume(condition), origin)
        self._edge(source, otherwise, ir.Assume(self.terms.not_(condition)), origin)
        return otherwise

    # --- reaching memory ------------------------------------------------------------------------------

    def _may_flush(self, source: int, edge: Edge, shape: Shape) -> int:
        """Some store may reach memory before the edge is taken; where it goes on otherwise."""
        for index in self._ready(shape):
            flushed = self._flushed(edge, shape, index)
            source = self._chosen(source, self._overtakes_nothing(shape, index), flushed, edge.origin)
        return source

    def _flush_first(self, source: int, edge: Edge, shape: Shape) -> None:
        """One of the stores reaches memory, and then one is back before the edge."""
        first, *others = self._ready(shape)
        for index in others:
            flushed = self._flushed(edge, shape, index)
            source = self._chosen(source, self._overtakes_nothing(shape, index), flushed, edge.origin)
        self._edge(source, self._flushed(edge, shape, first), ir.Assign(), edge.origin)

    def _give_up_or_flush(self, source: int, edge: Edge, shape: Shape, reason: str) -> None:
        """What would be needed is beyond us; where the buffer is empty by then, it is not."""
        span = user_origin(edge.origin).span
        where = "" if span is None else f" ({PurePath(span.file).name}:{span.line})"
        beyond = next(self.locations)
        give_up = ir.GiveUp(f"{self.buffering.model.value.upper()}: {reason}{where}")
        self._edge(beyond, self.old.exit, give_up, edge.origin)
        source = self._chosen(source, self.terms.true, beyond, edge.origin)
        if shape:
            self._flush_first(source, edge, shape)
        else:
            self._keep(source, self.old.outgoing[edge.source], shape)

    def _chosen(self, source: int, condition: Term, target: int, origin: Origin) -> int:
        """Maybe to the target, if the condition holds; else to a new location."""
        choice, branch = self._register("%flush", BOOL), next(self.locations)
        self._edge(source, branch, ir.Havoc(choice, ir.Cause.FLUSH), origin)
        return self._branch(branch, self.terms.and_(choice.term, condition), target, origin)

    def _ready(self, shape: Shape) -> list[int]:
        """The stores that may be next to reach memory, as far as is known here."""
        if self.buffering.model is MemoryModel.TSO:
            return list(_stores(shape))[:1]
        first = shape[: shape.index(BARRIER)] if BARRIER in shape else shape
        return [i for i in range(len(first)) if self._overtakes_nothing(shape, i) != self.terms.false]

    def _overtakes_nothing(self, shape: Shape, index: int) -> Term:
        """Whether no older store to the same address waits."""
        ne, address = self.terms.ne, partial(self._address, shape)
        older = range(index if self.buffering.model is MemoryModel.PSO else 0)
        return self.terms.and_(*(ne(address(i), address(index)) for i in older))

    def _flushed(self, edge: Edge, shape: Shape, index: int) -> int:
        """Where a store reaches memory, and then one is before the edge with what is left."""
        site = shape[index]
        at, store = next(self.locations), self._store_at(site)
        access = replace(store.access, address=self._address(shape, index))
        late = ir.Store(access, self._value(shape, index), is_late=True)
        behind = self._copy(edge.source, shape[:index] + shape[index + 1 :])
        moved = self._moved_up(site, shape[:index].count(site), shape.count(site))
        after = next(self.locations) if moved else behind
        self._edge(at, after, late, self.stores[site].origin)
        if moved:
            self._edge(after, behind, ir.Assign(moved), self.stores[site].origin)
        return at

    def _moved_up(self, site: int, gone: int, count: int) -> tuple[tuple[Register, Term], ...]:
        """The registers of later stores of the same statement are renamed."""
        store = self._store_at(site)
        kinds = []
        if not self.terms.is_const(store.value):
            kinds.append(self._value_register)
        if not self.terms.is_const(store.access.address):
            kinds.append(self._address_register)
        return tuple(
            (register(site, number), register(site, number + 1).term)
            for register in kinds
            for number in range(gone, count - 1)
        )


def _stores(shape: Shape) -> list[int]:
    """The positions of stores in a shape."""
    return [index for index, site in enumerate(shape) if site != BARRIER]


def _without_idle_barriers(shape: Shape) -> Shape:
    """The same without barriers that have nothing, or another one, before them; at the end they count."""
    kept: list[int] = []
    for site in shape:
        if site != BARRIER or (kept and kept[-1] != BARRIER):
            kept.append(site)
    return tuple(kept)
