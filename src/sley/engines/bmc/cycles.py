"""From a model to a run, or to the cycles that forbid it."""

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from sley.analyses.graphs import nodes_on_cycles
from sley.engines.bmc.events.graph import StaticOrder, linked
from sley.engines.bmc.formula.formula import Formula
from sley.engines.bmc.formula.order import Cycle, Link
from sley.engines.bmc.thresholds import MOST_CYCLES


def pieces(cycle: Cycle) -> list[Cycle]:
    """Cycles of three that together exclude a cycle, and many others: it is cut into triangles."""
    if len(cycle) <= 3 or any(link.is_next for link in cycle):
        return [cycle]
    hub, *others = (link.source for link in cycle)
    return [(Link(hub, a), Link(a, b), Link(b, hub)) for a, b in pairwise(others)]


class Rows:
    """For each node and thread, the nodes of the thread whose order with it is a literal."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self._rows: dict[tuple[int, int], list[int]] = {}
        self._known = 0

    def news(self) -> Iterator[Cycle]:
        """Cycles of two literals that became possible since the last time, by literals that are new."""
        literals, nodes = list(self.formula.order.literals), self.formula.graph.nodes
        for a, b in literals[self._known :]:
            for node, other in ((a, b), (b, a)):
                row = self._rows.setdefault((node, nodes[other].thread), [])
                at = bisect_left(row, other)
                for first, second in pairwise((*row[max(0, at - 1) : at], other, *row[at : at + 1])):
                    yield (Link(node, first), Link(first, second), Link(second, node))
                row.insert(at, other)
        self._known = len(literals)


class ModelOrder:
    """The order that a model needs: the static one and some more edges."""

    def __init__(
        self,
        count: int,
        static: StaticOrder,
        needed: Iterable[tuple[int, int]],
        neighbours: tuple[int, int] | None,
    ) -> None:
        self.neighbours = neighbours
        self.needed = list(needed)
        self.targets, self.sources = linked(count, (*self.needed, *static.edges))
        self.is_acyclic = not nodes_on_cycles(self.targets, self.targets)
        """Whether there is an order at all."""

    def until(self, goals: Sequence[int]) -> list[int] | None:
        """Some nodes and all that has to happen before them, in order; None if that is not possible."""
        wanted = set(goals)
        waiting = list(goals)
        while waiting:
            for source in self.sources[waiting.pop()]:
                if source not in wanted:
                    wanted.add(source)
                    waiting.append(source)
        missing = {node: sum(s in wanted for s in self.sources[node]) for node in wanted}
        ready = deque(sorted(node for node in wanted if not missing[node]))
        order: list[int] = []
        while ready:
            node = ready.popleft()
            order.append(node)
            for target in self.targets[node]:
                if target in wanted:
                    missing[target] -= 1
                    if not missing[target]:
                        ready.appendleft(target)
        return order if len(order) == len(wanted) else None

    def cycles(self) -> list[Cycle]:
        """Cycles through the needed edges, one for each at most, the shortest first; none: it is an order."""
        found: dict[frozenset[Link], Cycle] = {}
        if not self.is_acyclic:
            for a, b in self.needed:
                path = self._path(b, a)
                if path is not None:
                    cycle = (Link(a, b), *path)
                    found.setdefault(frozenset(cycle), cycle)
        elif self.neighbours is not None:
            a, b = self.neighbours
            for one, other in ((a, b), (b, a)):
                path = self._path(one, other, is_direct=False)
                if path is not None:
                    cycle = (Link(other, one, is_next=True), *path)
                    found.setdefault(frozenset(cycle), cycle)
        return sorted(found.values(), key=len)[:MOST_CYCLES]

    def _path(self, start: int, goal: int, *, is_direct: bool = True) -> tuple[Link, ...] | None:
        """The shortest path; not the edge itself unless ``is_direct``."""
        came: dict[int, int] = {start: start}
        waiting = deque([start])
        while waiting:
            node = waiting.popleft()
            for target in self.targets[node]:
                if target == goal and not is_direct and node == start:
                    continue
                if target not in came:
                    came[target] = node
                    if target == goal:
                        return self._walked(came, goal)
                    waiting.append(target)
        return None

    def _walked(self, came: dict[int, int], goal: int) -> tuple[Link, ...]:
        links: list[Link] = []
        at = goal
        while came[at] != at:
            links.append(Link(came[at], at))
            at = came[at]
        return tuple(reversed(links))
