"""A symbolic step is the steps of the interpreter: checked along random runs.

A run of the reference interpreter is recorded. For each step there is exactly one branch (with its heap
block) whose guard holds for the values before; it leads where the interpreter went, and its updates give the
values after. Troubles do not hold. Where the interpreter is stuck, no branch is possible. All this with paths
one by one, and with paths merged where they meet.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sley.base.errors import GaveUpError
from sley.frontend.load import load
from sley.logic.arrays import ArrayValue
from sley.logic.operators import Value
from sley.logic.terms import Term
from sley.passes.inline import InlineOptions
from sley.passes.pipeline import prepare
from sley.program.instructions import Allocate, CallUnmodelled, End, GiveUp, Havoc
from sley.program.program import Edge, Program
from sley.semantics import symbolic_step
from sley.semantics.code import Code
from sley.semantics.state import EXITED as HAS_EXITED
from sley.semantics.state import GONE as IS_GONE
from sley.semantics.state import OVER, is_ended
from sley.semantics.symbolic_memory import AccessTarget
from sley.semantics.symbolic_step import Allocation, Arbitrary, Branch, Filling, Shape, SymbolicSteps
from tests.properties.test_symbolic import Checker, Recording, Runner, Snapshot
from tests.unit.program.random_programs import random_program

PROGRAMS = Path(__file__).parents[2] / "programs"
C_PROGRAMS = [
    path
    for path in sorted(PROGRAMS.glob("*/*.c"))
    if path.stem != "nan_payload"
    and path.parent.name != "entry"
    and "unmodelled=true" not in path.read_text().split("\n")[0]
][4::13]
"""Some marked programs with a main. Terms have one NaN; where a model is missing the first step may tell
nothing."""


class ConcreteResolver:
    """Resolves addresses and sizes by the values at hand, as far as these decide them."""

    def __init__(self, steps: SymbolicSteps, known: Mapping[Term, Value]) -> None:
        self.steps = steps
        self.terms = steps.terms
        self.constants = {v: steps.terms.const(value, steps.terms.sort(v)) for v, value in known.items()}

    def _number(self, term: Term) -> int | None:
        return self.terms.number(self.terms.substitute(term, self.constants))

    def targets(self, shape: Shape, edge: Edge, address: Term) -> Sequence[AccessTarget] | None:
        """The place."""
        pointer = self._number(address)
        if pointer is None:
            return None
        layout = self.steps.code.program.pointers
        place = AccessTarget(layout.number(pointer), layout.offset(pointer))
        return [place] if place.number in self.steps.vocabulary(shape).instances else []

    def capacity(self, edge: Edge, size: Term) -> int | None:
        """The size."""
        return self._number(size)

    def excludes(self, condition: Term) -> bool:
        """Whether the values contradict the condition."""
        return self.terms.substitute(condition, self.constants) == self.terms.false


class StepChecker:
    """Compares symbolic steps with recorded ones."""

    def __init__(self, code: Code, rng: random.Random) -> None:
        self.steps = SymbolicSteps(code)
        self.terms = code.program.terms
        self.values = Checker(code, rng)
        self.shape = self.steps.initial_shape()
        self.checked = 0

    def check(self, recording: Recording) -> None:
        """One step of the interpreter."""
        before = recording.start
        before.registers = self.values._entry_registers(recording)
        known = self._known(recording)
        resolver = ConcreteResolver(self.steps, known)
        step = self.steps.step(self.shape, recording.thread, recording.location, resolver)
        for guard, reason in step.troubles:
            assert not self._holds(guard, known), reason
        edges = tuple(edge for edge, _ in recording.edges)
        taken = [branch for branch in step.branches if self._is_taken(branch, recording, known)]
        if recording.outcome is None or (recording.outcome in OVER and not _is_end(edges)):
            assert not taken
            return
        assert len(taken) == 1
        self._check_taken(taken[0], recording, known)

    def _check_taken(self, branch: Branch, recording: Recording, known: dict[Term, Value]) -> None:
        values = self._all_values(branch, recording, known)
        self.shape = branch.shape
        self.checked += 1
        if recording.after is None:
            return
        after = self.values._final(recording, recording.edges[-1][1])
        vocabulary = self.steps.vocabulary(branch.shape)
        location = recording.after.threads[recording.thread][0]
        # whether an ended thread is gone is in its status, not in the control
        assert (HAS_EXITED if location == IS_GONE else location) == branch.target
        function = vocabulary.threads[recording.thread]
        live = set(self.steps.code.live.get(location, ()))
        dead = {vocabulary.register(recording.thread, r) for r in function.registers if r not in live}
        for variable, expected in self.values._values(vocabulary, recording.thread, after).items():
            if expected is not None and variable not in dead:
                found = self._reduced(branch.updates.get(variable, variable), values)
                assert found == self.terms.const(expected, self.terms.sort(variable)), variable

    # --- values ---------------------------------------------------------------------------------------

    def _known(self, recording: Recording) -> dict[Term, Value]:
        """What the variables are before the step; a cell nobody has read is what it turns out to be."""
        vocabulary = self.steps.vocabulary(self.shape)
        found: dict[Term, Value] = {}
        cells = {c for i in vocabulary.instances.values() for c in vocabulary.cells(i)}
        snapshots: list[Snapshot] = [recording.start, *(after for _, after in recording.edges)]
        for position, snapshot in enumerate(snapshots):
            for variable, value in self.values._values(vocabulary, recording.thread, snapshot).items():
                assert not isinstance(value, ArrayValue)
                if value is not None and variable not in found and (position == 0 or variable in cells):
                    found[variable] = value
        return found

    def _all_values(
        self, branch: Branch, recording: Recording, known: dict[Term, Value]
    ) -> dict[Term, Value]:
        """Also of what the branch makes."""
        initial = self.steps.initial_values(branch.shape)
        new = {v: self.terms.value(term) for v, term in initial.items() if v not in known}
        return new | known | self._inputs(branch, recording)

    def _inputs(self, branch: Branch, recording: Recording) -> dict[Term, Value]:
        """The arbitrary values of a branch as far as the recorded step has them."""
        found: dict[Term, Value] = {}
        made = [event for event in branch.events if isinstance(event, Arbitrary)]
        recorded = [one for one in recording.edges if isinstance(one[0].instruction, Havoc)]
        for event, (edge, snapshot) in zip(made, recorded, strict=False):
            if event.edge is not edge:
                break
            found.update(self._havocked(event.term, edge, snapshot))
        for filling in branch.events:
            if isinstance(filling, Filling):
                found.update(self._filled(filling, recording))
        return found

    def _havocked(self, term: Term, edge: Edge, snapshot: Snapshot) -> Iterator[tuple[Term, Value]]:
        assert isinstance(edge.instruction, Havoc)
        value = snapshot.registers[edge.instruction.target.term]
        assert isinstance(value, int)
        yield term, bool(value) if self.terms.is_boolean(term) else value

    def _filled(self, event: Filling, recording: Recording) -> Iterator[tuple[Term, Value]]:
        for index, term in enumerate(event.terms):
            for _, snapshot in recording.edges:
                cells = self.values._cells(event.number, snapshot)
                if index < len(cells) and isinstance(cells[index], int):
                    yield term, cells[index]  # type: ignore[misc]
                    break

    def _reduced(self, term: Term, values: Mapping[Term, Value]) -> Term:
        constants = {
            v: self.terms.const(values[v], self.terms.sort(v))
            for v in self.terms.variables(term)
            if v in values
        }
        return self.terms.substitute(term, constants)

    def _holds(self, guard: Sequence[Term], values: Mapping[Term, Value]) -> bool:
        """Whether the guard surely holds."""
        return all(self._reduced(part, values) == self.terms.true for part in guard)

    # --- branches -------------------------------------------------------------------------------------

    def _is_taken(self, branch: Branch, recording: Recording, known: dict[Term, Value]) -> bool:
        """Whether the guard holds; which block is made is nobody's business, so that has to fit, too."""
        numbers = [event.number for event in branch.events if isinstance(event, Allocation)]
        is_possible = self._holds(branch.guard, self._all_values(branch, recording, known))
        return is_possible and numbers == self._made_blocks(recording)

    def _made_blocks(self, recording: Recording) -> list[int]:
        """The numbers of the blocks that the step allocated."""
        found: list[int] = []
        previous = recording.start
        for edge, snapshot in recording.edges:
            if isinstance(edge.instruction, Allocate):
                found += [number for number in snapshot.blocks if number not in previous.blocks]
            previous = snapshot
        return found


