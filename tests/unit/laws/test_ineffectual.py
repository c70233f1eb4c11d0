"""Which threads read ineffectually, that it makes no difference what they read, and what proofs say of it."""

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sley.analyses.pointers import PointsTo
from sley.base.budget import Budget
from sley.engines.explore.engine import explore
from sley.engines.explore.options import ExploreOptions
from sley.engines.explore.rising import GuessedIneffectualReads
from sley.evidence.closed_states.check import check_closed_states
from sley.evidence.closed_states.proof import ClosedStates, Ineffectual, Parts
from sley.evidence.proof import RefusedProofError
from sley.evidence.source_invariants.reduced import from_reduced
from sley.evidence.source_invariants.states import all_states
from sley.evidence.verdict import Claimed, Unsafe
from sley.laws import ineffectual
from sley.laws.ineffectual import IneffectualReads
from sley.program.instructions import Load
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS
from sley.semantics.machine import StateMachine
from sley.semantics.state import State, is_ended
from tests.fuzz.laws import loaded
from tests.limits import AMPLE
from tests.marked_programs import FOLDER, marks_of

TEXT = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern _Bool __VERIFIER_nondet_bool(void);
#define CAS(x, o, n) atomic_compare_exchange_strong(x, o, n)
atomic_int s, a, b, c; int z;
void *f(void *unused) { int n, x, y; BODY return 0; }
void *g(void *unused) { s++; a++; b++; s++; return 0; }
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, f, 0);
  pthread_create(&t[1], 0, g, 0);
  pthread_create(&t[2], 0, g, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
"""

INEFFECTUAL = (
    "do { n = s; x = a; y = b; } while (n & 1 || n != s); c = x + y;",
    "do { do n = s; while (n & 1); x = a; y = b; } while (n != s); c = x + y;",
    "do { n = s; x = a; if (x) y = b; else y = c; } while (n != s); c = x + y;",
    "do { n = s; x = a; y = __VERIFIER_nondet_bool() ? b : 0; } while (n != s); c = x + y;",
    "do { n = s; x = a; } while (!CAS(&s, &n, n + 2)); c = x;",
    "int k = 0; do { n = s; x = a; k++; } while (n != s); c = x + k;",
    "do { n = s; x = a; } while (s != n && s > 1); c = x;",
)
EFFECTUAL = (
    ("a", "do { n = s; x = a; c = x; } while (n != s);"),
    ("a", "do { n = s; x = a; assert(x < 3); } while (n != s); c = x;"),
    ("a", "int k = 0; do { n = s; x = a; k += x; } while (n != s); c = x + k;"),
    ("a", "do { n = s; x = a; } while (n != (s & 7)); c = x;"),
    ("a", "n = s; x = a; if (n != s) x++; c = x;"),
    ("a", "while (a < 2) ;"),
    ("s", "do { n = s; x = a; } while (n & 1); c = x;"),
    ("z", "do { n = s; x = z; } while (n != s); c = x;"),
)
"""What is read, and by whom: the first ones write in an attempt or may fail, others remember what they have
read, do not look at a number that only rises, do not try again, wait, or do not read atomically."""


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Program]:
    def run(body: str) -> Program:
        path = tmp_path / "program.c"
        path.write_text(TEXT.replace("BODY", body))
        return loaded(path)

    return run


def readers(program: Program) -> tuple[StateMachine, list[tuple[State, int]]]:
    """All states in which a thread reads ineffectually, with the thread."""
    machine = StateMachine(program, is_compiled=False)
    rising = GuessedIneffectualReads(machine.code, PointsTo(program)).rising
    reads = IneffectualReads(machine.code, PointsTo(program), rising)
    states = all_states(machine, Budget(), most=30_000, seconds=AMPLE)
    assert states is not None
    return machine, [
        (s, t) for s in states for t in range(1, len(s.threads)) if reads.look(s, t).is_ineffectual
    ]


@pytest.mark.parametrize("body", INEFFECTUAL)
def test_a_thread_that_reads_ineffectually_comes_to_the_same_end(
    body: str, written: Callable[[str], Program]
) -> None:
    """Whatever another one does before."""
    machine, found = readers(written(body))
    assert len(found) > 10
    for state, thread in found[::5]:
        ends = _later(machine, state, thread)
        for other in {*range(1, len(state.threads))} - {thread}:
            for moved in _steps(machine, state, other):
                assert not ends.isdisjoint(_later(machine, moved, thread))
                for after in _steps(machine, moved, thread):
                    assert after.cells == moved.cells


def _later(machine: StateMachine, state: State, thread: int) -> set[object]:
    """Where a thread may be in at most four steps of its own."""
    found = {state}
    for _ in range(4):
        found |= {after for one in found for after in _steps(machine, one, thread)}
    return {one.threads[thread] for one in found - {state}}


def _steps(machine: StateMachine, state: State, thread: int) -> list[State]:
    if is_ended(state.threads[thread]):
        return []
    return [one.state for one in machine.successors(state, thread) if one.state is not None]


@pytest.mark.parametrize(("read", "body"), EFFECTUAL)
def test_others_do_not_read_ineffectually(read: str, body: str, written: Callable[[str], Program]) -> None:
    machine, found = readers(written(body))
    actions = [machine.code.action(state.threads[thread][0]) for state, thread in found]
    assert all(isinstance(action, Load) and action.access.text != read for action in actions)


# --- conditions -----------------------------------------------------------------------------------

FAULTS = (
    ("data_read_plainly", IneffectualReads._read_at, "not access.is_atomic or", ""),
    ("data_written_plainly", IneffectualReads._read_at, "None if is_plain else", ""),
    ("pointer_is_followed", ineffectual._Ways._after, "or cell is None", ""),
    ("exchange_is_ignored", ineffectual._Ways._after, "not self._fails(read.instruction, values)", "False"),
    ("failure_is_told", ineffectual._Ways.are_ineffectual, "return False", "continue"),
    ("remembers_what_was_wrong", ineffectual._Ways.are_ineffectual, "len(ends) > 1", "False"),
    ("read_twice", ineffectual._Ways._now, "number < low", "number <= low"),
)
"""A program, and a condition without which what is wrong with it is not found."""


@pytest.mark.parametrize(("name", "method", "condition", "instead"), FAULTS)
def test_each_condition_is_needed(
    name: str, method: Callable[..., object], condition: str, instead: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = FOLDER / "attempts" / f"{name}.c"
    (group,) = marks_of(path).violated
    properties = PROPERTY_GROUPS[group]
    program = loaded(path, properties)
    assert isinstance(explore(program, properties, ExploreOptions(), Budget())[0], Unsafe)
    text = textwrap.dedent(inspect.getsource(method))
    assert text.count(condition) == 1
    made: dict[str, object] = {}
    exec(text.replace(condition, instead).replace("len(ends) == 1", "ends"), vars(ineffectual), made)
    owner = IneffectualReads if hasattr(IneffectualReads, method.__name__) else ineffectual._Ways
    monkeypatch.setattr(owner, method.__name__, made[method.__name__])
    assert isinstance(explore(program, properties, ExploreOptions(), Budget())[0], Claimed)


# --- proofs ---------------------------------------------------------------------------------------


def claimed(program: Program, *, symmetric: bool = False) -> ClosedStates:
    verdict, _ = explore(program, ALL_PROPERTIES, ExploreOptions(thread_symmetry=symmetric), Budget())
    assert isinstance(verdict, Claimed)
    return verdict.proof


def is_accepted(program: Program, proof: ClosedStates) -> bool:
    try:
        check_closed_states(program, ALL_PROPERTIES, proof, Budget())
    except RefusedProofError:
        return False
    return True


def attempts(name: str) -> Program:
    return loaded(FOLDER / "attempts" / f"{name}.c")


@pytest.mark.parametrize("symmetric", [False, True])
def test_a_proof_says_what_reads_are_ineffectual(*, symmetric: bool) -> None:
    program = attempts("readers_try_again")
    proof = claimed(program, symmetric=symmetric)
    places, rising = proof.ineffectual
    assert len(places) == 3
    assert len(rising) == 1
    assert is_accepted(program, proof)
    assert not is_accepted(program, replace(proof, ineffectual=Ineffectual()))
    assert not is_accepted(program, replace(proof, ineffectual=Ineffectual(places[1:], rising)))
    assert not is_accepted(program, replace(proof, ineffectual=Ineffectual(places)))
    assert not is_accepted(program, replace(proof, ineffectual=Ineffectual(places, (1_000,))))


def test_what_falls_does_not_rise() -> None:
    """A mutex that is free again."""
    program = attempts("readers_try_again")
    proof = claimed(program)
    (cell,) = proof.ineffectual.rising
    falling = loaded(FOLDER / "synchronisation" / "trylock_guards.c")
    other = claimed(falling)
    cells = range(len(other.states[0].cells))
    falls = [c for c in cells if len({state.cells[c] for state in other.states}) > 1]
    assert falls
    assert is_accepted(falling, replace(other, ineffectual=Ineffectual((0,))))
    assert not is_accepted(falling, replace(other, ineffectual=Ineffectual((0,), tuple(falls))))
    assert all(isinstance(state.cells[cell], int) for state in proof.states)


NAMED = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int taken; pthread_t first;
void *f(void *unused) { if (!atomic_exchange(&taken, 1)) first = pthread_self(); return 0; }
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
"""


def test_what_names_threads_does_not_rise_if_threads_are_symmetric(tmp_path: Path) -> None:
    """In each run it does, and so it does in the proof."""
    path = tmp_path / "program.c"
    path.write_text(NAMED)
    program = loaded(path)
    for symmetric in (True, False):
        proof = claimed(program, symmetric=symmetric)
        values = [{state.cells[cell] for state in proof.states} for cell in range(2)]
        first = int(values[0] == {0, 1})
        assert proof.is_up_to_symmetry == symmetric
        assert is_accepted(program, replace(proof, ineffectual=Ineffectual((0,), (1 - first,))))
        assert is_accepted(program, replace(proof, ineffectual=Ineffectual((0,), (first,)))) != symmetric


def test_a_reader_whose_attempt_may_succeed_is_not_taken_alone() -> None:
    program = attempts("readers_try_again")
    proof = claimed(program)
    damaged = 0
    for number, (state, taken) in enumerate(zip(proof.states, proof.expansions, strict=True)):
        assert not isinstance(taken, Parts)
        for thread in taken if len(taken) > 1 else ():
            if state.threads[thread][0] in proof.ineffectual.places:
                expansions = (*proof.expansions[:number], (thread,), *proof.expansions[number + 1 :])
                assert not is_accepted(program, replace(proof, expansions=expansions))
                damaged += 1
    assert damaged > 10


def test_what_a_reader_has_read_ineffectually_does_not_double_states() -> None:
    program = attempts("readers_try_again")
    everything, _ = explore(program, ALL_PROPERTIES, ExploreOptions(reduction=False), Budget())
    assert isinstance(everything, Claimed)
    assert 20 * len(claimed(program).states) < len(everything.proof.states)


def test_a_number_that_falls_is_relied_on_no_more(tmp_path: Path) -> None:
    """Here it wraps around, late enough."""
    path = tmp_path / "program.c"
    path.write_text(
        TEXT.replace("BODY", INEFFECTUAL[0]).replace("atomic_int s,", "atomic_uchar s = 254; atomic_int")
    )
    program = loaded(path)
    proof = claimed(program)
    assert proof.ineffectual.rising == ()
    assert is_accepted(program, proof)


def test_nothing_is_said_of_what_may_have_been_read_ineffectually(written: Callable[[str], Program]) -> None:
    """What the states of the proof say of a loop in an attempt does not hold in all states of the program."""
    body = (
        "do { n = s; x = a; y = 0; for (int i = 0; i < 2; i++) y += b; } while (n & 1 || n != s); c = x + y;"
    )
    program = written(body)
    proof = claimed(program)
    assert "f" not in {one.function for one in from_reduced(program, proof)}
    assert "f" in {one.function for one in from_reduced(program, replace(proof, ineffectual=Ineffectual()))}
