"""When a query has to end, and how to wait for a solver that does not look at the clock."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")


class Deadline:
    """Time left for the running query; asked by solvers while they work."""

    def __init__(self) -> None:
        self._end: float | None = None

    def start(self, *limits: float | None) -> None:
        """Begin a query; the shortest of its limits, in seconds, counts."""
        known = [limit for limit in limits if limit is not None]
        self._end = time.monotonic() + min(known) if known else None

    @property
    def is_over(self) -> bool:
        """Whether the query must end now."""
        return self._end is not None and time.monotonic() > self._end

    def remaining(self) -> float | None:
        """Seconds left, or None without a limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())


def ask_in_thread(
    ask: Callable[[], Answer], is_over: Callable[[], bool], interrupt: Callable[[], None]
) -> Answer | None:
    """The answer to a query that runs in a thread, while this one stays awake for signals and the clock.

    The query is interrupted when ``is_over`` says so, and when a signal handler raises; then the answer may
    be None.
    """
    found: list[Answer] = []
    done = threading.Event()  # Thread.join takes a thread for dead if Ctrl-C comes meanwhile

    def work() -> None:
        try:
            found.append(ask())
        finally:
            done.set()

    threading.Thread(target=work, daemon=True).start()
    try:
        while not (done.wait(0.05) or is_over()):
            pass
    finally:
        while not done.is_set():
            interrupt()
            done.wait(0.05)
    return found[0] if found else None
