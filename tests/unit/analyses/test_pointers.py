import pytest

from sley.analyses.objects import Offset
from sley.analyses.pointers import PointsTo
from sley.program.program import Program
from tests.unit.analyses.programs import parsed

NODE = "{ .next : i64 pointer @0, .value : i32 @8 } size 16"

TEMPLATE = f"""
global x : i32 = 0
global y : i32 = 0
global p : i64 pointer = &y
global s : {NODE}
global arr : [10 x {NODE}]
global raw : [32 x i8]
global d : f64
thread main() {{
  reg a : i64
  reg b : i64
  reg c : i64
  reg i : i32
  reg n : i64
  reg w : i128
  reg f : f64
  local loc : {NODE}
  entry 0 exit 99
%s
  90 -> 99 : end return
}}
"""


def program(*instructions: str) -> Program:
    """A thread that executes the instructions, the first at location 1."""
    lines = [f"  {at} -> {at + 1} : {text}" for at, text in enumerate(instructions, 1)]
    return parsed(TEMPLATE % "\n".join(["  0 -> 1 : skip", *lines]))


def found(at: int, *instructions: str) -> tuple[set[str], bool]:
    """Where the access at a location may go, as ``name+offset``, and whether elsewhere."""
    points_to = PointsTo(program(*instructions))
    targets = points_to.targets(at)
    places = {f"{points_to.objects[obj].name}+{offset}" for obj, offset in targets.places}
    return places, targets.is_elsewhere


def test_constant_addresses() -> None:
    assert found(1, "store s+8, i") == ({"s+8"}, False)


def test_copies_and_sums() -> None:
    assert found(3, "a := &s", "b := (bvadd a 8:i64)", "load i, *b") == ({"s+8"}, False)
    assert found(2, "a := &arr+24", "load i, *(bvadd a 0xfffffffffffffff0:i64)") == ({"arr+8"}, False)


def test_through_memory() -> None:
    assert found(3, "store s, &x", "load a, s", "load i, *a") == ({"x+0"}, False)
    assert found(2, "load a, p", "load i, *a") == ({"y+0"}, False)


def test_fields_do_not_mix() -> None:
    stores = ("a := &arr", "store *a, &x", "store *(bvadd a 16:i64), &y", "load b, *a", "load i, *b")
    assert found(5, *stores) == ({"x+0"}, False)


def test_variable_index_keeps_the_field() -> None:
    index = "(bvmul (sign_extend 32 i) 16:i64)"
    guard = "(bvult (bvadd (sign_extend 32 i) 1000:i64) 2000:i64)"
    address = f"(ite {guard} (bvadd &arr {index}) 0xffffffff:i64)"
    assert found(1, f"load a, *{address}") == ({"arr+0 mod 16"}, False)
    wide = "(ite (bvult (bvadd n 9:i64) 18:i64) (bvadd &arr (bvmul n 12:i64)) 0xffffffff:i64)"
    assert found(2, "havoc n, input", f"load i, *{wide}") == ({"arr+0 mod 12"}, False)


def test_unguarded_index_may_go_elsewhere() -> None:
    places, is_elsewhere = found(2, "havoc n, input", "load i, *(bvadd &arr (bvmul n 16:i64))")
    assert places == {"arr+0 mod 16"}
    assert is_elsewhere


def test_loop_over_an_array_ends() -> None:
    text = TEMPLATE % "  0 -> 1 : a := &arr\n  1 -> 2 : load i, *a\n  2 -> 1 : a := (bvadd a 16:i64)"
    points_to = PointsTo(parsed(text))
    assert {place.offset for place in points_to.targets(1).places} >= {Offset(0), Offset(144), Offset(0, 16)}


def test_both_branches() -> None:
    assert found(1, "load i, *(ite (= i 0:i32) &x &y)") == ({"x+0", "y+0"}, False)


def test_casts_keep_addresses() -> None:
    assert found(2, "w := (zero_extend 64 &x)", "load i, *(extract 63 0 w)") == ({"x+0"}, False)
    assert found(3, "store d, &x", "load f, d", "load i, *(fp.to_bits f)") == ({"x+0"}, False)


