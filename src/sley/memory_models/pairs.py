"""The carrier of one execution: relations are sets of pairs, and an axiom holds or does not."""

from collections.abc import Mapping, Sequence

from sley.memory_models.evaluation import Evaluation, Step
from sley.memory_models.model import BASE, MemoryModelText
from sley.memory_models.relations import Relation, members
from sley.memory_models.syntax import Requirement


class Pairs:
    """The sets and relations of an execution."""

    def __init__(self, size: int, sets: Mapping[str, int], relations: Mapping[str, Relation]) -> None:
        """Of events with numbers below the size; what is not mentioned is empty."""
        self.size = size
        self.nothing = Relation.of(size, ())
        everything = (1 << size) - 1
        self._base = {
            **{name: Relation.on(size, events) for name, events in sets.items()},
            "id": Relation.on(size, everything),
            "_": Relation.on(size, everything),
            **relations,
        }

    def base(self, name: str) -> Relation | None:
        """A set or relation of the execution."""
        return self._base.get(name, self.nothing if name in BASE else None)

    def applied(self, function: str, argument: Relation) -> Relation | None:
        """Nothing is known better than by its definition."""
        return None

    def union(self, parts: Sequence[Relation]) -> Relation:
        """All pairs of all."""
        found = self.nothing
        for part in parts:
            found = found | part
        return found

    def both(self, one: Relation, other: Relation) -> Relation:
        """The pairs that both have."""
        return one & other

    def without(self, one: Relation, other: Relation) -> Relation:
        """The pairs of one that the other does not have."""
        return one - other

    def then(self, one: Relation, other: Relation) -> Relation:
        """One after the other."""
        return one @ other

    def often_then(self, steps: Relation, last: Relation) -> Relation:
        """One any number of times, and then the other."""
        return last | steps.closure @ last

    def is_empty(self, one: Relation) -> bool:
        """Whether it has no pairs."""
        return one.is_empty

    def inverse(self, one: Relation) -> Relation:
        """The other way round."""
        return one.inverse

    def closure(self, one: Relation) -> Relation:
        """Any number of times, at least once."""
        return one.closure

    def range(self, one: Relation) -> Relation:
        """What it leads to."""
        return one.range

    def product(self, one: Relation, other: Relation) -> Relation:
        """All pairs from one set to another."""
        targets = sum(row for row in other.rows)
        return Relation([targets if row else 0 for row in one.rows])

    def fixpoint(self, names: Sequence[str], step: Step[Relation]) -> Mapping[str, Relation]:
        """The least relations, from empty ones on."""
        found: Mapping[str, Relation] = dict.fromkeys(names, self.nothing)
        while True:
            after = step(found)
            if after == found:
                return found
            found = after


def broken(
    model: MemoryModelText, execution: Pairs, *only: str, given: Mapping[str, Relation] | None = None
) -> str | None:
    """The first axiom, or of some, that an execution does not satisfy; None if it is allowed."""
    for axiom, relation in Evaluation(model, execution, given).axioms(*only):
        if not _HOLDS[axiom.requirement](relation):
            return axiom.name
    return None


def cycle(relation: Relation) -> list[int]:
    """The events of a shortest cycle."""
    best: list[int] = []
    for start in range(len(relation.rows)):
        paths, waiting = {start: [start]}, [start]
        for event in waiting:
            for after in members(relation.rows[event]):
                if after == start and (not best or len(paths[event]) < len(best)):
                    best = paths[event]
                if after not in paths:
                    paths[after] = [*paths[event], after]
                    waiting.append(after)
    return best


_HOLDS = {
    Requirement.ACYCLIC: lambda relation: relation.is_acyclic,
    Requirement.IRREFLEXIVE: lambda relation: relation.is_irreflexive,
    Requirement.EMPTY: lambda relation: relation.is_empty,
}
