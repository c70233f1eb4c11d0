"""Linear forms of bit-vector terms: a constant and multiples of other terms, modulo the width.

A choice between two constants is a multiple of its condition, and a negated condition one minus the other, so
that ``(c ? 1 : 0) + (!c ? 1 : 0)`` is 1.
"""

from collections import Counter

from sley.logic.operators import Op
from sley.logic.terms import Term, Terms


def constant_sums(terms: Terms, term: Term) -> dict[Term, Term]:
    """The sums and differences in a term whose linear form is a constant, and that constant."""
    found: dict[Term, Term] = {}
    for part in terms.walk((term,)):
        if terms.op(part) in (Op.BVADD, Op.BVSUB):
            constant, multiples = linear_form(terms, part)
            if not multiples:
                found[part] = terms.bv(constant, terms.width(part))
    return found


def linear_form(terms: Terms, term: Term) -> tuple[int, dict[Term, int]]:
    """The constant and the multiples of atoms; conditions of choices are atoms of their own."""
    constant, multiples = 0, Counter[Term]()
    waiting = [(term, 1)]
    while waiting:
        part, factor = waiting.pop()
        number = terms.number(part)
        args = terms.args(part)
        if number is not None:
            constant += factor * number
        elif terms.op(part) is Op.BVADD:
            waiting += [(args[0], factor), (args[1], factor)]
        elif terms.op(part) is Op.BVSUB:
            waiting += [(args[0], factor), (args[1], -factor)]
        elif terms.op(part) is Op.BVNEG:
            waiting.append((args[0], -factor))
        elif terms.op(part) is Op.ITE and terms.is_const(args[1]) and terms.is_const(args[2]):
            then, otherwise = terms.number(args[1]), terms.number(args[2])
            assert then is not None
            assert otherwise is not None
            condition = args[0]
            if terms.op(condition) is Op.NOT:
                condition, then, otherwise = terms.args(condition)[0], otherwise, then
            constant += factor * otherwise
            multiples[condition] += factor * (then - otherwise)
        else:
            multiples[part] += factor
    modulus = 1 << terms.width(term)
    return constant % modulus, {atom: n % modulus for atom, n in sorted(multiples.items()) if n % modulus}


def slope(terms: Terms, term: Term, variable: Term) -> int:
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
