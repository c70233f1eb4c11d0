"""Conversions between scalar C types, and what is known about the range of a term."""

from sley.frontend.c_types import BoolType, CType, FloatType, IntegerType, PointerType
from sley.logic.floats import truncation_bounds
from sley.logic.operators import Op, to_signed
from sley.logic.sorts import FloatSort
from sley.logic.terms import Term, Terms

RANGE_DEPTH = 8
"""How deep a term is looked into for its range."""


def convert(terms: Terms, value: Term, source: CType, target: CType) -> Term:
    """``(target) value`` for a value of scalar type ``source``."""
    if source is target:
        return value
    match target:
        case BoolType():
            return truth(terms, value, source)
        case IntegerType() | PointerType():
            width = 8 * target.size
            match source:
                case BoolType():
                    return terms.bool_to_bv(value, width)
                case FloatType():
                    is_signed = isinstance(target, IntegerType) and target.is_signed
                    return terms.make(Op.FP_TO_SBV if is_signed else Op.FP_TO_UBV, (value,), target.sort)
                case IntegerType():
                    return terms.resize(value, width, signed=source.is_signed)
                case _:
                    return terms.resize(value, width, signed=False)
        case FloatType():
            return _to_float(terms, value, source, target)
        case _:
            raise AssertionError(f"no conversion to {target}")


def _to_float(terms: Terms, value: Term, source: CType, target: FloatType) -> Term:
    match source:
        case FloatType():
            if source.sort == target.sort:
                return value
            return terms.make(Op.FP_TO_FP, (value,), target.sort)
        case BoolType():
            return terms.make(Op.UBV_TO_FP, (terms.bool_to_bv(value, 8),), target.sort)
        case IntegerType(is_signed=True):
            return terms.make(Op.SBV_TO_FP, (value,), target.sort)
        case _:
            return terms.make(Op.UBV_TO_FP, (value,), target.sort)


def fits_after_truncation(terms: Terms, value: Term, target: IntegerType) -> Term:
    """Whether a float without its fraction is a value of an integer type."""
    sort = terms.sort(value)
    assert isinstance(sort, FloatSort)
    lower, is_excluded, upper = truncation_bounds(sort, target.width, signed=target.is_signed)
    low, high = terms.const(lower, sort), terms.const(upper, sort)
    is_above = terms.make(Op.FP_LT if is_excluded else Op.FP_LE, (low, value))
    return terms.and_(is_above, terms.make(Op.FP_LT, (value, high)))


def truth(terms: Terms, value: Term, ctype: CType) -> Term:
    """Whether a value counts as true."""
    match ctype:
        case BoolType():
            return value
        case FloatType():
            return terms.not_(terms.make(Op.FP_EQ, (value, terms.const(0, ctype.sort))))
        case _:
            return terms.ne(value, terms.bv(0, terms.width(value)))


def signed_range(terms: Terms, term: Term, depth: int = RANGE_DEPTH) -> tuple[int, int]:
    """Bounds of a bit-vector read as a signed number."""
    width = terms.width(term)
    full = -(1 << (width - 1)), (1 << (width - 1)) - 1
    number = terms.number(term)
    if number is not None:
        return to_signed(number, width), to_signed(number, width)
    if depth == 0:
        return full
    args = terms.args(term)
    match terms.op(term):
        case Op.SIGN_EXTEND:
            return signed_range(terms, args[0], depth - 1)
        case Op.ZERO_EXTEND:
            low, high = signed_range(terms, args[0], depth - 1)
            return (low, high) if low >= 0 else (0, (1 << terms.width(args[0])) - 1)
        case Op.ITE:
            a, b = signed_range(terms, args[1], depth - 1), signed_range(terms, args[2], depth - 1)
            return min(a[0], b[0]), max(a[1], b[1])
        case Op.BVAND:
            tops = [high for low, high in (signed_range(terms, a, depth - 1) for a in args) if low >= 0]
            return (0, min(tops)) if tops else full
        case Op.BVADD:
            one, other = signed_range(terms, args[0], depth - 1), signed_range(terms, args[1], depth - 1)
            low, high = one[0] + other[0], one[1] + other[1]
            return (low, high) if full[0] <= low and high <= full[1] else full
        case _:
            return full
