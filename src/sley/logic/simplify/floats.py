"""Rules for floats."""

from sley.logic.arena import Arena, Payload, Term
from sley.logic.operators import Op

_Args = tuple[Term, ...]


def same_format(t: Arena, args: _Args, payload: Payload) -> Term | None:
    """Conversion to the format it already has."""
    return args[0] if t.sort(args[0]) == payload else None


def float_from_bits(t: Arena, args: _Args, payload: Payload) -> Term | None:
    """Back from bits to the same float; the other way round is no identity: it forgets a NaN's payload."""
    (a,) = args
    if t.op(a) is Op.FP_TO_BITS and t.sort(t.args(a)[0]) == payload:
        return t.args(a)[0]
    return None
