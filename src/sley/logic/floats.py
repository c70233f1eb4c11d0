"""IEEE floats as numbers: from their bits and back, rounded to nearest, ties to even.

A float is the ``int`` of its bits, so that values hash and compare exactly, NaN included. Python's own
numbers compute binary32 and binary64. Other formats are computed exactly, with fractions, and rounded once.

x86's extended format stores the leading bit of its significand. It is one for all numbers with an exponent
above zero; bits that say otherwise are no number (the processor refuses them), except that a one is read as
such where the exponent is zero.
"""

import math
import struct
from collections.abc import Callable
from fractions import Fraction

from sley.logic.sorts import FloatSort

Number = float | Fraction
"""A float's value: exact in either form."""

_FORMATS = {32: ("<f", "<I"), 64: ("<d", "<Q")}
_SINGLE = 32


def canonical_nan(sort: FloatSort) -> int:
    """The NaN that all operations give."""
    quiet = 1 << (sort.significand - 2)
    return _joined(sort, 0, (1 << sort.exponent) - 1, quiet)


def _joined(sort: FloatSort, sign: int, exponent: int, fraction: int) -> int:
    """The bits of a float from its fields."""
    stored = sort.significand - 1
    if sort.has_leading_bit:
        fraction |= (exponent != 0) << stored
        stored += 1
    return (sign << (sort.width - 1)) | (exponent << stored) | fraction


def _fields(bits: int, sort: FloatSort) -> tuple[int, int, int]:
    """Sign, exponent and fraction, as if the leading bit were not stored; what is no number becomes NaN."""
    stored, top = sort.significand - 1, (1 << sort.exponent) - 1
    fraction = bits & ((1 << stored) - 1)
    if not sort.has_leading_bit:
        return bits >> (sort.width - 1), (bits >> stored) & top, fraction
    sign, exponent, leading = bits >> (sort.width - 1), (bits >> (stored + 1)) & top, (bits >> stored) & 1
    if exponent and not leading:
        return 0, top, 1 << (stored - 1)
    return sign, (exponent or leading), fraction


def to_ieee(bits: int, sort: FloatSort) -> int:
    """The bits without a stored leading bit."""
    sign, exponent, fraction = _fields(bits, sort)
    return (((sign << sort.exponent) | exponent) << (sort.significand - 1)) | fraction


def from_ieee(bits: int, sort: FloatSort) -> int:
    """The bits of a float of which those without a stored leading bit are given."""
    stored = sort.significand - 1
    rest, fraction = bits >> stored, bits & ((1 << stored) - 1)
    return _joined(sort, rest >> sort.exponent, rest & ((1 << sort.exponent) - 1), fraction)


def is_nan(bits: int, sort: FloatSort) -> bool:
    """Whether the bits are not a number."""
    _, exponent, fraction = _fields(bits, sort)
    return exponent == (1 << sort.exponent) - 1 and fraction != 0


def canonical(bits: int, sort: FloatSort) -> int:
    """The bits in the one form that operations give."""
    if is_nan(bits, sort):
        return canonical_nan(sort)
    return from_ieee(to_ieee(bits, sort), sort) if sort.has_leading_bit else bits


def number(bits: int, sort: FloatSort) -> Number:
    """The exact value; the sign of a zero is lost where it is a fraction."""
    if sort.width in _FORMATS:
        as_float, as_bits = _FORMATS[sort.width]
        return float(struct.unpack(as_float, struct.pack(as_bits, bits))[0])
    sign, exponent, fraction = _fields(bits, sort)
    if exponent == (1 << sort.exponent) - 1:
        return math.nan if fraction else math.copysign(math.inf, -sign)
    stored, bias = sort.significand - 1, (1 << (sort.exponent - 1)) - 1
    whole = fraction | (1 << stored) if exponent else fraction
    scaled = Fraction(2) ** (max(exponent, 1) - bias - stored) * whole
    return -scaled if sign else scaled


def decode_float(bits: int, sort: FloatSort) -> float:
    """The Python float with these bits, or the nearest one."""
    value = number(bits, sort)
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def encode_float(value: Number, sort: FloatSort, *, is_negative: bool | None = None) -> int:
    """The bits of ``value`` rounded to ``sort``; every NaN becomes the canonical one.

    ``is_negative`` gives zero a sign, which fractions cannot.
    """
    if isinstance(value, Fraction):
        return _rounded(value, sort, int(value < 0 if is_negative is None else is_negative))
    if math.isnan(value):
        return canonical_nan(sort)
    sign = math.copysign(1.0, value) < 0
    if sort.width not in _FORMATS:
        if math.isinf(value):
            return _joined(sort, int(sign), (1 << sort.exponent) - 1, 0)
        return _rounded(Fraction(value), sort, int(sign))
    as_float, as_bits = _FORMATS[sort.width]
    try:
        packed = struct.pack(as_float, value)
    except OverflowError:
        packed = struct.pack(as_float, math.copysign(math.inf, value))
    return int(struct.unpack(as_bits, packed)[0])


