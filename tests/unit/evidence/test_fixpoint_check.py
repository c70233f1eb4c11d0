"""The checker of fixpoints: it accepts what the engine finds, and nothing that was damaged."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.abstract.fixpoint import fixpoint
from sley.evidence.fixpoint.check import check_fixpoint, settle
from sley.evidence.fixpoint.proof import Fixpoint, KnownState
from sley.evidence.proof import RefusedProofError
from sley.frontend.load import load
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.abstract.contexts import Context
from sley.semantics.abstract.objects import ObjectKind
from sley.semantics.abstract.state import AbstractState
from sley.semantics.abstract.values import SELF, ZERO, Value

PROPERTIES = frozenset({Property.RACE, Property.DEREF, Property.FREE, Property.REACH})

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account { pthread_mutex_t lock; int balance; };
struct account *shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int total, rounds = 3;

static void add(struct account *to, int amount)
{
    pthread_mutex_lock(&to->lock);
    if (to->balance < 100)
        to->balance += amount;
    pthread_mutex_unlock(&to->lock);
}

static void *worker(void *argument)
{
    for (int i = 0; i < rounds; i++) {
        add(argument, 1);
        pthread_mutex_lock(&lock);
        total = 7;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t first, second;
    int mine = 5;
    shared = malloc(sizeof *shared);
    pthread_mutex_init(&shared->lock, 0);
    shared->balance = 0;
    pthread_create(&first, 0, worker, shared);
    pthread_create(&second, 0, worker, shared);
    pthread_mutex_lock(&lock);
    int seen = total;
    assert(seen == 0 || seen == 7);
    pthread_mutex_unlock(&lock);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(mine == 5);
    return shared->balance > 1000;
}
"""


@cache
def found() -> tuple[Program, Fixpoint]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "accounts.c"
        path.write_text(PROGRAM)
        program = load((path,))
    return program, fixpoint(program, PROPERTIES, Budget()).proof()


def test_every_check_is_proved() -> None:
    program, proof = found()
    settled = settle(program, PROPERTIES, proof, Budget())
    assert settled.why_not(PROPERTIES) is None
    proved = [prop for (_, prop), doubt in settled.results.items() if doubt is None]
    assert proved.count(Property.RACE) >= 5
    assert proved.count(Property.REACH) == 2
    assert check_fixpoint(program, PROPERTIES, proof, Budget()).how


def test_what_is_not_decided_is_no_proof() -> None:
    program, proof = found()
    with pytest.raises(GaveUpError):
        check_fixpoint(program, PROPERTIES | {Property.LEAK}, proof, Budget())


def test_no_deadlock_is_possible() -> None:
    program, proof = found()
    assert settle(program, PROPERTIES, proof, Budget()).why_not({Property.DEADLOCK}) is None


MANY = 60

HELPER = """
#include <pthread.h>
static int at_most(int value, int most) { return value < most ? value : most; }
#define MODULE(n)                                               \\
    static pthread_mutex_t lock##n = PTHREAD_MUTEX_INITIALIZER; \\
    static int value##n;                                        \\
    static void use##n(void)                                    \\
    {                                                           \\
        pthread_mutex_lock(&lock##n);                           \\
        int most = at_most(value##n, 7);                        \\
        value##n = most + 1;                                    \\
        pthread_mutex_unlock(&lock##n);                         \\
    }
%s
static void *worker(void *unused) { %s return unused; }
int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    return 0;
}
"""


def test_a_helper_that_is_called_under_many_locks_leaves_them_alone(tmp_path: Path) -> None:
    path = tmp_path / "helper.c"
    modules = "\n".join(f"MODULE({n})" for n in range(MANY))
    path.write_text(HELPER % (modules, " ".join(f"use{n}();" for n in range(MANY))))
    program = load((path,))
    properties = PROPERTIES | {Property.DEADLOCK, Property.MISUSE}
    proof = fixpoint(program, properties, Budget()).proof()
    contexts = sum(context.function == "at_most" for context in proof.contexts)
    assert contexts < 2 * MANY  # of each kind of threads: not all locks have one
    assert settle(program, properties, proof, Budget()).why_not(properties) is None


GIVEN_BACK = """
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;
static void give_back(pthread_mutex_t *given) { pthread_mutex_unlock(given); }
static void helper(pthread_mutex_t *given) { give_back(given); }
static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    helper(&lock);
    value = 1;
    return unused;
}
int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    return 0;
}
"""


