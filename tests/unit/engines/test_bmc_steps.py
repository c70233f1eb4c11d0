"""Every reduction of engine ``bmc`` against the plain events: the same answers about the same program.

The plain events have a node for every access, no order but that of threads and creations, and a formula in
which every read may copy every write that is not later.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.engines.bmc.events.claims import UnrollingClaims
from sley.engines.bmc.events.graph import EventGraph
from sley.engines.bmc.events.unrolling import Unroller
from sley.engines.bmc.formula.encoding import encode
from sley.engines.bmc.options import BmcOptions, OrderEncoding, Stage
from sley.engines.bmc.steps import reduced
from sley.program.instructions import Lock
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from sley.semantics.code import Code
from sley.solvers import make_solver
from sley.solvers.port import SolverAnswer
from tests.fuzz.laws import loaded
from tests.fuzz.locking_programs import LockingGenerator
from tests.limits import AMPLE
from tests.marked_programs import FOLDER

PLAIN = BmcOptions(order=OrderEncoding.CLOCKS, without=(Stage.PRUNING, Stage.SYMMETRY))
FOUND = sorted((FOLDER / "found").glob("bmc_*.c"))
MOST_NODES = 60
"""With more plain events than this, the plain formula takes too long."""
TOO_LARGE = 9
"""The seed of a program with more of them."""


@dataclass(frozen=True)
class Answers:
    """What a formula says is possible."""

    wrong: bool
    trouble: bool
    cut: bool


def unrolled(
    program: Program, properties: frozenset[Property], *, sections: bool, settled: bool
) -> EventGraph:
    code = Code(program)
    edges = [edge for out in code.out.values() for edge in out]
    locks = frozenset(edge.source for edge in edges if isinstance(edge.instruction, Lock))
    unroller = Unroller(code)
    unroller.claims = UnrollingClaims(unroller.steps.initial_shape(), frozenset() if sections else locks)
    unroller.looks_for_settled = settled
    return unroller.unroll({}, Budget(AMPLE), finds_waits=Property.DEADLOCK in properties)


def answers(graph: EventGraph, options: BmcOptions, properties: frozenset[Property]) -> Answers:
    graph = reduced(graph, options, properties)
    formula = encode(graph, options, properties, Budget(AMPLE))
    t, solver = graph.terms, make_solver("bitwuzla", graph.terms)
    solver.add(*formula.formulas, *(t.or_(*clause) for clause in formula.clauses))
    conditions = [[trouble.condition for trouble in graph.troubles], [cut.condition for cut in graph.cuts]]
    asked = (formula.wrong, *(t.or_(*some) for some in conditions))
    return Answers(*(solver.check(condition) is SolverAnswer.SAT for condition in asked))


def compare(path: Path, properties: frozenset[Property]) -> None:
    """All answers about one program, of which the plain ones come first."""
    program = loaded(path, properties)
    joined = unrolled(program, properties, sections=False, settled=False)
    assert len(joined.nodes) <= MOST_NODES, "too many plain events"
    plain = replace(joined, join_edges=[])
    expected = answers(plain, PLAIN, properties)
    for graph, options in (
        (joined, PLAIN),
        (joined, replace(PLAIN, without=(Stage.PRUNING,))),
        (joined, replace(PLAIN, without=(Stage.SYMMETRY,))),
        (plain, replace(PLAIN, without=(Stage.SYMMETRY,))),
    ):
        assert answers(graph, options, properties) == expected
    if not (expected.trouble or expected.cut):  # a loop in a section may cost fewer iterations
        for sections, settled in ((True, False), (False, True), (True, True)):
            graph = unrolled(program, properties, sections=sections, settled=settled)
            assert answers(graph, PLAIN, properties) == expected
        assert answers(graph, BmcOptions(order=OrderEncoding.CLOCKS), properties) == expected


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_programs_that_once_had_a_false_proof(path: Path) -> None:
    compare(path, PROPERTY_GROUPS["reach"])


@pytest.mark.parametrize("seed", [seed for seed in range(13) if seed != TOO_LARGE])
def test_random_programs_with_locks(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "random.c"
    path.write_text(LockingGenerator(seed).program())
    compare(path, ALL_PROPERTIES if seed % 2 else PROPERTY_GROUPS["reach"])


HEADER = """
#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
"""
AGAIN = "pthread_mutex_lock(&m); x = {}; pthread_mutex_unlock(&m);"
WRONG = {
    "other argument": (
        "x = 2 * x + (int)(long)p;",
        "pthread_create(&b, 0, f, (void *)1); pthread_join(a, 0); pthread_join(b, 0); assert(x != 2);",
    ),
    "maybe overwritten": (
        "x = 1; if (__VERIFIER_nondet_bool()) x = 2; assert(x != 1);",
        "pthread_join(a, 0);",
    ),
    "lock after release": (
        "pthread_mutex_lock(&n);" + AGAIN.format(1) + AGAIN.format(0) + "pthread_mutex_unlock(&n);",
        "pthread_mutex_lock(&m); int r = x; pthread_mutex_unlock(&m); assert(r == 0);",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_programs_that_are_wrong_in_one_way_only(name: str, tmp_path: Path) -> None:
    thread, main = WRONG[name]
    path = tmp_path / "program.c"
    main = f"pthread_t a, b; pthread_create(&a, 0, f, 0); {main}"
    path.write_text(
        f"{HEADER} void *f(void *p) {{ {thread} return 0; }} int main(void) {{ {main} return 0; }}"
    )
    compare(path, PROPERTY_GROUPS["reach"])
