"""The static part of execution: where threads stop, what is live there, which edges leave.

A thread runs from one *stop* to the next without interruption: one visible action (or a whole atomic section)
and the local steps after it. Stops are the locations before a visible instruction, one location on every
cycle of local steps (so that an endless local loop never stops other threads), before every step that could
cut the run (others may act between the visible action and the cut), and where a thread ends or fails.

Accesses to a local object whose address stays in its own thread are local steps too: other threads cannot
observe them.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from sley.analyses.liveness import Liveness, live_registers
from sley.base.persistent import PersistentTable, items
from sley.logic.operators import Op
from sley.logic.sorts import BOOL
from sley.logic.terms import Term, Terms
from sley.program import instructions as ir
from sley.program.memory import Storage
from sley.program.program import Edge, Function, Program
from sley.program.properties import Failure
from sley.program.rewriting import read_terms
from sley.semantics.memory import MemoryMap, initial_cells
from sley.semantics.state import Block, State, ThreadState, local_kind


class Code:
    """A flat program, prepared for execution."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.memory_map = MemoryMap(program)
        self.out: dict[int, tuple[Edge, ...]] = {}
        self.function_at: dict[int, Function] = {}
        self.live: dict[int, tuple[ir.Register, ...]] = {}
        self.errors: dict[int, Failure] = {}
        self.stops: set[int] = set()
        self.inside: set[int] = set()
        """Locations strictly inside atomic sections."""
        self.faults: dict[int, Edge] = {}
        """Location -> the Fault edge that leaves it."""
        self.fixed: set[int] = set()
        """Locations of accesses to constant addresses inside globals, which cannot be wrong."""
        self.kept: set[int] = set()
        """Locations that allocate blocks which the library keeps."""
        self.slots: dict[str, dict[str, int]] = {}
        """Function -> local object -> slot."""
        self.address_slots: dict[str, dict[Term, int]] = {}
        """Function -> address variable of a local object -> slot."""
        for function in program.functions.values():
            self._add(function)

    def _add(self, function: Function) -> None:
        self.out.update(function.outgoing)
        self.errors.update(function.errors)
        self.live.update(live_registers(function, self.program.terms))
        for location in function.locations:
            self.function_at[location] = function
        self.fixed |= {e.source for e in function.edges if self._is_fixed(e.instruction)}
        self.faults.update({e.source: e for e in function.edges if isinstance(e.instruction, ir.FaultTest)})
        self.kept |= {
            edge.source
            for edge in function.edges
            if isinstance(edge.instruction, ir.Allocate) and edge.instruction.is_kept
        }
        self.slots[function.name] = {obj.name: i for i, obj in enumerate(function.objects)}
        self.address_slots[function.name] = {obj.address: i for i, obj in enumerate(function.objects)}
        inside = locations_inside(function)
        self.inside |= inside
        confined = confined_addresses(self.program.terms, function)
        self.stops |= set(stops(function, inside, confined, self.program.terms))

    def _is_fixed(self, instruction: ir.Instruction) -> bool:
        if not isinstance(instruction, ir.Load | ir.Store | ir.Update | ir.Lock):
            return False
        address = self.program.terms.number(instruction.access.address)
        found = None if address is None else self.memory_map.flat.get(address >> self.memory_map.offset_bits)
        if address is None or found is None:
            return False
        return (address & self.memory_map.offset_mask) + instruction.access.size <= found[2] and found[3]

    def start(self, function: Function, given: Mapping[ir.Register, object]) -> ThreadState:
        """The state of a thread that begins to run ``function``, with the parameters that it reads."""
        return (
            function.entry,
            *(given.get(register, nothing(register)) for register in self.live[function.entry]),
        )

    def thread_objects(self, function: Function) -> tuple[tuple[int, Block], ...]:
        """The thread-local objects that a new thread brings with it, by slot."""
        return tuple(
            (
                slot,
                Block(
                    self.memory_map.layout_number(obj.layout),
                    obj.size,
                    items(initial_cells(obj)),
                    local_kind(obj),
                ),
            )
            for slot, obj in enumerate(function.objects)
            if obj.storage is Storage.THREAD
        )

    def initial(self) -> State:
        """The first state."""
        memory_map = self.memory_map
        main = self.program.functions[self.program.entry]
        blocks = dict(memory_map.initial_blocks)
        for slot, block in self.thread_objects(main):
            blocks[memory_map.local_base + slot] = block
        return State(memory_map.initial_cells, PersistentTable(blocks.items()), (self.start(main, {}),))

    def section(self, location: int) -> list[Edge]:
        """All edges of the atomic section that begins at a location."""
        found: list[Edge] = []
        waiting, seen = [location], {location}
        while waiting:
            for edge in self.out.get(waiting.pop(), ()):
                found.append(edge)
                if edge.target in self.inside and edge.target not in seen:
                    seen.add(edge.target)
                    waiting.append(edge.target)
        return found

    def action(self, location: int) -> ir.Instruction:
        """The instruction with which the next step from a stop begins."""
        return self.out[location][0].instruction


def nothing(register: ir.Register) -> int | bool:
    """What a register holds that was never set."""
    return False if register.sort == BOOL else 0


