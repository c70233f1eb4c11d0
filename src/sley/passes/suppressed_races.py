"""Races that the user wants to live with: their accesses become relaxed atomic ones, which never race."""

from collections.abc import Collection
from dataclasses import replace

from sley.base.source import Span
from sley.program.instructions import Load, MemoryOrder, Store
from sley.program.program import Edge, Program


def with_relaxed(program: Program, places: Collection[Span]) -> Program:
    """The program in which plain loads and stores at these places of the user's are relaxed.

    What such an access sees is then defined, and no more than C11 promises of atomic accesses: it orders
    nothing. A race with a plain access elsewhere is still one. Bit-fields stay as they are: no access to one
    can be atomic.
    """
    if not places:
        return program
    return program.mapped(
        lambda function: replace(function, edges=tuple(_relaxed(edge, places) for edge in function.edges))
    )


def _relaxed(edge: Edge, places: Collection[Span]) -> Edge:
    instruction = edge.instruction
    if edge.origin.span not in places or edge.origin.is_library or not isinstance(instruction, Load | Store):
        return edge
    access = instruction.access
    if access.order is not MemoryOrder.PLAIN or access.location is not None:
        return edge
    relaxed = replace(access, order=MemoryOrder.RELAXED, was_plain=True)
    return replace(edge, instruction=replace(instruction, access=relaxed))
