"""Abstract values: which numbers a scalar may be, and which places it may be the address of.

A value stands for a set of concrete ones: all that are a number in its range, or the address of one
of its places. An address that was computed in a way that is not followed is a number of which
nothing is known: an access through it is *elsewhere*.

The *symbol* of a value is a name for what it is in a run: two values with the same token are equal
but for the difference of their distances, although they are not known.
"""

from collections.abc import Callable, Iterable
from math import gcd
from typing import NamedTuple

from sley.analyses.ranges import Fact, anything
from sley.program.memory import NO_ADDRESS

Reference = int
"""An abstract object and which of its instances: twice the number of the object, plus 1 for the *recent* one,
which the thread in question made last. *Old* are all others, and that one, too, once it is not owned."""

Token = tuple[str, int, int]
"""Where a value came into the world: what kind of place, the context, the location or the parameter."""

SELF: Token = ("self", 0, 0)
"""Stands for the handle of the thread itself."""

OTHER: Token = ("other", 0, 0)
"""Stands for something that is surely not the handle of the thread itself, and not always for the same."""

Symbol = tuple[Token, int]
"""A token, and the distance from what it stands for."""

Place = tuple[Reference, Fact]
"""An object, and the offsets in bytes."""


class Value(NamedTuple):
    """All numbers in a range, and all addresses of some places."""

    number: Fact | None
    """None: it is the address of one of the places."""
    places: tuple[Place, ...] = ()
    """Ordered by their references, each of which occurs once."""
    symbol: Symbol | None = None


ZERO_FACT, ONE_FACT = Fact(0, 0, 0, 0), Fact(1, 1, 1, 0)
ZERO, ONE = Value(ZERO_FACT), Value(ONE_FACT)
FALSE, TRUE, EITHER = ZERO, ONE, Value(Fact(0, 1))
NOTHING = Value(None)
"""No value at all: what is not reached."""


def number(value: int) -> Value:
    """Exactly this number, by its signed reading."""
    return Value(Fact(value, value, value, 0))


_ANYTHING: dict[int, Value] = {}


def any_number(width: int) -> Value:
    """Any number of so many bits."""
    found = _ANYTHING.get(width)
    if found is None:
        found = _ANYTHING[width] = Value(anything(width) if width > 1 else Fact(-1, 0))
    return found


def address(reference: Reference, offset: int = 0) -> Value:
    """Exactly this address."""
    return Value(None, ((reference, Fact(offset, offset, offset, 0)),))


def object_of(reference: Reference) -> int:
    """The abstract object."""
    return reference >> 1


def recent(obj: int) -> Reference:
    """The instance of an object that the thread made last."""
    return 2 * obj + 1


def old(obj: int) -> Reference:
    """All other instances of an object."""
    return 2 * obj


def is_recent(reference: Reference) -> bool:
    """Whether it is the one that the thread made last."""
    return bool(reference & 1)


def fact_union(a: Fact, b: Fact) -> Fact:
    """The least fact that both imply."""
    if a == b:
        return a
    modulus = gcd(a.modulus, b.modulus, a.residue - b.residue)
    residue = a.residue % modulus if modulus else a.residue
    return Fact(min(a.low, b.low), max(a.high, b.high), residue, modulus)


def fact_within(a: Fact, b: Fact) -> bool:
    """Whether one fact implies the other."""
    if a.low < b.low or a.high > b.high:
        return False
    if b.modulus == 0:
        return a.modulus == 0 and a.residue == b.residue
    return a.modulus % b.modulus == 0 and (a.residue - b.residue) % b.modulus == 0


def fact_meet(a: Fact, b: Fact) -> Fact | None:
    """What both facts together imply, or a little more; None: they exclude each other."""
    low, high = max(a.low, b.low), min(a.high, b.high)
    finer, coarser = (a, b) if a.modulus == 0 or a.modulus >= b.modulus > 0 else (b, a)
    residue, modulus = finer.residue, finer.modulus
    if modulus == 0:
        is_in = low <= residue <= high and _has(coarser, residue)
        return Fact(residue, residue, residue, 0) if is_in else None
    return fact(low, high, residue, modulus)


def fact(low: int, high: int, residue: int, modulus: int) -> Fact | None:
    """The numbers of a residue class in a range; None: there are none."""
    if modulus > 1:
        low += (residue - low) % modulus
        high -= (high - residue) % modulus
    if low > high:
        return None
    return Fact(low, high, low, 0) if low == high else Fact(low, high, residue % modulus, modulus)


