"""What may end runs early although nobody asked about it: a race behind it is not seen.

A property that is not selected is not checked: where it is violated, the run ends (``passes.properties``).
That is listed among the assumptions; here it is found out whether it matters.
"""

from collections.abc import Iterator

from sley.base.budget import Budget
from sley.program.program import Program, user_origin
from sley.program.properties import Property
from sley.semantics.code import Code
from sley.semantics.random_runs import LONGEST_RUN, RandomRuns
from sley.verification.caveats import NotAsked
from sley.verification.questions import never, question
from sley.verification.reading import prepared
from sley.verification.task import Task

ENDING = (Property.DEREF, Property.FREE, Property.DIVISION, Property.MISUSE)
"""What ends a run where it is not asked about."""

RUNS, STEPS = 10, 1_000
"""So many random runs, and so many steps of all of them together."""


def not_asked(loaded: Program, task: Task, budget: Budget) -> Iterator[NotAsked]:
    """What may end runs of a program that is safe otherwise: asked about together first, then singly."""
    properties = frozenset(ENDING) - task.selection.properties
    if _is_excluded(loaded, task, properties, budget):
        return
    for prop in ENDING:
        about = question(task, frozenset({prop}))
        if prop not in properties or not _can_fail(flat := prepared(loaded, about)):
            continue
        if (seen := _seen(flat, prop, budget)) is not None:
            yield seen
        elif len(properties) == 1 or not never(flat, about, budget):
            yield NotAsked(prop)


def _is_excluded(loaded: Program, task: Task, properties: frozenset[Property], budget: Budget) -> bool:
    about = question(task, properties)
    flat = prepared(loaded, about)
    return not properties or not _can_fail(flat) or bool(never(flat, about, budget))


def _can_fail(flat: Program) -> bool:
    return any(function.errors for function in flat.functions.values())


def _seen(flat: Program, prop: Property, budget: Budget) -> NotAsked | None:
    """A random run in which it goes wrong."""
    code = Code(flat)
    source = RandomRuns(code, 0, budget)
    steps = STEPS
    for number in range(RUNS):
        source.random.seed(number)
        for taken in source.run(number, longest=min(steps, LONGEST_RUN)):
            steps -= 1
            if (failure := code.errors.get(taken.after[0])) is not None:
                return NotAsked(prop, failure, user_origin(taken.happenings[-1].edge.origin))
        if steps <= 0:
            break
    return None
