"""A shorter schedule to the same failure: fewest context switches, then fewest steps, then plain inputs.

Every attempt is a run of the machine, which says whether it still fails in the same way: the same place, the
same threads, the same blocks. Blocks of steps of a thread are left out, or moved to where the thread acted
before or acts next (as Jalbert and Sen simplify traces); then single steps are left out, and inputs become 0
or 1. What is found is replayed like any other schedule; the work is bounded, and the same every time.
"""

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, pairwise
from math import inf

from sley.base.errors import GaveUpError
from sley.evidence.replay import ReplayError, replay
from sley.evidence.trace import EventKind, Schedule, ScheduleStep, Trace
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.history import History
from sley.semantics.machine import StateMachine
from sley.semantics.state import ENDED, OVER, State, ThreadState, is_ended, location_of
from sley.semantics.values import NeedsSplitError
from sley.semantics.violations import StatePredicates

MOST_STEPS = 10_000
"""So many steps all attempts may take together; under C11, where they are slow, a tenth."""
SLOWER = 10

SURE_STEPS = 2_000
"""So many they may take however slow the machine is; then the clock counts, too."""

Failing = tuple[object, ...]
"""What makes a failure the same one."""


class _SpentError(Exception):
    """The work is done, as far as it may go."""


def minimised(program: Program, trace: Trace, seconds: float, at_most: float = inf) -> Trace:
    """The trace of a shorter schedule to the same failure; the same trace if there is none.

    After so many seconds, ``SURE_STEPS`` are still taken, unless the whole takes longer than ``at_most``.
    """
    if trace.memory_model.is_hardware:  # where a run is not judged step by step
        return trace
    try:
        shorter = _Minimiser(program, trace, seconds, at_most).run(trace.schedule)
        if shorter == trace.schedule:
            return trace
        found = replay(program, shorter, trace.failure, trace.memory_model)
    except (ReplayError, GaveUpError, NeedsSplitError):
        return trace
    return found if _is_same(found, trace) else trace


def _is_same(one: Trace, other: Trace) -> bool:
    """Whether two traces are of one failure, and the first rests on no more than the second."""
    return (
        (one.failure.property, one.failure.rule, one.origin)
        == (other.failure.property, other.failure.rule, other.origin)
        and _parties(one) == _parties(other)
        and set(one.depends_on) <= set(other.depends_on)
    )


def _parties(trace: Trace) -> list[tuple[int, object]]:
    return [(event.thread, event.origin) for event in trace.events if event.kind is EventKind.FAIL]


