"""The search on programs in textual form: what it finds, and how much work the reduction saves."""

import pytest

from sley.base.budget import Budget
from sley.engines.explore.engine import explore
from sley.engines.explore.options import ExploreOptions
from sley.evidence.verdict import Claimed, Unknown, Unsafe
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES
from tests.textual.parser import parse_program

MAIN = """program lp64
global x : i32
global y : i32
global m : i32
thread main() -> i32 {
  reg a : i64
  reg b : i64
  entry 0 exit 9
  0 -> 1 : create a, worker(0:i64)
  1 -> 2 : create b, worker(1:i64)
  2 -> 3 : join a
  3 -> 4 : join b
  4 -> 9 : end return
}
"""


def program(worker: str) -> Program:
    return parse_program(MAIN + "thread worker(arg : i64) -> i64 {\n  reg t : i32\n" + worker + "}\n")


LOCKED = """  entry 20 exit 29
  20 -> 21 : lock m
  21 -> 22 : load t, x "x"
  22 -> 23 : store x "x", (bvadd t 1:i32)
  23 -> 24 : load t, y "y"
  24 -> 25 : store y "y", (bvadd t 1:i32)
  25 -> 26 : unlock m
  26 -> 29 : exit 0:i64
"""

CUT = """  entry 20 exit 29
  20 -> 21 : store x @seq_cst "x", 1:i32
  21 -> 22 : assume false
  22 -> 29 : exit 0:i64
"""

SPINNING = """  entry 20 exit 29
  20 -> 20 : assume (= arg 0:i64)
  20 -> 21 : assume (not (= arg 0:i64))
  21 -> 22 : store x @seq_cst "x", 1:i32
  22 -> 23 : assume false
  22 -> 28 : assume true
  23 -> 29 : exit 0:i64
  error 28 : reach assertion "reached"
"""


@pytest.mark.parametrize(
    ("options", "states"),
    [
        (ExploreOptions(reduction=False), 57),
        (ExploreOptions(thread_symmetry=False), 33),
        (ExploreOptions(), 19),
    ],
)
def test_a_critical_section_is_one_step_for_the_others(options: ExploreOptions, states: int) -> None:
    """The counts are pinned, so that the reduction cannot get worse in silence."""
    verdict, statistics = explore(program(LOCKED), ALL_PROPERTIES, options, Budget())
    assert isinstance(verdict, Claimed)
    assert statistics["states"] == states


@pytest.mark.parametrize("reduction", [True, False])
def test_a_thread_that_spins_does_not_hide_the_others(reduction: bool) -> None:
    verdict, _ = explore(program(SPINNING), ALL_PROPERTIES, ExploreOptions(reduction=reduction), Budget())
    assert isinstance(verdict, Unsafe)


def test_a_limit_is_never_safe() -> None:
    verdict, _ = explore(program(LOCKED), ALL_PROPERTIES, ExploreOptions(max_states=10), Budget())
    assert isinstance(verdict, Unknown)
    assert "10 states" in verdict.reason


def test_a_cut_run_is_not_a_deadlock() -> None:
    verdict, _ = explore(program(CUT), ALL_PROPERTIES, ExploreOptions(), Budget())
    assert isinstance(verdict, Claimed)
