"""Every constructor keeps the meaning of what it simplifies, and the normal forms are what they claim."""

import itertools
import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sley.logic.operators import MEANING, Op, Value
from sley.logic.sorts import BOOL, F32, F64, I8, I32, ArraySort, bitvec
from sley.logic.terms import Term, Terms
from tests.unit.logic.random_terms import FLOATS, Generator, any_sort, make, meaning, random_value, variables

SEEDS = st.integers(0, 2**32)


def assert_same_meaning(generator: Generator, depth: int, trials: int) -> None:
    """A random tree and the term made from it agree on random values."""
    terms = Terms()
    tree = generator.tree(any_sort(generator), depth)
    term = make(terms, tree)
    assert terms.sort(term) == tree.sort
    for _ in range(trials):
        values = {v: random_value(generator.rng, v[1]) for v in variables(tree)}
        expected = meaning(tree, values)
        found = terms.evaluate(term, {terms.var(*v): value for v, value in values.items()})
        assert found == expected
        assert type(found) is type(expected)


@settings(max_examples=400, deadline=None)
@given(SEEDS, st.integers(1, 4))
def test_narrow_bit_vectors_keep_their_meaning(seed: int, depth: int) -> None:
    assert_same_meaning(Generator(random.Random(seed), widths=(1, 2, 3)), depth, trials=12)


@settings(max_examples=250, deadline=None)
@given(SEEDS, st.integers(1, 4))
def test_machine_integers_keep_their_meaning(seed: int, depth: int) -> None:
    assert_same_meaning(Generator(random.Random(seed), widths=(1, 8, 16, 32, 64)), depth, trials=12)


@settings(max_examples=250, deadline=None)
@given(SEEDS, st.integers(1, 4))
def test_elements_of_arrays_keep_their_meaning(seed: int, depth: int) -> None:
    generator = Generator(random.Random(seed), widths=(1, 2, 3), arrays=(ArraySort(2, 3), ArraySort(3, 1)))
    assert_same_meaning(generator, depth, trials=12)


@settings(max_examples=250, deadline=None)
@given(SEEDS, st.integers(1, 4))
def test_floats_keep_their_meaning(seed: int, depth: int) -> None:
    generator = Generator(random.Random(seed), widths=(8, 32, 64), floats=FLOATS)
    assert_same_meaning(generator, depth, trials=8)


# --- one example per rule: what it becomes, and that this is right for all values -------------------------

T = Terms()
I3, I2, I4 = bitvec(3), bitvec(2), bitvec(4)
X, Y, N, M, W = T.var("x", I3), T.var("y", I3), T.var("n", I2), T.var("m", I2), T.var("w", I4)
P, Q, R = T.var("p", BOOL), T.var("q", BOOL), T.var("r", BOOL)


def k(value: int, width: int = 3) -> Term:
    return T.bv(value, width)


def z(term: Term, by: int = 1) -> Term:
    return T.zero_extend(term, by)


def s(term: Term, by: int = 1) -> Term:
    return T.sign_extend(term, by)


FLAG, OTHER = T.ite(P, k(1), k(0)), T.ite(Q, k(1), k(0))

Example = tuple[Op, tuple[Term, ...], object, Term]

