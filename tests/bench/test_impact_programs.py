"""The programs that engines are measured with: what they say about themselves is right."""

from dataclasses import replace
from pathlib import Path

import pytest
from bench.impact.published import PROGRAMS, TABLE

from sley.engines.explore.options import ExploreOptions
from sley.program.properties import PROPERTY_GROUPS
from sley.verification.property_files import Selection
from sley.verification.result import Answer
from sley.verification.task import EngineOptions, Granularity, Limits, Task
from sley.verification.verify import verify
from tests.limits import AMPLE

FOLDER = Path(__file__).parents[2] / "bench" / "impact" / "programs"
ANSWERS = {"safe": Answer.SAFE, "bug": Answer.BUG}


def expected_of(path: Path) -> str:
    first = path.read_text().splitlines()[0]
    assert first.startswith("// expect: "), f"{path} does not say what is true of it"
    return first.removeprefix("// expect: ")


def task(path: Path, granularity: Granularity, max_states: int | None = None) -> Task:
    return Task(
        paths=(path,),
        selection=Selection(PROPERTY_GROUPS["reach"]),
        granularity=granularity,
        limits=Limits(seconds=AMPLE),
        engines=("explore",),
        options=EngineOptions(explore=ExploreOptions(max_states=max_states)),
    )


def test_all_published_programs_are_there() -> None:
    assert {path.stem for path in FOLDER.glob("*.c")} == set(PROGRAMS)
    assert all(set(rows) <= set(PROGRAMS) for rows in TABLE.values())


@pytest.mark.parametrize("granularity", list(Granularity), ids=lambda one: one.value)
@pytest.mark.parametrize("name", PROGRAMS)
def test_published_programs_have_the_published_answers(name: str, granularity: Granularity) -> None:
    path = FOLDER / f"{name}.c"
    assert expected_of(path) == PROGRAMS[name]
    assert verify(task(path, granularity)).answer is ANSWERS[PROGRAMS[name]]


@pytest.mark.parametrize("path", sorted((FOLDER / "tables").glob("*.c")), ids=lambda path: path.stem)
def test_programs_with_tables_are_safe(path: Path) -> None:
    assert expected_of(path) == "safe"
    by_impact = replace(task(path, Granularity.STATEMENT), engines=("impact",), options=EngineOptions())
    assert verify(by_impact).answer is Answer.SAFE


@pytest.mark.parametrize("path", sorted((FOLDER / "unbounded").glob("*.c")), ids=lambda path: path.stem)
def test_programs_without_end_are_understood(path: Path) -> None:
    assert expected_of(path) == "safe"
    result = verify(task(path, Granularity.ACCESS, max_states=500))
    assert result.answer is Answer.UNKNOWN
    assert result.reason is not None
    assert "states" in result.reason
