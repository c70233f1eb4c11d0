"""Rules for arithmetic and bitwise operators."""

from sley.logic.arena import Arena, Payload, Rule, Term
from sley.logic.operators import Op
from sley.logic.simplify.ranges import unsigned_range

_Args = tuple[Term, ...]


def base_and_constant(t: Arena, a: Term) -> tuple[Term, int]:
    """``x, 3`` for ``x + 3``; ``x, 0`` for anything else."""
    if t.op(a) is Op.BVADD:
        number = t.number(t.args(a)[1])
        if number is not None:
            return t.args(a)[0], number
    return a, 0


def _reassociated(t: Arena, op: Op, a: Term, b: Term) -> Term | None:
    """``(x op 3) op 4`` as ``x op (3 op 4)``, for an associative and commutative ``op``."""
    if t.op(a) is op and t.is_const(t.args(a)[1]):
        return t.make(op, (t.args(a)[0], t.make(op, (t.args(a)[1], b))))
    return None


def sum_(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Constants are gathered, negations become differences."""
    a, b = args
    number = t.number(b)
    if number is not None:
        return a if number == 0 else _reassociated(t, Op.BVADD, a, b)
    if t.op(a) is Op.BVNEG:
        return t.sub(b, t.args(a)[0])
    if t.op(b) is Op.BVNEG:
        return t.sub(a, t.args(b)[0])
    return None


def difference(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Constants are subtracted by adding; ``(p + 8) - (p + 4)`` is 4."""
    a, b = args
    if t.is_const(b):
        return t.add(a, t.neg(b))
    if t.number(a) == 0:
        return t.neg(b)
    (x, m), (y, n) = base_and_constant(t, a), base_and_constant(t, b)
    return t.bv(m - n, t.width(a)) if x == y else None


def product(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Constants are gathered."""
    a, b = args
    number = t.number(b)
    if number is None:
        return None
    if number == 0:
        return b
    return a if number == 1 else _reassociated(t, Op.BVMUL, a, b)


def bitwise_and(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Masks are gathered, those that hide nothing are dropped."""
    a, b = args
    if a == b:
        return a
    number = t.number(b)
    if number is None:
        return _flags(t, Op.AND, a, b)
    if number == 0:
        return b
    if unsigned_range(t, a)[1] & ~number == 0 and number & (number + 1) == 0:  # a mask that hides nothing
        return a
    return _reassociated(t, Op.BVAND, a, b)


def bitwise_or(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Constants are gathered."""
    a, b = args
    if a == b:
        return a
    number = t.number(b)
    if number is None:
        return _flags(t, Op.OR, a, b)
    if number == 0:
        return a
    return b if number == (1 << t.width(b)) - 1 else _reassociated(t, Op.BVOR, a, b)


def bitwise_xor(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Constants are gathered; with all ones it is the complement."""
    a, b = args
    if a == b:
        return t.bv(0, t.width(a))
    number = t.number(b)
    if number is None:
        return None
    if number == 0:
        return a
    return t.bvnot(a) if number == (1 << t.width(b)) - 1 else _reassociated(t, Op.BVXOR, a, b)


def _flags(t: Arena, op: Op, a: Term, b: Term) -> Term | None:
    """``(c ? 1 : 0) & (d ? 1 : 0)`` as ``(c and d) ? 1 : 0``."""
    if t.op(a) is not Op.ITE or t.op(b) is not Op.ITE:
        return None
    c, d = _as_flag(t, a), _as_flag(t, b)
    return None if c is None or d is None else t.bool_to_bv(t.make(op, (c, d)), t.width(a))


def _as_flag(t: Arena, a: Term) -> Term | None:
    """The condition c of ``c ? 1 : 0``."""
    c, then, otherwise = t.args(a)
    match t.number(then), t.number(otherwise):
        case 1, 0:
            return c
        case 0, 1:
            return t.not_(c)
        case _:
            return None


def quotient(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Division by one."""
    return args[0] if t.number(args[1]) == 1 else None


def remainder(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Remainder by one, or of nothing; of division by zero, it is the dividend."""
    is_zero = t.number(args[1]) == 1 or t.number(args[0]) == 0
    return t.bv(0, t.width(args[0])) if is_zero else None


def signed_shift(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Shift by nothing; too far is as far as possible."""
    a, b = args
    by, last = t.number(b), t.width(a) - 1
    if by == 0:
        return a
    return t.make(Op.BVASHR, (a, t.bv(last, t.width(b)))) if by is not None and by > last else None


def shift(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Shift by nothing, or out of sight."""
    by = t.number(args[1])
    if by is None:
        return None
    if by == 0:
        return args[0]
    return t.bv(0, t.width(args[0])) if by >= t.width(args[0]) else None


def involution(op: Op) -> Rule:
    """op(op(x)) = x."""

    def rule(t: Arena, args: _Args, _: Payload) -> Term | None:
        return t.args(args[0])[0] if t.op(args[0]) is op else None

    return rule
