"""Bugs of well-known kinds are reported so that their cause can be seen."""

from pathlib import Path

import pytest

from sley.verification.result import Result
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.explained import EXPLAINED, Explained


def checked(path: Path) -> Result:
    """As ``sley check`` does it, in this process."""
    return verify(Task(paths=(path,), limits=Limits(seconds=60), jobs=0))


def test_there_are_thirty_programs_with_something_to_explain() -> None:
    programs = [Explained(path) for path in EXPLAINED]
    assert len(programs) >= 30
    assert [p.path.name for p in programs if not p.why or not p.decisive] == []


@pytest.mark.parametrize("path", EXPLAINED, ids=lambda path: path.stem)
def test_the_cause_can_be_seen(path: Path) -> None:
    program = Explained(path)
    trace = checked(path).traces[0]
    assert trace.failure.property in program.violated
