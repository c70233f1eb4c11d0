"""What an unrolling takes for granted, and what is tested on the events that come out.

Critical sections as single nodes: see ``sections``. Settled variables:

LEMMA. If no node but the first writes a shared variable, every read of it copies the first node: its value is
known, and the read need not be an event.

Used while threads are unrolled, since such values are often bounds of loops and addresses; tested afterwards.
"""

from dataclasses import dataclass, replace

from sley.engines.bmc.events.graph import EventGraph
from sley.engines.bmc.events.sections import exposed_sections
from sley.logic.terms import Term
from sley.semantics.symbolic_step import Shape


@dataclass(frozen=True, slots=True)
class UnrollingClaims:
    """What an unrolling takes for granted; the less, the larger its events."""

    shape: Shape
    """All threads and heap blocks that come to exist."""
    exposed: frozenset[int] = frozenset()
    """Where critical sections begin that are not one node."""
    settled: frozenset[Term] = frozenset()
    """Shared variables that are not written once there are several threads."""

    def without_section(self, location: int) -> "UnrollingClaims":
        """The critical sections that begin here are not one node, either."""
        return replace(self, exposed=self.exposed | {location})

    def with_settled(self, graph: EventGraph, others: frozenset[Term] = frozenset()) -> "UnrollingClaims":
        """Whatever was never written is settled, but for some others."""
        return replace(self, settled=self.settled | (settled_variables(graph) - others))

    def revised(self, graph: EventGraph, found: Shape) -> "UnrollingClaims":
        """The same if all is true of these events, in which just that was found to exist; otherwise less."""
        exposed = self.exposed | exposed_sections(graph)
        return UnrollingClaims(found, exposed, self.settled - written_variables(graph))


def written_variables(graph: EventGraph) -> frozenset[Term]:
    """The shared variables that some node writes, apart from the first."""
    return frozenset(variable for node in graph.nodes[1:] for variable in node.writes)


def settled_variables(graph: EventGraph) -> frozenset[Term]:
    """The shared variables that are read, and that no node writes but the first."""
    return frozenset(variable for node in graph.nodes for variable in node.reads) - written_variables(graph)
