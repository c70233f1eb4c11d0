"""Single instructions, by the reference interpreter and compiled, on programs in textual form."""

import pytest

from sley.base.errors import GaveUpError
from sley.semantics.machine import StateMachine, Successor
from sley.semantics.state import CUT, ENDED, EXITED, State
from sley.semantics.values import Computed, NeedsSplitError, Undetermined
from tests.textual.parser import parse_program

BOTH = pytest.mark.parametrize("is_compiled", [True, False], ids=["compiled", "reference"])


def machine(body: str, is_compiled: bool, declarations: str = "") -> StateMachine:
    head = f"program lp64\nglobal x : i32 = 5\n{declarations}\n"
    return StateMachine(
        parse_program(f"{head}thread main() -> i32 {{\n{body}\n}}\n"), is_compiled=is_compiled
    )


def steps(made: StateMachine, count: int) -> tuple[State | None, Successor]:
    """Let main take steps that have one outcome each."""
    state: State | None = made.initial()
    outcome = None
    for _ in range(count):
        assert state is not None
        (outcome,) = made.successors(state, 0)
        state = outcome.state
    assert outcome is not None
    return state, outcome


@BOTH
def test_load_and_store(is_compiled: bool) -> None:
    made = machine(
        """  reg t : i32
  entry 0 exit 3
  0 -> 1 : load t, x
  1 -> 2 : store x, (bvadd t 1:i32)
  2 -> 3 : end return""",
        is_compiled,
    )
    state, _ = steps(made, 2)
    assert state is not None
    assert state.cells == (6,)
    _, outcome = steps(made, 3)
    assert outcome.thread == ENDED


@BOTH
def test_bytes_of_a_cell_are_little_endian(is_compiled: bool) -> None:
    made = machine(
        """  reg b : i8
  entry 0 exit 4
  0 -> 1 : store x, 0x11223344:i32
  1 -> 2 : load b, x+1
  2 -> 3 : store x+3, b
  3 -> 4 : end return""",
        is_compiled,
    )
    state, _ = steps(made, 3)
    assert state is not None
    assert state.cells == (0x33223344,)


@BOTH
def test_an_access_outside_is_a_fault_or_cuts(is_compiled: bool) -> None:
    body = """  reg t : i32
  entry 0 exit 2
  0 -> 1 : load t, x+4
  1 -> 2 : end return"""
    _, outcome = steps(machine(body, is_compiled), 1)
    assert outcome.thread is CUT
    with_fault = body + '\n  0 -> 9 : fault load t, x+4\n  error 9 : deref invalid-dereference "invalid"'
    _, outcome = steps(machine(with_fault, is_compiled), 1)
    assert outcome.thread == (9,)


@BOTH
def test_lock_blocks_while_the_cell_is_not_zero(is_compiled: bool) -> None:
    made = machine(
        """  entry 0 exit 3
  0 -> 1 : lock m
  1 -> 2 : lock m
  2 -> 3 : end return""",
        is_compiled,
        declarations="global m : i32 = 0",
    )
    state, _ = steps(made, 1)
    assert state is not None
    assert state.cells == (5, 1)
    assert made.successors(state, 0) == []


@BOTH
def test_unlock_of_a_lock_that_is_not_held_cuts(is_compiled: bool) -> None:
    made = machine(
        "  entry 0 exit 2\n  0 -> 1 : unlock m\n  1 -> 2 : end return", is_compiled, "global m : i32 = 7"
    )
    _, outcome = steps(made, 1)
    assert outcome.thread is CUT


@BOTH
def test_an_atomic_section_that_cannot_complete_blocks(is_compiled: bool) -> None:
    made = machine(
        """  reg t : i32
  entry 0 exit 5
  0 -> 1 : atomic_begin
  1 -> 2 : load t, x
  2 -> 3 : await (= t 0:i32)
  3 -> 4 : atomic_end
  4 -> 5 : end return""",
        is_compiled,
    )
    assert made.successors(made.initial(), 0) == []


