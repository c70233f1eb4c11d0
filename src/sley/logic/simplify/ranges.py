"""Cheap bounds on bit-vector terms, from the top of the term only."""

from sley.logic.arena import Arena, Term
from sley.logic.operators import Op, to_signed

EXTENSIONS = frozenset({Op.ZERO_EXTEND, Op.SIGN_EXTEND})


def unsigned_range(t: Arena, a: Term) -> tuple[int, int]:
    """Bounds on the unsigned value, from the top of the term only."""
    op = t.op(a)
    top = (1 << t.width(a)) - 1
    if op is Op.ZERO_EXTEND:
        return 0, (1 << t.width(t.args(a)[0])) - 1
    if op in (Op.BVAND, Op.BVUREM, Op.BVLSHR):
        number = t.number(t.args(a)[1])
        if number is None or (op is Op.BVUREM and number == 0):
            return 0, top
        return 0, number if op is Op.BVAND else number - 1 if op is Op.BVUREM else top >> number
    return 0, top


def signed_range(t: Arena, a: Term) -> tuple[int, int]:
    """Bounds on the signed value, from the top of the term only."""
    half = 1 << (t.width(a) - 1)
    number = t.number(a)
    if number is not None:
        return (to_signed(number, t.width(a)),) * 2
    if t.op(a) is Op.SIGN_EXTEND:
        narrow = 1 << (t.width(t.args(a)[0]) - 1)
        return -narrow, narrow - 1
    _, top = unsigned_range(t, a)
    return (0, top) if top < half else (-half, half - 1)
