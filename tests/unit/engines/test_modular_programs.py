"""Engine ``modular`` on the programs of other tests: never SAFE where a mark says that a violation exists."""

from pathlib import Path

import pytest

from sley.program.properties import PROPERTY_GROUPS
from sley.verification.property_files import Selection
from sley.verification.result import Answer
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.test_programs import PROGRAMS, marks_of, name_of

# The timer of a time limit may fire inside a callback of the test framework, which swallows the exception.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

GROUPS = ("reach", "race", "deadlock", "overflow", "misuse")
SECONDS = 0.7


@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_no_answer_contradicts_the_marks(path: Path) -> None:
    marks = marks_of(path)
    for group in GROUPS:
        if group in marks.violated:
            task = Task(
                paths=(path,),
                selection=Selection(PROPERTY_GROUPS[group]),
                data_model=marks.data_model,
                limits=Limits(seconds=SECONDS),
                engine="modular",
            )
            assert verify(task).answer is not Answer.SAFE, group
