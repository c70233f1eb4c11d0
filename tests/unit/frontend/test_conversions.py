import pytest
from hypothesis import given
from hypothesis import strategies as st

from sley.frontend.c_types import BoolType, IntegerType, common_type, promoted
from sley.frontend.conversions import convert, signed_range, truth
from sley.frontend.data_model import DataModel
from sley.frontend.literals import floating_literal
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


def _asserts(declarations: str, condition: str) -> str:
    before = f"#include <assert.h>\n#include <float.h>\n{declarations}\n"
    return before + f"int main(void) {{ assert({condition}); return 0; }}"


@pytest.mark.parametrize(
    ("declarations", "condition"),
    [
        ("long double g = 0.5L;", "g * 3 == 1.5 && (float)(g * 3) == 1.5f && (int)(g + 2.5L) == 3"),
        ("long double g = 0.1L;", "g != 0.1 && (double)g == 0.1"),
        ("#define TENTH 0.1L\nlong double g = TENTH;", "g == 0.1L && g != 0.1"),
        ("long double g = 0x1.8p-3L;", "g == 0.1875L"),
        ("volatile long double g = 1;", "g + LDBL_EPSILON != g && g + LDBL_EPSILON / 2 == g"),
        ("volatile long double g = LDBL_MAX;", "g * 2 > LDBL_MAX && g > DBL_MAX && g / 2 + g / 2 == g"),
        ("volatile long double g = LDBL_MIN;", "g > 0 && g / 2 > 0 && __LDBL_DENORM_MIN__ / 2 == 0"),
        ("volatile long g = 9007199254740993;", "(long)(long double)g == g && (long)(double)g != g"),
        ("long double g = 1e5000L;", "g == __builtin_infl()"),
    ],
)
@pytest.mark.parametrize("data_model", list(DataModel))
def test_long_double_is_the_extended_format(
    c: Lowering, declarations: str, condition: str, data_model: DataModel
) -> None:
    if data_model is DataModel.ILP32:
        declarations = declarations.replace(" long g", " long long g")
        condition = condition.replace("(long)", "(long long)")
    assert c.answer(_asserts(declarations, condition), data_model=data_model) is Answer.SAFE


def test_a_long_double_as_bytes(c: Lowering) -> None:
    union = "union { long double number; unsigned char bytes[10]; } u = {-1.5L};"
    condition = "u.bytes[9] == 0xbf && u.bytes[8] == 0xff && u.bytes[7] == 0xc0"
    assert c.answer(_asserts(union, condition)) is Answer.SAFE


@pytest.mark.parametrize("text", ["1e3", ".5", "1.", "0x.8p1", "0X1P-2", "12.5e-1"])
def test_floating_literals_are_read_exactly(text: str) -> None:
    expected = float.fromhex(text) if text[:2].lower() == "0x" else float(text)
    assert floating_literal(text + "L") == expected