def test_a_helper_that_gives_a_lock_back_does_not_leave_it_alone(tmp_path: Path) -> None:
    path = tmp_path / "helper.c"
    path.write_text(GIVEN_BACK)
    program = load((path,))
    proof = fixpoint(program, PROPERTIES, Budget()).proof()
    assert settle(program, PROPERTIES, proof, Budget()).why_not({Property.RACE}) is not None


# --- damage ---------------------------------------------------------------------------------------


def _known(proof: Fixpoint, change: Callable[[KnownState], KnownState]) -> Fixpoint:
    """The first state that the change changes."""
    for place, states in proof.states.items():
        for position, state in enumerate(states):
            changed = change(state)
            if changed != state:
                made = (*states[:position], changed, *states[position + 1 :])
                return replace(proof, states={**proof.states, place: made})
    raise AssertionError("nothing to damage")


def _states(proof: Fixpoint, change: Callable[[AbstractState], AbstractState]) -> Fixpoint:
    return _known(proof, lambda one: one._replace(state=change(one.state)))


def _of_thread(proof: Fixpoint) -> int:
    return next(context.index for context in proof.contexts if context.function == "worker")


def _without_a_state(proof: Fixpoint) -> Fixpoint:
    entry = next(place for place in proof.states if place[0] == _of_thread(proof))
    return replace(proof, states={place: s for place, s in proof.states.items() if place != entry})


def _smaller_register(proof: Fixpoint) -> Fixpoint:
    def change(state: KnownState) -> KnownState:
        for register, value in state.registers.items():
            if value.number is not None and value.number.high > value.number.low:
                return state._replace(registers={**state.registers, register: ZERO})
        return state

    return _known(proof, change)


def _narrower_pointer(proof: Fixpoint) -> Fixpoint:
    def change(state: KnownState) -> KnownState:
        for register, value in state.registers.items():
            if value.places:
                return state._replace(registers={**state.registers, register: Value(value.number)})
        return state

    return _known(proof, change)


def _lock_out_of_nothing(proof: Fixpoint) -> Fixpoint:
    held = next(s.state.held for states in proof.states.values() for s in states if s.state.held)
    index = _of_thread(proof)
    place = next(place for place in proof.states if place[0] == index)
    made = tuple(s._replace(state=s.state._replace(held=s.state.held | held)) for s in proof.states[place])
    return replace(proof, states={**proof.states, place: made})


def _forgotten_locks(proof: Fixpoint) -> Fixpoint:
    return _states(proof, lambda s: s._replace(held=frozenset(), maybe=frozenset()) if s.held else s)


def _taken_lock(proof: Fixpoint) -> Fixpoint:
    """As if the thread itself had put its handle into some memory of its own."""

    def change(state: AbstractState) -> AbstractState:
        own = {
            obj: {c: Value(v.number, (), (SELF, 0)) if c.size else v for c, v in cells.items()}
            for obj, cells in state.memory.items()
        }
        return state._replace(memory=own)

    return _states(proof, change)


def _alone_for_ever(proof: Fixpoint) -> Fixpoint:
    return _states(proof, lambda s: s if not s.running else s._replace(running=frozenset()))


def _nobody_beside_a_thread(proof: Fixpoint) -> Fixpoint:
    return _states(proof, lambda s: s if s.running is not None else s._replace(running=frozenset()))


def _early_for_ever(proof: Fixpoint) -> Fixpoint:
    return _states(proof, lambda s: s if s.is_early else s._replace(is_early=True))


def _alive_again(proof: Fixpoint) -> Fixpoint:
    return _states(proof, lambda s: s if not s.dead else s._replace(dead=frozenset()))


def _no_questions(proof: Fixpoint) -> Fixpoint:
    return replace(proof, asked=dict.fromkeys(proof.asked, frozenset()))


def _question_not_passed_on(proof: Fixpoint) -> Fixpoint:
    return replace(proof, asked={**proof.asked, 0: frozenset()})


def _locks_left_alone(proof: Fixpoint) -> Fixpoint:
    return replace(proof, handled=dict.fromkeys(proof.handled, frozenset()))


def _lock_not_passed_on(proof: Fixpoint) -> Fixpoint:
    index = next(caller for (caller, *_), called in proof.calls.items() if proof.handled[called])
    return replace(proof, handled={**proof.handled, index: frozenset()})


def _no_other_locks(proof: Fixpoint) -> Fixpoint:
    return _states(proof, lambda s: s._replace(depth=s.depth + 1))


