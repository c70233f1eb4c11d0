"""Engines on the programs of other tests: they never contradict their marks."""

import tracemalloc  # noqa: F401 - the test framework would import it where a timer may fire
from pathlib import Path
from typing import NamedTuple

import pytest

from sley.program.properties import PROPERTY_GROUPS
from sley.verification.property_files import Selection
from sley.verification.result import Answer
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.test_programs import PROGRAMS, marks_of, name_of

# The timer of a time limit may fire inside a callback of the test framework, which swallows the exception.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


class Patience(NamedTuple):
    """What an engine is asked, and for how long at most."""

    groups: tuple[str, ...]
    seconds: float
    finds_bugs: bool = True


ENGINES = {
    "bmc": Patience(("reach", "race", "deadlock"), 1.0),
    "symmetry": Patience(("reach", "race"), 0.7),
    "modular": Patience(("reach", "race", "deadlock", "overflow", "misuse"), 0.7, finds_bugs=False),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_no_answer_contradicts_the_marks(path: Path, engine: str) -> None:
    marks, patience = marks_of(path), ENGINES[engine]
    for group in patience.groups:
        properties = PROPERTY_GROUPS[group]
        if group not in marks.violated and not patience.finds_bugs:
            continue
        task = Task(
            paths=(path,),
            selection=Selection(properties),
            data_model=marks.data_model,
            limits=Limits(seconds=patience.seconds),
            engine=engine,
        )
        answer = verify(task).answer
        if group in marks.violated:
            assert answer is not Answer.SAFE, group
        elif properties <= marks.holds:
            assert answer is not Answer.BUG, group
