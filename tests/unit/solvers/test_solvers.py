"""The port's promises, for each solver: assumptions, cores, models, limits."""

import signal
import subprocess
import sys
import time
from types import FrameType

import pytest

from sley.logic.floats import encode_float
from sley.logic.operators import Op
from sley.logic.sorts import BOOL, F32, I8, I32, I64
from sley.logic.terms import Term, Terms
from sley.solvers import SolverName, make_solver
from sley.solvers.port import Solver, SolverAnswer

FOR_ALL_SORTS: tuple[SolverName, ...] = ("bitwuzla", "z3")
NAMES: tuple[SolverName, ...] = (*FOR_ALL_SORTS, "minisat", "cadical")


@pytest.fixture(params=NAMES)
def solver(request: pytest.FixtureRequest) -> Solver:
    name: SolverName = request.param
    return make_solver(name, Terms())


@pytest.fixture(params=FOR_ALL_SORTS)
def solver_for_all(request: pytest.FixtureRequest) -> Solver:
    name: SolverName = request.param
    return make_solver(name, Terms())


def test_clauses_are_disjunctions(solver: Solver) -> None:
    t = solver.terms
    p, q, x = t.var("p", BOOL), t.var("q", BOOL), t.var("x", I32)
    solver.add(t.implies(p, t.ult(x, t.bv(10, 32))))
    solver.add_clauses([(p, q), (p, t.not_(q))])
    assert solver.check(t.ult(t.bv(9, 32), x)) is SolverAnswer.UNSAT
    assert solver.check() is SolverAnswer.SAT
    assert solver.value(p) is True
    solver.add_clauses([()])
    assert solver.check() is SolverAnswer.UNSAT


def test_assumptions_hold_for_one_query(solver: Solver) -> None:
    t = solver.terms
    p = t.var("p", BOOL)
    assert solver.check(p) is SolverAnswer.SAT
    assert solver.value(p) is True
    assert solver.check(t.not_(p)) is SolverAnswer.SAT
    assert solver.value(p) is False
    assert solver.check(p, t.not_(p)) is SolverAnswer.UNSAT
    assert solver.check() is SolverAnswer.SAT


def test_core_leaves_out_what_is_not_needed(solver: Solver) -> None:
    t = solver.terms
    x, y = t.var("x", I32), t.var("y", I32)
    low, high, other = t.ult(x, t.bv(3, 32)), t.ult(t.bv(7, 32), x), t.ult(y, t.bv(3, 32))
    assert solver.check(other, high, low, other) is SolverAnswer.UNSAT
    assert solver.core() == (high, low)
    solver.add(low)
    assert solver.check(other, high) is SolverAnswer.UNSAT
    assert solver.core() == (high,)
    solver.add(high)
    assert solver.check(other) is SolverAnswer.UNSAT
    assert solver.core() == ()


def test_false_assumption_is_its_own_core(solver: Solver) -> None:
    t = solver.terms
    assert solver.check(t.true, t.false) is SolverAnswer.UNSAT
    assert solver.core() == (t.false,)


def test_values_of_every_sort(solver_for_all: Solver) -> None:
    solver = solver_for_all
    t = solver.terms
    x, f, p = t.var("x", I64), t.var("f", F32), t.var("p", BOOL)
    minus_zero = encode_float(-0.0, F32)
    solver.add(t.eq(x, t.bv(-5, 64)), t.eq(f, t.const(minus_zero, F32)), p)
    assert solver.check() is SolverAnswer.SAT
    assert solver.values((x, f, p)) == {x: 2**64 - 5, f: minus_zero, p: True}
    assert solver.value(t.add(x, t.bv(6, 64))) == 1


def test_not_a_number_is_one_value(solver_for_all: Solver) -> None:
    solver = solver_for_all
    t = solver.terms
    f = t.var("f", F32)
    bits = t.make(Op.FP_TO_BITS, (f,))
    canonical = encode_float(float("nan"), F32)
    solver.add(t.not_(t.make(Op.FP_EQ, (f, f))))
    assert solver.check() is SolverAnswer.SAT
    assert solver.value(f) == canonical
    assert solver.check(t.ne(bits, t.bv(canonical, 32))) is SolverAnswer.UNSAT


