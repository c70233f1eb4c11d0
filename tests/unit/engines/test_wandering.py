"""Random runs before the search: they find what a few of very many threads do to each other."""

from pathlib import Path

from sley.analyses.threads import Creations
from sley.base.budget import Budget
from sley.engines.explore.algorithm import Explorer
from sley.engines.explore.wandering import wander
from sley.frontend.load import load
from sley.passes.frozen import specialise
from sley.passes.pipeline import prepare
from sley.program.properties import ALL_PROPERTIES, Property
from sley.semantics.machine import StateMachine

FOLDER = Path(__file__).parents[2] / "programs" / "many_threads"


def wandered(name: str) -> Explorer:
    program = specialise(prepare(load((FOLDER / f"{name}.c",)), ALL_PROPERTIES))
    assert Creations(program).is_in_loop
    explorer = Explorer(StateMachine(program), ALL_PROPERTIES, None, Budget())
    wander(explorer)
    return explorer


def test_a_race_between_two_of_ten_thousand() -> None:
    ((failure, schedule),) = wandered("counter_race").violations.items()
    assert failure.property is Property.RACE
    assert len(schedule) < 300


def test_nothing_is_found_where_nothing_is_wrong() -> None:
    assert not wandered("joined").violations
