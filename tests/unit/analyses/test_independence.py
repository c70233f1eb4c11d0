import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sley.analyses.accesses import find_accesses
from sley.analyses.independence import are_independent, overlap
from sley.logic.sorts import I8, I16, I32, I64, Sort
from sley.logic.terms import Terms
from sley.program.instructions import Access
from tests.unit.analyses.programs import COUNTER, parsed


def test_static() -> None:
    found = find_accesses(parsed(COUNTER))
    assert are_independent(found, 2, 21)  # two loads
    assert not are_independent(found, 3, 21)
    assert not are_independent(found, 1, 20)  # locks
    assert not are_independent(found, 0, 20)  # create and the first step
    assert not are_independent(found, 5, 25)  # join and exit
    assert are_independent(found, 3, 24)


def test_forms_that_decide() -> None:
    terms = Terms()
    base = terms.var("p", I64)
    first, second = Access(base, I32), Access(terms.add(base, terms.bv(4, 64)), I32)
    assert overlap(terms, first, second) == terms.false
    assert overlap(terms, first, dataclasses.replace(second, sort=I8)) == terms.false
    assert overlap(terms, dataclasses.replace(first, sort=I64), second) == terms.true
    assert not terms.is_const(overlap(terms, first, Access(terms.var("q", I64), I32)))


SORTS = (I8, I16, I32, I64)


@given(st.integers(0, 40), st.sampled_from(SORTS), st.integers(0, 40), st.sampled_from(SORTS), st.booleans())
def test_overlap_is_that_of_the_bytes(
    at: int, sort: Sort, other_at: int, other_sort: Sort, named: bool
) -> None:
    terms = Terms()
    p, q = terms.var("p", I64), terms.var("q", I64)
    one = Access(p if named else terms.bv(100 + at, 64), sort)
    other = Access(q if named else terms.bv(100 + other_at, 64), other_sort)
    term = overlap(terms, one, other)
    bytes_of_one = set(range(at, at + one.size))
    common = bytes_of_one & set(range(other_at, other_at + other.size))
    assert terms.evaluate(term, {p: 100 + at, q: 100 + other_at}) is bool(common)
    assert terms.is_const(term) is not named


@pytest.mark.parametrize("distance", [-8, -4, 0, 4, 8])
def test_same_base(distance: int) -> None:
    terms = Terms()
    base = terms.var("p", I64)
    one, other = Access(base, I64), Access(terms.add(base, terms.bv(distance, 64)), I64)
    assert overlap(terms, one, other) == terms.boolean(abs(distance) < 8)
