"""Rules for floats and arrays."""

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


def array_element(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Look through stores at other constant indices."""
    array, index = args
    base = array
    while t.op(base) is Op.STORE:
        inner, written, element = t.args(base)
        if written == index:
            return element
        if not (t.is_const(written) and t.is_const(index)):
            break
        base = inner
    return t.make(Op.SELECT, (base, index)) if base != array else None


def array_with(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Only the last store at an index counts."""
    array, index, element = args
    if t.op(array) is Op.STORE and t.args(array)[1] == index:
        return t.make(Op.STORE, (t.args(array)[0], index, element))
    return None
