"""Ctrl-C and SIGTERM ask a run to end with what is known; a second one ends it at once."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from sley.base.budget import Budget
from sley.cli.terminal import Progress
from sley.verification.task import Task

_REASONS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}


@contextmanager
def attended(task: Task) -> Iterator[tuple[Progress, Budget]]:
    """The budget of a task, which the two signals stop within this block, and a line that shows its use."""
    progress = Progress()
    budget = Budget(task.limits.seconds, task.limits.megabytes, on_progress=progress.refresh)
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
