"""Whether a program can wait for something: if not, there are no deadlocks to look for."""

from sley.program.instructions import AtomicBegin, Await, Join, Lock
from sley.program.program import Program


def may_block(program: Program) -> bool:
    """Whether some thread can be blocked; sections may be, since what they assume may fail."""
    return any(
        isinstance(edge.instruction, Lock | Join | Await | AtomicBegin)
        for function in program.functions.values()
        for edge in function.edges
    )
