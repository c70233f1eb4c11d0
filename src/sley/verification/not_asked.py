"""What may end runs early although it was not asked about: a race behind it is not seen.

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
from sley.verification.thresholds import GOAL_RUNS, GOAL_STEPS

ENDING = (Property.DEREF, Property.FREE, Property.DIVISION, Property.MISUSE)
"""What ends a run where it is not asked about."""


def not_asked(loaded: Program, task: Task, budget: Budget) -> Iterator[NotAsked]:
    """What may end runs of a program that is safe otherwise: in runs first, then all the rest together."""
    properties = frozenset(ENDING) - task.selection.properties
    if not properties:
        return
    flat = prepared(loaded, question(task, properties))
    failures = (failure for function in flat.functions.values() for failure in function.errors.values())
    can_fail = {failure.property for failure in failures}
    seen = {one.property: one for one in _seen(flat, budget)}
    yield from seen.values()
    rest = frozenset(can_fail - seen.keys())
    about = question(task, rest)
    if rest and not never(prepared(loaded, about) if seen else flat, about, budget):
        yield from (NotAsked(prop) for prop in ENDING if prop in rest)


def _seen(flat: Program, budget: Budget) -> Iterator[NotAsked]:
    """What goes wrong in random runs."""
    code = Code(flat)
    source = RandomRuns(code, 0, budget)
    steps = GOAL_STEPS
    for number in range(GOAL_RUNS):
        source.random.seed(number)
        for taken in source.run(number, longest=min(steps, LONGEST_RUN)):
            steps -= 1
            if (failure := code.errors.get(taken.after[0])) is not None:
                yield NotAsked(failure.property, failure, user_origin(taken.happenings[-1].edge.origin))
        if steps <= 0:
            break
