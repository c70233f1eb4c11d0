import pytest
from hypothesis import given
from hypothesis import strategies as st

from sley.frontend.builtins.numbers import leading_zeros, ones, trailing_zeros
from sley.logic.terms import Terms

WIDTHS = st.sampled_from([32, 64])


def numbers(width: int) -> st.SearchStrategy[int]:
    return st.integers(0, 2**width - 1) | st.integers(0, width - 1).map(lambda n: 1 << n)


@given(WIDTHS.flatmap(lambda width: st.tuples(st.just(width), numbers(width))))
def test_bits_are_counted(case: tuple[int, int]) -> None:
    width, number = case
    terms = Terms()
    value = terms.bv(number, width)
    assert terms.number(ones(terms, value)) == number.bit_count()
    if number:
        assert terms.number(leading_zeros(terms, value)) == width - number.bit_length()
        assert terms.number(trailing_zeros(terms, value)) == (number & -number).bit_length() - 1


@pytest.mark.parametrize("width", [32, 64])
def test_bits_of_a_variable_are_counted_by_the_same_term(width: int) -> None:
    terms = Terms()
    variable = terms.var("x", terms.sort(terms.bv(0, width)))
    for number in (1, 0xF0, 2 ** (width - 1)):
        assert terms.evaluate(ones(terms, variable), {variable: number}) == number.bit_count()
        assert (
            terms.evaluate(leading_zeros(terms, variable), {variable: number}) == width - number.bit_length()
        )
