"""A few random runs before the search, where threads are created in loops.

How many threads there are is often an input, or one decides what they do: the search tries all values of an
input, or gives up if these are too many. Random runs of some hundred steps try a few values, and meet what
can go wrong between any few threads. They prove nothing, and the search that follows is the same.
"""

from sley.base.errors import GaveUpError
from sley.engines.explore.algorithm import DEADLOCK, Explorer
from sley.engines.explore.thresholds import LONGEST_RUN, MOST_RANDOM_STEPS, RANDOM_RUNS
from sley.evidence.trace import Schedule, ScheduleStep
from sley.program.properties import Failure, Property
from sley.semantics.random_runs import RandomRuns
from sley.semantics.state import State, location_of
from sley.semantics.values import NeedsSplitError

SEED = 1


def wander(explorer: Explorer) -> None:
    """Note the first violation that some random run meets."""
    runs = RandomRuns(explorer.machine.code, SEED, explorer.budget)
    steps = 0
    for number in range(RANDOM_RUNS):
        failure, schedule = _violation(explorer, runs, number)
        steps += len(schedule)
        if failure is not None:
            explorer.violations[failure] = schedule
        if failure is not None or steps > MOST_RANDOM_STEPS:
            return


def _violation(explorer: Explorer, runs: RandomRuns, number: int) -> tuple[Failure | None, Schedule]:
    """A violation in one run, if it meets one, with its steps."""
    schedule: list[ScheduleStep] = []
    state: State | None = None
    for taken in runs.run(number, longest=LONGEST_RUN):
        schedule.append(ScheduleStep(taken.memory.thread, taken.memory.choices_made()))
        state = taken.state
        failure = (
            explorer.machine.code.errors.get(location_of(taken.after))
            if state is None
            else _of_state(explorer, state)
        )
        if failure is not None:
            return failure, tuple(schedule)
    return None, tuple(schedule)


def _of_state(explorer: Explorer, state: State) -> Failure | None:
    """A race, or threads that wait for each other in a circle."""
    try:
        if Property.RACE in explorer.properties and (race := explorer.predicates.race(state)) is not None:
            return race.failure
        if Property.DEADLOCK in explorer.properties and explorer.predicates.wait_cycle(state):
            return DEADLOCK
    except (GaveUpError, NeedsSplitError):
        return None
    return None
