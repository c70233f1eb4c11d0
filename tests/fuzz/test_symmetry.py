"""A small part of the campaign for engine ``symmetry``."""

from pathlib import Path

import pytest

from tests.fuzz.symmetry import compared, random_triple


@pytest.mark.parametrize("seed", range(12))
def test_both_engines_agree(seed: int, tmp_path: Path) -> None:
    found = compared(random_triple(seed), tmp_path / "random.c", max_states=2_000, seconds=2.0)
    assert found.problem is None
