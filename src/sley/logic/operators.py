"""The operators of the term language and their meaning on concrete values.

Values are plain Python: a truth value is a ``bool``; a bit-vector is an ``int`` in ``[0, 2**width)``;
a float is the ``int`` of its IEEE bits (so that values hash and compare exactly, NaN included). Arrays, which
occur inside terms alone, are :class:`ArrayValue`.

This table is the single definition of what an operator computes. Constant folding, evaluation and the
generated Python code are tied to it; the solvers are tied to it by property tests.
"""

from collections.abc import Callable
from enum import IntEnum, auto

from sley.logic import floats
from sley.logic.arrays import ArrayValue
from sley.logic.floats import Number
from sley.logic.sorts import BitVecSort, FloatSort, Sort, width_of


class Op(IntEnum):
    """Operators; names follow SMT-LIB where it has the operator."""

    CONST = auto()
    VAR = auto()
    # Booleans
    NOT = auto()
    AND = auto()
    OR = auto()
    # any sort
    EQ = auto()
    ITE = auto()
    # bit-vectors
    BVNOT = auto()
    BVNEG = auto()
    BVAND = auto()
    BVOR = auto()
    BVXOR = auto()
    BVADD = auto()
    BVSUB = auto()
    BVMUL = auto()
    BVUDIV = auto()
    BVSDIV = auto()
    BVUREM = auto()
    BVSREM = auto()
    BVSHL = auto()
    BVLSHR = auto()
    BVASHR = auto()
    BVULT = auto()
    BVULE = auto()
    BVSLT = auto()
    BVSLE = auto()
    CONCAT = auto()
    EXTRACT = auto()
    ZERO_EXTEND = auto()
    SIGN_EXTEND = auto()
    SADDO = auto()
    SSUBO = auto()
    SMULO = auto()
    # floats (rounding: nearest, ties to even)
    FP_NEG = auto()
    FP_ADD = auto()
    FP_SUB = auto()
    FP_MUL = auto()
    FP_DIV = auto()
    FP_EQ = auto()
    FP_LT = auto()
    FP_LE = auto()
    FP_TO_FP = auto()
    FP_TO_SBV = auto()
    FP_TO_UBV = auto()
    SBV_TO_FP = auto()
    UBV_TO_FP = auto()
    FP_FROM_BITS = auto()
    FP_TO_BITS = auto()
    # arrays
    SELECT = auto()
    STORE = auto()


Value = bool | int
"""What a term that is no array can be."""

AnyValue = Value | ArrayValue

COMMUTATIVE = frozenset({Op.EQ, Op.BVAND, Op.BVOR, Op.BVXOR, Op.BVADD, Op.BVMUL, Op.SADDO, Op.SMULO})


def to_signed(value: int, width: int) -> int:
    """The two's-complement reading of ``value``."""
    return value - (1 << width) if value >> (width - 1) else value


def to_unsigned(value: int, width: int) -> int:
    """``value`` modulo ``2**width``."""
    return value & ((1 << width) - 1)


def unsigned_quotient(a: int, b: int, width: int) -> int:
    """SMT-LIB ``bvudiv``: division by zero gives all ones."""
    return a // b if b else (1 << width) - 1


def unsigned_remainder(a: int, b: int) -> int:
    """SMT-LIB ``bvurem``: remainder by zero gives the dividend."""
    return a % b if b else a


def signed_quotient(a: int, b: int, width: int) -> int:
    """SMT-LIB ``bvsdiv``, rounding towards zero; by zero: 1 for negative, -1 otherwise."""
    x, y = to_signed(a, width), to_signed(b, width)
    if y == 0:
        return 1 if x < 0 else (1 << width) - 1
    quotient = abs(x) // abs(y)
    return to_unsigned(quotient if (x < 0) == (y < 0) else -quotient, width)


def signed_remainder(a: int, b: int, width: int) -> int:
    """SMT-LIB ``bvsrem``: sign of the dividend; by zero: the dividend."""
    x, y = to_signed(a, width), to_signed(b, width)
    if y == 0:
        return a
    remainder = abs(x) % abs(y)
    return to_unsigned(-remainder if x < 0 else remainder, width)


def shift_left(a: int, b: int, width: int) -> int:
    """Shift in zeros from the right; too far gives zero."""
    return to_unsigned(a << b, width) if b < width else 0


def shift_right(a: int, b: int, width: int) -> int:
    """Shift in zeros from the left; too far gives zero."""
    return a >> b if b < width else 0


def shift_right_signed(a: int, b: int, width: int) -> int:
    """Shift in copies of the sign."""
    return to_unsigned(to_signed(a, width) >> min(b, width - 1), width)


def _fits(value: int, width: int) -> bool:
    return -(1 << (width - 1)) <= value < 1 << (width - 1)


# --- floats ---------------------------------------------------------------------------------------


def _float_binary(
    operation: Callable[[Number, Number], Number],
) -> Callable[[list[int], tuple[Sort, ...], Sort, object], int]:
    def compute(v: list[int], s: tuple[Sort, ...], result: Sort, _payload: object) -> int:
        return floats.binary(operation, v[0], v[1], _float_sort(result))

    return compute


def _float_relation(
    relation: Callable[[Number, Number], bool],
) -> Callable[[list[int], tuple[Sort, ...], Sort, object], bool]:
    def compute(v: list[int], s: tuple[Sort, ...], _result: Sort, _payload: object) -> bool:
        sort = _float_sort(s[0])
        return relation(floats.number(v[0], sort), floats.number(v[1], sort))

    return compute


