"""What is constant is checked, and goes on, as what is not."""

from pathlib import Path

import pytest

from sley.frontend.load import load
from sley.passes.pipeline import prepare
from sley.program.program import Program
from sley.program.properties import PROPERTY_GROUPS

WRAPS = "signed overflow wraps around"
SHIFTS_OUT = "a shift by a negative number, or by the width or more, shifts all bits out"
ENDS = "a division by zero ends the run"


def prepared(text: str, folder: Path) -> Program:
    """The program with only ``reach`` selected."""
    path = folder / "program.c"
    path.write_text(f"#include <assert.h>\nint main(void) {{ {text} assert(0); }}\n")
    return prepare(load([path]), PROPERTY_GROUPS["reach"])


@pytest.mark.parametrize(
    ("constant", "variable", "assumption"),
    [
        ("int y = 2147483647 + 1;", "int x = 2147483647; int y = x + 1;", WRAPS),
        ("int y = -1 << 1;", "int x = -1; int y = x << 1;", WRAPS),
        ("int y = 1 << 31;", "int x = 1; int y = x << 31;", WRAPS),
        ("int y = (-2147483647 - 1) / -1;", "int x = -1; int y = (-2147483647 - 1) / x;", WRAPS),
        ("unsigned y = 1u << 32;", "int x = 32; unsigned y = 1u << x;", SHIFTS_OUT),
    ],
)
def test_what_nobody_asks_about_goes_on(
    constant: str, variable: str, assumption: str, tmp_path: Path
) -> None:
    for text in constant, variable:
        program = prepared(text, tmp_path)
        assert assumption in program.assumptions
        assert program.functions["main"].errors, "the failure behind it is there"


@pytest.mark.parametrize("text", ["int y = 1 / 0;", "int x = 0; int y = 1 % x;"])
def test_a_division_by_zero_ends_the_run(text: str, tmp_path: Path) -> None:
    program = prepared(text, tmp_path)
    assert ENDS in program.assumptions
    assert not program.functions["main"].errors


def test_what_cannot_happen_is_not_assumed(tmp_path: Path) -> None:
    program = prepared("int y = 2147483646 + 1; unsigned z = 1u << 31; int w = 6 / 3;", tmp_path)
    assert {WRAPS, SHIFTS_OUT, ENDS}.isdisjoint(program.assumptions)


def test_shifts_of_the_library_are_not_assumed_about(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
        "int main(void) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); return 0; }\n"
    )
    assert SHIFTS_OUT not in prepare(load([path]), PROPERTY_GROUPS["reach"]).assumptions
