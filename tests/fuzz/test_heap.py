"""A small part of the campaign about heap blocks."""

from pathlib import Path

import pytest

from tests.fuzz.heap import compared
from tests.fuzz.heap_programs import HeapGenerator


@pytest.mark.parametrize("seed", range(24))
def test_engines_agree_about_heap_blocks(seed: int, tmp_path: Path) -> None:
    found = compared(seed, tmp_path / "random.c", max_states=1_000, seconds=2.0)
    assert found.problem is None


def test_same_seed_same_program() -> None:
    assert HeapGenerator(7).program() == HeapGenerator(7).program()
    assert HeapGenerator(7).program() != HeapGenerator(8).program()
