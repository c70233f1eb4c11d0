"""Fences that are none in C: instructions that order less than any fence of C11 does."""

from dataclasses import replace

from sley.program.instructions import Assign, Fence, Order
from sley.program.program import Edge, Function, Program


def without_machine_fences(program: Program) -> Program:
    """The program as C11 and sequential consistency have it: behaves the same there."""
    return program.mapped(_simplified) if any(map(_is_none, program.edges)) else program


def _simplified(function: Function) -> Function:
    edges = (replace(edge, instruction=Assign()) if _is_none(edge) else edge for edge in function.edges)
    return replace(function, edges=tuple(edges))


def _is_none(edge: Edge) -> bool:
    return isinstance(edge.instruction, Fence) and edge.instruction.order is Order.RELAXED
