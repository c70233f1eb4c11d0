"""What depends on where objects lie: each rule, then random programs against random layouts."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from sley.analyses.pointers import PointsTo
from sley.passes.addresses import hide_addresses
from sley.program.instructions import Cause, Create, GiveUp, Havoc
from sley.program.printer import FunctionPrinter
from sley.program.program import Program
from sley.program.properties import PROPERTY_GROUPS
from sley.verification.property_files import Selection
from sley.verification.result import Answer
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.limits import AMPLE
from tests.textual.validation import validate
from tests.unit.analyses.programs import parsed

TEMPLATE = """
global x : i32 align 4
global y : i32 align 4
global c : [2 x i8]
thread main() {{
  reg a : i64
  reg b : i64
  reg n : i64
  reg i : i32
  reg t : bool
  entry 0 exit 99
{}
  90 -> 99 : end return
}}
"""


def program(*instructions: str) -> Program:
    last = len(instructions) - 1
    lines = [f"  {i} -> {90 if i == last else i + 1} : {text}" for i, text in enumerate(instructions)]
    return parsed(TEMPLATE.format("\n".join(lines)))


def hidden(*instructions: str) -> Program:
    """The program after the pass, which must be well formed."""
    before = program(*instructions)
    after = hide_addresses(before, PointsTo(before))
    validate(after, is_flat=True)
    return after


def choices(*instructions: str) -> list[tuple[Cause, str]]:
    """The arbitrary values that the pass puts in: why, and of which sort."""
    edges = hidden(*instructions).functions["main"].edges
    havocs = [edge.instruction for edge in edges if isinstance(edge.instruction, Havoc)]
    return [(havoc.cause, str(havoc.target.sort)) for havoc in havocs]


def layout(sort: str) -> list[tuple[Cause, str]]:
    return [(Cause.LAYOUT, sort)]


A_AND_B = ("a := &x", "b := &y")


@pytest.mark.parametrize(
    "instruction",
    [
        "n := (bvadd a 4:i64)",
        "n := (ite t a b)",
        "t := (= a b)",
        "t := (= a 0:i64)",
        "t := (= a -1:i64)",
        "t := (bvult a 16:i64)",
        "n := (bvsub (bvadd a 4:i64) a)",
        "t := (bvult a (bvadd a 4:i64))",
        "n := (bvand a 3:i64)",
        "n := (bvor a 1:i64)",
        "n := (bvand a -4:i64)",
        "n := (bvurem a 4:i64)",
        "i := (extract 31 0 n)",
    ],
)
def test_what_every_layout_agrees_on_is_kept(instruction: str) -> None:
    assert choices(*A_AND_B, instruction) == []


@pytest.mark.parametrize(
    ("instruction", "sort"),
    [
        ("n := (bvmul a 31:i64)", "i64"),
        ("n := (bvnot a)", "i64"),
        ("n := (bvxor a b)", "i64"),
        ("n := (bvadd a b)", "i64"),
        ("n := (bvsub a b)", "i64"),
        ("n := (bvadd a 81985529216486895:i64)", "i64"),
        ("n := (bvlshr a 60:i64)", "i4"),
        ("n := (bvurem (bvlshr a 4:i64) 16:i64)", "i4"),
        ("t := (= (bvurem (bvlshr a 4:i64) 16:i64) 3:i64)", "bool"),
        ("i := (extract 31 0 a)", "i32"),
        ("n := (bvand a 63:i64)", "i4"),
        ("n := (bvor a 4:i64)", "i1"),
        ("t := (= a 93824992247808:i64)", "bool"),
        ("t := (= (bvadd a 4:i64) b)", "bool"),
        ("t := (bvslt a b)", "bool"),
    ],
)
def test_what_layouts_disagree_on_is_arbitrary(instruction: str, sort: str) -> None:
    assert choices(*A_AND_B, instruction) == layout(sort)


def test_the_alignment_counts() -> None:
    assert choices("a := &c", "n := (bvand a 1:i64)") == layout("i1")
    assert choices("a := &c", "n := (bvor a 1:i64)") == layout("i1")


def test_an_order_is_chosen_once_and_handed_on() -> None:
    after = hidden(*A_AND_B, "t := (bvult a b)")
    main = after.functions["main"]
    assert choices(*A_AND_B, "t := (bvult a b)") == [(Cause.INPUT, "i3"), (Cause.INPUT, "i3")]
    assert main.entry != 0
    both = parsed(
        """
