"""Single runs: at random, or along a given schedule. Nothing is searched and nothing is proved."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sley.base.budget import Budget
from sley.base.errors import InputError
from sley.base.source import Span
from sley.evidence.trace import Schedule, ScheduleStep
from sley.program.program import Program
from sley.program.properties import Failure, Property
from sley.semantics.machine import StateMachine
from sley.semantics.random_runs import RandomRuns
from sley.semantics.state import CUT, State, ThreadState, is_ended, location_of

MOST_DIGITS = 40
"""Of a number in a schedule: choices are values of C."""

LONGEST_RUN = 10_000
"""A random run with more steps than this is cut short: it may never end."""

DEADLOCK = Failure(Property.DEADLOCK, "deadlock", "deadlock: no thread can go on")


@dataclass(frozen=True, slots=True)
class Run:
    """One run: its schedule, and how it ended."""

    schedule: Schedule
    ending: str
    """In a few words, such as ``the program ends``."""
    failure: Failure | None = None


def random_run(program: Program, seed: int, budget: Budget) -> Run:
    """A run in which threads and inputs are chosen at random; the same seed gives the same run."""
    machine = StateMachine(program, is_compiled=False)
    random_runs = RandomRuns(machine.code, seed, budget)
    state: State | None = machine.initial()
    schedule: list[ScheduleStep] = []
    ending, failure = "", None
    for taken in random_runs.run(seed, longest=LONGEST_RUN):
        schedule.append(ScheduleStep(taken.memory.thread, taken.memory.choices_made()))
        state = taken.state
        if state is None:
            ending, failure = _end(taken.after, machine.code.errors)
    if random_runs.gave_up is not None:
        raise random_runs.gave_up
    if state is not None:
        if all(is_ended(at) for at in state.threads):
            ending = "all threads end"
        elif machine.is_stuck(state):
            ending, failure = DEADLOCK.message, DEADLOCK
        else:
            ending = f"cut short after {len(schedule)} steps"
    return Run(tuple(schedule), ending, failure)


def _end(thread: ThreadState, errors: Mapping[int, Failure]) -> tuple[str, Failure | None]:
    """What a step has ended a run with."""
    failure = errors.get(location_of(thread))
    if failure is not None:
        return failure.message, failure
    return "an assumption fails: the run is cut" if thread == CUT else "the program ends", None


# --- schedule files --------------------------------------------------------------------------------


def write_schedule(schedule: Schedule) -> str:
    """One line per step: the thread's number, then its choices."""
    return "".join(" ".join(map(str, (step.thread, *step.choices))) + "\n" for step in schedule)


def read_schedule(text: str, file: str) -> Schedule:
    """What ``write_schedule`` wrote; ``#`` starts a comment."""
    return tuple(_steps(text, file))


def _steps(text: str, file: str) -> Iterator[ScheduleStep]:
    for number, content in enumerate(text.splitlines(), start=1):
        words = content.split("#")[0].split()
        if not words:
            continue
        if not all(word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS for word in words):
            raise InputError("expected a thread's number and its choices", Span(file, number, 1))
        thread, *choices = map(int, words)
        yield ScheduleStep(thread, tuple(choices))
