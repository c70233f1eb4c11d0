"""Critical sections as single nodes.

LEMMA (R. Lipton, *Reduction*, CACM 1975). From taking a lock to giving the last one back, a thread may be run
as if no thread came in between, provided that

(a) no thread could observe it: one that accesses a variable that the section accesses, one of them to write,
    holds a lock in common, or is before or after in every run. So every access can be moved both ways;
(b) once it has given back a lock, it takes no other one, and does not stop before its end: a lock can be
    taken later, and given back earlier, and what was done in between is not lost;
(c) it does not wait inside for anything but locks (where deadlocks are looked for, not even for these), and
    neither creates a thread nor ends its own;
(d) its paths have taken the same locks where they meet.

(b) to (d) are tested while a thread is unrolled (``SectionNodes``), (a) afterwards (``exposed_sections``). A
section for which one of them fails is *exposed*: the program is unrolled again with each of its accesses as a
node of its own. With all of them exposed, the events are the plain ones.

Why not a step on the plain events: what a section reads after it wrote it is known while it is unrolled, so
that conditions, bounds of loops and addresses are constants there. The plain events have a symbol for each of
them, and paths that do not exist; an address that is a symbol may even be beyond us.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from sley.engines.bmc.events.graph import EventGraph, EventNode, VariableUse
from sley.engines.bmc.events.races import conflicts
from sley.engines.bmc.events.states import Locks, ThreadState
from sley.logic.terms import Term
from sley.program.instructions import Await, Create, End, Exit, Instruction, Join, Lock


class ExposedSectionError(Exception):
    """A critical section cannot be one node."""

    def __init__(self, node: EventNode) -> None:
        super().__init__(node.location)
        self.location = node.location
        """Where it begins."""


class SectionNodes:
    """Makes nodes of critical sections, except for those that begin at certain locations."""

    def __init__(self, graph: EventGraph, exposed: frozenset[int], *, finds_waits: bool) -> None:
        self.graph = graph
        self.exposed = exposed
        self.finds_waits = finds_waits

    def before(self, state: ThreadState, instruction: Instruction) -> None:
        """(b) and (c): what comes next may not be in the middle of a section."""
        match instruction:
            case Lock() if self.finds_waits or state.locks.has_released:
                must_be_open(state)
            case Await() if self.finds_waits:
                must_be_open(state)
            case Create() | Join() | Exit():
                must_be_open(state)
            case End():
                may_stop(state)
            case _:
                pass

    def lock(
        self,
        state: ThreadState,
        node: EventNode | None,
        location: int,
        address: int | None,
        cells: tuple[Term, ...],
    ) -> None:
        """The thread holds a lock: a section begins, or takes one more lock; ``cells`` are what it may be."""
        if address is None or len(cells) != 1:
            must_be_open(state)
            return
        locks, (cell,) = state.locks, cells
        held = locks.held | {address}
        state.locks = locks._replace(held=held)
        self.graph.lock_cells[address] = cell
        is_atomic = state.node is not None and not locks.inside
        if node is None or is_atomic or (state.node is None and location in self.exposed):
            return
        state.node, node.is_locked = node, True
        state.locks = Locks(held, locks.inside | {address}, locks.taken | {cell}, locks.has_released)
        node.note_access(cell, is_write=True, locks=held)

    def unlock(self, state: ThreadState, address: int | None) -> None:
        """The thread has given back a lock; None: we do not know which."""
        locks = state.locks
        if address is None:
            must_be_open(state)
            state.locks = locks._replace(held=frozenset())
            return
        has_released = locks.has_released or bool(locks.inside)
        state.locks = Locks(locks.held - {address}, locks.inside - {address}, locks.taken, has_released)

    def overwrite(self, state: ThreadState, variable: Term) -> None:
        """A thread that is alone writes to a variable: if that is a lock, its holder is unknown."""
        held = frozenset(lock for lock in state.locks.held if self.graph.lock_cells[lock] != variable)
        state.locks = state.locks._replace(held=held)


def must_be_open(state: ThreadState) -> None:
    """What comes next cannot be in the middle of a section."""
    if state.locks.inside:
        assert state.node is not None
        raise ExposedSectionError(state.node)


def may_stop(state: ThreadState) -> None:
    """A thread that stops inside a node wrote nothing: wrong if others can get what it has given back."""
    if state.locks.has_released:
        assert state.node is not None
        raise ExposedSectionError(state.node)


def merged_locks(states: Sequence[ThreadState]) -> Locks:
    """(d): the locks of a thread where its paths meet."""
    first = states[0]
    if any(state.locks[1:3] != first.locks[1:3] for state in states):
        assert first.node is not None
        raise ExposedSectionError(first.node)
    held = frozenset.intersection(*(state.locks.held for state in states))
    return first.locks._replace(held=held, has_released=any(state.locks.has_released for state in states))


# --- when all threads are unrolled --------------------------------------------------------------------


def forget_spoiled_locks(graph: EventGraph) -> EventGraph:
    """A lock whose cell is written by plain stores excludes no thread."""
    spoiled = {address for address, cell in graph.lock_cells.items() if cell in graph.stored}
    if not spoiled:
        return graph

    def without(node: EventNode) -> EventNode:
        accesses = {v: a._replace(locks=a.locks - spoiled) for v, a in node.accesses.items()}
        touches = [replace(touch, locks=touch.locks - spoiled) for touch in node.touches]
        return replace(node, accesses=accesses, touches=touches)

    return replace(graph, nodes=[without(node) for node in graph.nodes])


def exposed_sections(graph: EventGraph) -> set[int]:
    """(a): where critical sections begin whose accesses others can notice."""
    pairs = [*_noticed(graph), *_noticed_neighbours(graph)] if any(n.is_locked for n in graph.nodes) else []
    return {node.location for pair in pairs for node in pair if node.is_locked}


def _noticed(graph: EventGraph) -> Iterator[tuple[EventNode, EventNode]]:
    """Nodes of different threads that access the same variable, and that nothing keeps apart."""
    users: dict[Term, list[tuple[EventNode, VariableUse]]] = {}
    for node in graph.nodes:
        for variable, access in node.accesses.items():
            users.setdefault(variable, []).append((node, access))
    for uses in users.values():
        if not any(node.is_locked for node, _ in uses) or not any(access.is_write for _, access in uses):
            continue
        if frozenset.intersection(*(access.locks for _, access in uses)):
            continue
        for (one, mine), (other, its) in combinations(uses, 2):
            if (
                (mine.is_write or its.is_write)
                and one.thread != other.thread
                and mine.locks.isdisjoint(its.locks)
                and not graph.order.is_ordered(one.number, other.number)
            ):
                yield one, other


def _noticed_neighbours(graph: EventGraph) -> Iterator[tuple[EventNode, EventNode]]:
    """The same by the bytes that data races are about: neighbours of a bit-field count, too."""
    if any(touch.is_wide for node in graph.nodes for touch in node.touches):
        for one, other in conflicts(graph):
            if one.is_wide or other.is_wide:
                yield graph.nodes[one.node], graph.nodes[other.node]
