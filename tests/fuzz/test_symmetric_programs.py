"""What the random symmetric programs are like: the same for all numbers of threads, safe or not."""

from collections import Counter
from pathlib import Path

import pytest

from sley.program.properties import PROPERTY_GROUPS
from tests.fuzz.laws import loaded, searched
from tests.fuzz.symmetric_programs import symmetric_program

REACH = PROPERTY_GROUPS["reach"]
MAIN = "int main(void)"


def is_safe(seed: int, threads: int, folder: Path) -> bool | None:
    """What the exhaustive search says; None if the program is too large."""
    path = folder / "symmetric.c"
    path.write_text(symmetric_program(seed, threads))
    explorer = searched(loaded(path, REACH), REACH, 20_000, is_reduced=True)
    if explorer is None:
        return None
    assert not explorer.findings.gave_up
    return not explorer.findings.violations


def test_programs_are_decided_and_more_threads_do_not_make_them_safe(tmp_path: Path) -> None:
    found = Counter((is_safe(seed, 2, tmp_path), is_safe(seed, 3, tmp_path)) for seed in range(40))
    assert found[False, True] == 0
    assert found[False, False] >= 8
    assert found[True, False] >= 1
    assert found[True, True] >= 15
    assert found.total() - found[True, None] >= 38


@pytest.mark.parametrize("threads", [2, None])
def test_only_main_depends_on_the_number_of_threads(threads: int | None) -> None:
    for seed in range(50):
        parts = [symmetric_program(seed, number).partition(MAIN) for number in (3, threads)]
        assert parts[0][0] == parts[1][0]
        assert parts[0][2] != parts[1][2]


def test_same_seed_same_program() -> None:
    assert symmetric_program(7, 2) == symmetric_program(7, 2)
    assert symmetric_program(7, 2) != symmetric_program(8, 2)
