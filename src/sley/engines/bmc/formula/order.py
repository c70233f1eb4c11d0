"""That literals for "this node is before that one" are an order of the nodes.

* ``clocks``: every node has a clock, and a literal compares two of them. Nothing more is needed.
* ``cycles``: literals are free variables, with clauses that exclude cycles of two threads and, unless there
  are too many, of three, which excludes all. Otherwise a model may contain cycles: the search finds them,
  and a clause per cycle excludes it.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from typing import NamedTuple

from sley.engines.bmc.events.graph import EventGraph
from sley.engines.bmc.thresholds import MOST_TRIANGLES
from sley.logic.sorts import BOOL, bitvec
from sley.logic.terms import Term


class Link(NamedTuple):
    """One node is before another, or next to it."""

    source: int
    target: int
    is_next: bool = False


Cycle = tuple[Link, ...]
"""A cycle of the order; which of its links hold in every run is left to the reader."""

Clause = tuple[Term, ...]


class PairOrder:
    """The literals for pairs of nodes, and what has to hold of them."""

    def __init__(self, graph: EventGraph, *, asks_all: bool = False) -> None:
        self.terms = graph.terms
        self.graph = graph
        self.asks_all = asks_all
        """Whether clocks say also in which order pairs are of which every run has the same."""
        self.static = graph.order
        self.literals: dict[tuple[int, int], Term] = {}
        """For two nodes, the smaller number first, the literal that it is before the other."""
        self.clauses: list[Clause] = []
        """Of each, some literal holds."""
        self._before: dict[tuple[int, int], Term] = {}
        self._adjacent: dict[tuple[int, int], Term] = {}

    def clause(self, *literals: Term) -> None:
        """One of the literals holds."""
        if self.terms.true not in literals:
            self.clauses.append(tuple(x for x in literals if x != self.terms.false))

    def clock(self, node: int) -> Term:
        """When a node happens."""
        return self.terms.var(f"!clock{node}", bitvec(max(4, (2 * len(self.graph.nodes)).bit_length())))

    def before(self, a: int, b: int) -> Term:
        """Node ``a`` happens before node ``b``."""
        known = self._before.get((a, b))
        if known is None:
            known = self._before[a, b] = self._make_before(a, b)
        return known

    def _make_before(self, a: int, b: int) -> Term:
        t = self.terms
        if a == b:
            return t.false
        if not self.asks_all and self.static.is_ordered(a, b):
            return t.const(self.static.is_before(a, b), BOOL)
        key = (min(a, b), max(a, b))
        literal = self.literals.get(key)
        if literal is None:
            literal = self.literals[key] = t.var(f"!order{key[0]}:{key[1]}", BOOL)
        return literal if a < b else t.not_(literal)

    def adjacent(self, a: int, b: int) -> Term:
        """No other node happens between two nodes."""
        key = (min(a, b), max(a, b))
        literal = self._adjacent.get(key)
        if literal is None:
            literal = self._adjacent[key] = self.terms.var(f"!next{key[0]}:{key[1]}", BOOL)
        return literal

    def cycle_clause(self, cycle: Cycle) -> Clause | None:
        """The clause that a cycle justifies; None if it does not justify any.

        At most one link may say that two nodes are next to each other: then others have to lead through a
        third node, which would be between them.
        """
        nodes = [link.source for link in cycle]
        is_closed = [link.target for link in cycle] == nodes[1:] + nodes[:1]
        neighbours = sum(link.is_next for link in cycle)
        if not is_closed or len(set(nodes)) < len(nodes) or neighbours > 1 or len(cycle) < 2 + neighbours:
            return None
        literals = [
            self.adjacent(link.source, link.target) if link.is_next else self.before(link.source, link.target)
            for link in cycle
        ]
        return tuple(self.terms.not_(literal) for literal in literals)

    # --- clocks -----------------------------------------------------------------------------------

    def by_clocks(self) -> Iterator[Term]:
        """What literals say, clocks say, too."""
        t = self.terms
        for a, b in self.static.edges:
            yield t.ult(self.clock(a), self.clock(b))
        for (a, b), literal in self.literals.items():
            yield t.implies(literal, t.ult(self.clock(a), self.clock(b)))
            yield t.implies(t.not_(literal), t.ult(self.clock(b), self.clock(a)))
        for (a, b), literal in self._adjacent.items():
            one, other, step = self.clock(a), self.clock(b), t.bv(1, t.width(self.clock(a)))
            yield t.implies(literal, t.or_(t.eq(one, t.add(other, step)), t.eq(other, t.add(one, step))))

    # --- cycles -----------------------------------------------------------------------------------

    def exclude_cycles(self, *, is_eager: bool) -> None:
        """Cycles of two threads; all cycles, if they are wanted and not too many."""
        of_thread = self._ordered_nodes()
        triangles = sum(len(a) * len(b) * len(c) for a, b, c in combinations(of_thread, 3))
        neighbours = len(self._adjacent) * sum(map(len, of_thread))
        if is_eager and triangles + neighbours <= MOST_TRIANGLES:
            for one, other in combinations(of_thread, 2):
                for a, b in product(one, other):
                    self.before(a, b)
            self._exclude_triangles(of_thread)
            self._keep_neighbours(of_thread)
        for first, second in self._implied():
            self.clause(self.terms.not_(self.before(*first)), self.before(*second))

    def _ordered_nodes(self) -> list[list[int]]:
        """The nodes of which any order is asked, by thread."""
        found: dict[int, list[int]] = {}
        for node in sorted({node for pair in (*self.literals, *self._adjacent) for node in pair}):
            found.setdefault(self.graph.nodes[node].thread, []).append(node)
        return list(found.values())

    def _exclude_triangles(self, of_thread: Sequence[Sequence[int]]) -> None:
        t = self.terms
        for three in combinations(of_thread, 3):
            for a, b, c in product(*three):
                ab, bc, ca = self.before(a, b), self.before(b, c), self.before(c, a)
                self.clause(ab, bc, ca)
                self.clause(t.not_(ab), t.not_(bc), t.not_(ca))

    def _keep_neighbours(self, of_thread: Sequence[Sequence[int]]) -> None:
        """What is before one of two neighbours is before the other."""
        t = self.terms
        for (a, b), literal in self._adjacent.items():
            for node in (node for nodes in of_thread for node in nodes if node not in (a, b)):
                one, other = self.before(node, a), self.before(node, b)
                self.clause(t.not_(literal), t.not_(one), other)
                self.clause(t.not_(literal), one, t.not_(other))

    def _implied(self) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Pairs of literals such that the first implies the second: the same, or later or earlier nodes."""
        nodes = self.graph.nodes
        rows: dict[tuple[int, int], list[int]] = {}
        for a, b in self.literals:
            rows.setdefault((a, nodes[b].thread), []).append(b)
            rows.setdefault((b, nodes[a].thread), []).append(a)
        for (a, _), others in rows.items():
            others.sort()
            for b, later in pairwise(others):
                yield (a, b), (a, later)
                yield (later, a), (b, a)
