"""What crashed on the way to an answer: a bug of ours, which others made up for."""

from typing import Any

from sley.reports.lines import Line, labelled
from sley.verification.crashes import Crash
from sley.verification.result import Result


def sentences(result: Result) -> list[str]:
    """One for each crash."""
    return [_sentence(crash) for crash in result.crashes]


def _sentence(crash: Crash) -> str:
    where = "no crash file was written" if crash.file is None else f"details in {crash.file}"
    what = f"{crash.of[:1].upper()}{crash.of[1:]}"
    return (
        f"{what} had an internal error ({crash.error}) and has no part in this answer; {where}. "
        "That is a bug of sley: please report it."
    )


def report(result: Result, width: int) -> list[Line]:
    """The same for people."""
    return labelled("Note", sentences(result), width)


def to_json(result: Result) -> list[dict[str, Any]]:
    """The same for machines."""
    return [
        {"of": crash.of, "error": crash.error, "file": None if crash.file is None else str(crash.file)}
        for crash in result.crashes
    ]
