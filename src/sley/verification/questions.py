"""Small questions about a program that an answer is known of already: what engines say with little effort.

No clock decides what is said: efforts are counted in states.
"""

from dataclasses import replace

from sley.base.budget import Budget
from sley.engines.explore.options import ExploreOptions
from sley.evidence.verdict import Safe, Unsafe
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.attempt import Attempt
from sley.verification.engines import ENGINES
from sley.verification.observer import SilentObserver
from sley.verification.property_files import Selection
from sley.verification.task import Task

ASKED = ("abstract", "explore")
"""Who is asked: what proves most at once, then what looks at all that a small program does."""

STATES = 2_000
"""So many states may be looked at."""


def question(task: Task, properties: frozenset[Property]) -> Task:
    """The task of asking about these properties."""
    return replace(
        task,
        selection=Selection(properties),
        engines=ASKED,
        options=replace(task.options, explore=ExploreOptions(native=False, max_states=STATES)),
        keeps_proof=False,
        wants_invariants=False,
    )


def never(flat: Program, task: Task, budget: Budget) -> bool | None:
    """Whether no run goes wrong, by a proof that was checked; None: that is not known."""
    for name in ASKED:
        attempt = Attempt(name, ENGINES, flat, task.selection.properties, task)
        match attempt.answered(budget, SilentObserver()).outcome:
            case Safe():
                return True
            case Unsafe():
                return False
            case _:
                pass
    return None