def shifted(known: Fact, distance: int) -> Fact:
    """The numbers that are this much larger."""
    residue = known.residue + distance
    modulus = known.modulus
    return Fact(
        known.low + distance, known.high + distance, residue % modulus if modulus else residue, modulus
    )


def _has(known: Fact, value: int) -> bool:
    if known.modulus == 0:
        return value == known.residue
    return (value - known.residue) % known.modulus == 0


def union(a: Value, b: Value) -> Value:
    """All that either may be."""
    if a == b or b is NOTHING:
        return a
    if a is NOTHING:
        return b
    return _combined(a, b, fact_union, fact_union)


Combine = Callable[[Fact, Fact], Fact]


class Widening(NamedTuple):
    """What becomes of bounds that move."""

    numbers: Combine
    offsets: Combine


def widened(a: Value, b: Value, widen: Widening) -> Value:
    """All that either may be, and more, such that no chain of these goes on for ever."""
    return a if is_within(b, a) else _combined(a, b, *widen)


def _combined(a: Value, b: Value, combine: Combine, combine_offsets: Combine) -> Value:
    numbers = a.number if b.number is None else b.number
    if a.number is not None and b.number is not None:
        numbers = combine(a.number, b.number)
    symbol = a.symbol if a.symbol == b.symbol else None
    if a.places == b.places:
        return Value(numbers, a.places, symbol)
    found = dict(a.places)
    for reference, offset in b.places:
        known = found.get(reference)
        found[reference] = offset if known is None else combine_offsets(known, offset)
    return Value(numbers, tuple(sorted(found.items())), symbol)


def is_within(a: Value, b: Value) -> bool:
    """Whether the second stands for all that the first does."""
    if a is b:
        return True
    if b.symbol is not None and a.symbol != b.symbol and a != NOTHING:
        return False
    if a.number is not None and (b.number is None or not fact_within(a.number, b.number)):
        return False
    if not a.places or a.places == b.places:
        return True
    listed = dict(b.places)
    return all(
        (offsets := listed.get(reference)) is not None and fact_within(offset, offsets)
        for reference, offset in a.places
    )


def widening(thresholds: tuple[int, ...]) -> Combine:
    """Bounds that move go to the next threshold, which are given in order."""

    def widen(a: Fact, b: Fact) -> Fact:
        both = fact_union(a, b)
        low = both.low if both.low >= a.low else _below(thresholds, both.low)
        high = both.high if both.high <= a.high else _above(thresholds, both.high)
        modulus = both.modulus
        if modulus == 0:
            return both
        return Fact(low, high, both.residue % modulus, modulus)

    return widen


def _below(thresholds: tuple[int, ...], bound: int) -> int:
    return max((one for one in thresholds if one <= bound), default=bound)


def _above(thresholds: tuple[int, ...], bound: int) -> int:
    return min((one for one in thresholds if one >= bound), default=bound)


def without_symbol(value: Value) -> Value:
    """The same without a name for it."""
    return value if value.symbol is None else Value(value.number, value.places)


def named(value: Value, token: Token) -> Value:
    """The same with a name for it."""
    return Value(value.number, value.places, (token, 0))


def for_others(value: Value) -> Value:
    """The same as others see it: what is recent is so for one thread, and for a while."""
    return with_references(without_symbol(value), lambda reference: (reference & ~1,))


def with_references(value: Value, change: Callable[[Reference], Iterable[Reference]]) -> Value:
    """The same with other references."""
    found: dict[Reference, Fact] = {}
    for reference, offset in value.places:
        for changed in change(reference):
            known = found.get(changed)
            found[changed] = offset if known is None else fact_union(known, offset)
    places = tuple(sorted(found.items()))
    return value if places == value.places else Value(value.number, places, value.symbol)


def is_no_address(value: Value) -> bool:
    """Whether what is a number in a value is surely no address."""
    numbers = value.number
    return numbers is None or (numbers.low >= -NO_ADDRESS and numbers.high <= NO_ADDRESS)


def truth(value: Value) -> bool | None:
    """Whether a truth value is true; None: it is not known."""
    if value.number == ONE_FACT:
        return True
    return False if value.number == ZERO_FACT else None
