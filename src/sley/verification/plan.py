"""What is asked about a task: which engine, what, in which order, with which share, and what next.

Read ``PLAN`` from top to bottom. A question is asked if it applies. An answer that settles the run ends it;
with any other answer the next question is asked. ``AFTERWARDS`` explains the answer and never changes it.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from importlib import import_module

from sley.analyses.threads import Creations, Instances
from sley.base.budget import Budget
from sley.program.program import Program
from sley.verification import conditions, thresholds
from sley.verification.answers import Answered
from sley.verification.result import Answer
from sley.verification.run import Run
from sley.verification.task import ONLY_FINDS

ALL = frozenset(Answer)


class Choice(Enum):
    """Which engines are asked, where a question does not name them."""

    NAMED = "those that the user names, or else those that fit the program"
    FITTING = "those that fit the program (``portfolio``)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One entry of a plan."""

    name: str
    """As it stands in the report of a crash."""
    asks: tuple[str, ...] | Choice
    """The engines that are asked."""
    ask: str
    """``module:function`` that asks them; imported only if the question applies, for a fast start."""
    applies: Callable[[Run], bool]
    share: float = 1.0
    """Of the time that is left when its turn comes."""
    at_most: Callable[[Run], float | None] = lambda _: None
    """Seconds, whatever the share is."""
    clock: Callable[[], float] = time.monotonic
    """What the share is of: the time that a user waits, or that this process computes."""
    settles: frozenset[Answer] = frozenset()
    """Answers that end the run."""
    is_needed: bool = False
    """Whether the run ends where this crashes or gives up; otherwise the next question is asked."""

    def put(self, run: Run) -> Answered | None:
        """Ask it; None if it is without an answer of its own."""
        match self.asks:
            case Choice.NAMED:
                engines = run.task.engines
            case Choice.FITTING:
                engines = ()
            case names:
                engines = names
        budget = run.budget
        if self.share < 1.0:
            budget = budget.share(self.share, self.at_most(run), self.clock)
        module, function = self.ask.split(":")
        answer: Ask = getattr(import_module(f"sley.verification.{module}"), function)
        return answer(run, engines, budget)


Ask = Callable[[Run, tuple[str, ...], Budget], Answered | None]
"""From the engines that are asked, with their budget, to what comes of it."""

Plan = tuple[Question, ...]

_RACES = Question(
    name="the search for data races",
    asks=Choice.NAMED,
    ask="races:race_free",
    applies=conditions.may_be_race_free,
    share=thresholds.FOR_RACES,
    settles=frozenset({Answer.SAFE, Answer.BUG}),
)
_ALL = Question(
    name="the engines",
    asks=Choice.NAMED,
    ask="findings:search",
    applies=lambda _: True,
    settles=ALL,
    is_needed=True,
)

PLAN: Plan = (
    Question(
        name="the look at every check",
        asks=("abstract",),
        ask="large:settle_checks",
        applies=conditions.settles_checks,
        share=thresholds.FOR_CHECKS,
        settles=frozenset({Answer.SAFE}),
    ),
    Question(
        name="runs led to open checks",
        asks=("directed",),
        ask="large:lead_runs",
        applies=conditions.leads_runs,
        share=thresholds.FOR_RUNS,
        settles=frozenset({Answer.BUG}),
    ),
    Question(
        name="engine bmc",
        asks=("bmc",),
        ask="large:look_at_part",
        applies=conditions.has_part,
        share=thresholds.FOR_PART,
        settles=frozenset({Answer.BUG}),
    ),
    _RACES,
    _ALL,
)

FROM_FILE: Plan = (
    Question(
        name="the proof of every check",
        asks=("abstract",),
        ask="proof_check:settle_checks",
        applies=lambda _: True,
        settles=ALL,
        is_needed=True,
    ),
    _RACES,
    _ALL,
)
"""The same where a file with proofs is asked instead of engines."""

AFTERWARDS: Plan = (
    Question(
        name="the search for the same without a memory model",
        asks=Choice.FITTING,
        ask="races:same_interleaved",
        applies=conditions.is_violation_of_model,
        share=thresholds.FOR_SAME,
        at_most=conditions.a_while,
    ),
    Question(
        name="the second look at the proof",
        asks=("abstract", "explore"),
        ask="second_look:look_again",
        applies=conditions.is_proof,
        share=thresholds.FOR_CAVEATS,
        at_most=lambda _: thresholds.MOST_FOR_CAVEATS,
        clock=time.process_time,
    ),
)


FEW = ("explore", "abstract", "bmc", ONLY_FINDS, "impact", "modular")
"""The portfolio, in this order. Mostly all have equal parts of the time (``thresholds.IN_LOOPS``): then two
cores give each of four what it needs to answer in half the time limit if it were alone."""

MANY = ("explore", "abstract", ONLY_FINDS, "bmc", "modular", "impact", "symmetry")
"""The same for programs that start a function more than once, maybe any number of times."""


def portfolio(program: Program) -> tuple[str, ...]:
    """The engines that are asked about a prepared program."""
    instances = Creations(program).instances.values()
    return MANY if Instances.MANY in instances else FEW
