"""Mutual exclusion with plain variables, for ever: on machines it needs fences."""

from pathlib import Path

import pytest

from sley.program.memory_model import MemoryModel
from sley.program.properties import PROPERTY_GROUPS
from sley.verification.property_files import Selection
from sley.verification.result import Answer, Result
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.limits import AMPLE

FOLDER = Path(__file__).parent / "programs"
ALGORITHMS = sorted(path.stem for path in FOLDER.glob("*.c"))
FENCED, STORES_TOO = ("FENCED",), ("FENCED", "PARTIAL_STORE_ORDER")


def checked(name: str, model: MemoryModel, engine: str, *defines: str) -> Result:
    return verify(
        Task(
            paths=(FOLDER / f"{name}.c",),
            selection=Selection(PROPERTY_GROUPS["reach"]),
            defines=defines,
            memory_model=model,
            limits=Limits(seconds=AMPLE),
            engines=(engine,),
            jobs=0,
        )
    )


@pytest.mark.parametrize("name", ALGORITHMS)
def test_fences_are_needed_and_enough(name: str) -> None:
    assert checked(name, MemoryModel.TSO, "impact", *FENCED).answer is Answer.SAFE
    wrong = checked(name, MemoryModel.TSO, "impact")
    assert (wrong.answer, wrong.interleaved) == (Answer.BUG, Answer.SAFE)


@pytest.mark.long
@pytest.mark.parametrize("name", ALGORITHMS)
def test_fences_between_stores_are_needed_and_enough(name: str) -> None:
    assert checked(name, MemoryModel.PSO, "impact", *FENCED).answer is Answer.BUG
    assert checked(name, MemoryModel.PSO, "impact", *STORES_TOO).answer is Answer.SAFE
