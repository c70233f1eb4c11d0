"""The steps of a schedule, taken one after another: they must lead to the violation."""

from dataclasses import replace
from typing import NamedTuple

from sley.evidence.replay.judges import at_location, at_state, leaked, unset_read
from sley.evidence.replay.memories import memories_of
from sley.evidence.replay.recorder import Recorder
from sley.evidence.replay.scene import Judged, Party, ReplayError, Scene
from sley.evidence.trace import EventKind, Schedule, ScheduleStep, ThreadInfo, Trace, TraceEvent
from sley.logic.sorts import width_of
from sley.program import instructions as ir
from sley.program.memory_model import MemoryModel
from sley.program.program import Edge, Program, user_origin
from sley.program.properties import Failure, Property
from sley.semantics.history import History
from sley.semantics.machine import StateMachine
from sley.semantics.machine_run import ImpossibleRunError
from sley.semantics.memory import StepMemory
from sley.semantics.state import ABORTED, CUT, ENDED, OVER, State, ThreadState, is_ended
from sley.semantics.step import Happening
from sley.semantics.uninitialised import UnsetRead, Watch
from sley.semantics.violations import StatePredicates


def replay(
    program: Program, schedule: Schedule, failure: Failure, model: MemoryModel = MemoryModel.SC
) -> Trace:
    """The trace of a violation; raises ReplayError if the schedule does not lead to it."""
    return _Replay(program, failure, model).run(schedule)


def record(program: Program, schedule: Schedule) -> tuple[tuple[ThreadInfo, ...], tuple[TraceEvent, ...]]:
    """What happens along a schedule that need not end in a violation."""
    replayed = _Replay(program, Failure(Property.REACH, "none", ""), MemoryModel.SC)
    replayed.follow(schedule)
    return replayed.recorder.threads.infos(), replayed.recorder.told()


class _Taken(NamedTuple):
    """A step that was taken."""

    result: ThreadState
    memory: StepMemory
    edge: Edge
    """The last one that was executed."""


class _Unset(NamedTuple):
    """A read of what was never written."""

    read: UnsetRead
    event: int
    """The number of events before it."""
    run: int
    """The run of a statement that it is part of."""


