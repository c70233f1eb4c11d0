"""What concerns several threads, and is known only when all of them are unrolled.

Threads are unrolled one after another. Meanwhile this is noted: who creates and joins whom, which locks there
are, which heap blocks begin and end.
"""

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from sley.engines.bmc.events.conditions import Conditions
from sley.engines.bmc.events.graph import EventGraph, Trouble, static_order
from sley.logic.clauses import conjuncts
from sley.logic.terms import Term


class Creation(NamedTuple):
    """A node that creates a thread, and when."""

    node: int
    condition: Term


class Joining(NamedTuple):
    """A node that waits for the end of a thread, and when it goes on."""

    thread: int
    node: int
    guard: tuple[Term, ...]


class Life(NamedTuple):
    """A heap block begins or ends."""

    thread: int
    at: int
    """Later in a thread is larger."""
    is_alone: bool
    condition: Term


@dataclass(slots=True)
class Crossings:
    """Notes about one unrolling."""

    conditions: Conditions
    creations: list[Creation] = field(default_factory=list)
    """In the order in which we met them."""
    joins: list[Joining] = field(default_factory=list)
    lock_cells: dict[int, Term] = field(default_factory=dict)
    """Address of a lock -> its cell."""
    allocations: list[Life] = field(default_factory=list)
    frees: list[Life] = field(default_factory=list)

    def settle(self, graph: EventGraph, *, is_reusing: bool) -> None:
        """All threads are unrolled; ``is_reusing``: a new block may get the number of a dead one."""
        self._order_joins(graph)
        self._forget_spoiled_locks(graph)
        self._find_order_troubles(graph)
        if is_reusing:
            self._find_reuse_troubles(graph)

    def _order_joins(self, graph: EventGraph) -> None:
        """Who joins a thread comes after its end, and so does all that happens only if the join did."""
        ends: dict[int, list[int]] = {}
        for exit_ in graph.exits:
            ends.setdefault(graph.nodes[exit_.node].thread, []).append(exit_.node)
        for thread, join, guard in self.joins:
            first = self._first_after(graph, join, frozenset(guard))
            if graph.nodes[join].thread != thread and first is not None:
                graph.join_edges.extend((end, first) for end in ends.get(thread, ()))

    def _first_after(self, graph: EventGraph, join: int, guard: frozenset[Term]) -> int | None:
        """The first node of a thread from which on all happen only if a join did."""
        first = None
        for node in reversed(graph.nodes[join:]):
            if node.thread == graph.nodes[join].thread:
                if not guard.issubset(conjuncts(self.conditions.terms, (node.occurs,))):
                    break
                first = node.number
        return first

    def _forget_spoiled_locks(self, graph: EventGraph) -> None:
        """A lock into whose cell somebody writes keeps nobody out."""
        spoiled = {address for address, cell in self.lock_cells.items() if cell in graph.stored}
        if not spoiled:
            return
        for node in graph.nodes:
            for variable, access in node.accesses.items():
                node.accesses[variable] = access._replace(locks=access.locks - spoiled)
            node.touches = [replace(touch, locks=touch.locks - spoiled) for touch in node.touches]

    def _find_order_troubles(self, graph: EventGraph) -> None:
        """Numbers of threads are those of our order: where others are possible, we do not know."""
        t, order = self.conditions.terms, static_order(graph)
        for earlier, later in pairwise(self.creations):
            missing = t.not_(earlier.condition) if order.is_before(earlier.node, later.node) else t.true
            condition = t.and_(later.condition, missing)
            self._trouble(graph, condition, "the numbers of threads depend on the schedule")

    def _find_reuse_troubles(self, graph: EventGraph) -> None:
        """The same for numbers of heap blocks."""
        for made in self.allocations:
            for freed in self.frees:
                is_later = freed.thread == made.thread and freed.at > made.at
                if not is_later and not (made.is_alone and not freed.is_alone):
                    both = self.conditions.terms.and_(made.condition, freed.condition)
                    self._trouble(graph, both, "a heap block may get the number of a dead one")

    def _trouble(self, graph: EventGraph, condition: Term, reason: str) -> None:
        found = self.conditions.extended((), condition)
        if found is not None:
            graph.troubles.append(Trouble(self.conditions.all(found), reason, 0))
