"""Which threads try again, and that it makes no difference what they have read before."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sley.analyses.pointers import PointsTo
from sley.base.budget import Budget
from sley.engines.explore.engine import explore
from sley.engines.explore.options import ExploreOptions
from sley.evidence.closed_states.check import check_closed_states
from sley.evidence.closed_states.proof import ClosedStates, Parts
from sley.evidence.proof import RefusedProofError
from sley.evidence.source_invariants.states import all_states
from sley.evidence.verdict import Claimed, Unsafe
from sley.laws.retries import Retries
from sley.program.instructions import Load
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES
from sley.semantics.machine import StateMachine
from sley.semantics.state import State, is_ended
from tests.fuzz.laws import loaded
from tests.limits import AMPLE

TEXT = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define CAS(x, o, n) atomic_compare_exchange_strong(x, o, n)
#define WEAK(x, o, n) atomic_compare_exchange_weak(x, o, n)
atomic_int x, y; int z;
void *f(void *a) { BODY return 0; }
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
"""

TRYING = (
    "int o = x; while (!CAS(&x, &o, o + 1)) ;",
    "int o = x; while (!CAS(&x, &o, o ^ 1)) ;",
    "int o; do o = x; while (!CAS(&x, &o, (o + 1) & 1));",
    "int o; do o = x; while (!WEAK(&x, &o, o + 1));",
    "int o = x; while (!WEAK(&x, &o, o ^ 1)) ;",
    "int o = x, n; do n = o ? 2 * o : 1; while (!CAS(&x, &o, n));",
    "int o = x; while (o < 2 && !CAS(&x, &o, o + 1)) ;",
    "int o = x; while (!CAS(&x, &o, o + 1)) assert(o < 3);",
)
KEEPING = (
    "int o = x; while (!CAS(&x, &o, o ^ 1)) z = 1;",
    "int o = x, n = 0; while (!CAS(&x, &o, o ^ 1)) n++; y = n;",
    "int o = x, q; do q = o; while (!CAS(&x, &o, o ^ 1) && q != 1); y = q;",
    "int o = x, n; do n = y; while (!CAS(&x, &o, n ^ 1)); y = n;",
    "int o = x; if (!CAS(&x, &o, o ^ 1)) y = o;",
    "int o = 1; while (!CAS(&x, &o, 2)) o = 1; x = 1;",
)
"""The first one writes, others remember something of what they have read, or do not read again."""
READ_PLAINLY = (
    "int o = __atomic_load_n(&z, 5); while (!__sync_bool_compare_and_swap(&z, o, o + 1))"
    " o = __atomic_load_n(&z, 5); int n = z;"
)

