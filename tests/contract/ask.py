"""Asks an engine the questions of the contract; the clock decides nothing unless a limit is given."""

from pathlib import Path

from sley.verification.property_files import Selection
from sley.verification.result import Answer, Result
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.contract.programs import Question


def answer_to(question: Question, folder: Path, seconds: float | None = None) -> Result:
    """What the engine of the question says."""
    path = folder / "program.c"
    path.write_text(question.text)
    task = Task(
        paths=(path,),
        selection=Selection(question.properties),
        limits=Limits(seconds=seconds),
        engines=(question.engine,),
        jobs=0,
    )
    return verify(task)


def is_right(question: Question, result: Result) -> bool:
    """Whether an answer is the one that the contract demands."""
    if question.is_possible:
        return result.answer is Answer.UNKNOWN and "possible bug" in (result.reason or "")
    return result.answer is question.expected or (question.is_open and result.answer is Answer.UNKNOWN)


def is_late(result: Result) -> bool:
    """Whether time was all that was missing, also for a trace: then there is no reason."""
    return result.answer is Answer.UNKNOWN and (not result.reason or "time limit" in result.reason)
