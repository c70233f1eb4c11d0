"""Why a formula is false on a path: literals that hold there and exclude it.

The negation of a large disjunction is a large set of clauses. Where the path fixes the value of every part,
one literal per clause is enough; the literals are simpler to carry along, and more often the same.
"""

from collections.abc import Callable, Collection, Sequence

from sley.logic.operators import Op
from sley.logic.terms import Term, Terms

Fold = Callable[[Sequence[Term]], tuple[Term, ...]]
"""Puts the values of a path into terms."""


def literals_against(terms: Terms, formula: Term, fold: Fold, known: Collection[Term]) -> list[Term] | None:
    """Literals that hold on the path and contradict the formula; those in ``known`` are preferred.

    None if the parts of the formula are not all fixed by the path.
    """
    return _Justification(terms, formula, fold, known).literals()


class _Justification:
    def __init__(self, terms: Terms, formula: Term, fold: Fold, known: Collection[Term]) -> None:
        self.terms = terms
        self.formula = formula
        self.known = known
        self.fold = fold
        self.values: dict[Term, Term] = {}
        self._evaluate(formula)

    def _evaluate(self, formula: Term) -> None:
        """Learn what the path says about the parts of a formula."""
        parts = [part for part in self._skeleton(formula) if part not in self.values]
        self.values.update(zip(parts, self.fold(parts), strict=True))

    def _is_connective(self, term: Term) -> bool:
        return self.terms.op(term) in (Op.AND, Op.OR, Op.NOT)

    def _skeleton(self, formula: Term) -> list[Term]:
        """All subformulas down to the atoms."""
        found: dict[Term, None] = {}
        waiting = [formula]
        while waiting:
            term = waiting.pop()
            if term not in found:
                found[term] = None
                if self._is_connective(term):
                    waiting.extend(self.terms.args(term))
        return list(found)

    def literals(self) -> list[Term] | None:
        """Go down to atoms: all false parts of a disjunction, one false part of a conjunction."""
        found: dict[Term, None] = {}
        waiting = [(self.formula, False)]
        while waiting:
            term, is_true = waiting.pop()
            if self.values[term] != self.terms.boolean(is_true):
                return None
            op, args = self.terms.op(term), self.terms.args(term)
            if op is Op.NOT:
                waiting.append((args[0], not is_true))
            elif op is (Op.OR if is_true else Op.AND):
                waiting.append((self._chosen(args, is_true), is_true))
            elif self._is_connective(term):
                waiting.extend((arg, is_true) for arg in args)
            else:
                atom, conditions = self._resolved(term)
                found[atom if is_true else self.terms.not_(atom)] = None
                waiting.extend((c, self.values[c] == self.terms.true) for c in conditions)
        return list(found)

    def _resolved(self, atom: Term) -> tuple[Term, list[Term]]:
        """The atom without the choices that the path decides, and the conditions that decided them."""
        t = self.terms
        conditions: dict[Term, None] = {}
        done: dict[Term, Term] = {}
        stack = [atom]
        while stack:
            top = stack[-1]
            args = t.args(top)
            if t.op(top) is Op.ITE:
                self._evaluate(args[0])
                value = self.values[args[0]]
                if t.is_const(value):
                    chosen = args[1] if value == t.true else args[2]
                    if chosen not in done:
                        stack.append(chosen)
                        continue
                    conditions[args[0]] = None
                    done[top] = done[chosen]
                    stack.pop()
                    continue
            missing = [arg for arg in args if arg not in done]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            new = tuple(done[arg] for arg in args)
            done[top] = top if new == args else t.make(t.op(top), new, t.payload(top))
        return done[atom], list(conditions)

    def _chosen(self, args: Sequence[Term], is_true: bool) -> Term:  # noqa: FBT001 - it is the value
        """The part with the wanted value that is simplest to carry along."""
        wanted = self.terms.boolean(is_true)
        candidates = [arg for arg in args if self.values[arg] == wanted] or list(args)
        for candidate in candidates:
            if (candidate if is_true else self.terms.not_(candidate)) in self.known:
                return candidate
        return min(candidates, key=lambda term: len(self.terms.walk((term,))))
