import pytest

from sley.analyses.accesses import ActionEffects, find_accesses
from sley.program.instructions import Lock
from tests.unit.analyses.programs import COUNTER, names, parsed
from tests.unit.analyses.random_pointers import random_program


def analysed(text: str, *, excluded: bool = False, observes_end: bool = False) -> ActionEffects:
    return find_accesses(parsed(text), is_elsewhere_excluded=excluded, observes_end=observes_end)


def read(accesses: ActionEffects, location: int) -> set[str]:
    return names(accesses, accesses.action(location).reads)


def written(accesses: ActionEffects, location: int) -> set[str]:
    return names(accesses, accesses.action(location).writes)


def test_single_instructions() -> None:
    found = analysed(COUNTER)
    assert (read(found, 2), written(found, 2)) == ({"x+0"}, set())
    assert (read(found, 3), written(found, 3)) == (set(), {"x+0"})
    assert (read(found, 1), written(found, 1)) == ({"m+0"}, {"m+0"})
    assert (read(found, 24), written(found, 24)) == (set(), set())  # y is private


def test_threads() -> None:
    found = analysed(COUNTER)
    assert written(found, 0) == {"threads", "start of worker"}
    assert "start of worker" in read(found, 20)
    assert "start of worker" not in read(found, 21)
    assert "end of worker" in read(found, 5)
    assert written(found, 25) == {"end of worker"}


def test_the_first_visible_action_may_come_after_local_steps() -> None:
    found = analysed(COUNTER.replace("20 -> 21 : lock m", "20 -> 28 : t := 1:i32\n  28 -> 21 : lock m"))
    assert "start of worker" in read(found, 20)
    assert "start of worker" in read(found, 28)
    assert "start of worker" not in read(found, 21)


def test_futures() -> None:
    found = analysed(COUNTER)
    assert names(found, found.future(3).writes) == {"x+0", "m+0", "joined"}
    assert "end of worker" in names(found, found.future(0).writes)  # of the thread it creates
    assert names(found, found.future(24).reads) == set()


def test_future_behind_a_lock_that_is_held() -> None:
    found = analysed(COUNTER)
    (mutex,) = found.mutexes
    assert found.future_until(20, frozenset({mutex})) == (0, 0)
    held = found.future_until(21, frozenset({mutex}))
    assert names(found, held.writes) == {"x+0", "m+0", "end of worker"}
    assert found.future_until(20, frozenset()) == found.future(20)
    assert found.future_until(20, frozenset({1234})) == found.future(20)


def test_a_lock_does_not_block_behind_its_initialisation() -> None:
    text = COUNTER.replace("20 -> 21 : lock m", "20 -> 28 : store m, 0:i32\n  28 -> 21 : lock m")
    found = analysed(text)
    mutexes = frozenset(found.mutexes)
    assert found.staying_blocked((28,), mutexes) == mutexes
    assert not found.staying_blocked((28, 20), mutexes), "nor for those who do not initialise it themselves"
    assert not found.future_until(28, mutexes).writes


SECTION = """
global x : i32 = 0
global y : i32 = 0
global z : i32 = 0
thread main() {
  reg t : i32
  reg h : i64
  entry 0 exit 9
  0 -> 1 : create h, worker(0:i64)
  1 -> 2 : atomic_begin
  2 -> 3 : load t, x
  3 -> 4 : assume (= t 0:i32)
  3 -> 5 : assume (not (= t 0:i32))
  4 -> 6 : store y, 1:i32
  5 -> 6 : store z, 1:i32
  6 -> 7 : atomic_end
  7 -> 8 : store x, 1:i32
  8 -> 9 : end return
}
thread worker(a : i64) {
  reg t : i32
  entry 20 exit 29
  20 -> 21 : store x, 1:i32
  21 -> 22 : load t, y
  22 -> 23 : load t, z
  23 -> 29 : exit
}
"""


def test_an_atomic_section_is_one_action() -> None:
    found = analysed(SECTION)
    assert (read(found, 1), written(found, 1)) == ({"x+0"}, {"y+0", "z+0"})
    assert written(found, 7) == {"x+0"}


LIFE = """
global g : i64 pointer
thread main() {
  reg h : i64
  reg p : i64
  reg t : i32
  local loc : i32
  entry 0 exit 9
  0 -> 1 : enter loc zeroed
  1 -> 2 : allocate p, 4:i64, i32 zeroed "block"
  2 -> 3 : store g, p
  3 -> 4 : create h, worker(&loc)
  4 -> 5 : free p
  5 -> 6 : leave loc
  6 -> 9 : exit
}
thread worker(a : i64) {
  reg p : i64
  reg t : i32
  entry 20 exit 29
  20 -> 21 : load t, *a
  21 -> 22 : load p, g
  22 -> 23 : load t, *p
  23 -> 24 : free p
  24 -> 29 : exit
}
"""


