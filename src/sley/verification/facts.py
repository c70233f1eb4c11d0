"""What engine ``abstract`` proves is given to the others: they have less to prove, and see fewer steps.

It is asked before them, for a moment. What it leaves is searched, and an answer rests on two proofs.
"""

import time
from typing import TYPE_CHECKING

from sley.analyses.orders import has_threads, weak_accesses
from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.program.instructions import Lock
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.verification.attempt import GIVER, Attempt
from sley.verification.task import Granularity, Task

if TYPE_CHECKING:
    from sley.evidence.fixpoint.given import Given

A_PART, A_MOMENT = 0.1, 1.0
"""Of the time that is left, and seconds: what this may take."""


def given_to_others(
    program: Program, properties: frozenset[Property], task: Task, budget: Budget
) -> "Given | None":
    """What is left to prove of a prepared program; None: all of it, or nothing."""
    if not _is_possible(program, properties, task):
        return None
    from sley.engines.abstract.fixpoint import fixpoint
    from sley.evidence.fixpoint.given import given_by

    share = budget.share(A_PART, A_MOMENT, time.monotonic)
    try:
        return given_by(program, properties, fixpoint(program, properties, share).proof(), share)
    except (GaveUpError, MemoryError, RecursionError):
        return None


def gains(attempt: Attempt) -> bool:
    """Whether an engine has less to do with it.

    ``explore`` meets all states anyway, and knows by itself what is under locks at fixed addresses.
    """
    if attempt.name != "explore":
        return attempt.name != GIVER
    program = attempt.program
    locks = (edge.instruction for edge in program.edges if isinstance(edge.instruction, Lock))
    return any(program.terms.number(lock.access.address) is None for lock in locks)


def _is_possible(program: Program, properties: frozenset[Property], task: Task) -> bool:
    """Whether it is wanted, and there are threads, which only interleave."""
    is_asked = not task.engines or (GIVER in task.engines and len(task.engines) > 1)
    if not task.uses_facts or not is_asked or task.granularity is not Granularity.ACCESS:
        return False
    is_usual = properties <= ALL_PROPERTIES and not program.unmodelled and has_threads(program)
    return is_usual and not task.memory_model.is_hardware and not weak_accesses(program)
