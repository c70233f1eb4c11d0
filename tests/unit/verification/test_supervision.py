"""Work in a child: limits hold whatever it does, and what it comes to, or fails with, arrives."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from sley.base.budget import Budget, seconds_since_start
from sley.base.errors import BudgetExhaustedError, GaveUpError, InputError
from sley.base.processes import descendants, megabytes_of
from sley.base.source import Span
from sley.verification.observer import Observer, Phase, SilentObserver
from sley.verification.supervision import Telling, computed


def spins(_observer: Observer, _budget: Budget) -> None:
    """Never looks at its budget."""
    while True:
        pass


def grows(_observer: Observer, _budget: Budget) -> None:
    hoard = []
    while True:
        hoard.append(bytearray(1 << 20))
        time.sleep(0.005)


def test_what_it_comes_to() -> None:
    assert computed(lambda *_: os.getpid(), Budget(), SilentObserver()) != os.getpid()


def test_what_it_says() -> None:
    heard: list[object] = []
    computed(lambda observer, _: observer.entered(Phase.CHECKING), Budget(), Telling(heard.append))
    assert heard == [Phase.CHECKING]


def test_what_it_fails_with() -> None:
    def fails(*_: object) -> None:
        raise InputError("not C", Span("a.c", 1, 2))

    with pytest.raises(InputError, match=r"a\.c:1:2: not C"):
        computed(fails, Budget(), SilentObserver())


def test_what_cannot_be_sent_is_an_error_and_no_riddle() -> None:
    with pytest.raises((AttributeError, TypeError), match="pickle"):
        computed(lambda *_: lambda: None, Budget(), SilentObserver())


def test_time_limits_hold() -> None:
    with pytest.raises(BudgetExhaustedError, match=r"time limit of 0\.2 s reached"):
        computed(spins, Budget(0.2), SilentObserver())
    assert descendants(os.getpid()) == [os.getpid()]


def test_who_notices_a_request_to_end_says_why_it_came() -> None:
    def searches(_: Observer, budget: Budget) -> None:
        while True:
            budget.spend()

    stopped = Budget()
    stopped.stop("interrupted")
    with pytest.raises(BudgetExhaustedError, match="interrupted"):
        computed(searches, stopped, SilentObserver())


def test_memory_limits_hold_in_threads_too() -> None:
    """The kernel lists children by the thread that started them."""
    limit = round(megabytes_of(os.getpid())) + 150
    with (
        ThreadPoolExecutor(1) as pool,
        pytest.raises(GaveUpError, match=f"memory limit of {limit} MB reached"),
    ):
        pool.submit(computed, grows, Budget(20.0, limit), SilentObserver()).result()


def test_time_that_has_passed_already() -> None:
    left = Budget(5.0, spent=4.0).remaining()
    assert left is not None
    assert 0 < left <= 1
    assert Budget(5.0, spent=6.0).remaining() == 0
    assert seconds_since_start() >= time.process_time() * 0.9


def test_a_limit_is_a_better_reason_than_a_request_because_of_it() -> None:
    budget = Budget(0.0)
    budget.stop("asked to end")
    with pytest.raises(BudgetExhaustedError, match="time limit"):
        budget.check()
