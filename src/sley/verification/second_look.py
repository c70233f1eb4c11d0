"""A second look at a program that is safe: what a reader has to know beside the answer."""

from collections.abc import Iterator
from contextlib import suppress

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.evidence.verdict import Safe
from sley.program.program import Program
from sley.semantics.values import NeedsSplitError
from sley.verification.caveats import Caveat, Missing, Vacuity
from sley.verification.goals import Goals
from sley.verification.not_asked import not_asked
from sley.verification.reading import prepared
from sley.verification.survey import LARGE, own_steps
from sley.verification.task import Task
from sley.verification.vacuity import vacuities

A_PART, A_WHILE = 0.2, 10.0
"""Of the time that is left, and seconds: more than this ever takes, but on a machine that is very slow."""


def caveats(
    safe: Safe, loaded: Program, flat: Program | None, task: Task, budget: Budget
) -> tuple[Caveat, ...]:
    """What belongs to a proof; ``flat`` is the prepared program, if the proof is about that.

    What is known so far, if that takes too long.
    """
    found: list[Caveat] = []
    with suppress(GaveUpError, NeedsSplitError, MemoryError, RecursionError):
        found.extend(_caveats(safe, loaded, flat, task, budget.share(A_PART, A_WHILE)))
    return tuple(found)


def _caveats(
    safe: Safe, loaded: Program, flat: Program | None, task: Task, budget: Budget
) -> Iterator[Caveat]:
    if flat is None and own_steps(loaded) >= LARGE:
        yield from _of_large(safe, loaded)
        return
    yield from vacuities(loaded, flat or prepared(loaded, task), task, budget)
    yield from not_asked(loaded, task, budget)


def _of_large(safe: Safe, loaded: Program) -> Iterator[Caveat]:
    """Of a program that is too large to be inlined: what the proof has no place for never happens."""
    from sley.evidence.fixpoint.proof import Fixpoint

    if isinstance(safe.proof, Fixpoint) and not safe.proof.starts and Goals(loaded).starts:
        yield Vacuity(Missing.THREADS, is_proved=True)
