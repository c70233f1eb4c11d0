"""When a query has to end: its time limit, and an interrupt from outside."""

import time


class Deadline:
    """Time left for the running query; asked by solvers while they work."""

    def __init__(self, time_limit: float | None) -> None:
        self.time_limit = time_limit
        self._end: float | None = None
        self._is_interrupted = False

    def start(self, time_limit: float | None) -> None:
        """Begin a query with its own limit; the shorter of it and the general one counts."""
        limits = [limit for limit in (time_limit, self.time_limit) if limit is not None]
        self._end = time.monotonic() + min(limits) if limits else None

    def interrupt(self) -> None:
        """Ask the running query, or else the next one, to end."""
        self._is_interrupted = True

    @property
    def is_over(self) -> bool:
        """Whether the query must end now."""
        return self._is_interrupted or (self._end is not None and time.monotonic() > self._end)

    def remaining(self) -> float | None:
        """Seconds left, or None without a limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def take_reason(self) -> str:
        """Why the query ended, if because of this; the interrupt is used up."""
        if self._is_interrupted:
            self._is_interrupted = False
            return "interrupted"
        if self._end is not None and time.monotonic() > self._end:
            return "time limit of one query reached"
        return ""
