"""Questions about races, and about what only a memory model lets happen.

No race is hidden by an order that no standard promises: what was tried and failed orders nothing.
"""

from collections.abc import Callable
from dataclasses import replace

from sley.base.budget import Budget
from sley.base.reasons import Reason, Why
from sley.evidence.verdict import Bounded, Safe, Unknown, Unsafe
from sley.passes.attempts import has_attempts
from sley.passes.frozen import specialise
from sley.passes.pipeline import may_try, prepare
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.answers import Answered, unsafe
from sley.verification.result import Answer, Outcome
from sley.verification.run import Run
from sley.wording.events import facts_of

RACE = frozenset({Property.RACE})


def race_free(run: Run, engines: tuple[str, ...], budget: Budget) -> Answered | None:
    """The answer for C11, if it holds on the machine, too (``conditions.may_be_race_free`` says why)."""
    selection = replace(run.task.selection, properties=run.task.selection.properties | RACE)
    task = replace(run.task, memory_model=MemoryModel.C11, selection=selection, engines=engines)
    found = run.answer_to(task, budget)
    if found.answer is Answer.SAFE:
        run.is_race_free = True
        return Answered(found.outcome, found.engine, found.statistics, found.times.checking)
    violated = tuple(one for one in found.traces if one.failure.property is not Property.RACE)
    return Answered(unsafe(violated), found.engine) if found.answer is Answer.BUG and violated else None


def same_interleaved(run: Run, engines: tuple[str, ...], budget: Budget) -> None:
    """Whether the first violation is possible without the memory model."""
    assert run.answered is not None
    assert isinstance(run.answered.outcome, Unsafe)
    violated = frozenset({run.answered.outcome.traces[0].failure.property})
    selection = replace(run.task.selection, properties=violated)
    task = replace(
        run.task, memory_model=MemoryModel.SC, selection=selection, engines=engines, all_bugs=False
    )
    run.interleaved = run.answer_to(task, budget).answer


def without_order_of_failures(
    answered: Answered,
    loaded: Program,
    properties: frozenset[Property],
    ask: Callable[[Program, frozenset[Property]], Answered],
) -> Answered:
    """The same answer if it still holds where attempts may fail for no reason."""
    safe = answered.outcome
    if not isinstance(safe, Safe) or not properties >= RACE or not may_try(loaded):
        return answered
    program = specialise(prepare(loaded, RACE, attempts_may_fail=True, is_specialised=True))
    if not has_attempts(program):
        return answered
    orderless = ask(program, RACE)
    if isinstance(orderless.outcome, Safe):
        return replace(answered, outcome=replace(safe, kept=safe.kept + orderless.outcome.kept))
    certain = (f"no violation otherwise: {safe.proof.summary}",)
    unknown = Unknown(_orderless(orderless.outcome), certain)
    others: dict[Property, Outcome] = dict.fromkeys(properties - RACE, safe)
    return Answered(unknown, answered.engine, by_property=others and {**others, Property.RACE: unknown})


def _orderless(outcome: Outcome) -> str:
    """Why there is no answer if attempts may fail for no reason."""
    rule = "an attempt that fails, as of a trylock, need not order anything (C11 7.26.4.5, POSIX 4.12)"
    match outcome:
        case Unsafe(traces=(trace, *_)):
            return f"{rule}, so there may be a {trace.failure.message}: {'; '.join(facts_of(trace))}"
        case Unknown(reason=reason):
            text = f"{rule}, and whether a race follows is not known: {reason}"
            return Reason(text, Why.ATTEMPTS, text, reason)
        case Bounded(bound=bound):
            return f"{rule}, and whether a race follows is not known: bounded: {bound}"
        case _:
            return f"{rule}, and whether a race follows is not known"
