"""What a witness says of itself: which tool wrote it when, for which program and which property."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from sley import __version__
from sley.evidence.trace import Trace
from sley.evidence.verdict import Safe, Unsafe
from sley.program.properties import CALLED, Property
from sley.reports.sources import sha256_of
from sley.verification.property_files import formula_of
from sley.verification.result import Result
from sley.verification.task import Task

PRODUCER = "sley"
VERSION = __version__


@dataclass(frozen=True, slots=True)
class Claim:
    """What a witness is for: a violation, or that there is none of several."""

    task: Task
    trace: Trace | None
    formulas: tuple[str, ...]

    @property
    def files(self) -> tuple[Path, ...]:
        """The program."""
        return self.task.paths

    @property
    def hashes(self) -> tuple[str, ...]:
        """Of the files."""
        return tuple(sha256_of(str(file)) for file in self.files)

    @property
    def data_model(self) -> str:
        """``LP64`` or ``ILP32``."""
        return self.task.data_model.name

    @property
    def checks(self) -> tuple[str, ...]:
        """The lines of a property file."""
        return tuple(f"CHECK( init(main()), LTL({formula}) )" for formula in self.formulas)


def claim_of(result: Result) -> Claim | None:
    """What a result lets one claim; None where it has no answer."""
    task = result.task
    match result.outcome:
        case Unsafe(traces=traces):
            certain = next((trace for trace in traces if not trace.depends_on), None)
            if certain is None:
                return None
            prop = certain.failure.property
            return Claim(task, certain, (formula_of(prop, _error_call(certain, task)),))
        case Safe():
            selected = [prop for prop in Property if prop in task.selection.properties]
            call = _error_call(None, task)
            return Claim(task, None, tuple(formula_of(prop, call) for prop in selected))
        case _:
            return None


def _error_call(trace: Trace | None, task: Task) -> str:
    """The function that must not be called: an assertion of C that fails calls one, too."""
    if task.selection.error_call is not None:
        return task.selection.error_call
    is_call = trace is not None and trace.failure.frame == CALLED
    return trace.failure.subject if trace is not None and is_call else "__assert_fail"


def creation_time() -> str:
    """Now, or what SOURCE_DATE_EPOCH says, for files that can be made again bit by bit."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    seconds = int(given) if given.isdigit() else time.time()
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
