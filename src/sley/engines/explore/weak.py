"""What is different under C11: which threads suffice at a state, and the end of the process.

The search is the same; a state has its history, and an atomic access has several outcomes
(``semantics.weak_memory``).

Steps commute more often than under sequential consistency, as the order in which threads took their turns is
not part of a state. A thread that is about to *write* atomically suffices by itself: every place in the
modification order is tried, whoever wrote before, and whoever reads afterwards may still read what was there
before. So does a thread with a plain access, if races are asked about: it is ordered with every access that
conflicts, or that race is found, whichever comes first. All others conflict as ever: to read later is to see
more.
"""

from collections.abc import Iterator, Sequence

from sley.engines.explore.algorithm import Explorer
from sley.engines.explore.graph import StateMove
from sley.engines.explore.reduction import PersistentSets, last_first
from sley.engines.explore.standing import ThreadPlaces
from sley.program import instructions as ir
from sley.program.program import Edge
from sley.program.properties import Property
from sley.semantics.machine import StateMachine
from sley.semantics.state import State, is_ended, location_of

LOST_AT_END = "whether memory is lost where the process ends while threads run, in a program with weak orders"


class WeakReduction:
    """Proposes persistent sets of threads under C11."""

    def __init__(self, machine: StateMachine, properties: frozenset[Property]) -> None:
        self.code = machine.code
        self.sets = PersistentSets(machine.code, machine.interpreter)
        finds_races = Property.RACE in properties
        keeps_ends = Property.LEAK in properties and allocates(machine)
        self.eager = {
            location for location, edges in self.code.out.items() if _is_eager(edges, finds_races=finds_races)
        }
        self.kept = {
            location
            for location, edges in self.code.out.items()
            if keeps_ends and isinstance(edges[0].instruction, ir.Exit)
        }

    def proposals(self, state: State, standing: ThreadPlaces, last: int) -> Iterator[tuple[int, ...]]:
        """Single threads that suffice by themselves, then what suffices in any case."""
        if len(standing.running) < 2:
            return
        running = last_first(standing.running, last)
        where = {thread: location_of(state.threads[thread]) for thread in running}
        yield from ((thread,) for thread in running if where[thread] in self.eager)
        for chosen in self.sets.proposals(state, standing, last):
            if not any(where[thread] in self.kept for thread in chosen):
                yield chosen


class WeakExplorer(Explorer):
    """The search under C11."""

    def _check_leak(self, state: State, number: int, move: StateMove) -> None:
        others = [at for thread, at in enumerate(state.threads) if thread != move.thread]
        if not all(map(is_ended, others)) and allocates(self.machine):
            self.gave_up[LOST_AT_END] = None
        else:
            super()._check_leak(state, number, move)


def _is_eager(edges: Sequence[Edge], *, finds_races: bool) -> bool:
    """Whether a thread that stands before these edges suffices by itself."""
    accesses = [edge for edge in edges if isinstance(edge.instruction, ir.Load | ir.Store | ir.Update)]
    if len(accesses) != 1:
        return False
    (edge,) = accesses
    assert isinstance(edge.instruction, ir.Load | ir.Store | ir.Update)
    if not edge.instruction.access.is_atomic:
        return finds_races
    return isinstance(edge.instruction, ir.Store) and not edge.origin.is_library


def allocates(machine: StateMachine) -> bool:
    """Whether the program has blocks that can be lost."""
    edges = (edge for edges in machine.code.out.values() for edge in edges)
    return any(isinstance(e.instruction, ir.Allocate) and not e.instruction.is_kept for e in edges)