class _Minimiser:
    """Tries schedules on the machine."""

    def __init__(self, program: Program, trace: Trace, seconds: float, at_most: float) -> None:
        is_weak = trace.memory_model is MemoryModel.C11
        self.property = trace.failure.property
        history = History(finds_races=self.property is Property.RACE) if is_weak else None
        self.machine = StateMachine(program, history=history)
        self.predicates = StatePredicates(self.machine.code, self.machine.interpreter)
        now, slower = time.monotonic(), SLOWER if is_weak else 1
        self.soon, self.deadline = now + seconds, now + at_most
        self.left = MOST_STEPS // slower
        self.counts = self.left - SURE_STEPS // slower
        """With fewer steps left than this, it ends soon."""
        self.states: list[State] = []
        """Those before the steps of the best schedule so far."""
        self.best: Schedule = ()
        self.goal: Failing | None = None

    def run(self, schedule: Schedule) -> Schedule:
        """The best schedule that is found."""
        try:
            reached = self._taken(schedule, 0, [self.machine.initial()])
            if reached is None:
                return schedule
            self.best, self.states, self.goal = reached
            while self._improved():
                pass
        except _SpentError:
            pass
        return self.best or schedule

    def _improved(self) -> bool:
        """Whether a round of attempts found something better."""
        before = self.best
        for attempts in (self._without_thread, self._without_block, self._merged, self._without_steps):
            while any(self._is_better(attempt, at) for attempt, at in attempts()):
                pass
        for attempt, at in self._simpler_inputs():
            self._is_better(attempt, at)
        return self.best != before

    def _is_better(self, attempt: Schedule, at: int) -> bool:
        """Whether a schedule, which is new from a step on, is shorter or has simpler inputs; then keep it."""
        reached = self._taken(attempt[at:], at, self.states[: at + 1])
        if reached is None or reached[2] != self.goal or _cost(reached[0]) >= _cost(self.best):
            return False
        self.best, self.states, _ = reached
        return True

    # --- attempts -----------------------------------------------------------------------------

    def _without_thread(self) -> Iterator[tuple[Schedule, int]]:
        for thread in sorted({step.thread for step in self.best} - {0}, reverse=True):
            first = next(at for at, step in enumerate(self.best) if step.thread == thread)
            yield tuple(step for step in self.best if step.thread != thread), first

    def _without_block(self) -> Iterator[tuple[Schedule, int]]:
        for start, end in reversed(self._blocks()):
            yield self.best[:start] + self.best[end:], start

    def _merged(self) -> Iterator[tuple[Schedule, int]]:
        """A block of a thread comes right after the one before it, or right before the one after it."""
        best, blocks = self.best, self._blocks()
        for index, (start, end) in enumerate(blocks):
            later = (b for b in blocks[index + 1 :] if best[b[0]].thread == best[start].thread)
            following = next(later, None)
            if following is not None:
                low, high = following
                yield best[:end] + best[low:high] + best[end:low] + best[high:], end
                yield best[:start] + best[end:low] + best[start:end] + best[low:], start

    def _without_steps(self) -> Iterator[tuple[Schedule, int]]:
        """Ends of blocks, large ones first, and then single steps are left out."""
        for start, end in reversed(self._blocks()):
            size = (end - start) // 2
            while size:
                yield self.best[: end - size] + self.best[end:], end - size
                size //= 2

    def _simpler_inputs(self) -> Iterator[tuple[Schedule, int]]:
        for at in range(len(self.best)):
            for place in range(len(self.best[at].choices) if at < len(self.best) else 0):
                for value in (0, 1):
                    step = self.best[at]
                    if place < len(step.choices) and value < step.choices[place]:
                        choices = (*step.choices[:place], value, *step.choices[place + 1 :])
                        simpler = replace(step, choices=choices)
                        yield (*self.best[:at], simpler, *self.best[at + 1 :]), at

    def _blocks(self) -> list[tuple[int, int]]:
        """From where to where one thread acts."""
        blocks, start = [], 0
        for _, steps in groupby(self.best, key=lambda step: step.thread):
            end = start + len(list(steps))
            blocks.append((start, end))
            start = end
        return blocks

    # --- runs ---------------------------------------------------------------------------------

    def _taken(
        self, steps: Schedule, at: int, states: list[State]
    ) -> tuple[Schedule, list[State], Failing] | None:
        """The steps that can be taken after those of the best schedule before ``at``, and how that fails.

        Steps of threads that do not run, or are blocked, are left out. None: it does not fail.
        """
        taken = list(self.best[:at])
        for step in steps:
            state = states[-1]
            if step.thread >= len(state.threads) or is_ended(state.threads[step.thread]):
                continue
            result, after = self._step(state, step)
            if result is None:
                continue
            taken.append(step)
            if after is None or location_of(result) in self.machine.code.errors:
                failing = self._failing_step(state, step.thread, result)
                return None if failing is None else (tuple(taken), states, failing)
            states.append(after)
        failing = self._failing_state(states[-1])
        return None if failing is None else (tuple(taken), states, failing)

    def _step(self, state: State, step: ScheduleStep) -> tuple[ThreadState | None, State | None]:
        """The new state of the thread, None if it is blocked; and that of all, None if the run is over."""
        self.left -= 1
        until = self.soon if self.left < self.counts else self.deadline
        if self.left < 0 or time.monotonic() > until:
            raise _SpentError
        try:
            memory, result = self.machine.step(state, step.thread, step.choices)
        except (GaveUpError, NeedsSplitError, LookupError):  # choices that do not fit
            return None, None
        if result is None or memory.created or len(memory.taken) != len(step.choices):
            return None, None
        return result, None if result in OVER else memory.freeze(result)

    def _failing_step(self, state: State, thread: int, result: ThreadState) -> Failing | None:
        if self.property is Property.LEAK:
            if result != ENDED or not self.predicates.knows_frames(state, thread):
                return None
            return self._lost(state, thread)
        location = location_of(result)
        return (thread, location) if location in self.machine.code.errors else None

    def _failing_state(self, state: State) -> Failing | None:
        if self.property is Property.RACE:
            race = self.predicates.race(state)
            if race is None:
                return None
            return race.first, race.first_access.edge, race.second, race.second_access.edge
        if self.property is Property.DEADLOCK:
            return self._stuck(state)
        if self.property is Property.LEAK and all(map(is_ended, state.threads)):
            return self._lost(state, None)
        return None

    def _stuck(self, state: State) -> Failing | None:
        cycle = [wait.waiting for wait in self.predicates.wait_cycle(state)]
        if not cycle and not self.machine.is_stuck(state):
            return None
        waiting = cycle or [thread for thread, at in enumerate(state.threads) if not is_ended(at)]
        return tuple((thread, location_of(state.threads[thread])) for thread in sorted(waiting))

    def _lost(self, state: State, thread: int | None) -> Failing | None:
        lost = self.predicates.leaked(state, thread)
        blocks = state.blocks
        return tuple(sorted(blocks[number].site for number in lost)) or None


def _cost(schedule: Schedule) -> tuple[int, int, int]:
    """Context switches, steps, and how large the inputs are."""
    switches = sum(a.thread != b.thread for a, b in pairwise(schedule))
    return switches, len(schedule), sum(choice for step in schedule for choice in step.choices)
