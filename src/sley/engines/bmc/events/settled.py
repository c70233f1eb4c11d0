"""Settled variables: what nobody writes once there are several threads holds what was there before.

LEMMA. If no node but the first writes a shared variable, every read of it copies the first node: its value is
known, and the read need not be an event.

Used while threads are unrolled, since such values are often bounds of loops and addresses; tested afterwards.
"""

from sley.engines.bmc.events.graph import EventGraph
from sley.logic.terms import Term


def written_variables(graph: EventGraph) -> frozenset[Term]:
    """The shared variables that some node writes, apart from the first."""
    return frozenset(variable for node in graph.nodes[1:] for variable in node.writes)


def settled_variables(graph: EventGraph) -> frozenset[Term]:
    """The shared variables that are read, and that no node writes but the first."""
    return frozenset(variable for node in graph.nodes for variable in node.reads) - written_variables(graph)
