"""Engine ``bmc`` under C11: what its formula lets random litmus programs read, against the definition of RC11."""

import pytest

from sley.base.budget import Budget
from sley.engines.bmc.options import BmcOptions
from sley.engines.bmc.search import Search, WeakDepth
from sley.program.properties import Property
from sley.semantics.roles import ResultRole
from tests.unit.semantics.random_litmus import (
    Outcome,
    Threads,
    defined_outcomes,
    digits,
    program,
    random_litmus,
)


def formula_outcomes(threads: Threads) -> tuple[set[Outcome], bool]:
    """What the reads of models of the formula get, and whether one has a race."""
    search = Search(program(threads), frozenset({Property.RACE}), BmcOptions(), Budget(20.0), is_weak=True)
    graph = search.unroller.unroll({}, search.budget, finds_waits=False)
    depth = WeakDepth(search, graph)
    t, results = search.terms, {}
    for variable, (_, writes) in depth.graph.variables.items():
        role = t.symbol(variable)
        if isinstance(role, ResultRole) and role.thread:
            results[role.thread - 1] = writes[-1].value
    excluded, found = t.true, set[Outcome]()
    while depth._is_possible(excluded):
        values = [int(depth.solver.value(results[number])) for number in range(len(threads))]
        found.add(tuple(digits(value, thread) for value, thread in zip(values, threads, strict=True)))
        one = (t.eq(results[n], t.const(v, t.sort(results[n]))) for n, v in enumerate(values))
        excluded = t.and_(excluded, t.not_(t.and_(*one)))
    return found, depth._is_possible(depth.formula.wrong)


@pytest.mark.parametrize("seed", range(30))
def test_formula_lets_programs_read_what_rc11_does(seed: int) -> None:
    threads = random_litmus(seed)
    assert formula_outcomes(threads) == defined_outcomes(threads)
