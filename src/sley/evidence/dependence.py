"""What the failure of a run depends on: a dynamic backward slice, by distance.

A replay tells of every edge that it executes. Each becomes a node that depends on others: on those that wrote
what it reads, on the branch that let it run, on the creation of its thread, on the locks around it. How far a
node is from the failure is the length of the shortest way, where a way through values is short, and one
through addresses long: who asks why a value is wrong seldom asks how the pointer to it was made. A reader who
has no time for all of a slice gets the nearest part.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from heapq import heappop, heappush

from sley.analyses.control_dependence import deciding_branches
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Edge, Function, user_origin
from sley.program.rewriting import read_terms, used_address, written_registers
from sley.semantics.code import Code
from sley.semantics.memory import StepMemory
from sley.semantics.step import Happening

VALUE, CONTROL, HELD, ORDER, REPLACED, ADDRESS = 1, 2, 3, 3, 3, 6
"""What it costs to go from a node to what it depends on: by a value, by a branch, to the lock that it holds,
to what had to happen before (the creation of its thread, the end of one that it joins), to the value that it
overwrites, to how an address came about."""

HIDDEN = 2
"""What more it costs to go through what only models of library functions know."""


@dataclass(slots=True)
class ExecutedEdge:
    """An executed edge."""

    thread: int
    statement: int
    """Which run of a statement of the user's it belongs to."""
    needs: dict[int, int] = field(default_factory=dict)
    """The nodes that it depends on, and what it costs to go there."""

    def need(self, node: int | None, cost: int) -> None:
        """It depends on another node."""
        if node is not None:
            self.needs[node] = min(cost, self.needs.get(node, cost))


