"""Happens-before as literals: what a node knows of the releases of other threads.

Whatever passes from one thread to another does so from a *release point* to an *acquire point*; so it
suffices to say, for each of the former and each of the latter, that the first happens before the second
(or would, if both were there: nodes of branches that are not taken are only places in their thread). All that
comes before the one, by program order, then happens before all that comes after the other.

The clauses say what follows, and nothing about what does not. So a model may have too much happen before, but
all that is made of it (coherence, the axiom SC, the absence of races) only becomes harder by that: where
there is a model, there is one with no more than what follows.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from sley.engines.bmc.formula.formula import Formula
from sley.engines.bmc.formula.order import Clause
from sley.logic.sorts import BOOL
from sley.logic.terms import Term


class HappensBefore:
    """The relation hb of one formula."""

    def __init__(self, formula: Formula, releases: Collection[int], acquires: Collection[int]) -> None:
        self.formula = formula
        self.terms = formula.terms
        self.static = formula.graph.order
        self.threads = [node.thread for node in formula.graph.nodes]
        self.releases = self._by_thread(releases)
        self.acquires = self._by_thread(acquires)
        self.creators = [0, *(creation.node for creation in formula.graph.creations)]

    def _by_thread(self, nodes: Collection[int]) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.formula.graph.threads]
        for node in sorted(nodes):
            found[self.threads[node]].append(node)
        return found

    def _constant(self, *, is_so: bool) -> Term:
        return self.terms.true if is_so else self.terms.false

    def happens_before(self, a: int, b: int) -> Term:
        """hb(a, b), if both happen."""
        if self.threads[a] == self.threads[b]:
            return self._constant(is_so=a < b)
        if self.static.is_before(a, b):
            return self.terms.true
        points = self.releases[self.threads[a]]
        at = bisect_left(points, a)
        return self.terms.false if at == len(points) else self.known(points[at], b)

    def known(self, release: int, node: int) -> Term:
        """A release point is known at a node."""
        if self.threads[release] == self.threads[node]:
            return self._constant(is_so=release <= node)
        if self.static.is_before(release, node):
            return self.terms.true
        if self.static.is_before(node, release):
            return self.terms.false
        points = self.acquires[self.threads[node]]
        at = bisect_right(points, node)
        if at:
            return self._literal(release, points[at - 1])
        thread = self.threads[node]
        return self.known(release, self.creators[thread]) if thread else self.terms.false

    def _literal(self, release: int, acquire: int) -> Term:
        if self.static.is_before(release, acquire):
            return self.terms.true
        if self.static.is_before(acquire, release):
            return self.terms.false
        return self.terms.var(f"!knows{acquire}:{release}", BOOL)

    # --- what follows -----------------------------------------------------------------------------

    def others(self, node: int) -> Iterator[int]:
        """The release points that a node may know of and need not."""
        for thread, points in enumerate(self.releases):
            if thread != self.threads[node]:
                yield from (p for p in points if self.known(p, node) != self.terms.true)

    def is_kept(self) -> None:
        """What is known stays known, and with a release what came before it."""
        clause, t = self.formula.order.clause, self.terms
        for points in self.acquires:
            for number, acquire in enumerate(points):
                for release in self.others(acquire):
                    before = self._before(points, number, release)
                    clause(t.not_(before), self._literal(release, acquire))
                for earlier, later in (pair for own in self.releases for pair in pairwise(own)):
                    if self.threads[earlier] != self.threads[acquire]:
                        clause(t.not_(self._literal(later, acquire)), self._literal(earlier, acquire))

    def _before(self, points: Sequence[int], number: int, release: int) -> Term:
        """The release is known just before an acquire point of its thread."""
        if number:
            return self._literal(release, points[number - 1])
        thread = self.threads[points[number]]
        return self.known(release, self.creators[thread]) if thread else self.terms.false

    def passes(self, literals: Clause, source: int, acquire: int) -> None:
        """If the literals hold, whatever is known at one node is known at an acquire point."""
        t = self.terms
        missing = [t.not_(literal) for literal in literals]
        for release in self.others(acquire):
            before = t.not_(self.known(release, source))
            self.formula.order.clause(*missing, before, self._literal(release, acquire))
