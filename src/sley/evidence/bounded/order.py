"""One order of all events: literals "this one is before that one", and that they have no cycles.

Events that do not happen are in the order, too; nothing depends on where.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations, pairwise, product
from typing import Any

from sley.analyses.graphs import nodes_on_cycles, unions_ahead
from sley.logic.sorts import BOOL
from sley.logic.terms import Term, Terms

Clause = tuple[Term, ...]

MOST_TRIANGLES = 100_000
"""Cycles of three threads that are excluded at once; where there are more, they are when they come up."""


class EventOrder:
    """The order of events, of which ``known`` pairs are in the same order in every run."""

    def __init__(
        self, terms: Terms, threads: Sequence[int], known: Sequence[tuple[int, int]], name: str = "before"
    ) -> None:
        self.terms = terms
        self.name = name
        self.threads = threads
        """The thread of each event."""
        self.unit = list(range(len(threads)))
        """For each event the one that stands for all with which it is never interrupted."""
        self.literals: dict[tuple[int, int], Term] = {}
        self.earlier = _closure(len(threads), (*_chains(threads), *known))
        """For each event those that are always before it, one bit each."""

    def add(self, a: int, b: int) -> None:
        """Every run has this order, unless it is known that none has."""
        if not self.is_before(b, a):
            new = self.earlier[a] | 1 << a
            for event, bits in enumerate(self.earlier):
                if event == b or bits >> b & 1:
                    self.earlier[event] |= new

    def is_before(self, a: int, b: int) -> bool:
        """Whether every run has this order."""
        return bool(self.earlier[b] >> a & 1)

    def before(self, a: int, b: int) -> Term:
        """Event ``a`` is before event ``b``."""
        t = self.terms
        if self.is_before(a, b):
            return t.true
        if a == b or self.is_before(b, a):
            return t.false
        a, b = self.unit[a], self.unit[b]
        key = (min(a, b), max(a, b))
        literal = self.literals.get(key)
        if literal is None:
            literal = self.literals[key] = t.var(f"!{self.name}{key[0]}:{key[1]}", BOOL)
        return literal if a < b else t.not_(literal)

    # --- no cycles --------------------------------------------------------------------------------

    def clauses(self) -> Iterator[Clause]:
        """Cycles of two threads are excluded; those of three, hence all, if they are not too many."""
        of_thread: dict[int, list[int]] = {}
        for event in sorted({event for pair in self.literals for event in pair}):
            of_thread.setdefault(self.threads[event], []).append(event)
        groups = list(of_thread.values())
        if sum(len(a) * len(b) * len(c) for a, b, c in combinations(groups, 3)) <= MOST_TRIANGLES:
            yield from self._transitivity(groups)
        yield from self._rows()

    def _transitivity(self, groups: Sequence[Sequence[int]]) -> Iterator[Clause]:
        """Two of three events in a row imply the order of the outer ones."""
        t = self.terms
        for three in combinations(groups, 3):
            for a, b, c in product(*three):
                ab, bc, ca = self.before(a, b), self.before(b, c), self.before(c, a)
                yield from _satisfiable(t, (ab, bc, ca))
                yield from _satisfiable(t, (t.not_(ab), t.not_(bc), t.not_(ca)))

    def _rows(self) -> Iterator[Clause]:
        """What is before an event is before the later ones of its thread, and the same in reverse."""
        t = self.terms
        rows: dict[tuple[int, int], list[int]] = {}
        for a, b in self.literals:
            rows.setdefault((a, self.threads[b]), []).append(b)
            rows.setdefault((b, self.threads[a]), []).append(a)
        for (a, _), others in rows.items():
            others.sort()
            for b, later in pairwise(others):
                yield t.not_(self.before(a, b)), self.before(a, later)

    def cycle(self, holds: Callable[[Term], bool]) -> list[Clause]:
        """Clauses that exclude cycles of a model; none if it has none."""
        after: list[list[int]] = [[] for _ in self.threads]
        for a, b in self._static():
            after[a].append(b)
        for (a, b), literal in self.literals.items():
            first, second = (a, b) if holds(literal) else (b, a)
            after[first].append(second)
        return list(dict.fromkeys(self._excluded(cycle) for cycle in _cycles(after)))

    def _static(self) -> Iterator[tuple[int, int]]:
        """Enough of the order that every run has: of each thread the last one before an event."""
        last: dict[int, int] = {}
        units = sorted(set(self.unit))
        for unit in units:
            for other in units:
                if self.is_before(other, unit):
                    last[self.threads[other]] = other
            yield from ((other, unit) for other in last.values())
            last.clear()

    def _excluded(self, cycle: Sequence[int]) -> Clause:
        """Some link of the cycle does not hold; links that every run has are left out."""
        links = zip(cycle, (*cycle[1:], cycle[0]), strict=True)
        return tuple(self.terms.not_(self.before(a, b)) for a, b in links if not self.is_before(a, b))


class Orders:
    """Several orders, as one that has cycles if one of them does."""

    def __init__(self, orders: list[EventOrder]) -> None:
        self.orders = orders

    def __getattr__(self, name: str) -> Any:
        return getattr(self.orders[0], name)

    def clauses(self) -> Iterator[Clause]:
        """Those of all."""
        return (clause for order in self.orders for clause in order.clauses())

    def cycle(self, holds: Callable[[Term], bool]) -> list[Clause]:
        """Clauses that exclude cycles of a model."""
        return [clause for order in self.orders for clause in order.cycle(holds)]


def _closure(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """For each event all before it."""
    sources: dict[int, list[int]] = {event: [] for event in range(count)}
    for before, after in edges:
        sources[after].append(before)
    earlier = unions_ahead(sources, sources, lambda event: 1 << event)
    return [earlier[event] & ~(1 << event) for event in range(count)]


def _satisfiable(t: Terms, clause: Clause) -> Iterator[Clause]:
    if t.true not in clause:
        yield tuple(literal for literal in clause if literal != t.false)


def _chains(threads: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Each event of a thread before the next one."""
    last: dict[int, int] = {}
    for event, thread in enumerate(threads):
        if thread in last:
            yield last[thread], event
        last[thread] = event


def _cycles(after: Sequence[Sequence[int]]) -> list[list[int]]:
    """Some shortest cycles of a graph: at most one through each node."""
    alive = nodes_on_cycles(range(len(after)), dict(enumerate(after)))
    found: list[list[int]] = []
    used: set[int] = set()
    for start in sorted(alive):
        if start not in used:
            cycle = _shortest(after, alive, start)
            if cycle:
                used.update(cycle)
                found.append(cycle)
    return found


def _shortest(after: Sequence[Sequence[int]], alive: Collection[int], start: int) -> list[int]:
    came: dict[int, int] = {}
    level = [start]
    while level:
        following: list[int] = []
        for node in level:
            for target in after[node]:
                if target == start:
                    path = [node]
                    while path[-1] != start:
                        path.append(came[path[-1]])
                    return path[::-1]
                if target in alive and target not in came:
                    came[target] = node
                    following.append(target)
        level = following
    return []
