"""Single runs: the same seed gives the same run, and every run can be followed again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sley.base.budget import Budget
from sley.base.errors import InputError
from sley.evidence.replay import record, replay
from sley.evidence.trace import ScheduleStep
from sley.passes.pipeline import prepare
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.execution import random_run, read_schedule, write_schedule
from tests.textual.parser import parse_program

LOST_UPDATE = """
program lp64
global counter : i32 = 0 as "counter"
function main() -> i32 {
  reg a : i64
  reg b : i64
  reg c : i32
  entry 0 exit 9
  0 -> 1 : create a, worker()
  1 -> 2 : create b, worker()
  2 -> 3 : join a
  3 -> 4 : join b
  4 -> 5 : load c, counter
  5 -> 6 : check (= c 2:i32), reach assertion "assertion can fail"
  6 -> 9 : return 0:i32
}
function worker() -> i64 {
  reg t : i32
  entry 20 exit 29
  20 -> 21 : load t, counter
  21 -> 22 : store counter, (bvadd t 1:i32)
  22 -> 29 : return 0:i64
}
"""

ALWAYS_STUCK = """
program lp64
global m : i32 = 0 as "m"
function main() -> i32 {
  entry 0 exit 9
  0 -> 1 : lock m
  1 -> 2 : lock m
  2 -> 9 : return 0:i32
}
"""


@pytest.fixture(scope="module")
def program() -> Program:
    return prepare(parse_program(LOST_UPDATE))


def test_the_same_seed_gives_the_same_run(program: Program) -> None:
    assert random_run(program, 3, Budget()) == random_run(program, 3, Budget())


def test_seeds_lead_to_different_endings_and_all_can_be_repeated(program: Program) -> None:
    endings = set()
    for seed in range(40):
        run = random_run(program, seed, Budget())
        endings.add(run.ending)
        if run.failure is None:
            threads, events = record(program, run.schedule)
            assert len(threads) == 3
            assert events
        else:
            assert replay(program, run.schedule, run.failure).schedule == run.schedule
    assert endings == {"assertion can fail", "the program ends"}


def test_a_run_that_is_stuck_is_a_deadlock() -> None:
    program = prepare(parse_program(ALWAYS_STUCK))
    run = random_run(program, 0, Budget())
    assert run.failure is not None
    assert run.failure.property is Property.DEADLOCK
    assert replay(program, run.schedule, run.failure).failure == run.failure


steps = st.builds(ScheduleStep, st.integers(0, 9), st.lists(st.integers(0, 2**64 - 1), max_size=3).map(tuple))


@given(st.lists(steps, max_size=5).map(tuple))
def test_schedules_survive_writing_and_reading(schedule: tuple[ScheduleStep, ...]) -> None:
    assert read_schedule(write_schedule(schedule), "s.txt") == schedule


@pytest.mark.parametrize("text", ["0\nx\n", "0\n-1\n", "0\n1 2.5\n"])
def test_a_wrong_line_is_named(text: str) -> None:
    with pytest.raises(InputError, match=r"s\.txt:2:1: "):
        read_schedule(text, "s.txt")


def test_comments_and_empty_lines_are_ignored() -> None:
    assert read_schedule("# main\n\n0  # first\n1 7\n", "s.txt") == (ScheduleStep(0), ScheduleStep(1, (7,)))
