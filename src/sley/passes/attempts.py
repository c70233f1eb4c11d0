"""Attempts that fail although they could succeed: what a race must not be hidden by.

``pthread_mutex_trylock`` and its kin fail only if they must, but a failed one need not order anything (C11
7.26.4.5, POSIX 4.12): a thread that goes on because it failed is not ordered after the one that made it fail.
Races are conflicts in one state of a sequentially consistent run, where such an order would hide them. In a
program whose attempts may fail at any time nothing can be learnt from a failure, and each race shows as a
conflict.

So the models say where an attempt might fail, and this is false in the program that all properties are about.
Once no race was found there, races are looked for again where it may be true.
"""

from dataclasses import replace

from sley.program.instructions import Assign, Cause, Havoc
from sley.program.program import Edge, Function, Program


def has_attempts(program: Program) -> bool:
    """Whether something in the program is only tried."""
    return any(_is_attempt(edge) for edge in program.edges)


def fail_for_a_reason(program: Program) -> Program:
    """The program in which what is tried fails only if it must."""
    if not has_attempts(program):
        return program
    return program.mapped(lambda function: _strict(program, function))


def _is_attempt(edge: Edge) -> bool:
    return isinstance(edge.instruction, Havoc) and edge.instruction.cause is Cause.SPURIOUS


def _strict(program: Program, function: Function) -> Function:
    edges = tuple(
        replace(edge, instruction=Assign(((edge.instruction.target, program.terms.false),)))
        if isinstance(edge.instruction, Havoc) and _is_attempt(edge)
        else edge
        for edge in function.edges
    )
    return replace(function, edges=edges)
