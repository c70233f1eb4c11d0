"""Engine ``symmetry`` on the programs of other tests: it never contradicts their marks."""

import tracemalloc  # noqa: F401 - the test framework would import it where a timer may fire
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

GROUPS = ("reach", "race")
SECONDS = 1.0


@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_no_answer_contradicts_the_marks(path: Path) -> None:
    marks = marks_of(path)
    for group in GROUPS:
        properties = PROPERTY_GROUPS[group]
        task = Task(
            paths=(path,),
            selection=Selection(properties),
            data_model=marks.data_model,
            limits=Limits(seconds=SECONDS),
            engine="symmetry",
        )
        answer = verify(task).answer
        if group in marks.violated:
            assert answer is not Answer.SAFE, group
        elif properties <= marks.holds:
            assert answer is not Answer.BUG, group
