"""From a path in terms and values for its inputs to a schedule for the interpreter.

An engine on formulas finds a path: branches of symbolic steps, and a value for every arbitrary value on it.
Here the interpreter runs along that path and asks the guide whenever something is arbitrary; what it decided
is the schedule, which is then replayed like any other.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from sley.base.errors import GaveUpError
from sley.evidence.trace import Schedule, ScheduleStep
from sley.logic.arrays import ArrayValue
from sley.logic.operators import AnyValue
from sley.logic.terms import Term
from sley.program.instructions import Cause
from sley.semantics.code import Code
from sley.semantics.memory import LayoutTable, MemoryMap, StepMemory
from sley.semantics.state import OVER, CellValue, State, ThreadState, location_of
from sley.semantics.step import Interpreter
from sley.semantics.symbolic_step import Allocation, Arbitrary, Branch, Filling

Contents = Callable[[int], int]
"""The number in a cell, by its index."""


class Guided(NamedTuple):
    """One branch of a path, and the value of each arbitrary value that it makes."""

    branch: Branch
    values: Mapping[Term, AnyValue]


def schedule_along(code: Code, path: Sequence[Guided]) -> Schedule:
    """The steps with which the interpreter follows the path; GaveUpError if it does not get along it."""
    guide = _Guide(code)
    for guided in path:
        guide.follow(guided)
    return tuple(guide.steps)


class _Guide:
    """Runs the interpreter along a path."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.interpreter = Interpreter(code)
        self.state: State | None = code.initial()
        self.steps: list[ScheduleStep] = []
        self.numbers: dict[int, int] = {}
        """Heap block as the path numbers it -> as the interpreter does."""
        self.fillings: dict[int, Contents] = {}
        """Object as the interpreter numbers it -> the arbitrary contents it began with."""

    def follow(self, guided: Guided) -> None:
        """One branch: as many steps of its thread as it spans."""
        branch = guided.branch
        script = _GuideScript(self, guided)
        for _ in branch.edges:
            if self.state is None:
                raise GaveUpError("a path goes on after its end")
            memory = GuidedMemory(self.code.memory_map, self.state, branch.thread, script)
            result = self.interpreter.step(memory)
            if result is None:
                raise GaveUpError("a path could not be followed: a thread is blocked")
            self.steps.append(memory.step_made())
            self.state = None if result in OVER else memory.freeze(result)
            if _has_arrived(result, branch):
                return
        raise GaveUpError("a path could not be followed: a thread went elsewhere")


def _has_arrived(result: ThreadState, branch: Branch) -> bool:
    if branch.target >= 0:
        return location_of(result) == branch.target
    return location_of(result) < 0


class _GuideScript:
    """What the guide answers during one branch."""

    def __init__(self, guide: _Guide, guided: Guided) -> None:
        self.guide = guide
        events = guided.branch.events
        self.arbitrary = [_number(guided, event.term) for event in events if isinstance(event, Arbitrary)]
        self.allocations = [event for event in events if isinstance(event, Allocation)]
        self.fillings = {
            event.number: _contents(guided, event) for event in events if isinstance(event, Filling)
        }
        blocks = {event.number for event in self.allocations}
        for number, contents in self.fillings.items():
            if number not in blocks:
                guide.fillings[number] = contents

    def next_value(self) -> int:
        """The next arbitrary value."""
        return self.arbitrary.pop(0) if self.arbitrary else 0

    def number(self, candidates: list[int]) -> int:
        """Which of the candidates a new heap block gets, as a position."""
        event = self.allocations.pop(0)
        wanted = None if event.is_new else self.guide.numbers.get(event.number)
        position = candidates.index(wanted) if wanted in candidates else 0
        self.guide.numbers[event.number] = candidates[position]
        if event.number in self.fillings:
            self.guide.fillings[candidates[position]] = self.fillings[event.number]
        return position

    def content(self, number: int, index: int) -> int:
        """What an object's cell held from the beginning."""
        contents = self.guide.fillings.get(number)
        return 0 if contents is None else contents(index)


def _number(guided: Guided, term: Term) -> int:
    """The value of a number; what nothing depends on is 0."""
    value = guided.values.get(term, 0)
    assert not isinstance(value, ArrayValue), "an array in place of a number"
    return value


def _contents(guided: Guided, filling: Filling) -> Contents:
    """What the cells of an object are filled with."""
    layout = filling.layout
    if layout is None:
        numbers = [_number(guided, term) for term in filling.terms]
        return lambda index: numbers[index] if index < len(numbers) else 0
    sizes = dict.fromkeys(cell.size for cell in layout.cells)
    arrays = {size: guided.values.get(term) for size, term in zip(sizes, filling.terms, strict=True)}

    def element(index: int) -> int:
        array = arrays[layout.cells[index % len(layout.cells)].size]
        return array.at(layout.offset_of(index)) if isinstance(array, ArrayValue) else 0

    return element


class Guide(Protocol):
    """Says what is to become of everything arbitrary."""

    def next_value(self) -> int:
        """The next arbitrary value."""
        ...

    def number(self, candidates: list[int]) -> int:
        """Which of the candidates a new heap block gets, as a position."""
        ...

    def content(self, number: int, index: int) -> int:
        """What an object's cell held from the beginning."""
        ...


class Scripted(StepMemory):
    """A memory that asks a script for everything arbitrary."""

    script: Guide
    _fixed: tuple[int, int] | None

    def step_made(self) -> ScheduleStep:
        """What to prescribe to step in the same way again."""
        return ScheduleStep(self.thread, tuple(choice for choice, _ in self.taken if isinstance(choice, int)))

    def choose(self, alternatives: int) -> int:
        """An arbitrary truth value."""
        value = min(self.script.next_value(), alternatives - 1)
        self.taken.append((value, alternatives))
        return value

    def arbitrary(self, width: int, cause: Cause, text: str) -> int:
        """An arbitrary number: an input, or what uninitialised memory holds."""
        value = self.script.next_value() if self._fixed is None else self.script.content(*self._fixed)
        self.taken.append((value, 1))
        return value

    def _fix(self, number: int, table: LayoutTable, index: int, size: int, unset: CellValue) -> CellValue:
        self._fixed = number, index
        try:
            return super()._fix(number, table, index, size, unset)
        finally:
            self._fixed = None

    def _chosen_number(self, candidates: list[int]) -> int:
        position = self.script.number(candidates)
        if len(candidates) > 1:
            self.taken.append((position, len(candidates)))
        return candidates[position]


class GuidedMemory(Scripted):
    """The same under sequential consistency."""

    def __init__(self, memory_map: MemoryMap, state: State, thread: int, script: Guide) -> None:
        super().__init__(memory_map, state, thread)
        self.script = script
        self._fixed = None
