"""Likely invariants: what random runs are expected to show, and what they must not."""

from pathlib import Path
from random import Random

import pytest

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError
from sley.engines.bmc.likely.invariants import INITIAL, LikelyInvariants, LikelyRead
from sley.engines.bmc.likely.mining import mine
from sley.program.instructions import Load, Lock, Store, Unlock, Update
from sley.program.program import Edge, Program, user_origin
from sley.semantics.random_runs import Inputs
from tests.unit.engines.test_bmc import program_with, threads

ACCESSES = (Load, Store, Update, Lock, Unlock)


def accesses(program: Program, text: str, *kinds: type) -> list[Edge]:
    """The accesses in statements with this text, in order."""
    edges = [edge for function in program.functions.values() for edge in function.edges]
    return [
        e
        for e in edges
        if isinstance(e.instruction, kinds or ACCESSES) and text in user_origin(e.origin).text
    ]


def only(program: Program, text: str, *kinds: type) -> int:
    (edge,) = accesses(program, text, *kinds)
    return edge.source


def read_at(program: Program, likely: LikelyInvariants, text: str) -> LikelyRead:
    return likely.reads[only(program, text, Load, Update, Lock)]


def test_a_value_of_the_own_thread_is_local(tmp_path: Path) -> None:
    text = "atomic_int x, y;\n" + threads("x = 1; int a = x;", "int b = y;", after="int c = x; y = 1;")
    program = program_with(tmp_path, text)
    likely = mine(program)
    own = read_at(program, likely, "int a = x")
    assert own == LikelyRead("local", False, frozenset({only(program, "x = 1")}), 50)
    late = read_at(program, likely, "int c = x")
    assert late.origin == "remote"
    first = read_at(program, likely, "int b = y")
    assert first == LikelyRead("remote", False, frozenset({INITIAL}), 50)


def test_the_initial_value_is_local_to_main_and_remote_to_others(tmp_path: Path) -> None:
    text = "atomic_int x;\n" + threads("int a = x; if (a == 7) x = 1;", main="int b = x;")
    program = program_with(tmp_path, text)
    likely = mine(program)
    assert read_at(program, likely, "int a = x").origin == "remote"
    assert read_at(program, likely, "int b = x").origin == "local"


def test_the_initial_value_does_not_count_beside_others(tmp_path: Path) -> None:
    """As in the published example: what a thread counts up is local, though the first round sees no write."""
    text = "atomic_int x;\n" + threads(
        "for (int i = 0; i < 3; i++) { int a = x; x = a + 1; }", "if (x == 9) x = 0;"
    )
    program = program_with(tmp_path, text)
    found = read_at(program, mine(program), "int a = x")
    assert found.origin == "local"
    assert found.writes == frozenset({INITIAL, only(program, "x = a + 1")})


def test_what_main_wrote_alone_is_initial(tmp_path: Path) -> None:
    create = "pthread_t t; x = 5; int a = x; pthread_create(&t, 0, worker, 0); x = 6; pthread_join(t, 0);"
    text = "atomic_int x;\nvoid *worker(void *unused) { int b = x; return 0; }\n"
    program = program_with(tmp_path, f"{text}int main(void) {{ {create} return 0; }}\n")
    likely = mine(program)
    assert read_at(program, likely, "int b = x").writes == frozenset({INITIAL, only(program, "x = 6")})
    assert only(program, "int a = x", Load) not in likely.reads


def test_followers(tmp_path: Path) -> None:
    once, often = "int a = x; int b = x;", "y = 1; int c = y; y = 2; int d = y;"
    text = "atomic_int x, y;\n" + threads(once, often, "int e = y;", main="x = 1; y = 3;")
    program = program_with(tmp_path, text)
    likely = mine(program, runs=200)
    assert not read_at(program, likely, "int a = x").follows, "a first read follows nothing"
    assert not read_at(program, likely, "int b = x").follows, "sometimes main writes in between"
    assert not read_at(program, likely, "int d = y").follows
    locked = "pthread_mutex_lock(&m); {} pthread_mutex_unlock(&m);"
    text = "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n" + threads(
        locked.format("int a = x; int b = x;"), locked.format("x = 1;")
    )
    program = program_with(tmp_path, text)
    assert read_at(program, mine(program), "int b = x").follows


