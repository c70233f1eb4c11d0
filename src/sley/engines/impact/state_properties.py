"""Data race, deadlock and leak as conditions at the nodes of the tree."""

from sley.engines.impact.tree import Control
from sley.program.properties import Failure, Property
from sley.semantics.places import Places
from sley.semantics.symbolic_step import Shape
from sley.semantics.symbolic_violations import Condition, SymbolicPredicates

RACE = Failure(Property.RACE, "data-race", "data race")
DEADLOCK = Failure(Property.DEADLOCK, "deadlock", "deadlock")
LEAK = Failure(Property.LEAK, "memory-leak", "memory is lost: allocated, not freed, unreachable")


class StateProperties:
    """The conditions that violate the chosen properties, by control and shape."""

    def __init__(self, places: Places, properties: frozenset[Property]) -> None:
        self.places = places
        self.properties = properties
        self._predicates: dict[Shape, SymbolicPredicates] = {}
        self._known: dict[tuple[Control, Shape], tuple[tuple[Failure, Condition], ...]] = {}

    def _of(self, shape: Shape) -> SymbolicPredicates:
        if shape not in self._predicates:
            self._predicates[shape] = SymbolicPredicates(
                self.places.steps.vocabulary(shape), lambda edge, _: self.places.listed(shape, edge)
            )
        return self._predicates[shape]

    def at(self, control: Control, shape: Shape) -> tuple[tuple[Failure, Condition], ...]:
        """What must not hold in a state."""
        key = (control, shape)
        if key not in self._known:
            self._known[key] = tuple(self._conditions(control, shape))
        return self._known[key]

    def _conditions(self, control: Control, shape: Shape) -> list[tuple[Failure, Condition]]:
        found: list[tuple[Failure, Condition]] = []
        predicates = self._of(shape)
        if Property.RACE in self.properties:
            found += [(RACE, condition) for _, _, condition in predicates.race(control)]
        if Property.DEADLOCK in self.properties:
            stuck = predicates.stuck(control)
            if stuck is not None:
                found.append((DEADLOCK, stuck))
            found.append((DEADLOCK, predicates.wait_cycle(control)))
        if Property.LEAK in self.properties:
            lost = predicates.leak_after_all(control)
            if lost is not None:
                found.append((LEAK, lost))
        return found

    def at_end(self, control: Control, shape: Shape, thread: int) -> tuple[Failure, Condition] | None:
        """What must not hold when the thread ends the process."""
        if Property.LEAK not in self.properties:
            return None
        return LEAK, self._of(shape).leak(control, thread)
