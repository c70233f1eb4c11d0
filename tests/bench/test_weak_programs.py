"""The programs of bench/weak: where the engines know the model, the answers are those that were published."""

import pytest
from bench.weak.published import OURS, TABLE, Row

from sley.program.memory_model import MemoryModel
from sley.program.properties import PROPERTY_GROUPS
from sley.verification.property_files import Selection
from sley.verification.result import Answer
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.limits import AMPLE

ANSWERS = {"safe": Answer.SAFE, "bug": Answer.BUG}
BUFFERED = [row for row in (*TABLE, *OURS) if row.model in ("tso", "pso")]
MORE = [pytest.param(row, marks=pytest.mark.long) for row in BUFFERED if row.model == "pso"]


@pytest.mark.parametrize(
    "row",
    [*(row for row in BUFFERED if row.model == "tso"), *MORE],
    ids=lambda row: f"{row.program} {row.model}",
)
def test_answers_are_right(row: Row) -> None:
    task = Task(
        paths=(row.path,),
        selection=Selection(PROPERTY_GROUPS["reach"]),
        defines=tuple(name.upper() for name in row.program.split()[1:]),
        memory_model=MemoryModel(row.model),
        limits=Limits(seconds=AMPLE),
        engines=("explore",),
        jobs=0,
    )
    assert verify(task).answer is ANSWERS[row.expected]
