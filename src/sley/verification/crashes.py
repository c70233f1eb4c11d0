"""Bugs of ours that do not take the answer with them: an engine crashes, the others go on.

What crashed has no part in the answer. A claim that evidence contradicts (a refused proof, a run that does
not fit it, a schedule that does not lead to its violation) is such a bug as well: the claim is dropped, and
the report says so.
"""

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from sley.base.errors import error_text, is_crash
from sley.evidence.verdict import Unknown

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Crash:
    """What crashed, and how."""

    of: str
    """``engine explore``, or what else was at work."""
    error: str
    """The kind of error, and where: ``IndexError in memory.py:536``."""
    trace: str
    """All that a crash file says of it."""
    file: Path | None = None
    """The crash file, if one was written."""


@dataclass(slots=True)
class Crashes:
    """The crashes of a run."""

    found: list[Crash] = field(default_factory=list)
    _noted: list[BaseException] = field(default_factory=list)

    def add(self, of: str, error: BaseException) -> Unknown:
        """Note one; the answer of what has crashed."""
        crash = Crash(of, error_text(error), "".join(traceback.format_exception(error)))
        self.found.append(crash)
        self._noted.append(error)
        return Unknown(f"internal error: {crash.error}")

    def of_engine(self, name: str, error: BaseException) -> Unknown:
        """The same for an engine."""
        return self.add(f"engine {name}", error)

    def kept_from(self, of: str, work: Callable[[], Value]) -> Value | None:
        """What some work that an answer can do without comes to; None if it crashes, which is noted."""
        try:
            return work()
        except Exception as error:
            if not is_crash(error):
                raise
            if not any(error is one for one in self._noted):
                self.add(of, error)
            return None


def raise_if_all(errors: Iterable[BaseException | None]) -> None:
    """If all engines have crashed, none can answer: the first crash is reported."""
    crashed = list(errors)
    if crashed and None not in crashed and (first := crashed[0]) is not None:
        raise first
