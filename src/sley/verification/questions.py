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
from sley.verification.thresholds import EASY_STATES


def question(task: Task, properties: frozenset[Property]) -> Task:
    """The task of asking the same engines about these properties."""
    return replace(
        task,
        selection=Selection(properties),
        options=replace(task.options, explore=ExploreOptions(native=False, max_states=EASY_STATES)),
        keeps_proof=False,
        wants_invariants=False,
    )


def never(flat: Program, task: Task, budget: Budget) -> bool | None:
    """Whether no run goes wrong, by a proof that was checked; None: that is not known.

    One engine after another is asked.
    """
    for name in task.engines:
        attempt = Attempt(name, ENGINES, flat, task.selection.properties, task)
        match attempt.answered(budget, SilentObserver()).outcome:
            case Safe():
                return True
            case Unsafe():
                return False
            case _:
                pass
    return None
