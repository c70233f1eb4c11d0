"""Which blocks may get the numbers of dead ones."""

from sley.analyses.pointers import PointsTo
from sley.analyses.reuse import made_after_frees
from sley.program.program import Program
from tests.unit.analyses.programs import parsed

PROGRAM = """
global slot : i64 pointer
thread main() {
  reg h : i64
  reg a : i64
  reg b : i64
  reg i : i32
  entry 0 exit 9
  0 -> 1 : allocate a, 8:i64, i32
  1 -> 2 : create h, worker(a)
  2 -> 3 : allocate b, 8:i64, i32
  3 -> 4 : store slot, b
  4 -> 5 : load i, *a
  5 -> 6 : load i, *b
  6 -> 7 : free a
  7 -> 9 : end return
}
thread worker(p : i64) {
  reg q : i64
  reg r : i64
  entry 20 exit 29
  20 -> 21 : allocate q, 8:i64, i32
  21 -> 22 : load r, slot
  22 -> 23 : free r
  23 -> 29 : exit
}
"""


def _names(program: Program) -> dict[int, set[int]]:
    points_to = PointsTo(program)
    site = {points_to.objects.of_site(at): at for at in (0, 2, 20)}
    return {at: {site[place.object] for place in points_to.targets(at).places} for at in (4, 5)}


def test_what_is_made_before_a_free_has_another_number() -> None:
    program = parsed(PROGRAM)
    # main's first block is there before any thread; the worker's before it frees, but not before main does
    assert made_after_frees(program) == {6: frozenset({20}), 22: frozenset({2})}
    # main's own block may get no number of the worker's: that is never freed
    assert _names(program) == {4: {0, 20}, 5: {2}}


def test_several_threads_make_blocks_at_any_time() -> None:
    program = parsed(PROGRAM.replace("1 -> 2 :", "1 -> 30 : create h, worker(a)\n  30 -> 2 :"))
    assert made_after_frees(program) == {6: frozenset({20}), 22: frozenset({2, 20})}
    assert _names(program)[5] == {2, 20}


def test_a_loop_makes_blocks_after_it_has_freed_some() -> None:
    text = PROGRAM.replace("6 -> 7 : free a", "6 -> 7 : free a\n  7 -> 0 : assume (= i 0:i32)").replace(
        "7 -> 9 :", "7 -> 8 : assume (not (= i 0:i32))\n  8 -> 9 :"
    )
    assert made_after_frees(parsed(text))[6] == frozenset({0, 2, 20})
    assert _names(parsed(text)) == {4: {0, 2, 20}, 5: {0, 2, 20}}
