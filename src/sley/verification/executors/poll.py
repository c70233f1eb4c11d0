"""One question to several engines: what each has said, and what that comes to."""

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from sley.base.budget import Budget
from sley.base.errors import is_crash
from sley.evidence.verdict import Unknown
from sley.verification.answers import Answered, all_proved, undecided
from sley.verification.attempt import Attempt
from sley.verification.crashes import Crashes, raise_if_all
from sley.verification.facts import EngineFacts
from sley.verification.observer import Observer
from sley.verification.single_properties import SingleProperties
from sley.verification.thresholds import TOGETHER


@dataclass
class Poll:
    """The attempts of engines at one program, and their answers."""

    attempts: Sequence[Attempt]
    crashes: Crashes = field(default_factory=Crashes)
    facts: EngineFacts | None = None
    """What is given to engines, so that they have less to prove."""
    single: Mapping[str, SingleProperties] = field(default_factory=dict)
    """What engines do that have no answer for all properties together."""
    said: dict[str, Answered] = field(default_factory=dict)
    """What engines have said last, without having decided the question."""
    crashed: dict[str, BaseException] = field(default_factory=dict)

    def taken(self, executor: "Executor", budget: Budget, observer: Observer) -> Answered:
        """The first answer that decides; without one, all that is known. If all crash, so does this."""
        with closing(executor(self, budget, observer)) as answers:
            for answered in answers:
                if (decided := self._decided(answered)) is not None:
                    return decided
        raise_if_all(self.crashed.get(attempt.name) for attempt in self.attempts)
        return undecided(self._in_order())

    def _decided(self, answered: Answered) -> Answered | None:
        """Note an answer: the answer to the question, if that of one engine is, or those of all together."""
        if answered.is_decided:
            return answered
        if answered.engine is not None:
            self.said[answered.engine] = answered
        return all_proved(self._in_order(), self.attempts[0].properties)

    def _in_order(self) -> dict[str, Answered]:
        """What was said does not depend on which engine was first to say it."""
        return {one.name: self.said[one.name] for one in self.attempts if one.name in self.said}

    def ready(self, attempt: Attempt) -> Attempt:
        """The attempt, with what is given to it."""
        return attempt if self.facts is None else self.facts.given_to(attempt)

    def is_pointless(self, attempt: Attempt) -> bool:
        """Whether an engine only interleaves threads, and one has claimed that this leads to no violation."""
        return not attempt.can_prove and any(answered.is_refused for answered in self.said.values())

    def goes_on(self, attempt: Attempt, worked: float) -> SingleProperties | None:
        """Property by property, if the engine has no answer for all together; it worked so long on those."""
        single, answered = self.single.get(attempt.name), self.said.get(attempt.name)
        if single is None or answered is None or answered.is_final or attempt.name in self.crashed:
            return None
        return single.after(answered, worked)

    def time_together(self, budget: Budget) -> Budget:
        """If engines are to look at properties one by one in the end, some time is left for it."""
        return budget if not self.single else budget.share(TOGETHER, None, clock=time.monotonic)

    def crash(self, name: str, error: BaseException) -> Unknown:
        """A bug of ours concerns this engine alone: what it has to say. Anything else is raised."""
        if not is_crash(error):
            raise error
        self.crashed[name] = error
        return self.crashes.of_engine(name, error)


Executor = Callable[[Poll, Budget, Observer], Generator[Answered, None, None]]
"""What engines say, whenever they say something; to close it ends those that still work."""
