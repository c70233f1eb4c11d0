"""Limits of inlining, and threads that run the entry."""

import pytest

from sley.base.errors import GaveUpError
from sley.passes.inline import InlineOptions, inline
from sley.program.instructions import Create, End, Exit, GiveUp
from sley.program.program import Program
from tests.textual.parser import parse_program
from tests.textual.validation import validate

TWICE = """
program lp64
function main() -> i32 {
  reg r : i32
  entry 0 exit 1
  0 -> 2 : call r, f(3:i32)
  2 -> 1 : return r
}
function f(n : i32) -> i32 as "fib" {
  reg r : i32
  entry 0 exit 1
  0 -> 2 : assume (= n 0:i32)
  0 -> 3 : assume (not (= n 0:i32))
  2 -> 1 : return n
  3 -> 4 : call r, f((bvadd n -1:i32))
  4 -> 5 : call r, f(r)
  5 -> 1 : return r
}
"""


def reasons(program: Program) -> set[str]:
    edges = program.functions["main"].edges
    return {e.instruction.reason for e in edges if isinstance(e.instruction, GiveUp)}


def test_recursion_ends_in_giving_up() -> None:
    assert reasons(inline(parse_program(TWICE), InlineOptions(recursion_bound=3))) == {
        "recursion deeper than 3 calls of `fib`"
    }


def test_a_bound_that_makes_the_program_too_large_is_lowered() -> None:
    flat = inline(parse_program(TWICE), InlineOptions(recursion_bound=10, max_edges=100))
    assert reasons(flat) == {"recursion deeper than 5 calls of `fib`"}
    assert len(flat.functions["main"].edges) <= 100


def test_a_program_that_is_too_large_without_recursion_is_given_up() -> None:
    body = "\n".join(f"  {i} -> {i + 1} : skip" for i in range(2, 50))
    text = f"program lp64\nfunction main() {{\n  entry 2 exit 1\n{body}\n  50 -> 1 : return\n}}\n"
    with pytest.raises(GaveUpError, match="more than 20 steps after inlining"):
        inline(parse_program(text), InlineOptions(max_edges=20))


def test_sections_that_begin_in_a_loop_are_given_up() -> None:
    text = """
program lp64
function main() {
  entry 0 exit 1
  0 -> 0 : atomic_begin
}
"""
    with pytest.raises(GaveUpError, match="nested without end"):
        inline(parse_program(text))


def test_main_as_a_thread_does_not_end_the_process() -> None:
    text = """
program lp64
function main() -> i32 {
  reg h : i64
  entry 0 exit 1
  0 -> 2 : create h, main()
  2 -> 1 : return 0:i32
}
"""
    flat = inline(parse_program(text))
    validate(flat, is_flat=True)
    assert list(flat.functions) == ["main", "main.thread"]
    kinds = {name: [type(e.instruction) for e in f.edges] for name, f in flat.functions.items()}
    assert End in kinds["main"]
    assert End not in kinds["main.thread"]
    assert Exit in kinds["main.thread"]
    created = [e.instruction for f in flat.functions.values() for e in f.edges]
    assert {i.function for i in created if isinstance(i, Create)} == {"main.thread"}
