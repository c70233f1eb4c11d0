"""Terms as clauses: every operator on all small values, and formulas in every shape they are asserted in."""

import itertools
import os
import random
import signal
import subprocess
import time
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sley.base.errors import GaveUpError
from sley.logic.arena import Arena
from sley.logic.operators import MEANING, Op, Value
from sley.logic.sorts import BOOL, F32, I8, I32, I64, Sort, bitvec
from sley.logic.terms import Term, Terms
from sley.solvers import SatSolverName, make_solver
from sley.solvers.port import BeyondBitsError, Solver, SolverAnswer
from tests.unit.logic.random_terms import Generator, make, meaning, random_value, variables
from tests.unit.solvers.test_solvers import hard_formula

NAMES: tuple[SatSolverName, ...] = ("minisat", "cadical")


class PlainTerms(Terms):
    """Terms without simplification: the circuits see every application as it was written."""

    def __init__(self) -> None:
        Arena.__init__(self, {})


@pytest.fixture(params=NAMES)
def solver(request: pytest.FixtureRequest) -> Solver:
    name: SatSolverName = request.param
    return make_solver(name, Terms())


# --- operator by operator ---------------------------------------------------------------------------------

_BINARY = (
    *(Op.BVAND, Op.BVOR, Op.BVXOR, Op.BVADD, Op.BVSUB, Op.BVMUL, Op.BVUDIV, Op.BVSDIV, Op.BVUREM, Op.BVSREM),
    *(Op.BVSHL, Op.BVLSHR, Op.BVASHR, Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE, Op.SADDO, Op.SSUBO, Op.SMULO),
    *(Op.EQ, Op.CONCAT),
)


def all_values(sort: Sort) -> list[Value]:
    return [False, True] if sort == BOOL else list(range(1 << sort.width))  # type: ignore[union-attr]


def assert_exhaustively(op: Op, sorts: tuple[Sort, ...], payload: object = None) -> None:
    """For all values of the variables the circuit has the value that the table says, and no other."""
    terms = PlainTerms()
    args = [terms.var(f"a{i}", sort) for i, sort in enumerate(sorts)]
    term = terms.make(op, args, payload)
    solver = make_solver("minisat", terms)
    result = terms.var("result", terms.sort(term))
    guard = terms.var("guard", BOOL)  # so that the result is not merely another name for the circuit
    solver.add(terms.implies(guard, terms.eq(result, term)))
    for values in itertools.product(*map(all_values, sorts)):
        expected = MEANING[op](list(values), sorts, terms.sort(term), payload)
        given_values = [terms.eq(a, terms.const(v, terms.sort(a))) for a, v in zip(args, values, strict=True)]
        same = terms.eq(result, terms.const(expected, terms.sort(term)))
        assert solver.check(guard, *given_values, same) is SolverAnswer.SAT, values
        assert solver.check(guard, *given_values, terms.not_(same)) is SolverAnswer.UNSAT, values


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("op", _BINARY, ids=lambda op: op.name)
def test_binary_operator_on_all_values(op: Op, width: int) -> None:
    assert_exhaustively(op, (bitvec(width), bitvec(width)))


@pytest.mark.parametrize("op", [Op.SMULO, Op.BVSHL, Op.BVASHR, Op.BVSREM], ids=lambda op: op.name)
def test_wider_operator_on_all_values(op: Op) -> None:
    assert_exhaustively(op, (bitvec(5), bitvec(5)))


@pytest.mark.parametrize("op", _BINARY, ids=lambda op: op.name)
def test_operator_with_a_constant(op: Op) -> None:
    """Folding changes nothing, whichever argument is constant and also if both are the same."""
    sort = bitvec(4)
    terms = PlainTerms()
    x = terms.var("x", sort)
    made: list[tuple[Term, int | None, int | None]] = [(terms.make(op, (x, x)), None, None)]
    for c in range(16):
        constant = terms.bv(c, 4)
        made += [(terms.make(op, (x, constant)), None, c), (terms.make(op, (constant, x)), c, None)]
    solver = make_solver("minisat", terms)
    for value in range(16):
        for term, left, right in made:
            values = [value if left is None else left, value if right is None else right]
            expected = terms.const(
                MEANING[op](values, (sort, sort), terms.sort(term), None), terms.sort(term)
            )
            is_given = terms.eq(x, terms.bv(value, 4))
            assert solver.check(is_given, terms.eq(term, expected)) is SolverAnswer.SAT, values
            assert solver.check(is_given, terms.ne(term, expected)) is SolverAnswer.UNSAT, values


