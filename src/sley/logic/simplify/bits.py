"""Rules for cutting, joining and extending bit-vectors, and for the bits of floats."""

from sley.logic.arena import Arena, Payload, Rule, Term
from sley.logic.operators import Op
from sley.logic.simplify.ranges import EXTENSIONS

_Args = tuple[Term, ...]


def extraction(t: Arena, args: _Args, payload: Payload) -> Term | None:
    """Bits are taken from where they come from."""
    assert isinstance(payload, tuple)
    (a,), (high, low) = args, payload
    if low == 0 and high == t.width(a) - 1:
        return a
    match t.op(a):
        case Op.EXTRACT:
            inner = t.payload(a)
            assert isinstance(inner, tuple)
            return t.extract(t.args(a)[0], high + inner[1], low + inner[1])
        case Op.CONCAT:
            top, bottom = t.args(a)
            split = t.width(bottom)
            if high < split:
                return t.extract(bottom, high, low)
            if low >= split:
                return t.extract(top, high - split, low - split)
        case Op.ZERO_EXTEND | Op.SIGN_EXTEND:
            return _extract_extended(t, a, high, low)
        case Op.BVADD | Op.BVSUB | Op.BVMUL | Op.BVAND | Op.BVOR | Op.BVXOR if low == 0:
            if all(_is_narrow(t, x, high + 1) for x in t.args(a)):  # (char)((int)c + 1)
                return t.make(t.op(a), [t.extract(x, high, 0) for x in t.args(a)])
        case _:
            pass
    return None


def _extract_extended(t: Arena, a: Term, high: int, low: int) -> Term | None:
    inside = t.args(a)[0]
    width = t.width(inside)
    if high < width:
        return t.extract(inside, high, low)
    if low < width:
        return t.make(t.op(a), (t.extract(inside, width - 1, low),), high + 1 - width)
    return t.bv(0, high - low + 1) if t.op(a) is Op.ZERO_EXTEND else None


def _is_narrow(t: Arena, a: Term, width: int) -> bool:
    """Whether cutting ``a`` to ``width`` bits undoes an extension or folds a constant."""
    return t.is_const(a) or (t.op(a) in EXTENSIONS and t.width(t.args(a)[0]) <= width)


def concatenation(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Neighbours from one term are one extraction; zeros on top are an extension."""
    high, low = args
    if t.number(high) == 0:
        return t.zero_extend(low, t.width(high))
    if t.op(high) is Op.EXTRACT and t.op(low) is Op.EXTRACT and t.args(high) == t.args(low):
        upper, lower = t.payload(high), t.payload(low)
        assert isinstance(upper, tuple)
        assert isinstance(lower, tuple)
        if upper[1] == lower[0] + 1:
            return t.extract(t.args(high)[0], upper[0], lower[1])
    return None


def extension(op: Op) -> Rule:
    """Extensions are gathered."""

    def rule(t: Arena, args: _Args, payload: Payload) -> Term | None:
        assert isinstance(payload, int)
        (a,) = args
        if payload == 0:
            return a
        if t.op(a) is op:
            inner = t.payload(a)
            assert isinstance(inner, int)
            return t.make(op, t.args(a), payload + inner)
        if t.op(a) is Op.ZERO_EXTEND:  # its sign bit is known to be 0
            return t.zero_extend(a, payload)
        return None

    return rule


def same_format(t: Arena, args: _Args, payload: Payload) -> Term | None:
    """Conversion to the format it already has."""
    return args[0] if t.sort(args[0]) == payload else None


def float_from_bits(t: Arena, args: _Args, payload: Payload) -> Term | None:
    """Back from bits to the same float; the other way round is no identity: it forgets a NaN's payload."""
    (a,) = args
    if t.op(a) is Op.FP_TO_BITS and t.sort(t.args(a)[0]) == payload:
        return t.args(a)[0]
    return None
