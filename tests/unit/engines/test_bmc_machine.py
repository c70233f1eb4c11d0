"""Engine ``bmc`` under the models of machines: what its formula lets programs read is what axioms allow."""

from collections.abc import Callable, Mapping

import pytest

from sley.base.budget import Budget
from sley.engines.bmc.engine import bmc_machine
from sley.engines.bmc.options import BmcOptions
from sley.engines.bmc.search import BoundedSearch, MachineDepth
from sley.evidence.bounded.check import unrolled
from sley.evidence.bounded.machine_axioms import MachineAxioms
from sley.evidence.bounded.machine_events import MachineAccesses, MachineUnrolling, unrolling_for
from sley.evidence.bounded.order import EventOrder
from sley.evidence.bounded.proof import BoundedProof
from sley.evidence.verdict import Unsafe
from sley.logic.terms import Term, Terms
from sley.passes.pipeline import prepare
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.roles import ResultRole
from sley.solvers import make_sat_solver
from sley.solvers.port import SolverAnswer
from tests.limits import AMPLE
from tests.passes import store_buffer_machine
from tests.unit.semantics.random_machine import (
    Operation,
    Outcome,
    Threads,
    defined_outcomes,
    program,
    random_machine,
)


def seeds(few: int, many: int) -> list[object]:
    """A few for every day, and many."""
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(few, many))]


TEXT = """(* what a user may write: functions, recursion, complements, orders of C *)
let between(S) = po; [S]; po
let rec order = between(F) | [ACQ]; po | po; [REL] | order; dep; order and dep = addr | data | ctrl; [~R]
acyclic po-loc | com
empty rmw & (fre; coe)
acyclic order | dep | (rf | co | fr) & ~int as global
irreflexive fre; (order | dep)+; rfe?
"""
MACHINES = [*(model for model in MemoryModel if model.is_hardware), MemoryModel(f"mine.cat\n{TEXT}")]


def formula_outcomes(threads: Threads, model: MemoryModel) -> set[Outcome]:
    """What models of the engine's formula read."""
    properties = frozenset({Property.REACH})
    search = BoundedSearch(program(threads), properties, BmcOptions(), Budget(AMPLE), model=model)
    depth = MachineDepth(search, search.unroller.unroll({}, search.budget, finds_waits=False))
    results: dict[int, Term] = {}
    for variable, (_, writes) in depth.graph.variables.items():
        role = depth.terms.symbol(variable)
        if isinstance(role, ResultRole):
            results[role.thread] = writes[-1].value
    return _outcomes(threads, depth.terms, results, depth._is_possible, depth.solver.value)


def _outcomes(
    threads: Threads,
    terms: Terms,
    results: Mapping[int, Term],
    is_possible: Callable[[Term], bool],
    value: Callable[[Term], object],
) -> set[Outcome]:
    excluded, found = terms.true, set[Outcome]()
    while is_possible(excluded):
        values = {n: int(str(value(results[n]))) for n in range(1, len(threads) + 1)}
        found.add(tuple(digits(values[n], thread) for n, thread in enumerate(threads, 1)))
        one = (terms.eq(results[n], terms.const(v, terms.sort(results[n]))) for n, v in values.items())
        excluded = terms.and_(excluded, terms.not_(terms.and_(*one)))
    return found


def checker_outcomes(threads: Threads, model: MemoryModel) -> set[Outcome]:
    """What models of the checker's formula read."""
    made = program(threads)
    search = BoundedSearch(made, frozenset({Property.REACH}), BmcOptions(), Budget(AMPLE), model=model)
    search.unroller.unroll({}, search.budget, finds_waits=False)
    proof = BoundedProof((), search.unroller.claims.shape)
    unrolling = unrolled(unrolling_for(model), made, proof, Budget(AMPLE))
    assert isinstance(unrolling, MachineUnrolling)
    t, events = unrolling.terms, unrolling.result
    order = EventOrder(t, [event.thread for event in events.events], events.order)
    axioms = MachineAxioms(MachineAccesses(unrolling), order, Budget(AMPLE))
    axioms.encode([])
    solver = make_sat_solver("cadical", t, axioms.formulas, axioms.clauses)

    def is_possible(condition: Term) -> bool:
        while solver.check(condition) is SolverAnswer.SAT:
            cycles = axioms.order.cycle(lambda literal: bool(solver.value(literal)))
            if not cycles:
                return True
            solver.add(*(t.or_(*clause) for clause in cycles))
        return False

    results: dict[int, Term] = {}
    for event in events.events:
        for variable, write in event.writes.items():
            role = t.symbol(variable)
            if isinstance(role, ResultRole):
                results[role.thread] = write.value
    return _outcomes(threads, t, results, is_possible, solver.value)


