"""All successors of a state: the machine that engines drive.

Fast steps run compiled; a step that meets an undetermined value runs in the reference interpreter.
"""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from sley.base.errors import GaveUpError
from sley.base.persistent import replaced
from sley.base.reasons import LONG_LOOP, on_inputs
from sley.program.program import Program
from sley.semantics.blocks import Blocks
from sley.semantics.code import Code
from sley.semantics.consistency import Consistency
from sley.semantics.history import History
from sley.semantics.knowledge import ValueKnowledge, inputs_of, numbers_of
from sley.semantics.memory import Choice, StepMemory, narrowed_state
from sley.semantics.remembered import RememberedSteps, StepOutcome
from sley.semantics.state import CUT, OVER, State, ThreadState, is_ended
from sley.semantics.step import LONGEST_STEP, Interpreter, Listener
from sley.semantics.values import Computed, NeedsSplitError, Open, Ranges, Undetermined

SEVERAL: ThreadState = ()
"""Stands for the end of a step that may have several ends."""

LONGEST_SOLO = 2_000
"""So many steps of the only thread are taken at once, at most."""


class Successor(NamedTuple):
    """What one step can lead to."""

    choices: tuple[Choice, ...]
    """What to prescribe to get here again."""
    thread: ThreadState
    """The acting thread's new state: a stop, an error location, ended, or one of OVER."""
    state: State | None
    """The new state; None if the run is cut or the process has ended."""
    is_spurious: bool
    """Possible only by a spurious wake-up."""


