"""Engine ``bmc`` under C11, and the checker of its proofs: both formulas against the definition of RC11.

Random litmus programs: what models of the formulas read is what consistent executions read, and a race is in
the one where it is in the other.
"""

from collections.abc import Callable, Mapping
from random import Random

import pytest

from sley.base.budget import Budget
from sley.engines.bmc.options import BmcOptions
from sley.engines.bmc.search import BoundedSearch, WeakDepth
from sley.evidence.bounded.check import unrolled
from sley.evidence.bounded.order import EventOrder
from sley.evidence.bounded.proof import BoundedProof
from sley.evidence.bounded.violations import RACE
from sley.evidence.bounded.weak import WeakViolations
from sley.evidence.bounded.weak_axioms import WeakAxioms
from sley.evidence.bounded.weak_events import Accesses, WeakUnrolling
from sley.logic.terms import Term, Terms
from sley.program.memory_model import MemoryModel
from sley.program.properties import Property
from sley.semantics.axioms import Kind
from sley.semantics.roles import ResultRole
from sley.solvers import make_sat_solver
from sley.solvers.port import SolverAnswer
from tests.limits import AMPLE
from tests.unit.semantics.random_litmus import (
    READS,
    UPDATES,
    WRITES,
    Operation,
    Outcome,
    Threads,
    defined_outcomes,
    digits,
    program,
    random_litmus,
)

Results = Mapping[int, tuple[Term, Term]]
"""What threads return, by number, and when they do."""


def outcomes(
    threads: Threads,
    terms: Terms,
    results: Results,
    is_possible: Callable[[Term], bool],
    value: Callable[[Term], object],
) -> set[Outcome]:
    """What the reads of all models get."""
    numbers = range(1, len(threads) + 1)
    if any(n not in results for n in numbers):  # a thread that never ends
        return set()
    excluded, found = terms.and_(*(results[n][1] for n in numbers)), set[Outcome]()
    while is_possible(excluded):
        values = {n: int(str(int(value(results[n][0])))) for n in numbers}  # type: ignore[call-overload]
        found.add(tuple(digits(values[n], thread) for n, thread in enumerate(threads, 1)))
        same = ((results[n][0], v) for n, v in values.items())
        one = (terms.eq(result, terms.const(v, terms.sort(result))) for result, v in same)
        excluded = terms.and_(excluded, terms.not_(terms.and_(*one)))
    return found


def searched(threads: Threads) -> WeakDepth:
    search = BoundedSearch(
        program(threads), frozenset({Property.RACE}), BmcOptions(), Budget(AMPLE), model=MemoryModel.C11
    )
    return WeakDepth(search, search.unroller.unroll({}, search.budget, finds_waits=False))


def formula_outcomes(threads: Threads) -> tuple[set[Outcome], bool]:
    """What models of the engine's formula read, and whether one has a race."""
    depth, results = searched(threads), dict[int, tuple[Term, Term]]()
    for variable, (_, writes) in depth.graph.variables.items():
        role = depth.terms.symbol(variable)
        if isinstance(role, ResultRole):
            results[role.thread] = writes[-1].value, writes[-1].condition
    found = outcomes(threads, depth.terms, results, depth._is_possible, depth.solver.value)
    return found, depth._is_possible(depth.formula.wrong)


def checker_outcomes(threads: Threads) -> tuple[set[Outcome], bool]:
    """What models of the checker's formula read, and whether one has a race."""
    search = searched(threads).search
    proof = BoundedProof((), search.unroller.claims.shape)
    unrolling = unrolled(WeakUnrolling, search.program, proof, Budget(AMPLE))
    t, events = unrolling.terms, unrolling.result
    violations = WeakViolations(unrolling, is_asked=True)
    asked = list(violations.races())
    order = EventOrder(t, [event.thread for event in events.events], events.order)
    axioms = WeakAxioms(Accesses(unrolling), order, Budget(AMPLE))
    violations.happens_before = axioms.hb
    bad = [violation(order) for violation in asked]
    assert all(one.what == RACE for one in bad)
    race = t.or_(*(one.condition for one in bad))
    axioms.encode([race])
    solver = make_sat_solver("cadical", t, axioms.formulas, axioms.clauses)

    def is_possible(condition: Term) -> bool:
        while solver.check(condition) is SolverAnswer.SAT:
            cycles = axioms.order.cycle(lambda literal: bool(solver.value(literal)))
            if not cycles:
                return True
            solver.add(*(t.or_(*clause) for clause in cycles))
        return False

    results: dict[int, tuple[Term, Term]] = {}
    for event in events.events:
        for variable, write in event.writes.items():
            role = t.symbol(variable)
            if isinstance(role, ResultRole):
                results[role.thread] = write.value, write.condition
    return outcomes(threads, t, results, is_possible, solver.value), is_possible(race)


@pytest.mark.parametrize("seed", range(20))
def test_formulas_let_programs_read_what_rc11_does(seed: int) -> None:
    threads = random_litmus(seed, 5)
    defined = defined_outcomes(threads)
    assert formula_outcomes(threads) == defined
    assert checker_outcomes(threads) == defined


@pytest.mark.parametrize("seed", range(20))
def test_formulas_find_the_races_of_rc11(seed: int) -> None:
    threads = random_litmus(seed, 5, "z")
    reads, has_race = defined_outcomes(threads)
    for found, is_racing in (formula_outcomes(threads), checker_outcomes(threads)):
        assert is_racing == has_race
        assert has_race or found == reads


@pytest.mark.parametrize("seed", range(4))
def test_rounds_that_only_read_are_left_out(seed: int) -> None:
    threads = [*(list(thread) for thread in random_litmus(seed, 4, "z")), []]
    random = Random(seed)
    reading = Operation(Kind.READ, random.choice(READS), "x", until=1)
    trying = Operation(Kind.UPDATE, random.choice(UPDATES), "x", 2, 1, random.choice(READS), until=1)
    waiting = random.choice((reading, trying))
    one, other = random.sample(threads, 2)
    one.insert(0, waiting)
    other.append(Operation(Kind.WRITE, random.choice(WRITES), "x", 1))
    made = tuple(map(tuple, threads))
    assert not searched(made).graph.cuts
    reads, has_race = defined_outcomes(made)
    for found, is_racing in (formula_outcomes(made), checker_outcomes(made)):
        assert is_racing == has_race
        assert has_race or found == reads
