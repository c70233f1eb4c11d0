"""The programs that engine `bmc` is measured with: what the catalogue says about them is right."""

from pathlib import Path

import pytest
from bench.catalogue import (
    ACCOUNT_RACES,
    ACCOUNTS,
    CONTAINERS,
    FIBONACCI,
    INCREMENTS,
    INDEXER,
    STORE_BUFFERING,
    SYNCHRONISATION,
    TWO_LOCKED,
)
from bench.families import FOLDER, Defines, Family, curves, exponent
from bench.fusion.instances import measured
from bench.fusion.published import TABLE
from bench.fusion.tables import FAMILIES, published_cells
from bench.likely.tables import FOLDER as LIKELY
from bench.likely.tables import SIZES, families, family_of, likely_cells
from bench.measure import NO_BUG, Measurement
from bench.order.tables import VARIANTS
from bench.scaling.tables import GROUPS

from sley.engines.explore.options import ExploreOptions
from sley.program.properties import PROPERTY_GROUPS
from sley.solvers.port import SolverAnswer
from sley.verification.property_files import Selection
from sley.verification.task import EngineOptions, Limits, Task
from sley.verification.verify import verify
from tests.limits import AMPLE

SMALL = {"fibonacci": 2, "indexer": 3, "synchronisation": 4}
"""By the start of a family's name, where the smallest size is too large for the exhaustive search."""
ALL = (
    *(*FIBONACCI, *INCREMENTS, TWO_LOCKED, *CONTAINERS, STORE_BUFFERING),
    *(*INDEXER, *ACCOUNTS, *ACCOUNT_RACES, *SYNCHRONISATION),
)


def answer(path: Path, properties: str, defines: Defines) -> str:
    task = Task(
        paths=(path,),
        selection=Selection(PROPERTY_GROUPS[properties]),
        defines=tuple(f"{name}={value}" for name, value in defines.items()),
        limits=Limits(seconds=AMPLE),
        engines=("explore",),
        options=EngineOptions(explore=ExploreOptions()),
    )
    return verify(task).answer.value.lower()


def small(family: Family) -> int:
    return next((n for start, n in SMALL.items() if family.name.startswith(start)), family.sizes[0])


@pytest.mark.parametrize("family", ALL, ids=lambda family: family.name)
def test_families_have_the_answer_they_announce(family: Family) -> None:
    expected = "safe" if family.expected == NO_BUG else family.expected
    assert answer(family.path, family.properties, family.defines(small(family))) == expected


LIKELY_NAMES = [path.stem for path in sorted(LIKELY.glob("*.c"))]


@pytest.mark.parametrize("name", LIKELY_NAMES)
def test_likely_programs_have_the_answer_they_announce(name: str) -> None:
    family = family_of(name, 1 if name == "priority_queue" else 3 if name == "rendezvous" else 2)
    assert answer(family.path, family.properties, family.defines(family.sizes[0])) == family.expected


def test_no_program_is_forgotten() -> None:
    assert {family.file for family in ALL} == {path.name for path in FOLDER.glob("*.c")}
    assert set(LIKELY_NAMES) <= set(SIZES) == {family.name for family, _ in families(SIZES)}
    assert set(TABLE) <= {family.name for family in FAMILIES}
    assert {family.name for _, group in GROUPS.values() for family in group.values()} <= {f.name for f in ALL}
    assert VARIANTS


@pytest.mark.parametrize("family", [ACCOUNT_RACES[0], FIBONACCI[1], STORE_BUFFERING], ids=lambda f: f.name)
def test_all_ways_to_instantiate_an_axiom_agree(family: Family) -> None:
    found = measured(family, 2, AMPLE)
    assert [way for way, one in found.items() if one.is_wrong(family)] == []
    assert found["all at once"].answer == found["lazy"].answer != SolverAnswer.UNKNOWN
    assert (found["lazy"].instances or 0) <= (found["all at once"].instances or 0)


def test_the_table_of_the_indexer_suffices() -> None:
    for family in INDEXER:
        for size in family.sizes:
            defines = family.defines(size)
            assert defines["THREADS"] * defines["MESSAGES"] <= 128
            assert 0 <= defines["GIVEN"] < 128


def test_the_exponent_of_a_power_is_found() -> None:
    assert exponent([(n, 3.0 * n**2) for n in (2, 4, 8)]) == pytest.approx(2.0)
    assert exponent([(2, 1.0), (4, 2.0)]) is None


def test_refused_runs_are_no_points() -> None:
    found = {"new": Measurement("exit code 2", 0.2), "old": Measurement("safe", 1.0)}
    assert list(curves([(2, found)])) == ["old"]


def test_missing_statistics_leave_cells_empty() -> None:
    assert likely_cells(Measurement("exit code 2", 0.2)) == ["", "", ""]
    assert published_cells(None) == ["", "", ""]
