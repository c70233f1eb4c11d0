"""The meaning of operators where it is easily wrong; the solvers' tests compare the rest."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sley.logic.floats import (
    canonical,
    canonical_nan,
    decode_float,
    encode_float,
    int_to_float,
    is_nan,
    number,
)
from sley.logic.operators import (
    MEANING,
    Op,
    float_to_int,
    shift_left,
    shift_right_signed,
    signed_quotient,
    signed_remainder,
    to_signed,
    to_unsigned,
)
from sley.logic.sorts import F32, F64, F80


@given(st.integers(0, 255), st.integers(0, 255))
def test_quotient_and_remainder_belong_together(a: int, b: int) -> None:
    quotient, remainder = signed_quotient(a, b, 8), signed_remainder(a, b, 8)
    if b:
        assert to_unsigned(quotient * b + remainder, 8) == a
        assert abs(to_signed(remainder, 8)) < abs(to_signed(b, 8))
        assert to_signed(remainder, 8) * to_signed(a, 8) >= 0
    else:
        assert remainder == a


@pytest.mark.parametrize(
    ("a", "b", "quotient", "remainder"),
    [(7, -2, -3, 1), (-7, 2, -3, -1), (-128, -1, -128, 0), (5, 0, -1, 5), (-5, 0, 1, -5)],
)
def test_signed_division_rounds_towards_zero(a: int, b: int, quotient: int, remainder: int) -> None:
    x, y = to_unsigned(a, 8), to_unsigned(b, 8)
    assert to_signed(signed_quotient(x, y, 8), 8) == quotient
    assert to_signed(signed_remainder(x, y, 8), 8) == remainder


def test_shifts_too_far() -> None:
    assert shift_left(1, 8, 8) == 0
    assert shift_left(1, 2**63, 64) == 0
    assert shift_right_signed(0x80, 200, 8) == 0xFF


@given(st.integers(-(2**64), 2**64))
def test_integers_become_the_nearest_float(value: int) -> None:
    """Against the definition: no neighbour is nearer, and of two equally near ones the even is taken."""
    bits = int_to_float(value, F32)
    found = int(decode_float(bits, F32))
    magnitude = bits & 0x7FFFFFFF
    for neighbour in (magnitude - 1, magnitude + 1):
        if neighbour >= 0:
            other = math.copysign(decode_float(neighbour, F32), value)
            distance, best = abs(int(other) - value), abs(found - value)
            assert best < distance or (best == distance and bits % 2 == 0)


def test_integers_are_rounded_once() -> None:
    value = 2**54 + 2**30 + 1  # over binary64 this would become a tie first
    assert decode_float(int_to_float(value, F32), F32) == 2.0**54 + 2.0**31
    assert decode_float(int_to_float(-value, F32), F32) == -(2.0**54) - 2.0**31


@settings(max_examples=50)
@given(st.floats(allow_nan=True, allow_infinity=True))
def test_floats_survive_their_bits(value: float) -> None:
    bits = encode_float(value, F64)
    back = decode_float(bits, F64)
    assert back == value or (math.isnan(back) and math.isnan(value))
    assert encode_float(back, F64) == bits


def test_what_does_not_fit_becomes_zero() -> None:
    assert float_to_int(encode_float(300.7, F64), F64, 8, signed=False) == 0
    assert float_to_int(encode_float(255.7, F64), F64, 8, signed=False) == 255
    assert float_to_int(encode_float(-0.9, F64), F64, 8, signed=False) == 0
    assert float_to_int(encode_float(-128.9, F64), F64, 8, signed=True) == 0x80
    assert float_to_int(encode_float(math.nan, F32), F32, 8, signed=True) == 0
    assert float_to_int(encode_float(-math.inf, F32), F32, 8, signed=True) == 0


def test_too_large_floats_become_infinite() -> None:
    assert decode_float(encode_float(1e39, F32), F32) == math.inf
    assert decode_float(encode_float(-1e39, F32), F32) == -math.inf


# --- the extended format of x86 -----------------------------------------------------------------------


def _extended(op: Op, a: int, b: int) -> int:
    result = MEANING[op]([a, b], (F80, F80), F80, None)
    assert isinstance(result, int)
    return result


def test_extended_numbers_have_a_stored_leading_bit() -> None:
    assert encode_float(1.0, F80) == 0x3FFF_8000_0000_0000_0000
    assert encode_float(-math.inf, F80) == 0xFFFF_8000_0000_0000_0000
    assert encode_float(-0.0, F80) == 1 << 79
    assert canonical_nan(F80) == 0x7FFF_C000_0000_0000_0000


def test_extended_sums_keep_sixty_four_bits() -> None:
    one, tiny = encode_float(1.0, F80), encode_float(2.0**-63, F80)
    assert number(_extended(Op.FP_ADD, one, tiny), F80) == 1 + Fraction(1, 2**63)
    tie = encode_float(2.0**-64, F80)
    assert _extended(Op.FP_ADD, one, tie) == one
    above = _extended(Op.FP_ADD, one, tiny)
    assert number(_extended(Op.FP_ADD, above, tie), F80) == 1 + Fraction(2, 2**63)


def test_extended_zeros_have_signs() -> None:
    zero, minus, one = encode_float(0.0, F80), encode_float(-0.0, F80), encode_float(1.0, F80)
    assert _extended(Op.FP_ADD, minus, minus) == minus
    assert _extended(Op.FP_ADD, zero, minus) == zero
    assert _extended(Op.FP_SUB, one, one) == zero
    assert _extended(Op.FP_MUL, minus, one) == minus
    assert _extended(Op.FP_DIV, one, minus) == encode_float(-math.inf, F80)
    assert is_nan(_extended(Op.FP_DIV, zero, minus), F80)


def test_extended_range_ends_in_subnormals_and_infinity() -> None:
    least = 1
    half = encode_float(0.5, F80)
    assert _extended(Op.FP_MUL, least, half) == 0
    assert number(_extended(Op.FP_ADD, least, least), F80) == 2 * Fraction(number(least, F80))
    largest = 0x7FFE_FFFF_FFFF_FFFF_FFFF
    assert _extended(Op.FP_ADD, largest, largest) == encode_float(math.inf, F80)
    assert decode_float(largest, F80) == math.inf


def test_bits_that_are_no_extended_number() -> None:
    without_leading_bit = 0x3FFF_4000_0000_0000_0000
    assert canonical(without_leading_bit, F80) == canonical_nan(F80)
    pseudo_denormal = 0x0000_8000_0000_0000_0000
    assert canonical(pseudo_denormal, F80) == 0x0001_8000_0000_0000_0000
