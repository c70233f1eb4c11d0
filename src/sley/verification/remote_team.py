"""Engines side by side on the nodes of a cluster: what ``team`` is on one machine.

The program is read and prepared once, here, and sent. On its node each engine has a process of its own, under
the limits of the run, and what it claims is checked there: only answers come back.

Where there are more cores than engines, those that can also search in parts. A violation in one part is an
answer; what all parts claim is sent to one more node, and checked as one proof.
"""

from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace

from sley.base.budget import Budget
from sley.base.errors import is_crash
from sley.base.parts import Part
from sley.base.processes import fresh
from sley.evidence.verdict import Unknown
from sley.verification.attempt import Answered, Attempt
from sley.verification.cluster import Cluster, LostError
from sley.verification.crashes import Crashes, raise_if_all
from sley.verification.observer import Observer, Phase, SilentObserver
from sley.verification.portfolio import has_nothing_to_find, nobody, settled
from sley.verification.team import Team

TICK = 0.05

LATENCY = 0.5
"""Seconds before the limit of the whole at which a node ends, so that what it knows arrives in time."""


class RemoteTeam:
    """The engines at work on one program."""

    def __init__(
        self,
        attempts: Sequence[Attempt],
        jobs: int | None,
        cluster: Cluster,
        budget: Budget,
        observer: Observer,
        crashes: Crashes | None = None,
    ) -> None:
        self.attempts = attempts
        self.crashes = Crashes() if crashes is None else crashes
        self.crashed: dict[str, BaseException] = {}
        self.cluster = cluster
        self.budget = budget
        self.observer = observer
        self.answers: dict[str, Answered] = {}
        self.claims: dict[str, dict[int, object]] = {}
        """By engine, what the parts of its search claim."""
        planned = [*attempts, *parts(attempts, (jobs or cluster.cores) - len(attempts))]
        self.cores = min(1.0, cluster.cores / len(planned))  # all at once, also where there are few cores
        self.running: dict[Future[Answered], Attempt] = {}
        for attempt in planned:
            self._send(attempt)

    def _send(self, attempt: Attempt) -> None:
        if attempt.facts is not None:
            attempt = replace(attempt, facts=replace(attempt.facts, crashes=Crashes()))
        left = self.budget.remaining()
        seconds = None if left is None else max(0.1, left - LATENCY)
        sent = self.cluster.share(self.cores, attempted, attempt, seconds, self.budget.megabytes)
        self.running[sent] = attempt

    def work(self) -> Answered:
        """The first answer; if there is none, all that is known."""
        self.observer.entered(Phase.SEARCHING)
        try:
            while self.running and not self._is_over():
                ended, _ = wait(self.running, TICK, FIRST_COMPLETED)
                for future in ended:
                    answered = self._answered(self.running.pop(future), future)
                    if answered.is_decided:
                        return answered
                if (all_of_them := settled(self.answers, self.attempts)) is not None:
                    return all_of_them
                self._dismiss()
            raise_if_all(self.crashed.get(attempt.name) for attempt in self.attempts)
            return nobody(self.answers)
        finally:
            for future in self.running:
                self.cluster.cancel(future)

    def _dismiss(self) -> None:
        """Let those go who have nothing to find."""
        for future, attempt in list(self.running.items()):
            if has_nothing_to_find(attempt, self.answers.values()):
                self.cluster.cancel(future)
                del self.running[future]

    def _answered(self, attempt: Attempt, future: Future[Answered]) -> Answered:
        try:
            answered = future.result()
        except LostError as reason:
            answered = Answered(Unknown(f"its worker was lost: {reason}"), attempt.name)
        except Exception as error:  # noqa: BLE001 - it is told, and others go on
            answered = self._crashed(attempt, error)
        self.crashes.found.extend(answered.crashes)
        if attempt.part is not None and answered.claim is not None:
            self._unite(attempt, attempt.part, answered.claim)
        elif attempt.part is None and not attempt.claims:
            self.answers[attempt.name] = answered
        return answered

    def _crashed(self, attempt: Attempt, error: Exception) -> Answered:
        """A bug of ours concerns nobody but this engine, or this part of its search."""
        if not is_crash(error):
            raise error
        if attempt.part is None and not attempt.claims:
            self.crashed[attempt.name] = error
        return Answered(self.crashes.of_engine(attempt.name, error), attempt.name)

    def _unite(self, attempt: Attempt, part: Part, claim: object) -> None:
        """Have the claims of all parts checked once they are there."""
        claims = self.claims.setdefault(attempt.name, {})
        claims[part.number] = claim
        if len(claims) == part.of:
            in_order = tuple(claim for _, claim in sorted(claims.items()))
            self._send(replace(attempt, part=None, claims=in_order))

    def _is_over(self) -> bool:
        """Whether a limit was reached; who has not answered by then is ended."""
        reason = self.budget.exceeded()
        if reason is not None:
            for attempt in self.running.values():
                self.answers.setdefault(attempt.name, Answered(Unknown(reason), attempt.name))
        return reason is not None


def parts(attempts: Sequence[Attempt], count: int) -> list[Attempt]:
    """So many parts of searches, or somewhat less: all engines that can divide theirs have equally many."""
    able = [attempt for attempt in attempts if attempt.in_parts(2)]
    each = count // len(able) if able else 0
    return [part for attempt in able for part in attempt.in_parts(each)] if each > 1 else []


def attempted(attempt: Attempt, seconds: float | None, megabytes: int | None) -> Answered:
    """What a node does: one engine, under limits of its own."""
    budget, crashes = Budget(seconds, megabytes), Crashes()
    if attempt.facts is not None:
        attempt = replace(attempt, facts=replace(attempt.facts, crashes=crashes))
    answered = Team([attempt], 1, budget, SilentObserver(), crashes, start=fresh, others=list).work()
    return replace(answered, crashes=tuple(crashes.found))
