"""Who is asked about a program, and what is known if nobody has an answer.

In this process engines can only take turns: see ``in_turn``. Side by side they work in processes of their
own: see ``sley.verification.team``.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sley.analyses.threads import Creations, Instances
from sley.base.budget import SHARE_IS_USED_UP, Budget
from sley.base.errors import is_crash
from sley.evidence.verdict import Bounded, Safe, Unknown
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.attempt import Answered, Attempt
from sley.verification.crashes import Crashes, raise_if_all
from sley.verification.observer import Observer
from sley.verification.one_by_one import OneByOne, together
from sley.verification.result import Outcome, may_go_on

FIRST_SECONDS, FACTOR = 1.5, 4.0
"""A turn in this process takes so long, and the next one so many times longer: it starts from nothing."""


TOGETHER = 0.95
"""The part of the time in which all properties are looked at together; then they are, one by one."""


FEW = ("explore", "abstract", "bmc", "impact", "modular")
"""Who is asked, in this order, where the user chose nobody. Mostly all have equal parts of the time: then two
cores give each of four what it needs to answer in half the time limit if it were alone."""

MANY = ("explore", "abstract", "bmc", "modular", "impact", "symmetry")
"""The same for programs that start a function more than once, maybe any number of times."""


def portfolio(program: Program) -> tuple[str, ...]:
    """Who is asked about a prepared program."""
    instances = Creations(program).instances.values()
    return MANY if Instances.MANY in instances else FEW


IN_LOOPS = {"modular": 2.0, "impact": 0.5, "bmc": 0.5}
"""Parts of the time where threads are created in loops: who interleaves a few of them seldom proves much."""


def part_of_time(attempt: Attempt) -> float:
    """How much of the time an engine gets, beside the others."""
    return IN_LOOPS.get(attempt.name, 1.0) if Creations(attempt.program).is_in_loop else 1.0


def in_turn(
    attempts: Sequence[Attempt], budget: Budget, observer: Observer, crashes: Crashes | None = None
) -> Answered:
    """Ask one after another, in this process, with more time in each round."""
    undecided: dict[str, Answered] = {}
    turns = _Turns(Crashes() if crashes is None else crashes)
    for answered in turns.answers(attempts, budget, observer):
        if answered.is_decided:
            return answered
        assert answered.engine is not None
        undecided[answered.engine] = answered
        if (all_of_them := settled(undecided, attempts)) is not None:
            return all_of_them
    raise_if_all(turns.crashed.get(attempt.name) for attempt in attempts)
    return nobody(undecided)


@dataclass(slots=True)
class _Turns:
    """Who was asked, and who crashed."""

    crashes: Crashes
    crashed: dict[str, Exception] = field(default_factory=dict)

    def answers(self, attempts: Sequence[Attempt], budget: Budget, observer: Observer) -> Iterator[Answered]:
        """All properties together, then every one by itself, for about as long as that took."""
        whole = time_for_all_together(attempts, budget)
        started, seconds = time.monotonic(), FIRST_SECONDS
        remaining = list(attempts)
        said: dict[str, Answered] = {}
        while remaining and whole.remaining() != 0:
            for attempt in remaining:
                if not has_nothing_to_find(attempt, said.values()):
                    share = whole if len(attempts) == 1 else whole.share(1.0, seconds)
                    said[attempt.name] = self._answered(attempt, share, observer)
                    yield said[attempt.name]
            unfinished = [name for name, answered in said.items() if may_go_on(answered.outcome)]
            remaining = [one for one in remaining if len(attempts) > 1 and one.name in unfinished]
            seconds *= FACTOR
        took = time.monotonic() - started
        further = [
            (one.then, said[one.name])
            for one in attempts
            if one.then and self._may_go_on(one, said) and not has_nothing_to_find(one, said.values())
        ]
        for number, (then, before) in enumerate(further):
            share = budget.share(1 / (len(further) - number), None)
            yield self._answered(then.after(before, took / len(attempts)), share, observer)

    def _may_go_on(self, attempt: Attempt, said: Mapping[str, Answered]) -> bool:
        return attempt.name in said and attempt.name not in self.crashed

    def _answered(self, asked: Attempt | OneByOne, share: Budget, observer: Observer) -> Answered:
        """What an engine says; a bug of ours concerns nobody but this engine."""
        try:
            return asked.answered(share, observer)
        except Exception as error:
            if not is_crash(error):
                raise
            self.crashed[asked.name] = error
            unknown = self.crashes.of_engine(asked.name, error)
            return asked.before if isinstance(asked, OneByOne) else Answered(unknown, asked.name)


def has_nothing_to_find(attempt: Attempt, answers: Iterable[Answered]) -> bool:
    """Whether an engine only interleaves threads, and one has claimed that this leads to no violation."""
    return any(answered.is_refused for answered in answers) and not attempt.can_prove


def time_for_all_together(attempts: Sequence[Attempt], budget: Budget) -> Budget:
    """If engines are to look at properties one by one in the end, some time is left for it."""
    if all(attempt.then is None for attempt in attempts):
        return budget
    return budget.share(TOGETHER, None, clock=time.monotonic)


def settled(answers: Mapping[str, Answered], attempts: Sequence[Attempt]) -> Answered | None:
    """Safe if every property was proved, by whomever."""
    outcomes = _by_property(answers)
    safe = together(outcomes, attempts[0].properties)
    return None if safe is None else Answered(safe, by_property=outcomes)


def nobody(undecided: Mapping[str, Answered]) -> Answered:
    """What is known if no engine has an answer: a bound rather than nothing, and all reasons."""
    by_property = _by_property(undecided)
    if len(undecided) == 1:
        return replace(next(iter(undecided.values())), by_property=by_property)
    for answered in undecided.values():
        if isinstance(answered.outcome, Bounded):
            return Answered(answered.outcome, statistics=answered.statistics, by_property=by_property)
    unknown = {name: one.outcome for name, one in undecided.items() if isinstance(one.outcome, Unknown)}
    certain = dict.fromkeys(fact for outcome in unknown.values() for fact in outcome.certain)
    traces = tuple(trace for outcome in unknown.values() for trace in outcome.traces)
    reasons = tuple((name, outcome.reason) for name, outcome in unknown.items())
    return Answered(Unknown(_reasons(unknown), tuple(certain), traces, reasons), by_property=by_property)


def _by_property(answers: Mapping[str, Answered]) -> dict[Property, Outcome]:
    """What is known of single properties: one proof is enough."""
    found: dict[Property, dict[str, Answered]] = {}
    for name, answered in answers.items():
        for prop, outcome in answered.by_property.items():
            found.setdefault(prop, {})[name] = Answered(outcome, name)
    return {
        prop: next((one.outcome for one in by.values() if isinstance(one.outcome, Safe)), nobody(by).outcome)
        for prop, by in found.items()
    }


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
