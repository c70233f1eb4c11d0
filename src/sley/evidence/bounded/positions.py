"""Positions in an unrolled thread: a stop, and how often each loop around it was begun anew.

Nothing depends on these numbers being right: they decide which paths meet, and when a loop has reached its
bound; what is cut off is asked for.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sley.analyses.loops import find_loops
from sley.program.ordering import reverse_postorder
from sley.program.program import Edge, Function

Iterations = tuple[int, ...]


class Repetition(NamedTuple):
    """The head of a loop is reached again, for so many times in these iterations around it."""

    head: int
    around: Iterations
    times: int


class LoopPositions:
    """The loops of one thread template, and an order of its positions that all runs keep."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.loops = find_loops(function)
        self._bodies = self.loops.bodies
        self._place = reverse_postorder(function)
        self._heads: dict[int, tuple[int, ...]] = {}

    def heads(self, location: int) -> tuple[int, ...]:
        """The heads of the loops around a location, from outside in."""
        if location not in self._heads:
            around = [(-len(body), head) for head, body in self._bodies.items() if location in body]
            self._heads[location] = tuple(head for _, head in sorted(around))
        return self._heads[location]

    def is_head(self, location: int) -> bool:
        """Whether a loop begins here."""
        return location in self._bodies

    def start(self) -> Iterations:
        """Where the thread begins."""
        return (0,) * len(self.heads(self.function.entry))

    def key(self, location: int, iterations: Iterations) -> tuple[int, ...]:
        """Larger for what comes later."""
        parts: list[int] = []
        for head, count in zip(self.heads(location), iterations, strict=True):
            parts += [self._place.get(head, -1), count]
        return (*parts, self._place.get(location, -1), location)

    def follow(
        self, edges: Iterable[Edge], iterations: Iterations
    ) -> Iterator[tuple[Iterations, Repetition | None]]:
        """The iterations after each of some edges, and the loop that it begins anew."""
        for edge in edges:
            counts = dict(zip(self.heads(edge.source), iterations, strict=True))
            is_back = edge.source in self._bodies.get(edge.target, ())
            heads = self.heads(edge.target)
            iterations = tuple(counts.get(head, 0) + (is_back and head == edge.target) for head in heads)
            at = heads.index(edge.target) if is_back else 0
            repetition = Repetition(edge.target, iterations[:at], iterations[at]) if is_back else None
            yield iterations, repetition

    def repetitions(self, location: int, iterations: Iterations) -> Iterator[Repetition]:
        """How often each loop around a location was begun anew, from outside in."""
        for at, (head, times) in enumerate(zip(self.heads(location), iterations, strict=True)):
            yield Repetition(head, iterations[:at], times)
