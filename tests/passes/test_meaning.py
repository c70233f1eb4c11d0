"""The passes keep what a program can do: on random programs, all outcomes of all schedules are the same."""

from dataclasses import dataclass, field

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sley.base.errors import GaveUpError
from sley.passes.inline import InlineOptions, inline
from sley.passes.instances import separate_instances
from sley.passes.pipeline import prepare
from sley.passes.properties import select_properties
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Failure, Property
from sley.semantics.machine import StateMachine
from sley.semantics.state import ABORTED, CUT, ENDED, State, is_ended
from tests.textual.validation import validate
from tests.unit.program.random_programs import random_program

MOST_STATES = 600
SHALLOW = InlineOptions(recursion_bound=2)


@dataclass
class Outcomes:
    """What can happen."""

    failures: set[Failure] = field(default_factory=set)
    ends: set[object] = field(default_factory=set)
    """Which threads have ended and the memory, where nothing goes on."""
    is_cut: bool = False


def outcomes(program: Program, most_states: int = MOST_STATES) -> Outcomes | None:
    """What can happen over all schedules; None if there are too many states or a call is too deep."""
    machine = StateMachine(program)
    found = Outcomes()
    start = machine.initial()
    seen = {start}
    pending = [start]
    while pending:
        if len(seen) > most_states:
            return None
        state = pending.pop()
        is_stuck = True
        for thread in range(len(state.threads)):
            try:
                successors = machine.successors(state, thread)
            except GaveUpError:
                return None
            for successor in successors:
                is_stuck = False
                location = successor.thread[0]
                if successor.thread == CUT:
                    found.is_cut = True
                elif successor.thread in (ENDED, ABORTED):
                    found.ends.add(("end", state.cells))
                elif location in machine.code.errors:
                    found.failures.add(machine.code.errors[location])
                elif successor.state is not None and successor.state not in seen:
                    seen.add(successor.state)
                    pending.append(successor.state)
        if is_stuck:
            found.ends.add((_ended(state), state.cells))
    return found


def _ended(state: State) -> tuple[bool, ...]:
    return tuple(is_ended(thread) for thread in state.threads)


PROPERTIES = st.sampled_from(
    [ALL_PROPERTIES, frozenset({Property.REACH}), frozenset({Property.DEREF, Property.FREE}), frozenset()]
)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.integers(0, 10**9), PROPERTIES)
def test_prepared_programs_do_the_same(seed: int, properties: frozenset[Property]) -> None:
    program = random_program(seed)
    plain = outcomes(select_properties(separate_instances(inline(program, SHALLOW)), properties))
    assume(plain is not None)
    prepared = prepare(
        program, properties, inlining=SHALLOW, after_pass=lambda _, p: validate(p, is_flat=True)
    )
    assert_same(outcomes(prepared, 10 * MOST_STATES), plain)  # merging can also part states


def assert_same(prepared: Outcomes | None, plain: Outcomes | None) -> None:
    """The same can happen; where a run fails or is cut, what other threads still do until then may differ."""
    assert prepared is not None
    assert plain is not None
    assert bool(prepared.failures) == bool(plain.failures)
    assert prepared.is_cut == plain.is_cut or (plain.failures and not prepared.is_cut)
    if plain.failures or plain.is_cut:
        assert prepared.failures <= plain.failures
        assert prepared.ends <= plain.ends
    else:
        assert prepared.ends == plain.ends
