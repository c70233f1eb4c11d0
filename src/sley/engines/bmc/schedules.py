"""From an order of events and the values of a model to a schedule for the interpreter."""

from collections.abc import Callable, Sequence

from sley.base.errors import GaveUpError
from sley.engines.bmc.events.graph import AllocationNode, ArbitraryNode, EventGraph, FillingNode
from sley.engines.bmc.thresholds import MOST_STEPS
from sley.evidence.guided import GuidedMemory, Scripted
from sley.evidence.trace import Schedule, ScheduleStep
from sley.logic.terms import Term
from sley.program.instructions import Create, Enter, Lock, Unlock
from sley.semantics.code import Code
from sley.semantics.state import OVER, State, ThreadState, is_ended, location_of
from sley.semantics.step import Happening, Interpreter, Listener

Valuation = Callable[[Term], int]


class Driver:
    """Runs the interpreter along an order of nodes."""

    def __init__(self, code: Code, graph: EventGraph, value: Valuation) -> None:
        self.code = code
        self.graph = graph
        self.interpreter = Interpreter(code)
        self.state: State = code.initial()
        self.steps: list[ScheduleStep] = []
        self.threads = {0: 0}
        """Thread of the events -> thread of the interpreter."""
        self.awaited: dict[int, list[int]] = {}
        """Thread of the events -> those that it is still to create, in order; the very first is open."""
        for number, events in enumerate(graph.threads):
            if number and value(events.occurs):
                self.awaited.setdefault(events.creator, []).append(number)
        self.inputs: dict[int, list[int]] = {}
        self.contents: dict[int, list[tuple[int, ...]]] = {}
        self.blocks: dict[int, list[int]] = {}
        self.fillings: dict[int, tuple[int, ...]] = {}
        self.locks: dict[int, int] = {}
        """Thread of the events -> how many locks it holds."""
        self._collect(value)

    def _collect(self, value: Valuation) -> None:
        for thread, events in enumerate(self.graph.threads):
            self.inputs[thread], self.blocks[thread] = [], []
            for making in events.makings:
                if not value(making.condition):
                    continue
                match making:
                    case ArbitraryNode(term=term):
                        self.inputs[thread].append(value(term))
                    case FillingNode(number=number, terms=terms):
                        self.contents.setdefault(number, []).append(tuple(value(term) for term in terms))
                    case AllocationNode(number=number):
                        self.blocks[thread].append(number)

    def follow(self, order: Sequence[int]) -> None:
        """Let each node happen."""
        waits = {wait.node for wait in self.graph.waits}
        fails = {violation.node for violation in self.graph.violations}
        for number in order:
            node = self.graph.nodes[number]
            if number and number not in waits | fails:
                self.approach(node.thread, node.location)
                held = self.locks.get(node.thread, 0)
                self._step(node.thread)
                if node.is_locked:
                    self._finish_section(node.thread, held)

    def _finish_section(self, thread: int, held: int) -> None:
        """Let a thread run until it has no more locks than before, or fails."""
        for _ in range(MOST_STEPS):
            if self.locks.get(thread, 0) <= held or self._at(thread) in self.code.errors:
                return
            self._step(thread)
        raise GaveUpError("a critical section does not end")

    def arrive(self, goals: Sequence[int]) -> None:
        """Let threads run until they stand at these nodes."""
        for number in goals:
            node = self.graph.nodes[number]
            self.approach(node.thread, node.location)

    def approach(self, thread: int, location: int) -> None:
        """Let a thread run until it stands at a location."""
        for _ in range(MOST_STEPS):
            if self._at(thread) == location:
                return
            self._step(thread)
        raise GaveUpError("a thread does not arrive where it should")

    def _at(self, thread: int) -> int:
        number = self.threads.get(thread)
        if number is None or number >= len(self.state.threads):
            raise GaveUpError("a thread does not exist yet")
        return location_of(self.state.threads[number])

    def _step(self, thread: int) -> None:
        if self._at(thread) in self.code.errors or is_ended(self.state.threads[self.threads[thread]]):
            raise GaveUpError("a thread goes on after its end")

        def listen(happening: Happening) -> None:
            if isinstance(happening.edge.instruction, Lock):
                self.locks[thread] = self.locks.get(thread, 0) + 1
            if isinstance(happening.edge.instruction, Unlock):
                self.locks[thread] = self.locks.get(thread, 0) - 1
            if isinstance(happening.edge.instruction, Enter):
                self._filled(happening, thread)
            if isinstance(happening.edge.instruction, Create):
                assert happening.handle is not None
                self._created(thread, happening.handle - 1)

        result, memory = self._taken(thread, listen)
        if result is None:
            raise GaveUpError("a thread is blocked")
        self.steps.append(memory.step_made())
        if result in OVER:
            raise GaveUpError("the run ends too early")
        self.state = memory.freeze(result)

    def _taken(self, thread: int, listen: Listener) -> tuple[ThreadState | None, Scripted]:
        """Where a step leads, and the memory after it."""
        script = ModelScript(self, thread)
        memory = GuidedMemory(self.code.memory_map, self.state, self.threads[thread], script)
        return self.interpreter.step(memory, listen), memory

    def _created(self, creator: int, number: int) -> None:
        """The next thread of the events that this one is to create has this number."""
        awaited = self.awaited.get(creator)
        if not awaited:
            raise GaveUpError("more threads are created than there should be")
        self.threads[awaited.pop(0)] = number

    def _filled(self, happening: Happening, thread: int) -> None:
        """A local of a thread begins to live: its number in the run need not be that in the events."""
        assert isinstance(happening.edge.instruction, Enter)
        function = self.code.function_at[happening.edge.source]
        slot = self.code.slots[function.name][happening.edge.instruction.object.name]
        contents = self.contents.get(self.code.program.local_number(thread, slot))
        if contents:
            number = self.code.program.local_number(self.threads[thread], slot)
            self.fillings[number] = contents.pop(0)

    @property
    def schedule(self) -> Schedule:
        """The steps so far."""
        return tuple(self.steps)


class ModelScript:
    """What the model says about everything arbitrary in a thread."""

    def __init__(self, driver: Driver, thread: int) -> None:
        self.driver = driver
        self.thread = thread

    def next_value(self) -> int:
        """The next arbitrary value."""
        values = self.driver.inputs[self.thread]
        return values.pop(0) if values else 0

    def number(self, candidates: list[int]) -> int:
        """A new heap block gets the first number."""
        blocks = self.driver.blocks[self.thread]
        contents = self.driver.contents.get(blocks.pop(0), []) if blocks else []
        if contents:
            self.driver.fillings[candidates[0]] = contents.pop(0)
        return 0

    def content(self, number: int, index: int) -> int:
        """What an object's cell held from the beginning."""
        contents = self.driver.fillings.get(number, ())
        return contents[index] if index < len(contents) else 0
