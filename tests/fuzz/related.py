"""Inputs as sets and facts, against a search in which every input is every one of its values in turn."""

from math import inf
from pathlib import Path

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError
from sley.engines.explore.algorithm import Explorer
from sley.program.instructions import Cause
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.semantics.machine import StateMachine
from sley.semantics.memory import Choice, StepMemory
from sley.semantics.state import State
from sley.semantics.step import Interpreter
from tests.fuzz.campaign import Comparison, Limits
from tests.fuzz.laws import disagreements, interpreter_disagreements, loaded, searched, violated
from tests.fuzz.related_programs import FEW, related_program

MOST_STATES = 8_000
"""Of the search that tries all values."""


class _EnumeratingMemory(StepMemory):
    """Where an arbitrary value is a number from the beginning."""

    __slots__ = ()

    def arbitrary(self, width: int, cause: Cause, text: str) -> int:
        """Any of the few numbers that the programs go on with."""
        assert width == 8, "all inputs are bytes"
        return FEW[self.choose(len(FEW))]


class _EnumeratingInterpreter(Interpreter):
    """Runs steps on such memories."""

    def memory(self, state: State, thread: int, choices: tuple[Choice, ...] = ()) -> StepMemory:
        """The memory of a state as a thread sees it."""
        return _EnumeratingMemory(self.code.memory_map, state, thread, choices)


def enumerated(program: Program, properties: frozenset[Property]) -> Explorer | None:
    """The search that tries all values; None if they are too many."""
    machine = StateMachine(program, is_compiled=False)
    machine.interpreter = _EnumeratingInterpreter(machine.code)
    explorer = Explorer(machine, properties, None, Budget(), MOST_STATES, more_seconds=inf)
    try:
        explorer.search()
    except BudgetExhaustedError:
        return None
    return explorer


def related_compared(seed: int, path: Path, limits: Limits) -> Comparison:
    """All violations are the same, and what is claimed of them is right."""
    path.write_text(related_program(seed))
    program = loaded(path)
    found = [*disagreements(program, max_states=2 * limits.max_states), *interpreter_disagreements(program)]
    if found:
        return Comparison("wrong", "; ".join(found))
    few = searched(program, ALL_PROPERTIES, limits.max_states, is_reduced=False)
    all_of_them = enumerated(program, ALL_PROPERTIES)
    if few is None or all_of_them is None:
        return Comparison("too large")
    if few.gave_up:
        is_wrong = not set(violated(few)) <= set(violated(all_of_them))
        return Comparison("wrong" if is_wrong else "gave up", note="; ".join(few.gave_up))
    if violated(few) != violated(all_of_them):
        return Comparison("wrong", f"{violated(few)}, but with all values {violated(all_of_them)}")
    return Comparison("bug" if few.violations else "safe")
