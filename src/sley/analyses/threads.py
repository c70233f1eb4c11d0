"""Which template creates which, and how many threads of a template there can be."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from sley.analyses.graphs import nodes_on_cycles, reachable
from sley.program.instructions import AtomicBegin, Await, Create, Join, Lock
from sley.program.program import Edge, Program


def may_block(program: Program) -> bool:
    """Whether some thread can be blocked; sections may be, since what they assume may fail.

    If not, there are no deadlocks to look for.
    """
    waiting = Lock | Join | Await | AtomicBegin
    return any(isinstance(edge.instruction, waiting) for edge in program.edges)


class Instances(Enum):
    """How many threads of a template a run can have at most."""

    NONE = "none"
    ONE = "one"
    MANY = "many"


@dataclass(frozen=True)
class Creations:
    """The Create edges of a program, as a graph over its templates."""

    program: Program

    @cached_property
    def edges(self) -> Mapping[str, tuple[Edge, ...]]:
        """Template -> the Create edges that start a thread of it."""
        found: dict[str, list[Edge]] = {name: [] for name in self.program.functions}
        for edge in self.program.edges:
            if isinstance(edge.instruction, Create):
                found[edge.instruction.function].append(edge)
        return {name: tuple(edges) for name, edges in found.items()}

    @cached_property
    def template_at(self) -> Mapping[int, str]:
        """Location -> the template that it belongs to."""
        return {at: f.name for f in self.program.functions.values() for at in f.locations}

    @cached_property
    def successors(self) -> Mapping[int, tuple[int, ...]]:
        """The locations one step after each, where a Create leads to the created template's entry, too."""
        found: dict[int, tuple[int, ...]] = {}
        for function in self.program.functions.values():
            for location, edges in function.outgoing.items():
                started = [e.instruction.function for e in edges if isinstance(e.instruction, Create)]
                entries = (self.program.functions[name].entry for name in started)
                found[location] = (*(edge.target for edge in edges), *entries)
        return found

    @cached_property
    def reachable(self) -> frozenset[int]:
        """The locations that some thread may reach, as far as control flow tells."""
        return reachable((self.program.functions[self.program.entry].entry,), self.successors)

    @cached_property
    def _on_cycle(self) -> frozenset[int]:
        found: set[int] = set()
        for function in self.program.functions.values():
            found |= nodes_on_cycles(function.locations, function.successors)
        return frozenset(found)

    @cached_property
    def is_in_loop(self) -> bool:
        """Whether some loop creates threads."""
        return any(
            e.source in self._on_cycle & self.reachable for found in self.edges.values() for e in found
        )

    @cached_property
    def instances(self) -> Mapping[str, Instances]:
        """For each template an upper bound on its threads.

        ONE: the first thread, or the only Create edge of the template is on no cycle and in a template that
        itself has one thread.
        """
        on_cycle = self._on_cycle
        starts = {
            name: [edge for edge in edges if edge.source in self.reachable]
            for name, edges in self.edges.items()
        }
        number = dict.fromkeys(self.program.functions, Instances.NONE)
        number[self.program.entry] = Instances.ONE
        waiting = [self.program.entry]
        while waiting:
            creator = waiting.pop()
            for name, edges in starts.items():
                own = [edge for edge in edges if self.template_at[edge.source] == creator]
                if not own or number[name] is Instances.MANY:
                    continue
                is_once = (
                    len(edges) == 1
                    and name != self.program.entry
                    and own[0].source not in on_cycle
                    and number[creator] is Instances.ONE
                )
                new = Instances.ONE if is_once else Instances.MANY
                if new is not number[name]:
                    number[name] = new
                    waiting.append(name)
        return number
