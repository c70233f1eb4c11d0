"""Asks ``explore`` the questions of the contract; the clock decides nothing unless a limit is given."""

from pathlib import Path

from sley.verification.property_files import Selection
from sley.verification.result import Answer
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.contract.programs import Question


def answer_to(question: Question, folder: Path, seconds: float | None = None) -> Answer:
    """The answer of ``explore`` alone."""
    path = folder / "program.c"
    path.write_text(question.text)
    task = Task(
        paths=(path,),
        selection=Selection(question.properties),
        limits=Limits(seconds=seconds),
        engines=("explore",),
        jobs=0,
    )
    return verify(task).answer


def is_right(question: Question, answer: Answer) -> bool:
    """Whether an answer is the one that the contract demands."""
    return answer is question.expected or (question.is_open and answer is Answer.UNKNOWN)