def test_other_operators_on_all_values() -> None:
    four, three = bitvec(4), bitvec(3)
    for op in (Op.BVNOT, Op.BVNEG):
        assert_exhaustively(op, (four,))
    for op in (Op.ZERO_EXTEND, Op.SIGN_EXTEND):
        assert_exhaustively(op, (four,), 0)
        assert_exhaustively(op, (four,), 3)
    for high, low in itertools.combinations_with_replacement(range(4), 2):
        assert_exhaustively(Op.EXTRACT, (four,), (low, high) if low > high else (high, low))
    assert_exhaustively(Op.CONCAT, (three, bitvec(2)))
    assert_exhaustively(Op.ITE, (BOOL, three, three))
    assert_exhaustively(Op.ITE, (BOOL, BOOL, BOOL))
    assert_exhaustively(Op.NOT, (BOOL,))
    assert_exhaustively(Op.EQ, (BOOL, BOOL))
    for op in (Op.AND, Op.OR):
        for count in range(5):
            assert_exhaustively(op, (BOOL,) * count)


# --- formulas that are asserted ---------------------------------------------------------------------------


def assert_only_models(seed: int, terms: Terms, *, is_guarded: bool) -> None:
    """The asserted formulas hold under an assignment exactly if the table says so."""
    rng = random.Random(seed)
    generator = Generator(rng, widths=(1, 2, 3))
    trees = [generator.tree(BOOL, rng.randrange(1, 5)) for _ in range(rng.randrange(1, 4))]
    solver = make_solver("minisat", terms)
    guard = terms.var("guard", BOOL) if is_guarded else terms.true
    solver.add(*[terms.implies(guard, make(terms, tree)) for tree in trees])
    names = {v: None for tree in trees for v in variables(tree)}
    for _ in range(20):
        values = {v: random_value(rng, v[1]) for v in names}
        assignment = [terms.eq(terms.var(*v), terms.const(value, v[1])) for v, value in values.items()]
        holds = all(meaning(tree, values) for tree in trees)
        assert solver.check(guard, *assignment) is (SolverAnswer.SAT if holds else SolverAnswer.UNSAT)
        if holds:
            assert all(solver.value(terms.var(*v)) == value for v, value in values.items())
    if is_guarded:
        assert solver.check(terms.not_(guard)) is SolverAnswer.SAT


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.booleans(), st.booleans())
def test_asserted_formulas_have_their_models(seed: int, is_plain: bool, is_guarded: bool) -> None:
    assert_only_models(seed, PlainTerms() if is_plain else Terms(), is_guarded=is_guarded)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_definitions_in_any_order(seed: int) -> None:
    """Equalities with variables, also in circles and twice, mean what they say."""
    rng = random.Random(seed)
    terms = Terms()
    generator = Generator(rng, widths=(2, 3))
    names = [terms.var(f"{prefix}{i}", s) for i in range(3) for prefix, s in (("d", bitvec(3)), ("b", BOOL))]
    formulas = []
    for _ in range(rng.randrange(1, 8)):
        left = rng.choice(names)
        same_sort = [n for n in names if terms.sort(n) == terms.sort(left)]
        tree = make(terms, generator.tree(terms.sort(left), 2))
        renamed = {
            v: rng.choice([n for n in names if terms.sort(n) == terms.sort(v)] or [v])
            for v in terms.variables(tree)
        }
        right = rng.choice([rng.choice(same_sort), terms.substitute(tree, renamed)])
        formulas.append(terms.eq(left, right))
    solver = make_solver("minisat", terms)
    expected = solver.fresh().check(*formulas)  # assumptions define nothing
    for formula in formulas:
        solver.add(formula)
        if rng.random() < 0.3:
            solver.check()
    assert solver.check() is expected
    if expected is SolverAnswer.SAT:
        assert all(solver.value(f) is True for f in formulas)


def test_implied_equality_needs_no_gate(solver: Solver) -> None:
    t = solver.terms
    x, y, p = t.var("x", I32), t.var("y", I32), t.var("p", BOOL)
    solver.add(t.implies(p, t.eq(x, y)))
    assert solver.clause_count == 1 + 2 * 32
    assert solver.variable_count == 1 + 2 * 32 + 1
    assert solver.check(p, t.ne(x, y)) is SolverAnswer.UNSAT
    assert set(solver.core()) == {p, t.ne(x, y)}


def test_definition_needs_no_clause(solver: Solver) -> None:
    t = solver.terms
    x, y = t.var("x", I32), t.var("y", I32)
    solver.add(t.eq(y, t.bvnot(x)))
    assert solver.clause_count == 1
    assert solver.check(t.eq(x, t.bv(5, 32))) is SolverAnswer.SAT
    assert solver.value(y) == 2**32 - 6


def test_an_equation_is_not_a_definition() -> None:
    """A variable that occurs on the other side, too, must satisfy the equation."""
    terms = PlainTerms()
    x, y = terms.var("x", I8), terms.var("y", I8)
    solver = make_solver("minisat", terms)
    solver.add(terms.eq(x, terms.add(terms.mul(x, y), terms.bv(2, 8))))
    assert solver.check() is SolverAnswer.SAT
    assert solver.value(x) == (int(str(solver.value(x))) * int(str(solver.value(y))) + 2) % 256
    assert solver.check(terms.eq(y, terms.bv(1, 8))) is SolverAnswer.UNSAT