def test_low_bits_are_the_offset() -> None:
    assert found(1, "load i, *(bvand &arr 0xfffffffffffffff8:i64)") == ({"arr+0"}, False)
    assert found(2, "a := &arr", "load i, *(bvand a 0xfffffffffffffff8:i64)") == ({"arr+*"}, False)
    assert found(3, "a := &arr", "b := (bvor a 1:i64)", "load i, *b") == ({"arr+*"}, False)
    assert found(2, "a := &x", "load i, *(bvand a 7:i64)") == (set(), False)


@pytest.mark.parametrize(
    "term", ["(bvmul a 3:i64)", "(bvxor a n)", "(bvneg a)", "(bvshl a 1:i64)", "(bvadd a n)"]
)
def test_other_arithmetic_is_computed(term: str) -> None:
    points_to = PointsTo(program("a := &x", "havoc n, input", f"load i, *{term}"))
    assert points_to.targets(3).is_computed


def test_small_numbers_are_no_addresses() -> None:
    assert found(1, "load i, *(sign_extend 32 i)") == (set(), False)
    assert found(1, "load i, *0:i64") == (set(), False)
    assert found(2, "n := (bvurem a 100:i64)", "load i, *n") == (set(), False)
    assert found(1, "load i, *0xffffffffffffffff:i64") == (set(), False)


def test_inputs_and_fresh_memory_are_arbitrary() -> None:
    targets = PointsTo(program("havoc a, input", "load i, *a")).targets(2)
    assert (targets.is_arbitrary, targets.is_computed) == (True, False)
    assert found(3, "enter loc", "load a, loc", "load i, *a") == (set(), True)
    assert found(3, "enter loc zeroed", "load a, loc", "load i, *a") == (set(), False)
    assert found(2, "load a, s", "load i, *a") == (set(), False)


def test_filled_before_it_is_read() -> None:
    block = f"allocate a, 16:i64, {NODE}"
    assert found(5, block, "store *a, &x", "store p, a", "load b, *a", "load i, *b") == ({"x+0"}, False)
    assert found(5, block, "store p, a", "store *a, &x", "load b, *a", "load i, *b") == ({"x+0"}, True)
    assert found(4, "enter loc", "store loc, &x", "load b, loc", "load i, *b") == ({"x+0"}, False)
    assert found(4, "enter loc", "load b, loc", "store loc, &x", "load i, *b") == (
        {"x+0"} - {"x+0"} | {"x+0"},
        True,
    )


def test_filled_on_one_branch_only() -> None:
    text = f"""  0 -> 1 : allocate a, 16:i64, {NODE}
  1 -> 2 : assume (= i 0:i32)
  1 -> 3 : assume (not (= i 0:i32))
  2 -> 3 : store *a, &x
  3 -> 4 : store p, a
  4 -> 5 : load b, *a
  5 -> 6 : load i, *b"""
    assert PointsTo(parsed(TEMPLATE % text)).targets(5).is_arbitrary
    both = text.replace(
        "1 -> 3 : assume (not (= i 0:i32))", "1 -> 7 : assume (not (= i 0:i32))\n  7 -> 3 : store *a, &y"
    )
    assert not PointsTo(parsed(TEMPLATE % both)).targets(5).is_elsewhere


def test_reused_numbers() -> None:
    """A stale pointer may name a block from another place that is made after the free."""
    one, other = f"allocate a, 16:i64, {NODE} zeroed", f"allocate b, 16:i64, {NODE} zeroed"
    read = "load i, *(bvadd a 8:i64)"
    assert found(3, one, other, read) == ({"block@1+8"}, False)
    assert found(3, one, other, read, "free a") == ({"block@1+8"}, False)
    assert found(4, one, "free a", other, read) == ({"block@1+8", "block@3+8"}, False)
    assert found(4, one, "free b", other, read) == ({"block@1+8"}, False)


def test_values_flow_through_reused_blocks() -> None:
    one, other = f"allocate a, 16:i64, {NODE} zeroed", f"allocate b, 16:i64, {NODE} zeroed"
    through_stale = ("store *a, &x", "load c, *b", "load i, *c")
    assert found(6, one, "skip", other, *through_stale) == (set(), False)
    assert found(6, one, "free a", other, *through_stale) == ({"x+0"}, False)


