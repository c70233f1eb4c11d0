"""What an unrolling may take for granted if it turns out to be true: claims about events, and their tests.

*Critical sections as single nodes.* From taking a lock to giving the last one back, a thread may be run as
if nobody came in between, provided that nobody could notice (R. Lipton, *Reduction*, CACM 1975): a lock can
be taken later, given back earlier, and every access between can be moved both ways, because whoever accesses
the same variable holds a lock in common, or is before or after in every run. A section that waits inside, or
that takes a lock after it gave one back, is not one node (see ``unrolling``).

*Settled variables.* What nobody writes once there are several threads holds what was there before.
"""

from dataclasses import dataclass, replace

from sley.engines.bmc.events.graph import Access, EventGraph, Node
from sley.engines.bmc.events.races import may_conflict, may_overlap
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
        return replace(self, settled=self.settled | _settled_variables(graph))

    def revised(self, graph: EventGraph, found: Shape) -> "Claims":
        """The same if all is true of these events, in which just that was found to exist; otherwise less."""
        exposed = self.exposed | exposed_sections(graph)
        return Claims(found, exposed, self.settled - _written_variables(graph))


def _written_variables(graph: EventGraph) -> frozenset[Term]:
    """The shared variables that some node writes, apart from the first."""
    return frozenset(variable for node in graph.nodes[1:] for variable in node.writes)


def _settled_variables(graph: EventGraph) -> frozenset[Term]:
    """The shared variables that are read, and that no node writes but the first."""
    return frozenset(variable for node in graph.nodes for variable in node.reads) - _written_variables(graph)


def forget_spoiled_locks(graph: EventGraph) -> EventGraph:
    """A lock into whose cell somebody writes keeps nobody out."""
    spoiled = {address for address, cell in graph.lock_cells.items() if cell in graph.stored}
    if not spoiled:
        return graph

    def without(node: Node) -> Node:
        accesses = {v: a._replace(locks=a.locks - spoiled) for v, a in node.accesses.items()}
        touches = [replace(touch, locks=touch.locks - spoiled) for touch in node.touches]
        return replace(node, accesses=accesses, touches=touches)

    return replace(graph, nodes=[without(node) for node in graph.nodes])


def exposed_sections(graph: EventGraph) -> set[int]:
    """Where critical sections begin whose accesses others can notice."""
    if not any(node.is_locked for node in graph.nodes):
        return set()
    return _by_accesses(graph) | _by_touches(graph)


def _by_accesses(graph: EventGraph) -> set[int]:
    users: dict[Term, list[tuple[Node, Access]]] = {}
    for node in graph.nodes:
        for variable, access in node.accesses.items():
            users.setdefault(variable, []).append((node, access))
    found: set[int] = set()
    for uses in users.values():
        if not any(access.is_write for _, access in uses):
            continue
        if frozenset.intersection(*(access.locks for _, access in uses)):
            continue
        for node, mine in uses:
            if not node.is_locked or node.location in found:
                continue
            for other, its in uses:
                if (
                    (mine.is_write or its.is_write)
                    and other.thread != node.thread
                    and mine.locks.isdisjoint(its.locks)
                    and not graph.order.is_ordered(node.number, other.number)
                ):
                    found.add(node.location)
                    break
    return found


def _by_touches(graph: EventGraph) -> set[int]:
    """As accesses, but by the bytes that data races are about, where neighbours of a variable count, too."""
    touches = [touch for node in graph.nodes for touch in node.touches]
    found: set[int] = set()
    if not any(touch.is_wide for touch in touches):
        return found
    for mine in touches:
        node = graph.nodes[mine.node]
        if not node.is_locked or node.location in found:
            continue
        for its in touches:
            if (
                (mine.is_wide or its.is_wide)
                and may_conflict(graph, mine, its)
                and may_overlap(graph.terms, mine, its)
                and not graph.order.is_ordered(mine.node, its.node)
            ):
                found.add(node.location)
                break
    return found
