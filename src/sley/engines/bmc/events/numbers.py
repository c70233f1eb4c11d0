"""Numbers of threads and heap blocks: the events use those of our order of unrolling.

Where a run may give them others, the events do not say what happens: a trouble.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from sley.engines.bmc.events.conditions import Conditions
from sley.engines.bmc.events.graph import EventGraph, UnclearNode
from sley.logic.terms import Term


def note_thread_numbers(graph: EventGraph) -> EventGraph:
    """Every thread is created after the one with the number before, in every run, or there is a trouble."""
    t, order = graph.terms, graph.order
    conditions = [
        t.and_(
            later.condition,
            t.not_(earlier.condition) if order.is_before(earlier.node, later.node) else t.true,
        )
        for earlier, later in pairwise(graph.creations)
    ]
    return _with_troubles(graph, conditions, "the numbers of threads depend on the schedule")


def note_block_numbers(graph: EventGraph) -> EventGraph:
    """No block is made after another one was freed, whose number it might get, or there is a trouble."""
    if not graph.reuses_numbers:
        return graph
    conditions = [
        graph.terms.and_(made.condition, freed.condition)
        for made in graph.allocations
        for freed in graph.frees
        if not (freed.thread == made.thread and freed.at > made.at)
        and not (made.is_alone and not freed.is_alone)
    ]
    return _with_troubles(graph, conditions, "a heap block may get the number of a dead one")


def _with_troubles(graph: EventGraph, conditions: Iterable[Term], reason: str) -> EventGraph:
    """The graph with a trouble for each condition that is not surely false."""
    possible = Conditions(graph.terms).extended
    troubles = [UnclearNode(c, reason, 0) for c in conditions if possible((), c) is not None]
    return replace(graph, troubles=graph.troubles + troubles) if troubles else graph
