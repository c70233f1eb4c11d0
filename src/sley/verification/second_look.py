"""A second look at a program that is safe: what a reader has to know beside the answer."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.evidence.fixpoint.proof import Fixpoint
from sley.evidence.verdict import Safe
from sley.semantics.values import NeedsSplitError
from sley.verification.caveats import Caveat, Missing, Vacuity
from sley.verification.conditions import is_large
from sley.verification.goals import Goals
from sley.verification.not_asked import not_asked
from sley.verification.run import Run
from sley.verification.vacuity import vacuities


def look_again(run: Run, engines: tuple[str, ...], budget: Budget) -> None:
    """What belongs to the proof; what is known so far, if that takes too long."""
    found: list[Caveat] = []
    with suppress(GaveUpError, NeedsSplitError, MemoryError, RecursionError):
        found.extend(_caveats(run, engines, budget))
    run.caveats = tuple(found)


def _caveats(run: Run, engines: tuple[str, ...], budget: Budget) -> Iterator[Caveat]:
    if run.flat is None and is_large(run.loaded):
        yield from _of_large(run)
        return
    task = replace(run.task, engines=engines)
    yield from vacuities(run.loaded, run.prepared(), task, budget)
    yield from not_asked(run.loaded, task, budget)


def _of_large(run: Run) -> Iterator[Caveat]:
    """Of a program that is too large to be inlined: what the proof has no place for never happens."""
    safe = run.answered.outcome if run.answered is not None else None
    proof = safe.proof if isinstance(safe, Safe) else None
    if isinstance(proof, Fixpoint) and not proof.starts and Goals(run.loaded).starts:
        yield Vacuity(Missing.THREADS, is_proved=True)
