"""Readable clauses mean what the formulas mean, and say it shorter."""

import random

from hypothesis import given
from hypothesis import strategies as st

from sley.logic.operators import Op
from sley.logic.readable import plainer, readable_clauses
from sley.logic.sorts import BOOL, bitvec
from sley.logic.terms import Term, Terms

BYTE, WIDE = bitvec(8), bitvec(16)


def random_formula(t: Terms, rng: random.Random, depth: int) -> Term:
    """A formula over a few bytes and Booleans, with offsets as arrays have them."""
    kind = rng.randrange(6 if depth else 3)
    byte = t.var(rng.choice("ij"), BYTE)
    if kind == 0:
        return t.var(rng.choice("pq"), BOOL)
    if kind == 1:
        return t.eq(byte, t.bv(rng.randrange(3), 8))
    if kind == 2:
        wide = rng.choice((t.sign_extend, t.zero_extend))(byte, 8)
        product = t.mul(wide, t.bv(rng.choice((2, 4, 3)), 16))
        return t.eq(product, t.bv(rng.choice((0, 4, 8, 6, 65532)), 16))
    if kind == 3:
        return t.not_(random_formula(t, rng, depth - 1))
    parts = [random_formula(t, rng, depth - 1) for _ in range(rng.randrange(2, 4))]
    return t.make(Op.AND if kind == 4 else Op.OR, parts)


def states(t: Terms) -> list[dict[Term, int | bool]]:
    """Enough values to tell formulas apart."""
    numbers = (0, 1, 2, 3, 4, 64, 127, 128, 255)
    i, j, p, q = t.var("i", BYTE), t.var("j", BYTE), t.var("p", BOOL), t.var("q", BOOL)
    return [
        {i: a, j: b, p: c, q: d}
        for a in numbers
        for b in numbers
        for c in (False, True)
        for d in (False, True)
    ]


@given(st.integers(0, 2**32))
def test_clauses_have_the_same_meaning(seed: int) -> None:
    t, rng = Terms(), random.Random(seed)
    formulas = [random_formula(t, rng, 3) for _ in range(rng.randrange(1, 5))]
    clauses = readable_clauses(t, formulas)
    for state in rng.sample(states(t), 60):
        wanted = all(t.evaluate(formula, state) for formula in formulas)
        assert wanted == all(any(t.evaluate(part, state) for part in clause) for clause in clauses)


def test_an_offset_becomes_an_index() -> None:
    t = Terms()
    index = t.var("i", bitvec(32))
    offset = t.mul(t.sign_extend(index, 32), t.bv(4, 64))
    in_range = t.ult(t.add(t.sign_extend(index, 32), t.bv(1 << 29, 64)), t.bv(1 << 30, 64))
    formula = t.and_(t.eq(offset, t.bv(8, 64)), in_range)
    assert plainer(t, formula) == t.eq(index, t.bv(2, 32))
    assert plainer(t, t.eq(offset, t.bv(6, 64))) == t.false


def test_a_product_that_may_overflow_stays() -> None:
    t = Terms()
    formula = t.eq(t.mul(t.sign_extend(t.var("i", BYTE), 8), t.bv(512, 16)), t.bv(0, 16))
    assert plainer(t, formula) == formula


def test_what_other_parts_say_is_left_out() -> None:
    t = Terms()
    p, i = t.var("p", BOOL), t.var("i", BYTE)
    is_one, is_two = t.eq(i, t.bv(1, 8)), t.eq(i, t.bv(2, 8))
    assert readable_clauses(t, [is_one, t.not_(is_two), t.or_(is_one, p)]) == [(is_one,)]
    assert readable_clauses(t, [t.or_(t.not_(p), t.and_(p, is_one))]) == [tuple(sorted((is_one, t.not_(p))))]
    assert readable_clauses(t, [is_one, t.ult(t.bv(1, 8), i)]) == [(t.false,)]


def test_known_values_are_not_repeated() -> None:
    t = Terms()
    p, q = t.var("p", BOOL), t.var("q", BOOL)
    assert readable_clauses(t, [p, t.or_(t.not_(p), q)], {p: t.true}) == [(q,)]