def test_unused_variables_have_values(solver: Solver) -> None:
    t = solver.terms
    assert solver.check() is SolverAnswer.SAT
    assert 0 <= int(str(solver.value(t.var("never seen", I32)))) < 2**32


def test_one_name_with_two_sorts(solver: Solver) -> None:
    t = solver.terms
    solver.add(t.eq(t.var("x", I8), t.bv(1, 8)), t.eq(t.var("x", I32), t.bv(2, 32)))
    assert solver.check() is SolverAnswer.SAT


def test_questions_that_the_answer_does_not_allow(solver: Solver) -> None:
    t = solver.terms
    assert solver.check() is SolverAnswer.SAT
    with pytest.raises(AssertionError):
        solver.core()
    solver.add(t.false)
    with pytest.raises(AssertionError):
        solver.value(t.true)
    assert solver.check() is SolverAnswer.UNSAT
    with pytest.raises(AssertionError):
        solver.value(t.true)
    with pytest.raises(AssertionError):
        solver.interpolants([t.false])


def test_fresh_solvers_are_empty(solver: Solver) -> None:
    solver.add(solver.terms.false)
    other = solver.fresh()
    assert other.name == solver.name
    assert other.terms is solver.terms
    assert other.check() is SolverAnswer.SAT
    assert solver.check() is SolverAnswer.UNSAT


# --- limits ---------------------------------------------------------------------------------------------


def hard_formula(t: Terms) -> Term:
    """Factoring a product of two primes: no solver does this in a second."""
    x, y = t.var("x", I64), t.var("y", I64)
    product = t.mul(t.zero_extend(x, 64), t.zero_extend(y, 64))
    wanted = t.bv((10**18 + 3) * (10**18 + 9), 128)
    return t.and_(t.eq(product, wanted), t.ult(x, y), t.ult(t.bv(1, 64), x))


def test_time_limit_of_a_query(solver: Solver) -> None:
    solver.add(hard_formula(solver.terms))
    started = time.monotonic()
    assert solver.check(time_limit=0.4) is SolverAnswer.UNKNOWN
    assert time.monotonic() - started < 60
    assert "time limit" in solver.reason
    assert solver.check(solver.terms.false) is SolverAnswer.UNSAT


@pytest.mark.parametrize("name", NAMES)
def test_time_limit_of_a_solver(name: SolverName) -> None:
    solver = make_solver(name, Terms(), time_limit=0.1)
    solver.add(hard_formula(solver.terms))
    assert solver.check(time_limit=60) is SolverAnswer.UNKNOWN
    assert solver.fresh().check() is SolverAnswer.SAT


@pytest.mark.parametrize("name", NAMES[1:])  # Bitwuzla calls back, and swallows what is raised there
def test_a_signal_handler_may_raise(name: SolverName) -> None:
    class StopError(Exception):
        pass

    def handler(_signal: int, _frame: FrameType | None) -> None:
        raise StopError

    solver = make_solver(name, Terms())
    solver.add(hard_formula(solver.terms))
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.4)
        started = time.monotonic()
        with pytest.raises(StopError):
            solver.check(time_limit=20)
        assert time.monotonic() - started < 60
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert solver.check(solver.terms.false) is SolverAnswer.UNSAT


# --- around the solvers -----------------------------------------------------------------------------------


def test_libraries_are_loaded_late() -> None:
    code = "import sys, sley.solvers; sys.exit(bool({'z3', 'bitwuzla', 'pysat'} & sys.modules.keys()))"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=240)


@pytest.mark.parametrize("name", NAMES[1:])
def test_others_have_no_interpolants(name: SolverName) -> None:
    with pytest.raises(ValueError, match="interpolants"):
        make_solver(name, Terms(), interpolants=True)
