from hypothesis import given
from hypothesis import strategies as st

from sley.frontend.c_types import BoolType, IntegerType, common_type, promoted
from sley.frontend.conversions import convert, signed_range, truth
from sley.logic.operators import to_signed, to_unsigned
from sley.logic.terms import Terms
from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering

WIDTHS = (8, 16, 32, 64)
TYPES = [IntegerType(width, is_signed) for width in WIDTHS for is_signed in (True, False)]
types = st.sampled_from(TYPES)
numbers = st.integers(-(1 << 63), (1 << 64) - 1)


def value_in(ctype: IntegerType, number: int) -> int:
    """The number that C has after a conversion to the type."""
    bits = to_unsigned(number, ctype.width)
    return to_signed(bits, ctype.width) if ctype.is_signed else bits


@given(types, types, numbers)
def test_integer_conversions_are_modular(source: IntegerType, target: IntegerType, number: int) -> None:
    terms = Terms()
    value = value_in(source, number)
    converted = terms.number(convert(terms, terms.bv(value, source.width), source, target))
    assert converted == to_unsigned(value_in(target, value), target.width)


@given(types, numbers)
def test_truth_is_being_different_from_zero(source: IntegerType, number: int) -> None:
    terms = Terms()
    value = terms.bv(number, source.width)
    expected = terms.boolean(value_in(source, number) != 0)
    assert truth(terms, value, source) == expected
    assert convert(terms, value, source, BoolType()) == expected


@given(types, types)
def test_the_common_type_holds_both_or_is_unsigned(a: IntegerType, b: IntegerType) -> None:
    common = common_type(a, b)
    assert isinstance(common, IntegerType)
    assert common.width == max(32, a.width, b.width)
    widest = [t for t in (promoted(a), promoted(b)) if t.size == common.size]
    assert common.is_signed == all(isinstance(t, IntegerType) and t.is_signed for t in widest)


@given(st.sampled_from((8, 16)), numbers, numbers, st.booleans())
def test_ranges_contain_the_value(width: int, first: int, second: int, is_signed: bool) -> None:
    terms = Terms()
    x, y = terms.var("x", terms.sort(terms.bv(0, width))), terms.var("y", terms.sort(terms.bv(0, width)))
    wide = terms.resize(x, 32, signed=is_signed)
    term = terms.add(terms.ite(terms.slt(x, y), wide, terms.bv(-5, 32)), terms.resize(y, 32, signed=False))
    low, high = signed_range(terms, term)
    values = {x: to_unsigned(first, width), y: to_unsigned(second, width)}
    result = terms.evaluate(term, values)
    assert isinstance(result, int)
    assert low <= to_signed(result, 32) <= high


def test_long_double_has_the_values_of_double(c: Lowering) -> None:
    text = (
        "#include <assert.h>\nlong double g = 0.5L; int main(void) { long double x = g * 3; float f = x; "
        "assert(x == 1.5 && f == 1.5f && (int)(x + f) == 3 && sizeof x > 8); return 0; }"
    )
    assert c.answer(text) is Answer.SAFE
    assert "long double has the values of double" in c.program(text).assumptions
    assert not any("long double" in line for line in c.program("int main(void) { }").assumptions)