class _Replay:
    def __init__(self, program: Program, failure: Failure, model: MemoryModel) -> None:
        history = History(finds_races=failure.property is Property.RACE)
        machine = StateMachine(
            program, is_compiled=False, history=history if model is MemoryModel.C11 else None
        )
        self.machine = machine
        self.model = model
        self.memories = memories_of(machine, model)
        self.recorder = Recorder(machine, self.memories)
        self.recorder.dependences.is_weak = model is not MemoryModel.SC
        predicates = StatePredicates(machine.code, machine.interpreter)
        self.scene = Scene(machine, predicates, self.recorder, failure)
        self.unset: _Unset | None = None
        self.reached: State | None = None
        """The state after the last step, if the run goes on from there."""

    def follow(self, schedule: Schedule) -> None:
        """Take the steps, whatever they lead to."""
        state = self.machine.initial()
        for index, step in enumerate(schedule):
            taken = self._step(state, index, step)
            if self._is_over(taken.result):
                return
            state = taken.memory.freeze(taken.result)

    def run(self, schedule: Schedule) -> Trace:
        """Take the steps; they must lead to the violation."""
        state, edge = self.machine.initial(), None
        for index, step in enumerate(schedule):
            if self.scene.failure.property is Property.LEAK:
                self.scene.pointed_to.append(self.scene.predicates.pointed_to(state))
            taken = self._step(state, index, step)
            judged = self._judged(state, index, step, taken)
            if judged is not None:
                return self._trace(schedule[: index + 1], judged)
            self.reached = state = taken.memory.freeze(taken.result)
            edge = taken.edge
        if self.scene.failure.property is Property.LEAK:
            is_end = all(map(is_ended, state.threads))
            lost = self.scene.predicates.leaked(state, None) if is_end else []
            return self._trace(schedule, leaked(self.scene, schedule[-1].thread, edge, lost))
        return self._trace(schedule, at_state(self.scene, state))

    def _is_over(self, result: ThreadState) -> bool:
        return result in OVER or result[0] in self.machine.code.errors

    def _judged(self, state: State, index: int, step: ScheduleStep, taken: _Taken) -> Judged | None:
        """The failure that a step ends the run with; None if it goes on."""
        violated, predicates = self.scene.failure.property, self.scene.predicates
        if violated is Property.UNINITIALISED and self.unset is not None:
            return unset_read(self.scene, step.thread, *self.unset, taken.memory)
        if taken.result in (CUT, ABORTED):
            raise ReplayError(f"step {index} ends the run")
        if not self._is_over(taken.result):
            return None
        if violated is not Property.LEAK:
            return at_location(self.scene, step.thread, taken.edge, taken.result)
        is_known = taken.result == ENDED and predicates.knows_frames(state, step.thread)
        lost = predicates.leaked(state, step.thread) if is_known else []
        return leaked(self.scene, step.thread, taken.edge, lost)

    def _step(self, state: State, index: int, step: ScheduleStep) -> _Taken:
        if step.thread >= len(state.threads) or is_ended(state.threads[step.thread]):
            raise ReplayError(f"step {index}: thread {step.thread} does not run")
        memory = self.memories.of_step(state, step)
        recorder, events = self.recorder, self.recorder.events
        edges: list[Edge] = []
        watch, before, run = Watch(memory), 0, 0
        events.step, events.thread = index, step.thread

        def listen(happening: Happening) -> None:
            nonlocal before, run
            edges.append(happening.edge)
            if watch.found is None:
                watch(happening)
                before = len(events.events)
            _require_fit(happening)
            recorder.hear(happening, memory)
            if watch.found is not None and watch.found.edge is happening.edge:
                run = recorder.dependences.run_of(step.thread)
            recorder.note(happening, memory)

        result = self.machine.interpreter.step(memory, listen)
        if result is None:
            raise ReplayError(f"step {index}: thread {step.thread} is blocked")
        if watch.found is not None and watch.found.is_certain:
            self.unset = _Unset(watch.found, before, run)
        return _Taken(result, memory, edges[-1])

    def _trace(self, schedule: Schedule, judged: Judged) -> Trace:
        recorder = self.recorder
        try:
            self.memories.judge(recorder.events.events)
        except ImpossibleRunError as reason:
            raise ReplayError(str(reason)) from reason
        recorder.events.depend_on(judged.roots)
        failing = [self._event(len(schedule) - 1, one, one.edge) for one in judged.parties if one.edge]
        return Trace(
            judged.failure,
            schedule,
            recorder.threads.infos(),
            (*recorder.told(), *failing),
            user_origin(judged.edge.origin) if judged.edge is not None else None,
            (*judged.facts, *recorder.arguments.facts()),
            tuple(recorder.reliances),
            self.model,
            faults=recorder.faults,
            graph=self.memories.graph(self.reached),
            general=judged.general,
        )

    def _event(self, step: int, party: Party, edge: Edge) -> TraceEvent:
        """The failure of a thread."""
        events = self.recorder.events
        fails = TraceEvent(
            step, party.thread, EventKind.FAIL, events.origin(edge, party.thread), party.target
        )
        return replace(
            fails,
            note=party.note,
            others=self.recorder.concerned,
            source=party.source,
            address=party.address,
            run=self.recorder.dependences.run_of(party.thread) if party.run is None else party.run,
            distance=0,
        )


def _require_fit(happening: Happening) -> None:
    """What is read, or comes from outside, is a value of its sort: a schedule might prescribe anything."""
    instruction, value = happening.edge.instruction, happening.value
    if not isinstance(instruction, ir.Havoc | ir.Load) or not isinstance(value, int):
        return
    if not 0 <= value < 1 << width_of(instruction.target.sort):
        raise ReplayError(f"{value} is no value of {instruction.target.name}")
