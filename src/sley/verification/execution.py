"""Single runs: at random, or along a given schedule. Nothing is searched and nothing is proved."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from sley.base.budget import Budget
from sley.base.errors import InputError
from sley.base.source import Span
from sley.evidence.trace import Schedule, Step
from sley.program.program import Program
from sley.program.properties import Failure, Property
from sley.semantics.machine import Machine, Successor
from sley.semantics.memory import Choice
from sley.semantics.state import ABORTED, CUT, ENDED, State, is_ended
from sley.semantics.values import Ranges, Undetermined

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
    machine = Machine(program)
    random = Random(seed)
    state = machine.initial()
    schedule: list[Step] = []
    while len(schedule) < LONGEST_RUN:
        budget.spend()
        chosen = _random_step(machine, state, random)
        if chosen is None:
            return _stuck(state, schedule)
        thread, successor = chosen
        choices = tuple(_determined(choice, random) for choice in successor.choices)
        schedule.append(Step(thread, choices))
        memory = machine.interpreter.memory(state, thread, choices)
        after = machine.interpreter.step(memory)
        assert after is not None, "the same choices lead to the same outcome"
        if after is CUT:
            return Run(tuple(schedule), "an assumption fails: the run is cut")
        if after in (ENDED, ABORTED):
            return Run(tuple(schedule), "the program ends")
        failure = machine.code.errors.get(after[0])
        if failure is not None:
            return Run(tuple(schedule), failure.message, failure)
        state = memory.freeze(after)
    return Run(tuple(schedule), f"cut short after {LONGEST_RUN} steps")


def _random_step(machine: Machine, state: State, random: Random) -> tuple[int, Successor] | None:
    """A thread that can step and one of its outcomes; None if there is no such thread."""
    threads = [thread for thread, at in enumerate(state.threads) if not is_ended(at)]
    random.shuffle(threads)
    spurious: tuple[int, Successor] | None = None
    for thread in threads:
        outcomes = machine.successors(state, thread)
        if any(not outcome.is_spurious for outcome in outcomes):
            return thread, random.choice(outcomes)
        if outcomes:
            spurious = thread, random.choice(outcomes)
    return spurious if spurious is not None and random.random() < 0.5 else None


def _stuck(state: State, schedule: list[Step]) -> Run:
    if all(is_ended(at) for at in state.threads):
        return Run(tuple(schedule), "all threads end")
    return Run(tuple(schedule), DEADLOCK.message, DEADLOCK)


def _determined(choice: Choice, random: Random) -> int:
    return _member(choice.ranges, random) if isinstance(choice, Undetermined) else choice


def _member(ranges: Ranges, random: Random) -> int:
    """A member; the ends of a range are worth trying more often than chance would."""
    low, high = random.choice(ranges)
    return random.choice((low, high, random.randint(low, high)))


# --- schedule files --------------------------------------------------------------------------------


def write_schedule(schedule: Schedule) -> str:
    """One line per step: the thread's number, then its choices."""
    return "".join(" ".join(map(str, (step.thread, *step.choices))) + "\n" for step in schedule)


def read_schedule(text: str, file: str) -> Schedule:
    """What ``write_schedule`` wrote; ``#`` starts a comment."""
    return tuple(_steps(text, file))


def _steps(text: str, file: str) -> Iterator[Step]:
    for number, content in enumerate(text.splitlines(), start=1):
        words = content.split("#")[0].split()
        if not words:
            continue
        if not all(word.isascii() and word.isdigit() for word in words):
            raise InputError("expected a thread's number and its choices", Span(file, number, 1))
        thread, *choices = map(int, words)
        yield Step(thread, tuple(choices))
