"""What the form of a term tells about its value: between which bounds it lies, and of what it is a multiple.

Both are facts about the signed reading of a bit-vector, true under every assignment of the variables.
"""

from collections.abc import Callable, Mapping, Sequence
from math import gcd
from typing import NamedTuple

from sley.logic.operators import Op, to_signed
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Term, Terms


class Fact(NamedTuple):
    """The value is in low..high, and equal to residue plus a multiple of modulus (0: equal to residue)."""

    low: int
    high: int
    residue: int = 0
    modulus: int = 1


class Ranges:
    """Facts about terms of one arena, each computed once; ``known`` are facts about variables."""

    def __init__(self, terms: Terms, known: Mapping[Term, Fact] | None = None) -> None:
        self.terms = terms
        self._facts: dict[Term, Fact] = dict(known or {})

    def fact(self, term: Term) -> Fact:
        """What is known about a bit-vector term."""
        facts, terms = self._facts, self.terms
        stack = [term]
        while stack:
            top = stack[-1]
            if top in facts:
                stack.pop()
                continue
            missing = [a for a in terms.args(top) if a not in facts and isinstance(terms.sort(a), BitVecSort)]
            if missing:
                stack.extend(missing)
            else:
                facts[top] = self._make(top)
                stack.pop()
        return facts[term]

    def is_within(self, term: Term, magnitude: int) -> bool:
        """Whether the value surely lies between -magnitude and magnitude."""
        low, high, _, _ = self.fact(term)
        return -magnitude <= low and high <= magnitude

    def _make(self, term: Term) -> Fact:
        facts = [self._facts[arg] for arg in self.terms.args(term) if arg in self._facts]
        return applied(self.terms, term, facts)


def applied(terms: Terms, term: Term, facts: Sequence[Fact]) -> Fact:
    """What is known about a bit-vector term, from the facts about those of its arguments that are such."""
    width, op = terms.width(term), terms.op(term)
    number = terms.number(term)
    if number is not None:
        value = to_signed(number, width)
        return Fact(value, value, value, 0)
    payload = terms.payload(term)
    fact = None
    if op is Op.EXTRACT and isinstance(payload, tuple) and payload[1] == 0:
        fact = _wrapped(width, *facts[0])
    elif op is Op.CONCAT and terms.number(terms.args(term)[0]) == 0:
        fact = Fact(0, (1 << terms.width(terms.args(term)[1])) - 1)
    elif op is Op.ZERO_EXTEND:
        fact = _zero_extension(terms.width(terms.args(term)[0]), facts[0])
    elif op in _RULES:
        fact = _RULES[op](width, *facts)
    if fact is None:
        return anything(width)
    return fact if fact.low < fact.high else Fact(fact.low, fact.low, fact.low, 0)


def _zero_extension(inner: int, a: Fact) -> Fact:
    if a.low >= 0:
        return a
    modulus = gcd(a.modulus, 1 << inner)
    return Fact(0, (1 << inner) - 1, a.residue % modulus, modulus)


def anything(width: int) -> Fact:
    """Nothing is known."""
    return Fact(-(1 << (width - 1)), (1 << (width - 1)) - 1)


def _wrapped(width: int, low: int, high: int, residue: int, modulus: int) -> Fact:
    """The fact about a result that wraps: exact if it fits, else only what powers of two keep."""
    full = anything(width)
    if full.low <= low and high <= full.high:
        return Fact(low, high, residue, modulus)
    modulus = gcd(modulus, 1 << width)
    return Fact(full.low, full.high, residue % modulus, modulus)


def _product(width: int, a: Fact, b: Fact) -> Fact:
    if a.modulus == 0:
        a, b = b, a
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    low, high = min(corners), max(corners)
    if b.modulus == 0:
        return _wrapped(width, low, high, a.residue * b.residue, a.modulus * abs(b.residue))
    return _wrapped(width, low, high, 0, 1)


def _shift_left(width: int, a: Fact, b: Fact) -> Fact | None:
    if b.modulus != 0 or not 0 <= b.low < width:
        return None
    return _wrapped(width, a.low << b.low, a.high << b.low, a.residue << b.low, a.modulus << b.low)


def _choice(_: int, a: Fact, b: Fact) -> Fact:
    modulus = gcd(a.modulus, b.modulus, a.residue - b.residue)
    residue = a.residue % modulus if modulus else a.residue
    return Fact(min(a.low, b.low), max(a.high, b.high), residue, modulus)


