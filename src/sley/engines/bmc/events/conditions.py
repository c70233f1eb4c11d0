"""Conditions of paths: conjunctions of literals, with names for everything larger.

Without names, conditions of paths that split and meet again grow with every step. A name is a variable, and
its definition a formula that always holds.
"""

from collections.abc import Mapping, Sequence

from sley.engines.bmc.thresholds import MOST_PATHS
from sley.logic.clauses import conjuncts
from sley.logic.operators import Op
from sley.logic.sorts import BOOL
from sley.logic.terms import Term, Terms


class Conditions:
    """Makes conditions, and remembers what names stand for."""

    def __init__(self, terms: Terms, definitions: list[tuple[Term, Term]] | None = None) -> None:
        self.terms = terms
        self.definitions = definitions
        """Where definitions of names go; None: without names."""
        self._names: dict[Term, Term] = {}
        self._meanings: dict[Term, Term] = {}

    def extended(self, guard: tuple[Term, ...], *conditions: Term) -> tuple[Term, ...] | None:
        """The guard with more conjuncts; None if that is surely false."""
        new = [self.named(c) for c in conjuncts(self.terms, conditions) if c not in guard]
        known = {*guard, *new}
        if any(c == self.terms.false or self.terms.not_(c) in known for c in new):
            return None
        return (*guard, *new)

    def met(self, guards: Sequence[tuple[Term, ...]]) -> tuple[tuple[Term, ...], list[Term]]:
        """The guard where paths meet, and for each of them a condition that tells it from the others."""
        shared = tuple(c for c in guards[0] if all(c in guard for guard in guards[1:]))
        rests = [[c for c in guard if c not in shared] for guard in guards]
        own = [self.named(self.terms.and_(*rest)) for rest in rests]
        guard = self.extended(shared, self._one_of(rests, own))
        assert guard is not None, "one of the paths is taken"
        return guard, own

    def chosen(self, own: Sequence[Term], values: Sequence[Term]) -> Term:
        """The value of the path that is taken, of those that meet."""
        result = values[-1]
        for condition, value in zip(own[-2::-1], values[-2::-1], strict=True):
            result = self.terms.ite(condition, value, result)
        return result

    def named(self, condition: Term) -> Term:
        """A literal for a condition, so that conditions of long paths stay small."""
        t = self.terms
        inner = t.args(condition)[0] if t.op(condition) is Op.NOT else condition
        if self.definitions is None or t.op(inner) not in (Op.AND, Op.OR, Op.ITE):
            return condition
        if condition not in self._names:
            name = t.var(f"!on{len(self._names)}", BOOL)
            self._names[condition] = name
            self._meanings[name] = condition
            self.definitions.append((name, condition))
        return self._names[condition]

    def _one_of(self, paths: Sequence[Sequence[Term]], own: Sequence[Term]) -> Term:
        """One of several paths is taken: true where they split by one condition, and again by others.

        ``own`` has a literal for each of the paths.
        """
        rests = [list(path) for path in paths]
        if len(rests) > MOST_PATHS:
            return self.terms.or_(*own)
        while len(rests) > 1:
            joined = self._joined_pair(rests)
            if joined is None:
                return self.terms.or_(*own)
            first, second, rest = joined
            rests = [r for at, r in enumerate(rests) if at not in (first, second)]
            rests.append(rest)
        return self.terms.and_(*rests[0])

    def _joined_pair(self, rests: list[list[Term]]) -> tuple[int, int, list[Term]] | None:
        """Two conjunctions that differ in the truth of one condition, and what they have in common."""
        for first, one in enumerate(rests):
            for second in range(first + 1, len(rests)):
                a, b = set(one) - set(rests[second]), set(rests[second]) - set(one)
                if len(a) == len(b) == 1 and self.terms.not_(next(iter(a))) in b:
                    return first, second, [c for c in one if c not in a]
        return None

    def renamed(self, term: Term, symbols: Mapping[Term, Term]) -> Term:
        """The term with other symbols, also in what its names stand for."""
        return self._renamed(term, symbols, {})

    def _renamed(self, term: Term, symbols: Mapping[Term, Term], done: dict[Term, Term]) -> Term:
        mapping = dict(symbols)
        for variable in self.terms.variables(term):
            meaning = self._meanings.get(variable)
            if meaning is None:
                continue
            if variable not in done:
                other = self._renamed(meaning, symbols, done)
                done[variable] = variable if other == meaning else self.named(other)
            mapping[variable] = done[variable]
        return self.terms.substitute(term, mapping)


def written_when(t: Terms, variable: Term, term: Term) -> tuple[Term, Term]:
    """When a variable is written, and with what; elsewhere it keeps its value."""
    cases: list[tuple[Term, Term]] = []
    while t.op(term) is Op.ITE:
        condition, then, otherwise = t.args(term)
        if then == variable:
            cases.append((t.not_(condition), otherwise))
            term = then
        else:
            cases.append((condition, then))
            term = otherwise
    if term != variable or not cases:
        return t.true, _chosen(t, cases, term)
    return t.or_(*(condition for condition, _ in cases)), _chosen(t, cases[:-1], cases[-1][1])


def _chosen(t: Terms, cases: list[tuple[Term, Term]], otherwise: Term) -> Term:
    for condition, value in reversed(cases):
        otherwise = t.ite(condition, value, otherwise)
    return otherwise


def constants_of(t: Terms, address: Term) -> frozenset[int] | None:
    """All values of a term that chooses between constants."""
    found: set[int] = set()
    waiting = [address]
    while waiting:
        term = waiting.pop()
        number = t.number(term)
        if number is not None:
            found.add(number)
        elif t.op(term) is Op.ITE:
            waiting.extend(t.args(term)[1:])
        else:
            return None
    return frozenset(found)