EXAMPLES: dict[str, Example] = {
    # truth values and their trips through integers
    "not not": (Op.NOT, (T.not_(P),), None, P),
    "flag != 0": (Op.NOT, (T.eq(FLAG, k(0)),), None, P),
    "flag == 1": (Op.EQ, (FLAG, k(1)), None, P),
    "flag == 2": (Op.EQ, (FLAG, k(2)), None, T.false),
    "extended flag": (Op.EQ, (z(FLAG), k(0, 4)), None, T.not_(P)),
    "cut flag": (Op.EXTRACT, (FLAG,), (0, 0), T.ite(P, k(1, 1), k(0, 1))),
    "0 < flag": (Op.BVULT, (k(0), FLAG), None, P),
    "flag & flag": (Op.BVAND, (FLAG, OTHER), None, T.ite(T.and_(P, Q), k(1), k(0))),
    "flag | !flag": (Op.BVOR, (FLAG, T.ite(Q, k(0), k(1))), None, T.ite(T.or_(P, T.not_(Q)), k(1), k(0))),
    "flag ^ 1": (Op.BVXOR, (FLAG, k(1)), None, T.ite(P, k(0), k(1))),
    "flag + 1": (Op.BVADD, (FLAG, k(1)), None, T.ite(P, k(2), k(1))),
    "p == not p": (Op.EQ, (P, T.not_(P)), None, T.false),
    "not p == q": (Op.EQ, (T.not_(P), Q), None, T.not_(T.eq(P, Q))),
    "not p == not q": (Op.EQ, (T.not_(P), T.not_(Q)), None, T.eq(P, Q)),
    # conjunctions and disjunctions
    "units": (Op.AND, (P, T.true, P), None, P),
    "contradiction": (Op.AND, (P, Q, T.not_(P)), None, T.false),
    "excluded middle": (Op.OR, (P, Q, T.not_(P)), None, T.true),
    "less and not less": (Op.AND, (T.ult(X, Y), T.ule(Y, X)), None, T.false),
    "nested": (Op.AND, (T.and_(P, Q), R), None, T.and_(P, Q, R)),
    "absorb and": (Op.AND, (P, T.or_(P, Q)), None, P),
    "absorb or": (Op.OR, (P, T.and_(P, Q)), None, P),
    "unit resolution": (Op.AND, (P, T.or_(T.not_(P), Q)), None, T.and_(P, Q)),
    "dual resolution": (Op.OR, (P, T.and_(T.not_(P), Q)), None, T.or_(P, Q)),
    "merge branches": (Op.OR, (T.and_(P, Q), T.and_(Q, T.not_(P))), None, Q),
    "two values": (Op.AND, (T.eq(X, k(1)), T.eq(X, k(2))), None, T.false),
    "not two values": (Op.OR, (T.ne(X, k(1)), T.ne(X, k(2))), None, T.true),
    # choices
    "c ? c : q": (Op.ITE, (P, P, Q), None, T.or_(P, Q)),
    "c ? q : c": (Op.ITE, (P, Q, P), None, T.and_(P, Q)),
    "negated condition": (Op.ITE, (T.not_(P), X, Y), None, T.ite(P, Y, X)),
    "c ? q : not q": (Op.ITE, (P, Q, T.not_(Q)), None, T.eq(P, Q)),
    "x == y ? x : y": (Op.ITE, (T.eq(X, Y), X, Y), None, Y),
    "x == 1 ? 1 : x": (Op.ITE, (T.eq(X, k(1)), k(1), X), None, X),
    "same condition": (Op.ITE, (P, T.ite(P, X, Y), k(0)), None, T.ite(P, X, k(0))),
    "same condition below": (Op.ITE, (P, X, T.ite(P, Y, k(0))), None, T.ite(P, X, k(0))),
    "same value below": (Op.ITE, (P, X, T.ite(Q, X, Y)), None, T.ite(T.or_(P, Q), X, Y)),
    # equality
    "x + 1 == 3": (Op.EQ, (T.add(X, k(1)), k(3)), None, T.eq(X, k(2))),
    "x + 1 == x": (Op.EQ, (T.add(X, k(1)), X), None, T.false),
    "x + 1 == x + 2": (Op.EQ, (T.add(X, k(1)), T.add(X, k(2))), None, T.false),
    "1 - x == 3": (Op.EQ, (T.sub(k(1), X), k(3)), None, T.eq(X, k(-2))),
    "-x == 1": (Op.EQ, (T.neg(X), k(1)), None, T.eq(X, k(-1))),
    "~x == 1": (Op.EQ, (T.bvnot(X), k(1)), None, T.eq(X, k(6))),
    "x ^ 1 == 3": (Op.EQ, (T.apply(Op.BVXOR, X, k(1)), k(3)), None, T.eq(X, k(2))),
    "zero extension in range": (Op.EQ, (z(N), k(3)), None, T.eq(N, k(3, 2))),
    "zero extension out of range": (Op.EQ, (z(N), k(4)), None, T.false),
    "sign extension in range": (Op.EQ, (s(N), k(-1)), None, T.eq(N, k(3, 2))),
    "sign extension out of range": (Op.EQ, (s(N), k(3)), None, T.false),
    "equal extensions": (Op.EQ, (s(N), s(M)), None, T.eq(N, M)),
    "parts": (Op.EQ, (T.concat(N, M), k(6, 4)), None, T.and_(T.eq(N, k(1, 2)), T.eq(M, k(2, 2)))),
    "choice chain": (
        Op.EQ,
        (T.ite(P, k(1), T.ite(Q, k(2), X)), k(2)),
        None,
        T.and_(T.not_(P), T.or_(Q, T.eq(X, k(2)))),
    ),
    # arithmetic
    "x + 1 + 2": (Op.BVADD, (k(2), T.add(X, k(1))), None, T.add(X, k(3))),
    "x + -y": (Op.BVADD, (X, T.neg(Y)), None, T.sub(X, Y)),
    "-x + y": (Op.BVADD, (T.neg(X), Y), None, T.sub(Y, X)),
    "x - 1": (Op.BVSUB, (X, k(1)), None, T.add(X, k(7))),
    "0 - x": (Op.BVSUB, (k(0), X), None, T.neg(X)),
    "pointer difference": (Op.BVSUB, (T.add(X, k(5)), T.add(X, k(2))), None, k(3)),
    "x * 3 * 3": (Op.BVMUL, (T.mul(X, k(3)), k(3)), None, X),
    "x * 0": (Op.BVMUL, (X, k(0)), None, k(0)),
    "x & 0": (Op.BVAND, (X, k(0)), None, k(0)),
    "x & 7": (Op.BVAND, (X, k(7)), None, X),
    "narrow & mask": (Op.BVAND, (z(N), k(3)), None, z(N)),
    "x & 6 & 3": (Op.BVAND, (T.apply(Op.BVAND, X, k(6)), k(3)), None, T.apply(Op.BVAND, X, k(2))),
    "x | 7": (Op.BVOR, (X, k(7)), None, k(7)),
    "x | x": (Op.BVOR, (X, X), None, X),
    "x ^ x": (Op.BVXOR, (X, X), None, k(0)),
    "x ^ 7": (Op.BVXOR, (X, k(7)), None, T.bvnot(X)),
    "x / 1": (Op.BVSDIV, (X, k(1)), None, X),
    "x % 1": (Op.BVSREM, (X, k(1)), None, k(0)),
    "0 % x": (Op.BVSREM, (k(0), X), None, k(0)),
    "0 % x unsigned": (Op.BVUREM, (k(0), X), None, k(0)),
    "x << 3": (Op.BVSHL, (X, k(3)), None, k(0)),
    "x >> 5": (Op.BVASHR, (X, k(5)), None, T.apply(Op.BVASHR, X, k(2))),
    "x >> 0": (Op.BVASHR, (X, k(0)), None, X),
    # comparisons
    "x <= y": (Op.BVULE, (X, Y), None, T.not_(T.ult(Y, X))),
    "signed x <= y": (Op.BVSLE, (X, Y), None, T.not_(T.slt(Y, X))),
    "x < 0": (Op.BVULT, (X, k(0)), None, T.false),
    "x < 1": (Op.BVULT, (X, k(1)), None, T.eq(X, k(0))),
    "x < 7": (Op.BVULT, (X, k(7)), None, T.ne(X, k(7))),
    "7 < x": (Op.BVULT, (k(7), X), None, T.false),
    "2 < x": (Op.BVULT, (k(2), X), None, T.not_(T.ult(X, k(3)))),
    "signed x < min": (Op.BVSLT, (X, k(4)), None, T.false),
    "signed x < min + 1": (Op.BVSLT, (X, k(5)), None, T.eq(X, k(4))),
    "signed x < max": (Op.BVSLT, (X, k(3)), None, T.ne(X, k(3))),
    "signed max < x": (Op.BVSLT, (k(3), X), None, T.false),
    "signed x <= 1": (Op.BVSLE, (X, k(1)), None, T.slt(X, k(2))),
    "zero extension below": (Op.BVULT, (z(N, 2), k(2, 4)), None, T.ult(N, k(2, 2))),
    "zero extension surely below": (Op.BVULT, (z(N, 2), k(4, 4)), None, T.true),
    "signed zero extension below": (Op.BVSLT, (z(N, 2), k(2, 4)), None, T.ult(N, k(2, 2))),
    "signed zero extension negative": (Op.BVSLT, (z(N, 2), k(0, 4)), None, T.false),
    "sign extension below": (Op.BVSLT, (s(N, 2), k(0, 4)), None, T.slt(N, k(0, 2))),
    "sign extension surely below": (Op.BVSLT, (s(N, 2), k(2, 4)), None, T.true),
    "both zero extended": (Op.BVSLT, (z(N), z(M)), None, T.ult(N, M)),
    "both sign extended": (Op.BVSLT, (s(N), s(M)), None, T.slt(N, M)),
    "both sign extended, unsigned": (Op.BVULT, (s(N), s(M)), None, T.ult(N, M)),
    # overflow
    "x + 1 overflows": (Op.SADDO, (X, k(1)), None, T.eq(X, k(3))),
    "x + 2 overflows": (Op.SADDO, (X, k(2)), None, T.not_(T.slt(X, k(2)))),
    "x + -2 overflows": (Op.SADDO, (X, k(-2)), None, T.slt(X, k(-2))),
    "x - 2 overflows": (Op.SSUBO, (X, k(2)), None, T.slt(X, k(-2))),
    "x - min overflows": (Op.SSUBO, (X, k(4)), None, T.not_(T.slt(X, k(0)))),
    "0 - x overflows": (Op.SSUBO, (k(0), X), None, T.eq(X, k(4))),
    "narrow sum": (Op.SADDO, (s(N), s(M)), None, T.false),
    "narrow difference": (Op.SSUBO, (s(N), s(M)), None, T.false),
    "narrow product": (Op.SMULO, (s(N, 2), s(M, 2)), None, T.false),
    "x * 0 overflows": (Op.SMULO, (X, k(0)), None, T.false),
    # cutting and joining
    "whole": (Op.EXTRACT, (X,), (2, 0), X),
    "cut twice": (Op.EXTRACT, (T.extract(W, 3, 1),), (2, 1), T.extract(W, 3, 2)),
    "cut low part": (Op.EXTRACT, (T.concat(N, X),), (2, 1), T.extract(X, 2, 1)),
    "cut high part": (Op.EXTRACT, (T.concat(X, N),), (4, 3), T.extract(X, 2, 1)),
    "cut extension": (Op.EXTRACT, (s(N, 2),), (1, 0), N),
    "cut into extension": (Op.EXTRACT, (s(N, 2),), (2, 1), s(T.extract(N, 1, 1))),
    "cut zeros": (Op.EXTRACT, (z(N, 2),), (3, 2), k(0, 2)),
    "arithmetic of promoted": (Op.EXTRACT, (T.add(s(N, 2), k(1, 4)),), (1, 0), T.add(N, k(1, 2))),
    "join neighbours": (Op.CONCAT, (T.extract(W, 3, 2), T.extract(W, 1, 0)), None, W),
    "zeros on top": (Op.CONCAT, (k(0, 2), N), None, z(N, 2)),
    "extend by nothing": (Op.SIGN_EXTEND, (X,), 0, X),
    "extend twice": (Op.SIGN_EXTEND, (s(N),), 1, s(N, 2)),
    "sign of zero extension": (Op.SIGN_EXTEND, (z(N),), 1, z(N, 2)),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_rule(name: str) -> None:
    op, args, payload, expected = EXAMPLES[name]
    made = T.make(op, args, payload)
    assert made == expected
    free = sorted({v for term in (*args, made) for v in T.variables(term)})
    sorts = tuple(T.sort(a) for a in args)
    for point in itertools.product(*(range(1 << _width(v)) for v in free)):
        values = {v: _value(v, number) for v, number in zip(free, point, strict=True)}
        arguments = [T.evaluate(a, values) for a in args]
        assert T.evaluate(made, values) == MEANING[op](arguments, sorts, T.sort(made), payload)


def _width(variable: Term) -> int:
    return 1 if T.is_boolean(variable) else T.width(variable)


def _value(variable: Term, number: int) -> Value:
    return bool(number) if T.is_boolean(variable) else number


# --- floats and arrays -------------------------------------------------------------------------------------


def test_bits_of_a_float_and_back() -> None:
    f = T.var("f", F32)
    bits = T.make(Op.FP_TO_BITS, (f,))
    assert T.make(Op.FP_FROM_BITS, (bits,), F32) == f
    word = T.var("word", I32)
    assert T.op(T.make(Op.FP_TO_BITS, (T.make(Op.FP_FROM_BITS, (word,), F32),))) is Op.FP_TO_BITS
    assert T.make(Op.FP_TO_FP, (f,), F32) == f
    assert T.make(Op.FP_TO_FP, (f,), F64) != f


# --- sizes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("combine", [lambda t, c, x: t.ite(c, t.bv(1, 8), x), lambda t, c, x: t.ite(c, x, x)])
def test_long_chains_do_not_recurse(combine: Callable[[Terms, Term, Term], Term]) -> None:
    terms = Terms()
    chain = terms.var("x", I8)
    for i in range(5000):
        chain = combine(terms, terms.var(f"c{i}", BOOL), chain)
    assert terms.is_boolean(terms.eq(chain, terms.bv(2, 8)))


def test_a_disjunction_or_its_negation_holds() -> None:
    terms = Terms()
    either = terms.or_(terms.var("a", BOOL), terms.var("b", BOOL))
    assert terms.or_(either, terms.not_(either)) == terms.true
    assert terms.and_(terms.not_(either), either) == terms.false