def test_life_of_objects() -> None:
    found = analysed(LIFE)
    assert read(found, 22) == {"block@1+0", "block@1 life"}
    assert written(found, 4) == {"block@1 life", "allocation"}
    assert written(found, 1) == {"allocation"}  # nothing is made after the free
    assert read(found, 20) == {"main::loc+0", "main::loc life", "start of worker"}
    assert written(found, 5) == {"main::loc life"}
    assert written(found, 6) == {"end of main", "main::loc life"}
    assert found.action(22).conflicts_with(found.action(4))
    assert not found.action(21).conflicts_with(found.action(4))


STRAY = """
global x : i32 = 0
global y : i32 = 0
thread main() {
  reg h : i64
  reg n : i64
  entry 0 exit 9
  0 -> 1 : create h, worker(0:i64)
  1 -> 2 : havoc n, input
  2 -> 3 : %s
  3 -> 4 : store x, 1:i32
  4 -> 9 : end return
}
thread worker(a : i64) {
  reg t : i32
  reg u : i64
  entry 20 exit 29
  20 -> 21 : load t, x
  21 -> 22 : u := (ite (= t 0:i32) &x &y)
  22 -> 23 : load t, *u
  23 -> 29 : exit
}
"""


def test_an_access_that_may_be_elsewhere_touches_everything() -> None:
    found = analysed(STRAY % "store *n, 1:i32")
    assert written(found, 2) >= {"x+0", "y+0"}
    assert read(found, 22) >= {"x+0", "y+0"}
    assert read(found, 20) == {"x+0", "start of worker"}
    assert written(analysed(STRAY % "store *n, 1:i32", excluded=True), 2) == set()


def test_end() -> None:
    assert read(analysed(COUNTER), 6) == set()
    found = analysed(COUNTER, observes_end=True)
    assert read(found, 6) == {"x+0", "y+0", "m+0", "allocation", "frames"}
    assert written(found, 6) == {"frames"}
    assert all("frames" in read(found, at) and "frames" not in written(found, at) for at in range(1, 6))
    assert analysed(COUNTER).may_stop(6)


@pytest.mark.parametrize(
    ("instructions", "may_stop"),
    [
        ("2 -> 3 : store x, 1:i32", False),
        ("2 -> 3 : store x+2, 1:i32", True),
        ("2 -> 3 : store *n, 1:i32", True),
        ("2 -> 3 : store *n, 1:i32\n  2 -> 5 : fault store *n, 1:i32", False),
        ("2 -> 3 : assume (= n 0:i64)", True),
        ("2 -> 3 : assume (= n 0:i64)\n  2 -> 5 : assume (not (= n 0:i64))", False),
        ("2 -> 3 : join h", True),
        ("2 -> 3 : lock x", False),
        ('2 -> 3 : give_up "why"', False),
    ],
)
def test_actions_that_may_stop_the_run(instructions: str, may_stop: bool) -> None:
    assert analysed(STRAY.replace("2 -> 3 : %s", instructions)).may_stop(2) is may_stop


def test_bit_fields_share_their_memory_location() -> None:
    text = """
global b : { .one : i8 @0, .two : i8 @1 } size 2
thread main() {
  reg h : i64
  entry 0 exit 9
  0 -> 1 : create h, worker(0:i64)
  1 -> 2 : store b bytes 0 2, 1:i8
  2 -> 9 : end return
}
thread worker(a : i64) {
  entry 20 exit 29
  20 -> 21 : store b+1, 1:i8
  21 -> 29 : exit
}
"""
    assert written(analysed(text), 1) == {"b+0", "b+1"}


def naive_future(accesses: ActionEffects, location: int, blocked: frozenset[int]) -> tuple[int, int]:
    """By search; ``blocked`` is never overwritten here."""
    program = accesses.program
    reads = writes = 0
    seen, stack = {location}, [location]
    outgoing = {at: edges for f in program.functions.values() for at, edges in f.outgoing.items()}
    while stack:
        at = stack.pop()
        is_blocked = accesses.lock_at.get(at) in blocked
        if not is_blocked:
            reads, writes = reads | accesses.action(at).reads, writes | accesses.action(at).writes
        for edge in outgoing.get(at, ()):
            targets = [edge.target]
            name = getattr(edge.instruction, "function", None)
            if name is not None:
                targets.append(program.functions[name].entry)
            if not (is_blocked and isinstance(edge.instruction, Lock)):
                new = [target for target in targets if target not in seen]
                seen.update(new)
                stack.extend(new)
    return reads, writes


@pytest.mark.parametrize("seed", range(25))
def test_futures_agree_with_a_search(seed: int) -> None:
    accesses = find_accesses(random_program(seed), is_elsewhere_excluded=True)
    mutexes = frozenset(accesses.mutexes)
    for function in accesses.program.functions.values():
        for location in function.locations:
            assert accesses.future(location) == naive_future(accesses, location, frozenset())
            found = accesses.future_until(location, mutexes)
            assert found in (naive_future(accesses, location, mutexes), accesses.future(location))
