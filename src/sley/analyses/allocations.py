"""Heap blocks that are made once: by an Allocate edge that one thread executes, at most once."""

from collections.abc import Collection

from sley.analyses.graphs import nodes_on_cycles, reachable
from sley.analyses.threads import Creations, Instances
from sley.program.instructions import Allocate, Free
from sley.program.program import Edge, Function


def allocations(creations: Creations, function: Function) -> list[Edge]:
    """The Allocate edges of a function that some thread may come to."""
    edges = (edge for edge in function.edges if isinstance(edge.instruction, Allocate))
    return [edge for edge in edges if edge.source in creations.reachable]


def repeated_allocation(creations: Creations, once: Collection[str]) -> Edge | None:
    """An Allocate edge that may be executed twice; ``once``: the functions that one thread each runs."""
    for function in creations.program.functions.values():
        on_cycle = nodes_on_cycles(function.locations, function.successors)
        for edge in allocations(creations, function):
            if function.name not in once or edge.source in on_cycle:
                return edge
    return None


def allocation_after_free(creations: Creations) -> Edge | None:
    """An Allocate edge that may be executed after something was freed, and so get the number of a dead block.

    What comes after a Free in the control flow does, and what other threads do, also those of one function.
    """
    program = creations.program
    freeing = [
        edge
        for edge in program.edges
        if isinstance(edge.instruction, Free) and edge.source in creations.reachable
    ]
    after = reachable([edge.target for edge in freeing], creations.successors)
    where = {creations.template_at[edge.source] for edge in freeing}
    for function in program.functions.values():
        for edge in allocations(creations, function):
            is_alone = creations.instances[function.name] is Instances.ONE
            if edge.source in after or (where if not is_alone else where - {function.name}):
                return edge
    return None
