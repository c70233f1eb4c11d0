"""The programs that symmetric engines are measured with: what the table says about them is right."""

import pytest
from bench.symmetry.published import FOLDER, SETTINGS, TABLE, Row

from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from sley.verification.property_files import Selection
from sley.verification.result import Answer
from sley.verification.task import Granularity, Limits, Task
from sley.verification.verify import verify
from tests.limits import AMPLE

REACH = PROPERTY_GROUPS["reach"]
SLOW_WITH_THREE = ("max-simple-lock", "max-simple-cas")
"""Seconds each with three threads."""
PARAMETRIC = tuple(row for row in TABLE if row.is_parametric)
SAFE = tuple(
    (row, threads)
    for row in TABLE
    for threads in ((2, 3) if row.is_parametric else (row.threads,))
    if threads == 2 or row.name not in SLOW_WITH_THREE
)


def answer(
    row: Row,
    threads: int,
    properties: frozenset[Property],
    *,
    is_unsafe: bool = False,
    granularity: Granularity = Granularity.ACCESS,
) -> Answer:
    """What the exhaustive search says about the program with this many threads."""
    macros = row.defines(threads, is_unsafe=is_unsafe, is_small=True)
    task = Task(
        paths=(row.path,),
        selection=Selection(properties),
        granularity=granularity,
        defines=tuple(f"{name}={value}" for name, value in macros.items()),
        limits=Limits(seconds=AMPLE),
        engines=("explore",),
    )
    return verify(task).answer


def label(value: object) -> str:
    return value.name if isinstance(value, Row) else str(value)


def test_the_table_is_complete() -> None:
    assert [row.number for row in TABLE] == list(range(1, 25))
    assert len({row.name for row in TABLE}) == len(TABLE)
    assert {row.file for row in TABLE} == {path.name for path in FOLDER.glob("*.c")}
    assert all(len(row.outcomes) == len(SETTINGS) for row in TABLE)
    assert len(PARAMETRIC) == 14


@pytest.mark.parametrize(("row", "threads"), SAFE, ids=label)
def test_programs_are_safe(row: Row, threads: int) -> None:
    assert answer(row, threads, ALL_PROPERTIES) is Answer.SAFE


@pytest.mark.parametrize("row", TABLE, ids=label)
def test_programs_are_safe_in_steps_of_statements(row: Row) -> None:
    threads = 2 if row.is_parametric else row.threads
    assert answer(row, threads, REACH, granularity=Granularity.STATEMENT) is Answer.SAFE


@pytest.mark.parametrize("granularity", list(Granularity), ids=lambda one: one.value)
@pytest.mark.parametrize("row", TABLE, ids=label)
def test_unsafe_variants_fail(row: Row, granularity: Granularity) -> None:
    assert answer(row, row.smallest, REACH, is_unsafe=True, granularity=granularity) is Answer.BUG


@pytest.mark.parametrize("row", PARAMETRIC, ids=label)
def test_unsafe_variants_do_not_fail_with_fewer_threads(row: Row) -> None:
    assert answer(row, row.smallest - 1, REACH, is_unsafe=True) is Answer.SAFE
