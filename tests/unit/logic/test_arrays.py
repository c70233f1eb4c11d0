"""Arrays: their values, what reads see through, the order of writes, and which places are known to differ."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sley.logic.arrays import ArrayValue
from sley.logic.linear import are_distinct, low_bits
from sley.logic.operators import Op
from sley.logic.printer import to_c
from sley.logic.sorts import I32, I64, ArraySort, bitvec
from sley.logic.terms import Term, Terms, has_arrays
from tests.unit.logic.random_terms import Generator, make, meaning, random_value, variables

SORT = ArraySort(32, 32)


def test_elements_of_a_value() -> None:
    value = ArrayValue.of(7, [(3, 4), (1, 7), (3, 5)])
    assert value.others == ((3, 5),)
    assert (value.at(3), value.at(1)) == (5, 7)
    assert value.with_element(3, 7) == ArrayValue(7)
    assert value.with_element(2, 1).others == ((2, 1), (3, 5))


def test_what_is_not_decided_has_no_value() -> None:
    value = ArrayValue.of(None, [(3, 4)])
    assert value.at(3) == 4
    with pytest.raises(KeyError):
        value.at(2)


def test_reads_see_through_writes() -> None:
    t = Terms()
    a, i, j, v = t.var("a", SORT), t.var("i", I32), t.var("j", I32), t.var("v", I32)
    after = t.add(i, t.bv(1, 32))
    assert t.select(t.store(a, i, v), i) == v
    assert t.select(t.store(a, after, v), i) == t.select(a, i)
    assert to_c(t, t.select(t.store(a, j, v), i)) == "i == j ? v : a[i]"
    assert t.select(t.store(t.const(ArrayValue(0), SORT), i, v), after) == t.bv(0, 32)
    assert has_arrays(t, (t.eq(t.select(a, i), v),))


def test_the_order_of_writes_to_different_places_does_not_matter() -> None:
    t = Terms()
    a, i, v, w = t.var("a", SORT), t.var("i", I32), t.var("v", I32), t.var("w", I32)
    after = t.add(i, t.bv(1, 32))
    one = t.store(t.store(a, i, v), after, w)
    assert one == t.store(t.store(a, after, w), i, v)
    assert t.store(t.store(one, i, w), i, v) == one
    assert t.store(a, i, t.select(a, i)) == a


def test_a_long_chain_of_writes_is_no_problem() -> None:
    t = Terms()
    array, i = t.var("a", SORT), t.var("i", I32)
    for number in range(3000):
        array = t.store(array, t.bv(number, 32), t.add(i, t.bv(number, 32)))
    assert t.op(t.select(array, i)) is Op.ITE


def test_places_that_differ() -> None:
    t = Terms()
    i, j, p = t.var("i", I32), t.var("j", I32), t.var("p", I64)

    def place(index: int) -> Term:
        wide = t.sign_extend(t.add(i, t.bv(index, 32)), 32)
        return low_bits(t, t.add(p, t.mul(wide, t.bv(8, 64))), 32)

    assert are_distinct(t, place(0), place(1))
    assert not are_distinct(t, place(0), place(1 << 29))  # it wraps around
    field = t.add(t.mul(j, t.bv(8, 32)), t.bv(4, 32))
    assert are_distinct(t, field, t.mul(i, t.bv(8, 32)))
    assert not are_distinct(t, field, t.mul(i, t.bv(4, 32)))


@given(st.integers(0, 2**32))
def test_low_bits_mean_the_same(seed: int) -> None:
    rng = random.Random(seed)
    t, generator = Terms(), Generator(rng, widths=(3, 4, 8), has_division=rng.random() < 0.5)
    tree, other = generator.tree(bitvec(8), 4), generator.tree(bitvec(8), 3)
    term, low = make(t, tree), low_bits(t, make(t, tree), 3)
    differ = are_distinct(t, term, make(t, other))
    for _ in range(8):
        values = {v: random_value(rng, v[1]) for v in {**variables(tree), **variables(other)}}
        expected = meaning(tree, values)
        assert isinstance(expected, int)
        assert t.evaluate(low, {t.var(*v): value for v, value in values.items()}) == expected % 8
        assert not (differ and expected == meaning(other, values))
