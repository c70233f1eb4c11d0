"""Loops that join all threads that another loop created: which are found, and which only look like it."""

from pathlib import Path

import pytest

from sley.analyses.join_loops import JoinLoop, find_join_loops
from sley.analyses.pointers import PointsTo
from sley.analyses.threads import Creations
from sley.frontend.load import load
from sley.passes.frozen import specialise
from sley.passes.pipeline import prepare
from sley.program.properties import ALL_PROPERTIES

FOLDER = Path(__file__).parents[2] / "programs" / "many_threads"


def loops_of(path: Path) -> tuple[JoinLoop, ...]:
    program = specialise(prepare(load((path,), keeps_frames=True), ALL_PROPERTIES))
    return find_join_loops(Creations(program), PointsTo(program))


@pytest.mark.parametrize("name", ["counter_lock", "joined", "any_number", "own_element", "rounds", "table"])
def test_a_loop_joins_all(name: str) -> None:
    (loop,) = loops_of(FOLDER / f"{name}.c")
    assert loop.is_right


def test_two_arrays_are_told_apart() -> None:
    assert len(loops_of(FOLDER / "two_sites.c")) == 1
    assert len({loop.create for loop in loops_of(FOLDER / "two_sites_joined.c")}) == 2


def test_who_is_joined_twice_may_be_wrong() -> None:
    assert [loop.is_right for loop in loops_of(FOLDER / "joined_twice.c")] == [False, False]


@pytest.mark.parametrize(
    "name",
    [
        "any_number_race",
        "bound_changes",
        "bound_changes_by_thread",
        "created_twice",
        "id_overwritten",
        "id_overwritten_by_thread",
        "joins_every_second",
        "joins_fewer",
        "left_early",
        "not_joined_race",
        "same_slot",
    ],
)
def test_others_only_look_like_it(name: str) -> None:
    assert loops_of(FOLDER / f"{name}.c") == ()
