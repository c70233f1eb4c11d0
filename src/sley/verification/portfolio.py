"""Who is asked about a program, and what is known if nobody has an answer.

In this process engines can only take turns: see ``in_turn``. Side by side they work in processes of their
own: see ``sley.verification.team``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sley.analyses.threads import Creations, Instances
from sley.base.budget import SHARE_IS_USED_UP, Budget
from sley.evidence.verdict import Bounded, Unknown
from sley.program.program import Program
from sley.verification.attempt import Answered, Attempt
from sley.verification.observer import Observer

FIRST_SECONDS, FACTOR = 1.5, 4.0
"""A turn in this process takes so long, and the next one so many times longer: it starts from nothing."""


class Share(NamedTuple):
    """An engine, and its part of the time in proportion to others'."""

    engine: str
    weight: float = 1.0


FEW = (Share("explore"), Share("bmc"), Share("impact"), Share("modular", 0.5))
"""Who is asked, in this order, where the user chose nobody."""

MANY = (Share("explore"), Share("bmc"), Share("modular"), Share("impact", 0.7), Share("symmetry", 0.7))
"""The same for programs that start a function more than once, maybe any number of times."""


def portfolio(program: Program) -> tuple[Share, ...]:
    """Who is asked about a prepared program."""
    instances = Creations(program).instances.values()
    return MANY if Instances.MANY in instances else FEW


def in_turn(attempts: Sequence[Attempt], budget: Budget, observer: Observer) -> Answered:
    """Ask one after another, in this process, with more time in each round."""
    if len(attempts) == 1:
        return attempts[0].answered(budget, observer)
    undecided: dict[str, Answered] = {}
    seconds = FIRST_SECONDS
    while remaining := [one for one in attempts if _may_go_on(one, undecided)]:
        if budget.remaining() == 0:
            break
        for attempt in remaining:
            answered = attempt.answered(budget.share(1.0, seconds), observer)
            if answered.is_decided:
                return answered
            undecided[attempt.name] = answered
            if answered.is_refused:
                break
        seconds *= FACTOR
    return nobody(undecided)


def has_nothing_to_find(attempt: Attempt, answers: Iterable[Answered]) -> bool:
    """Whether an engine only interleaves threads, and another has claimed that this leads to no violation."""
    return any(answered.is_refused for answered in answers) and not attempt.can_prove


def _may_go_on(attempt: Attempt, undecided: Mapping[str, Answered]) -> bool:
    """Whether more time could help an engine that gave up, or that was not asked yet."""
    before = undecided.get(attempt.name)
    if has_nothing_to_find(attempt, undecided.values()):
        return False
    if before is None or isinstance(before.outcome, Bounded):
        return True
    return isinstance(before.outcome, Unknown) and SHARE_IS_USED_UP in before.outcome.reason


def nobody(undecided: Mapping[str, Answered]) -> Answered:
    """What is known if no engine has an answer: a bound rather than nothing, and all reasons."""
    if len(undecided) == 1:
        return next(iter(undecided.values()))
    for answered in undecided.values():
        if isinstance(answered.outcome, Bounded):
            return Answered(answered.outcome, statistics=answered.statistics)
    unknown = {name: one.outcome for name, one in undecided.items() if isinstance(one.outcome, Unknown)}
    certain = dict.fromkeys(fact for outcome in unknown.values() for fact in outcome.certain)
    traces = tuple(trace for outcome in unknown.values() for trace in outcome.traces)
    return Answered(Unknown(_reasons(unknown), tuple(certain), traces))


def _reasons(unknown: Mapping[str, Unknown]) -> str:
    """Why each engine gave up; the same reason once."""
    by_reason: dict[str, list[str]] = {}
    for name, outcome in unknown.items():
        by_reason.setdefault(outcome.reason, []).append(name)
    if len(by_reason) > 1:
        by_reason.pop(SHARE_IS_USED_UP, None)
    if len(by_reason) == 1:
        return next(iter(by_reason))
    return "; ".join(f"{reason} ({', '.join(names)})" for reason, names in by_reason.items())
