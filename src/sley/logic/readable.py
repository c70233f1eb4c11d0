"""Conjunctions as people want to read them: the same formula without what is superfluous in it."""

from collections.abc import Iterable, Mapping, Sequence

from sley.logic.clauses import conjuncts, disjuncts, fixed_values
from sley.logic.operators import Op, to_signed
from sley.logic.terms import Term, Terms

Clause = tuple[Term, ...]
"""Disjuncts; none of them is a disjunction."""


def readable_clauses(
    terms: Terms, formulas: Iterable[Term], known: Mapping[Term, Term] | None = None
) -> list[Clause]:
    """Clauses whose conjunction is that of the formulas, where the values of ``known`` hold."""
    waiting = conjuncts(terms, (plainer(terms, terms.substitute(f, known or {})) for f in formulas))
    fixing = [term for term in waiting if fixed_values(terms, (term,))]
    values = fixed_values(terms, fixing)
    others = [terms.substitute(term, values) for term in waiting if term not in fixing]
    found = list(dict.fromkeys([*fixing, *conjuncts(terms, others)]))
    literals = [term for term in found if len(disjuncts(terms, term)) == 1]
    truths = {key: value for fact in literals for key, value in _assumed(terms, fact, is_true=True)}
    clauses: list[Clause] = [(fact,) for fact in literals]
    rest = conjuncts(terms, (terms.substitute(term, truths) for term in found if term not in literals))
    clauses += [_shortened(terms, sorted(disjuncts(terms, term))) for term in rest]
    return [(terms.false,)] if () in clauses else _without_weaker(clauses)


def _assumed(terms: Terms, literal: Term, *, is_true: bool) -> list[tuple[Term, Term]]:
    """What a literal and its negation may be replaced with where the literal is known."""
    return [(literal, terms.boolean(is_true)), (terms.not_(literal), terms.boolean(not is_true))]


def _shortened(terms: Terms, parts: Sequence[Term]) -> Clause:
    """The disjuncts, each looked at where all others are false."""
    current = list(parts)
    for i in range(len(current)):
        others = {
            key: value
            for j, part in enumerate(current)
            if j != i and part != terms.false
            for key, value in _assumed(terms, part, is_true=False)
        }
        current[i] = terms.substitute(current[i], others)
    return tuple(sorted({d for part in current for d in disjuncts(terms, part)}))


def _without_weaker(clauses: Sequence[Clause]) -> list[Clause]:
    """Without repetitions, and without clauses of which a part is a clause as well."""
    distinct = list(dict.fromkeys(clauses))
    sets = [frozenset(clause) for clause in distinct]
    return [one for one, own in zip(distinct, sets, strict=True) if not any(s < own for s in sets)]


# --- inside formulas ---------------------------------------------------------------------------------


def plainer(terms: Terms, formula: Term) -> Term:
    """An equivalent formula: about an index rather than its offset, without what a conjunction repeats."""
    done: dict[Term, Term] = {}
    for term in terms.walk((formula,)):
        args = tuple(done[arg] for arg in terms.args(term))
        new = term if args == terms.args(term) else terms.make(terms.op(term), args, terms.payload(term))
        if terms.op(new) is Op.EQ:
            new = _without_scale(terms, new)
        elif terms.op(new) is Op.AND:
            new = terms.and_(*_without_repetitions(terms, terms.args(new)))
        done[term] = new
    return done[formula]


def _without_scale(terms: Terms, equality: Term) -> Term:
    """``(long)i * 4 == 8`` as ``i == 2``, where the product cannot overflow."""
    product, value = terms.args(equality)
    number = terms.number(value)
    if number is None or terms.op(product) is not Op.BVMUL:
        return equality
    wide, factor = terms.args(product)[0], terms.number(terms.args(product)[1])
    if factor is None or factor == 0 or terms.op(wide) not in (Op.SIGN_EXTEND, Op.ZERO_EXTEND):
        return equality
    (index,) = terms.args(wide)
    signed = terms.op(wide) is Op.SIGN_EXTEND
    width, bits = terms.width(index), terms.width(value) - signed
    if factor << (width - signed) >= 1 << bits:
        return equality
    quotient, rest = divmod(to_signed(number, terms.width(value)) if signed else number, factor)
    least, most = (-(1 << (width - 1)), 1 << (width - 1)) if signed else (0, 1 << width)
    if rest or not least <= quotient < most:
        return terms.false
    return terms.eq(index, terms.bv(quotient % (1 << width), width))


def _without_repetitions(terms: Terms, parts: Sequence[Term]) -> list[Term]:
    """The parts, each in the light of the values that earlier equalities fix."""
    equalities = [p for p in parts if terms.op(p) is Op.EQ and terms.is_const(terms.args(p)[1])]
    values = {terms.args(p)[0]: terms.args(p)[1] for p in equalities}
    return [p if p in equalities else terms.substitute(p, values) for p in parts]
