import random

from hypothesis import given, settings
from hypothesis import strategies as st

from sley.analyses.ranges import Fact, Ranges
from sley.logic.operators import Op, to_signed
from sley.logic.sorts import I8, I32, I64, bitvec
from sley.logic.terms import Terms
from tests.unit.logic.random_terms import Generator, make, meaning, random_value, variables


def test_what_array_indices_need() -> None:
    terms = Terms()
    ranges = Ranges(terms)
    i, b = terms.var("i", I32), terms.var("b", I8)
    scaled = terms.mul(terms.sign_extend(i, 32), terms.bv(12, 64))
    fact = ranges.fact(scaled)
    assert (fact.residue, fact.modulus) == (0, 12)
    assert fact.low == -12 << 31
    moved = ranges.fact(terms.add(scaled, terms.bv(4, 64)))
    assert (moved.residue, moved.modulus) == (4, 12)
    assert ranges.fact(terms.zero_extend(b, 24)) == Fact(0, 255, 0, 1)
    assert ranges.is_within(terms.apply(Op.BVUREM, i, terms.bv(10, 32)), 9)
    assert not ranges.is_within(i, 1 << 30)


def test_wrapping_keeps_powers_of_two_only() -> None:
    terms = Terms()
    wide = terms.var("n", I64)
    assert Ranges(terms).fact(terms.mul(wide, terms.bv(12, 64))).modulus == 4


@settings(deadline=None, max_examples=300)
@given(st.integers(0, 1_000_000))
def test_facts_hold_for_every_value(seed: int) -> None:
    choose = random.Random(seed)
    tree = Generator(choose).tree(bitvec(choose.choice((4, 8))), choose.choice((1, 2, 3)))
    terms = Terms()
    term = make(terms, tree)
    ranges = Ranges(terms)
    fact = ranges.fact(term)
    for _ in range(20):
        values = {variable: random_value(choose, variable[1]) for variable in variables(tree)}
        number = meaning(tree, values)
        assert isinstance(number, int)
        value = to_signed(number, terms.width(term))
        assert fact.low <= value <= fact.high
        if fact.modulus == 0:
            assert value == fact.residue
        else:
            assert (value - fact.residue) % fact.modulus == 0
