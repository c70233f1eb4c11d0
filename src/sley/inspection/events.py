"""The events of a task as engine ``bmc`` sees them, for people to look at."""

from dataclasses import dataclass

from sley.base.budget import Budget
from sley.engines.bmc.events.graph import EventGraph
from sley.engines.bmc.events.unrolling import Unroller
from sley.evidence.bounded.proof import Loop
from sley.semantics.code import Code
from sley.semantics.symbolic_step import Shape, SymbolicSteps
from sley.verification.reading import program_of
from sley.verification.task import Task


@dataclass(frozen=True, slots=True)
class UnrolledProgram:
    """A program with its loops unrolled, and what exists in it."""

    steps: SymbolicSteps
    shape: Shape
    graph: EventGraph


def unrolled(task: Task, budget: Budget) -> UnrolledProgram:
    """Unroll every loop as often as the options of engine ``bmc`` say, once if they do not."""
    program = program_of(task)
    unroller = Unroller(Code(program))
    bounds: dict[Loop | int, int] = dict.fromkeys(unroller.heads(), task.options.bmc.unwind or 1)
    graph = unroller.unroll(bounds, budget, finds_waits=False)
    return UnrolledProgram(unroller.steps, unroller.claims.shape, graph)
