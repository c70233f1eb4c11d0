"""Spin loops under weak memory models: a round that only reads, and ends as it began, is left out.

LEMMA. Take an execution that a model allows (RC11, TSO, PSO, RMO, Power), and in it a round of a loop that
only reads and has fences (an update that fails is a read), after which the thread is where it was, with the
registers and the memory of its own that it had. Without the events of the round it is an execution of the
same program: what the thread does afterwards depends on nothing that is left out. The model allows it: no
thread reads from the round, all relations lose pairs at most, and every axiom says that some have no cycle.
What was violated still is; if that was in the round itself, leave out those before.

Races are another matter (machines know none): an access in a round that is left out may race with one that
depends on what the thread does afterwards. So under C11 a round has one access, which is atomic and at its
beginning: then the next round has the same. What it is not ordered with, the first one is not either; or
else it comes from before the next one, and so does not depend on what the thread does after the first:
it races with the round as the last thing that the thread does.

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
