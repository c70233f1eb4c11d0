"""Fences that are none in C: instructions that order less than any fence of C11 does."""

from dataclasses import replace

from sley.program.instructions import Assign, Barrier, Fence, GiveUp, MemoryOrder
from sley.program.program import Edge, Function, Program


def without_machine_fences(program: Program) -> Program:
    """The program as C11 and sequential consistency have it: behaves the same there."""
    return program.mapped(_simplified) if any(map(_is_none, program.edges)) else program


def _simplified(function: Function) -> Function:
    edges = (replace(edge, instruction=Assign()) if _is_none(edge) else edge for edge in function.edges)
    return replace(function, edges=tuple(edges))


def _is_none(edge: Edge) -> bool:
    return isinstance(edge.instruction, Fence) and edge.instruction.order is MemoryOrder.RELAXED


def without_unknown_fences(program: Program) -> Program:
    """The program as machines have it: a fence that is none of theirs is given up at."""
    return program.mapped(_given_up) if any(map(_is_unknown, program.edges)) else program


def _given_up(function: Function) -> Function:
    reason = GiveUp("a fence that orders pairs of accesses as no barrier of a machine does")
    edges = (replace(edge, instruction=reason) if _is_unknown(edge) else edge for edge in function.edges)
    return replace(function, edges=tuple(edges))


def _is_unknown(edge: Edge) -> bool:
    return isinstance(edge.instruction, Fence) and edge.instruction.barrier is Barrier.OTHER
