"""A child at work, and its parent that only waits: limits hold whatever the child is doing."""

import os
import time
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import wait
from typing import TypeVar

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError
from sley.base.processes import (
    Child,
    Ending,
    Failed,
    Finished,
    Lost,
    Send,
    can_fork,
    descendants,
    forked,
    is_above,
)
from sley.base.reasons import memory_limit
from sley.verification.observer import Doing, Observer, hear
from sley.verification.thresholds import LAST_WORDS, POLL, STATUS_INTERVAL

Answer = TypeVar("Answer")


class Telling:
    """Tells the parent what a child is busy with."""

    def __init__(self, send: Send) -> None:
        self.entered = send
        self.doing = send


class Status:
    """Tells now and then how far an engine is; called whenever its budget is looked at."""

    def __init__(self, send: Send, engine: str, budget: Budget) -> None:
        self._send = send
        self._engine = engine
        self._budget = budget
        self._told = ""
        self._next = 0.0

    def __call__(self) -> None:
        """Tell it if it has changed, and the last time is long enough ago."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + STATUS_INTERVAL
        status = self._budget.status() if self._budget.status is not None else ""
        if status != self._told:
            self._told = status
            self._send(Doing(self._engine, status))


def supervised(
    child: Child, budget: Budget, hear: Callable[[object], None], megabytes: int | None
) -> tuple[Ending, str | None]:
    """How a child ends, by itself or because it has to; then also why.

    ``megabytes`` are for this process, the child and its descendants.
    """
    reason: str | None = None
    try:
        while child.ending is None and (reason := budget.exceeded()) is None:
            if megabytes is not None and is_above(megabytes, [os.getpid(), *descendants(child.pid)]):
                child.end()
                return Lost("too large"), memory_limit(megabytes)
            _listen(child, hear)
        if child.ending is None:
            _last_words(child, hear)
    finally:
        child.end()
    assert child.ending is not None
    return child.ending, reason


def _listen(child: Child, hear: Callable[[object], None]) -> None:
    wait([child.connection], POLL)
    for message in child.messages():
        hear(message)


def _last_words(child: Child, hear: Callable[[object], None]) -> None:
    child.ask_to_end()
    until = time.monotonic() + LAST_WORDS
    while child.ending is None and time.monotonic() < until:
        _listen(child, hear)


def computed(work: Callable[[Observer, Budget], Answer], budget: Budget, observer: Observer) -> Answer:
    """What some work comes to, in a copy of this process, so that limits hold.

    Raises what it raises, and ``BudgetExhaustedError`` if it had to end. A process with other threads is not
    copied: then limits hold where the work looks at them.
    """
    if not can_fork():
        return work(observer, budget)
    child = forked(lambda send, own: work(Telling(send), own), budget)
    ending, reason = supervised(child, budget, partial(hear, observer), budget.megabytes)
    match ending:
        case Finished(value=value):
            return value  # type: ignore[return-value]
        case Failed(error=BudgetExhaustedError()) if reason is not None:
            raise BudgetExhaustedError(reason)
        case Failed() as failed:
            raise failed.error from failed.cause
        case Lost(how=how):
            raise BudgetExhaustedError(reason or f"the process at work was {how}")
