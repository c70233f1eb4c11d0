"""Where runs are to be led to, and how far that is from anywhere."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Self

from sley.base.source import Span
from sley.program import instructions as ir
from sley.program.program import Edge, Origin, user_origin
from sley.program.properties import Property
from sley.semantics.code import Code


@dataclass(frozen=True, slots=True)
class DirectedTarget:
    """What may go wrong, and at which places of the C program."""

    kind: Property
    spans: frozenset[Span]

    @classmethod
    def at(cls, prop: Property, origins: Iterable[Origin | None]) -> Self:
        """By the places that a check names."""
        return cls(prop, frozenset(one.span for one in origins if one is not None and one.span is not None))

    @property
    def needs_two(self) -> bool:
        """Whether two threads have to meet."""
        return self.kind in (Property.RACE, Property.DEADLOCK)


class Map:
    """Where places of the C program are in a flat program."""

    def __init__(self, code: Code) -> None:
        self._edges: dict[Span, list[Edge]] = {}
        self._before: dict[int, list[int]] = {}
        for edges in code.out.values():
            for edge in edges:
                self._add(code, edge)

    def _add(self, code: Code, edge: Edge) -> None:
        span = user_origin(edge.origin).span
        if span is not None:
            self._edges.setdefault(span, []).append(edge)
        self._before.setdefault(edge.target, []).append(edge.source)
        if isinstance(edge.instruction, ir.Create):  # what the new thread does, its creator led to
            entry = code.program.functions[edge.instruction.function].entry
            self._before.setdefault(entry, []).append(edge.source)

    def way(self, target: DirectedTarget) -> "Route":
        """To a target."""
        wanted = ir.Lock | ir.Join if target.kind is Property.DEADLOCK else ir.Accessing | ir.Free
        edges = [
            edge
            for span in target.spans
            for edge in self._edges.get(span, ())
            if not target.needs_two or isinstance(edge.instruction, wanted)
        ]
        return Route(edges, self._before, is_held=target.needs_two)


class Route:
    """How to get to a target."""

    def __init__(self, edges: Sequence[Edge], before: dict[int, list[int]], *, is_held: bool) -> None:
        self.goals = frozenset(edge.source for edge in edges)
        """Locations from which the next edge is at the target."""
        self.arrivals = self.goals | {edge.target for edge in edges}
        """Where a thread stands that is there, or was just now."""
        self._before = before
        self._is_held = is_held

    def holds(self, location: int) -> bool:
        """Whether a thread is to wait here until another one comes: what is looked for needs two of them."""
        return self._is_held and location in self.goals

    def distance(self, location: int) -> float:
        """The fewest edges to the target, of this thread or one that it creates; infinite: it is behind."""
        return self._distances.get(location, inf)

    @cached_property
    def _distances(self) -> dict[int, int]:
        found = dict.fromkeys(sorted(self.goals), 0)
        waiting = deque(found)
        while waiting:
            location = waiting.popleft()
            for source in self._before.get(location, ()):
                if source not in found:
                    found[source] = found[location] + 1
                    waiting.append(source)
        return found
