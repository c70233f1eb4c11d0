"""Every property by itself: what an engine does that has no answer for all of them together."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sley.base.budget import Budget
from sley.evidence.verdict import Unknown, Unsafe
from sley.program.program import Program
from sley.program.properties import Property, grouped
from sley.verification.answers import Answered, together
from sley.verification.attempt import Attempt
from sley.verification.engine import AnyEngine
from sley.verification.observer import Observer
from sley.verification.races import without_order_of_failures
from sley.verification.reading import prepared
from sley.verification.result import Outcome, may_go_on
from sley.verification.task import Task
from sley.verification.thresholds import FIRST_PROPERTY, LEAST_FOR_SINGLE, LONGER

NOT_ASKED = Answered(Unknown("not asked about all properties together"))


@dataclass(frozen=True, slots=True)
class SingleProperties:
    """An engine, and a program that is prepared anew for every property."""

    name: str
    engines: Mapping[str, AnyEngine]
    loaded: Program
    task: Task
    before: Answered = NOT_ASKED
    """What it said of all properties together."""
    seconds: float = LEAST_FOR_SINGLE

    def after(self, before: Answered, seconds: float) -> "SingleProperties":
        """To be asked after it said this, for about as long as that took."""
        return replace(self, before=before, seconds=max(self.seconds, seconds))

    def answered(self, budget: Budget, observer: Observer) -> Answered:
        """Look at one property after another; the first violation is an answer."""
        budget = budget.share(1.0, self.seconds)
        outcomes: dict[Property, Outcome] = {}
        attempts = [self._attempt(group) for group in grouped(self.task.selection.properties)]
        seconds = FIRST_PROPERTY
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
            seconds *= LONGER
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