def digits(value: int, thread: object) -> tuple[int, ...]:
    count = sum(operation.reads for operation in thread)  # type: ignore[attr-defined]
    return tuple(map(int, str(value).zfill(count)[-count:])) if count else ()


@pytest.mark.parametrize("model", MACHINES)
@pytest.mark.parametrize("seed", seeds(3, 40))
def test_formulas_know_sections_and_conditions(seed: int, model: MemoryModel) -> None:
    threads = random_machine(seed, 5, is_full=True)
    defined = defined_outcomes(threads, model)
    assert formula_outcomes(threads, model) == defined
    assert checker_outcomes(threads, model) == defined


@pytest.mark.parametrize("between", [Operation("U", "x", 2, when=1), Operation("F", when=1), Operation("F")])
@pytest.mark.parametrize("model", MACHINES)
def test_only_what_happens_keeps_anything_in_order(model: MemoryModel, between: Operation) -> None:
    """Store buffering, with a fence between, or what is done only if the other store was seen."""
    first = (Operation("R", "y"), Operation("W", "x", 1), between, Operation("R", "y"))
    threads = (first, (Operation("W", "y", 1), Operation("F"), Operation("R", "x")))
    defined = defined_outcomes(threads, model)
    assert formula_outcomes(threads, model) == defined
    assert checker_outcomes(threads, model) == defined


@pytest.mark.parametrize("model", [MemoryModel.TSO, MemoryModel.PSO])
@pytest.mark.parametrize("seed", seeds(6, 100))
def test_axioms_say_what_store_buffers_do(seed: int, model: MemoryModel) -> None:
    threads = store_buffer_machine.random_threads(seed)
    expected, _ = store_buffer_machine.simulated(threads, model, 9)
    assert values_at_end(store_buffer_machine.program(threads), len(threads), model) == {
        values for values, _ in expected
    }


def values_at_end(made: Program, count: int, model: MemoryModel) -> set[tuple[int, ...]]:
    """What threads return if all of them do; of loops that wait, no round but the last is needed."""
    search = BoundedSearch(made, frozenset({Property.REACH}), BmcOptions(), Budget(AMPLE), model=model)
    depth = MachineDepth(search, search.unroller.unroll({}, search.budget, finds_waits=False))
    assert not depth.graph.cuts
    t, results, conditions = depth.terms, dict[int, Term](), dict[int, Term]()
    for variable, (_, writes) in depth.graph.variables.items():
        role = t.symbol(variable)
        if isinstance(role, ResultRole):
            results[role.thread], conditions[role.thread] = writes[-1].value, writes[-1].condition
    wanted, found = t.and_(*(conditions[n] for n in range(1, count + 1))), set[tuple[int, ...]]()
    while depth._is_possible(wanted):
        values = [int(depth.solver.value(results[n])) for n in range(1, count + 1)]
        found.add(tuple(values))
        one = (t.eq(results[n], t.const(v, t.sort(results[n]))) for n, v in enumerate(values, 1))
        wanted = t.and_(wanted, t.not_(t.and_(*one)))
    return found


@pytest.mark.parametrize("model", MACHINES)
@pytest.mark.parametrize("seed", seeds(4, 100))
def test_formula_lets_programs_read_what_machines_do(seed: int, model: MemoryModel) -> None:
    threads = random_machine(seed, 5)
    defined = defined_outcomes(threads, model)
    assert formula_outcomes(threads, model) == defined
    assert checker_outcomes(threads, model) == defined


@pytest.mark.parametrize("model", MACHINES)
@pytest.mark.parametrize("seed", seeds(1, 20))
def test_whatever_machines_do_is_replayed(seed: int, model: MemoryModel) -> None:
    threads = random_machine(seed, 5)
    properties = frozenset({Property.REACH})
    for outcome in sorted(defined_outcomes(threads, model)):
        made = prepare(program(threads, outcome), properties)
        verdict, _ = bmc_machine(made, properties, BmcOptions(), Budget(AMPLE), model=model)
        assert isinstance(verdict, Unsafe), (outcome, verdict)