def test_long_guards_are_abbreviated(solver: Solver) -> None:
    t = solver.terms
    x, y = t.var("x", I8), t.var("y", I8)
    guards = [t.var(f"p{i}", BOOL) for i in range(6)]
    solver.add(t.implies(t.and_(*guards), t.eq(x, y)))
    assert solver.clause_count == 1 + 1 + 2 * 8
    assert solver.check(*guards, t.ne(x, y)) is SolverAnswer.UNSAT
    assert solver.check(*guards[1:], t.ne(x, y)) is SolverAnswer.SAT


def test_deep_terms() -> None:
    terms = PlainTerms()
    term = terms.var("x", BOOL)
    for i in range(20_000):
        term = terms.make(Op.AND if i % 2 else Op.OR, (terms.var(f"y{i % 7}", BOOL), term))
    solver = make_solver("minisat", terms)
    solver.add(term)
    assert solver.check(terms.not_(term)) is SolverAnswer.UNSAT


# --- beyond the port, and beyond bits ---------------------------------------------------------------------


def test_later_formulas(solver: Solver) -> None:
    t = solver.terms
    x, y = t.var("x", I8), t.var("y", I8)
    solver.add(t.ult(x, y))
    assert solver.check(t.eq(y, t.bv(1, 8))) is SolverAnswer.SAT
    assert solver.values((x, y)) == {x: 0, y: 1}
    assert solver.check(t.eq(y, t.bv(7, 8)), t.eq(x, t.bv(6, 8))) is SolverAnswer.SAT
    solver.add(t.eq(t.add(x, y), t.bv(255, 8)))
    assert solver.check(t.eq(y, t.bv(200, 8))) is SolverAnswer.SAT
    assert solver.value(x) == 55
    solver.add(t.eq(y, t.bv(1, 8)))
    assert solver.check() is SolverAnswer.UNSAT
    assert solver.core() == ()


def test_preferred_values(solver: Solver) -> None:
    t = solver.terms
    names = [t.var(f"p{i}", BOOL) for i in range(20)]
    solver.add(t.or_(*names))
    for i, name in enumerate(names):
        solver.prefer(t.not_(name), value=i % 3 == 0)
    assert solver.check() is SolverAnswer.SAT
    assert [solver.value(name) for name in names] == [i % 3 != 0 for i in range(20)]


def test_conflicts_are_counted(solver: Solver) -> None:
    t = solver.terms
    x, y = t.var("x", bitvec(12)), t.var("y", bitvec(12))
    square = t.sub(t.mul(t.add(x, y), t.add(x, y)), t.mul(x, x))
    solver.add(t.eq(square, t.bv(1236, 12)), t.ult(x, y))
    assert solver.check(time_limit=30) is SolverAnswer.SAT
    assert solver.conflict_count > 0


def test_hard_queries_end_in_time(solver: Solver) -> None:
    """Three in a row, so that an interrupt does not leak into the next query."""
    t = solver.terms
    solver.add(hard_formula(t))
    for _ in range(3):
        started = time.monotonic()
        assert solver.check(time_limit=0.3) is SolverAnswer.UNKNOWN
        assert time.monotonic() - started < 60
    x, y = t.var("x", I64), t.var("y", I64)
    factors = t.eq(x, t.bv(10**18 + 3, 64)), t.eq(y, t.bv(10**18 + 9, 64))
    assert solver.check(*factors, time_limit=20) is SolverAnswer.SAT
    assert solver.check(*factors, t.ult(y, x), time_limit=20) is SolverAnswer.UNSAT


def test_keyboard_interrupt_is_left_to_us(solver: Solver) -> None:
    """python-sat would take over SIGINT and jump out of the query."""
    received = []

    def handler(number: int, _frame: FrameType | None) -> None:
        received.append(number)

    solver.add(hard_formula(solver.terms))
    before = signal.signal(signal.SIGINT, handler)
    killer = subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -INT {os.getpid()}"])
    try:
        assert solver.check(time_limit=1) is SolverAnswer.UNKNOWN
    finally:
        killer.wait()
        signal.signal(signal.SIGINT, before)
    assert received == [signal.SIGINT]
    assert solver.check(solver.terms.false) is SolverAnswer.UNSAT


def test_preferences_between_queries(solver: Solver) -> None:
    t = solver.terms
    p, q = t.var("p", BOOL), t.var("q", BOOL)
    solver.add(t.or_(p, q))
    assert solver.check() is SolverAnswer.SAT
    solver.prefer(p, value=False)
    assert solver.check(t.not_(q)) is SolverAnswer.SAT
    assert solver.value(p) is True


def test_floats_are_beyond_bits(solver: Solver) -> None:
    t = solver.terms
    p, f = t.var("p", BOOL), t.var("f", F32)
    is_number = t.make(Op.FP_EQ, (f, f))
    with pytest.raises(BeyondBitsError, match="f32"):
        solver.check(p, is_number)
    assert solver.check(p) is SolverAnswer.SAT
    assert solver.value(f) == 0
    with pytest.raises(GaveUpError):
        solver.add(p, is_number)
    with pytest.raises(BeyondBitsError):  # a formula is missing
        solver.check(p)
    assert solver.fresh().check(p) is SolverAnswer.SAT
