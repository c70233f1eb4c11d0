"""Steps that are held to be independent in a state commute there, as the interpreter has it.

Along random runs of programs with tables: for each two threads of which the condition says that they do not
meet, whatever one step and then the other lead to, the other order leads to as well.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from sley.analyses.accesses import find_accesses
from sley.analyses.pointers import PointsTo
from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.impact.dependence import Dependence
from sley.engines.impact.engine import impact
from sley.engines.impact.options import ImpactOptions, Interpolants
from sley.evidence.proof import RefusedProofError
from sley.evidence.reachability_tree.check import check_reachability_tree
from sley.evidence.reachability_tree.proof import ReachabilityTree
from sley.evidence.verdict import Claimed
from sley.program.instructions import AtomicBegin
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.machine import StateMachine, Successor
from sley.semantics.places import ShapePlaces
from sley.semantics.state import State, is_ended
from sley.semantics.symbolic_step import Shape, SymbolicSteps
from sley.semantics.values import NeedsSplitError
from sley.semantics.vocabulary import MOST_CELLS
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.task import Granularity, Task
from tests.fuzz.laws import consistency_of, loaded
from tests.fuzz.table_programs import TableGenerator
from tests.limits import AMPLE
from tests.unit.semantics.test_symbolic_violations import Valuation

REACH = frozenset({Property.REACH})
FOLDER = Path(__file__).parents[2] / "programs" / "impact"
FIG1 = FOLDER / "fig1_paper.c"
PROGRAMS, RUNS, STEPS = 40, 8, 12


class Walk:
    """Random runs of one program, and what the condition says at their states."""

    def __init__(self, program: Program, random: Random) -> None:
        self.random = random
        self.terms = program.terms
        self.machine = StateMachine(program, is_compiled=False, consistency=consistency_of(program))
        self.code = self.machine.code
        points_to = PointsTo(program)
        self.steps = SymbolicSteps(self.code, frozenset(), MOST_CELLS)
        accesses = find_accesses(program, points_to, is_elsewhere_excluded=True)
        self.dependence = Dependence(self.steps, accesses, ShapePlaces(self.steps, points_to))
        self.valuation = Valuation(self.code, random)
        self.seen: Counter[str] = Counter()

    def run(self) -> None:
        state, names = self.machine.initial(), [self.code.program.entry]
        for _ in range(STEPS):
            running = [t for t, at in enumerate(state.threads) if not is_ended(at)]
            if any(state.threads[t][0] in self.code.errors for t in running):
                return
            self.compare(state, Shape(tuple(names)), running)
            later = [s for t in running for s in self.after(state, t) if s.state is not None]
            if not later:
                return
            chosen = self.random.choice(later).state
            assert chosen is not None
            state = chosen
            names += (self.code.function_at[at[0]].name for at in state.threads[len(names) :])

    def compare(self, state: State, shape: Shape, running: list[int]) -> None:
        values = self.valuation.of(self.steps.vocabulary(shape), state)
        for one, other in permutations(running, 2):
            at, other_at = state.threads[one][0], state.threads[other][0]
            if self.dependence.is_independent(at, other_at):
                continue
            alias = self.dependence.alias(shape, one, at, other, other_at)
            if self.terms.substitute(alias, values) != self.terms.false:
                self.seen["dependent"] += 1
                continue
            kinds = [isinstance(self.code.action(place), AtomicBegin) for place in (at, other_at)]
            self.seen["apart, sections" if all(kinds) else "apart"] += 1
            assert set(self.outcomes(state, one, other)) == set(self.outcomes(state, other, one))

    def outcomes(self, state: State, first: int, second: int) -> Iterator[object]:
        """What comes of two steps; of one that ends the run, that it does."""
        for middle in self.after(state, first):
            if middle.state is None or middle.thread[0] in self.code.errors:
                continue
            for last in self.after(middle.state, second):
                is_over = last.state is None or last.thread[0] in self.code.errors
                if not is_over:
                    yield last.state

    def after(self, state: State, thread: int) -> list[Successor]:
        return self.machine.successors(state, thread)


def table_program(seed: int, folder: Path) -> Program:
    path = folder / f"tables{seed}.c"
    path.write_text(TableGenerator(seed).program())
    return loaded(path, REACH)


def test_independent_steps_commute(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    for seed in range(PROGRAMS):
        walk = Walk(table_program(seed, tmp_path), Random(seed))
        for _ in range(RUNS):
            try:
                walk.run()
            except (GaveUpError, NeedsSplitError):
                seen["given up"] += 1
        seen += walk.seen
    assert seen["apart, sections"] > 50
    assert seen["dependent"] > 500


# --- the paper's Fig. 1 ----------------------------------------------------------------------------


@cache
def fig1(granularity: Granularity) -> Program:
    """The paper's example."""
    return program_of(Task(paths=(FIG1,), selection=Selection(REACH), granularity=granularity))


def proof_of(
    program: Program, *, force_cover: bool = True, conditional_dependence: bool = True
) -> tuple[ReachabilityTree, float]:
    """What the engine claims by its first way to make labels, and how many nodes it made."""
    options = ImpactOptions(
        interpolants=Interpolants.VALUES,
        force_cover=force_cover,
        conditional_dependence=conditional_dependence,
    )
    verdict, statistics = impact(program, REACH, options, Budget(AMPLE))
    assert isinstance(verdict, Claimed)
    nodes = statistics["nodes"]
    assert isinstance(nodes, int)
    return verdict.proof, nodes


@pytest.mark.parametrize(
    ("granularity", "force_cover"),
    [(Granularity.STATEMENT, False), (Granularity.STATEMENT, True), (Granularity.ACCESS, True)],
)
def test_fig_1_needs_fewer_nodes_where_addresses_decide(
    granularity: Granularity,
    force_cover: bool,
) -> None:
    program = fig1(granularity)
    proof, nodes = proof_of(program, force_cover=force_cover)
    _, plain = proof_of(program, force_cover=force_cover, conditional_dependence=False)
    assert nodes < plain
    assert force_cover or 3 * nodes < 2 * plain
    if granularity is Granularity.STATEMENT:
        check_reachability_tree(program, REACH, proof, Budget(AMPLE))


MEETING = ("t10_section_tables", "t11_second_access", "t12_index_in_table", "t13_unlikely_way")


@pytest.mark.parametrize("name", MEETING)
def test_the_checker_finds_an_alias_that_was_forgotten(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = loaded(FOLDER / f"{name}.c", REACH)
    monkeypatch.setattr(Dependence, "alias", lambda self, *_: self.terms.false)
    tree, _ = proof_of(program)
    with pytest.raises(RefusedProofError, match="lacks thread"):
        check_reachability_tree(program, REACH, tree, Budget(AMPLE))