def test_numbers_go_from_hand_to_hand() -> None:
    """Who frees by a stale pointer frees what has its number."""
    blocks = [f"allocate {name}, 16:i64, {NODE} zeroed" for name in "abc"]
    steps = (blocks[0], "free a", blocks[1], "free a", blocks[2])
    assert found(6, *steps, "load i, *b") == ({"block@3+0", "block@5+0"}, False)


def test_stale_pointers_see_fresh_memory() -> None:
    """Where an address may have been known before, filling first does not help."""
    block = (f"allocate a, 16:i64, {NODE}", "store *a, &x", "store p, a", "load b, *a", "load i, *b")
    assert found(5, *block) == ({"x+0"}, False)
    assert found(5, *block, "free a") == ({"x+0"}, False)
    before = (f"allocate c, 16:i64, {NODE} zeroed", "free c")
    assert found(7, *before, *block) == ({"x+0"}, True)
    loop = """  0 -> 1 : enter loc
  1 -> 2 : store loc, &x
  2 -> 3 : store p, &loc
  3 -> 4 : load a, loc
  4 -> 5 : load i, *a
  5 -> 6 : leave loc
  6 -> %s : skip"""
    assert not PointsTo(parsed(TEMPLATE % loop % 90)).targets(4).is_elsewhere
    assert PointsTo(parsed(TEMPLATE % loop % 0)).targets(4).is_arbitrary


def test_partial_writes_spoil_addresses() -> None:
    places, is_elsewhere = found(4, "store s, &x", "store s+2, i", "load a, s", "load i, *a")
    assert (places, is_elsewhere) == ({"x+0"}, True)


def test_untyped_memory_remembers_addresses() -> None:
    assert found(3, "store raw+8, &x", "load a, raw+8", "load i, *a") == ({"x+0"}, True)


def test_between_threads() -> None:
    text = f"""
global x : i32 = 0
thread main() {{
  reg h : i64
  reg r : i64
  reg i : i32
  local loc : {NODE}
  entry 0 exit 9
  0 -> 1 : enter loc
  1 -> 2 : create h, worker(&loc)
  2 -> 3 : join r, h
  3 -> 4 : load i, *r
  4 -> 9 : end return
}}
thread worker(a : i64) {{
  reg i : i32
  entry 20 exit 29
  20 -> 21 : load i, *(bvadd a 8:i64)
  21 -> 29 : exit &x
}}
"""
    points_to = PointsTo(parsed(text))
    loc = points_to.objects.of_local("main", 0)
    assert points_to.targets(20).places == ((loc, Offset(8)),)
    assert points_to.targets(3).places == ((1, Offset(0)),)
    assert points_to.published == 1 << loc | 1 << 1


def test_unmodelled_functions_reach_what_they_are_given() -> None:
    text = (
        "store s, &x",
        "call_unmodelled a, mystery(&s)",
        "load i, *a",
        "load b, s",
        "load i, *b",
        "load c, p",
        "load i, *c",
    )
    points_to = PointsTo(program(*text))
    assert points_to.targets(3).is_arbitrary
    assert points_to.targets(5).is_arbitrary
    assert not points_to.targets(7).is_elsewhere
    names = {points_to.objects[i].name for i in range(len(points_to.objects)) if points_to.scrambled >> i & 1}
    assert names == {"s", "x"}


def test_foresees() -> None:
    points_to = PointsTo(
        program(
            "a := &arr",
            "load i, *(bvadd a 8:i64)",
            "load i, *(bvadd a (bvmul (zero_extend 32 (bvand i 7:i32)) 16:i64))",
        )
    )
    arr = 5
    assert points_to.objects[arr].name == "arr"
    assert points_to.foresees(2, arr, 8, 4)
    assert not points_to.foresees(2, arr, 0, 4)
    assert not points_to.foresees(2, 1, 8, 4)
    assert points_to.foresees(3, arr, 32, 4)
    assert not points_to.foresees(3, arr, 40, 4)