def _rounded(value: Fraction, sort: FloatSort, sign: int) -> int:
    precision = sort.significand
    bias = (1 << (sort.exponent - 1)) - 1
    if value == 0:
        return _joined(sort, sign, 0, 0)
    size = abs(value)
    power = size.numerator.bit_length() - size.denominator.bit_length()
    if size < Fraction(2) ** power:
        power -= 1
    power = max(power, 1 - bias)
    digits = round(size / Fraction(2) ** (power - precision + 1))  # to even on a tie
    if digits >> precision:
        digits, power = digits >> 1, power + 1
    if power > bias:
        return _joined(sort, sign, (1 << sort.exponent) - 1, 0)
    leading = 1 << (precision - 1)
    if digits < leading:
        return _joined(sort, sign, 0, digits)
    return _joined(sort, sign, power + bias, digits - leading)


def divide(a: Number, b: Number) -> Number:
    """IEEE division of two numbers that are of one Python type."""
    if b != 0:
        return a / b
    if a == 0 or a != a:
        return math.nan
    return math.copysign(math.inf, math.copysign(1.0, a) * math.copysign(1.0, b))


def binary(operation: Callable[[Number, Number], Number], a: int, b: int, sort: FloatSort) -> int:
    """The rounded result of ``operation`` on two floats of one format."""
    x, y = number(a, sort), number(b, sort)
    if not (isinstance(x, Fraction) and isinstance(y, Fraction)):
        # binary64 carries more than twice the bits of binary32, so rounding twice is harmless
        return encode_float(operation(_stand_in(x, a, sort), _stand_in(y, b, sort)), sort)
    if x and y:
        return encode_float(operation(x, y), sort)
    # with a zero, signs matter: small numbers of the same signs show what happens
    shown = operation(_stand_in(x, a, sort), _stand_in(y, b, sort))
    if shown == 0 or not math.isfinite(shown):
        return encode_float(shown, sort)
    return encode_float(operation(x, y), sort)


def _stand_in(value: Number, bits: int, sort: FloatSort) -> float:
    """A Python float that is zero, finite, infinite or no number like the value, with its sign."""
    if not isinstance(value, Fraction):
        return value
    return math.copysign(1.0 if value else 0.0, -(bits >> (sort.width - 1)))


def converted(bits: int, source: FloatSort, target: FloatSort) -> int:
    """A float in another format."""
    return encode_float(number(bits, source), target, is_negative=bool(bits >> (source.width - 1)))


def int_to_float(value: int, sort: FloatSort) -> int:
    """Correctly rounded conversion.

    Binary32 is reached over binary64. So that this rounds only once, the 53 bits that are kept end in a
    sticky bit for all that were cut off.
    """
    if sort.width not in _FORMATS:
        return encode_float(Fraction(value), sort)
    magnitude = abs(value)
    extra = magnitude.bit_length() - 53
    if sort.width == _SINGLE and extra > 0:
        is_inexact = magnitude & ((1 << extra) - 1) != 0
        magnitude = ((magnitude >> extra) | is_inexact) << extra
    return encode_float(float(magnitude if value >= 0 else -magnitude), sort)


def truncated(bits: int, sort: FloatSort) -> int | None:
    """The whole number next to zero; none for what is not finite."""
    value = number(bits, sort)
    return int(value) if isinstance(value, Fraction) or math.isfinite(value) else None


def truncation_bounds(sort: FloatSort, width: int, *, signed: bool) -> tuple[int, bool, int]:
    """When a float fits into an integer after truncation: lower bound, whether it is excluded, upper bound.

    Both as bits. The upper bound is always excluded. Below zero, one less than the least integer is the bound
    if the format has that number, else the least integer itself is (then nothing lies between the two).
    """
    if not signed:
        return int_to_float(-1, sort), True, int_to_float(1 << width, sort)
    least = 1 << (width - 1)
    if width - 1 < sort.significand:
        return int_to_float(-least - 1, sort), True, int_to_float(least, sort)
    return int_to_float(-least, sort), False, int_to_float(least, sort)
