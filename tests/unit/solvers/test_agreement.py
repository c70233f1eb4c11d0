"""All solvers mean by every operator what our table means, and agree with each other."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sley.logic.arrays import ArrayValue
from sley.logic.floats import from_ieee, int_to_float, to_ieee
from sley.logic.operators import MEANING, AnyValue, Op
from sley.logic.sorts import BOOL, F32, F64, F80, I8, ArraySort, FloatSort, Sort, bitvec
from sley.logic.terms import Term, Terms
from sley.solvers import SolverName, make_solver
from sley.solvers.port import SolverAnswer
from tests.unit.logic.random_terms import (
    FLOATS,
    Generator,
    any_sort,
    make,
    meaning,
    random_value,
    variables,
)

FOR_ALL_SORTS: tuple[SolverName, ...] = ("bitwuzla", "z3")
NAMES: tuple[SolverName, ...] = (*FOR_ALL_SORTS, "minisat", "cadical")
SEEDS = st.integers(0, 2**32)


def assert_value(terms: Terms, term: Term, values: dict[Term, AnyValue], expected: AnyValue) -> None:
    """Under the assignment the term has this value and no other, says each solver."""
    has_only_bits = not any(isinstance(terms.sort(t), FloatSort) for t in terms.walk((term, *values)))
    names = NAMES if has_only_bits else FOR_ALL_SORTS
    if any(terms.sort(t) == F80 for t in terms.walk((term, *values))):
        names = ("z3",)  # the only one that has this format
    assignment = [formula for v, value in values.items() for formula in assigned(terms, v, value)]
    same = terms.eq(term, terms.const(expected, terms.sort(term)))
    for name in names:
        solver = make_solver(name, terms, time_limit=20)
        solver.add(*assignment)
        assert solver.check(same) is SolverAnswer.SAT, name
        assert solver.value(term) == expected
        assert solver.check(terms.not_(same)) is SolverAnswer.UNSAT, name


def assigned(terms: Terms, variable: Term, value: AnyValue) -> list[Term]:
    """The variable has the value; arrays have it at every index."""
    sort = terms.sort(variable)
    if not isinstance(sort, ArraySort):
        return [terms.eq(variable, terms.const(value, sort))]
    assert isinstance(value, ArrayValue)
    indices = [terms.bv(i, sort.index) for i in range(1 << sort.index)]
    elements = [terms.bv(value.at(i), sort.element) for i in range(1 << sort.index)]
    return [terms.eq(terms.select(variable, i), e) for i, e in zip(indices, elements, strict=True)]


# --- operator by operator ---------------------------------------------------------------------------------

_BITS = (1, 3, 8, 32)
_BINARY = (
    *(Op.BVAND, Op.BVOR, Op.BVXOR, Op.BVADD, Op.BVSUB, Op.BVMUL, Op.BVUDIV, Op.BVSDIV, Op.BVUREM, Op.BVSREM),
    *(Op.BVSHL, Op.BVLSHR, Op.BVASHR, Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE, Op.SADDO, Op.SSUBO, Op.SMULO),
    Op.EQ,
)
_FLOAT_BINARY = (Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV, Op.FP_EQ, Op.FP_LT, Op.FP_LE, Op.EQ)

Case = tuple[Op, tuple[Sort, ...], object]


def _cases() -> dict[str, Case]:
    cases: list[Case] = []
    for width in _BITS:
        sort = bitvec(width)
        cases += [(op, (sort, sort), None) for op in _BINARY]
        cases += [(op, (sort,), None) for op in (Op.BVNOT, Op.BVNEG)]
        cases += [(op, (sort,), 3) for op in (Op.ZERO_EXTEND, Op.SIGN_EXTEND)]
        cases += [(Op.EXTRACT, (sort,), (width - 1, width // 2)), (Op.ITE, (BOOL, sort, sort), None)]
    cases.append((Op.CONCAT, (bitvec(3), I8), None))
    for f in FLOATS:
        cases += [(op, (f, f), None) for op in _FLOAT_BINARY]
        cases += [
            (Op.FP_NEG, (f,), None),
            (Op.FP_TO_BITS, (f,), None),
            (Op.FP_FROM_BITS, (bitvec(f.width),), f),
        ]
        cases += [(Op.FP_TO_FP, (f,), other) for other in FLOATS]
        cases += [(op, (f,), bitvec(w)) for op in (Op.FP_TO_SBV, Op.FP_TO_UBV) for w in (8, 32, 64)]
        cases += [(op, (bitvec(w),), f) for op in (Op.SBV_TO_FP, Op.UBV_TO_FP) for w in (8, 32, 64)]
    cases += [(Op.NOT, (BOOL,), None), (Op.AND, (BOOL,) * 3, None), (Op.OR, (BOOL,) * 3, None)]
    return {
        f"{op.name}({', '.join(map(str, sorts))}) {payload}": (op, sorts, payload)
        for op, sorts, payload in cases
    }


CASES = _cases()


@pytest.mark.parametrize("name", CASES)
def test_operator(name: str) -> None:
    op, sorts, payload = CASES[name]
    rng = random.Random(name)
    terms = Terms()
    args = [terms.var(f"a{i}", sort) for i, sort in enumerate(sorts)]
    term = terms.make(op, args, payload)
    for _ in range(3):
        values = [random_value(rng, sort) for sort in sorts]
        expected = MEANING[op](values, sorts, terms.sort(term), payload)
        assert_value(terms, term, dict(zip(args, values, strict=True)), expected)


@pytest.mark.parametrize("sort", FLOATS, ids=str)
@pytest.mark.parametrize("width", [8, 32, 64])
@pytest.mark.parametrize("op", [Op.FP_TO_SBV, Op.FP_TO_UBV])
def test_truncation_at_the_edges(op: Op, width: int, sort: FloatSort) -> None:
    terms = Terms()
    f = terms.var("f", sort)
    term = terms.make(op, (f,), bitvec(width))
    top = width - (1 if op is Op.FP_TO_SBV else 0)
    for edge in (0, 1 << top, -(1 << top)):
        middle = to_ieee(int_to_float(edge, sort), sort)
        for near in (middle - 1, middle, middle + 1):
            if near >= 0:
                bits = from_ieee(near, sort)
                expected = MEANING[op]([bits], (sort,), bitvec(width), bitvec(width))
                assert_value(terms, term, {f: bits}, expected)


# --- whole terms --------------------------------------------------------------------------------------------


def assert_solvers_evaluate(generator: Generator, depth: int) -> None:
    terms = Terms()
    tree = generator.tree(any_sort(generator), depth)
    values = {v: random_value(generator.rng, v[1]) for v in variables(tree)}
    named = {terms.var(*v): value for v, value in values.items()}
    assert_value(terms, make(terms, tree), named, meaning(tree, values))


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_solvers_evaluate_integers(seed: int) -> None:
    assert_solvers_evaluate(Generator(random.Random(seed), widths=(1, 3, 8, 16)), 4)
    assert_solvers_evaluate(Generator(random.Random(seed), widths=(1, 3, 8, 16)), 4)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_solvers_evaluate_arrays(seed: int) -> None:
    generator = Generator(random.Random(seed), widths=(2, 3), arrays=(ArraySort(2, 3),))
    assert_solvers_evaluate(generator, 4)


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_solvers_evaluate_floats(seed: int) -> None:
    assert_solvers_evaluate(Generator(random.Random(seed), widths=(8, 32), floats=(F32,)), 2)
    assert_solvers_evaluate(Generator(random.Random(seed), widths=(8, 64), floats=(F64,)), 1)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_solvers_agree_on_satisfiability(seed: int) -> None:
    rng = random.Random(seed)
    terms = Terms()
    generator = Generator(rng, widths=(1, 4, 8), has_division=False, arrays=(ArraySort(4, 8),))
    formulas = [make(terms, generator.tree(BOOL, 3)) for _ in range(rng.randrange(1, 6))]
    answers = []
    for name in NAMES:
        solver = make_solver(name, terms, time_limit=20)
        answer = solver.check(*formulas)
        answers.append(answer)
        if answer is SolverAnswer.SAT:
            assert all(solver.value(f) is True for f in formulas)
        else:
            core = solver.core()
            assert set(core) <= set(formulas)
            for other in FOR_ALL_SORTS:
                assert make_solver(other, terms).check(*core) is SolverAnswer.UNSAT
    assert len(set(answers)) == 1
