"""Simplification rules: what an application becomes when it is made.

Every rule is local (it looks at most two levels down), cheap, and gives a term that is equal to the
application for all values; constants have been folded before. The rules also choose normal forms, so that
the same fact is the same term more often:

* ``<=`` does not occur: ``a <= b`` is ``not (b < a)``, so a condition and its negation always meet;
* a comparison with a constant has the constant on the right, and where only one value is left it is an
  equality;
* a constant is the last argument of a commutative operator, and ``x - 3`` is ``x + -3``;
* an operator applied to a choice between constants (``c ? 1 : 0``) is a choice between constants again, so
  that a truth value survives its trip through an ``int`` unharmed;
* an element is read from a variable or a constant array: reads see through writes and choices.
"""

from sley.logic.arena import Arena, Payload, Rule, Term
from sley.logic.operators import Op
from sley.logic.simplify import arithmetic, arrays, bits, booleans, comparisons

_Args = tuple[Term, ...]


def _through_choice(op: Op, otherwise: Rule | None) -> Rule:
    """Try ``_over_choice`` before the operator's own rule."""

    def rule(t: Arena, args: _Args, payload: Payload) -> Term | None:
        for position, arg in enumerate(args):
            if t.op(arg) is Op.ITE:
                simpler = _over_choice(t, op, args, payload, position)
                if simpler is not None:
                    return simpler
                break
        return None if otherwise is None else otherwise(t, args, payload)

    return rule


def _over_choice(t: Arena, op: Op, args: _Args, payload: Payload, position: int) -> Term | None:
    """``op`` over a choice between constants, everything else constant, chooses between constants."""
    condition, a, b = t.args(args[position])
    before, after = args[:position], args[position + 1 :]
    if not all(t.is_const(x) for x in (a, b, *before, *after)):
        return None
    then, otherwise = (t.make(op, (*before, x, *after), payload) for x in (a, b))
    return t.ite(condition, then, otherwise)


_BOOLEAN_RULES: dict[Op, Rule] = {
    Op.NOT: booleans.negation,
    Op.AND: booleans.conjunction,
    Op.OR: booleans.disjunction,
    Op.ITE: booleans.choice,
}

_ARRAY_RULES: dict[Op, Rule] = {Op.SELECT: arrays.read, Op.STORE: arrays.write}

_OTHER_RULES: dict[Op, Rule] = {
    Op.EQ: comparisons.equality,
    Op.BVNOT: arithmetic.involution(Op.BVNOT),
    Op.BVNEG: arithmetic.involution(Op.BVNEG),
    Op.BVAND: arithmetic.bitwise_and,
    Op.BVOR: arithmetic.bitwise_or,
    Op.BVXOR: arithmetic.bitwise_xor,
    Op.BVADD: arithmetic.sum_,
    Op.BVSUB: arithmetic.difference,
    Op.BVMUL: arithmetic.product,
    Op.BVUDIV: arithmetic.quotient,
    Op.BVSDIV: arithmetic.quotient,
    Op.BVUREM: arithmetic.remainder,
    Op.BVSREM: arithmetic.remainder,
    Op.BVSHL: arithmetic.shift,
    Op.BVLSHR: arithmetic.shift,
    Op.BVASHR: arithmetic.signed_shift,
    Op.BVULT: comparisons.unsigned_below,
    Op.BVULE: comparisons.unsigned_at_most,
    Op.BVSLT: comparisons.signed_below,
    Op.BVSLE: comparisons.signed_at_most,
    Op.SADDO: comparisons.sum_overflows,
    Op.SSUBO: comparisons.difference_overflows,
    Op.SMULO: comparisons.product_overflows,
    Op.EXTRACT: bits.extraction,
    Op.CONCAT: bits.concatenation,
    Op.ZERO_EXTEND: bits.extension(Op.ZERO_EXTEND),
    Op.SIGN_EXTEND: bits.extension(Op.SIGN_EXTEND),
    Op.FP_NEG: arithmetic.involution(Op.FP_NEG),
    Op.FP_TO_FP: bits.same_format,
    Op.FP_FROM_BITS: bits.float_from_bits,
}

_WITHOUT_RULES = (
    *(Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV, Op.FP_EQ, Op.FP_LT, Op.FP_LE),
    *(Op.FP_TO_BITS, Op.FP_TO_SBV, Op.FP_TO_UBV, Op.SBV_TO_FP, Op.UBV_TO_FP),
)

RULES: dict[Op, Rule] = (
    _BOOLEAN_RULES
    | _ARRAY_RULES
    | {op: _through_choice(op, rule) for op, rule in _OTHER_RULES.items()}
    | {op: _through_choice(op, None) for op in _WITHOUT_RULES}
)
