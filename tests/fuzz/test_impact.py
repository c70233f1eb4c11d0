"""A small part of the campaign that ``python -m tests.fuzz.impact`` runs."""

from pathlib import Path

import pytest

from tests.fuzz.impact import compared, random_triple


@pytest.mark.parametrize("seed", range(60))
def test_impact_agrees_with_explore(seed: int, tmp_path: Path) -> None:
    found = compared(random_triple(seed), tmp_path / "random.c", max_states=2_000, seconds=1.0)
    assert found.problem is None


def test_same_seed_same_triple() -> None:
    assert random_triple(7) == random_triple(7)
    assert random_triple(7) != random_triple(8)
