"""Looks at few threads before the search."""

from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError
from sley.engines.explore.algorithm import Explorer
from sley.engines.explore.few import AwakeExplorer, FewExplorer, violations_of_few
from sley.frontend.load import load
from sley.passes.frozen import specialise
from sley.passes.pipeline import prepare
from sley.program.properties import ALL_PROPERTIES, Property
from sley.semantics.machine import StateMachine

FOLDER = Path(__file__).parents[2] / "programs" / "many_threads"


def explorer_of(name: str, tmp_path: Path, number: int) -> Explorer:
    """A search of a program with fewer threads."""
    path = tmp_path / f"{name}.c"
    path.write_text((FOLDER / f"{name}.c").read_text().replace("#define N 10000", f"#define N {number}"))
    program = specialise(prepare(load((path,)), ALL_PROPERTIES))
    return Explorer(StateMachine(program), ALL_PROPERTIES, None, Budget())


def test_a_bug_between_kinds_of_which_one_is_created_first(tmp_path: Path) -> None:
    explorer = explorer_of("two_kinds_apart", tmp_path, 40)
    few = FewExplorer(explorer)
    few.search()
    assert not few.violations
    ((failure, schedule),) = violations_of_few(explorer).items()
    assert failure.property is Property.REACH
    assert len({step.thread for step in schedule}) <= 5  # main, and two of each kind


def test_nothing_is_found_where_nothing_is_wrong(tmp_path: Path) -> None:
    assert not violations_of_few(explorer_of("two_kinds", tmp_path, 40))


def test_main_goes_first(tmp_path: Path) -> None:
    explorer = explorer_of("two_kinds_apart", tmp_path, 40)
    look = AwakeExplorer(explorer)
    look.left = 0
    with pytest.raises(BudgetExhaustedError):
        look.search()
    assert max(len(state.threads) for state in look.graph.states) == 81
