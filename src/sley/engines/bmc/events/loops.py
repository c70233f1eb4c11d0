"""Positions in an unrolled template: a location and how often each loop around it was begun anew.

Positions have keys whose order is an order of execution: wherever an edge leads from one position to another,
the key of the second is larger. So taking the smallest key first has seen all that leads to it.
"""

from collections.abc import Mapping
from functools import cached_property

from sley.analyses.loops import Loops, find_loops
from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.evidence.bounded.proof import Loop
from sley.program.ordering import reverse_postorder
from sley.program.program import Edge, Function

Iterations = tuple[int, ...]
"""For each loop around a location, from outside in, how often its head was reached again."""


Bounds = Mapping[Loop | int, int]
"""How often a loop, or all loops with a head, are repeated; others once."""


def bound_of(bounds: Bounds, loop: Loop) -> int:
    """How often a loop is repeated."""
    return bounds.get(loop, bounds.get(loop.head, 1))


class LoopNest:
    """The loops of one template, and how they nest."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.loops: Loops = find_loops(function)
        self._heads: dict[int, tuple[int, ...]] = {}
        self._check_reducible()

    def _check_reducible(self) -> None:
        for head, body in self.loops.bodies.items():
            for location in body - {head}:
                if any(edge.source not in body for edge in self.function.incoming.get(location, ())):
                    raise GaveUpError(Reason("a loop has several entries", Why.SEVERAL_ENTRIES))

    @cached_property
    def position(self) -> dict[int, int]:
        """Location -> its place in an order that all edges but back edges keep (loops have one entry)."""
        return reverse_postorder(self.function)

    def heads(self, location: int) -> tuple[int, ...]:
        """The heads of the loops around a location, from outside in."""
        found = self._heads.get(location)
        if found is None:
            around = [(-len(body), head) for head, body in self.loops.bodies.items() if location in body]
            found = self._heads[location] = tuple(head for _, head in sorted(around))
        return found

    @cached_property
    def heads_with_exit(self) -> frozenset[int]:
        """The heads of loops that can be left, not counting failures."""
        return frozenset(
            head
            for head, body in self.loops.bodies.items()
            if any(
                edge.source in body and edge.target not in body and edge.target not in self.function.errors
                for edge in self.function.edges
            )
        )

    def is_back(self, edge: Edge) -> bool:
        """Whether the edge begins a loop anew."""
        return edge.target in self.loops.bodies and edge.source in self.loops.bodies[edge.target]

    def after(self, edge: Edge, iterations: Iterations) -> Iterations:
        """The iterations at the target of an edge."""
        before = dict(zip(self.heads(edge.source), iterations, strict=True))
        is_back = self.is_back(edge)
        return tuple(
            before.get(head, 0) + (1 if is_back and head == edge.target else 0)
            for head in self.heads(edge.target)
        )

    def left(self, edge: Edge, iterations: Iterations) -> list[tuple[int, Iterations]]:
        """The loops that the edge leaves, each with its iterations and those around it."""
        if edge.target in self.function.errors:
            return []
        after = set(self.heads(edge.target))
        heads = self.heads(edge.source)
        return [(head, iterations[: depth + 1]) for depth, head in enumerate(heads) if head not in after]

    def iterations_of(self, head: int, iterations: Iterations) -> Iterations:
        """The iterations of a loop and of those around it, where its back edge begins."""
        return iterations[: self.heads(head).index(head) + 1]

    def key(self, location: int, iterations: Iterations) -> tuple[int, ...]:
        """The key of a position."""
        parts: list[int] = []
        for head, count in zip(self.heads(location), iterations, strict=True):
            parts += [self.position[head], count]
        return (*parts, self.position[location])
