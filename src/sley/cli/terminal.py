"""What reaches the screen: colours and progress on a terminal, plain text when piped."""

import os
import shutil
import sys
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from sley.base.errors import InputError
from sley.base.processes import descendants, megabytes_of
from sley.reports.lines import Line, plain
from sley.reports.phrases import WIDTH
from sley.verification.observer import Phase

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
            text.append(segment.text, _STYLES.get(segment.style, ""))
        text.rstrip()
        console.print(text)


def write(text: str) -> None:
    """Print text as it is."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        stop_printing()
        raise InputError(f"cannot print the result: {error.strerror}") from None


def stop_printing() -> None:
    """Whoever read our output has gone: nothing more to say, and no complaint at exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def warn(message: str, excerpt: str = "") -> None:
    """Print a message for the user that is not part of the report, and the text that it is about."""
    print(f"sley: {message}", *filter(None, [excerpt]), sep="\n", file=sys.stderr)


class Progress:
    """A line on the error terminal that says what is going on; nothing when piped.

    It has no thread of its own, as progress bars of libraries have: a process with threads cannot be forked.
    """

    def __init__(self) -> None:
        self._is_shown = False
        self._phase = Phase.READING
        self._started = time.monotonic()
        self._shown = 0.0

    def __enter__(self) -> Self:
        self._is_shown = sys.stderr.isatty()
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

    def refresh(self) -> None:
        """Show the time and the memory used so far, not more often than an eye can follow."""
        now = time.monotonic()
        if self._is_shown and now - self._shown >= REFRESH:
            self._shown = now
            megabytes = sum(map(megabytes_of, descendants(os.getpid())))
            self._show(f"{self._phase.value}  {now - self._started:.0f} s  {megabytes:.0f} MB")

    def _show(self, text: str) -> None:
        if self._is_shown:
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