def _is_end(edges: tuple[Edge, ...]) -> bool:
    return bool(edges) and isinstance(edges[-1].instruction, End)


def walk(program: Program, seed: int, steps: int) -> int:
    """A random run of that many steps, each checked; how many were taken."""
    rng = random.Random(seed)
    runner = Runner(program, rng)
    checker = StepChecker(runner.code, rng)
    state = runner.code.initial()
    for _ in range(steps):
        able = [t for t, at in enumerate(state.threads) if not is_ended(at) and at[0] in runner.code.out]
        if not able:
            break
        try:
            recording = runner.step(state, rng.choice(able))
        except GaveUpError:
            break
        if any(isinstance(edge.instruction, GiveUp | CallUnmodelled) for edge, _ in recording.edges):
            break
        checker.check(recording)
        if recording.outcome in OVER:
            break
        if recording.after is not None:
            state = recording.after
    return checker.checked


few = pytest.mark.parametrize("few", [0, symbolic_step.FEW_BRANCHES])


@few
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_programs(few: int, seed: int) -> None:
    program = prepare(random_program(seed), inlining=InlineOptions(recursion_bound=1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(symbolic_step, "FEW_BRANCHES", few)
        walk(program, seed, steps=25)


@few
@pytest.mark.parametrize("path", C_PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_c_programs(path: Path, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symbolic_step, "FEW_BRANCHES", few)
    program = prepare(load([path]))
    assert walk(program, 1, steps=50) + walk(program, 2, steps=50) > 0
