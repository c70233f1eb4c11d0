"""From the way on which the search came to a state to a schedule that the interpreter follows.

On its way the search chose values that stay open, renamed threads and put off joins (``symmetry``). The run
that the schedule is for has numbers in place of open values, threads with the ids that they got, and joins
where they fit.

Which heap blocks are dead and still referred to, so that a new one may get the number of one of them, is
different there: a pointer with an open index is a number now, and maybe out of the block. So positions among
such numbers mean nothing. The way is gone once more to see which blocks the search meant, and in the run a
new block gets the number of the one that stands for the same.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sley.engines.explore.graph import Split, StateMove, concrete, real_names
from sley.engines.explore.symmetry import Symmetry
from sley.evidence.guided import GuidedMemory
from sley.evidence.trace import Schedule, ScheduleStep
from sley.program.instructions import Allocate
from sley.semantics.machine import StateMachine
from sley.semantics.memory import StepMemory
from sley.semantics.state import OVER, State


class _Meant(NamedTuple):
    """What a step of the search chose, with numbers in place of open values."""

    values: tuple[int, ...]
    """All but which blocks were taken."""
    blocks: tuple[tuple[int, bool], ...]
    """The number of each new block, and whether nothing referred to it."""


def schedule_of(
    backwards: Sequence[StateMove | Split], machine: StateMachine, symmetry: Symmetry | None = None
) -> Schedule:
    """The schedule of arrivals in reverse order."""
    moves = [arrival for arrival in reversed(backwards) if isinstance(arrival, StateMove)]
    schedule = concrete(backwards, machine)
    is_renamed = any(move.renaming for move in moves)
    is_open = any(not isinstance(choice, int) for move in moves for choice in move.choices)
    has_heap = any(isinstance(edge.instruction, Allocate) for edge in machine.code.program.edges)
    if machine.history is not None or not (is_renamed or (is_open and has_heap)):
        return schedule
    if has_heap:
        meant = list(_meant(backwards, machine, schedule, symmetry))
    else:
        meant = [_Meant(step.choices, ()) for step in schedule]
    run = _ScheduledRun(machine)
    for move, thread, step in zip(moves, real_names(moves), meant, strict=True):
        if is_renamed and symmetry is not None:
            if move.is_idle:
                continue
            if thread == 0:
                run.catch_up(symmetry)
        run.take(thread, step)
    if is_renamed and symmetry is not None:
        run.catch_up(symmetry)
    return tuple(run.steps)


# --- the way of the search ------------------------------------------------------------------------------


class _NotingMemory(StepMemory):
    """Notes which choices are of blocks."""

    def __init__(self, machine: StateMachine, state: State, move: StateMove) -> None:
        super().__init__(machine.code.memory_map, state, move.thread, move.choices)

    def restart(self) -> None:
        super().restart()
        self.places: set[int] = set()
        self.made: list[tuple[int, bool]] = []

    def _chosen_number(self, candidates: list[int]) -> int:
        place, number = len(self.taken), super()._chosen_number(candidates)
        if len(self.taken) > place:
            self.places.add(place)
        self.made.append((number, number == candidates[0]))
        return number


def _meant(
    backwards: Sequence[StateMove | Split],
    machine: StateMachine,
    schedule: Schedule,
    symmetry: Symmetry | None,
) -> Iterator[_Meant]:
    state: State | None = machine.initial()
    steps = iter(schedule)
    for arrival in reversed(backwards):
        assert state is not None, "a way goes on after its end"
        if isinstance(arrival, Split):
            state = machine.part(state, arrival.value, arrival.ranges)
            continue
        memory = _NotingMemory(machine, state, arrival)
        at = machine.interpreter.step(memory)
        choices = next(steps).choices
        values = (choice for place, choice in enumerate(choices) if place not in memory.places)
        yield _Meant(tuple(values), tuple(memory.made))
        state = None if at is None or at in OVER else memory.freeze(at)
        if state is not None and arrival.renaming and symmetry is not None:
            state = symmetry.renamed(state, arrival.renaming)


# --- the run --------------------------------------------------------------------------------------------


class _StepScript:
    """Says what a step chooses; ``numbers`` are those of blocks, by those of the search."""

    def __init__(self, step: _Meant, numbers: dict[int, int]) -> None:
        self._values, self._blocks = list(step.values), list(step.blocks)
        self._numbers = numbers

    def next_value(self) -> int:
        """The next value."""
        return self._values.pop(0) if self._values else 0

    def number(self, candidates: list[int]) -> int:
        """The place of the block that stands for the one that the search took."""
        meant, is_fresh = self._blocks.pop(0) if self._blocks else (-1, True)
        wanted = None if is_fresh else self._numbers.get(meant)
        place = candidates.index(wanted) if wanted in candidates else 0
        self._numbers[meant] = candidates[place]
        return place

    def content(self, number: int, index: int) -> int:
        """What a cell held that was never written: the next value, too."""
        return self.next_value()


class _ScheduledRun:
    """The run that the schedule is for."""

    def __init__(self, machine: StateMachine) -> None:
        self.machine = machine
        self.state: State | None = machine.initial()
        self.steps: list[ScheduleStep] = []
        self._numbers: dict[int, int] = {}

    def take(self, thread: int, step: _Meant) -> None:
        """One step of the search."""
        assert self.state is not None, "a schedule goes on after its end"
        script = _StepScript(step, self._numbers)
        memory = GuidedMemory(self.machine.code.memory_map, self.state, thread, script)
        at = self.machine.interpreter.step(memory)
        self.steps.append(memory.step_made())
        self.state = None if at is None or at in OVER else memory.freeze(at)

    def catch_up(self, symmetry: Symmetry) -> None:
        """Let the first thread join whom it can, one after another."""
        while self.state is not None:
            outcomes = self.machine.successors(self.state, 0)
            if not symmetry.is_idle(self.state, 0, outcomes):
                break
            self.steps.append(ScheduleStep(0))
            self.state = outcomes[0].state
