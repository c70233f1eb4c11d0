"""Which cells of large objects are kept, and which heap blocks are made once."""

from pathlib import Path

import pytest

from sley.analyses.allocations import allocation_after_free, repeated_allocation
from sley.analyses.blurring import kept_cells
from sley.analyses.pointers import PointsTo
from sley.analyses.threads import Creations
from sley.frontend.load import load
from sley.passes.frozen import specialise
from sley.passes.pipeline import prepare
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES

HEADER = "#include <pthread.h>\n#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\n"


def program_of(folder: Path, text: str) -> Program:
    path = folder / "prog.c"
    path.write_text(HEADER + text)
    return specialise(prepare(load((path,)), ALL_PROPERTIES))


def kept(folder: Path, text: str) -> list[tuple[int, ...]]:
    program = program_of(folder, text)
    return list(kept_cells(program, PointsTo(program)).values())


def test_cells_with_constant_indices_are_kept(tmp_path: Path) -> None:
    text = "int a[100]; int main(void) { a[__VERIFIER_nondet_int()] = 1; a[3] = 2; return a[99]; }"
    assert kept(tmp_path, text) == [(3, 99)]


@pytest.mark.parametrize(
    "text",
    [
        "int a[30]; int main(void) { a[__VERIFIER_nondet_int()] = 1; return 0; }",
        "int a[100]; int main(void) { a[3] = 1; return 0; }",
    ],
)
def test_small_objects_and_such_without_indices_stay(tmp_path: Path, text: str) -> None:
    assert kept(tmp_path, text) == []


@pytest.mark.parametrize(
    ("text", "is_repeated", "is_after"),
    [
        ("int main(void) { int *p = malloc(4); *p = 1; free(p); return 0; }", False, False),
        ("int main(void) { while (1) { int *p = malloc(4); *p = 1; } }", True, False),
        ("int *q; int main(void) { free(malloc(4)); q = malloc(4); return 0; }", False, True),
        (
            "int *q; void *f(void *p) { free(p); return 0; } int main(void) { pthread_t t;"
            " pthread_create(&t, 0, f, malloc(4)); q = malloc(8); return 0; }",
            False,
            True,
        ),
        (
            "void *f(void *p) { p = malloc(4); free(p); return 0; } int main(void) { pthread_t t;"
            " pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); return 0; }",
            True,
            True,
        ),
    ],
)
def test_blocks_that_are_made_once(tmp_path: Path, text: str, is_repeated: bool, is_after: bool) -> None:
    creations = Creations(program_of(tmp_path, text))
    assert (repeated_allocation(creations, {"main"}) is not None) == is_repeated
    assert (allocation_after_free(creations) is not None) == is_after