def float_to_int(bits: int, sort: FloatSort, width: int, *, signed: bool) -> int:
    """Truncation towards zero; what does not fit is undefined in C and yields zero here."""
    whole = floats.truncated(bits, sort)
    if whole is None:
        return 0
    fits = _fits(whole, width) if signed else 0 <= whole < 1 << width
    return to_unsigned(whole, width) if fits else 0


def _width(sort: Sort) -> int:
    assert isinstance(sort, BitVecSort)
    return sort.width


def _float_sort(sort: Sort) -> FloatSort:
    assert isinstance(sort, FloatSort)
    return sort


# compute(values, argument sorts, result sort, payload) -> value
MEANING: dict[Op, Callable[..., AnyValue]] = {
    Op.NOT: lambda v, s, r, p: not v[0],
    Op.AND: lambda v, s, r, p: all(v),
    Op.OR: lambda v, s, r, p: any(v),
    Op.EQ: lambda v, s, r, p: v[0] == v[1],
    Op.ITE: lambda v, s, r, p: v[1] if v[0] else v[2],
    Op.BVNOT: lambda v, s, r, p: to_unsigned(~v[0], _width(r)),
    Op.BVNEG: lambda v, s, r, p: to_unsigned(-v[0], _width(r)),
    Op.BVAND: lambda v, s, r, p: v[0] & v[1],
    Op.BVOR: lambda v, s, r, p: v[0] | v[1],
    Op.BVXOR: lambda v, s, r, p: v[0] ^ v[1],
    Op.BVADD: lambda v, s, r, p: to_unsigned(v[0] + v[1], _width(r)),
    Op.BVSUB: lambda v, s, r, p: to_unsigned(v[0] - v[1], _width(r)),
    Op.BVMUL: lambda v, s, r, p: to_unsigned(v[0] * v[1], _width(r)),
    Op.BVUDIV: lambda v, s, r, p: unsigned_quotient(v[0], v[1], _width(r)),
    Op.BVSDIV: lambda v, s, r, p: signed_quotient(v[0], v[1], _width(r)),
    Op.BVUREM: lambda v, s, r, p: unsigned_remainder(v[0], v[1]),
    Op.BVSREM: lambda v, s, r, p: signed_remainder(v[0], v[1], _width(r)),
    Op.BVSHL: lambda v, s, r, p: shift_left(v[0], v[1], _width(r)),
    Op.BVLSHR: lambda v, s, r, p: shift_right(v[0], v[1], _width(r)),
    Op.BVASHR: lambda v, s, r, p: shift_right_signed(v[0], v[1], _width(r)),
    Op.BVULT: lambda v, s, r, p: v[0] < v[1],
    Op.BVULE: lambda v, s, r, p: v[0] <= v[1],
    Op.BVSLT: lambda v, s, r, p: to_signed(v[0], _width(s[0])) < to_signed(v[1], _width(s[0])),
    Op.BVSLE: lambda v, s, r, p: to_signed(v[0], _width(s[0])) <= to_signed(v[1], _width(s[0])),
    Op.CONCAT: lambda v, s, r, p: (v[0] << _width(s[1])) | v[1],
    Op.EXTRACT: lambda v, s, r, p: (v[0] >> p[1]) & ((1 << (p[0] - p[1] + 1)) - 1),
    Op.ZERO_EXTEND: lambda v, s, r, p: v[0],
    Op.SIGN_EXTEND: lambda v, s, r, p: to_unsigned(to_signed(v[0], _width(s[0])), _width(r)),
    Op.SADDO: lambda v, s, r, p: (
        not _fits(to_signed(v[0], _width(s[0])) + to_signed(v[1], _width(s[0])), _width(s[0]))
    ),
    Op.SSUBO: lambda v, s, r, p: (
        not _fits(to_signed(v[0], _width(s[0])) - to_signed(v[1], _width(s[0])), _width(s[0]))
    ),
    Op.SMULO: lambda v, s, r, p: (
        not _fits(to_signed(v[0], _width(s[0])) * to_signed(v[1], _width(s[0])), _width(s[0]))
    ),
    Op.FP_NEG: lambda v, s, r, p: v[0] if floats.is_nan(v[0], r) else v[0] ^ (1 << (width_of(r) - 1)),
    Op.FP_ADD: _float_binary(lambda a, b: a + b),
    Op.FP_SUB: _float_binary(lambda a, b: a - b),
    Op.FP_MUL: _float_binary(lambda a, b: a * b),
    Op.FP_DIV: _float_binary(floats.divide),
    Op.FP_EQ: _float_relation(lambda a, b: a == b),
    Op.FP_LT: _float_relation(lambda a, b: a < b),
    Op.FP_LE: _float_relation(lambda a, b: a <= b),
    Op.FP_TO_FP: lambda v, s, r, p: floats.converted(v[0], _float_sort(s[0]), r),
    Op.FP_TO_SBV: lambda v, s, r, p: float_to_int(v[0], _float_sort(s[0]), _width(r), signed=True),
    Op.FP_TO_UBV: lambda v, s, r, p: float_to_int(v[0], _float_sort(s[0]), _width(r), signed=False),
    Op.SBV_TO_FP: lambda v, s, r, p: floats.int_to_float(to_signed(v[0], _width(s[0])), r),
    Op.UBV_TO_FP: lambda v, s, r, p: floats.int_to_float(v[0], r),
    Op.FP_FROM_BITS: lambda v, s, r, p: floats.canonical(v[0], r),
    Op.FP_TO_BITS: lambda v, s, r, p: v[0],
    Op.SELECT: lambda v, s, r, p: v[0].at(v[1]),
    Op.STORE: lambda v, s, r, p: v[0].with_element(v[1], v[2]),
}