MEETING = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define CAS(x, o, n) atomic_compare_exchange_strong(x, o, n)
atomic_int x = 1, y;
void *f(void *a) { BODY return 0; }
void *g(void *a) { CHANGES return 0; }
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, f, 0);
  pthread_create(&t[1], 0, g, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(x != 5);
  return 0;
}
"""
MISSED = (
    ("int o = x, n = 5; y = 1; while (!CAS(&x, &o, n)) n = 7;", "while (!y) ; x = 0; x = 1;"),
    ("int o = x, p; while (p = o, !CAS(&x, &o, 8)) if (p == 1) assert(o != 2);", "x = 0; x = 2;"),
    (
        "for (;;) { int o = x, e = o; if (CAS(&x, &e, 8)) break; if (o == 1) assert(e != 2); }",
        "x = 0; x = 2;",
    ),
    ("int o = x; assert(o != 2); while (!CAS(&x, &o, 8)) ;", "x = 2;"),
    ("int o, e; do { e = o = x; assert(o != 2); } while (!CAS(&x, &e, 8) && e != 2);", "x = 2;"),
    ("int o = x; assert(o != 2); if (!CAS(&x, &o, 8)) y = 1;", "x = 2;"),
    (
        "int p = y, o = x; for (;;) { if (!p) assert(o != 2); p = 5; if (CAS(&x, &o, 8)) break; }",
        "x = 2; y = 1;",
    ),
    (
        "int p = 0; y = 1; int o = x; for (;;) { if (!p) assert(o != 2); p = 5; if (CAS(&x, &o, 8)) break; }",
        "while (!y) ; x = 2;",
    ),
    ("int o = 1; while (!CAS(&x, &o, 8)) { assert(o != 3); if (o == 2) o = 3; }", "x = 2; x = 3;"),
)
"""Loops, and what another thread does meanwhile: who reads again between two writes, or loads too soon, does
not fail."""


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Program]:
    def run(body: str) -> Program:
        path = tmp_path / "program.c"
        path.write_text(TEXT.replace("BODY", body))
        return loaded(path)

    return run


def trying(program: Program) -> tuple[StateMachine, list[tuple[State, int]]]:
    """All states in which a thread tries again, with the thread."""
    machine = StateMachine(program, is_compiled=False)
    retries = Retries(machine.code, machine.interpreter, PointsTo(program))
    states = all_states(machine, Budget(), most=30_000, seconds=AMPLE)
    assert states is not None
    found = [(s, t) for s in states for t in range(1, len(s.threads)) if retries.tries_again(s, t)]
    return machine, found


@pytest.mark.parametrize("body", TRYING)
def test_a_thread_that_tries_again_can_do_what_it_could(body: str, written: Callable[[str], Program]) -> None:
    """Whatever others do meanwhile, it comes to what it would have come to, by reading again."""
    machine, found = trying(written(body))
    assert len(found) > 10
    for state, thread in found[::5]:
        afters = _alone(machine, state, thread)
        for other in {*range(1, len(state.threads))} - {thread}:
            wanted = {end for kept in _alone(machine, state, other) for end in _alone(machine, kept, thread)}
            moved = {after for one in afters for after in _alone(machine, one, other)}
            assert wanted <= _within(machine, moved, thread, 3)


def _alone(machine: StateMachine, state: State, thread: int) -> list[State]:
    """What a step of the thread leads to."""
    if is_ended(state.threads[thread]):
        return []
    return [one.state for one in machine.successors(state, thread) if one.state is not None]


def _within(machine: StateMachine, states: set[State], thread: int, steps: int) -> set[State]:
    """What so many steps of the thread lead to."""
    found = set(states)
    for _ in range(steps):
        found |= {after for one in found for after in _alone(machine, one, thread)}
    return found


@pytest.mark.parametrize("body", KEEPING)
def test_others_do_not_try_again(body: str, written: Callable[[str], Program]) -> None:
    assert trying(written(body))[1] == []


@pytest.mark.parametrize(("body", "changes"), MISSED)
def test_what_only_one_that_keeps_its_value_can_do_is_found(body: str, changes: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(MEETING.replace("BODY", body).replace("CHANGES", changes))
    verdict, _ = explore(loaded(path), ALL_PROPERTIES, ExploreOptions(), Budget())
    assert isinstance(verdict, Unsafe)


def test_nobody_goes_back_to_a_load_where_reads_may_be_plain(written: Callable[[str], Program]) -> None:
    """A compare-exchange races with them, a load does not; so one may load at once, but not go back."""
    machine, found = trying(written(READ_PLAINLY))
    assert {type(machine.code.action(state.threads[thread][0])) for state, thread in found} == {Load}


def test_states_do_not_double_with_each_thread(written: Callable[[str], Program]) -> None:
    """What threads have read that try again does not matter: fewer states, and the proof says why."""
    program = written(TRYING[0])
    proof = claimed(program)
    check_closed_states(program, ALL_PROPERTIES, proof, Budget())
    everything, _ = explore(program, ALL_PROPERTIES, ExploreOptions(reduction=False), Budget())
    assert isinstance(everything, Claimed)
    assert 4 * len(proof.states) < len(everything.proof.states)


def test_a_compare_exchange_that_can_succeed_is_not_taken_alone(written: Callable[[str], Program]) -> None:
    program = written(TRYING[0])
    proof = claimed(program)
    machine, found = trying(program)
    retries = Retries(machine.code, machine.interpreter, PointsTo(program))
    assert found
    damaged = 0
    for number, (state, taken) in enumerate(zip(proof.states, proof.expansions, strict=True)):
        assert not isinstance(taken, Parts)
        thread = taken[0]
        is_before = state.threads[thread][0] in retries.failures
        if len(taken) > 1 and is_before and not retries.tries_again(state, thread):
            expansions = (*proof.expansions[:number], (thread,), *proof.expansions[number + 1 :])
            with pytest.raises(RefusedProofError):
                check_closed_states(program, ALL_PROPERTIES, replace(proof, expansions=expansions), Budget())
            damaged += 1
    assert damaged


def claimed(program: Program) -> ClosedStates:
    options = ExploreOptions(thread_symmetry=False)
    verdict, _ = explore(program, ALL_PROPERTIES, options, Budget())
    assert isinstance(verdict, Claimed)
    return verdict.proof
