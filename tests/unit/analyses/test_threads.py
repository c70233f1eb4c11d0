from sley.analyses.threads import Creations, Instances
from sley.program.program import Program
from tests.unit.analyses.programs import parsed

PROGRAM = """
thread main() {
  reg h : i64
  reg c : bool
  entry 0 exit 9
  0 -> 1 : create h, once(0:i64)
  1 -> 2 : create h, twice(0:i64)
  2 -> 3 : create h, twice(0:i64)
  3 -> 4 : create h, looped(0:i64)
  4 -> 3 : assume c
  4 -> 5 : assume (not c)
  5 -> 9 : end return
}
thread once(a : i64) {
  reg h : i64
  entry 10 exit 19
  10 -> 11 : create h, nested(0:i64)
  11 -> 19 : exit
}
thread twice(a : i64) {
  reg h : i64
  entry 20 exit 29
  20 -> 21 : create h, below_many(0:i64)
  21 -> 29 : exit
}
thread looped(a : i64) {
  entry 30 exit 39
  30 -> 39 : exit
}
thread nested(a : i64) {
  reg h : i64
  entry 40 exit 49
  40 -> 41 : create h, recursive(0:i64)
  41 -> 49 : exit
}
thread below_many(a : i64) {
  entry 50 exit 59
  50 -> 59 : exit
}
thread never(a : i64) {
  reg h : i64
  entry 60 exit 69
  60 -> 61 : create h, looped(0:i64)
  61 -> 69 : exit
}
thread recursive(a : i64) {
  reg h : i64
  entry 70 exit 79
  70 -> 71 : create h, recursive(0:i64)
  71 -> 79 : exit
}
"""


def creations(text: str) -> tuple[Program, Creations]:
    program = parsed(text)
    return program, Creations(program)


def test_numbers_of_threads() -> None:
    _, found = creations(PROGRAM)
    assert found.instances == {
        "main": Instances.ONE,
        "once": Instances.ONE,
        "twice": Instances.MANY,
        "looped": Instances.MANY,
        "nested": Instances.ONE,
        "below_many": Instances.MANY,
        "never": Instances.NONE,
        "recursive": Instances.MANY,
    }


def test_locations_that_can_be_reached() -> None:
    _, found = creations(PROGRAM)
    assert {0, 5, 40, 50} <= found.reachable
    assert not {60, 61} & found.reachable
