"""Sorts of terms: Booleans, bit-vectors, IEEE floats, arrays."""

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class BoolSort:
    """Truth values."""

    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True, slots=True)
class BitVecSort:
    """Machine integers of ``width`` bits, without a sign: operators decide on signedness."""

    width: int

    def __str__(self) -> str:
        return f"i{self.width}"


_EXTENDED_EXPONENT, _EXTENDED_SIGNIFICAND = 15, 64


@dataclass(frozen=True, slots=True)
class FloatSort:
    """IEEE binary floats; ``significand`` counts the hidden bit (binary32 is 8, 24)."""

    exponent: int
    significand: int

    @property
    def has_leading_bit(self) -> bool:
        """Whether the first bit of the significand is stored: so has it x86's extended format."""
        return self.exponent == _EXTENDED_EXPONENT and self.significand == _EXTENDED_SIGNIFICAND

    @property
    def width(self) -> int:
        """Bits of the stored form."""
        return self.exponent + self.significand + self.has_leading_bit

    def __str__(self) -> str:
        return f"f{self.width}"


@dataclass(frozen=True, slots=True)
class ArraySort:
    """Functions from bit-vectors of ``index`` bits to bit-vectors of ``element`` bits."""

    index: int
    element: int

    def __str__(self) -> str:
        return f"i{self.element}[i{self.index}]"


Sort = BoolSort | BitVecSort | FloatSort | ArraySort

BOOL = BoolSort()
F32 = FloatSort(8, 24)
F64 = FloatSort(11, 53)
F80 = FloatSort(_EXTENDED_EXPONENT, _EXTENDED_SIGNIFICAND)


@cache
def bitvec(width: int) -> BitVecSort:
    """The bit-vector sort of that width (one object per width)."""
    return BitVecSort(width)


I8, I16, I32, I64 = bitvec(8), bitvec(16), bitvec(32), bitvec(64)


def width_of(sort: Sort) -> int:
    """Bits that a scalar of this sort takes in memory (a truth value takes one bit)."""
    match sort:
        case BoolSort():
            return 1
        case BitVecSort(width=width):
            return width
        case FloatSort():
            return sort.width
        case ArraySort():
            raise AssertionError("an array is no scalar")
