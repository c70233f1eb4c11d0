"""Rules for orders and overflow predicates."""

from sley.logic.arena import Arena, Payload, Term
from sley.logic.operators import Op, to_signed
from sley.logic.simplify.ranges import EXTENSIONS, signed_range, unsigned_range

_Args = tuple[Term, ...]


def unsigned_below(t: Arena, args: _Args, _: Payload) -> Term | None:
    """``a < b`` without sign, a constant to the right."""
    a, b = args
    if a == b:
        return t.false
    width = t.width(a)
    if t.is_const(a):  # 3 < x
        number = _number(t, a)
        return t.false if number == (1 << width) - 1 else t.not_(t.ult(b, t.bv(number + 1, width)))
    if t.is_const(b):
        number = _number(t, b)
        top = unsigned_range(t, a)[1]
        if number > top:
            return t.true
        return _below(t, Op.BVULT, a, b, is_first=number == 0, is_second=number == 1, is_last=number == top)
    if t.op(a) in EXTENSIONS and t.op(a) is t.op(b) and t.payload(a) == t.payload(b):
        return t.ult(t.args(a)[0], t.args(b)[0])  # both extensions keep the unsigned order
    return None


def signed_below(t: Arena, args: _Args, _: Payload) -> Term | None:
    """``a < b`` with sign, a constant to the right."""
    a, b = args
    if a == b:
        return t.false
    width = t.width(a)
    if t.is_const(a):  # 3 < x
        number = to_signed(_number(t, a), width)
        return t.false if number == (1 << (width - 1)) - 1 else t.not_(t.slt(b, t.bv(number + 1, width)))
    if t.is_const(b):
        number = to_signed(_number(t, b), width)
        low, high = signed_range(t, a)
        if number > high:
            return t.true
        is_first, is_second = number <= low, number == low + 1
        return _below(t, Op.BVSLT, a, b, is_first=is_first, is_second=is_second, is_last=number == high)
    if t.op(a) in EXTENSIONS and t.op(a) is t.op(b) and t.payload(a) == t.payload(b):
        order = Op.BVSLT if t.op(a) is Op.SIGN_EXTEND else Op.BVULT
        return t.make(order, (t.args(a)[0], t.args(b)[0]))
    return None


def _number(t: Arena, a: Term) -> int:
    number = t.number(a)
    assert number is not None
    return number


def _below(
    t: Arena, op: Op, a: Term, b: Term, *, is_first: bool, is_second: bool, is_last: bool
) -> Term | None:
    """``a < b`` for a constant b inside the range of a: first, second or last of the values there."""
    if is_first:
        return t.false
    if is_second:
        return t.eq(a, t.make(Op.BVADD, (b, t.bv(-1, t.width(b)))))
    if is_last:
        return t.ne(a, b)
    if t.op(a) in EXTENSIONS:
        inner = t.args(a)[0]
        if op is Op.BVULT and t.op(a) is Op.SIGN_EXTEND:
            return None
        narrow = Op.BVULT if t.op(a) is Op.ZERO_EXTEND else Op.BVSLT
        return t.make(narrow, (inner, t.extract(b, t.width(inner) - 1, 0)))
    return None


def unsigned_at_most(t: Arena, args: _Args, _: Payload) -> Term | None:
    """``a <= b`` is ``not (b < a)``."""
    return t.not_(t.ult(args[1], args[0]))


def signed_at_most(t: Arena, args: _Args, _: Payload) -> Term | None:
    """``a <= b`` is ``not (b < a)``."""
    return t.not_(t.slt(args[1], args[0]))


def sum_overflows(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Never for narrow values; with a constant it is a comparison."""
    a, b = args
    width = t.width(a)
    half = 1 << (width - 1)
    (low, high), (least, most) = signed_range(t, a), signed_range(t, b)
    if -half <= low + least and high + most < half:
        return t.false
    if t.is_const(b):  # a + 3 overflows iff a > MAX - 3; a + -3 iff a < MIN + 3
        if least > 0:
            return t.not_(t.slt(a, t.bv(half - least, width)))
        return t.slt(a, t.bv(-half - least, width))
    return None


def difference_overflows(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Never for narrow values; with a constant it is a comparison."""
    a, b = args
    width = t.width(a)
    half = 1 << (width - 1)
    (low, high), (least, most) = signed_range(t, a), signed_range(t, b)
    if -half <= low - most and high - least < half:
        return t.false
    if t.is_const(b):  # a - 3 overflows iff a < MIN + 3; a - -3 iff a > MAX - 3
        if least > 0:
            return t.slt(a, t.bv(least - half, width))
        return t.not_(t.slt(a, t.bv(half + least, width)))
    if t.number(a) == 0:  # only -MIN overflows
        return t.eq(b, t.bv(half, width))
    return None


def product_overflows(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Never for narrow values."""
    a, b = args
    half = 1 << (t.width(a) - 1)
    corners = [x * y for x in signed_range(t, a) for y in signed_range(t, b)]
    return t.false if -half <= min(corners) and max(corners) < half else None
