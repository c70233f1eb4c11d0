import pytest

from sley.analyses.orders import has_threads, weak_accesses
from sley.program.instructions import MemoryOrder
from tests.unit.analyses.programs import parsed

PROGRAM = """
global x : i32 = 0
global y : i32 = 0
thread main() {{
  reg h : i64
  reg t : i32
  local own : i32
  entry 0 exit 9
  0 -> 1 : store x @relaxed "x", 0:i32
  1 -> 2 : enter own
  2 -> 3 : create h, worker()
  3 -> 4 : store own @relaxed, 1:i32
  4 -> 5 : {main}
  5 -> 9 : end return
}}
thread worker() {{
  reg t : i32
  entry 20 exit 29
  20 -> 21 : {worker}
  21 -> 22 : fence acquire lightweight
  22 -> 29 : exit
}}
"""
CAS = "update t, x @seq_cst, (ite (= t 0:i32) 1:i32 t)"


@pytest.mark.parametrize(
    ("main", "worker", "orders"),
    [
        ("store x @seq_cst, 1:i32", "load t, x @seq_cst", []),
        ("store x, 1:i32", "load t, x", []),
        ("store x @release, 1:i32", "load t, x @seq_cst", [MemoryOrder.RELEASE]),
        ("store x @seq_cst, 1:i32", "load t, x @consume", [MemoryOrder.CONSUME]),
        ("store x @release, 1:i32", "load t, y", []),
        ("store x @seq_cst, 1:i32", CAS, []),
        ("store x @seq_cst, 1:i32", f"{CAS} if (= t 0:i32)", []),
        ("store x @seq_cst, 1:i32", f"{CAS} if (= t 0:i32) else relaxed", [MemoryOrder.RELAXED]),
    ],
)
def test_weak_are_the_accesses_to_shared_memory_that_others_may_be_under_way_with(
    main: str, worker: str, orders: list[MemoryOrder]
) -> None:
    found = weak_accesses(parsed(PROGRAM.format(main=main, worker=worker)))
    assert [access.order for access in found] == orders


def test_nothing_is_weak_in_one_thread() -> None:
    text = PROGRAM.format(main="load t, x @relaxed", worker="load t, x @relaxed")
    alone = parsed(text.replace("create h, worker()", "skip"))
    assert weak_accesses(parsed(text))
    assert has_threads(parsed(text))
    assert not weak_accesses(alone)
    assert not has_threads(alone)


def test_who_creates_itself_is_never_alone() -> None:
    text = PROGRAM.format(main="load t, x", worker="load t, x").replace(
        "create h, worker()", "create h, main()"
    )
    assert [access.text for access in weak_accesses(parsed(text))] == ["x"]
