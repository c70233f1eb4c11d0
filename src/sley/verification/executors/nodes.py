"""Engines on the nodes of a cluster: what ``processes`` is on one machine.

The program is read and prepared once, here, and sent. On its node each engine has a process of its own, under
the limits of the run, and what it claims is checked there: only answers come back.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace

from sley.base.budget import Budget
from sley.base.processes import fresh
from sley.evidence.verdict import Unknown
from sley.verification.answers import Answered
from sley.verification.attempt import Attempt
from sley.verification.cluster import Cluster, LostError
from sley.verification.crashes import Crashes
from sley.verification.executors.poll import Poll
from sley.verification.executors.processes import Processes
from sley.verification.facts import EngineFacts
from sley.verification.observer import Observer, Phase, SilentObserver
from sley.verification.thresholds import LATENCY, LEAST_FOR_NODE, POLL


class Nodes:
    """The executor: it connects to the cluster at its first question, and leaves it when it is closed."""

    def __init__(self, connect: Callable[[], Cluster]) -> None:
        self._connect = connect
        self._cluster: Cluster | None = None

    def __call__(self, poll: Poll, budget: Budget, observer: Observer) -> Generator[Answered, None, None]:
        """What engines say; what is still under way in the end is cancelled."""
        self._cluster = cluster = self._cluster or self._connect()
        observer.entered(Phase.SEARCHING)
        calls = _Calls(poll, cluster, budget)
        try:
            yield from calls.answers()
        finally:
            calls.cancel(list(calls.running))

    def close(self) -> None:
        """Leave the cluster."""
        if self._cluster is not None:
            self._cluster.shutdown()


class _Calls:
    """The attempts at one question that are under way on nodes."""

    def __init__(self, poll: Poll, cluster: Cluster, budget: Budget) -> None:
        self.poll = poll
        self.cluster = cluster
        self.budget = budget
        self.cores = min(1.0, cluster.cores / len(poll.attempts))  # all at once, also on few cores
        self.running: dict[Future[Answered], Attempt] = {}
        for attempt in poll.attempts:
            self._send(attempt)

    def _send(self, attempt: Attempt) -> None:
        left = self.budget.remaining()
        seconds = None if left is None else max(LEAST_FOR_NODE, left - LATENCY)
        facts = None if self.poll.facts is None else replace(self.poll.facts, crashes=Crashes())
        sent = self.cluster.share(self.cores, attempted, attempt, facts, seconds, self.budget.megabytes)
        self.running[sent] = attempt

    def answers(self) -> Iterator[Answered]:
        """What nodes say, until all have answered or a limit is reached."""
        reason = None
        while self.running and (reason := self.budget.exceeded()) is None:
            ended, _ = wait(self.running, POLL, FIRST_COMPLETED)
            for future in ended:
                attempt = self.running.pop(future)
                yield self._answered(attempt, future)
            self.cancel([one for one, attempt in self.running.items() if self.poll.is_pointless(attempt)])
        for attempt in self.running.values():
            if attempt.name not in self.poll.said:
                yield Answered(Unknown(str(reason)), attempt.name)

    def cancel(self, futures: Sequence[Future[Answered]]) -> None:
        """End some of those that are under way."""
        for future in futures:
            self.cluster.cancel(future)
            del self.running[future]

    def _answered(self, attempt: Attempt, future: Future[Answered]) -> Answered:
        try:
            answered = future.result()
        except LostError as reason:
            answered = Answered(Unknown(f"its worker was lost: {reason}"), attempt.name)
        except Exception as error:  # noqa: BLE001 - it is told, and others go on
            answered = Answered(self.poll.crash(attempt.name, error), attempt.name)
        self.poll.crashes.found.extend(answered.crashes)
        return answered


def attempted(
    attempt: Attempt, facts: EngineFacts | None, seconds: float | None, megabytes: int | None
) -> Answered:
    """What a node does: one engine, under limits of its own."""
    crashes = Crashes() if facts is None else facts.crashes
    poll = Poll([attempt], crashes, facts)
    answered = poll.taken(Processes(1, fresh, list), Budget(seconds, megabytes), SilentObserver())
    return replace(answered, crashes=tuple(crashes.found))
