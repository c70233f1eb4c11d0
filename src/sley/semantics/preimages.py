"""For which values of its only variable a condition holds, as ranges of numbers.

``x + 1 < 10`` holds for x in 0..8 and for the largest number: the other side of a comparison is a range, and
each operation around the variable is undone on ranges. Where that is not possible, or the ranges would be
many (every other number, for ``x & 1``), there is no answer.
"""

from sley.logic.operators import Op
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Term, Terms
from sley.semantics.values import Ranges, complement, everything, intersection, union

MOST_RANGES = 64
"""Sets of more ranges are not worth it."""

_SWAPPED = {Op.BVULT: Op.BVULE, Op.BVULE: Op.BVULT, Op.BVSLT: Op.BVSLE, Op.BVSLE: Op.BVSLT}
"""``c < x`` is ``not x <= c``."""


def satisfying(terms: Terms, condition: Term) -> Ranges | None:
    """The values of the only variable, a bit-vector, for which a condition holds; None if we cannot tell."""
    (variable,) = terms.variables(condition)
    args = terms.args(condition)
    match terms.op(condition):
        case Op.NOT:
            found = satisfying(terms, args[0])
            return None if found is None else complement(found, terms.width(variable))
        case Op.AND | Op.OR as op:
            parts = [satisfying(terms, part) for part in args]
            return _joined([part for part in parts if part is not None], len(parts), op)
        case Op.EQ | Op.BVULT | Op.BVULE | Op.BVSLT | Op.BVSLE as op:
            return _comparison(terms, op, *args)
        case Op.SADDO | Op.SSUBO as op:
            return _overflow(terms, op, *args)
        case _:
            return None


def _joined(parts: list[Ranges], count: int, op: Op) -> Ranges | None:
    if len(parts) < count:
        return None
    found = parts[0]
    for part in parts[1:]:
        found = intersection(found, part) if op is Op.AND else union(found, part)
    return found if len(found) <= MOST_RANGES else None


def _comparison(terms: Terms, op: Op, left: Term, right: Term) -> Ranges | None:
    sort = terms.sort(left)
    if not isinstance(sort, BitVecSort):
        return None
    if (bound := terms.number(right)) is not None:
        return _undone(terms, left, compared(op, bound, sort.width))
    if (bound := terms.number(left)) is None:
        return None
    if op is Op.EQ:
        return _undone(terms, right, compared(op, bound, sort.width))
    return _undone(terms, right, complement(compared(_SWAPPED[op], bound, sort.width), sort.width))


def compared(op: Op, bound: int, width: int) -> Ranges:
    """The numbers x with ``x op bound``."""
    sign = 1 << (width - 1)
    match op:
        case Op.EQ:
            return ((bound, bound),)
        case Op.BVULT | Op.BVULE:
            return _interval(0, bound if op is Op.BVULE else bound - 1)
        case _:
            assert op in (Op.BVSLT, Op.BVSLE)
            highest = (bound ^ sign) - sign
            return _wrapped(-sign, highest if op is Op.BVSLE else highest - 1, width)


def _overflow(terms: Terms, op: Op, left: Term, right: Term) -> Ranges | None:
    """Where a signed sum or difference with a constant is too large or too small."""
    width = terms.width(left)
    sign = 1 << (width - 1)
    if (number := terms.number(right)) is not None:
        other = (number ^ sign) - sign
        by = other if op is Op.SADDO else -other
        fits = _wrapped(max(-sign, -sign - by), min(sign - 1, sign - 1 - by), width)
        return _undone(terms, left, complement(fits, width))
    if (number := terms.number(left)) is None:
        return None
    if op is Op.SADDO:
        return _overflow(terms, op, right, left)
    other = (number ^ sign) - sign
    fits = _wrapped(max(-sign, other - (sign - 1)), min(sign - 1, other + sign), width)
    return _undone(terms, right, complement(fits, width))


def _undone(terms: Terms, term: Term, wanted: Ranges) -> Ranges | None:
    """The values of the variable for which the term is one of the wanted numbers."""
    while not terms.is_var(term):
        args = terms.args(term)
        open_args = [arg for arg in args if not terms.is_const(arg)]
        if len(open_args) != 1:
            return None
        (inner,) = open_args
        found = _before(terms, term, inner, wanted)
        if found is None or len(found) > MOST_RANGES:
            return None
        term, wanted = inner, found
    return wanted


