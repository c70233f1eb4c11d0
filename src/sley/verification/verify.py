"""From a task to a result: in a process of its own, the *worker*, whose children are the engines.

This process only waits, so that limits hold whatever the worker is doing, and imports hardly anything.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from threading import RLock
from typing import TYPE_CHECKING

from sley.base.budget import Budget
from sley.base.processes import (
    Child,
    Failed,
    Finished,
    Lost,
    Send,
    can_fork,
    forked,
    fresh,
    usable_cores,
)
from sley.base.reasons import Reason, Why
from sley.evidence.verdict import Unknown
from sley.verification.observer import Observer, SilentObserver, hear
from sley.verification.result import Result, Times, because
from sley.verification.supervision import Telling, supervised
from sley.verification.task import Task

if TYPE_CHECKING:
    from sley.verification.engine import AnyEngine

    Engines = Mapping[str, AnyEngine]

_IN_THIS_PROCESS = RLock()
"""Solvers that are called from here must not be called from two threads at once."""


def verify(
    task: Task,
    observer: Observer | None = None,
    budget: Budget | None = None,
    engines: "Engines | None" = None,
) -> Result:
    """The answer to a task; raises ``InputError`` if it is not a legal C program.

    Nothing is printed and no signal handler is installed. With ``task.jobs == 0`` no process is started:
    engines take turns in this one, for one caller at a time, and limits hold as far as they look at them.
    """
    observer = observer or SilentObserver()
    budget = budget or Budget(task.limits.seconds, task.limits.megabytes)
    if task.jobs is None and task.cluster is None:
        task = replace(task, jobs=usable_cores())
    if task.jobs == 0 or (engines is not None and not can_fork()):
        with _IN_THIS_PROCESS:
            return _WorkerTask(task, engines).run(observer, budget)
    return _Supervision(task, observer, budget, engines).result()


@dataclass(frozen=True, slots=True)
class _WorkerTask:
    """What the worker does; with nothing but a task it can be sent to a fresh process."""

    task: Task
    engines: "Engines | None"

    def __call__(self, send: Send, budget: Budget) -> Result:
        return self.run(Telling(send), budget, send)

    def run(
        self, observer: Observer, budget: Budget, on_known: Callable[[Result], None] = lambda _: None
    ) -> Result:
        """The whole run, in this process and its children."""
        from sley.verification.engines import ENGINES  # noqa: PLC0415 - the process that waits needs none
        from sley.verification.scheduler import scheduled  # noqa: PLC0415 - nor this: it starts at once

        return scheduled(self.task, observer, budget, self.engines or ENGINES, on_known)


class _Supervision:
    """The worker, and what it has said so far."""

    def __init__(self, task: Task, observer: Observer, budget: Budget, engines: "Engines | None") -> None:
        self.task = task
        self.observer = observer
        self.budget = budget
        self.engines = engines
        self.known: Result = Result(task=task, outcome=Unknown(Reason("nothing is known yet", Why.SHARE)))

    def result(self) -> Result:
        before = self.budget.waited()
        megabytes = self.budget.megabytes if self.task.cluster is None else None
        ending, reason = supervised(self._worker(), self.budget, self._hear, megabytes)
        match ending:
            case Finished(value=Result() as result):
                task = replace(self.task, relaxed=result.task.relaxed)
                outcome, times = because(reason, result.outcome), self._times(result, before)
                return replace(result, task=task, outcome=outcome, times=times)
            case Failed() as failed:
                raise failed.error from failed.cause
            case Lost(how=how):
                outcome = Unknown(reason or f"the process that verifies was {how}")
                return replace(self.known, outcome=outcome, times=self._times(self.known, before))
            case other:
                raise AssertionError(other)

    def _times(self, result: Result, before: float) -> Times:
        """Together what the user has waited by now, also before the worker began, and after its last word."""
        loading, checking = before + result.times.loading, result.times.checking
        return Times(loading, max(0.0, self.budget.waited() - loading - checking), checking)

    def _worker(self) -> Child:
        if can_fork():
            return forked(_WorkerTask(self.task, self.engines), self.budget)
        return fresh(_WorkerTask(self.task, None), self.budget)

    def _hear(self, message: object) -> None:
        match message:
            case Result():
                self.known = message
            case _:
                hear(self.observer, message)
