"""What the accesses of a run see under each memory model: the last write, or what the model lets them see."""

from collections.abc import Iterator
from dataclasses import replace

from sley.evidence.execution_graph import ExecutionGraph
from sley.evidence.recorded import Recorded
from sley.evidence.remarks import MissingOrder, Reordered, Reordering
from sley.evidence.sources import RunSources
from sley.evidence.trace import ScheduleStep, TraceEvent
from sley.program import instructions as ir
from sley.program.memory_model import MemoryModel
from sley.program.program import Edge, line_of
from sley.semantics.history import Id, known
from sley.semantics.machine import StateMachine
from sley.semantics.machine_run import MachineMemory, MachineRun, StaleRead
from sley.semantics.memory import StepMemory
from sley.semantics.state import State
from sley.semantics.step import Happening
from sley.semantics.weak_memory import WeakMemory


class Interleaved:
    """Sequential consistency: an access sees the last write to its place."""

    def __init__(self, machine: StateMachine) -> None:
        self.machine = machine
        self.sources = RunSources()
        self.recorded = Recorded()
        """What becomes the execution graph of the trace."""

    def of_step(self, state: State, step: ScheduleStep) -> StepMemory:
        """The memory that a step works on."""
        return self.machine.interpreter.memory(state, step.thread, step.choices)

    def hear(self, happening: Happening, memory: StepMemory) -> None:
        """An edge is executed."""

    def record(self, thread: int, happening: Happening, name: str, memory: StepMemory) -> None:
        """An access becomes a node of the execution graph."""
        self.recorded.access(thread, happening, name, None)

    def source(self, address: int, access: ir.Access, memory: StepMemory) -> int | None:
        """The step that wrote what an access reads; None if there is none, or it is not known."""
        return self.sources.written(address, access.size)

    def write(self, address: int, access: ir.Access, memory: StepMemory, step: int) -> None:
        """An access has written."""
        self.sources.write(address, access.size, step)

    def note(self, memory: StepMemory, event: int) -> Reordered | None:
        """How the access that becomes the event of this number relates to other writes."""
        return None

    def judge(self, events: list[TraceEvent]) -> None:
        """At the end: whether there is such a run (``ImpossibleRunError``), and what its accesses saw."""

    def missing_orders(self, state: State) -> Iterator[MissingOrder]:
        """In a race: what was read from the other thread, and does not order the two."""
        return iter(())

    def graph(self, state: State | None) -> ExecutionGraph | None:
        """The run as memory models see it, up to this state; None if it is too large."""
        return self.recorded.graph(None)


class OfC11(Interleaved):
    """The machine of C11: an atomic access sees what the history of the run lets it see."""

    def __init__(self, machine: StateMachine) -> None:
        super().__init__(machine)
        self.performed: dict[Id, Edge] = {}
        """Where the events of the execution graph were made."""
        self.steps: dict[Id, int] = {}
        """The steps that made them."""

    def record(self, thread: int, happening: Happening, name: str, memory: StepMemory) -> None:
        """An atomic access is an event of the history."""
        event = memory.event if isinstance(memory, WeakMemory) else None
        if event is not None:
            self.performed[event] = happening.edge
        self.recorded.access(thread, happening, name, event)

    def source(self, address: int, access: ir.Access, memory: StepMemory) -> int | None:
        """The history knows what an atomic access reads."""
        if not isinstance(memory, WeakMemory) or memory.event is None:
            return super().source(address, access, memory)
        write = memory.graph.event(memory.event).source
        return None if write is None else self.steps.get(write)

    def write(self, address: int, access: ir.Access, memory: StepMemory, step: int) -> None:
        """A write that comes before others is not the last one."""
        if isinstance(memory, WeakMemory) and memory.event is not None:
            self.steps[memory.event] = step
        if not isinstance(memory, WeakMemory) or memory.unseen is None:
            super().write(address, access, memory, step)

    def note(self, memory: StepMemory, event: int) -> Reordered | None:
        """The write, there already, that an access does not see, or comes before."""
        if not isinstance(memory, WeakMemory) or memory.unseen is None:
            return None
        return Reordered(Reordering.UNSEEN, memory.unseen[0], self._line_of(memory.unseen))

    def missing_orders(self, state: State) -> Iterator[MissingOrder]:
        """What the later thread read from the earlier one, and which of the two accesses is too weak."""
        history = state.history
        assert history is not None
        assert history.race is not None
        first, reader = history.race.first, history.race.second.thread
        for index, event in enumerate(history.events[reader]):
            if event.source is None or event.source[0] != first.thread:
                continue
            write = history.events[first.thread][event.source[1]]
            if write.epoch < first.epoch:
                continue
            load, store = (reader, index), event.source
            is_released = known(write.message, first.thread) > first.epoch
            weak, order = (load, event.order) if is_released else (store, write.order)
            lines = self._line_of(load), self._line_of(store)
            order = ir.MemoryOrder.PLAIN if self._was_plain(weak) else order
            yield MissingOrder(reader, first.thread, *lines, is_released, order)

    def _was_plain(self, name: Id) -> bool:
        """Whether an access is atomic only because its race is suppressed."""
        edge = self.performed.get(name)
        accessing = edge.instruction if edge is not None else None
        return isinstance(accessing, ir.Load | ir.Store) and accessing.access.was_plain

    def _line_of(self, name: Id) -> int | None:
        edge = self.performed.get(name)
        return None if edge is None else line_of(edge.origin)

    def graph(self, state: State | None) -> ExecutionGraph | None:
        """The history says how atomic writes are ordered."""
        return self.recorded.graph(None if state is None else state.history)


