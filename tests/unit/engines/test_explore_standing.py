"""Where threads stand, kept by differences, and a look at few threads."""

import random
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.explore.algorithm import Explorer
from sley.engines.explore.few import FewExplorer, violations_of_few
from sley.engines.explore.standing import ThreadPlaces
from sley.program.properties import ALL_PROPERTIES, Property
from sley.semantics.machine import StateMachine
from sley.semantics.state import State, is_ended
from sley.semantics.values import NeedsSplitError
from sley.semantics.violations import StatePredicates
from sley.verification.reading import program_of
from sley.verification.task import Task

PROGRAMS = Path(__file__).parents[2] / "programs"

MANY = """
#include <assert.h>
#include <pthread.h>
pthread_t ids[1000];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;
void *worker(void *unused) {
    %s
    return 0;
}
int main(void) {
    for (int i = 0; i < 1000; i++) pthread_create(&ids[i], 0, worker, 0);
    for (int i = 0; i < 1000; i++) pthread_join(ids[i], 0);
    return 0;
}
"""


def some_states(machine: StateMachine, rng: random.Random, count: int) -> list[State]:
    """States of random runs, one after another."""
    found = [machine.initial()]
    while len(found) < count:
        state = found[-1]
        running = [thread for thread, at in enumerate(state.threads) if not is_ended(at)]
        try:
            steps = [one for thread in running for one in machine.successors(state, thread)]
        except (NeedsSplitError, GaveUpError):
            steps = []
        following = [one.state for one in steps if one.state is not None]
        going_on = [one for one in following if not any(at[0] in machine.code.errors for at in one.threads)]
        found.append(rng.choice(going_on) if going_on else machine.initial())
    return found


@pytest.mark.parametrize(
    "name",
    [
        "race/flag_before_data",
        "deadlock/semaphore_never_posted",
        "threads/nested_creation",
        "freeing/last_byte",
        "threads/shared_handle",
        "threads/section_changes_two",
        "lock_free/stack_freed_too_early",
    ],
)
def test_what_is_not_suspected_is_not_there(name: str) -> None:
    machine = StateMachine(program_of(Task(paths=(PROGRAMS / f"{name}.c",))))
    predicates = StatePredicates(machine.code, machine.interpreter)
    standing = ThreadPlaces(predicates, asks_races=True, asks_deadlocks=True)
    rng = random.Random(name)
    for state in rng.sample(some_states(machine, rng, 300), 300):
        try:
            standing.move(state)
            suspicion = standing.suspicion(state)
            has_race = predicates.race(state) is not None
            has_cycle = bool(predicates.wait_cycle(state))
        except (NeedsSplitError, GaveUpError):
            continue
        assert list(standing.running) == [t for t, at in enumerate(state.threads) if not is_ended(at)]
        assert suspicion.race or not has_race
        assert suspicion.cycle or not has_cycle


def explorer(folder: Path, body: str) -> Explorer:
    path = folder / "many.c"
    path.write_text(MANY % body)
    machine = StateMachine(program_of(Task(paths=(path,))))
    return Explorer(machine, ALL_PROPERTIES, None, Budget())


def test_few_threads_show_what_many_do(tmp_path: Path) -> None:
    (failure,) = violations_of_few(explorer(tmp_path, "x++;"))
    assert failure.property is Property.RACE
    found = violations_of_few(explorer(tmp_path, "pthread_mutex_lock(&lock); pthread_mutex_lock(&lock);"))
    assert [failure.property for failure in found] == [Property.DEADLOCK]


def test_that_nobody_may_create_is_no_deadlock(tmp_path: Path) -> None:
    few = FewExplorer(explorer(tmp_path, "pthread_mutex_lock(&lock); x++; pthread_mutex_unlock(&lock);"))
    few.search()
    assert not few.violations
    assert max(len(state.threads) for state in few.graph.states) == 3
