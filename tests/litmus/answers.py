"""What engines answer to made tests."""

from pathlib import Path

from sley.frontend.litmus.reading import read_test
from sley.program.memory_model import MemoryModel
from sley.verification.litmus import JudgedTest, litmus_task
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.limits import AMPLE
from tests.litmus.cycles import Test, litmus_text


def answered(test: Test, language: str, model: MemoryModel, engine: str, folder: Path) -> JudgedTest:
    """What an engine says of a test, in this process."""
    path = folder / "test.litmus"
    path.write_text(litmus_text(test, language))
    task = Task(paths=(path,), engines=(engine,), jobs=0, limits=Limits(seconds=AMPLE))
    found = read_test(path)
    return JudgedTest(found, verify(litmus_task(found, task, model)))
