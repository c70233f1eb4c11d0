import pytest

from sley.base.errors import GaveUpError
from sley.passes.store_buffers import Buffering, Instrument, with_store_buffers
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.semantics.machine import StateMachine
from sley.semantics.state import is_ended
from tests.passes.store_buffer_machine import Outcome, Threads, program, random_threads, simulated
from tests.textual.validation import validate

SIZE = 3


def outcomes(buffered: Program) -> tuple[set[Outcome], bool]:
    """All outcomes of interleavings, and whether one is given up."""
    machine = StateMachine(buffered)
    first = machine.initial()
    seen, waiting, found, is_given_up = {first}, [first], set[Outcome](), False
    while waiting:
        state = waiting.pop()
        if all(map(is_ended, state.threads)):
            values = tuple(at[1] for at in state.threads[1:])
            memory = tuple(value for value in state.cells[:4] if isinstance(value, int))
            found.add((values, memory))
        for thread in range(len(state.threads)):
            try:
                after = machine.successors(state, thread)
            except GaveUpError:
                is_given_up = True
                continue
            for successor in after:
                if successor.state is not None and successor.state not in seen:
                    seen.add(successor.state)
                    waiting.append(successor.state)
    return found, is_given_up


def compare(threads: Threads, model: MemoryModel) -> None:
    expected, is_exceeded = simulated(threads, model, SIZE)
    sequential, _ = outcomes(program(threads))
    assert sequential <= expected
    for instrument in Instrument:
        buffered = with_store_buffers(program(threads), Buffering(model, SIZE, instrument))
        validate(buffered, is_flat=True)
        found, is_given_up = outcomes(buffered)
        assert found <= expected
        assert is_given_up or found == expected
        assert is_exceeded or not is_given_up


@pytest.mark.parametrize("model", [MemoryModel.TSO, MemoryModel.PSO])
@pytest.mark.parametrize(
    "seed", [*range(5), 2948, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(5, 200))]
)
def test_outcomes_are_those_of_the_machine(seed: int, model: MemoryModel) -> None:
    compare(random_threads(seed), model)
