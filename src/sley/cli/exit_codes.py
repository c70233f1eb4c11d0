"""How the process ends; every family of answers and errors has its own code."""

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sley.verification.result import Answer


class ExitCode(IntEnum):
    """What a script sees."""

    SAFE = 0
    BUG = 1
    USAGE = 2
    """Wrong arguments, unreadable files, C errors."""
    UNKNOWN = 3
    NOT_SUPPORTED = 4
    INTERNAL = 70
    """A bug of ours; a crash file says more."""


def exit_code(answer: "Answer") -> ExitCode:
    """The code of an answer; a bounded answer is no proof, hence UNKNOWN."""
    return ExitCode.UNKNOWN if answer.name == "BOUNDED" else ExitCode[answer.name]
