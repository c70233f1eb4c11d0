"""Reads of variables and blocks that were never written: their values are indeterminate (C11 6.7.9p10).

What counts is a read of a whole scalar by the user's own code. Where something is only copied, or read byte
by byte, or by a function of the library, C has no quarrel with it as such: then it is not known whether the
value matters.
"""

from collections.abc import Mapping
from typing import NamedTuple

from sley.program.instructions import Load, Update
from sley.program.program import Edge
from sley.program.properties import Failure, Property
from sley.semantics.machine import StateMachine
from sley.semantics.memory import Choice, StepMemory
from sley.semantics.state import State, ThreadState
from sley.semantics.step import Happening

NOT_KNOWN = "something that was not written is copied, or read by a function of the library"


class UnsetRead(NamedTuple):
    """A read of what was never written."""

    edge: Edge
    is_certain: bool
    """Whether it is one that C does not allow; otherwise unknown."""
    address: int | None = None


class Watch:
    """Listens to one step: the first read of what was never written."""

    def __init__(self, memory: StepMemory) -> None:
        self.memory = memory
        self.found: UnsetRead | None = None

    def __call__(self, happening: Happening) -> None:
        """Something happens; what it reads has been read."""
        if self.found is None and self.memory.unset_reads:
            self.found = UnsetRead(happening.edge, self._is_certain(happening.edge), happening.address)

    def _is_certain(self, edge: Edge) -> bool:
        instruction = edge.instruction
        if not isinstance(instruction, Load | Update) or edge.origin.is_library:
            return False
        return not instruction.access.is_copied and self.memory.unset_reads == (instruction.access.size,)


def unset_reads(machine: StateMachine, state: State, thread: int) -> Mapping[tuple[Choice, ...], UnsetRead]:
    """For each way to take a step, by its choices: the first read of what was never written, if any."""
    found: dict[tuple[Choice, ...], UnsetRead] = {}
    watches: dict[int, Watch] = {}

    def step(memory: StepMemory) -> ThreadState | None:
        watch = watches[id(memory)] = Watch(memory)
        return machine.interpreter.step(memory, watch)

    for memory, result in machine.interpreter.outcomes(state, thread, step):
        read = watches[id(memory)].found
        if result is not None and read is not None:
            found[tuple(choice for choice, _ in memory.taken)] = read
    return found


def failure_of(read: UnsetRead) -> Failure:
    """What such a read is called."""
    instruction = read.edge.instruction
    assert isinstance(instruction, Load | Update)
    phrase, text = "read before it is written", instruction.access.text
    return Failure(Property.UNINITIALISED, "uninitialised-read", phrase, text)