global x : i32
global y : i32
thread main() {
  reg h : i64
  entry 0 exit 99
  0 -> 1 : create h, worker(&x, &y)
  1 -> 99 : end return
}
thread worker(a : i64, b : i64) -> i64 {
  reg t : bool
  entry 20 exit 29
  20 -> 21 : t := (bvult a b)
  21 -> 29 : exit 0:i64
}
"""
    )
    after = hide_addresses(both, PointsTo(both))
    validate(after, is_flat=True)
    assert len(after.functions["worker"].parameters) == 4
    (create,) = [e.instruction for e in after.functions["main"].edges if isinstance(e.instruction, Create)]
    assert len(create.arguments) == 4


def test_an_access_at_a_mere_number_is_given_up_on() -> None:
    after = hidden("n := 5000000000:i64", "load i, *n").functions["main"]
    assert any(isinstance(edge.instruction, GiveUp) for edge in after.edges)
    at_null = program("load i, *0:i64")
    assert hide_addresses(at_null, PointsTo(at_null)) is at_null


def test_a_program_that_does_nothing_of_the_kind_is_left_alone() -> None:
    before = program(*A_AND_B, "load i, *a", "store *b, i")
    assert hide_addresses(before, PointsTo(before)) is before


def test_a_value_that_is_used_twice_is_chosen_once() -> None:
    text = "n := (ite (bvult (bvurem (bvlshr a 4:i64) 4:i64) 4:i64) (bvurem (bvlshr a 4:i64) 4:i64) 9:i64)"
    assert choices(*A_AND_B, text) == layout("i2")


def test_terms_are_printed() -> None:
    after = hidden(*A_AND_B, "n := (bvand a 63:i64)")
    main = after.functions["main"]
    printed = [FunctionPrinter(after, main).instruction(edge.instruction) for edge in main.edges]
    assert any(text.startswith("n := (bvand (bvadd") for text in printed)


# --- random programs against random layouts ----------------------------------------------------------------

OBJECTS = {"&a": (4, 4), "&b": (4, 4), "c": (3, 1), "&d": (8, 8), "e": (4, 32), "p": (8, 16), "q": (8, 16)}
"""C text -> size and alignment."""

PROGRAM = """
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int a, b; char c[3]; _Alignas(32) char e[4];
int main(void)
{{
    long d = 0;
    char *p = malloc(8), *q = malloc(8);
    assert({});
    free(p);
    free(q);
    return (int)d;
}}
"""

WORD = (1 << 64) - 1
Layout = dict[str, int]
Expression = tuple[str, Callable[[Layout], int]]


def random_layout(choose: random.Random) -> Layout:
    at = choose.choice((0x1000, 0x400000, 0x7F0000000000)) + choose.randrange(4096)
    found: Layout = {}
    for name in choose.sample(sorted(OBJECTS), len(OBJECTS)):
        size, alignment = OBJECTS[name]
        at = -(-at // alignment) * alignment
        found[name] = at
        at += size + choose.choice((0, 0, 1, 16, choose.randrange(1 << 20)))
    return found


def random_number(choose: random.Random, depth: int) -> Expression:
    """An unsigned number of 64 bits."""
    if depth == 0:
        name = choose.choice(sorted(OBJECTS))
        return f"(uintptr_t){name}", lambda at: at[name]
    text, value = random_number(choose, depth - 1)
    k = choose.choice((1, 2, 3, 4, 7, 8, 16, 63, 64))
    match choose.randrange(9):
        case 0:
            return f"({text} + {k}u)", lambda at: (value(at) + k) & WORD
        case 1:
            return f"({text} >> {k % 8})", lambda at: value(at) >> (k % 8)
        case 2:
            return f"({text} % {k}u)", lambda at: value(at) % k
        case 3:
            return f"({text} & {k}u)", lambda at: value(at) & k
        case 4:
            return f"({text} & ~(uintptr_t){k})", lambda at: value(at) & ~k & WORD
        case 5:
            return f"({text} | {k}u)", lambda at: value(at) | k
        case 6:
            return f"({text} * {k}u)", lambda at: value(at) * k & WORD
        case 7:
            return f"(uintptr_t)(unsigned)({text})", lambda at: value(at) & 0xFFFFFFFF
        case _:
            other, second = random_number(choose, depth - 1)
            operator = choose.choice("-^+")
            return f"({text} {operator} {other})", lambda at: _joined(operator, value(at), second(at))


def _joined(operator: str, a: int, b: int) -> int:
    return {"-": a - b, "^": a ^ b, "+": a + b}[operator] & WORD


def random_claim(choose: random.Random) -> tuple[str, Callable[[Layout], bool]]:
    left, one = random_number(choose, choose.randrange(3))
    right, other = random_number(choose, choose.randrange(3))
    if choose.random() < 0.4:
        constant = choose.choice((0, 1, 2, 3, 8, 64, 5000, 0x400000, WORD))
        right, other = f"{constant}u" if constant < WORD else "~(uintptr_t)0", lambda at: constant
    operator = choose.choice(("==", "!=", "<", "<="))
    meaning: dict[str, Callable[[int, int], bool]] = {
        "==": lambda a, b: a == b,
        "!=": lambda a, b: a != b,
        "<": lambda a, b: a < b,
        "<=": lambda a, b: a <= b,
    }
    return f"{left} {operator} {right}", lambda at: meaning[operator](one(at), other(at))


@pytest.mark.parametrize("seed", range(60))
def test_answers_hold_for_all_layouts(seed: int, tmp_path: Path) -> None:
    choose = random.Random(seed)
    text, holds = random_claim(choose)
    path = tmp_path / "claim.c"
    path.write_text(PROGRAM.format(text))
    task = Task(
        paths=(path,),
        selection=Selection(PROPERTY_GROUPS["reach"]),
        limits=Limits(seconds=AMPLE),
        engines=("explore",),
    )
    answer = verify(task).answer
    seen = {holds(random_layout(choose)) for _ in range(3000)}
    assert answer is not Answer.SAFE or seen == {True}, text
    assert answer is not Answer.BUG or False in seen, text
