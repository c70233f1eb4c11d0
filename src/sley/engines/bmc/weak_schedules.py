"""From a model with weak orders to a schedule: the machine of C11 reads and writes as the model says."""

from collections.abc import Sequence
from copy import deepcopy
from itertools import count

from sley.base.errors import GaveUpError
from sley.engines.bmc.events.atomics import Role
from sley.engines.bmc.formula.model import Model
from sley.engines.bmc.schedules import Driver, ModelScript, Valuation
from sley.evidence.guided import Scripted
from sley.program.instructions import Access, Update
from sley.semantics.history import INITIAL_WRITE, AtomicPlace, History, Id, PerformedEvent
from sley.semantics.memory import Change, MemoryMap
from sley.semantics.state import CellValue, State, ThreadState
from sley.semantics.step import Listener
from sley.semantics.weak_memory import Rules, WeakMemory, rules_of


class GuidedWeakMemory(Scripted, WeakMemory):
    """A memory of C11 that asks a script for everything arbitrary, and takes the n-th choice of an access."""

    def __init__(
        self, memory_map: MemoryMap, state: State, thread: int, script: ModelScript, rules: Rules, number: int
    ) -> None:
        self.script = script
        self._fixed = None
        self._is_access = False
        self.number = number
        self.alternatives = 1
        WeakMemory.__init__(self, memory_map, state, thread, (), rules)

    def choose(self, alternatives: int) -> int:
        """What an access reads, or where it writes; otherwise an arbitrary truth value."""
        if not self._is_access:
            return super().choose(alternatives)
        self.alternatives = alternatives
        self.taken.append((self.number, alternatives))
        return self.number

    def read(self, address: int, access: Access) -> CellValue:
        """What the access reads."""
        self._is_access = access.is_atomic
        value = super().read(address, access)
        self._is_access = False
        return value

    def write(self, address: int, access: Access, value: CellValue) -> None:
        """Write these bytes."""
        self._is_access = access.is_atomic
        super().write(address, access, value)
        self._is_access = False

    def update(self, address: int, update: Update, change: Change) -> CellValue:
        """Read and write."""
        self._is_access = update.access.is_atomic
        value = super().update(address, update, change)
        self._is_access = False
        return value

    def performed(self) -> tuple[PerformedEvent, tuple[Id, ...]] | None:
        """The first event of the step, and the modification order of what it accesses; None: no event."""
        at = len(self.history.events[self.thread])
        if at == len(self.graph.own):
            return None
        event = self.graph.own[at]
        place = event.location
        return event, self.graph.mo[place] if isinstance(place, AtomicPlace) else ()


class WeakDriver(Driver):
    """Runs the machine of C11 along an order of nodes."""

    def __init__(self, model: Model, value: Valuation, history: History) -> None:
        super().__init__(model.atomics.code, model.formula.graph, value)
        self.model = model
        self.value = value
        self.state = self.state._replace(history=history)
        self.at: int | None = None
        """The node that is being followed."""
        self.nodes: dict[Id, int] = {}
        """Writes of the machine, and the nodes that they are."""

    @property
    def has_raced(self) -> bool:
        """Whether the run has come to a data race."""
        assert self.state.history is not None
        return self.state.history.race is not None

    def follow(self, order: Sequence[int]) -> None:
        """Let each node happen, until there is a race; fences do by themselves."""
        for number in order:
            if self.has_raced:
                return
            if self.model.atomics.roles[number] is not Role.FENCE:
                node = self.graph.nodes[number]
                if number:
                    self.approach(node.thread, node.location)
                self.at = number
                super().follow([number])
                self.at = None

    def _taken(self, thread: int, listen: Listener) -> tuple[ThreadState | None, Scripted]:
        saved = {name: deepcopy(getattr(self, name)) for name in _CHANGING}
        for number in count():
            memory = self._memory(thread, number)
            result = self.interpreter.step(memory, listen)
            if result is None or self._fits(memory):
                return result, memory
            if number + 1 >= memory.alternatives:
                raise GaveUpError("the machine of C11 does not read or write what the formula says")
            for name, old in deepcopy(saved).items():
                setattr(self, name, old)
        raise AssertionError

    def _memory(self, thread: int, number: int) -> GuidedWeakMemory:
        own, code = self.threads[thread], self.code
        rules = rules_of(code, code.function_at[self._at(thread)])
        return GuidedWeakMemory(code.memory_map, self.state, own, ModelScript(self, thread), rules, number)

    def _fits(self, memory: GuidedWeakMemory) -> bool:
        """Whether the step reads and writes as the model says."""
        performed = memory.performed()
        if self.at is None or performed is None:
            return True
        (event, order), node = performed, self.at
        if event.reads and self.nodes.get(event.source or INITIAL_WRITE) != self._source(node):
            return False
        if not event.writes:
            return True
        name = (memory.thread, len(memory.history.events[memory.thread]))
        own = order.index(name)
        if any(self._is_before(other, node) != (at < own) for at, other in enumerate(order) if at != own):
            return False
        self.nodes[name] = node
        return True

    def _source(self, node: int) -> int | None:
        """The node of which a node reads in the model; None: what was there before there were events."""
        for event in self.model.events:
            if event.node == node and event.reads and self.value(event.occurs):
                for copy, source in self.model.sources(event):
                    if self.value(copy):
                        return source.node if source.node in self.nodes.values() else None
        return None

    def _is_before(self, other: Id, node: int) -> bool:
        """Whether another write is before that of a node in the model's modification order."""
        number = self.nodes.get(other, 0)
        for event in self.model.events:
            if event.node == node and event.variable is not None and self.value(event.writes):
                before = self.model.atomics.of_node[number, event.variable]
                return bool(self.value(self.model.mo(before, event)))
        return other == INITIAL_WRITE


_CHANGING = ("inputs", "contents", "blocks", "fillings", "locks", "threads", "awaited")
"""What a step uses up."""
