"""Limits for code that does not look at them: a timer that looks at the budget from outside.

Reading and preparing a program are passes over data without a budget of their own, and a search may meet a
single step that takes long. The timer raises ``BudgetExhaustedError`` in the midst of such code. It fires
again and again until the exception gets through: one raised inside a callback from C is swallowed there.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError

TICK = 0.1


@contextmanager
def watched(budget: Budget, patience: float = 0.0) -> Iterator[None]:
    """Within this block the budget holds, ``patience`` seconds late at most.

    Code that calls ``budget.spend`` deserves some patience: it ends by itself, with what it knows. Timers
    work in the main thread only; elsewhere the block runs unwatched.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    overdue = 0.0
    is_over = False

    def tick(signum: int, frame: FrameType | None) -> None:
        nonlocal overdue
        if is_over:
            return
        try:
            budget.check()
        except BudgetExhaustedError:
            overdue += TICK
            if overdue > patience:
                raise

    previous = signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
    try:
        yield
    finally:
        is_over = True  # first of all: a tick that comes during the calls below must not raise any more
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)
