"""Engine ``bmc`` under the models of machines: what its formula lets programs read is what axioms allow."""

import pytest

from sley.base.budget import Budget
from sley.engines.bmc.engine import bmc_machine
from sley.engines.bmc.options import BmcOptions
from sley.engines.bmc.search import MachineDepth, Search
from sley.evidence.verdict import Unsafe
from sley.logic.terms import Term
from sley.passes.pipeline import prepare
from sley.program.memory_model import MemoryModel
from sley.program.properties import Property
from sley.semantics.roles import ResultRole
from tests.unit.semantics.random_machine import (
    Outcome,
    Threads,
    defined_outcomes,
    program,
    random_machine,
)

MACHINES = [model for model in MemoryModel if model.is_hardware]


def formula_outcomes(threads: Threads, model: MemoryModel) -> set[Outcome]:
    """What models of the engine's formula read."""
    properties = frozenset({Property.REACH})
    search = Search(program(threads), properties, BmcOptions(), Budget(20.0), model=model)
    depth = MachineDepth(search, search.unroller.unroll({}, search.budget, finds_waits=False))
    results: dict[int, Term] = {}
    for variable, (_, writes) in depth.graph.variables.items():
        role = depth.terms.symbol(variable)
        if isinstance(role, ResultRole):
            results[role.thread] = writes[-1].value
    terms, excluded, found = depth.terms, depth.terms.true, set[Outcome]()
    while depth._is_possible(excluded):
        values = {n: int(depth.solver.value(results[n])) for n in range(1, len(threads) + 1)}
        found.add(tuple(digits(values[n], thread) for n, thread in enumerate(threads, 1)))
        one = (terms.eq(results[n], terms.const(v, terms.sort(results[n]))) for n, v in values.items())
        excluded = terms.and_(excluded, terms.not_(terms.and_(*one)))
    return found


def digits(value: int, thread: object) -> tuple[int, ...]:
    count = sum(operation.reads for operation in thread)  # type: ignore[attr-defined]
    return tuple(map(int, str(value).zfill(count)[-count:])) if count else ()


@pytest.mark.parametrize("model", MACHINES)
@pytest.mark.parametrize("seed", range(12))
def test_formula_lets_programs_read_what_machines_do(seed: int, model: MemoryModel) -> None:
    threads = random_machine(seed, 5)
    assert formula_outcomes(threads, model) == defined_outcomes(threads, model)


@pytest.mark.parametrize("model", MACHINES)
@pytest.mark.parametrize("seed", range(100, 104))
def test_whatever_machines_do_is_replayed(seed: int, model: MemoryModel) -> None:
    threads = random_machine(seed, 5)
    properties = frozenset({Property.REACH})
    for outcome in sorted(defined_outcomes(threads, model)):
        made = prepare(program(threads, outcome), properties)
        verdict, _ = bmc_machine(made, properties, BmcOptions(), Budget(20.0), model=model)
        assert isinstance(verdict, Unsafe), (outcome, verdict)
