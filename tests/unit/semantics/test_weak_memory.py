"""The machine of C11 against the definition: the same outcomes on random litmus programs."""

import pytest

from tests.unit.semantics.random_litmus import defined_outcomes, machine_outcomes, random_litmus

SEEDS = 10


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_machine_reads_what_the_axioms_allow(seed: int) -> None:
    threads = random_litmus(seed, 4)
    assert machine_outcomes(threads) == defined_outcomes(threads)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_machine_finds_the_races_that_happens_before_does_not_order(seed: int) -> None:
    threads = random_litmus(seed, 4, "z")
    defined, has_race = defined_outcomes(threads)
    found, found_race = machine_outcomes(threads)
    assert found_race == has_race
    assert has_race or found == defined
