"""Programs whose values gcc computes: the lowered program must have the same, and no undefined behaviour."""

import subprocess
from pathlib import Path

import pytest

from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering

FOLDER = Path(__file__).parent / "native"
PROGRAMS = sorted(FOLDER.glob("*.c"))


def native_values(path: Path, folder: Path) -> list[str]:
    executable = folder / "native"
    subprocess.run(["gcc", "-w", "-DNATIVE", "-o", executable, path], check=True)
    run = subprocess.run([executable], check=True, capture_output=True, text=True)
    return run.stdout.split()


def with_values(path: Path, values: list[str]) -> str:
    defines = [f"#define VALUE_{number} {value}ULL" for number, value in enumerate(values)]
    text = path.read_text().replace('#include "values.h"', (FOLDER / "values.h").read_text())
    return "\n".join([*defines, text])


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_values_are_those_of_gcc(path: Path, c: Lowering) -> None:
    values = native_values(path, c.folder)
    assert len(values) > 20
    assert c.answer(with_values(path, values)) is Answer.SAFE


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_another_value_is_a_bug(path: Path, c: Lowering) -> None:
    values = native_values(path, c.folder)
    values[-1] = str(int(values[-1]) ^ 1)
    assert c.answer(with_values(path, values)) is Answer.BUG
