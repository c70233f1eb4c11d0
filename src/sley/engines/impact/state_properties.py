"""Data race, deadlock and leak as conditions at the nodes of the tree."""

from sley.engines.impact.tree import Control
from sley.program.properties import Failure, Property
from sley.semantics.places import ShapePlaces
from sley.semantics.symbolic_step import Shape
from sley.semantics.symbolic_violations import Condition

FAILURES = {
    Property.RACE: Failure(Property.RACE, "data-race", "data race"),
    Property.DEADLOCK: Failure(Property.DEADLOCK, "deadlock", "deadlock"),
    Property.LEAK: Failure(Property.LEAK, "memory-leak", "memory is lost: allocated, not freed, unreachable"),
}


class StateProperties:
    """The conditions that violate the chosen properties, by control and shape."""

    def __init__(self, places: ShapePlaces, properties: frozenset[Property]) -> None:
        self.places = places
        self.properties = properties
        self._known: dict[tuple[Control, Shape], list[tuple[Failure, Condition]]] = {}

    def at(self, control: Control, shape: Shape) -> list[tuple[Failure, Condition]]:
        """What must not hold in a state."""
        key = (control, shape)
        if key not in self._known:
            found = self.places.predicates(shape).violations(control, self.properties)
            self._known[key] = [(FAILURES[prop], condition) for prop, condition in found]
        return self._known[key]

    def at_end(self, control: Control, shape: Shape, thread: int) -> tuple[Failure, Condition] | None:
        """What must not hold when the thread ends the process."""
        if Property.LEAK not in self.properties:
            return None
        return FAILURES[Property.LEAK], self.places.predicates(shape).leak(control, thread)
