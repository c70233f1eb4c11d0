"""What an unrolling takes for granted, and what is tested on the events that come out."""

from dataclasses import dataclass, replace

from sley.engines.bmc.events.graph import EventGraph
from sley.engines.bmc.events.sections import exposed_sections
from sley.engines.bmc.events.settled import settled_variables, written_variables
from sley.logic.terms import Term
from sley.semantics.symbolic_step import Shape


@dataclass(frozen=True, slots=True)
class Claims:
    """What an unrolling takes for granted; the less, the larger its events."""

    shape: Shape
    """All threads and heap blocks that come to exist."""
    exposed: frozenset[int] = frozenset()
    """Where critical sections begin that are not one node."""
    settled: frozenset[Term] = frozenset()
    """Shared variables that nobody writes once there are several threads."""

    def without_section(self, location: int) -> "Claims":
        """The critical sections that begin here are not one node, either."""
        return replace(self, exposed=self.exposed | {location})

    def with_settled(self, graph: EventGraph) -> "Claims":
        """Whatever nobody wrote is settled."""
        return replace(self, settled=self.settled | settled_variables(graph))

    def revised(self, graph: EventGraph, found: Shape) -> "Claims":
        """The same if all is true of these events, in which just that was found to exist; otherwise less."""
        exposed = self.exposed | exposed_sections(graph)
        return Claims(found, exposed, self.settled - written_variables(graph))
