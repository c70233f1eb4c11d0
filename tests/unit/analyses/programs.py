"""Small programs in textual form that several tests use."""

from sley.analyses.accesses import ActionEffects
from sley.program.program import Program
from tests.textual.parser import parse_program


def parsed(text: str) -> Program:
    """The program, with the first line that all tests share."""
    return parse_program("program lp64\n" + text)


def names(accesses: ActionEffects, classes: int) -> set[str]:
    """The names of a set of classes."""
    return {name for index, name in enumerate(accesses.names) if classes >> index & 1}


COUNTER = """
global x : i32 = 0
global y : i32 = 0
global m : i32 = 0
thread main() {
  reg t : i32
  reg h : i64
  entry 0 exit 9
  0 -> 1 : create h, worker(0:i64)
  1 -> 2 : lock m
  2 -> 3 : load t, x
  3 -> 4 : store x, (bvadd t 1:i32)
  4 -> 5 : unlock m
  5 -> 6 : join h
  6 -> 9 : end return
}
thread worker(a : i64) -> i64 {
  reg t : i32
  entry 20 exit 29
  20 -> 21 : lock m
  21 -> 22 : load t, x
  22 -> 23 : store x, (bvadd t 1:i32)
  23 -> 24 : unlock m
  24 -> 25 : store y, 1:i32
  25 -> 29 : exit 0:i64
}
"""
"""Two threads increment x under a lock."""
