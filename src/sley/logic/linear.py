"""Linear forms of bit-vector terms: a constant and multiples of other terms, modulo the width.

A choice between two constants is a multiple of its condition, and a negated condition one minus the other, so
that ``(c ? 1 : 0) + (!c ? 1 : 0)`` is 1. Modulo the width, a longer term stands for its lower bits: those of
``(long)i * 4 + 8`` are ``i * 4 + 8``, whether the sum overflows or not.
"""

from collections import Counter
from collections.abc import Iterable
from math import gcd

from sley.logic.arena import Arena, Term
from sley.logic.operators import Op

LinearForm = tuple[int, dict[Term, int]]
"""The constant and the multiples of atoms; conditions of choices are atoms of their own."""


def constant_sums(terms: Arena, term: Term) -> dict[Term, Term]:
    """The sums and differences in a term whose linear form is a constant, and that constant."""
    found: dict[Term, Term] = {}
    for part in terms.walk((term,)):
        if terms.op(part) in (Op.BVADD, Op.BVSUB):
            constant, multiples = linear_form(terms, part)
            if not multiples:
                found[part] = terms.bv(constant, terms.width(part))
    return found


def linear_form(terms: Arena, term: Term) -> LinearForm:
    """The linear form of a term."""
    return _form(terms, ((term, 1),), terms.width(term))


def are_distinct(terms: Arena, a: Term, b: Term) -> bool:
    """Whether it is plain to see that two terms of one width are never equal."""
    width = terms.width(a)
    constant, multiples = _form(terms, ((a, 1), (b, -1)), width)
    return constant % gcd(1 << width, *multiples.values()) != 0


def low_bits(terms: Arena, term: Term, width: int) -> Term:
    """The lower bits of a term, as a sum: terms that differ by a constant are seen to do so."""
    constant, multiples = _form(terms, ((term, 1),), width)
    total = terms.bv(0, width)
    for atom, factor in multiples.items():
        number = terms.bv(factor, width)
        if terms.is_boolean(atom):
            part = terms.ite(atom, number, terms.bv(0, width))
        else:
            part = terms.mul(terms.extract(atom, width - 1, 0), number)
        total = terms.add(total, part)
    return terms.add(total, terms.bv(constant, width))


def _form(terms: Arena, parts: Iterable[tuple[Term, int]], width: int) -> LinearForm:
    """The linear form of a sum of multiples, in its lowest ``width`` bits; no part has fewer."""
    constant, multiples = 0, Counter[Term]()
    waiting = list(parts)
    while waiting:
        part, factor = waiting.pop()
        number = terms.number(part)
        if number is not None:
            constant += factor * number
        elif terms.op(part) is Op.ITE and _is_of_constants(terms, part):
            condition, then, otherwise = _as_condition(terms, part)
            constant += factor * otherwise
            multiples[condition] += factor * (then - otherwise)
        elif (inner := _summands(terms, part, width)) is not None:
            waiting += [(term, factor * times) for term, times in inner]
        else:
            multiples[part] += factor
    modulus = 1 << width
    return constant % modulus, {atom: n % modulus for atom, n in sorted(multiples.items()) if n % modulus}


def _summands(terms: Arena, term: Term, width: int) -> list[tuple[Term, int]] | None:
    """Terms with factors whose sum has the same lowest bits; None if the term is no sum."""
    args = terms.args(term)
    match terms.op(term):
        case Op.BVADD:
            return [(args[0], 1), (args[1], 1)]
        case Op.BVSUB:
            return [(args[0], 1), (args[1], -1)]
        case Op.BVNEG:
            return [(args[0], -1)]
        case Op.BVMUL if (number := terms.number(args[1])) is not None:
            return [(args[0], number)]
        case Op.BVSHL if (number := terms.number(args[1])) is not None and number < terms.width(term):
            return [(args[0], 1 << number)]
        case Op.ZERO_EXTEND | Op.SIGN_EXTEND if terms.width(args[0]) >= width:
            return [(args[0], 1)]
        case Op.EXTRACT if _lowest_bit(terms, term) == 0:
            return [(args[0], 1)]
        case _:
            return None


def _lowest_bit(terms: Arena, extraction: Term) -> int:
    payload = terms.payload(extraction)
    assert isinstance(payload, tuple)
    return int(payload[1])


def _is_of_constants(terms: Arena, choice: Term) -> bool:
    return all(terms.is_const(arg) for arg in terms.args(choice)[1:])


def _as_condition(terms: Arena, choice: Term) -> tuple[Term, int, int]:
    """The condition of a choice between numbers, and the numbers."""
    condition, *rest = terms.args(choice)
    then, otherwise = (terms.number(one) for one in rest)
    assert then is not None
    assert otherwise is not None
    if terms.op(condition) is Op.NOT:
        return terms.args(condition)[0], otherwise, then
    return condition, then, otherwise


def slope(terms: Arena, term: Term, variable: Term) -> int:
    """By how much a term grows when a variable does by one, modulo the width; 0 if that cannot be told.

    The variable may be extended to the term's width: then only while it does not overflow. Of a choice with a
    constant, such as ``in range ? base + 8 * i : wild``, the other case is meant.
    """
    while terms.op(term) is Op.ITE and terms.is_const(terms.args(term)[2]):
        term = terms.args(term)[1]
    _, parts = linear_form(terms, term)
    with_variable = [part for part in parts if terms.mentions(part, variable)]
    if len(with_variable) != 1:
        return 0
    (part,) = with_variable
    factor = parts[part]
    if terms.op(part) is Op.BVMUL and (number := terms.number(terms.args(part)[1])) is not None:
        part, factor = terms.args(part)[0], factor * number
    if terms.op(part) in (Op.SIGN_EXTEND, Op.ZERO_EXTEND):
        (part,) = terms.args(part)
    return factor if part == variable and factor < 1 << (terms.width(term) - 1) else 0
