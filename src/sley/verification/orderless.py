"""No race is hidden by an order that nobody promises: what was tried and failed orders nothing."""

from collections.abc import Callable
from dataclasses import replace

from sley.evidence.verdict import Bounded, Safe, Unknown, Unsafe
from sley.passes.attempts import has_attempts
from sley.passes.frozen import specialise
from sley.passes.pipeline import may_try, prepare
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.attempt import Answered
from sley.verification.result import Outcome
from sley.wording.events import facts_of

RACE = frozenset({Property.RACE})


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
            return f"{rule}, and whether a race follows is not known: {reason}"
        case Bounded(bound=bound):
            return f"{rule}, and whether a race follows is not known: bounded: {bound}"
        case _:
            return f"{rule}, and whether a race follows is not known"
