"""Which threads are symmetric, that steps do not notice, and which proofs up to symmetry are refused."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from sley.analyses.effects import NOTHING
from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.explore.engine import explore
from sley.engines.explore.options import ExploreOptions
from sley.engines.explore.reduction import PersistentSets
from sley.engines.explore.symmetry import Symmetry
from sley.evidence.closed_states.check import check_closed_states
from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.proof import RefusedProofError
from sley.evidence.source_invariants.states import all_states
from sley.evidence.verdict import Claimed
from sley.laws.thread_symmetry import ThreadSymmetry
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES
from sley.semantics.machine import StateMachine
from sley.semantics.state import CellValue, State, is_ended, location_of
from sley.semantics.values import NeedsSplitError
from tests.fuzz.laws import loaded
from tests.limits import AMPLE

MOST = 4000
"""So many states are looked at."""
HEADER = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
LOCKED = """
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
"""
OWNING = """
pthread_t owner; atomic_int x;
void *f(void *a) {
  pthread_t me = pthread_self();
  x++; owner = me; x++;
  if (pthread_equal(owner, me)) x++;
  return 0;
}
"""
LOCAL = """
_Thread_local int mine; atomic_int x;
void *f(void *a) { int own[2] = {0, 0}; mine = x++; own[mine & 1] = 1; x++; x += own[0] + mine; return 0; }
"""
TRYING = """
atomic_int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) { pthread_mutex_trylock(&m); x ^= 1; x ^= 1; return 0; }
"""
MEETING = """
pthread_barrier_t b; atomic_int x;
void *f(void *a) { x++; if (pthread_barrier_wait(&b)) x++; x++; return 0; }
"""
WAITING = """
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *f(void *a) {
  pthread_mutex_lock(&m);
  if (x < 2) { x++; pthread_cond_wait(&c, &m); x += 2; } else pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
"""
READING = """
int x; pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
void *f(void *a) {
  pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l);
  if (!pthread_rwlock_trywrlock(&l)) { x++; pthread_rwlock_unlock(&l); }
  return 0;
}
"""
LINKED = """
struct node { struct node *_Atomic next; }; struct node *_Atomic last; atomic_int x;
void *f(void *a) {
  struct node own; own.next = 0;
  struct node *before = atomic_exchange(&last, &own);
  if (before) before->next = &own;
  struct node *after = own.next;
  if (after && after != before) x++;
  while (last != &own && !own.next) ;
  return 0;
}
"""
JOINING = """
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
"""


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Program]:
    def run(text: str) -> Program:
        path = tmp_path / "program.c"
        path.write_text(HEADER + text)
        return loaded(path)

    return run


def symmetry_of(program: Program) -> ThreadSymmetry:
    machine = StateMachine(program)
    accesses = PersistentSets(machine.code, machine.interpreter).accesses
    return ThreadSymmetry(machine, accesses.sharing.points_to, lambda at: accesses.action(at) == NOTHING)


def renamings(threads: tuple[int, ...], count: int) -> Iterator[list[int]]:
    for order in permutations(threads):
        renaming = list(range(count))
        for old, new in zip(threads, order, strict=True):
            renaming[old] = new
        yield renaming


@pytest.mark.parametrize("threads", [LOCKED, OWNING, LOCAL, MEETING, WAITING, READING, LINKED])
def test_steps_do_not_notice_a_renaming(threads: str, written: Callable[[str], Program]) -> None:
    """The law: thread p(t) does in p(s) what t does in s; and keys are the same for both."""
    joining = (
        JOINING.replace("[3];", "[3]; pthread_barrier_init(&b, 0, 3);") if threads == MEETING else JOINING
    )
    law = symmetry_of(written(threads + joining))
    machine, symmetry, tried = law.machine, Symmetry(law), 0
    states = all_states(machine, Budget(), most=20_000, seconds=AMPLE)
    assert states is not None
    for state in states[:: max(7, len(states) // 400)]:
        symmetric = law.threads(state)
        for renaming in renamings(symmetric, len(state.threads)):
            other = symmetry.renamed(state, renaming)
            assert law.key(other) == law.key(state)
            tried += other != state
            for thread in symmetric:
                here = _following(machine, state, thread)
                there = _following(machine, other, renaming[thread])
                assert there == {symmetry.renamed(after, renaming) for after in here}
    assert tried > 100


def _following(machine: StateMachine, state: State, thread: int) -> set[State]:
    try:
        return {one.state for one in machine.successors(state, thread) if one.state is not None}
    except (NeedsSplitError, GaveUpError):
        return set()


@pytest.mark.parametrize("threads", [LOCKED, LOCAL, TRYING, WAITING, LINKED])
def test_different_threads_have_different_keys(threads: str, written: Callable[[str], Program]) -> None:
    """States have the same key only if some renaming makes one of the other."""
    law = symmetry_of(written(threads + JOINING))
    symmetry, by_key = Symmetry(law), dict[object, State]()
    states = all_states(law.machine, Budget(), most=20_000, seconds=AMPLE)
    assert states is not None
    for state in states[:MOST]:
        one = by_key.setdefault(law.key(state), state)
        renamed = (
            symmetry.renamed(state, renaming)
            for renaming in renamings(law.threads(state), len(state.threads))
        )
        assert one in renamed
    assert len(by_key) < 0.9 * len(states[:MOST])


def symmetric_together(law: ThreadSymmetry) -> set[tuple[int, int]]:
    """How many threads there are besides the first one, and how many are symmetric, in some states."""
    states = all_states(law.machine, Budget(), most=20_000, seconds=AMPLE)
    assert states is not None
    return {(len(state.threads) - 1, len(law.threads(state))) for state in states[::3]}


def test_threads_that_may_know_addresses_are_symmetric_with_all_others_or_none(
    written: Callable[[str], Program],
) -> None:
    """What a thread that stays has in its local objects is not renamed."""
    joining = JOINING.replace("i < 3; i++) pthread_join", "i < 2; i++) pthread_join")
    assert (3, 2) in symmetric_together(symmetry_of(written(LOCKED + joining)))
    assert (3, 2) not in symmetric_together(symmetry_of(written(LINKED + joining)))


def test_with_more_threads_than_sets_have_room_for_nobody_is_symmetric(
    written: Callable[[str], Program],
) -> None:
    law = symmetry_of(written(LOCKED + JOINING))
    assert (3, 3) in symmetric_together(law)
    law.most = 3
    assert (3, 3) not in symmetric_together(law)


def test_who_uses_an_object_that_nobody_knows_is_not_disturbed(written: Callable[[str], Program]) -> None:
    """Whatever another thread does, it is the same before and after that step, which is still possible."""
    law = symmetry_of(written(LINKED + JOINING))
    machine, tried, known = law.machine, 0, 0
    states = all_states(machine, Budget(), most=20_000, seconds=AMPLE)
    assert states is not None
    for state in states[::5]:
        for thread in range(1, len(state.threads)):
            if not law.is_alone(state, thread):
                known += law._private._own_slot(state, thread) is not None
                continue
            for other in {*range(len(state.threads))} - {thread}:
                tried += 1
                first, then = _following(machine, state, thread), _following(machine, state, other)
                assert {end for one in first for end in _following(machine, one, other)} == {
                    end for one in then for end in _following(machine, one, thread)
                }
                assert all(law.is_alone(one, thread) for one in then)
    assert tried > 100
    assert known > 100


SEEN = {
    "the id is computed with": "atomic_int x; void *f(void *a) { x = pthread_self() & 3; return 0; }"
    + JOINING,
    "the id is compared with a number of main's": """
        pthread_t known; atomic_int x;
        void *f(void *a) { if (pthread_equal(known, pthread_self())) x = 1; return 0; }
        int main(void) { pthread_create(&known, 0, f, 0); pthread_exit(0); }
        """,
    "a number is where an id may be": """
        pthread_t owner; atomic_int x;
        void *f(void *a) { pthread_t me = pthread_self(); if (x) me = 2; x++; owner = me; x++; return 0; }
        """
    + JOINING,
    "threads join": """
        atomic_int x; void *g(void *a) { x++; return 0; }
        void *f(void *a) { pthread_t t; pthread_create(&t, 0, g, 0); pthread_join(t, 0); return 0; }
        """
    + JOINING,
    "a set is compared with a number": """
        atomic_uint x; atomic_int y;
        void *f(void *a) { x |= 1u << (pthread_self() - 1); if (x == 6) y = 1; return 0; }
        """
    + JOINING,
    "members of sets are counted": """
        atomic_uint x; atomic_int y;
        void *f(void *a) { x += 1u << (pthread_self() - 1); if (x == 0) y = 1; return 0; }
        """
    + JOINING,
    "the lowest of a set is taken": """
        atomic_uint x, y;
        void *f(void *a) { x |= 1u << (pthread_self() - 1); unsigned s = x; y = s & -s; return 0; }
        """
    + JOINING,
    "addresses of locals are in an order": """
        int *_Atomic p; atomic_int x;
        void *f(void *a) { int l[2]; p = l; if (p > l) x = 1; return 0; }
        """
    + JOINING,
}


def test_sets_that_programs_make_themselves_are_sets(written: Callable[[str], Program]) -> None:
    text = """
    atomic_uint x; atomic_int y;
    void *f(void *a) {
      unsigned own = 1u << (pthread_self() - 1);
      x |= own; if ((x & ~own) == 0) y++; x &= ~own; return 0;
    }
    """
    law = symmetry_of(written(text + JOINING))
    assert law.is_possible
    assert law.most == 32


@pytest.mark.parametrize("why", SEEN)
def test_threads_that_can_be_told_apart_are_not_symmetric(
    why: str, written: Callable[[str], Program]
) -> None:
    assert not symmetry_of(written(SEEN[why])).is_possible


MAINS = {
    "joins all": ("pthread_join(a, 0); pthread_join(b, 0); return 0;", True),
    "joins nobody": ("pthread_exit(0);", True),
    "looks at a result": ("void *r; pthread_join(a, &r); pthread_join(b, 0); assert(!r); return 0;", False),
    "looks between joins": ("pthread_join(a, 0); x++; pthread_join(b, 0); return 0;", False),
    "holds a lock": (
        "pthread_mutex_lock(&n); pthread_join(a, 0); pthread_join(b, 0); pthread_mutex_unlock(&n); return 0;",
        False,
    ),
    "joins one of them": ("pthread_join(b, 0); x++; pthread_join(a, 0); return 0;", False),
}


@pytest.mark.parametrize("main", MAINS)
def test_what_main_does_decides(main: str, written: Callable[[str], Program]) -> None:
    """Where both threads stand at their first step, and main before what is named."""
    text, is_symmetric = MAINS[main]
    program = written(
        "atomic_int x; pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;"
        "void *f(void *a) { x++; x++; pthread_mutex_lock(&n); pthread_mutex_unlock(&n); return a; }"
        "int main(void) { pthread_t a, b;"
        f"pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); {text} }}"
    )
    law = symmetry_of(program)
    assert law.is_possible
    state = law.machine.initial()
    while (outcomes := law.machine.successors(state, 0)) and not is_ended(state.threads[0]):
        assert outcomes[0].state is not None
        if len(state.threads) == 3 and location_of(state.threads[0]) in law.idle:
            break
        state = outcomes[0].state
    assert (len(law.threads(state)) == 2) == is_symmetric


def proof_of(program: Program) -> ClosedStates:
    verdict, _ = explore(program, ALL_PROPERTIES, ExploreOptions(), Budget())
    assert isinstance(verdict, Claimed)
    assert verdict.proof.is_up_to_symmetry
    return verdict.proof


def told_apart(proof: ClosedStates) -> ClosedStates:
    return replace(proof, is_up_to_symmetry=False)


def without_last_state(proof: ClosedStates) -> ClosedStates:
    return replace(proof, states=proof.states[:-1], expansions=proof.expansions[:-1])


def with_another_owner(proof: ClosedStates) -> ClosedStates:
    """Somebody else holds the lock, wherever a thread holds it."""
    states = tuple(
        state._replace(cells=tuple(5 - cell if cell in (2, 3) else cell for cell in state.cells))
        for state in proof.states
    )
    return replace(proof, states=states)


@pytest.mark.parametrize("damage", [told_apart, without_last_state, with_another_owner])
def test_wrong_proofs_are_refused(
    damage: Callable[[ClosedStates], ClosedStates], written: Callable[[str], Program]
) -> None:
    two = JOINING.replace("3", "2")
    program = written(LOCKED + two)
    proof = proof_of(program)
    check_closed_states(program, ALL_PROPERTIES, proof, Budget())
    with pytest.raises(RefusedProofError):
        check_closed_states(program, ALL_PROPERTIES, damage(proof), Budget())


def test_proofs_with_wrong_sets_are_refused(written: Callable[[str], Program]) -> None:
    """Two threads are the other way round in the first cell with a set, and in no other."""
    program = written(
        MEETING + JOINING.replace("t[3];", "t[2]; pthread_barrier_init(&b, 0, 2);").replace("< 3", "< 2")
    )
    proof = proof_of(program)
    check_closed_states(program, ALL_PROPERTIES, proof, Budget())
    cell = next(cell for cell, kind in symmetry_of(program).names.cells if kind == 1)

    def swapped(value: CellValue) -> CellValue:
        return {2: 4, 4: 2}.get(value, value) if isinstance(value, int) else value

    states = tuple(
        s._replace(cells=(*s.cells[:cell], swapped(s.cells[cell]), *s.cells[cell + 1 :]))
        for s in proof.states
    )
    assert states != proof.states
    with pytest.raises(RefusedProofError):
        check_closed_states(program, ALL_PROPERTIES, replace(proof, states=states), Budget())


def test_threads_with_numbers_of_their_own_are_not_taken_for_one_another(
    written: Callable[[str], Program],
) -> None:
    program = written(
        "atomic_int x; void *f(void *a) { x = (long)a; return 0; }"
        + JOINING.replace("f, 0)", "f, (void *)(long)i)")
    )
    assert len({state.cells for state in proof_of(program).states}) == 3
