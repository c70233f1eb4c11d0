"""What reaches the screen: colours and progress on a terminal, plain text when piped."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from sley.base.errors import InputError
from sley.base.processes import descendants, megabytes_of
from sley.base.shown import visible, visible_lines
from sley.reports.lines import Line, plain, shortened
from sley.reports.phrases import WIDTH
from sley.verification.observer import Doing, Phase

_STYLES = {
    "bug": "bold white on red",
    "safe": "bold white on green",
    "unknown": "bold black on yellow",
    "failure": "bold red",
    "changed": "bold",
    "label": "bold",
    "dim": "dim",
    "thread 0": "cyan",
    "thread 1": "green",
    "thread 2": "magenta",
    "thread 3": "yellow",
    "thread 4": "blue",
    "thread 5": "bright_cyan",
}

REFRESH = 0.5

UNKNOWN_COLUMNS = 80
LONGEST = 4_000
"""Characters of a message: names may be of any length."""
LEAST_WIDTH = 40


def width() -> int:
    """Columns for a report: what the terminal has, or ``COLUMNS`` says."""
    return max(LEAST_WIDTH, min(WIDTH, shutil.get_terminal_size((WIDTH, 0)).columns))


def show(lines: Sequence[Line]) -> None:
    """Print a report, in colour on a terminal that wants it."""
    if not sys.stdout.isatty() or "NO_COLOR" in os.environ:
        write(plain(lines))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for one in lines:
        text = Text()
        for segment in one:
            text.append(visible(segment.text), _STYLES.get(segment.style, ""))
        text.rstrip()
        console.print(text)


def write(text: str) -> None:
    """Print text in lines."""
    try:
        sys.stdout.write(visible_lines(text))
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        stop_printing()
        raise InputError(f"cannot print the result: {error.strerror}") from None


def stop_printing() -> None:
    """The reader of our output has gone: nothing more to say, and no complaint at exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def warn(message: str, excerpt: str = "") -> None:
    """Print a message for the user that is not part of the report, and the text that it is about."""
    print(
        f"sley: {shortened(visible(message), LONGEST)}",
        *filter(None, [visible_lines(excerpt)]),
        sep="\n",
        file=sys.stderr,
    )


class ProgressLine:
    """A line on the error terminal that says what is going on; nothing when piped.

    It has no thread of its own, as progress bars of libraries have: a process with threads cannot be forked.
    """

    def __init__(self) -> None:
        self.is_wanted = sys.stderr.isatty()
        self.remaining: Callable[[], float | None] = lambda: None
        """Seconds left, or None without a limit."""
        self._is_shown = False
        self._phase = Phase.READING
        self._engines: dict[str, str] = {}
        self._started = time.monotonic()
        self._shown = 0.0

    def __enter__(self) -> Self:
        self._is_shown = self.is_wanted
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._show("")
        self._is_shown = False

    def entered(self, phase: Phase) -> None:
        """A phase begins."""
        self._phase = phase
        self.refresh()

    def doing(self, one: Doing) -> None:
        """An engine has come further, or has ended."""
        self._engines[one.engine] = one.status
        self.refresh()

    def refresh(self) -> None:
        """Show how far the work is and what it costs, not more often than an eye can follow."""
        now = time.monotonic()
        if self._is_shown and now - self._shown >= REFRESH:
            self._shown = now
            self._show(f"{self._time(now)}, {_used_megabytes():.0f} MB  {self._work()}")

    def _work(self) -> str:
        engines = [f"{name}: {status}" for name, status in self._engines.items() if status]
        is_search = self._phase is Phase.SEARCHING and engines
        return ", ".join(engines) if is_search else self._phase.value

    def _time(self, now: float) -> str:
        left = self.remaining()
        passed = f"{now - self._started:.0f} s"
        return passed if left is None else f"{passed}, {left:.0f} s left"

    def _show(self, text: str) -> None:
        """One line, however narrow the terminal is."""
        if self._is_shown:
            print(f"\r\x1b[K{shortened(visible(text), _columns() - 1)}", end="", file=sys.stderr, flush=True)


def _columns() -> int:
    """Of the terminal that errors go to, which may be another than that of reports."""
    try:
        return os.get_terminal_size(2).columns or UNKNOWN_COLUMNS
    except OSError:
        return UNKNOWN_COLUMNS


def _used_megabytes() -> float:
    return sum(map(megabytes_of, descendants(os.getpid())))
