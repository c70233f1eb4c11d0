"""What the random programs are like: symmetric ones the same for all numbers of threads, safe or not."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS
from tests.fuzz.attempt_programs import attempt_program
from tests.fuzz.heap_programs import HeapGenerator
from tests.fuzz.laws import loaded, searched
from tests.fuzz.locking_programs import LockingGenerator
from tests.fuzz.random_programs import random_program
from tests.fuzz.sequential import asserting, observed, random_sequential
from tests.fuzz.symmetric_programs import symmetric_program
from tests.fuzz.written import FAMILIES, untouched
from tests.fuzz.written_programs import OPEN_COUNTS, Writer

REACH = PROPERTY_GROUPS["reach"]
MAIN = "int main(void)"


def is_safe(seed: int, threads: int, folder: Path) -> bool | None:
    """What the exhaustive search says; None if the program is too large."""
    path = folder / "symmetric.c"
    path.write_text(symmetric_program(seed, threads))
    explorer = searched(loaded(path, REACH), REACH, 3_000, is_reduced=True)
    if explorer is None:
        return None
    assert not explorer.gave_up
    return not explorer.violations


def test_programs_are_decided_and_more_threads_do_not_make_them_safe(tmp_path: Path) -> None:
    found = Counter((is_safe(seed, 2, tmp_path), is_safe(seed, 3, tmp_path)) for seed in range(20))
    assert found[False, True] == 0
    assert found[False, False] >= 6
    assert found[True, False] >= 1
    assert found[True, True] >= 8


@pytest.mark.parametrize("threads", [2, None])
def test_only_main_depends_on_the_number_of_threads(threads: int | None) -> None:
    for seed in range(50):
        parts = [symmetric_program(seed, number).partition(MAIN) for number in (3, threads)]
        assert parts[0][0] == parts[1][0]
        assert parts[0][2] != parts[1][2]


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: symmetric_program(seed, 2),
        attempt_program,
        random_program,
        random_sequential,
        lambda seed: HeapGenerator(seed).program(),
        lambda seed: LockingGenerator(seed).program(),
        *(lambda seed, family=family: family(seed).program() for family in FAMILIES.values()),
    ],
)
def test_same_seed_same_program(make: Callable[[int], str]) -> None:
    assert make(7) == make(7)
    assert make(7) != make(8)


def test_readers_try_again_or_do_what_is_nearly_that(tmp_path: Path) -> None:
    path, found = tmp_path / "attempts.c", Counter[str]()
    for seed in range(20, 55):
        path.write_text(attempt_program(seed))
        explorer = searched(loaded(path), ALL_PROPERTIES, 2_000, is_reduced=True)
        if explorer is not None and explorer.ineffectual is not None:
            found["violated" if explorer.violations else "safe"] += 1
            found["ineffectual"] += bool(explorer.ineffectual.places)
            found["rising"] += bool(explorer.ineffectual.relied)
    assert min(found[kind] for kind in ("violated", "safe", "ineffectual", "rising")) >= 3, found


@pytest.mark.parametrize("family", FAMILIES.values())
def test_programs_as_people_write_them_are_safe_or_not(family: type[Writer], tmp_path: Path) -> None:
    path, found = tmp_path / "written.c", Counter[bool]()
    for seed in range(12):
        path.write_text(family(seed).program(OPEN_COUNTS[0] if family(seed).is_open else None))
        explorer = searched(untouched(path, ALL_PROPERTIES), ALL_PROPERTIES, 2_000, is_reduced=False)
        if explorer is not None:
            found[bool(explorer.violations)] += 1
    assert found[True] >= 2
    assert found[False] >= 2


@pytest.mark.parametrize("family", FAMILIES.values())
def test_only_main_of_an_open_program_depends_on_the_number_of_threads(family: type[Writer]) -> None:
    is_open = [seed for seed in range(40) if family(seed).is_open]
    assert 2 < len(is_open) < 25
    for seed in is_open:
        texts = [family(seed).program(threads).partition(MAIN) for threads in (*OPEN_COUNTS, None)]
        assert len({before for before, _, _ in texts}) == 1
        assert len({main for _, _, main in texts}) == 3


def test_gcc_runs_sequential_programs(tmp_path: Path) -> None:
    program = "int main(void) { CHECK(0, (unsigned char)300); CHECK(1, -7 / 2); return 0; }"
    assert observed(program, tmp_path) == [44, -3]
    assert "#define EXPECTED_1 (-2ll - 1)" in asserting(program, [44, -3])
