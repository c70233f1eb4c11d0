"""Engines side by side on the nodes of a cluster: what ``team`` is on one machine.

The program is read and prepared once, here, and sent. On its node each engine has a process of its own, under
the limits of the run, and what it claims is checked there: only answers come back.
"""

from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError
from sley.base.processes import fresh
from sley.evidence.verdict import Unknown
from sley.verification.attempt import Answered, Attempt
from sley.verification.cluster import Cluster, LostError
from sley.verification.observer import Observer, Phase, SilentObserver
from sley.verification.portfolio import nobody
from sley.verification.team import Member, Team

TICK = 0.05

LATENCY = 0.5
"""Seconds before the limit of the whole at which a node ends, so that what it knows arrives in time."""


class RemoteTeam:
    """The engines at work on one program."""

    def __init__(
        self, attempts: Sequence[Attempt], cluster: Cluster, budget: Budget, observer: Observer
    ) -> None:
        self.cluster = cluster
        self.budget = budget
        self.observer = observer
        self.answers: dict[str, Answered] = {}
        left = budget.remaining()
        seconds = None if left is None else max(0.1, left - LATENCY)
        cores = min(1.0, cluster.cores / len(attempts))  # all at once, also where there are few cores
        self.running: dict[Future[Answered], str] = {
            cluster.share(cores, attempted, attempt, seconds, budget.megabytes): attempt.name
            for attempt in attempts
        }

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
            return nobody(self.answers)
        finally:
            for future in self.running:
                self.cluster.cancel(future)

    def _answered(self, name: str, future: Future[Answered]) -> Answered:
        try:
            answered = future.result()
        except LostError as reason:
            answered = Answered(Unknown(f"its worker was lost: {reason}"), name)
        self.answers[name] = answered
        return answered

    def _is_over(self) -> bool:
        """Whether a limit was reached; who has not answered by then is ended."""
        try:
            self.budget.check()
        except BudgetExhaustedError as reason:
            for name in self.running.values():
                self.answers[name] = Answered(Unknown(str(reason)), name)
            return True
        return False


def attempted(attempt: Attempt, seconds: float | None, megabytes: int | None) -> Answered:
    """What a node does: one engine, under limits of its own."""
    budget = Budget(seconds, megabytes)
    return Team([Member(attempt, 1.0)], 1, budget, SilentObserver(), start=fresh, others=list).work()