def _owned_more(proof: Fixpoint) -> Fixpoint:
    heap = next(obj for obj, origin in enumerate(proof.origins) if origin.kind is ObjectKind.HEAP)
    cell = next(cell for cell in proof.memory if cell.object == heap)._replace(offset=0, size=0)
    return _states(proof, lambda s: s if s.is_early else s._replace(memory={**s.memory, heap: {cell: ZERO}}))


def _smaller_memory(proof: Fixpoint) -> Fixpoint:
    cell = next(c for c, v in proof.memory.items() if v.number is not None and v.number.high > 6)
    return replace(proof, memory={**proof.memory, cell: ZERO})


def _missing_memory(proof: Fixpoint) -> Fixpoint:
    cell = next(c for c in proof.memory if proof.origins[c.object].name == "total")
    return replace(proof, memory={c: v for c, v in proof.memory.items() if c != cell})


def _missing_call(proof: Fixpoint) -> Fixpoint:
    return replace(proof, calls=dict(list(proof.calls.items())[1:]))


def _other_call(proof: Fixpoint) -> Fixpoint:
    (first, _), (_, other) = list(proof.calls.items())[:1] + list(proof.calls.items())[-1:]
    return replace(proof, calls={**proof.calls, first: other})


def _missing_start(proof: Fixpoint) -> Fixpoint:
    return replace(proof, starts=dict(list(proof.starts.items())[1:]))


def _same_thread(proof: Fixpoint) -> Fixpoint:
    first = next(iter(proof.starts.values()))
    return replace(proof, starts=dict.fromkeys(proof.starts, first))


def _missing_exit(proof: Fixpoint) -> Fixpoint:
    index = next(index for index, exits in proof.exits.items() if exits)
    return replace(proof, exits={**proof.exits, index: ()})


def _not_shared(proof: Fixpoint) -> Fixpoint:
    return replace(proof, shared=frozenset())


def _no_locks(proof: Fixpoint) -> Fixpoint:
    return replace(proof, locked=frozenset())


def _replaced(proof: Fixpoint) -> Fixpoint:
    assert proof.replaced is not None
    return replace(proof, replaced=proof.replaced | set(proof.memory))


def _no_threads(proof: Fixpoint) -> Fixpoint:
    return replace(proof, replaced=None)


def _other_main(proof: Fixpoint) -> Fixpoint:
    return replace(proof, contexts=(Context(0, "worker", None), *proof.contexts[1:]))


DAMAGES = (
    _without_a_state,
    _smaller_register,
    _narrower_pointer,
    _lock_out_of_nothing,
    _forgotten_locks,
    _taken_lock,
    _alone_for_ever,
    _nobody_beside_a_thread,
    _early_for_ever,
    _alive_again,
    _no_other_locks,
    _no_questions,
    _question_not_passed_on,
    _locks_left_alone,
    _lock_not_passed_on,
    _owned_more,
    _smaller_memory,
    _missing_memory,
    _missing_call,
    _other_call,
    _missing_start,
    _same_thread,
    _missing_exit,
    _not_shared,
    _no_locks,
    _replaced,
    _no_threads,
    _other_main,
)


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_is_refused(damage: Callable[[Fixpoint], Fixpoint]) -> None:
    program, proof = found()
    with pytest.raises(RefusedProofError):
        check_fixpoint(program, PROPERTIES, damage(proof), Budget())


ENDING = """
#include <pthread.h>
#include <stdlib.h>
static void *end(void *given) { free(given); return 0; }
int main(void)
{
    pthread_t ending;
    int *block = malloc(sizeof *block), *other = malloc(sizeof *other);
    *block = *other = 1;
    pthread_create(&ending, 0, end, block);
    pthread_join(ending, 0);
    return *block + *other;
}
"""


def test_who_frees_what_the_first_thread_made_is_known(tmp_path: Path) -> None:
    """What main made last, another thread frees: without that being known, the last line would be proved."""
    file = tmp_path / "ending.c"
    file.write_text(ENDING)
    program = load((file,))
    proof = fixpoint(program, PROPERTIES, Budget()).proof()
    settled = settle(program, PROPERTIES, proof, Budget())
    doubts = [settled.edges[place].origin.text for place in settled.open(Property.DEREF)]
    assert doubts == ["return *block + *other;"]
    for damaged in (
        replace(proof, outlived_later=frozenset()),
        replace(proof, outlived=frozenset(), outlived_later=frozenset()),
    ):
        with pytest.raises(RefusedProofError):
            settle(program, PROPERTIES, damaged, Budget())
