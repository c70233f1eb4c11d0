"""Every property by itself: what an engine does that has no answer for all of them together."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sley.base.budget import Budget
from sley.evidence.invariants import NONE
from sley.evidence.proof import Checked, SeparateProofs
from sley.evidence.verdict import Safe, Unknown, Unsafe
from sley.program.program import Program
from sley.program.properties import Property, grouped
from sley.verification.attempt import Answered, Attempt
from sley.verification.engines import AnyEngine
from sley.verification.observer import Observer
from sley.verification.orderless import without_order_of_failures
from sley.verification.reading import prepared
from sley.verification.result import Outcome, may_go_on
from sley.verification.task import Task

FIRST_SECONDS, FACTOR = 1.0, 4.0
"""A property has so long, and those that need more so many times longer in the next round."""


NOBODY = Answered(Unknown("nobody was asked about all properties together"))


@dataclass(frozen=True, slots=True)
class OneByOne:
    """An engine, and a program that is prepared anew for every property."""

    name: str
    engines: Mapping[str, AnyEngine]
    loaded: Program
    task: Task
    before: Answered = NOBODY
    """What it said of all properties together."""
    seconds: float = 2.0

    def after(self, before: Answered, seconds: float) -> "OneByOne":
        """To be asked after it said this, for about as long as that took."""
        return replace(self, before=before, seconds=max(self.seconds, seconds))

    def answered(self, budget: Budget, observer: Observer) -> Answered:
        """Look at one property after another; the first violation is an answer."""
        budget = budget.share(1.0, self.seconds)
        outcomes: dict[Property, Outcome] = {}
        attempts = [self._attempt(group) for group in grouped(self.task.selection.properties)]
        seconds = FIRST_SECONDS
        while attempts and budget.remaining() != 0:
            for attempt in attempts:
                if budget.remaining() == 0:
                    break
                outcome = self._outcome(attempt, budget.share(1.0, seconds), observer)
                outcomes |= dict.fromkeys(attempt.properties, outcome)
                if isinstance(outcome, Unsafe):
                    return Answered(outcome, self.name, by_property=outcomes)
                budget.known(replace(self.before, by_property=dict(outcomes)))
            attempts = [one for one in attempts if may_go_on(outcomes.get(min(one.properties, key=str)))]
            seconds *= FACTOR
        safe = together(outcomes, self.task.selection.properties)
        return replace(self.before, outcome=safe or self.before.outcome, by_property=outcomes)

    def _attempt(self, properties: frozenset[Property]) -> Attempt:
        selection = replace(self.task.selection, properties=properties)
        task = replace(self.task, selection=selection)
        return Attempt(self.name, self.engines, prepared(self.loaded, task), properties, task)

    def _outcome(self, attempt: Attempt, budget: Budget, observer: Observer) -> Outcome:
        def ask(program: Program, properties: frozenset[Property]) -> Answered:
            return replace(attempt, program=program, properties=properties).answered(budget, observer)

        answered = ask(attempt.program, attempt.properties)
        return without_order_of_failures(answered, self.loaded, attempt.properties, ask).outcome


def together(outcomes: Mapping[Property, Outcome], properties: frozenset[Property]) -> Safe | None:
    """What single properties say of all: if each is safe, all are."""
    proved = {prop: outcome for prop, outcome in outcomes.items() if isinstance(outcome, Safe)}
    if not proved.keys() >= properties:
        return None
    safe = list({id(outcome): outcome for outcome in proved.values()}.values())
    checked = [one.checked for one in safe]
    return Safe(
        SeparateProofs(tuple(one.proof for one in safe)),
        Checked(
            "; ".join(dict.fromkeys(one.how for one in checked)),
            tuple(dict.fromkeys(solver for one in checked for solver in one.solvers)),
            tuple(dict.fromkeys(sentence for one in checked for sentence in one.skipped)),
            min(one.runs for one in checked),
            sum(one.states for one in checked),
        ),
        next((one.invariants for one in safe if one.invariants != NONE), NONE),
        tuple(dict.fromkeys(kept for one in safe for kept in one.kept)),
    )
