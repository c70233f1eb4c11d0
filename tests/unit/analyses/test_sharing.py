from sley.analyses.pointers import PointsTo
from sley.analyses.sharing import Sharing, find_sharing
from tests.unit.analyses.programs import COUNTER, parsed


def sharing(text: str) -> Sharing:
    program = parsed(text)
    return find_sharing(program, PointsTo(program))


def names(found: Sharing, objects: int) -> set[str]:
    return {obj.name for obj in found.points_to.objects if objects >> obj.index & 1}


def test_globals_that_two_templates_access() -> None:
    found = sharing(COUNTER)
    assert names(found, found.shared) == {"x", "m"}
    assert found.is_private(24)
    assert not found.is_private(22)


def test_global_of_a_template_with_many_threads() -> None:
    twice = COUNTER.replace("1 -> 2 : lock m", "1 -> 7 : create h, worker(0:i64)\n  7 -> 2 : lock m")
    found = sharing(twice)
    assert names(found, found.shared) == {"x", "y", "m"}


LOCALS = """
global g : i64 pointer
thread main() {{
  reg h : i64
  reg p : i64
  reg t : i32
  local given : i32
  local kept : i32
  local pointed : i32
  local holder : i64
  entry 0 exit 9
  0 -> 1 : enter given
  1 -> 2 : store holder, &pointed
  2 -> 3 : create h, worker({argument})
  3 -> 4 : load t, kept
  4 -> 5 : load t, given
  5 -> 9 : end return
}}
thread worker(a : i64) {{
  reg b : i64
  reg t : i32
  local own : i32
  entry 20 exit 29
  20 -> 21 : load t, own
  21 -> 22 : load t, *a
  22 -> 23 : load b, *a
  23 -> 24 : load t, *b
  24 -> 29 : exit
}}
"""


def test_locals_that_are_given_away() -> None:
    found = sharing(LOCALS.format(argument="&given"))
    assert names(found, found.escaping) == {"main::given"}
    assert names(found, found.shared) == {"main::given"}
    found = sharing(LOCALS.format(argument="&holder"))
    assert names(found, found.escaping) == {"main::holder", "main::pointed"}
    assert names(found, found.shared) == {"main::holder", "main::pointed"}


def test_locals_of_many_threads_are_private_unless_they_escape() -> None:
    many = LOCALS.format(argument="0:i64").replace(
        "4 -> 5 : load t, given", "4 -> 5 : create h, worker(0:i64)"
    )
    found = sharing(many)
    assert names(found, found.shared) == set()
    found = sharing(many.replace("20 -> 21 : load t, own", "20 -> 21 : store g, &own"))
    assert names(found, found.shared) >= {"worker::own", "g"}


HEAP = """
global g : i64 pointer
thread main() {
  reg h : i64
  entry 0 exit 9
  0 -> 1 : create h, worker(0:i64)
  1 -> 2 : create h, worker(0:i64)
  2 -> 9 : end return
}
thread worker(a : i64) {
  reg p : i64
  reg q : i64
  reg t : i32
  entry 20 exit 29
  20 -> 21 : allocate p, 4:i64, i32 "private"
  21 -> 22 : allocate q, 4:i64, i32 "public"
  22 -> 23 : store g, q
  23 -> 24 : load t, *p
  24 -> 25 : load q, g
  25 -> 26 : load t, *q
  26 -> 27 : free p
  27 -> 29 : exit
}
"""


def test_heap_blocks() -> None:
    found = sharing(HEAP.replace("free p", "skip"))
    assert names(found, found.shared) == {"g", "public@21"}
    assert names(found, found.escaping) == {"public@21"}


def test_blocks_escape_where_their_numbers_are_used_again() -> None:
    found = sharing(HEAP)
    assert names(found, found.escaping) == {"private@20", "public@21"}
