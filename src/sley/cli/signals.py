"""Ctrl-C and SIGTERM ask a run to end with what is known; a second one ends it at once."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType

from sley.base.budget import Budget, seconds_since_start
from sley.base.reasons import Reason, Why
from sley.cli.terminal import ProgressLine
from sley.verification.task import Limits

_REASONS = {
    signal.SIGINT: Reason("interrupted", Why.INTERRUPTED, "interrupted"),
    signal.SIGTERM: Reason("terminated", Why.INTERRUPTED, "terminated"),
}

SIGNALLED = frozenset(_REASONS.values())
"""Why a run ends that was interrupted."""

_SINCE: ContextVar[float | None] = ContextVar("since", default=None)
"""When the time that limits are on began, by the monotonic clock; None: when there is a task."""


def count_from_start() -> None:
    """This process is there for one command: all the time since it began counts."""
    _SINCE.set(time.monotonic() - seconds_since_start())


@contextmanager
def attended(limits: Limits) -> Iterator[tuple[ProgressLine, Budget]]:
    """A budget within limits, which the two signals stop within this block, and a line that shows its use."""
    progress = ProgressLine()
    since = _SINCE.get()
    spent = 0.0 if since is None else time.monotonic() - since
    budget = Budget(limits.seconds, limits.megabytes, on_progress=progress.refresh, spent=spent)
    budget.is_watched = progress.is_wanted
    progress.remaining = budget.remaining
    with stopping(budget):
        yield progress, budget


@contextmanager
def stopping(budget: Budget) -> Iterator[None]:
    """Within this block the two signals stop the budget instead of the process."""

    def stop(number: int, frame: FrameType | None) -> None:
        if budget.stop_reason is not None:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        budget.stop(_REASONS[signal.Signals(number)])

    previous = {number: signal.signal(number, stop) for number in _REASONS}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
