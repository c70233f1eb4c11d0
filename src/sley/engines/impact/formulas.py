"""Labels: conjuncts, their canonical form, and weakest preconditions.

A conjunct may mention arbitrary values (inputs, uninitialised memory). It is then meant for all of them: as a
hypothesis it may be used with any, as a goal it is shown for fresh ones. Bound values are named by their
position, so that equal conjuncts are equal terms.
"""

from collections.abc import Iterable, Mapping, Sequence

from sley.logic.clauses import conjuncts
from sley.logic.terms import Term, Terms
from sley.semantics.roles import ArbitraryRole, BoundRole
from sley.semantics.symbolic_step import Branch


class Formulas:
    """Conjuncts over one arena, with the preconditions computed so far."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._preconditions: dict[tuple[int, Term, tuple[Term, ...]], tuple[Term, ...]] = {}
        self._branches: dict[int, Branch] = {}
        self._sizes: dict[Term, int] = {}

    def conjuncts(self, *formulas: Term) -> tuple[Term, ...]:
        """The formulas as a set of conjuncts in canonical form, in order."""
        return tuple(dict.fromkeys(self._canonical(term) for term in conjuncts(self.terms, formulas)))

    def precondition(self, branch: Branch, goal: Term, kept: tuple[Term, ...] = ()) -> tuple[Term, ...]:
        """Conjuncts from which ``goal`` follows after the branch; of its guard only ``kept`` may be used."""
        key = (id(branch), goal, kept)
        found = self._preconditions.get(key)
        if found is None:
            self._branches[id(branch)] = branch  # the key is good as long as the branch lives
            t = self.terms
            mapping = self._restricted(branch.updates, (goal,))
            before = t.substitute(goal, mapping) if mapping else goal
            if kept:
                before = t.or_(*(t.not_(k) for k in kept), before)
            found = self._preconditions[key] = self.conjuncts(before)
        return found

    def _restricted(self, mapping: Mapping[Term, Term], formulas: Iterable[Term]) -> dict[Term, Term]:
        """The part of a mapping that matters for some formulas."""
        return {v: mapping[v] for formula in formulas for v in self.terms.variables(formula) if v in mapping}

    def size(self, term: Term) -> int:
        """How many different subterms the term has."""
        found = self._sizes.get(term)
        if found is None:
            found = self._sizes[term] = len(self.terms.walk((term,)))
        return found

    def is_input(self, variable: Term) -> bool:
        """Whether the variable stands for an arbitrary value."""
        return isinstance(self.terms.symbol(variable), ArbitraryRole)

    def _canonical(self, term: Term) -> Term:
        """The term with its bound values named by position."""
        inputs = [v for v in self.terms.variables(term) if self.is_input(v)]
        if not inputs:
            return term
        renamed = {v: self._bound(i, v) for i, v in enumerate(self._in_order(term, inputs))}
        return self.terms.substitute(term, renamed)

    def _in_order(self, term: Term, inputs: Sequence[Term]) -> list[Term]:
        """Inputs by their first occurrence in the term."""
        wanted = set(inputs)
        return [t for t in self.terms.walk((term,)) if t in wanted]

    def _bound(self, position: int, variable: Term) -> Term:
        return self.terms.var(BoundRole(position), self.terms.sort(variable))