@BOTH
def test_create_join_and_the_exit_value(is_compiled: bool) -> None:
    text = """program lp64
global r : i64
thread main() -> i32 {
  reg h : i64
  reg v : i64
  entry 0 exit 4
  0 -> 1 : create h, worker(41:i64)
  1 -> 2 : join v, h
  2 -> 3 : store r, v
  3 -> 4 : end return
}
thread worker(a : i64) -> i64 {
  entry 10 exit 11
  10 -> 11 : exit (bvadd a 1:i64)
}
"""
    made = StateMachine(parse_program(text), is_compiled=is_compiled)
    (created,) = made.successors(made.initial(), 0)
    assert created.state is not None
    assert made.successors(created.state, 0) == []
    (ended,) = made.successors(created.state, 1)
    assert ended.thread == (EXITED, 42)
    assert ended.state is not None
    (joined,) = made.successors(ended.state, 0)
    assert joined.state is not None
    (stored,) = made.successors(joined.state, 0)
    assert stored.state is not None
    assert stored.state.cells == (42,)


@BOTH
def test_an_input_is_split_where_it_is_compared(is_compiled: bool) -> None:
    made = machine(
        """  reg i : i32
  entry 0 exit 3
  0 -> 1 : havoc i, input
  1 -> 2 : assume (bvslt i 3:i32)
  1 -> 3 : assume (not (bvslt i 3:i32))
  2 -> 4 : store x, i
  3 -> 5 : end return
  4 -> 5 : end return""",
        is_compiled,
    )
    outcomes = made.successors(made.initial(), 0)
    assert sorted(o.thread[0] for o in outcomes) == [2, 3]
    value = next(o.thread[1] for o in outcomes if o.thread[0] == 2)
    assert isinstance(value, Undetermined)
    assert value.ranges == ((0, 2), (0x80000000, 0xFFFFFFFF))


@BOTH
def test_arithmetic_on_an_input_is_kept_as_a_term(is_compiled: bool) -> None:
    made = machine(
        """  reg i : i32
  reg t : i32
  entry 0 exit 6
  0 -> 1 : havoc i, input
  1 -> 2 : store x, (bvadd i 1:i32)
  2 -> 3 : load t, x
  3 -> 4 : assume (= t 5:i32)
  3 -> 5 : assume (not (= t 5:i32))
  4 -> 6 : store x, i
  5 -> 6 : end return""",
        is_compiled,
    )
    state, outcome = steps(made, 2)
    assert state is not None
    assert isinstance(state.cells[0], Computed)
    assert len(outcome.choices) == 0
    with pytest.raises(NeedsSplitError) as question:
        made.successors(state, 0)
    (five, four), *_ = [(part.cells[0], part.threads[0][1]) for _, part in made.split(state, question.value)]
    assert (five, four) == (5, 4)


def storing_bytes(sort: str) -> str:
    """What is written into the middle of a cell must be known."""
    return f"""  reg i : {sort}
  entry 0 exit 3
  0 -> 1 : havoc i, input
  1 -> 2 : store x+1, i
  2 -> 3 : end return"""


@BOTH
def test_a_small_input_is_enumerated_where_its_bytes_are_needed(is_compiled: bool) -> None:
    made = machine(storing_bytes("i8"), is_compiled)
    (outcome,) = made.successors(made.initial(), 0)
    assert outcome.state is not None
    with pytest.raises(NeedsSplitError) as question:
        made.successors(outcome.state, 0)
    assert len(list(made.split(outcome.state, question.value))) == 256


@BOTH
def test_bytes_of_a_large_input_are_given_up_on(is_compiled: bool) -> None:
    made = machine(storing_bytes("i16"), is_compiled)
    (outcome,) = made.successors(made.initial(), 0)
    assert outcome.state is not None
    with pytest.raises(GaveUpError, match="too many possible values"):
        made.successors(outcome.state, 0)
