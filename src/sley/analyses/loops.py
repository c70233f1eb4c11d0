"""Loops of a thread template: back edges, heads, bodies."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sley.analyses.graphs import components, nodes_on_cycles
from sley.program.instructions import Accessing, Instruction, Load, Store, Update
from sley.program.program import Edge, Function


@dataclass(frozen=True)
class Loops:
    """The loops of one template.

    Law: every cycle of the graph contains a back edge, hence passes through a head. In a reducible graph the
    heads are those of the natural loops; in an irreducible one they depend on the order of the edges.
    """

    function: Function
    back_edges: tuple[Edge, ...]

    @cached_property
    def heads(self) -> frozenset[int]:
        """The targets of the back edges."""
        return frozenset(edge.target for edge in self.back_edges)

    @cached_property
    def component_of(self) -> Mapping[int, int]:
        """Location -> number of its strongly connected component; what it can reach has no larger number."""
        found = components(self.function.locations, self.function.successors)
        return {location: number for number, component in enumerate(found) for location in component}

    @cached_property
    def bodies(self) -> Mapping[int, frozenset[int]]:
        """Head -> the locations of its loops, itself included.

        These are the locations from which a back edge to the head can be reached without passing the head,
        inside the head's component.
        """
        bodies: dict[int, set[int]] = {}
        for edge in self.back_edges:
            body = bodies.setdefault(edge.target, {edge.target})
            stack = [edge.source]
            while stack:
                location = stack.pop()
                if location not in body and self.component_of[location] == self.component_of[edge.target]:
                    body.add(location)
                    stack.extend(before.source for before in self.function.incoming.get(location, ()))
        return {head: frozenset(body) for head, body in bodies.items()}

    @cached_property
    def polling(self) -> frozenset[int]:
        """The heads of loops whose only access to memory is an atomic one, with which every round begins."""
        found = set()
        for head, body in self.bodies.items():
            edges = (edge for location in body for edge in self.function.outgoing.get(location, ()))
            accesses = [edge for edge in edges if isinstance(edge.instruction, Accessing)]
            if [edge.source for edge in accesses] == [head] and _is_atomic(accesses[0].instruction):
                found.add(head)
        return frozenset(found)

    @cached_property
    def on_cycle(self) -> frozenset[int]:
        """The locations that can be reached again from themselves."""
        return nodes_on_cycles(self.function.locations, self.function.successors)


def _is_atomic(instruction: Instruction) -> bool:
    return isinstance(instruction, Load | Store | Update) and instruction.access.is_atomic


def find_loops(function: Function) -> Loops:
    """The loops of a function; locations that the entry does not reach count as well."""
    outgoing = function.outgoing
    back_edges: list[Edge] = []
    finished: set[int] = set()
    on_path: set[int] = set()
    for root in function.locations:
        if root in finished:
            continue
        on_path.add(root)
        path = [(root, iter(outgoing.get(root, ())))]
        while path:
            location, rest = path[-1]
            for edge in rest:
                if edge.target in on_path:
                    back_edges.append(edge)
                elif edge.target not in finished:
                    on_path.add(edge.target)
                    path.append((edge.target, iter(outgoing.get(edge.target, ()))))
                    break
            else:
                path.pop()
                on_path.remove(location)
                finished.add(location)
    return Loops(function, tuple(back_edges))
