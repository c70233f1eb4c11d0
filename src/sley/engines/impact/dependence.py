"""Which steps of two threads commute: in every state, or in those in which a condition does not hold.

The paper's *conditional dependence* (Sec. IV-D): two actions with addresses in common classes are independent
where no two of their accesses, one of them a write, go to the same bytes. The alias expression says when they
do, over the variables before the first of the two actions. It is true at most where they are dependent for
certain, and false nowhere where they might be: where an address cannot be told, it is true.
"""

from dataclasses import replace
from functools import reduce
from itertools import product
from operator import or_

from sley.analyses.accesses import ActionEffects
from sley.analyses.effects import NOTHING, ClassEffect
from sley.analyses.independence import overlap
from sley.engines.impact.thresholds import MOST_PAIRS
from sley.logic.terms import Term
from sley.program.program import Edge
from sley.program.rewriting import access_of
from sley.semantics.places import ShapePlaces
from sley.semantics.symbolic_step import Shape, SymbolicSteps
from sley.semantics.symbolic_touches import SymbolicTouch, Touches, touches_of


class Dependence:
    """Independence of actions, by location and by address."""

    def __init__(self, steps: SymbolicSteps, accesses: ActionEffects, places: ShapePlaces) -> None:
        self.steps = steps
        self.terms = steps.terms
        self.accesses = accesses
        self.places = places
        self._effects: dict[int, ClassEffect] = {}
        self._constant: dict[int, list[SymbolicTouch]] = {}
        self._static: dict[tuple[int, int], bool] = {}
        self._alias: dict[tuple[Shape, int, int, int, int], Term] = {}
        self._touches: dict[tuple[Shape, int, int], Touches] = {}

    def is_independent(self, one: int, other: int) -> bool:
        """Whether the steps from two locations commute in every state."""
        key = (one, other)
        if key not in self._static:
            self._static[key] = not self._effect(one).conflicts_with(self._effect(other))
        return self._static[key]

    def _effect(self, location: int) -> ClassEffect:
        """Of the step from a location: of its action, and of the stops that it may run through."""
        if location not in self._effects:
            found = self.accesses.action(location) | self._passing(location)
            self._effects[location] = found
        return self._effects[location]

    def _passing(self, location: int) -> ClassEffect:
        return reduce(or_, map(self.accesses.action, sorted(self.steps.passed(location))), NOTHING)

    def alias(self, shape: Shape, thread: int, at: int, other: int, other_at: int) -> Term:
        """A condition on the state before both actions; where it does not hold, they commute there."""
        key = (shape, thread, at, other, other_at)
        if key not in self._alias:
            self._alias[key] = self._make_alias(*key)
        return self._alias[key]

    def _make_alias(self, shape: Shape, thread: int, at: int, other: int, other_at: int) -> Term:
        t = self.terms
        if self._are_otherwise_dependent(at, other_at) or self._surely_meet(at, other_at):
            return t.true
        one, two = self._touched(shape, thread, at), self._touched(shape, other, other_at)
        pairs = [(a, b) for a, b in product(one.found, two.found) if self._may_conflict(a.edge, b.edge)]
        if len(pairs) > MOST_PAIRS:
            return t.true
        return t.or_(one.unknown, two.unknown, *(self._meet(a, b) for a, b in pairs))

    def _are_otherwise_dependent(self, one: int, other: int) -> bool:
        """Whether it does not only depend on the addresses of accesses."""
        beside, effect = self._beside_bytes, self._effect
        return beside(one).conflicts_with(effect(other)) or effect(one).conflicts_with(beside(other))

    def _beside_bytes(self, location: int) -> ClassEffect:
        return self.accesses.beside_bytes(location) | self._passing(location)

    def _surely_meet(self, one: int, other: int) -> bool:
        """Whether constant addresses say so, and nothing needs to be followed: so it is in most models."""
        pairs = product(self._fixed(one), self._fixed(other))
        return any(
            self._may_conflict(a.edge, b.edge) and self._meet(a, b) == self.terms.true for a, b in pairs
        )

    def _fixed(self, location: int) -> list[SymbolicTouch]:
        """The accesses of an action that have constant addresses."""
        if location not in self._constant:
            found = ((edge, access_of(edge.instruction)) for edge in self.steps.code.section(location))
            self._constant[location] = [
                SymbolicTouch(edge, accessed[0], accessed[0].address)
                for edge, accessed in found
                if accessed is not None and self.terms.number(accessed[0].address) is not None
            ]
        return self._constant[location]

    def _touched(self, shape: Shape, thread: int, at: int) -> Touches:
        key = (shape, thread, at)
        if key not in self._touches:
            vocabulary, listed = self.steps.vocabulary(shape), self.places.listed
            self._touches[key] = touches_of(vocabulary, thread, at, lambda edge, _: listed(shape, edge))
        return self._touches[key]

    def _may_conflict(self, one: Edge, other: Edge) -> bool:
        """Whether the analyses leave open that they touch the same, and one of them writes it."""
        return self.accesses.effect(one).conflicts_with(self.accesses.effect(other))

    def _meet(self, one: SymbolicTouch, other: SymbolicTouch) -> Term:
        """The two accesses have a byte in common."""
        if one.address is None or other.address is None:
            return self.terms.true
        return overlap(
            self.terms,
            replace(one.access, address=one.address),
            replace(other.access, address=other.address),
        )
