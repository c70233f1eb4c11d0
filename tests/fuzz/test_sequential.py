"""Sequential C means what gcc says; ``python -m tests.fuzz.sequential`` runs as many seeds as wanted."""

from pathlib import Path

import pytest

from tests.fuzz.sequential import asserting, observed, problems, random_sequential

SEEDS = range(20)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tool_agrees_with_gcc(seed: int, tmp_path: Path) -> None:
    assert list(problems(seed, tmp_path)) == []


def test_same_seed_same_program() -> None:
    assert random_sequential(7) == random_sequential(7)
    assert random_sequential(7) != random_sequential(8)


def test_the_oracle_runs_the_program(tmp_path: Path) -> None:
    program = "int main(void) { CHECK(0, (unsigned char)300); CHECK(1, -7 / 2); return 0; }"
    assert observed(program, tmp_path) == [44, -3]
    assert "#define EXPECTED_1 (-2ll - 1)" in asserting(program, [44, -3])
