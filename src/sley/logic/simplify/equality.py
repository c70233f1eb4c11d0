"""Rules for equality."""

from sley.logic.arena import Arena, Payload, Term
from sley.logic.operators import Op
from sley.logic.simplify.arithmetic import base_and_constant
from sley.logic.simplify.ranges import EXTENSIONS

_Args = tuple[Term, ...]


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