class OfHardware(Interleaved):
    """A machine: the steps say what accesses saw, and its axioms judge the whole at the end."""

    def __init__(self, machine: StateMachine, run: MachineRun) -> None:
        super().__init__(machine)
        self.run = run
        self.unseen: dict[int, StaleRead] = {}
        """Events that see another write than the last one."""
        self.writers: dict[int, tuple[int, Edge]] = {}
        """The threads and the edges of steps that write, which the run counts from 1."""

    def of_step(self, state: State, step: ScheduleStep) -> StepMemory:
        """Each step is the next of the run."""
        self.run.step += 1
        return MachineMemory(self.machine.code.memory_map, state, step.thread, step.choices, self.run)

    def hear(self, happening: Happening, memory: StepMemory) -> None:
        """The run needs to know of all edges."""
        assert isinstance(memory, MachineMemory)
        memory.run.note(happening, memory)

    def record(self, thread: int, happening: Happening, name: str, memory: StepMemory) -> None:
        """All accesses are events of the run."""
        self.recorded.access(thread, happening, name, None, self.run)
        if not isinstance(happening.edge.instruction, ir.Load):
            self.writers[self.run.step] = thread, happening.edge

    def source(self, address: int, access: ir.Access, memory: StepMemory) -> int | None:
        """The step said it."""
        assert isinstance(memory, MachineMemory)
        return None if memory.source is None else memory.source.step - 1

    def note(self, memory: StepMemory, event: int) -> Reordered | None:
        """A write that happened before, and comes behind this one; what reads see is known at the end."""
        assert isinstance(memory, MachineMemory)
        if memory.unnamed is not None:
            self.unseen[event] = memory.run.seen[-1]
        later = memory.run.after(memory.written)
        return None if later is None else self._relation(Reordering.LATER_IN_ORDER, later.step)

    def _relation(self, how: Reordering, step: int) -> Reordered:
        thread, edge = self.writers[step]
        return Reordered(how, thread, line_of(edge.origin))

    def judge(self, events: list[TraceEvent]) -> None:
        """The machine allows the run; then say which writes reads see that are not the last."""
        self.run.judge()
        for index, seen in self.unseen.items():
            step = seen.source - 1 if seen.source > 0 else None
            note = self._seen(seen) or events[index].note
            events[index] = replace(events[index], note=note, source=step)

    def _seen(self, seen: StaleRead) -> Reordered | None:
        if seen.source > seen.step:
            return self._relation(Reordering.FROM_LATER, seen.source)
        older = (w for w in self.run.later_than(seen) if w.step < seen.step and w.step in self.writers)
        newer = next(older, None)
        return None if newer is None else self._relation(Reordering.FROM_BEFORE, newer.step)

    def graph(self, state: State | None) -> ExecutionGraph | None:
        """The run says how writes are ordered."""
        return self.recorded.graph(None, self.run)


def memories_of(machine: StateMachine, model: MemoryModel) -> Interleaved:
    """What accesses see under a memory model."""
    if model.is_hardware:
        return OfHardware(machine, MachineRun(machine.code, model))
    return OfC11(machine) if model is MemoryModel.C11 else Interleaved(machine)
