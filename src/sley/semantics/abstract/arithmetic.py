"""Sums, orders and exclusions of facts about numbers, and what is added to addresses."""

from math import gcd

from sley.analyses.ranges import Fact, anything
from sley.logic.operators import Op
from sley.program.memory import PointerLayout
from sley.semantics.abstract.values import EITHER, FALSE, TRUE, Symbol, Value, any_number, fact, fact_meet

MOST_DISTANCE = 1 << 14
"""Of a value from what its token stands for."""

ORDERS = {Op.BVSLT: (True, True), Op.BVSLE: (True, False), Op.BVULT: (False, True), Op.BVULE: (False, False)}
"""Comparison -> whether it is signed, whether it is strict."""


def added(width: int, a: Fact, b: Fact) -> Fact:
    """The sum of two numbers, which may wrap around."""
    whole = anything(width)
    low, high, modulus = a.low + b.low, a.high + b.high, gcd(a.modulus, b.modulus)
    residue = a.residue + b.residue
    if whole.low <= low and high <= whole.high:
        return Fact(low, high, residue % modulus if modulus else residue, modulus)
    modulus = gcd(modulus, 1 << width)
    return Fact(whole.low, whole.high, residue % modulus, modulus)


def is_in_width(known: Fact, width: int) -> bool:
    """Whether numbers of so many bits cannot wrap around."""
    whole = anything(width)
    return whole.low <= known.low and known.high <= whole.high


def moved_symbol(op: Op, a: Value, b: Value, width: int) -> Symbol | None:
    """Only as far as no sum of two distances wraps around."""
    if width < 2 * MOST_DISTANCE.bit_length():
        return None
    if a.symbol is None and op is Op.BVADD:
        a, b = b, a
    if a.symbol is None or b.places or b.number is None or b.number.modulus != 0:
        return None
    token, distance = a.symbol
    distance += b.number.residue if op is Op.BVADD else -b.number.residue
    return (token, distance) if abs(distance) <= MOST_DISTANCE else None


def unsigned(known: Fact, width: int) -> Fact:
    """The unsigned reading."""
    if known.low >= 0:
        return known
    if known.high < 0:
        whole = 1 << width
        return Fact(known.low + whole, known.high + whole, known.residue + whole, known.modulus)
    return Fact(0, (1 << width) - 1)


def bounded(read: Fact, low: int, high: int) -> Fact | None:
    """What is left of a fact between two bounds; it is read so, signed or not."""
    if read.modulus == 0:
        return read if low <= read.residue <= high else None
    return fact(low, high, read.residue, read.modulus)


def signed(made: Fact, known: Fact, width: int) -> Fact:
    """What an unsigned range says of the signed reading, of which something is known."""
    half, whole = 1 << (width - 1), 1 << width
    if made.low >= half:
        made = Fact(made.low - whole, made.high - whole, made.residue - whole, made.modulus)
    elif made.high >= half:
        return known
    return fact_meet(made, known) or known


def compared(op: Op, a: Value, b: Value, width: int) -> Value:
    """What a comparison is."""
    is_signed, is_strict = ORDERS[op]
    if a.places or b.places or a.number is None or b.number is None:
        return EITHER
    x, y = (a.number, b.number) if is_signed else (unsigned(a.number, width), unsigned(b.number, width))
    if x.high < y.low or (not is_strict and x.high == y.low):
        return TRUE
    if x.low > y.high or (is_strict and x.low == y.high):
        return FALSE
    return EITHER


def excluding(known: Fact, value: int) -> Fact | None:
    """What is left of a fact without one number; None: nothing."""
    step = known.modulus or 1
    if known.modulus == 0:
        return None if known.residue == value else known
    if known.low == value:
        return fact(known.low + step, known.high, known.residue, step)
    if known.high == value:
        return fact(known.low, known.high - step, known.residue, step)
    return known


def shifted_by(pointers: PointerLayout, base: Value, distance: Value, width: int) -> Value:
    """An address plus a number; the address stays in its object, or else it is any number."""
    step = distance.number
    if distance.places or step is None or not _is_small(pointers, step):
        return any_number(width)
    places = tuple((reference, _moved(pointers, offset, step)) for reference, offset in base.places)
    numbers = None if base.number is None else added(width, base.number, step)
    symbol = moved_symbol(Op.BVADD, base, distance, width)
    return Value(numbers, places, symbol)


def shifted_back_by(pointers: PointerLayout, left: Value, right: Value, width: int) -> Value:
    """An address less a number."""
    if right.places:
        return any_number(width)
    step = right.number
    if step is None or not _is_small(pointers, step):
        return any_number(width)
    negated = Value(Fact(-step.high, -step.low, -step.residue, step.modulus))
    return shifted_by(pointers, left, negated, width)


def _is_small(pointers: PointerLayout, step: Fact) -> bool:
    return -pointers.largest_object <= step.low and step.high <= pointers.largest_object


def _moved(pointers: PointerLayout, offset: Fact, step: Fact) -> Fact:
    """PointerLayout do not get from one object into another: so much is promised by ``program.memory``."""
    farthest = 1 << (pointers.offset_bits + 2)
    made = added(pointers.width, offset, step)
    if made.low < -farthest or made.high > farthest:
        return Fact(-farthest, farthest, made.residue, made.modulus)
    return made
