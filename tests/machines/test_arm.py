"""What is right on x86 and wrong on ARM, and the classic tests in assembly."""

from pathlib import Path

import pytest

from sley.frontend.litmus.reading import read_test
from sley.program.memory_model import MemoryModel
from sley.program.properties import PROPERTY_GROUPS
from sley.reports.lines import plain
from sley.reports.text import report
from sley.verification.litmus import JudgedTest, litmus_task
from sley.verification.property_files import Selection
from sley.verification.result import Answer
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.limits import AMPLE

PROGRAM = Path(__file__).parent / "arm" / "message_passing.c"


def checked(model: MemoryModel, text: str, tmp_path: Path) -> Answer:
    path = tmp_path / "passing.c"
    path.write_text(text)
    selection = Selection(PROPERTY_GROUPS["reach"])
    task = Task(paths=(path,), selection=selection, memory_model=model, engines=("bmc",), jobs=0)
    return verify(task).answer


@pytest.mark.parametrize("model", [MemoryModel.TSO, MemoryModel.ARMV8])
def test_message_passing(model: MemoryModel, tmp_path: Path) -> None:
    is_arm = model is MemoryModel.ARMV8
    assert checked(model, PROGRAM.read_text(), tmp_path) is (Answer.BUG if is_arm else Answer.SAFE)


ATOMIC = PROGRAM.read_text().replace(
    "int data, ready;", "#include <stdatomic.h>\nint data;\natomic_int ready;"
)


@pytest.mark.parametrize(
    ("store", "load", "answer"),
    [
        ("release", "acquire", Answer.SAFE),
        ("seq_cst", "seq_cst", Answer.SAFE),
        ("release", "relaxed", Answer.BUG),
        ("relaxed", "acquire", Answer.BUG),
    ],
)
def test_atomics_are_compiled(store: str, load: str, answer: Answer, tmp_path: Path) -> None:
    text = ATOMIC.replace("ready = 1", f"atomic_store_explicit(&ready, 1, memory_order_{store})")
    text = text.replace("if (ready)", f"if (atomic_load_explicit(&ready, memory_order_{load}))")
    assert checked(MemoryModel.ARMV8, text, tmp_path) is answer


@pytest.mark.parametrize("fence", ["", '__asm__ volatile("dmb ish" ::: "memory"); '])
def test_what_was_reordered_is_told(fence: str, tmp_path: Path) -> None:
    path = tmp_path / "passing.c"
    path.write_text(PROGRAM.read_text().replace("ready = 1", f"{fence}ready = 1"))
    selection, model = Selection(PROPERTY_GROUPS["reach"]), MemoryModel.ARMV8
    result = verify(Task(paths=(path,), selection=selection, memory_model=model, engines=("bmc",), jobs=0))
    text = " ".join(plain(report(result)).split())
    assert "0 is the value" in text
    assert ("by producer in lines 7 and 8, or by" in text) == (not fence)
    assert "by consumer in lines 13 and 14" in text


TESTS = {
    "PPOCA": ("EOR W5,W0,W0 | CBNZ W0,L0 ; L0: | MOV W2,#1 | STR W2,[X3] | LDR W4,[X3] | EOR W5,W4,W4", True),
    "PPOAA": ("EOR W6,W0,W0 | MOV W2,#1 | STR W2,[X3,W6,SXTW] | LDR W4,[X3] | EOR W5,W4,W4", False),
    "MP+dmb+dmb.ld": ("DMB LD | MOV W5,#0", False),
    "MP+dmb+isb": ("ISB | MOV W5,#0", True),
    "MP+dmb+ctrlisb": ("CBNZ W0,L0 ; L0: | ISB | MOV W5,#0", False),
}


@pytest.mark.parametrize("name", TESTS)
def test_preserved_program_order(name: str, tmp_path: Path) -> None:
    """Message passing with what PPO* tests have in the reader."""
    middle, is_allowed = TESTS[name]
    reader = ["LDR W0,[X1]", *(one.strip() for one in middle.replace(";", "|").split("|"))]
    reader.append("LDR W8,[X9,W5,SXTW]")
    writer = ["MOV W0,#1", "STR W0,[X9]", "DMB SY", "STR W0,[X1]"]
    rows = [f" {w} | {r} ;" for w, r in zip([*writer, *[""] * 9], reader, strict=False)]
    first = "0:X1=y; 0:X9=x; 1:X1=y; 1:X3=z; 1:X9=x;"
    lines = [f"AArch64 {name}", "{", first, "}", " P0 | P1 ;", *rows, r"exists (1:X0=1 /\ 1:X8=0)"]
    path = tmp_path / "test.litmus"
    path.write_text("\n".join(lines))
    test = read_test(path)
    task = Task(paths=(path,), engines=("bmc",), jobs=0, limits=Limits(seconds=AMPLE))
    judged = JudgedTest(test, verify(litmus_task(test, task, None)))
    assert judged.judgement.value == ("ALLOWED" if is_allowed else "FORBIDDEN"), judged.result.reason
