"""Joins: a thread that waits for the end of another comes after it.

LEMMA. A join with a known handle goes on only after its thread has ended. So every node of the joining thread
that happens only if the join did happens after the events that end the thread. A join on one path only says
nothing about what follows on others: the order begins with the first node from which on every node has the
condition of the join among its conjuncts.
"""

from dataclasses import replace

from sley.engines.bmc.events.graph import EventGraph
from sley.logic.clauses import conjuncts


def order_joins(graph: EventGraph) -> EventGraph:
    """The graph with edges from the ends of threads to those that wait for them."""
    edges: list[tuple[int, int]] = []
    for thread, join, guard in graph.joins:
        first = _first_after(graph, join, frozenset(guard))
        if graph.nodes[join].thread != thread and first is not None:
            ends = [exit_.node for exit_ in graph.exits if graph.nodes[exit_.node].thread == thread]
            edges.extend((end, first) for end in ends)
    return replace(graph, join_edges=edges)


def _first_after(graph: EventGraph, join: int, guard: frozenset[int]) -> int | None:
    """The first node of a thread from which on all happen only if a join did."""
    first = None
    for node in reversed(graph.nodes[join:]):
        if node.thread == graph.nodes[join].thread:
            if not guard.issubset(conjuncts(graph.terms, (node.occurs,))):
                break
            first = node.number
    return first
