"""The error tree: three families, each with its own way up to the user.

* ``InputError``: the input is not legal (C error, bad option, missing file) -> usage error, exit 2.
* ``GaveUpError``: we stop on purpose (unsupported construct, budget) -> UNKNOWN with the reason.
* anything else is a bug of ours -> crash file, exit 70.
"""

import re
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from sley.base.reasons import Reason, Why
from sley.base.source import Span


class InputError(Exception):
    """The input is not something we can read; ``span`` says where, if it is a place in a file."""

    def __init__(self, message: str, span: Span | None = None, excerpt: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.excerpt = excerpt
        """The line of the file, and below it a mark; empty if that would not help."""
        self.others: tuple[InputError, ...] = ()
        """More errors in the same file."""

    def __str__(self) -> str:
        return f"{self.span}: {self.message}" if self.span else self.message


class NoMainError(InputError):
    """C files that make no program: nothing says which functions are called."""


class GaveUpError(Exception):
    """We stop on purpose; the answer is UNKNOWN and this is the reason, maybe a ``Reason``."""

    def __str__(self) -> str:
        return self.args[0] if len(self.args) == 1 and isinstance(self.args[0], str) else super().__str__()


class BudgetExhaustedError(GaveUpError):
    """Time, memory or a stated bound ran out."""


@dataclass(frozen=True, slots=True)
class Unsupported:
    """One construct outside what we model, with its place."""

    what: str
    span: Span | None
    model: str = field(default="", compare=False)
    """Of an unmodelled function: C text to start a model from."""
    function: str = field(default="", compare=False)
    """The function that is called without a body and a model; empty if it is something else."""

    def __str__(self) -> str:
        return f"{self.span}: {self.what}" if self.span else self.what


def unmodelled(constructs: tuple[Unsupported, ...]) -> Reason:
    """What the program uses and nothing is known of stands in the way of an answer."""
    listed = "; ".join(str(one) for one in constructs)
    functions = [f"`{one.function}`" for one in constructs if one.function]
    if functions:
        return Reason(f"unmodelled: {listed}", Why.NO_MODEL, functions[0])
    return Reason(f"unmodelled: {listed}", Why.CONSTRUCT, listed)


class UnsupportedFeatureError(GaveUpError):
    """The program uses constructs that we do not model; all that were found are listed."""

    def __init__(self, constructs: tuple[Unsupported, ...]) -> None:
        super().__init__("unsupported: " + "; ".join(str(c) for c in constructs))
        self.constructs = constructs

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        return type(self), (self.constructs,)


def is_crash(error: BaseException) -> bool:
    """Whether an error is a bug of ours: neither the input's, nor a reason to give up, nor a wish to end."""
    return isinstance(error, Exception) and not isinstance(error, InputError | GaveUpError)


def error_text(error: BaseException) -> str:
    """The kind of an error, and where it was raised, also if that was in another process."""
    told = "".join(traceback.format_exception(error))
    told, _, _ = told.partition("The above exception was the direct cause")  # the first is where it happened
    frames = re.findall(r'File "(.*)", line (\d+)', told)
    place = f" in {Path(frames[-1][0]).name}:{frames[-1][1]}" if frames else ""
    return f"{type(error).__name__}{place}"
