from sley.analyses.accesses import find_accesses
from sley.analyses.locks import LockSets, find_lock_sets
from tests.unit.analyses.programs import COUNTER, parsed


def lock_sets(text: str) -> LockSets:
    return find_lock_sets(find_accesses(parsed(text)))


def mutexes(found: LockSets, location: int) -> set[str]:
    objects = found.accesses.sharing.points_to.objects
    pointers = found.accesses.program.pointers
    held = (objects.of_static(pointers.number(mutex)) for mutex in found.held_at(location))
    return {objects[index].name for index in held if index is not None}


def guarded(found: LockSets) -> set[str]:
    return {found.accesses.names[index] for index in found.guards}


def test_between_lock_and_unlock() -> None:
    found = lock_sets(COUNTER)
    assert [mutexes(found, at) for at in (1, 2, 4, 5)] == [set(), {"m"}, {"m"}, set()]
    assert guarded(found) == {"x+0"}


def test_one_access_without_the_lock() -> None:
    found = lock_sets(COUNTER.replace("5 -> 6 : join h", "5 -> 7 : load t, x\n  7 -> 6 : join h"))
    assert guarded(found) == set()


def test_accesses_before_threads_exist_do_not_count() -> None:
    text = COUNTER.replace(
        "0 -> 1 : create", "0 -> 7 : store x, 5:i32\n  7 -> 8 : store m, 0:i32\n  8 -> 1 : create"
    )
    assert guarded(lock_sets(text)) == {"x+0"}


def test_late_initialisation_is_not_trusted() -> None:
    found = lock_sets(COUNTER.replace("24 -> 25 : store y, 1:i32", "24 -> 25 : store m, 0:i32"))
    assert mutexes(found, 2) == set()
    assert guarded(found) == set()


def test_paths_that_meet() -> None:
    text = COUNTER.replace(
        "1 -> 2 : lock m",
        "1 -> 7 : assume (= t 0:i32)\n  1 -> 2 : assume (not (= t 0:i32))\n  7 -> 2 : lock m",
    )
    found = lock_sets(text)
    assert mutexes(found, 2) == set()


def test_unlock_by_pointer_releases_what_it_may() -> None:
    text = COUNTER.replace("  reg h : i64", "  reg h : i64\n  reg q : i64")
    to_m = text.replace("2 -> 3 : load t, x", "2 -> 7 : q := &m\n  7 -> 8 : unlock *q\n  8 -> 3 : load t, x")
    assert mutexes(lock_sets(to_m), 8) == set()
    to_y = to_m.replace("q := &m", "q := &y")
    assert mutexes(lock_sets(to_y), 8) == {"m"}


def test_who_sees_itself_as_owner_holds_the_mutex() -> None:
    text = COUNTER.replace(
        "1 -> 2 : lock m",
        """1 -> 7 : load t, m
  7 -> 2 : assume (= t (extract 31 0 self))
  7 -> 8 : assume (not (= t (extract 31 0 self)))
  8 -> 2 : lock m""",
    )
    found = lock_sets(text)
    assert mutexes(found, 7) == set()
    assert mutexes(found, 2) == {"m"}
    late = text.replace(
        "7 -> 2 : assume (= t (extract 31 0 self))",
        "7 -> 30 : unlock m\n  30 -> 2 : assume (= t (extract 31 0 self))",
    )
    late = late.replace(
        "7 -> 8 : assume (not (= t (extract 31 0 self)))", "30 -> 8 : assume (not (= t (extract 31 0 self)))"
    )
    assert mutexes(lock_sets(late), 2) == set()


IS_OWNER, IS_NOT_OWNER = "(= t (extract 31 0 self))", "(not (= t (extract 31 0 self)))"


def test_who_holds_a_mutex_does_not_see_another_owner() -> None:
    text = COUNTER.replace(
        "2 -> 3 : load t, x",
        f"""2 -> 7 : load t, m
  7 -> 8 : assume {IS_NOT_OWNER}
  8 -> 3 : unlock m
  7 -> 3 : assume {IS_OWNER}""",
    )
    assert mutexes(lock_sets(text), 3) == {"m"}


def test_an_owner_seen_before_the_lock_says_nothing() -> None:
    text = COUNTER.replace(
        "1 -> 2 : lock m",
        f"""1 -> 7 : load t, m
  7 -> 8 : lock m
  8 -> 2 : assume {IS_NOT_OWNER}
  8 -> 30 : assume {IS_OWNER}""",
    )
    assert mutexes(lock_sets(text), 2) == {"m"}


def test_loops_keep_only_what_every_round_holds() -> None:
    text = COUNTER.replace(
        "4 -> 5 : unlock m",
        "4 -> 7 : unlock m\n  7 -> 2 : assume (= t 3:i32)\n  7 -> 5 : assume (not (= t 3:i32))",
    )
    assert mutexes(lock_sets(text), 2) == set()
