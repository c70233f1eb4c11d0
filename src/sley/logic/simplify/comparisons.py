"""Rules for orders, overflow predicates and equality."""

from sley.logic.arena import Arena, Payload, Term
from sley.logic.operators import Op, to_signed
from sley.logic.simplify.arithmetic import base_and_constant
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


# --- equality --------------------------------------------------------------------------------------------


def equality(t: Arena, args: _Args, _: Payload) -> Term | None:
    """One side moves to the other as far as it can be undone."""
    a, b = args
    if a == b:
        return t.true
    if t.is_boolean(a):
        return _eq_boolean(t, a, b)
    if t.is_const(b):
        if t.op(a) is Op.ITE:
            return _eq_choice(t, a, b)
        return _eq_constant(t, a, b)
    if t.op(a) in EXTENSIONS and t.op(a) is t.op(b) and t.payload(a) == t.payload(b):
        return t.eq(t.args(a)[0], t.args(b)[0])
    if t.op(a) is Op.BVADD or t.op(b) is Op.BVADD:
        (x, m), (y, n) = base_and_constant(t, a), base_and_constant(t, b)
        if x == y:
            return t.boolean(m == n)
    return None


def _eq_boolean(t: Arena, a: Term, b: Term) -> Term | None:
    if t.is_const(b):
        return a if b == t.true else t.not_(a)
    x, y = (t.args(s)[0] if t.op(s) is Op.NOT else s for s in (a, b))
    if (x, y) == (a, b):
        return None
    same = t.eq(x, y)
    return same if (x != a) == (y != b) else t.not_(same)


def _eq_choice(t: Arena, a: Term, constant: Term) -> Term | None:
    """``(c ? 1 : x) == k`` is ``c or x == k`` or ``not c and x == k``; a whole chain in one go."""
    guards: list[tuple[Term, Term, bool]] = []
    rest = a
    while t.op(rest) is Op.ITE:
        c, then, otherwise = t.args(rest)
        if t.is_const(then):
            guards.append((c, t.eq(then, constant), True))
            rest = otherwise
        elif t.is_const(otherwise):
            guards.append((c, t.eq(otherwise, constant), False))
            rest = then
        else:
            break
    if not guards:
        return None
    result = t.eq(rest, constant)
    for c, holds, is_then in reversed(guards):
        result = t.ite(c, holds, result) if is_then else t.ite(c, result, holds)
    return result


def _eq_constant(t: Arena, a: Term, b: Term) -> Term | None:
    """Move what can be undone to the side of the constant."""
    op = t.op(a)
    undo = _UNDO.get(op)
    if undo is not None:
        x, *rest = t.args(a)
        if not rest or t.is_const(rest[0]):
            return t.eq(x, t.make(undo, (b, *rest)))
    if op in EXTENSIONS:
        inner = t.args(a)[0]
        narrow = t.extract(b, t.width(inner) - 1, 0)
        return t.eq(inner, narrow) if t.make(op, (narrow,), t.payload(a)) == b else t.false
    if op is Op.CONCAT:
        high, low = t.args(a)
        split = t.width(low)
        top, bottom = t.extract(b, t.width(a) - 1, split), t.extract(b, split - 1, 0)
        return t.and_(t.eq(high, top), t.eq(low, bottom))
    if op is Op.BVSUB and t.is_const(t.args(a)[0]):  # 5 - x == 2
        return t.eq(t.args(a)[1], t.sub(t.args(a)[0], b))
    return None


_UNDO = {Op.BVADD: Op.BVSUB, Op.BVXOR: Op.BVXOR, Op.BVNOT: Op.BVNOT, Op.BVNEG: Op.BVNEG}
