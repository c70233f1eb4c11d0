"""One simultaneous substitution of variables, applied to many terms with a shared memory."""

from collections.abc import Mapping

from sley.logic.operators import Op
from sley.logic.terms import Term, Terms


class Substitution:
    """Maps terms; a subterm that occurs in several of them is rebuilt once.

    ``Terms.substitute`` does one term at a time and costs the size of the mapping; renaming all of a function
    with it would be quadratic.
    """

    def __init__(self, terms: Terms, mapping: Mapping[Term, Term]) -> None:
        self._terms = terms
        self._done = dict(mapping)

    def __call__(self, term: Term) -> Term:
        """``term`` with all variables of the mapping replaced at once."""
        found = self._done.get(term)
        return self._rebuild(term) if found is None else found

    def _rebuild(self, term: Term) -> Term:
        terms, done = self._terms, self._done
        stack = [term]
        while stack:
            top = stack[-1]
            args = terms.args(top)
            missing = [a for a in args if a not in done]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            images = tuple(done[a] for a in args)
            is_same = images == args or terms.op(top) in (Op.CONST, Op.VAR)
            done[top] = top if is_same else terms.make(terms.op(top), images, terms.payload(top))
        return done[term]
