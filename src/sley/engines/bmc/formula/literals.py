"""The carrier of the engine: a relation has, for each pair that may be in it, the ways to be in it.

A *way* is some literals that together say so, and that both events happen; the empty one says that the pair
is in the relation whenever both happen. A rule says what follows, nothing says what does not: the axioms only
exclude executions, so the smallest relations that the rules allow exclude the fewest. That is why only what
does not depend on the execution can be taken away.

*Pruning*, beside the texts: no literal is made for a pair until a rule needs one; an order is asked for where
there may be cycles only; and what a relation always has is no literal of that order.
"""

from collections.abc import Iterable, Mapping, Sequence

from sley.analyses.graphs import nodes_on_cycles
from sley.base.errors import GaveUpError
from sley.engines.bmc.formula.machine import Machine
from sley.engines.bmc.formula.total import TotalOrder
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.memory_models.evaluation import Step
from sley.memory_models.model import BASE

Pair = tuple[int, int]
Way = tuple[Term, ...]

ALWAYS: Way = ()


class Literals(dict[Pair, list[Way]]):
    """A relation."""

    def rows(self) -> Mapping[int, list[int]]:
        """What each event may be related to."""
        found: dict[int, list[int]] = {}
        for a, b in self:
            found.setdefault(a, []).append(b)
        return found