def _conjunction(width: int, *facts: Fact) -> Fact:
    for mask in facts:
        if mask.modulus == 0 and mask.low >= 0 and not mask.low & (mask.low + 1):
            kept = [fact for fact in facts if fact is not mask]
            if len(kept) == 1 and kept[0].low >= 0 and kept[0].high <= mask.low:
                return kept[0]
    bounds = [fact.high for fact in facts if fact.low >= 0]
    low, high, _, _ = anything(width)
    if bounds:
        low, high = 0, min(bounds)
    zeros = max(_trailing_zeros(fact, width) for fact in facts)
    return Fact(low, high, 0, 1 << zeros)


def _trailing_zeros(fact: Fact, width: int) -> int:
    """How many low bits are surely 0."""
    common = gcd(fact.residue, fact.modulus, 1 << (width - 1))
    return (common & -common).bit_length() - 1


def _disjunction(_: int, a: Fact, b: Fact) -> Fact | None:
    if a.low < 0 or b.low < 0:
        return None
    return Fact(max(a.low, b.low), (1 << max(a.high, b.high).bit_length()) - 1)


def _difference_of_bits(_: int, a: Fact, b: Fact) -> Fact | None:
    if a.low < 0 or b.low < 0:
        return None
    return Fact(0, (1 << max(a.high, b.high).bit_length()) - 1)


def _unsigned_remainder(_: int, a: Fact, b: Fact) -> Fact | None:
    if b.low < 1:
        return None
    if a.low >= 0 and a.high < b.low:
        return a
    return Fact(0, min(a.high, b.high - 1) if a.low >= 0 else b.high - 1)


def _signed_remainder(_: int, a: Fact, b: Fact) -> Fact | None:
    if b.low < 1:
        return None
    if -b.low < a.low and a.high < b.low:
        return a
    return Fact(max(min(a.low, 0), 1 - b.high), min(max(a.high, 0), b.high - 1))


def _unsigned_quotient(width: int, a: Fact, b: Fact) -> Fact | None:
    if b.low < 1 or (a.low < 0 and b.low < 2):
        return None
    if a.low >= 0:
        return Fact(a.low // b.high, a.high // b.low)
    return Fact(0, ((1 << width) - 1) // b.low)


def _signed_quotient(_: int, a: Fact, b: Fact) -> Fact | None:
    """It is rounded towards 0."""
    if b.low < 1:
        return None
    low = -(-a.low // b.low) if a.low < 0 else a.low // b.high
    high = -(-a.high // b.high) if a.high < 0 else a.high // b.low
    return Fact(low, high)


def _shift_right(width: int, a: Fact, b: Fact) -> Fact | None:
    is_known = 0 <= b.low == b.high < width
    if a.low >= 0:
        return Fact(a.low >> b.low, a.high >> b.low) if is_known else Fact(0, a.high)
    return Fact(0, (1 << (width - b.low)) - 1) if is_known and b.low else None


def _signed_shift_right(width: int, a: Fact, b: Fact) -> Fact:
    if 0 <= b.low == b.high < width:
        return Fact(a.low >> b.low, a.high >> b.low)
    return Fact(min(a.low, 0), max(a.high, 0))


_RULES: dict[Op, Callable[..., Fact | None]] = {
    Op.BVADD: lambda width, a, b: _wrapped(
        width, a.low + b.low, a.high + b.high, a.residue + b.residue, gcd(a.modulus, b.modulus)
    ),
    Op.BVSUB: lambda width, a, b: _wrapped(
        width, a.low - b.high, a.high - b.low, a.residue - b.residue, gcd(a.modulus, b.modulus)
    ),
    Op.BVNEG: lambda width, a: _wrapped(width, -a.high, -a.low, -a.residue, a.modulus),
    Op.BVMUL: _product,
    Op.BVSHL: _shift_left,
    Op.ITE: _choice,
    Op.SIGN_EXTEND: lambda _, a: a,
    Op.BVAND: _conjunction,
    Op.BVOR: _disjunction,
    Op.BVXOR: _difference_of_bits,
    Op.BVUREM: _unsigned_remainder,
    Op.BVSREM: _signed_remainder,
    Op.BVUDIV: _unsigned_quotient,
    Op.BVSDIV: _signed_quotient,
    Op.BVLSHR: _shift_right,
    Op.BVASHR: _signed_shift_right,
}
"""From the width of the result and the facts about the arguments to what is known, if anything."""
