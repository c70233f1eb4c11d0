"""How far a tree may grow, and its watchers: nothing of this is part of the algorithm.

Labels that do not generalise lead into trees without end; they show early, in paths that come back to the
same places again and again, or in labels that only get longer.
"""

from collections.abc import Collection
from itertools import pairwise
from typing import NamedTuple

from sley.base.budget import Budget
from sley.engines.impact.thresholds import MORE_SECONDS
from sley.engines.impact.tree import Node
from sley.logic.terms import Terms
from sley.program.properties import Property


class Extent(NamedTuple):
    """How large a tree may become."""

    nodes: int
    conjuncts: int
    """In a label."""
    repetitions: int | None = None
    """How often a path may come back to where all threads stand alike; None: as often as it likes."""
    open_repetitions: int | None = None
    """The same, where inputs decide each time whether it does."""
    implications: int | None = None
    """How many of them may be asked about; None: as many as it takes."""


class Size(NamedTuple):
    """How large a tree is, and what has been found in it."""

    nodes: int
    implications: int
    violated: Collection[Property]


class Watcher:
    """Looks on, and says when to stop: the tree grows beyond its extent, or enough violations are known."""

    def __init__(
        self, terms: Terms, extent: Extent | None, properties: frozenset[Property], budget: Budget
    ) -> None:
        self.terms = terms
        self.extent = extent
        self.properties = properties
        self.budget = budget
        self.is_beyond = False
        """Whether the tree has outgrown its extent, without a violation."""
        self._largest_label = self._repetitions = self._open_repetitions = 0
        self._until: float | None = None

    @property
    def is_open_ended(self) -> bool:
        """Whether a path came back again and again to where it was because inputs said so."""
        return self._open_repetitions > 1

    def expanded(self, node: Node, alike: int) -> None:
        """A node is expanded; so many with the same control have been, this one among them."""
        if alike <= self._open_repetitions:
            return
        decisions, there = 0, list[int]()
        for at in node.path():
            decisions += any(guard != self.terms.true for guard in at.guard)
            if (at.control, at.shape) == (node.control, node.shape):
                there.append(decisions)
        self._repetitions = max(self._repetitions, len(there) - 1)
        self._open_repetitions = max(self._open_repetitions, sum(a != b for a, b in pairwise(there)))

    def strengthened(self, node: Node) -> None:
        """A node has a stronger label."""
        self._largest_label = max(self._largest_label, len(node.label.conjuncts))

    def stops(self, size: Size) -> bool:
        """Whether the tree is not to grow any more; raises if the time is up."""
        self.budget.spend()
        if size.violated and self._is_enough(size.violated):
            return True
        is_large = self.extent is not None and self._exceeds(self.extent, size)
        self.is_beyond = is_large and not size.violated
        return is_large

    def _exceeds(self, extent: Extent, size: Size) -> bool:
        """Whether the tree seems to grow without end."""
        return (
            size.nodes > extent.nodes
            or self._largest_label > extent.conjuncts
            or _is_above(self._repetitions, extent.repetitions)
            or _is_above(self._open_repetitions, extent.open_repetitions)
            or _is_above(size.implications, extent.implications)
        )

    def _is_enough(self, violated: Collection[Property]) -> bool:
        """After the first violation, look for other properties as long again."""
        if self._until is None:
            self._until = 2 * self.budget.elapsed() + MORE_SECONDS
        return self.properties <= set(violated) or self.budget.elapsed() > self._until


def _is_above(number: int, limit: int | None) -> bool:
    return limit is not None and number > limit
