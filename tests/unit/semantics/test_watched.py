"""What a step looks at is all that it depends on; who wants to see everything is told."""

from pathlib import Path
from typing import Any

import pytest

from sley.program.properties import ALL_PROPERTIES
from sley.semantics.machine import StateMachine
from sley.semantics.state import State, is_ended
from sley.semantics.watched import COUNT, DETACHED, LooksAtAllError, WatchedItem, changes, watched
from tests.fuzz.laws import loaded, searched

PROGRAMS = Path(__file__).parents[2] / "programs"


def found(state: State, place: WatchedItem) -> Any:
    if place == DETACHED:
        return state.detached
    if place == COUNT:
        return len(state.threads)
    match place.kind:
        case "cell":
            return state.cells[place.number]
        case "block":
            return state.blocks.get(place.number)
        case _:
            return state.threads[place.number]


@pytest.mark.parametrize(
    "name", ["threads/detached.c", "conditions/producer_consumer.c", "lock_free/stack_aba.c"]
)
@pytest.mark.parametrize("is_compiled", [True, False])
def test_a_step_does_the_same_wherever_it_sees_the_same(name: str, is_compiled: bool) -> None:
    """Each step is taken in a watched state, and its changes are made in the real one."""
    program = loaded(PROGRAMS / name)
    explorer = searched(program, ALL_PROPERTIES, 2_000, is_reduced=False)
    assert explorer is not None
    machine = StateMachine(program, is_compiled=is_compiled, is_remembering=False)
    watched_steps = 0
    for state in explorer.graph.states[:300]:
        for thread, at in enumerate(state.threads):
            if is_ended(at):
                continue
            real = machine.successors(state, thread)
            seen = watched(thread, at, lambda place, state=state: found(state, place))  # type: ignore[misc]
            try:
                outcomes = machine.successors(seen, thread)
            except LooksAtAllError:
                continue
            watched_steps += 1
            assert [(o.choices, o.thread, o.is_spurious) for o in outcomes] == [
                (o.choices, o.thread, o.is_spurious) for o in real
            ]
            for outcome, expected in zip(outcomes, real, strict=True):
                assert (outcome.state is None) == (expected.state is None)
                if outcome.state is not None:
                    assert applied(state, outcome.state) == expected.state
    assert watched_steps > 20


def applied(state: State, after: State) -> State:
    made = changes(after)
    cells, threads, blocks = list(state.cells), list(state.threads), state.blocks
    for at, value in made.cells.items():
        cells[at] = value
    for number, block in made.blocks.items():
        blocks = blocks.replaced(number, block)
    for thread, there in sorted(made.threads.items()):
        threads[thread:] = [there, *threads[thread + 1 :]]
    return State(tuple(cells), blocks, tuple(threads), made.detached)


def test_an_allocation_looks_at_everything() -> None:
    program = loaded(PROGRAMS / "memory" / "freed_after_join.c")
    machine = StateMachine(program)
    explorer = searched(program, ALL_PROPERTIES, 2_000, is_reduced=False)
    assert explorer is not None
    seen_all = 0
    for state in explorer.graph.states:
        seen = watched(0, state.threads[0], lambda place, state=state: found(state, place))  # type: ignore[misc]
        try:
            machine.successors(seen, 0)
        except LooksAtAllError:
            seen_all += 1
    assert seen_all > 0