class StateMachine:
    """Computes successors; ``is_compiled=False`` uses the reference interpreter alone.

    With a history to start from, runs are those of C11, on the reference interpreter.
    """

    def __init__(
        self,
        program: Program,
        *,
        is_compiled: bool = True,
        is_remembering: bool = True,
        history: History | None = None,
        consistency: Consistency | None = None,
    ) -> None:
        self.code = Code(program)
        self.consistency = consistency
        """Decides what undetermined values may be together; None: such questions are given up on."""
        self.interpreter = Interpreter(self.code, self.consistency)
        self.blocks = Blocks(self.code)
        self.remembered = RememberedSteps(self.code)
        self.is_compiled = is_compiled and history is None
        self.is_remembering = is_remembering
        """Whether steps that were computed before are not computed again."""
        self.history = history

    def initial(self) -> State:
        """The first state."""
        return self.code.initial()._replace(history=self.history)

    def successors(self, state: State, thread: int, listener: Listener | None = None) -> list[Successor]:
        """All outcomes of one step of a thread; empty if it has ended or is blocked.

        A listener hears of every edge that the reference interpreter executes (of none that runs compiled).

        Raises NeedsSplitError if the state has to be split first, GaveUpError if the step is beyond us.
        """
        if is_ended(state.threads[thread]):
            return []
        if state.history is not None and state.history.race is not None:
            return [Successor((), CUT, None, is_spurious=False)]
        if self.is_compiled and (only := self._only_successor(state, thread)) is not None:
            return only
        found: list[Successor] = []
        for memory, result in self.interpreter.outcomes(state, thread, lambda m: self.take(m, listener)):
            if (result is None or memory.spurious) and memory.is_bound:
                raise GaveUpError(on_inputs("whether a thread has to wait"))
            if result is not None:
                choices = tuple(choice for choice, _ in memory.taken)
                after = None if result in OVER else memory.freeze(result)
                found.append(Successor(choices, result, after, memory.spurious))
        return found

    def _only_successor(self, state: State, thread: int) -> list[Successor] | None:
        """The outcome of a step that has one at most, as most have; None if it may have several."""
        if self.is_remembering and self.remembered.concerns(state.threads[thread][0]):
            return self._remembered_successor(state, thread)
        memory = StepMemory(self.code.memory_map, state, thread)
        at = self._only_end(memory)
        if at is None or at is SEVERAL:
            return [] if at is None else None
        after = None if at in OVER else memory.freeze(at)
        return [Successor((), at, after, memory.spurious)]

    def _remembered_successor(self, state: State, thread: int) -> list[Successor] | None:
        key = (thread, state.threads[thread], state.cells, state.blocks)
        outcome = self.remembered.outcome(key)
        if outcome is None:
            memory = StepMemory(self.code.memory_map, state, thread)
            at = self._only_end(memory)
            if at is SEVERAL:
                return None
            outcome = StepOutcome(at, memory.cells, memory.blocks, memory.spurious)
            self.remembered.add(key, outcome)
        at, cells, blocks, is_spurious = outcome
        if at is None:
            return []
        after = None
        if at not in OVER:
            after = State(cells, blocks, replaced(state.threads, thread, at), state.detached)
        return [Successor((), at, after, is_spurious)]

    def _only_end(self, memory: StepMemory) -> ThreadState | None:
        """Where the thread comes to by a compiled step; None if it is blocked."""
        try:
            at = self._compiled_step(memory)
        except (TypeError, NeedsSplitError):
            return SEVERAL
        return SEVERAL if memory.taken else at

    def beyond(self, state: State) -> tuple[State, int]:
        """Where the only thread comes to by steps with one outcome each, and how many these are.

        LAW. All that can happen from the state on comes to the other one, or goes on for ever. There is no
        violation on the way, the last state left out: no step of these ends the run or reaches an error, and
        with one thread there is no race, and no wait, as it can step.
        """
        if len(state.threads) != 1 or is_ended(state.threads[0]) or state.history is not None:
            return state, 0
        memory = self.interpreter.memory(state, 0)
        step = partial(self._compiled_step, memory) if self.is_compiled else self.interpreter.going_on(memory)
        found, steps = state, 0
        cells, blocks, detached, threads = state.cells, state.blocks, state.detached, state.threads
        while steps < LONGEST_SOLO:
            try:
                at = step()
            except (TypeError, NeedsSplitError, GaveUpError):
                break
            if at is None or at in OVER or is_ended(at) or at[0] in self.code.errors or not memory.is_plain:
                break
            memory.threads = replaced(memory.threads, 0, at)
            cells, blocks, detached, threads = memory.cells, memory.blocks, memory.detached, memory.threads
            steps += 1
        if steps:
            found = State(cells, blocks, threads, detached)
        return found, steps

    def step(
        self, state: State, thread: int, choices: tuple[Choice, ...]
    ) -> tuple[StepMemory, ThreadState | None]:
        """One step as these choices prescribe: the memory after it, and the thread; None if it is blocked."""
        memory = self.interpreter.memory(state, thread, choices)
        return memory, self.take(memory)

    def is_blocked(self, state: State, thread: int) -> bool:
        """Whether a thread cannot step, but by a spurious wake-up."""
        return all(successor.is_spurious for successor in self.successors(state, thread))

    def is_stuck(self, state: State) -> bool:
        """Whether threads run, and all of them are blocked: a deadlock."""
        running = [thread for thread, at in enumerate(state.threads) if not is_ended(at)]
        return bool(running) and all(self.is_blocked(state, thread) for thread in running)

    def take(self, memory: StepMemory, listener: Listener | None = None) -> ThreadState | None:
        """One step of the memory's thread: its new state, or None if it is blocked."""
        if self.is_compiled and not any(isinstance(choice, Computed) for choice in memory.choices):
            try:
                return self._compiled_step(memory)
            except TypeError:  # an undetermined value: the interpreter knows what to do, or raises again
                memory.restart()
        return self.interpreter.step(memory, listener)

    def _compiled_step(self, memory: StepMemory) -> ThreadState | None:
        stops, functions = self.code.stops, self.blocks.functions
        at: ThreadState | None = memory.threads[memory.thread]
        for _ in range(LONGEST_STEP):
            assert at is not None
            function = functions.get(at[0]) or self.blocks.at(at[0])
            at = function(memory, at)
            if at is None or at[0] < 0 or at[0] in stops:
                return at
        raise GaveUpError(LONG_LOOP)

    def split(self, state: State, question: NeedsSplitError) -> Iterator[tuple[Ranges, State]]:
        """The parts of a state in which the question has one answer each."""
        for part in question.parts:
            yield part, self.part(state, question.value, part)

    def part(self, state: State, value: Open, ranges: Ranges) -> State:
        """The state with the value, which depends on values of the state, in these ranges."""
        return narrowed_state(state, self.knowledge(state, value).narrowed(value, ranges))

    def knowledge(self, state: State, value: Open) -> ValueKnowledge:
        """What the state knows of the values that this one depends on."""
        numbers = numbers_of(value)
        related = (v for v in open_values(state) if not numbers.isdisjoint(numbers_of(v)))
        return ValueKnowledge.of(self.code.program.terms, related)


def open_values(state: State) -> list[Open]:
    """The values of a state that are not decided yet."""
    found = [v for v in state.cells if isinstance(v, Open)]
    for block in state.blocks.values():
        found.extend(v for v in block.cells if isinstance(v, Open))
    for thread in state.threads:
        found.extend(v for v in thread if isinstance(v, Open))
    if state.history is not None:
        found.extend(v for v in state.history.values() if isinstance(v, Open))
    return found


def undetermined_values(state: State) -> list[Undetermined]:
    """The undetermined values that a state depends on."""
    return [one for value in open_values(state) for one in inputs_of(value)]
