"""From a model on a machine to a schedule: accesses see and write what the model says (``machine_run``).

Threads take their steps in an order that keeps to as much of the model as any order can: program order and
what calls of the system do always, then coherence orders, then reads-from, then what is not read from.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from sley.base.errors import GaveUpError
from sley.engines.bmc.events.atomics import edge_at
from sley.engines.bmc.events.machine import MachineEvent
from sley.engines.bmc.formula.machine import Machine
from sley.engines.bmc.schedules import Driver, ModelScript, Valuation
from sley.evidence.guided import Scripted
from sley.evidence.trace import Schedule, ScheduleStep
from sley.logic.terms import Term
from sley.program.instructions import Accessing, Fence, Load, Store, Update
from sley.semantics.machine_run import FIRST, MachineMemory, MachineRun, MachineWrite
from sley.semantics.memory import MemoryMap
from sley.semantics.roles import CellRole
from sley.semantics.state import CellValue, State, ThreadState
from sley.semantics.step import Happening, Listener

Pair = tuple[int, int]

LATER = -2
"""Stands for a step that is still to come."""


class ModelExecution:
    """What happens in a model."""

    def __init__(self, machine: Machine, value: Valuation) -> None:
        self.machine = machine
        self.value = value
        self.waits = machine.made.waits

    def sources(self) -> Iterator[tuple[int, Term, int]]:
        """rf: a node that reads, the variable, the node that it reads from."""
        for choice in self.machine.formula.choices:
            if self.value(choice.occurs):
                for copy, write in choice.copied:
                    if self.value(copy):
                        yield choice.read.node, choice.read.variable, write.node
                        break

    def coherence(self, variable: Term) -> list[int]:
        """co: the nodes that write a variable, in order."""
        writes = [e for e in self.machine.writers.get(variable, ()) if self.value(e.writes[variable])]
        return [event.node for event in sorted(writes, key=lambda e: self._rank(e, writes, variable))]

    def _rank(self, event: MachineEvent, writes: Sequence[MachineEvent], variable: Term) -> int:
        others = (other for other in writes if other is not event)
        return sum(bool(self.value(self.machine.co(other, event, variable))) for other in others)


class NodeOrder:
    """An order of nodes that grows; what would close a cycle is left out."""

    def __init__(self, count: int, edges: Iterable[Pair]) -> None:
        self.after = [0] * count
        """For each node those that it is before, one bit each."""
        self.edges = list(edges)
        for a, b in self.edges:
            if not self._add(a, b):
                raise GaveUpError("the events have no order")

    def _add(self, a: int, b: int) -> bool:
        if a == b or self.after[b] >> a & 1:
            return False
        new = self.after[b] | 1 << b
        for node, after in enumerate(self.after):
            if node == a or after >> a & 1:
                self.after[node] = after | new
        return True

    def prefer(self, edges: Iterable[Pair]) -> None:
        """Keep to as many of these as possible."""
        for a, b in edges:
            self._add(a, b)

    def of(self, nodes: Iterable[int]) -> list[int]:
        """Some nodes in order."""
        left = sorted(set(nodes))
        mask = sum(1 << node for node in left)
        before = {n: sum(1 << m for m in left if self.after[m] >> n & 1) for n in left}
        found: list[int] = []
        while left:
            ready = [n for n in left if not before[n] & mask]
            chosen = next((n for n in ready if found and n == found[-1] + 1), ready[0])
            found.append(chosen)
            left.remove(chosen)
            mask &= ~(1 << chosen)
        return found


def node_order(execution: ModelExecution, static: Iterable[Pair]) -> NodeOrder:
    """An order of all nodes in which the machine can be driven."""
    machine, graph = execution.machine, execution.machine.formula.graph
    is_hard: dict[int, bool] = {0: True}
    for node in graph.nodes[1:]:
        edge = edge_at(machine.made.code, node)
        is_hard[node.number] = edge is None or not isinstance(edge.instruction, Load | Store | Update)
    hard: list[Pair] = []
    soft: list[list[Pair]] = [[], [], []]
    read_from: dict[Term, list[Pair]] = {}
    for read, variable, write in execution.sources():
        if read not in execution.waits:
            read_from.setdefault(variable, []).append((read, write))
    for variable in dict.fromkeys((*machine.writers, *read_from)):
        line = execution.coherence(variable)
        is_memory = isinstance(graph.terms.symbol(variable), CellRole)
        for kind, (a, b) in _communications(line, read_from.get(variable, ())):
            if a != b:
                needs = (is_hard[a] and is_hard[b]) or not is_memory
                (hard if needs else soft[kind]).append((a, b))
    order = NodeOrder(len(graph.nodes), (*static, *hard))
    for edges in soft:
        order.prefer(edges)
    return order


def _communications(line: Sequence[int], reads: Iterable[Pair]) -> Iterator[tuple[int, Pair]]:
    """Of one variable: co, rf and fr, as kinds 0, 1 and 2."""
    yield from ((0, pair) for pair in pairwise(line))
    for read, write in reads:
        yield 1, (write, read)
        later = line[line.index(write) + 1 :]
        yield from ((2, (read, other)) for other in later[:2] if other != read)


class GuidedMachineMemory(Scripted, MachineMemory):
    """A memory of a machine that asks a script for all that is arbitrary, and a driver what accesses see."""

    def __init__(
        self, memory_map: MemoryMap, state: State, thread: int, script: ModelScript, driver: "MachineDriver"
    ) -> None:
        self.script = script
        self.driver = driver
        self._fixed = None
        MachineMemory.__init__(self, memory_map, state, thread, (), driver.run)

    def choose_source(self, address: int, size: int) -> tuple[int, int]:
        """Which write the model lets a read see."""
        source, value = self.driver.source(address)
        self.taken.append((source, 1))
        if source:
            self.taken.append((value, 1))
        return source, value

    def choose_place(self, address: int, value: CellValue) -> int:
        """Before which write the model has another one."""
        place = self.driver.place(address)
        self.taken.append((place, 1))
        return place


class MachineDriver(Driver):
    """Runs threads along an order of nodes, with accesses as a model says."""

    def __init__(self, execution: ModelExecution) -> None:
        self.execution = execution
        self.machine = execution.machine
        self.value = execution.value
        super().__init__(self.machine.made.code, self.machine.formula.graph, self.value)
        self.run = MachineRun(self.code, self.machine.model)
        self.read_from = {(read, v): write for read, v, write in execution.sources()}
        self.lines = {v: execution.coherence(v) for v in self.machine.writers}
        self.at: int | None = None
        """The node that is being followed."""
        self.step_of: dict[int, int] = {}
        """The steps that nodes are, from 1 on."""
        self.later: list[tuple[int, int, int]] = []
        """Step and choice that stand for a node of which the step is not known yet."""
        self.alone = 0
        """So many steps were taken while there was one thread."""
        self._memory: GuidedMachineMemory | None = None

    def follow(self, order: Sequence[int]) -> None:
        """Let each node happen; those that only order others do by themselves."""
        for number in order:
            node = self.graph.nodes[number]
            edge = edge_at(self.code, node)
            is_order = edge is not None and isinstance(edge.instruction, Fence | Accessing)
            if is_order and not (node.reads or node.writes):
                continue
            if number:
                self.approach(node.thread, node.location)
                self.alone = self.alone or len(self.steps)
            self.at = number
            self.step_of[number] = len(self.steps) + 1
            super().follow([number])
            self.at = None

    def _taken(self, thread: int, listen: Listener) -> tuple[ThreadState | None, Scripted]:
        script = ModelScript(self, thread)
        self.run.step = len(self.steps) + 1
        memory = GuidedMachineMemory(self.code.memory_map, self.state, self.threads[thread], script, self)
        self._memory = memory

        def note(happening: Happening) -> None:
            self.run.note(happening, memory)
            listen(happening)

        return self.interpreter.step(memory, note), memory

    def _variable(self, address: int, of: Callable[[MachineEvent], Iterable[Term]]) -> Term | None:
        """The cell that the present node accesses at an address."""
        events = [event for event in self.machine.events if event.node == self.at and not event.is_look]
        found = [v for event in events for v in of(event) if self._is_cell(v)]
        heap = self.code.memory_map.heap_base << self.code.memory_map.offset_bits
        if len(found) == 1 and min(address, self._address(found[0])) >= heap:
            return found[0]  # blocks may have other numbers
        return next((v for v in found if self._address(v) == address), None)

    def _is_cell(self, variable: Term) -> bool:
        return isinstance(self.graph.terms.symbol(variable), CellRole)

    def _address(self, variable: Term) -> int:
        role, vocabulary = self.graph.terms.symbol(variable), self.machine.made.vocabulary
        assert isinstance(role, CellRole)
        offset = vocabulary.instances[role.number].layout.offset_of(role.index)
        return vocabulary.pointers.address(role.number, offset)

    def source(self, address: int) -> tuple[int, int]:
        """What a read of the present node sees: 0 if it is the last write."""
        variable = self._variable(address, lambda e: [v for v, when in e.reads.items() if self.value(when)])
        write = None if variable is None or self.at is None else self.read_from.get((self.at, variable))
        if write is None or variable is None or self.at is None:
            return 0, 0
        value = int(self.value(self.graph.nodes[self.at].reads[variable].symbol))
        if write and write not in self.step_of:
            assert self._memory is not None
            self.later.append((len(self.steps), len(self._memory.taken), write))
            return LATER, value
        found = self._alone(address) if not write else self.run.by_step(address, self.step_of[write])
        if found is self.run.last(address):
            return 0, 0
        if found is None:
            return FIRST, value
        return found.step, found.value if isinstance(found.value, int) else value

    def _alone(self, address: int) -> MachineWrite | None:
        """What the first thread wrote last while it was alone."""
        line = self.run.writes.get(address, ())
        return next((w for w in reversed(line) if w.step <= self.alone), None)

    def place(self, address: int) -> int:
        """Before which write, of those that have happened, that of the present node comes."""
        variable = self._variable(address, lambda e: [v for v, when in e.writes.items() if self.value(when)])
        if variable is None or self.at is None:
            return 0
        line = self.lines[variable]
        later = line[line.index(self.at) + 1 :]
        return next((self.step_of[node] for node in later if node in self.step_of), 0)

    @property
    def schedule(self) -> Schedule:
        """The steps so far, with all that was not known then."""
        steps = [[step.thread, *step.choices] for step in self.steps]
        for step, choice, write in self.later:
            if write not in self.step_of:
                raise GaveUpError("a thread reads what is never written")
            steps[step][1 + choice] = self.step_of[write]
        return tuple(ScheduleStep(thread, tuple(choices)) for thread, *choices in steps)


def needed(
    execution: ModelExecution, goals: Iterable[int], before: Callable[[int], Iterable[int]]
) -> set[int]:
    """Some nodes, all before them, and whoever they read from, and so on."""
    sources: dict[int, list[int]] = {}
    for read, _, write in execution.sources():
        sources.setdefault(read, []).append(write)
    found, waiting = set[int](), list(goals)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend((*sources.get(node, ()), *before(node)))
    return found
