"""Limits hold for code that never looks at them."""

import contextlib
import signal
import threading
import time

import pytest

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError
from sley.verification.watch import watched


def spin(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_a_deadline_ends_a_loop_that_does_not_look() -> None:
    started = time.monotonic()
    with pytest.raises(BudgetExhaustedError, match="time limit"), watched(Budget(0.05)):
        spin(5)
    assert time.monotonic() - started < 2


def spin_swallowing_once() -> None:
    with contextlib.suppress(BudgetExhaustedError):
        spin(5)
    spin(5)


def test_the_timer_fires_again_after_its_exception_was_swallowed() -> None:
    started = time.monotonic()
    with pytest.raises(BudgetExhaustedError), watched(Budget(0.05)):
        spin_swallowing_once()
    assert time.monotonic() - started < 2


def test_patience_lets_cooperative_code_end_by_itself() -> None:
    budget = Budget(0.05)
    with watched(budget, patience=5.0):
        spin(0.3)
        with pytest.raises(BudgetExhaustedError):
            budget.check()


def test_nothing_is_left_behind() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with watched(Budget(10)):
        pass
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_other_threads_run_unwatched() -> None:
    done = []

    def work() -> None:
        with watched(Budget(10)):
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]
