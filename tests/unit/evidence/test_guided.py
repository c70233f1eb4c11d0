"""From a path in terms to a schedule: the interpreter gets along it with the given values, or says not."""

from collections.abc import Mapping

import pytest

from sley.base.errors import GaveUpError
from sley.evidence.guided import Guided, schedule_along
from sley.evidence.replay import ReplayError, replay
from sley.evidence.trace import Schedule
from sley.logic.terms import Term
from sley.program.program import Edge, Program
from sley.program.properties import Failure
from sley.semantics.code import Code
from sley.semantics.state import EXITED
from sley.semantics.symbolic_step import Branch, Shape, SymbolicSteps
from tests.textual.parser import parse_program

INPUT = """program lp64
global x : i32
thread main() {
  reg h : i64
  reg n : i32
  reg t : i32
  entry 0 exit 9
  error 8 : reach assertion "assertion can fail"
  0 -> 1 : create h, worker()
  1 -> 2 : load t, x
  2 -> 3 : havoc n, input
  3 -> 9 : assume (not (= (bvadd n t) 42:i32))
  3 -> 8 : assume (= (bvadd n t) 42:i32)
}
thread worker() {
  entry 20 exit 29
  20 -> 21 : store x, 7:i32
  21 -> 29 : exit
}
"""


class Everywhere:
    """The resolver that knows nothing."""

    def targets(self, shape: Shape, edge: Edge, address: Term) -> None:
        """Anywhere."""

    def capacity(self, edge: Edge, size: Term) -> None:
        """Any size."""

    def excludes(self, condition: Term) -> bool:
        """Everything is followed."""
        return False


class Walker:
    """Chooses branches one after another."""

    def __init__(self, program: Program) -> None:
        self.code = Code(program)
        self.steps = SymbolicSteps(self.code)
        self.control = list(self.steps.initial_control())
        self.shape: Shape = self.steps.initial_shape()
        self.path: list[Guided] = []

    def take(self, thread: int, target: int | None = None, values: Mapping[int, int] | None = None) -> Branch:
        """The branch of the thread that leads to ``target``, with these values for its inputs."""
        step = self.steps.step(self.shape, thread, self.control[thread], Everywhere())
        branch = next(b for b in step.branches if target is None or b.target == target)
        chosen: dict[Term, int] = {branch.inputs[i]: value for i, value in (values or {}).items()}
        self.path.append(Guided(branch, chosen))
        self.shape = branch.shape
        self.control[thread] = branch.target
        functions = self.code.program.functions
        self.control += [functions[name].entry for name in branch.shape.threads[len(self.control) :]]
        return branch

    def schedule(self) -> Schedule:
        return schedule_along(self.code, self.path)

    def failure(self, location: int) -> Failure:
        return self.code.errors[location]


def test_inputs_are_as_the_path_says() -> None:
    walker = Walker(parse_program(INPUT, "t"))
    walker.take(0)
    walker.take(1)
    walker.take(0, 8, {0: 35})
    trace = replay(walker.code.program, walker.schedule(), walker.failure(8))
    assert trace.failure == walker.failure(8)


def test_values_that_do_not_fit_are_no_schedule() -> None:
    walker = Walker(parse_program(INPUT, "t"))
    walker.take(0)
    walker.take(0, 8, {0: 35})
    with pytest.raises((GaveUpError, ReplayError)):
        replay(walker.code.program, walker.schedule(), walker.failure(8))


def test_a_blocked_thread_is_no_schedule() -> None:
    text = """program lp64
global m : i32
thread main() {
  reg h : i64
  entry 0 exit 9
  0 -> 1 : lock m
  1 -> 2 : lock m
  2 -> 9 : exit
}
"""
    walker = Walker(parse_program(text, "t"))
    walker.take(0)
    walker.take(0)
    with pytest.raises(GaveUpError, match="blocked"):
        walker.schedule()


def test_a_path_ends_with_its_threads() -> None:
    walker = Walker(parse_program(INPUT, "t"))
    walker.take(0)
    walker.take(1)
    branch = walker.take(1)
    assert branch.target == EXITED
    assert [step.thread for step in walker.schedule()] == [0, 1, 1]