def test_both_orders_of_two_threads_are_seen(tmp_path: Path) -> None:
    text = "atomic_int x;\n" + threads("int a = x; x = a + 1;", "int b = x; x = b + 1;")
    program = program_with(tmp_path, text)
    likely = mine(program)
    first, second = only(program, "x = a + 1"), only(program, "x = b + 1")
    assert read_at(program, likely, "int a = x").writes == frozenset({INITIAL, second})
    assert read_at(program, likely, "int b = x").writes == frozenset({INITIAL, first})


def test_locks_are_read_and_written(tmp_path: Path) -> None:
    locked = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"
    text = "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n" + threads(locked, "x = 2;")
    program = program_with(tmp_path, text.replace("x = 2;", locked.replace("m)", "m )")))
    likely = mine(program)
    lock, unlock = only(program, "lock(&m)", Lock), only(program, "unlock(&m )", Unlock)
    assert likely.reads[lock].writes == frozenset({INITIAL, unlock})
    assert only(program, "unlock(&m)", Unlock) not in likely.reads


def test_sections_read_once_and_write_once(tmp_path: Path) -> None:
    section = "__VERIFIER_atomic_begin(); {} __VERIFIER_atomic_end();"
    text = "int x, y;\n" + threads(
        section.format("x = 1; int a = x; int b = y; int c = y; x = 2;"), section.format("int d = x; y = 1;")
    )
    program = program_with(tmp_path, text)
    likely = mine(program)
    assert only(program, "int a = x", Load) not in likely.reads
    assert only(program, "int c = y", Load) not in likely.reads
    assert only(program, "int b = y", Load) in likely.reads
    assert read_at(program, likely, "int d = x").writes == frozenset({INITIAL, only(program, "x = 2")})


def test_an_exchange_that_fails_writes_nothing(tmp_path: Path) -> None:
    text = "atomic_int x = 5;\n" + threads(
        "int expected = 4; atomic_compare_exchange_strong(&x, &expected, 6);", after="int a = x;"
    )
    program = program_with(tmp_path, text)
    assert read_at(program, mine(program), "int a = x").writes == frozenset({INITIAL})


def test_a_new_block_is_written_by_its_allocation(tmp_path: Path) -> None:
    text = "#include <stdlib.h>\n_Atomic(int *) p;\n" + threads(
        "int *mine = calloc(1, sizeof(int)); int old = *mine; p = mine;",
        after="int *q = p; int a = q ? *q : 0;",
    )
    program = program_with(tmp_path, text)
    likely = mine(program)
    (load,) = (e for e in accesses(program, "int a = q", Load))
    assert likely.reads[load.source].origin == "remote"
    writes = likely.reads[load.source].writes
    assert writes
    assert INITIAL not in writes


def test_runs_count_up_to_where_they_end(tmp_path: Path) -> None:
    endless, blocked = (
        "while (1) { int a = x; }",
        "int b = x; pthread_mutex_lock(&m); pthread_mutex_lock(&m);",
    )
    failing = "int c = x; assert(0);"
    for body, statement in ((endless, "int a = x"), (blocked, "int b = x"), (failing, "int c = x")):
        text = "atomic_int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n" + threads(body, "x = 1;")
        program = program_with(tmp_path, text)
        assert read_at(program, mine(program, runs=10), statement).seen > 0


def test_the_same_seed_finds_the_same(tmp_path: Path) -> None:
    body = "if (__VERIFIER_nondet_bool()) x = x + 1;"
    program = program_with(tmp_path, "atomic_int x;\n" + threads(body, body, body))
    assert mine(program, runs=5, seed=3) == mine(program, runs=5, seed=3)
    assert len({tuple(mine(program, runs=1, seed=seed).reads.values()) for seed in range(10)}) > 1


def test_a_program_of_one_thread_has_none(tmp_path: Path) -> None:
    program = program_with(tmp_path, "int x; int main(void) { x = 1; return x; }\n")
    assert mine(program).reads == {}


def test_a_budget_is_kept(tmp_path: Path) -> None:
    program = program_with(tmp_path, "atomic_int x;\n" + threads("while (1) x = 1;", "while (1) x = 2;"))
    with pytest.raises(BudgetExhaustedError):
        mine(program, runs=10_000, budget=Budget(0.1))


def test_inputs_are_those_at_which_the_program_decides(tmp_path: Path) -> None:
    text = "int __VERIFIER_nondet_int(void);\nint main(void) { assert(__VERIFIER_nondet_int() != 1234); }\n"
    inputs = Inputs(program_with(tmp_path, text), Random(1))
    values = {inputs.value(32) for _ in range(500)}
    assert {0, 1, 2, 2**32 - 1, 1233, 1234, 1235} <= values
    assert len(values) > 50