def locations_inside(function: Function) -> set[int]:
    """The locations between an AtomicBegin and its AtomicEnd."""
    waiting = [e.target for e in function.edges if isinstance(e.instruction, ir.AtomicBegin)]
    inside: set[int] = set()
    while waiting:
        location = waiting.pop()
        if location in inside or location in function.errors:
            continue
        inside.add(location)
        waiting.extend(
            edge.target
            for edge in function.outgoing.get(location, ())
            if not isinstance(edge.instruction, ir.AtomicEnd)
        )
    return inside


def confined_addresses(terms: Terms, function: Function) -> frozenset[Term]:
    """Address variables of local objects that are used for nothing but direct accesses.

    A register that will not matter gives nothing away: the parameter of an inlined function whose accesses
    are direct by now.
    """
    candidates = {obj.address for obj in function.objects}
    escaping: set[Term] = set()
    held: list[tuple[Term, Term, int]] = []
    for edge in function.edges:
        read = read_terms(edge.instruction)
        if isinstance(edge.instruction, ir.Assign):
            pairs = [(r.term, t) for r, t in edge.instruction.assignments]
            held += [(r, t, edge.target) for r, t in pairs if not candidates.isdisjoint(terms.variables(t))]
            continue
        if _accessed_address(edge.instruction) is not None:
            base = base_address(terms, read[0], candidates)
            escaping |= {v for v in terms.variables(read[0]) if v != base}
            read = read[1:]  # a value may equal the address
        escaping.update(v for term in read for v in terms.variables(term))
    liveness = Liveness(terms, function) if held else None
    for register, term, target in held:
        if liveness is not None and liveness.is_live(register, target):
            escaping |= set(terms.variables(term))
    return frozenset(candidates - escaping)


def _accessed_address(instruction: ir.Instruction) -> Term | None:
    if isinstance(instruction, ir.FaultTest):
        instruction = instruction.of
    if isinstance(instruction, ir.Load | ir.Store | ir.Update):
        return instruction.access.address
    return None


def base_address(terms: Terms, term: Term, candidates: AbstractSet[Term]) -> Term | None:
    """The local object that ``term`` points into by its form: ``&a``, ``&a + i``, ``ok ? &a + i : wild``."""
    if term in candidates:
        return term
    if terms.op(term) is Op.BVADD:
        bases = [b for arg in terms.args(term) if (b := base_address(terms, arg, candidates)) is not None]
        return bases[0] if len(bases) == 1 else None
    if terms.op(term) is Op.ITE:
        _, then, otherwise = terms.args(term)
        return base_address(terms, then, candidates) if terms.is_const(otherwise) else None
    return None


def is_local(edge: Edge, confined: frozenset[Term], terms: Terms) -> bool:
    """Whether other threads cannot observe this edge."""
    instruction = edge.instruction
    if isinstance(instruction, ir.LocalInstruction | ir.Fence):
        return True
    if isinstance(instruction, ir.Enter | ir.Leave):
        return instruction.object.address in confined
    address = _accessed_address(instruction)
    return address is not None and base_address(terms, address, confined) is not None


def may_cut(edges: tuple[Edge, ...], sizes: Mapping[Term, int], terms: Terms) -> bool:
    """Whether no edge may be possible here: assumptions that leave something out, unchecked accesses."""
    assumptions = [edge.instruction for edge in edges if isinstance(edge.instruction, ir.Assume)]
    if assumptions:
        is_certain = any(one.is_certain for one in assumptions)
        return not is_certain and terms.or_(*(one.condition for one in assumptions)) != terms.true
    if any(isinstance(edge.instruction, ir.FaultTest) for edge in edges):
        return False
    return any(
        isinstance(e.instruction, ir.Load | ir.Store | ir.Update)
        and not (e.instruction.access.is_certain or _is_inside(terms, e.instruction.access, sizes))
        for e in edges
    )


def _is_inside(terms: Terms, access: ir.Access, sizes: Mapping[Term, int]) -> bool:
    """Whether the access is at a constant offset inside a local object."""
    base = base_address(terms, access.address, sizes.keys())
    if base is None:
        return False
    offset = 0 if base == access.address else None
    if terms.op(access.address) is Op.BVADD:
        offset = next((n for arg in terms.args(access.address) if (n := terms.number(arg)) is not None), None)
    return offset is not None and offset + access.size <= sizes[base]


def stops(function: Function, inside: set[int], confined: frozenset[Term], terms: Terms) -> Iterator[int]:
    """Where a thread can be interrupted."""
    yield function.entry
    yield function.exit
    yield from function.errors
    local_edges: dict[int, list[int]] = {}
    sizes = {obj.address: obj.size for obj in function.objects}
    for location, edges in function.outgoing.items():
        if location in inside:
            continue
        is_quiet = all(is_local(edge, confined, terms) for edge in edges)
        if is_quiet and not may_cut(edges, sizes, terms):
            local_edges[location] = [edge.target for edge in edges]
        else:
            yield location
    yield from cycle_heads(local_edges)


def cycle_heads(graph: Mapping[int, list[int]]) -> list[int]:
    """Targets of the back edges of a depth-first search: every cycle contains one."""
    heads: list[int] = []
    colour: dict[int, int] = {}
    for root in graph:
        if root in colour:
            continue
        stack = [(root, iter(graph[root]))]
        colour[root] = 1
        while stack:
            location, targets = stack[-1]
            for target in targets:
                if target not in graph:
                    continue
                if colour.get(target) == 1:
                    heads.append(target)
                elif target not in colour:
                    colour[target] = 1
                    stack.append((target, iter(graph[target])))
                    break
            else:
                colour[location] = 2
                stack.pop()
    return heads
