"""Labels: conjuncts, their canonical form, and weakest preconditions.

A conjunct may mention arbitrary values (inputs, uninitialised memory). It is then meant for all of them: as a
hypothesis it may be used with any, as a goal it is shown for fresh ones. Bound values are named by their
position, so that equal conjuncts are equal terms.
"""

from functools import reduce

from sley.logic.clauses import conjuncts
from sley.logic.linear import linear_form
from sley.logic.operators import Op
from sley.logic.terms import Term, Terms
from sley.semantics.roles import ArbitraryRole, BoundRole
from sley.semantics.symbolic_step import Branch

SUMS = (Op.BVADD, Op.BVSUB)


class ConjunctTable:
    """Conjuncts over one arena, with the preconditions computed so far."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._preconditions: dict[tuple[int, Term, tuple[Term, ...]], tuple[Term, ...]] = {}
        self._branches: dict[int, Branch] = {}
        self._sizes: dict[Term, int] = {}

    def conjuncts(self, *formulas: Term) -> tuple[Term, ...]:
        """The formulas as a set of conjuncts in canonical form, in order."""
        return tuple(dict.fromkeys(self._canonical(term) for term in conjuncts(self.terms, formulas)))

    def solved(self, term: Term) -> Term:
        """``a + 2 == b + 3`` as ``a == b + 1``, and other sums alike: equal facts are then equal terms."""
        t = self.terms
        if t.op(term) is not Op.EQ or not any(t.op(arg) in SUMS for arg in t.args(term)):
            return term
        one, other = t.args(term)
        constant, multiples = linear_form(t, t.sub(one, other))
        minus_one = (1 << t.width(one)) - 1
        is_plain = all(t.sort(a) == t.sort(one) and n in (1, minus_one) for a, n in multiples.items())
        if not multiples or not is_plain:
            return term
        sign = multiples[min(multiples)]
        left = [atom for atom, n in sorted(multiples.items()) if n == sign]
        right = [atom for atom, n in sorted(multiples.items()) if n != sign]
        difference = t.bv((-constant if sign == 1 else constant) % (minus_one + 1), t.width(one))
        return t.eq(reduce(t.add, left), reduce(t.add, right, difference))

    def precondition(self, branch: Branch, goal: Term, kept: tuple[Term, ...] = ()) -> tuple[Term, ...]:
        """Conjuncts from which ``goal`` follows after the branch; of its guard only ``kept`` may be used."""
        key = (id(branch), goal, kept)
        found = self._preconditions.get(key)
        if found is None:
            self._branches[id(branch)] = branch  # the key is good as long as the branch lives
            t = self.terms
            new = branch.updates
            before = t.substitute(goal, {v: new[v] for v in t.variables(goal) if v in new})
            if kept:
                before = t.or_(*(t.not_(k) for k in kept), before)
            found = self._preconditions[key] = self.conjuncts(before)
        return found

    def size(self, term: Term) -> int:
        """How many different subterms the term has."""
        found = self._sizes.get(term)
        if found is None:
            found = self._sizes[term] = len(self.terms.walk((term,)))
        return found

    def _canonical(self, term: Term) -> Term:
        """The term with its bound values named by position."""
        t = self.terms
        term = self.solved(term)
        inputs = {v for v in t.variables(term) if isinstance(t.symbol(v), ArbitraryRole)}
        if not inputs:
            return term
        in_order = (part for part in t.walk((term,)) if part in inputs)
        renamed = {v: t.var(BoundRole(position), t.sort(v)) for position, v in enumerate(in_order)}
        return t.substitute(term, renamed)
