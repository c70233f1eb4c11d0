"""Concrete runs against a proof: before SAFE is said, random runs of the program must fit.

The runs come from the reference interpreter, with any schedule and any inputs, so a proof is held against
the program without the formulas, analyses and reductions that it was found and checked with. A run may not
violate what was asked for, and what the proof says of its states has to be true of them. That proves nothing;
it is the plainest way to see that a proof is wrong.
"""

import time
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError, GaveUpError
from sley.evidence.proof import RefusedProofError
from sley.evidence.trace import Schedule, ScheduleStep
from sley.program.instructions import Load, Store, Update
from sley.program.program import Edge
from sley.program.properties import Property
from sley.semantics.code import Code
from sley.semantics.history import History
from sley.semantics.machine import StateMachine
from sley.semantics.random_runs import LONGEST_RUN, RandomRuns, Taken
from sley.semantics.state import CUT, ENDED, State, is_ended
from sley.semantics.step import Interpreter, NotModelledError
from sley.semantics.values import NeedsSplitError
from sley.semantics.violations import StatePredicates

FEWEST_RUNS = 10
"""So many runs are held against a proof, half of them in every state; and more, if there is time."""

FEWEST_PLAIN_RUNS = 30
"""So many are there, with those that look for violations alone: they are cheap."""

LINGERING_RUN = 3
"""Of four runs, the one in which threads linger before accesses that may race, until others get there."""

SHORT_RUN, SHORT_PLAIN_RUN = 25, 100
"""So many steps may have a run for which there is no time."""

PART = 0.1
"""Of the time that the search took, for runs beyond the fewest."""

MOST_SECONDS = 5.0


class Follower:
    """What a proof says of runs, by default nothing. One run after another is followed, step by step.

    Methods that judge say what is wrong, or None.
    """

    reuses_numbers = True
    """Whether a new heap block may have the number of a dead one."""

    history: History | None = None
    """What runs start with; if there is any, they are runs of C11."""

    def speaks_of(self, location: int) -> bool:
        """Whether the proof speaks of states in which a running thread stands here.

        If not, the thread goes on without others, and the states on the way are not shown.
        """
        return True

    def start(self, state: State) -> str | None:
        """A run starts."""
        return self.judge(state)

    def step(self, thread: int, edges: Sequence[Edge], state: State | None) -> str | None:
        """A thread took a step along these edges, to this state; None if the run is over."""
        return None if state is None else self.judge(state)

    def judge(self, state: State) -> str | None:
        """A run has come to this state."""
        return None


class MisfitError(RefusedProofError):
    """A run of the program does not fit a proof."""

    def __init__(self, reason: str, schedule: Schedule) -> None:
        steps = " ".join(
            f"{step.thread}({','.join(map(str, step.choices))})" if step.choices else f"{step.thread}"
            for step in schedule
        )
        super().__init__(f"a run does not fit the proof: {reason}\nschedule, thread(choices): {steps}")
        self.reason = reason
        self.schedule = schedule

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.reason, self.schedule), {"__notes__": getattr(self, "__notes__", [])}


class Fitted(NamedTuple):
    """So many runs, with so many states together, did not speak against a proof."""

    runs: int
    states: int
    given_up: int = 0
    """How many further runs could not be followed to their ends: they do not count."""


def run_against(
    code: Code, properties: frozenset[Property], follower: Follower, seconds: float, budget: Budget
) -> Fitted:
    """Hold random runs against a proof that took so many seconds to find; MisfitError if one does not fit."""
    watch = _ViolationWatch(code, properties)
    random_runs = RandomRuns(code, 0, budget)
    until = time.monotonic() + min(PART * seconds, MOST_SECONDS)
    states: list[int] = []
    """Of each run that fitted."""
    for number in count():
        is_in_time = number < FEWEST_RUNS or time.monotonic() < until
        if not is_in_time and number >= FEWEST_PLAIN_RUNS:
            break
        # half of them look for violations alone, with threads interrupted everywhere
        followed = _Followed(watch, follower if is_in_time and number % 4 < 2 else None)
        random_runs.random.seed(number)  # each run is the same, however many there are
        try:
            followed.run(random_runs, number, until)
        except BudgetExhaustedError:
            break
        except (GaveUpError, NeedsSplitError):
            continue
        states.append(followed.states)
    return Fitted(len(states), sum(states), number - len(states))