class Carrier:
    """The relations of a machine in a formula."""

    def __init__(self, m: Machine) -> None:
        self.m = m
        self.terms = m.terms
        occurs = [event.occurs for event in m.events] + [fence.occurs for fence in m.made.fences]
        self.happen = [m.formula.named(one) for one in occurs]
        self.is_shape = False
        """Whether only the pairs that may be are asked for."""
        self.count = 0
        self.closures: list[tuple[Literals, Literals]] = []
        """Relations, and what they are any number of times."""

    def base(self, name: str) -> Literals | None:
        """A set or relation of the events."""
        if name not in BASE:
            return None
        found = Literals()
        for literals, a, b in self.m.base(name):
            found.setdefault((a, b), []).append(self._way(literals, a, b))
        return found

    def applied(self, function: str, argument: Literals) -> Literals | None:
        """What barriers stand between is known, one literal for all."""
        if function != "fencerel":
            return None
        found = Literals()
        for literal, a, b in self.m.separated({a for a, _ in argument}):
            found[a, b] = [self._way((literal,), a, b)]
        return found

    def _way(self, literals: Iterable[Term], a: int, b: int) -> Way:
        """Without what is known if both happen; that both happen is only said with something else."""
        own = {self.terms.true, self.happen[a], self.happen[b]}
        way = tuple(dict.fromkeys(one for one in literals if one != self.terms.true))
        return ALWAYS if own.issuperset(way) else way

    def _literals(self, way: Way, a: int, b: int) -> Way:
        return way or tuple(one for one in (self.happen[a], self.happen[b]) if one != self.terms.true)

    # --- the algebra ------------------------------------------------------------------------------

    def is_empty(self, one: Literals) -> bool:
        """Whether no execution has a pair in it."""
        return not one

    def union(self, parts: Sequence[Literals]) -> Literals:
        """All pairs of all."""
        found = Literals()
        for part in parts:
            for pair, ways in part.items():
                found.setdefault(pair, []).extend(ways)
        return self._fewest(found)

    def _fewest(self, found: Literals) -> Literals:
        for pair, ways in found.items():
            if len(ways) > 1:
                found[pair] = [ALWAYS] if ALWAYS in ways else list(dict.fromkeys(ways))
        return found

    def both(self, one: Literals, other: Literals) -> Literals:
        """The pairs that both have."""
        found = Literals()
        for pair in one if len(one) < len(other) else other:
            if pair in one and pair in other:
                literals = (*self._one(one, pair), *self._one(other, pair))
                found[pair] = [self._way(literals, *pair)]
        return found

    def without(self, one: Literals, other: Literals) -> Literals:
        """The pairs of one that the other does not have, if that is the same in every execution."""
        if any(pair in one and ALWAYS not in ways for pair, ways in other.items()):
            raise GaveUpError("a memory model that takes away from a relation what depends on the execution")
        return Literals({pair: ways for pair, ways in one.items() if pair not in other})

    def then(self, one: Literals, other: Literals) -> Literals:
        """One after the other."""
        found, after = Literals(), other.rows()
        for a, b in one:
            for c in after.get(b, ()):
                self.m.formula.budget.spend()
                found.setdefault((a, c), []).append(self._after(one, other, a, b, c))
        return self._fewest(found)

    def _after(self, one: Literals, other: Literals, a: int, b: int, c: int) -> Way:
        if self.is_shape:
            return ALWAYS
        first, second = self._one(one, (a, b)), self._one(other, (b, c))
        if not (first or second):
            return self._way((self.happen[a], self.happen[b], self.happen[c]), a, c)
        first = first or ((self.happen[a],) if a != b else ALWAYS)
        second = second or ((self.happen[c],) if c != b else ALWAYS)
        return self._way((*first, *second), a, c)

    def _one(self, relation: Literals, pair: Pair) -> Way:
        """The one way to be in a relation; if there are more, a literal for all of them."""
        ways = relation[pair]
        if len(ways) > 1 and not self.is_shape:
            literal = self._literal(pair)
            for way in ways:
                self.m.rule(*self._literals(way, *pair), then=literal)
            ways[:] = [(literal,)]
        return ways[0]

    def _literal(self, pair: Pair) -> Term:
        self.count += 1
        return self.terms.var(f"!r{self.count}:{pair[0]}:{pair[1]}", BOOL)

    def inverse(self, one: Literals) -> Literals:
        """The other way round."""
        return Literals({(b, a): ways for (a, b), ways in one.items()})

    def range(self, one: Literals) -> Literals:
        """What it leads to."""
        found = Literals()
        for (a, b), ways in one.items():
            found.setdefault((b, b), []).extend(self._literals(way, a, b) for way in ways)
        return self._fewest(found)

    def product(self, one: Literals, other: Literals) -> Literals:
        """All pairs from one set to another."""
        found = Literals()
        for a, _ in one:
            for b, _ in other:
                first = self._literals(self._one(one, (a, a)), a, a)
                found[a, b] = [self._way((*first, *self._literals(self._one(other, (b, b)), b, b)), a, b)]
        return found

    def closure(self, one: Literals) -> Literals:
        """Any number of times, at least once."""
        known = next((closed for relation, closed in self.closures if relation is one), None)
        if known is None:
            known = self.often_then(one, one)
            self.closures.append((one, known))
        return known

    def often_then(self, steps: Literals, last: Literals) -> Literals:
        """Steps any number of times, and then a last one: the least relation that steps lead into."""
        before: dict[int, list[int]] = {}
        for a, b in steps:
            before.setdefault(b, []).append(a)
        found = Literals({pair: self._made(pair) for pair in last})
        self._rules(last, found)
        waiting = list(found)
        while waiting:
            b, c = waiting.pop()
            for a in before.get(b, ()):
                if (a, c) not in found:
                    found[a, c] = self._made((a, c))
                    waiting.append((a, c))
                if not self.is_shape:
                    step = self._literals(self._one(steps, (a, b)), a, b)
                    self.m.rule(*step, *found[b, c][0], then=found[a, c][0][0])
        return found

    def _made(self, pair: Pair) -> list[Way]:
        return [ALWAYS] if self.is_shape else [(self._literal(pair),)]

    def _rules(self, said: Literals, made: Literals) -> None:
        for pair, ways in () if self.is_shape else said.items():
            for way in ways:
                self.m.rule(*self._literals(way, *pair), then=made[pair][0][0])

    def fixpoint(self, names: Sequence[str], step: Step[Literals]) -> Mapping[str, Literals]:
        """First which pairs there may be, then a literal for each of them, then a rule for each way."""
        step({name: Literals() for name in names})  # what is not recursive is known from here on
        found: Mapping[str, Literals] = {name: Literals() for name in names}
        self.is_shape = True
        while [*map(len, found.values())] != [*map(len, (after := step(found)).values())]:
            found = after
        self.is_shape = False
        made = {name: Literals({pair: self._made(pair) for pair in found[name]}) for name in names}
        for name, said in step(made).items():
            self._rules(said, made[name])
        return made

    # --- axioms -----------------------------------------------------------------------------------

    def empty(self, relation: Literals) -> None:
        """No pair is in it."""
        for (a, b), ways in relation.items():
            for way in ways:
                self.m.never(*self._literals(way, a, b))

    def irreflexive(self, relation: Literals) -> None:
        """No event is related to itself."""
        self.empty(Literals({(a, b): ways for (a, b), ways in relation.items() if a == b}))

    def acyclic(self, name: str, relation: Literals) -> None:
        """There is an order of the events that contains it."""
        known = [closed for one, closed in self.closures if one is relation]
        if known:
            self.irreflexive(known[0])
            return
        rows = relation.rows()
        alive = nodes_on_cycles(range(len(self.happen)), rows)
        always = self._always(relation, alive)
        order = TotalOrder(self.terms, f"!{name}", sorted(alive), lambda a, b: bool(always[a] >> b & 1))
        for clause in order.clauses():
            self.m.clause(*clause)
        for (a, b), ways in relation.items():
            if a in alive and b in alive and not always[a] >> b & 1:
                for way in ways:
                    self.m.rule(*self._literals(way, a, b), then=order.before(a, b))

    def _always(self, relation: Literals, alive: Iterable[int]) -> dict[int, int]:
        """What the relation has always, as far as going on along it needs no event that may not happen."""
        rows = dict.fromkeys(alive, 0)
        for (a, b), ways in relation.items():
            if a in rows and b in rows and a != b and ALWAYS in ways:
                rows[a] |= 1 << b
        while True:
            kept = {
                a: sum(1 << b for b in rows if row >> b & 1 and not rows[b] & ~row) for a, row in rows.items()
            }
            if kept == rows:
                return rows
            rows = kept
