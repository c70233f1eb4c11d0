"""Limits on time and memory: an object whose ``spend`` raises, so that loops do not test limits."""

import os
import resource
import time
from collections.abc import Callable

from sley.base.errors import BudgetExhaustedError
from sley.base.reasons import Reason, Why, memory_limit

CHECK_INTERVAL = 0.02
"""Seconds between two looks at the memory and at what progress there is."""

ROOM = 0.93
"""The part of a memory limit that one process may use: others of the same run need some, too."""

SHARE_IS_USED_UP = Reason("its share of the time is used up", Why.SHARE)


class Budget:
    """Time and memory that may still be used; ``spend()`` raises when either is gone.

    ``spend`` is cheap: it looks at the clock, and at the rest once in ``CHECK_INTERVAL``. The limit of the
    whole is on the time that a user waits. Shares of it are on the time that this process computes: who is
    suspended for a while loses nothing.
    """

    def __init__(
        self,
        seconds: float | None = None,
        megabytes: int | None = None,
        on_progress: Callable[[], None] | None = None,
        whole: "Budget | None" = None,
        clock: Callable[[], float] = time.monotonic,
        spent: float = 0.0,
        units: int | None = None,
    ) -> None:
        self._clock = clock
        self._computed = time.process_time()
        self._began = time.monotonic() - spent
        self.deadline = None if seconds is None else self._clock() + seconds - spent
        self.seconds = seconds
        self.megabytes = megabytes
        self.on_progress = on_progress
        self.on_known: Callable[[object], None] | None = None
        self.units = units
        """How often ``spend`` may still be called: a limit that is the same on every machine."""
        self.is_watched = False
        """Whether progress is reported."""
        self.status: Callable[[], str] | None = None
        """How far the work is, in a few words."""
        self.cores: int = 1 if whole is None else whole.cores
        """How many processes may compute at once."""
        self.is_shared: bool = whole is not None and whole.is_shared
        """Whether others search at the same time, so that a search has one core."""
        self.whole = whole
        """The budget that this is a share of."""
        self.stop_reason: str | None = None
        self._next_check = time.monotonic()

    def in_child(self) -> "Budget":
        """The same limits for another process, which has not computed anything yet."""
        other = Budget(self.seconds, self.megabytes) if self.whole is None else self.whole.in_child()
        if self._clock is time.monotonic:
            other.deadline = _earlier(self.deadline, other.deadline)
        other._computed = 0.0
        other.cores, other.is_shared = self.cores, self.is_shared
        other.is_watched = other.is_watched or self.is_watched
        return other

    def spend(self) -> None:
        """Count one unit of work; raise if a limit was passed or a stop was asked for."""
        if self.units is not None:
            self.units -= 1
            if self.units < 0:
                raise BudgetExhaustedError(SHARE_IS_USED_UP)
        now = time.monotonic()
        if now > self._next_check:
            self._next_check = now + CHECK_INTERVAL
            self.check()

    def check(self) -> None:
        """Look at the clock and the memory now."""
        if self.whole is not None:
            self.whole.check()
        if self.deadline is not None and self._clock() > self.deadline:
            raise BudgetExhaustedError(self._time_is_up())
        if self.stop_reason is not None:
            raise BudgetExhaustedError(self.stop_reason)
        if self.megabytes is not None and used_megabytes() > ROOM * self.megabytes:
            raise BudgetExhaustedError(memory_limit(self.megabytes))
        if self.on_progress is not None:
            self.on_progress()

    def exceeded(self) -> str | None:
        """Which limit was passed, if any."""
        try:
            self.check()
        except BudgetExhaustedError as reason:
            return str(reason)
        return None

    def _time_is_up(self) -> str:
        """A share of the time that a user waits is used up when another engine is to have the rest of it."""
        if self._clock is not time.monotonic:
            return SHARE_IS_USED_UP
        if self.whole is not None and self.whole.seconds is not None:
            return self.whole._time_is_up()
        return Reason(f"time limit of {self.seconds:g} s reached", Why.TIME, f"{self.seconds:g}")

    def known(self, what: object) -> None:
        """Say what is known even if the work is ended now, without a further word."""
        if self.whole is not None:
            self.whole.known(what)
        elif self.on_known is not None:
            self.on_known(what)

    def shows(self, status: Callable[[], str]) -> None:
        """From now on, this says how far the work is; it is asked a few times in a second, if at all."""
        if self.whole is not None:
            self.whole.shows(status)
        else:
            self.status = status

    def stop(self, reason: str) -> None:
        """Ask for a stop at the next check (used by signal handlers)."""
        self.stop_reason = reason

    def share(
        self, part: float, at_most: float | None, clock: Callable[[], float] = time.process_time
    ) -> "Budget":
        """A part of the time that is left, in seconds at most ``at_most``; all other limits hold, too."""
        left = self.remaining()
        return Budget(_earlier(None if left is None else part * left, at_most), whole=self, clock=clock)

    def remaining(self) -> float | None:
        """Seconds left, or None without a limit."""
        own = None if self.deadline is None else max(0.0, self.deadline - self._clock())
        return own if self.whole is None else _earlier(own, self.whole.remaining())

    def waited(self) -> float:
        """Seconds that a user has waited."""
        return time.monotonic() - self._began

    def elapsed(self) -> float:
        """Seconds that were computed since the start."""
        return time.process_time() - self._computed


def _earlier(one: float | None, other: float | None) -> float | None:
    """The smaller limit; None is no limit."""
    return min((limit for limit in (one, other) if limit is not None), default=None)


def seconds_since_start() -> float:
    """How long this process has been there (how long it has computed where the system does not tell)."""
    try:
        with open("/proc/self/stat") as stat:
            ticks = int(stat.read().rpartition(")")[2].split()[19])
    except OSError:
        return time.process_time()
    return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")


def used_megabytes() -> int:
    """Memory of this process now, in MB (its peak where the system does not tell the present)."""
    try:
        with open("/proc/self/statm") as statm:
            pages = int(statm.read().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return pages * resource.getpagesize() // (1024 * 1024)