class _Followed:
    """One run, and what is to be said about it."""

    def __init__(self, watch: "_ViolationWatch", follower: Follower | None) -> None:
        self.watch = watch
        self.follower = follower or Follower()
        self.shortest = SHORT_RUN if follower else SHORT_PLAIN_RUN
        self.schedule: list[ScheduleStep] = []
        self.states = 1
        self._on_the_way: list[Edge] = []
        """The edges that a thread took since it stood where the proof speaks of it."""

    def run(self, random_runs: RandomRuns, number: int, until: float) -> None:
        """Follow the run with this number, not far beyond this time; GaveUpError if that is beyond us."""
        state = self.watch.code.initial()._replace(history=self.follower.history)
        self._refuse_if(self.follower.start(state))
        for taken in random_runs.run(
            number,
            may_switch=self.follower.speaks_of,
            lingers=self.watch.may_race if number % 4 == LINGERING_RUN else lambda _: False,
            reuses_numbers=self.follower.reuses_numbers,
            history=self.follower.history,
        ):
            before, state_after = state, taken.state
            thread = taken.memory.thread
            self.schedule.append(ScheduleStep(thread, taken.memory.choices_made()))
            self._refuse_if(self.watch.violation(before, taken))
            self._on_the_way += [happening.edge for happening in taken.happenings]
            if state_after is None or self._is_shown(state_after, thread):
                edges, self._on_the_way = self._on_the_way, []
                if taken.after != CUT:
                    self._refuse_if(self.follower.step(thread, edges, state_after))
            if state_after is None or (self.states > self.shortest and time.monotonic() > until):
                return
            state = state_after
            self.states += 1
        if isinstance(random_runs.gave_up, NotModelledError):
            self._refuse_if(f"it comes to what is not modelled: {random_runs.gave_up}")
        if random_runs.gave_up is not None:
            raise random_runs.gave_up
        if self.states <= LONGEST_RUN:
            self._refuse_if(self.watch.deadlock(state))

    def _is_shown(self, state: State, thread: int) -> bool:
        at = state.threads[thread]
        return is_ended(at) or self.follower.speaks_of(at[0])

    def _refuse_if(self, reason: str | None) -> None:
        if reason is not None:
            raise MisfitError(reason, tuple(self.schedule))


class _ViolationWatch:
    """Looks for violations of what was asked for."""

    def __init__(self, code: Code, properties: frozenset[Property]) -> None:
        self.code = code
        self.properties = properties
        self.predicates = StatePredicates(code, Interpreter(code))
        self._plain = {
            edge.source
            for edges in code.out.values()
            for edge in edges
            if isinstance(edge.instruction, Load | Store | Update) and not edge.instruction.access.is_atomic
        }

    def may_race(self, location: int) -> bool:
        """Whether the next access of a thread here is a plain one, if that matters."""
        return Property.RACE in self.properties and location in self._plain

    def violation(self, before: State, taken: Taken) -> str | None:
        """What a step violates, itself or by the state it leads to."""
        failure = self.code.errors.get(taken.after[0])
        if failure is not None:
            return failure.message if failure.property in self.properties else None
        if taken.after == ENDED and Property.LEAK in self.properties:
            thread = taken.memory.thread
            is_lost = self.predicates.knows_frames(before, thread) and self.predicates.leaked(before, thread)
            return "memory is lost" if is_lost else None
        return None if taken.state is None else self._in_state(taken.state)

    def _in_state(self, state: State) -> str | None:
        if Property.RACE in self.properties and (race := self.predicates.race(state)) is not None:
            return race.failure.message
        if Property.DEADLOCK in self.properties and self.predicates.wait_cycle(state):
            return "threads wait for each other"
        is_over = all(map(is_ended, state.threads))
        if Property.LEAK in self.properties and is_over and self.predicates.leaked(state, None):
            return "memory is lost"
        return None

    def deadlock(self, state: State) -> str | None:
        """Why no thread can go on, if that is so."""
        if Property.DEADLOCK not in self.properties:
            return None
        is_stuck = StateMachine(self.code.program, is_compiled=False).is_stuck(state)
        return "no thread can go on" if is_stuck else None
