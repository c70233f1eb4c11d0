"""For which values of its only variable a condition holds: all of them are tried."""

from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest

from sley.logic.operators import Op
from sley.logic.sorts import bitvec
from sley.logic.terms import Term, Terms
from sley.semantics.preimages import satisfying
from sley.semantics.values import members

WIDTH = 5

COMPARISONS = (Op.EQ, Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE, Op.SADDO, Op.SSUBO)

WITH_NUMBER = (
    Op.BVADD,
    Op.BVSUB,
    Op.BVMUL,
    Op.BVXOR,
    Op.BVSHL,
    Op.BVLSHR,
    Op.BVUDIV,
    Op.BVUREM,
    Op.BVAND,
)


def around(terms: Terms, inner: Term, random: Random) -> Term:
    """Something computed from a term."""
    width = terms.width(inner)
    choices: tuple[Callable[[], Term], ...] = (
        lambda: terms.zero_extend(inner, random.randint(1, 3)),
        lambda: terms.sign_extend(inner, random.randint(1, 3)),
        lambda: terms.extract(inner, high := random.randrange(width), random.randint(0, high)),
        lambda: terms.neg(inner),
        lambda: terms.bvnot(inner),
        *(lambda op=op: _with_number(terms, op, inner, random) for op in WITH_NUMBER),
    )
    return random.choice(choices)()


def _with_number(terms: Terms, op: Op, inner: Term, random: Random) -> Term:
    number = terms.bv(random.randrange(1 << terms.width(inner)), terms.width(inner))
    return terms.make(op, (inner, number) if random.random() < 0.7 else (number, inner))


def condition(terms: Terms, x: Term, random: Random) -> Term:
    """A condition on a variable."""
    if random.random() < 0.2:
        return terms.not_(condition(terms, x, random))
    if random.random() < 0.3:
        parts = condition(terms, x, random), condition(terms, x, random)
        return terms.and_(*parts) if random.random() < 0.5 else terms.or_(*parts)
    term = x
    for _ in range(random.randint(0, 3)):
        term = around(terms, term, random)
    return _with_number(terms, random.choice(COMPARISONS), term, random)


@pytest.mark.parametrize("seed", range(300))
def test_just_those_values_satisfy_a_condition(seed: int) -> None:
    terms, random = Terms(), Random(seed)
    x = terms.var("x", bitvec(WIDTH))
    for _ in range(10):
        asked = condition(terms, x, random)
        if not terms.has_variables(asked):
            continue
        found = satisfying(terms, asked)
        if found is not None:
            right = [number for number in range(1 << WIDTH) if terms.evaluate(asked, {x: number})]
            assert members(found) == right
            assert all(one[1] + 1 < other[0] for one, other in pairwise(found))


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("x + 1 < 10", ((0, 8), (255, 255))),
        ("10 <= x * 3", ((4, 85), (89, 170), (174, 255))),
        ("x / 10 == 3", ((30, 39),)),
        ("x - 128 signed < 0", ((0, 127),)),
    ],
)
def test_the_ranges_of_small_conditions(text: str, ranges: object) -> None:
    terms = Terms()
    x = terms.var("x", bitvec(8))

    def number(value: int) -> Term:
        return terms.bv(value, 8)

    conditions = {
        "x + 1 < 10": terms.ult(terms.add(x, number(1)), number(10)),
        "10 <= x * 3": terms.ule(number(10), terms.mul(x, number(3))),
        "x / 10 == 3": terms.eq(terms.apply(Op.BVUDIV, x, number(10)), number(3)),
        "x - 128 signed < 0": terms.slt(terms.sub(x, number(128)), number(0)),
    }
    assert satisfying(terms, conditions[text]) == ranges


def test_every_other_number_is_no_few_ranges() -> None:
    terms = Terms()
    x = terms.var("x", bitvec(32))
    is_odd = terms.eq(terms.apply(Op.BVAND, x, terms.bv(1, 32)), terms.bv(1, 32))
    assert satisfying(terms, is_odd) is None