class Dependences:
    """All nodes of a run so far."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.nodes: list[ExecutedEdge] = []
        self.statements: dict[int, _RunningStatement] = {}
        """For each thread the statement that it is at."""
        self.runs_of_statements = 0
        self.registers: dict[tuple[int, Term], int] = {}
        self.bytes: dict[int, int] = {}
        """For each byte its last writer."""
        self.writers: dict[int, list[int]] = {}
        """For each address all of its writers."""
        self.branches: dict[tuple[int, int], int] = {}
        """By thread and location: the last time that it was decided there."""
        self.held: dict[int, dict[int, int]] = {}
        """For each thread the locks that it holds, and the events that took them."""
        self.started: dict[int, int] = {}
        self.ended: dict[int, int] = {}
        self.made: dict[int, int] = {}
        """For each object the event that allocated or entered it."""
        self.gone: dict[int, int] = {}
        """For each object the event that freed or left it."""
        self.lost: dict[int, list[int]] = {}
        """For each heap block the events that overwrote, or ended, something that referred to it."""
        self.is_weak = False
        """Whether reads may see other writes than the last one."""
        self.deciding = cache(lambda name: deciding_branches(code.program.functions[name]))

    # --- what happens -------------------------------------------------------------------------

    def note(self, happening: Happening, thread: int, memory: StepMemory) -> None:
        """An edge was executed."""
        edge = happening.edge
        number = len(self.nodes)
        node = self._node(thread, edge)
        self._read_registers(node, edge.instruction)
        match edge.instruction:
            case ir.Load() | ir.Store() | ir.Update():
                self._access(number, happening)
            case ir.Lock(access=access):
                self._lock(number, happening.address, access.size)
            case ir.Unlock(access=access):
                self._unlock(number, happening.address, access.size)
            case ir.Assume():
                self.branches[thread, edge.source] = number
            case ir.Create(function=name):
                self._create(number, happening.handle, self.code.program.functions[name])
            case ir.Join():
                node.need(self.ended.get((happening.handle or 0) - 1), ORDER)
            case ir.Exit():
                self.ended[thread] = number
            case ir.Allocate() | ir.Enter() | ir.Free() | ir.Leave():
                self._live(number, happening, memory)
            case ir.FaultTest():
                self._fault(node, happening.address)
            case _:
                pass
        for register in written_registers(edge.instruction):
            self.registers[thread, register.term] = number

    def _node(self, thread: int, edge: Edge) -> ExecutedEdge:
        node = ExecutedEdge(thread, self._statement(thread, edge))
        node.need(self._decided_by(thread, edge.source), CONTROL)
        node.need(self.started.get(thread), ORDER)
        self.nodes.append(node)
        return node

    def _statement(self, thread: int, edge: Edge) -> int:
        """The statement goes on as long as it is the same, and does not begin again."""
        at = self.statements.get(thread)
        origin = user_origin(edge.origin)
        key = origin.span, origin.text, origin.calls
        if at is None or at.key != key or edge.source == at.first:
            self.runs_of_statements += 1
            at = self.statements[thread] = _RunningStatement(self.runs_of_statements, key, edge.source)
        return at.number

    def run_of(self, thread: int) -> int:
        """Which run of a statement a thread is at."""
        return self.statements[thread].number if thread in self.statements else 0

    def _decided_by(self, thread: int, location: int) -> int | None:
        """The branch that let a thread come here: of those that can, the last one."""
        deciding = self.deciding(self.code.function_at[location].name).get(location, ())
        decided = [self.branches[thread, at] for at in deciding if (thread, at) in self.branches]
        return max(decided, default=None)

    def _read_registers(self, node: ExecutedEdge, instruction: ir.Instruction) -> None:
        is_about_address = not isinstance(instruction, ir.Free | ir.FaultTest)
        address = used_address(instruction) if is_about_address else None
        for term in read_terms(instruction):
            for variable in self.code.program.terms.variables(term):
                cost = ADDRESS if term == address else VALUE
                node.need(self.registers.get((node.thread, variable)), cost)

    def _access(self, number: int, happening: Happening) -> None:
        instruction, address = happening.edge.instruction, happening.address
        assert isinstance(instruction, ir.Load | ir.Store | ir.Update)
        assert address is not None
        node, size = self.nodes[number], instruction.access.size
        cost = VALUE + (HIDDEN if happening.edge.origin.is_library else 0)
        for lock in self.held.get(node.thread, {}).values():
            node.need(lock, HELD)
        if not isinstance(instruction, ir.Store):
            for writer in self._written(address, size):
                node.need(writer, cost)
        if not isinstance(instruction, ir.Load):
            for writer in self._written(address, size):
                node.need(writer, REPLACED)
            self._write(number, address, size)
            self._lose(number, (happening.old,))

    def _written(self, address: int, size: int) -> Iterable[int]:
        if self.is_weak:
            return self.writers.get(address, ())
        return {self.bytes[byte] for byte in range(address, address + size) if byte in self.bytes}

    def _write(self, number: int, address: int, size: int) -> None:
        self.bytes.update(dict.fromkeys(range(address, address + size), number))
        self.writers.setdefault(address, []).append(number)

    def _lock(self, number: int, address: int | None, size: int) -> None:
        assert address is not None
        for writer in self._written(address, size):
            if self.nodes[writer].thread != self.nodes[number].thread:
                self.nodes[number].need(writer, ORDER + HIDDEN)
        self.held.setdefault(self.nodes[number].thread, {})[address] = number
        self._write(number, address, size)

    def _unlock(self, number: int, address: int | None, size: int) -> None:
        assert address is not None
        taken = self.held.get(self.nodes[number].thread, {}).pop(address, None)
        self.nodes[number].need(taken, HELD)
        self._write(number, address, size)

    def _create(self, number: int, handle: int | None, function: Function) -> None:
        assert handle is not None
        self.started[handle - 1] = number
        for register in function.parameters:
            self.registers[handle - 1, register.term] = number

    def _live(self, number: int, happening: Happening, memory: StepMemory) -> None:
        """An object begins to live, or ends."""
        instruction = happening.edge.instruction
        is_new = isinstance(instruction, ir.Allocate)
        address = happening.value if is_new else happening.address
        if not isinstance(address, int):
            return
        what = address >> self.code.memory_map.offset_bits
        if is_new:
            self.made[what] = number
        else:
            self.gone[what] = number
            block = memory.state.blocks.get(what)
            self._lose(number, () if block is None else block.cells)

    def _lose(self, number: int, values: Iterable[object]) -> None:
        """These values are there no more."""
        for value in values:
            if isinstance(value, int) and (what := value >> self.code.memory_map.offset_bits) in self.made:
                self.lost.setdefault(what, []).append(number)

    def _fault(self, node: ExecutedEdge, address: int | None) -> None:
        what = -1 if address is None else address >> self.code.memory_map.offset_bits
        node.need(self.gone.get(what), VALUE)
        node.need(self.made.get(what), VALUE)

    # --- what a failure depends on ------------------------------------------------------------

    def of_next(self, edges: Iterable[tuple[int, Edge]]) -> dict[int, int]:
        """Where the slice of a failure begins if threads stand before these edges, and that is wrong."""
        roots = {}
        for thread, edge in edges:
            roots[len(self.nodes)] = 0
            node = self._node(thread, edge)
            self._read_registers(node, edge.instruction)
            for lock in self.held.get(thread, {}).values():
                node.need(lock, VALUE)
        return roots

    def of_lost(self, blocks: Iterable[int]) -> dict[int, int]:
        """Where that of lost blocks begins: the events that made and lost them."""
        roots: dict[int, int] = {}
        for block in blocks:
            roots |= dict.fromkeys(self.lost.get(block, ()), VALUE)
            if block in self.made:
                roots[self.made[block]] = 0
        return roots

    def distances(self, roots: Mapping[int, int]) -> dict[int, int]:
        """How far nodes are from a failure that depends on ``roots``, each at its distance."""
        found: dict[int, int] = {}
        waiting = [(distance, node) for node, distance in roots.items()]
        waiting.sort()
        while waiting:
            distance, number = heappop(waiting)
            if number in found:
                continue
            found[number] = distance
            for needed, cost in self.nodes[number].needs.items():
                if needed not in found:
                    heappush(waiting, (distance + cost, needed))
        return found

    def by_statement(self, distances: Mapping[int, int]) -> dict[int, int]:
        """The same for runs of statements: the nearest node counts."""
        nearest: dict[int, int] = {}
        for number, distance in distances.items():
            statement = self.nodes[number].statement
            nearest[statement] = min(distance, nearest.get(statement, distance))
        return nearest


@dataclass(slots=True)
class _RunningStatement:
    """A statement of the user's while it runs."""

    number: int
    key: object
    first: int
    """Where it begins."""
