"""A child at work, and its parent that only waits: limits hold whatever the child is doing."""

import os
import time
from collections.abc import Callable
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
from sley.verification.observer import Observer

PATIENCE = 0.5
"""Seconds after a limit in which a child may still say what it knows."""

TICK = 0.05

Answer = TypeVar("Answer")


class Telling:
    """Tells the parent what a child is busy with."""

    def __init__(self, send: Send) -> None:
        self.entered = send


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
                return Lost("too large"), f"memory limit of {megabytes} MB reached"
            _listen(child, hear)
        if child.ending is None:
            _last_words(child, hear)
    finally:
        child.end()
    assert child.ending is not None
    return child.ending, reason


def _listen(child: Child, hear: Callable[[object], None]) -> None:
    wait([child.connection], TICK)
    for message in child.messages():
        hear(message)


def _last_words(child: Child, hear: Callable[[object], None]) -> None:
    child.ask_to_end()
    until = time.monotonic() + PATIENCE
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
    ending, reason = supervised(child, budget, observer.entered, budget.megabytes)  # type: ignore[arg-type]
    match ending:
        case Finished(value=value):
            return value  # type: ignore[return-value]
        case Failed(error=BudgetExhaustedError()) if reason is not None:
            raise BudgetExhaustedError(reason)
        case Failed() as failed:
            raise failed.error from failed.cause
        case Lost(how=how):
            raise BudgetExhaustedError(reason or f"the process at work was {how}")
