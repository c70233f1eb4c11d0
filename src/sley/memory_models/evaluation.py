"""What a text means on a carrier: something that knows the relations of executions and how to combine them.

A carrier may be an execution (``pairs``), or a formula that stands for many. Definitions are evaluated when
something needs them, once. A carrier may know a name or an application by itself (``base``, ``applied``) that
the text could define: then it is that.
"""

from collections.abc import Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from sley.memory_models.model import MemoryModelText
from sley.memory_models.syntax import Apply, Axiom, Expression, Let, Name, Operation, Operator

R = TypeVar("R")
"""Relations of a carrier."""


class Carrier(Protocol[R]):
    """Relations of some kind; a set is the identity on its events."""

    def base(self, name: str) -> R | None:
        """A set or relation of the execution itself."""

    def applied(self, function: str, argument: R) -> R | None:
        """A function of the prelude that the carrier has its own way for."""

    def union(self, parts: Sequence[R]) -> R:
        """All pairs of all."""

    def both(self, one: R, other: R) -> R:
        """The pairs that both have."""

    def without(self, one: R, other: R) -> R:
        """The pairs of one that the other does not have."""

    def then(self, one: R, other: R) -> R:
        """One after the other."""

    def often_then(self, steps: R, last: R) -> R:
        """One any number of times, and then the other."""

    def is_empty(self, one: R) -> bool:
        """Whether no execution has a pair in it."""

    def inverse(self, one: R) -> R:
        """The other way round."""

    def closure(self, one: R) -> R:
        """Any number of times, at least once."""

    def range(self, one: R) -> R:
        """What it leads to."""

    def product(self, one: R, other: R) -> R:
        """All pairs from one set to another."""

    def fixpoint(self, names: Sequence[str], step: "Step[R]") -> Mapping[str, R]:
        """The least relations that are what they make."""


class Step(Protocol[R]):
    """What recursive definitions make of relations."""

    def __call__(self, given: Mapping[str, R], /) -> Mapping[str, R]:
        """Of these relations, by name."""


class Evaluation(Generic[R]):
    """A text on a carrier."""

    def __init__(
        self, model: MemoryModelText, carrier: Carrier[R], given: Mapping[str, R] | None = None
    ) -> None:
        """What is given is not evaluated."""
        self.model = model
        self.carrier = carrier
        self._known: dict[str, R] = dict(given or {})
        self._values: dict[Expression, R] = {}

    def axioms(self, *only: str) -> list[tuple[Axiom, R]]:
        """Each axiom with its relation; or those with certain names."""
        return [
            (axiom, self.value(axiom.relation, {}))
            for axiom in self.model.axioms
            if not only or axiom.name in only
        ]

    def named(self, name: str) -> R:
        """What a name of the text, or of the execution, stands for."""
        if name not in self._known:
            found = self.carrier.base(name)
            self._known[name] = self._defined(name) if found is None else found
        return self._known[name]

    def _defined(self, name: str) -> R:
        binding, let = self.model.lets[name]
        if let.is_recursive:
            self._known |= self._fixpoint(let)
            return self._known[name]
        return self.value(binding.body, {})

    def _fixpoint(self, let: Let) -> Mapping[str, R]:
        def step(given: Mapping[str, R], /) -> Mapping[str, R]:
            return {binding.name: self.value(binding.body, given) for binding in let.bindings}

        return self.carrier.fixpoint([binding.name for binding in let.bindings], step)

    def value(self, expression: Expression, scope: Mapping[str, R]) -> R:
        """What an expression stands for; only outside of functions and recursion it always is the same."""
        if not scope and expression in self._values:
            return self._values[expression]
        found = self._value(expression, scope)
        if not scope:
            self._values[expression] = found
        return found

    def _value(self, expression: Expression, scope: Mapping[str, R]) -> R:
        match expression:
            case Name(name=name):
                return scope[name] if name in scope else self.named(name)
            case Apply():
                return self._applied(expression, scope)
            case Operation(operator=Operator.COMPLEMENT, parts=(part,), place=place):
                everything = self.named("_")
                if place not in self.model.of_sets:
                    everything = self.carrier.product(everything, everything)
                return self.carrier.without(everything, self.value(part, scope))
            case Operation(operator=Operator.SEQUENCE, parts=parts):
                return self._sequence(parts, scope)
            case Operation(operator=operator, parts=(one,)):
                return self._of_one(operator, self.value(one, scope))
            case Operation(operator=operator, parts=parts):
                return self._of_many(operator, parts, scope)

    def _applied(self, expression: Apply, scope: Mapping[str, R]) -> R:
        arguments = [self.value(argument, scope) for argument in expression.arguments]
        if len(arguments) == 1:
            found = self.carrier.applied(expression.function, arguments[0])
            if found is not None:
                return found
        binding, _ = self.model.lets[expression.function]
        return self.value(binding.body, dict(zip(binding.parameters, arguments, strict=True)))

    def _sequence(self, parts: Sequence[Expression], scope: Mapping[str, R]) -> R:
        """From the last part on: then ``r*; s`` needs no closure of r."""
        found = self.value(parts[-1], scope)
        for part in reversed(parts[:-1]):
            if isinstance(part, Operation) and part.operator is Operator.REFLEXIVE:
                found = self.carrier.often_then(self.value(part.parts[0], scope), found)
            else:
                found = self.carrier.then(self.value(part, scope), found)
        return found

    def _of_one(self, operator: Operator, part: R) -> R:
        carrier = self.carrier
        match operator:
            case Operator.INVERSE:
                return carrier.inverse(part)
            case Operator.CLOSURE:
                return carrier.closure(part)
            case Operator.REFLEXIVE:
                return carrier.union((self.named("id"), carrier.closure(part)))
            case Operator.OPTIONAL:
                return carrier.union((self.named("id"), part))
            case Operator.RANGE:
                return carrier.range(part)
            case _:  # the identity on a set is how a set is given
                return part

    def _of_many(self, operator: Operator, parts: Sequence[Expression], scope: Mapping[str, R]) -> R:
        carrier = self.carrier
        if operator in (Operator.UNION, Operator.EMPTY):
            return carrier.union([self.value(part, scope) for part in parts])
        combine = {
            Operator.INTERSECTION: carrier.both,
            Operator.DIFFERENCE: carrier.without,
            Operator.PRODUCT: carrier.product,
        }[operator]
        found = self.value(parts[0], scope)
        for part in parts[1:]:
            if not scope and carrier.is_empty(found):
                return found
            found = combine(found, self.value(part, scope))
        return found
