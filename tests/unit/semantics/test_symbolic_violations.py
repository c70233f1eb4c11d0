"""The state properties in terms are those on concrete states: compared along random runs.

At every state of a run, the condition for its control is evaluated with the values of the state and compared
with ``StatePredicates``. Cells that the run never wrote stay variables; where the answer depends on them, the
concrete state stands for several, and nothing is compared.
"""

import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sley.base.errors import GaveUpError
from sley.frontend.load import load
from sley.logic.operators import Value
from sley.logic.terms import Term
from sley.program.instructions import End, Ending
from sley.program.parser import parse_program
from sley.program.passes.inline import InlineOptions
from sley.program.passes.pipeline import prepare
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.semantics.code import Code
from sley.semantics.machine import Machine
from sley.semantics.state import OVER, State, is_ended
from sley.semantics.symbolic_violations import Condition, SymbolicPredicates
from sley.semantics.violations import StatePredicates
from sley.semantics.vocabulary import HeapShape, Vocabulary
from sley.solvers import make_solver
from sley.solvers.port import Answer
from tests.properties.test_symbolic import Checker, Runner, Snapshot
from tests.unit.program.random_programs import random_program

PROGRAMS = Path(__file__).parents[2] / "programs"

STATE_PROPERTIES = frozenset({Property.RACE, Property.DEADLOCK, Property.LEAK})
"""Without the others, wrong accesses cut the run."""


class Valuation(Checker):
    """Concrete values for the variables of a vocabulary."""

    def of(self, vocabulary: Vocabulary, state: State) -> dict[Term, Term]:
        """The variables that have one value in the state, as constants."""
        at = Snapshot(state.cells, dict(state.blocks), list(state.threads), state.detached, {})
        t, nobody = vocabulary.terms, -1
        values = self._values(vocabulary, nobody, at)
        return {v: t.const(value, t.sort(v)) for v, value in values.items() if value is not None}


class Comparison:
    """Compares the two definitions on the states of one run; ``seen`` counts the answers."""

    def __init__(self, program: Program, seed: int) -> None:
        self.rng = random.Random(seed)
        self.runner = Runner(program, self.rng)
        self.code: Code = self.runner.code
        self.terms = program.terms
        self.machine = Machine(program, is_compiled=False)
        self.concrete = StatePredicates(self.code, self.runner.interpreter)
        self.valuation = Valuation(self.code, self.rng)
        self.functions = [program.entry]
        self.seen: Counter[tuple[str, str]] = Counter()

    def walk(self, steps: int) -> None:
        """A random run."""
        state = self.code.initial()
        for _ in range(steps):
            self.compare(state)
            able = [t for t, at in enumerate(state.threads) if not is_ended(at) and at[0] in self.code.out]
            if not able:
                break
            try:
                recording = self.runner.step(state, self.rng.choice(able))
            except GaveUpError:
                break
            if recording.outcome in OVER:
                break
            if recording.after is not None:
                state = recording.after
            for at in state.threads[len(self.functions) :]:
                self.functions.append(self.code.function_at[at[0]].name)

    def compare(self, state: State) -> None:
        """All predicates on one state."""
        control = [at[0] for at in state.threads]
        if any(location in self.code.errors for location in control):
            return
        vocabulary = self._vocabulary(state)
        predicates = SymbolicPredicates(vocabulary)
        values = self.valuation.of(vocabulary, state)
        self._race(predicates, control, values, state)
        self._stuck(predicates, control, values, state)
        cycle = predicates.wait_cycle(control)
        self._expect("wait cycle", cycle, values, is_so=bool(self.concrete.wait_cycle(state)))
        for thread, location in enumerate(control):
            self._leak(predicates, control, values, state, thread=thread, location=location)

    def _race(
        self, predicates: SymbolicPredicates, control: list[int], values: dict[Term, Term], state: State
    ) -> None:
        try:
            race = self.concrete.race(state)
        except GaveUpError:
            return
        found = predicates.race(control)
        holds = self.terms.or_(*(condition.holds for _, _, condition in found))
        unknown = self.terms.or_(*(condition.unknown for _, _, condition in found))
        self._expect("race", Condition(holds, unknown), values, is_so=race is not None)
        if race is not None:
            assert {race.first, race.second} in [{first, second} for first, second, _ in found]

    def _stuck(
        self, predicates: SymbolicPredicates, control: list[int], values: dict[Term, Term], state: State
    ) -> None:
        running = [thread for thread, at in enumerate(state.threads) if not is_ended(at)]
        try:
            can_step = any(
                not successor.is_spurious
                for thread in running
                for successor in self.machine.successors(state, thread)
            )
        except GaveUpError:
            return
        stuck = predicates.stuck(control)
        if stuck is None:
            assert can_step or not running
        else:
            self._expect("stuck", stuck, values, is_so=not can_step)

    def _leak(
        self,
        predicates: SymbolicPredicates,
        control: list[int],
        values: dict[Term, Term],
        state: State,
        *,
        thread: int,
        location: int,
    ) -> None:
        if location not in self.code.out or not isinstance(action := self.code.action(location), End):
            return
        condition = predicates.leak(control, thread)
        if action.ending is Ending.ABORT:
            assert condition == (self.terms.false, self.terms.false)
            return
        leaked = bool(self.concrete.leaked(state, thread))
        if self.concrete.knows_frames(state, thread):
            self._expect("leak", condition, values, is_so=leaked)
        else:
            assert condition.holds == self.terms.false
            self._expect("leak?", Condition(condition.unknown, self.terms.false), values, is_so=leaked)

    def _expect(self, name: str, condition: Condition, values: dict[Term, Term], *, is_so: bool) -> None:
        unknown = self._truth(condition.unknown, values)
        holds = self._truth(condition.holds, values)
        if unknown is True:
            self.seen[name, "unknown"] += 1
        elif unknown is None or holds is None:
            self.seen[name, "open"] += 1
        else:
            assert holds == is_so, name
            self.seen[name, "yes" if is_so else "no"] += 1

    def _truth(self, term: Term, values: dict[Term, Term]) -> bool | None:
        """Whether the term is true for some inputs; None if it depends on contents that nobody wrote."""
        left = self.terms.substitute(term, values)
        if not self.terms.has_variables(left):
            return self.terms.value(left) is True
        if not all(self.terms.name(v).startswith("?") for v in self.terms.variables(left)):
            return None
        solver = make_solver("z3", self.terms)
        solver.add(left)
        return solver.check() is Answer.SAT

    def _vocabulary(self, state: State) -> Vocabulary:
        """The vocabulary of a state: blocks may have room to spare, and one of them is dead."""
        layouts = self.code.memory_map.layouts
        heap = {
            number: HeapShape(layouts[block.layout].layout, block.size + self.rng.choice((0, 0, 7, 24)))
            for number, block in state.blocks
            if number >= self.code.memory_map.heap_base
        }
        if heap:
            dead = max(heap) + 1
            heap[dead] = HeapShape(heap[dead - 1].layout, 16)
        return Vocabulary(self.code, self.functions, heap)


def compared(program: Program, seeds: range, steps: int) -> Counter[tuple[str, str]]:
    """How often which answer was seen in runs of a program."""
    seen: Counter[tuple[str, str]] = Counter()
    for seed in seeds:
        comparison = Comparison(program, seed)
        comparison.walk(steps)
        seen += comparison.seen
    return seen


