"""The checker's carrier of texts of memory models: relations as formulas, the plain way.

A relation has, for each pair that may be in it, lists of literals; each of them together says that the pair
is in the relation and that both events happen. What has several becomes a literal of its own as soon as
something is made of it, with a rule for each. A rule says what follows; nothing says what does not: the
axioms exclude executions, so the smallest relations that the rules allow admit all executions that any others
do. Nothing is left out because it could not matter, and no axiom is known by anything but its text.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from sley.base.errors import GaveUpError
from sley.logic.terms import Term
from sley.memory_models.evaluation import Evaluation, Step
from sley.memory_models.model import BASE, MemoryModelText
from sley.memory_models.syntax import Requirement

Clause = tuple[Term, ...]
Pairs = dict[tuple[int, int], list[Clause]]
Edge = tuple[Clause, int, int]
"""If the literals hold, one event is related to another; they imply that both happen."""


class LiteralPairs:
    """Relations of events, in a formula that has rules and new literals."""

    def __init__(
        self,
        base: Callable[[str], Iterable[Edge]],
        rule: Callable[[Clause, Term], None],
        new: Callable[[str], Term],
    ) -> None:
        self._edges = base
        self._rule = rule
        self._new = new
        self._may_be: bool = False
        """Whether it is only asked which pairs there may be."""

    def made(self, edges: Iterable[Edge]) -> Pairs:
        """A relation with these pairs."""
        found: Pairs = {}
        for literals, a, b in edges:
            known = found.setdefault((a, b), [])
            if literals not in known:
                known.append(literals)
        return found

    def edges(self, relation: Pairs) -> Iterable[Edge]:
        """The pairs of a relation, each with one list of literals."""
        for (a, b), said in relation.items():
            if len(said) > 1 and not self._may_be:
                literal = self._new(f"either{a}:{b}")
                for literals in said:
                    self._rule(literals, literal)
                said[:] = [(literal,)]
            yield said[0], a, b

    def base(self, name: str) -> Pairs | None:
        """A set or relation of the events."""
        return self.made(self._edges(name)) if name in BASE else None

    def applied(self, function: str, argument: Pairs) -> Pairs | None:
        """Nothing is known better than by its definition."""
        return None

    def is_empty(self, one: Pairs) -> bool:
        """Whether no execution has a pair in it."""
        return not one

    def union(self, parts: Sequence[Pairs]) -> Pairs:
        """All pairs of all."""
        return self.made(
            (literals, a, b) for part in parts for (a, b), said in part.items() for literals in said
        )

    def both(self, one: Pairs, other: Pairs) -> Pairs:
        """The pairs that both have."""
        common = {pair: said for pair, said in other.items() if pair in one}
        mine = {pair: said for pair, said in one.items() if pair in other}
        found = {(a, b): literals for literals, a, b in self.edges(mine)}
        return self.made((_joined(found[a, b], literals), a, b) for literals, a, b in self.edges(common))

    def without(self, one: Pairs, other: Pairs) -> Pairs:
        """The pairs of one that the other does not have: only what is never in the other is sure."""
        happens = {a: literals for literals, a, _ in self.edges(self._base_of("_"))}
        for (a, b), said in other.items():
            if (a, b) in one and not any(set(literals) <= {*happens[a], *happens[b]} for literals in said):
                raise GaveUpError("a memory model that takes away what depends on the execution")
        return {pair: said for pair, said in one.items() if pair not in other}

    def _base_of(self, name: str) -> Pairs:
        return self.made(self._edges(name))

    def then(self, one: Pairs, other: Pairs) -> Pairs:
        """One after the other."""
        after: dict[int, list[tuple[Clause, int]]] = {}
        for literals, b, c in self.edges(other):
            after.setdefault(b, []).append((literals, c))
        return self.made(
            (_joined(literals, more), a, c)
            for literals, a, b in self.edges(one)
            for more, c in after.get(b, ())
        )

    def often_then(self, steps: Pairs, last: Pairs) -> Pairs:
        """One any number of times, and then the other."""
        return self.union((last, self.then(self.closure(steps), last)))

    def inverse(self, one: Pairs) -> Pairs:
        """The other way round."""
        return self.made((literals, b, a) for literals, a, b in self.edges(one))

    def range(self, one: Pairs) -> Pairs:
        """What it leads to."""
        return self.made((literals, b, b) for literals, _, b in self.edges(one))

    def product(self, one: Pairs, other: Pairs) -> Pairs:
        """All pairs from one set to another."""
        targets = list(self.edges(other))
        return self.made(
            (_joined(literals, more), a, b) for literals, a, _ in self.edges(one) for more, b, _ in targets
        )

    def closure(self, one: Pairs) -> Pairs:
        """Any number of times, at least once."""
        return self.fixpoint(["+"], lambda given: {"+": self.union((one, self.then(given["+"], one)))})["+"]

    def fixpoint(self, names: Sequence[str], step: Step[Pairs]) -> Mapping[str, Pairs]:
        """Which pairs there may be; a literal for each of them; and what makes it true."""
        step({name: {} for name in names})
        found: Mapping[str, Pairs] = {name: {} for name in names}
        outer, self._may_be = self._may_be, True
        while True:
            after = step(found)
            if all(after[name].keys() == found[name].keys() for name in names):
                break
            found = after
        self._may_be = outer
        if outer:
            return found
        made: dict[str, Pairs] = {name: {} for name in names}
        for name in names:
            for a, b in found[name]:
                made[name][a, b] = [(self._new(f"{name}{a}:{b}"),)]
        for name, relation in step(made).items():
            for pair, said in relation.items():
                for literals in said:
                    self._rule(literals, made[name][pair][0][0])
        return made


def _joined(one: Clause, other: Clause) -> Clause:
    return tuple(dict.fromkeys((*one, *other)))


def require(
    model: MemoryModelText,
    carrier: LiteralPairs,
    never: Callable[[Clause], None],
    acyclic: Callable[[str, Iterable[Edge]], None],
    only: Iterable[str] = (),
    given: Mapping[str, Pairs] | None = None,
) -> None:
    """Every execution of the formula satisfies the axioms of a model, or some."""
    for axiom, relation in Evaluation(model, carrier, given).axioms(*only):
        if axiom.requirement is Requirement.ACYCLIC:
            acyclic(axiom.name, carrier.edges(relation))
            continue
        for literals, a, b in list(carrier.edges(relation)):
            if a == b or axiom.requirement is Requirement.EMPTY:
                never(literals)
