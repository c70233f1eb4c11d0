"""What decides whether something runs."""

from dataclasses import replace

from sley.analyses.control_dependence import deciding_branches
from sley.program.properties import Failure, Property
from tests.unit.analyses.test_loops import graph


def test_both_ways_of_a_branch_but_not_what_follows() -> None:
    decided = deciding_branches(graph((0, 1), (0, 2), (1, 3), (2, 3), (3, 99)))
    assert decided == {1: (0,), 2: (0,)}


def test_a_loop_decides_on_its_next_round() -> None:
    decided = deciding_branches(graph((0, 1), (1, 2), (2, 1), (1, 99)))
    assert decided == {1: (1,), 2: (1,)}


def test_the_inner_branch_decides() -> None:
    decided = deciding_branches(graph((0, 1), (0, 4), (1, 2), (1, 3), (2, 3), (3, 4), (4, 99)))
    assert decided == {1: (0,), 2: (1,), 3: (0,)}


def test_only_what_fails_depends_on_a_check() -> None:
    failing = replace(
        graph((0, 1), (0, 7), (1, 99)), errors={7: Failure(Property.REACH, "assertion", "it fails")}
    )
    assert deciding_branches(failing) == {7: (0,)}


def test_an_endless_loop() -> None:
    decided = deciding_branches(graph((0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1)))
    assert decided[2] == decided[3] == (1,)
