"""A small part of the campaign that ``make fuzz`` runs."""

from pathlib import Path

import pytest

from tests.fuzz.laws import disagreements, interpreter_disagreements, loaded
from tests.fuzz.random_programs import random_program


@pytest.mark.parametrize("seed", range(40))
def test_fast_and_slow_ways_agree(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "random.c"
    path.write_text(random_program(seed))
    program = loaded(path)
    assert [*disagreements(program, max_states=3_000), *interpreter_disagreements(program)] == []


def test_same_seed_same_program() -> None:
    assert random_program(7) == random_program(7)
    assert random_program(7) != random_program(8)
