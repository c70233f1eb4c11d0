"""Formulas as conjunctions of clauses: their parts, and implication that can be read off."""

from collections.abc import Collection, Iterable

from sley.logic.operators import Op
from sley.logic.terms import Term, Terms


def conjuncts(terms: Terms, formulas: Iterable[Term]) -> list[Term]:
    """The parts of a conjunction, however deep, in order."""
    found: dict[Term, None] = {}
    waiting = list(formulas)[::-1]
    while waiting:
        term = waiting.pop()
        if terms.op(term) is Op.AND:
            waiting.extend(reversed(terms.args(term)))
        elif terms.op(term) is Op.NOT and terms.op(terms.args(term)[0]) is Op.OR:
            waiting.extend(terms.not_(a) for a in reversed(terms.args(terms.args(term)[0])))
        elif term != terms.true:
            found[term] = None
    return list(found)


def disjuncts(terms: Terms, formula: Term) -> frozenset[Term]:
    """The parts of a disjunction, however deep."""
    found: set[Term] = set()
    waiting = [formula]
    while waiting:
        term = waiting.pop()
        if terms.op(term) is Op.OR:
            waiting.extend(terms.args(term))
        elif terms.op(term) is Op.NOT and terms.op(terms.args(term)[0]) is Op.AND:
            waiting.extend(terms.not_(a) for a in terms.args(terms.args(term)[0]))
        elif term != terms.false:
            found.add(term)
    return frozenset(found)


def subsumes(terms: Terms, hypotheses: Iterable[Term], goal: Term, facts: Collection[Term] = ()) -> bool:
    """Whether some hypothesis, without the disjuncts that a fact contradicts, has no others than the goal."""
    allowed = set(disjuncts(terms, goal))
    if not allowed.isdisjoint(facts):
        return True
    allowed.update(terms.not_(fact) for fact in facts)
    return any(disjuncts(terms, hypothesis) <= allowed for hypothesis in hypotheses)


def fixed_values(terms: Terms, hypotheses: Iterable[Term]) -> dict[Term, Term]:
    """The variables that single hypotheses set to a constant."""
    values: dict[Term, Term] = {}
    for hypothesis in hypotheses:
        args = terms.args(hypothesis)
        if terms.is_var(hypothesis):
            values[hypothesis] = terms.true
        elif terms.op(hypothesis) is Op.NOT and terms.is_var(args[0]):
            values[args[0]] = terms.false
        elif terms.op(hypothesis) is Op.EQ:
            values |= {a: b for a, b in (args, args[::-1]) if terms.is_var(a) and terms.is_const(b)}
    return values


def connected(terms: Terms, hypotheses: Iterable[Term], goals: Iterable[Term]) -> list[Term]:
    """The hypotheses that are connected to the goals by common variables, directly or through others."""
    variables = {v for goal in goals for v in terms.variables(goal)}
    waiting, found = list(hypotheses), []
    while True:
        rest = []
        for hypothesis in waiting:
            own = terms.variables(hypothesis)
            if own and variables.isdisjoint(own):
                rest.append(hypothesis)
            else:
                found.append(hypothesis)
                variables.update(own)
        if len(rest) == len(waiting):
            return found
        waiting = rest
