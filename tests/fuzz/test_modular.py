"""A small part of the campaign that ``python -m tests.fuzz.modular`` runs."""

from pathlib import Path

import pytest

from tests.fuzz.modular import compared, random_pair


@pytest.mark.parametrize("seed", range(20))
def test_modular_agrees_with_explore(seed: int, tmp_path: Path) -> None:
    found = compared(random_pair(seed), tmp_path / "random.c", max_states=2_000, seconds=0.5)
    assert found.problem is None


def test_same_seed_same_pair() -> None:
    assert random_pair(7) == random_pair(7)
    assert random_pair(7) != random_pair(8)
