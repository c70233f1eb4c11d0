"""Which stores have to be delayed; that these are enough is tested in tests/passes/test_store_buffers.py."""

import pytest

from sley.analyses.critical_cycles import delayed_stores
from sley.analyses.shared_cells import SharedCells
from sley.program.memory_model import MemoryModel
from tests.textual.parser import parse_program

PROGRAM = """
program lp64
global x : i32
global y : i32
global m : i32
thread main() -> i32 {
  reg a : i64
  reg b : i64
  reg t : i32
  entry 0 exit 9
  0 -> 1 : store x, 0:i32
  1 -> 2 : create a, first()
  2 -> 3 : create b, second()
  3 -> 4 : join a
  4 -> 5 : join b
  5 -> 6 : store y, 3:i32
  6 -> 7 : load t, x
  7 -> 9 : end return
}
thread first() -> i32 {
  reg t : i32
  entry 20 exit 29
  20 -> 21 : BEGIN
  21 -> 22 : store x ORDER, 1:i32
  22 -> 23 : BETWEEN
  23 -> 24 : LATER
  24 -> 25 : FINISH
  25 -> 29 : exit 0:i32
}
thread second() -> i32 {
  reg t : i32
  entry 30 exit 39
  30 -> 31 : BEGIN
  31 -> 32 : store y, 1:i32
  32 -> 33 : fence relaxed full
  33 -> 34 : load t, x
  34 -> 35 : FINISH
  35 -> 39 : exit 0:i32
}
"""

PLAIN = {"BEGIN": "skip", "ORDER": "", "BETWEEN": "skip", "LATER": "load t, y", "FINISH": "skip"}
TSO, PSO = MemoryModel.TSO, MemoryModel.PSO


@pytest.mark.parametrize(
    ("change", "model", "expected"),
    [
        ({}, TSO, {21}),
        ({"BETWEEN": "fence relaxed full"}, TSO, set()),
        ({"BETWEEN": "fence relaxed lightweight"}, PSO, {21}),
        ({"BETWEEN": "lock m"}, TSO, set()),
        ({"ORDER": "@seq_cst"}, TSO, set()),
        ({"ORDER": "@release"}, TSO, {21}),
        ({"BEGIN": "lock m", "FINISH": "unlock m"}, PSO, set()),
        ({"LATER": "load t, x"}, TSO, set()),
        ({"LATER": "store y, 2:i32"}, TSO, set()),
        ({"LATER": "store y, 2:i32"}, PSO, {21}),
        ({"LATER": "store y, 2:i32", "BETWEEN": "fence relaxed stores"}, PSO, set()),
        ({"LATER": "store y @release, 2:i32"}, PSO, set()),
    ],
)
def test_stores_that_may_be_overtaken(change: dict[str, str], model: MemoryModel, expected: set[int]) -> None:
    text = PROGRAM
    for name, value in (PLAIN | change).items():
        text = text.replace(name, value)
    program = parse_program(text)
    assert delayed_stores(program, SharedCells(program), model) == expected
