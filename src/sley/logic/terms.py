"""Hash-consed terms: the one term language of programs, interpreter and solvers.

A :class:`Terms` object owns all terms of a program; a :data:`Term` is the index of a term in it. All terms
are made by its constructors, which fold constants and simplify (see ``simplify`` for the normal forms); a
constructor never returns a term of another sort than promised. Terms of two arenas must not be mixed.
"""

from collections.abc import Callable, Iterable, Mapping

from sley.logic.arena import Arena, Payload, Term
from sley.logic.arrays import ArrayValue
from sley.logic.operators import MEANING, AnyValue, Op, Value
from sley.logic.simplify.rules import RULES

__all__ = ["Payload", "Substitution", "Term", "Terms", "has_arrays"]

Substitution = Callable[[Term], Term]
"""One simultaneous substitution, applied to many terms with a shared memory."""


def has_arrays(terms: Arena, formulas: Iterable[Term]) -> bool:
    """Whether an element of an array is read anywhere."""
    return any(terms.op(part) is Op.SELECT for part in terms.walk(formulas))


class Terms(Arena):
    """An arena of terms that are simplified as they are made."""

    def __init__(self) -> None:
        super().__init__(RULES)

    def __reduce__(self) -> tuple[object, ...]:
        """Sent to another process, terms keep their numbers; rules are code, which is there already."""
        return Terms, (), {name: value for name, value in vars(self).items() if name != "_rules"}

    def substitute(self, term: Term, mapping: Mapping[Term, Term]) -> Term:
        """Replace variables, or terms that mention some (all at once); shared subterms are rebuilt once."""
        return self.substitution(mapping)(term)

    def substitute_all(self, terms: tuple[Term, ...], mapping: Mapping[Term, Term]) -> tuple[Term, ...]:
        """``substitute`` in several terms at once; what they share is rebuilt once."""
        return tuple(map(self.substitution(mapping), terms))

    def substitution(self, mapping: Mapping[Term, Term]) -> Substitution:
        """``substitute`` for whatever terms come; it costs the size of the mapping only once."""
        relevant = 0
        for variable in mapping:
            relevant |= self._signature[variable]
        done: dict[Term, Term] = dict(mapping)
        return lambda term: self._rebuilt(term, done, relevant)

    def _rebuilt(self, term: Term, done: dict[Term, Term], relevant: int) -> Term:
        stack = [term] if self._signature[term] & relevant else []
        while stack:
            top = stack[-1]
            if top in done:
                stack.pop()
            elif not self._signature[top] & relevant:
                done[top] = top
                stack.pop()
            else:
                missing = [a for a in self._args[top] if a not in done]
                if missing:
                    stack.extend(missing)
                else:
                    stack.pop()
                    args = tuple([done[a] for a in self._args[top]])
                    is_same = args == self._args[top]
                    done[top] = top if is_same else self.make(self._op[top], args, self._payload[top])
        return done.get(term, term)

    def evaluate(self, term: Term, values: Mapping[Term, AnyValue]) -> Value:
        """The value of ``term``, which is no array, under ``values`` for its variables.

        KeyError if one of them is missing, or the element of an array that matters.
        """
        done: dict[Term, AnyValue] = {}
        for t in self.walk((term,)):
            op = self._op[t]
            if op is Op.CONST:
                done[t] = self.any_value(t)
            elif op is Op.VAR:
                done[t] = values[t]
            else:
                args = self._args[t]
                sorts = tuple([self._sort[a] for a in args])
                arguments = [done[a] for a in args]
                done[t] = MEANING[op](arguments, sorts, self._sort[t], self._payload[t])
        found = done[term]
        assert not isinstance(found, ArrayValue), "an array has no value of its own"
        return found
