"""Threads that are started while a timer fires."""

import signal
import threading
from types import FrameType

import pytest

from sley.base.threads import start


class _TooLateError(Exception):
    pass


def _late(signum: int, frame: FrameType | None) -> None:
    raise _TooLateError


class _Disturbed(threading.Thread):
    """The timer fires while it is started."""

    is_started = False

    def start(self) -> None:
        signal.raise_signal(signal.SIGALRM)
        super().start()
        self.is_started = True


def test_a_timer_does_not_raise_while_a_thread_is_started() -> None:
    previous = signal.signal(signal.SIGALRM, _late)
    thread = _Disturbed(target=lambda: None)
    try:
        with pytest.raises(_TooLateError):
            start(thread)
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert thread.is_started
    thread.join()
    assert signal.SIGALRM not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
