"""From a task to a result: in a process of its own, the *worker*, whose children are the engines.

This process only waits, so that limits hold whatever the worker is doing, and imports hardly anything.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError
from sley.base.processes import (
    Child,
    Failed,
    Finished,
    Lost,
    Send,
    can_fork,
    descendants,
    forked,
    fresh,
    megabytes_of,
    usable_cores,
)
from sley.evidence.verdict import Unknown
from sley.verification.observer import Observer, Phase, SilentObserver
from sley.verification.result import Result, Times, because
from sley.verification.task import Task

if TYPE_CHECKING:
    from sley.verification.engines import AnyEngine

    Engines = Mapping[str, AnyEngine]

PATIENCE = 0.7
"""Seconds after a limit in which the worker may still say what it knows."""

TICK = 0.05


def verify(
    task: Task,
    observer: Observer | None = None,
    budget: Budget | None = None,
    engines: "Engines | None" = None,
) -> Result:
    """The answer to a task; raises ``InputError`` if it is not a legal C program.

    Nothing is printed and no signal handler is installed. With ``task.jobs == 0`` no process is started:
    engines take turns in this one, and limits hold as far as they look at them.
    """
    observer = observer or SilentObserver()
    budget = budget or Budget(task.limits.seconds, task.limits.megabytes)
    if task.jobs is None:
        task = replace(task, jobs=usable_cores())
    if task.jobs == 0:
        return _Work(task, engines).run(observer, budget)
    return _Supervision(task, observer, budget, engines).result()


@dataclass(frozen=True, slots=True)
class _Work:
    """What the worker does; with nothing but a task it can be sent to a fresh process."""

    task: Task
    engines: "Engines | None"

    def __call__(self, send: Send, budget: Budget) -> Result:
        return self.run(_Telling(send), budget, send)

    def run(
        self, observer: Observer, budget: Budget, on_known: Callable[[Result], None] = lambda _: None
    ) -> Result:
        """The whole run, in this process and its children."""
        from sley.verification.engines import ENGINES
        from sley.verification.run import Run

        return Run(self.task, observer, budget, self.engines or ENGINES, on_known).result()


class _Telling:
    """Tells the parent what the worker is busy with."""

    def __init__(self, send: Send) -> None:
        self.entered = send


class _Supervision:
    """The worker is waited for, and ended if it does not end by itself."""

    def __init__(self, task: Task, observer: Observer, budget: Budget, engines: "Engines | None") -> None:
        self.task = task
        self.observer = observer
        self.budget = budget
        self.engines = engines
        self.known: Result = Result(task=task, outcome=Unknown("nothing is known yet"))

    def result(self) -> Result:
        started = time.monotonic()
        child = self._worker()
        reason: str | None = None
        try:
            while child.ending is None and (reason := self._passed_limit()) is None:
                self._listen(child)
            if child.ending is None:
                self._last_words(child)
        finally:
            child.end()
        match child.ending:
            case Finished(value=Result() as result):
                return replace(result, task=self.task, outcome=because(reason, result.outcome))
            case Failed() as failed:
                raise failed.error from failed.cause
            case Lost(how=how):
                loading = self.known.times.loading
                return replace(
                    self.known,
                    outcome=Unknown(reason or f"the process that verifies was {how}"),
                    times=Times(loading, time.monotonic() - started - loading),
                )
            case other:
                raise AssertionError(other)

    def _worker(self) -> Child:
        if can_fork():
            return forked(_Work(self.task, self.engines), self.budget)
        return fresh(_Work(self.task, None), self.budget)

    def _listen(self, child: Child) -> None:
        wait([child.connection], TICK)
        for message in child.messages():
            match message:
                case Phase():
                    self.observer.entered(message)
                case Result():
                    self.known = message
                case _:
                    raise AssertionError(message)

    def _passed_limit(self) -> str | None:
        """Which limit was passed, if any."""
        try:
            self.budget.check()
        except BudgetExhaustedError as reason:
            return str(reason)
        limit = self.budget.megabytes if self.task.cluster is None else None
        if limit is not None and megabytes_of(descendants()) > limit:
            return f"memory limit of {limit} MB reached"
        return None

    def _last_words(self, child: Child) -> None:
        child.ask_to_end()
        until = time.monotonic() + PATIENCE
        while child.ending is None and time.monotonic() < until:
            self._listen(child)
