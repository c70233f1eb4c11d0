"""The models of library functions keep what the contract says of them."""

from pathlib import Path
from zlib import crc32

import pytest
from _pytest.mark.structures import ParameterSet

from sley.frontend.contract import contract
from sley.verification.property_files import Selection
from sley.verification.result import Answer
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.contract.programs import Question, questions

ONE_IN = 12
"""``make test`` asks one question in so many, chosen by its name; ``make test-long`` asks them all."""


def _asked() -> list[ParameterSet]:
    made = [question for group in contract() for row in group.rows for question in questions(group, row)]
    return [
        pytest.param(
            one, id=one.name, marks=() if crc32(one.name.encode()) % ONE_IN == 0 else pytest.mark.long
        )
        for one in made
    ]


@pytest.mark.parametrize("question", _asked())
def test_models_keep_the_contract(question: Question, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(question.text)
    task = Task(
        paths=(path,),
        selection=Selection(question.properties),
        limits=Limits(seconds=None),
        engines=("explore",),
        jobs=0,
    )
    answer = verify(task).answer
    allowed = {question.expected, *([Answer.UNKNOWN] if question.is_open else [])}
    assert answer in allowed, question.text