def _before(terms: Terms, term: Term, inner: Term, wanted: Ranges) -> Ranges | None:  # noqa: C901, PLR0911, PLR0912 - one line for each operator
    """The numbers that ``inner`` may be if the term around it is one of the wanted ones."""
    width, inner_width = terms.width(term), terms.width(inner)
    numbers = [terms.number(arg) for arg in terms.args(term)]
    first, second = (*numbers, None)[:2]
    known = first if first is not None else second
    match terms.op(term):
        case Op.BVADD:
            assert known is not None
            return _moved(wanted, -known, width)
        case Op.BVSUB if second is not None:
            return _moved(wanted, second, width)
        case Op.BVSUB:
            assert first is not None
            return _moved(_negated(wanted, width), first, width)
        case Op.BVNEG:
            return _negated(wanted, width)
        case Op.BVNOT:
            return _moved(_negated(wanted, width), -1, width)
        case Op.BVXOR if known == (1 << width) - 1:
            return _moved(_negated(wanted, width), -1, width)
        case Op.BVXOR if known == 1 << (width - 1):
            return _moved(wanted, known, width)
        case Op.BVMUL:
            assert known is not None
            if known >> (width - 1):
                return _divided(_negated(wanted, width), (1 << width) - known, width)
            return _divided(wanted, known, width)
        case Op.BVSHL if second is not None and second < width:
            return _divided(wanted, 1 << second, width)
        case Op.BVUDIV if second:
            return _multiplied(wanted, second, width)
        case Op.BVLSHR if second is not None and second < width:
            return _multiplied(wanted, 1 << second, width)
        case Op.ZERO_EXTEND:
            return intersection(wanted, everything(inner_width))
        case Op.SIGN_EXTEND:
            half, missing = 1 << (inner_width - 1), (1 << width) - (1 << inner_width)
            low = intersection(wanted, ((0, half - 1),))
            high = intersection(wanted, ((missing + half, (1 << width) - 1),))
            return union(low, tuple((start - missing, end - missing) for start, end in high))
        case Op.EXTRACT:
            payload = terms.payload(term)
            assert isinstance(payload, tuple)
            return _extended(wanted, payload[0], payload[1], inner_width)
        case _:
            return None


def _extended(wanted: Ranges, high: int, low: int, width: int) -> Ranges | None:
    """The numbers of which these bits are one of the wanted numbers."""
    repeats = 1 << (width - 1 - high)
    if repeats > MOST_RANGES:
        return None
    found: Ranges = ()
    for number in range(repeats):
        base = number << (high + 1)
        for start, end in wanted:
            found = union(found, ((base + (start << low), base + (end << low) + (1 << low) - 1),))
    return found


def _divided(wanted: Ranges, by: int, width: int) -> Ranges | None:
    """The numbers whose product with ``by`` is wanted; the product wraps around ``by`` times at most."""
    if by > MOST_RANGES:
        return None
    if by == 0:
        return everything(width) if intersection(wanted, ((0, 0),)) else ()
    found: Ranges = ()
    top = (1 << width) - 1
    for wraps in range(by):
        base = wraps << width
        for low, high in wanted:
            found = union(found, _interval(-(-(base + low) // by), min((base + high) // by, top)))
    return found


def _multiplied(wanted: Ranges, by: int, width: int) -> Ranges:
    """The numbers whose quotient by ``by`` is wanted."""
    top = (1 << width) - 1
    found: Ranges = ()
    for low, high in wanted:
        found = union(found, _interval(low * by, min(high * by + by - 1, top)))
    return found


def _moved(ranges: Ranges, by: int, width: int) -> Ranges:
    """All numbers plus ``by``, as they wrap around."""
    found: Ranges = ()
    for low, high in ranges:
        found = union(found, _wrapped(low + by, high + by, width))
    return found


def _negated(ranges: Ranges, width: int) -> Ranges:
    found: Ranges = ()
    for low, high in ranges:
        found = union(found, _wrapped(-high, -low, width))
    return found


def _wrapped(low: int, high: int, width: int) -> Ranges:
    """The numbers from ``low`` to ``high``, at most all there are, modulo those that fit into the width."""
    if low > high:
        return ()
    size = 1 << width
    start = low % size
    end = start + high - low
    if end < size:
        return ((start, end),)
    return union(_interval(0, end - size), ((start, size - 1),))


def _interval(low: int, high: int) -> Ranges:
    return ((low, high),) if low <= high else ()
