"""Spin loops under weak memory models: a round that only reads, and ends as it began, is left out.

LEMMA. Take an execution that a model allows (RC11, TSO, PSO, RMO, Power), and in it a round of a loop that
only reads and has fences (an update that fails is a read), after which the thread is where it was, with the
registers and the memory of its own that it had. Without the events of the round it is an execution of the
same program: what the thread does afterwards depends on nothing that is left out. The model allows it: nobody
reads from the round, all relations lose pairs at most, and every axiom says that some have no cycle. What was
violated still is; if that was in the round itself, leave out those before. Two accesses that race still do:
happens-before has fewer pairs, and if one of them is in a round that is left out, either the round is kept as
the last thing that the thread does, or the other one depends on what comes after: then it races with the
round that is kept.

So the thread need not go round again: it stops there, as if it were not scheduled any more.
"""

from collections.abc import Mapping

from sley.logic.terms import Term
from sley.program.instructions import Fence, Havoc, Instruction, Load, Update

Round = Mapping[Term, Term]
"""What registers, and memory of its own, held when a thread came to the head of a loop."""


def may_only_read(instruction: Instruction) -> bool:
    """Whether a round may have this, apart from what a thread does with its registers."""
    if isinstance(instruction, Update):
        return instruction.success is not None
    return isinstance(instruction, Load | Fence | Havoc)
