"""What engine ``abstract`` proves is given to the others: they have less to prove, and see fewer steps.

It is asked for a moment, once one of them begins to work; small programs are decided before. What it leaves
is searched, and an answer rests on two proofs.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from sley.analyses.orders import has_threads, weak_accesses
from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.program.instructions import Lock
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.verification.attempt import GIVER, Attempt
from sley.verification.crashes import Crashes
from sley.verification.task import Granularity, Task
from sley.verification.thresholds import FOR_FACTS, MOST_FOR_FACTS, VISITS

if TYPE_CHECKING:
    from sley.evidence.fixpoint.given import GivenFixpoint


@dataclass(frozen=True)
class EngineFacts:
    """What may be given to engines that are asked about a prepared program."""

    program: Program
    properties: frozenset[Property]
    task: Task
    crashes: Crashes = field(default_factory=Crashes)

    def given_to(self, attempt: Attempt) -> Attempt:
        """The attempt with less to prove."""
        if not gains(attempt):
            return attempt
        return replace(attempt, given=self.given)

    @cached_property
    def given(self) -> "GivenFixpoint | None":
        """What is left to prove; None: all of it, or nothing. Found when it is first asked for."""
        if not self._is_possible():
            return None
        return self.crashes.kept_from(f"engine {GIVER}, asked for facts", self._found)

    def _found(self) -> "GivenFixpoint | None":
        from sley.engines.abstract.fixpoint import fixpoint  # noqa: PLC0415 - most programs are decided before
        from sley.evidence.fixpoint.given import given_by  # noqa: PLC0415 - facts are asked for: a fast start

        budget = Budget(self._seconds(), units=VISITS)
        try:
            proof = fixpoint(self.program, self.properties, budget).proof()
            return given_by(self.program, self.properties, proof, budget)
        except (GaveUpError, MemoryError, RecursionError):
            return None

    def _seconds(self) -> float:
        limit = self.task.limits.seconds
        return MOST_FOR_FACTS if limit is None else min(MOST_FOR_FACTS, FOR_FACTS * limit)

    def _is_possible(self) -> bool:
        """Whether it is wanted, and there are threads, which only interleave."""
        program, task = self.program, self.task
        is_asked = not task.engines or (GIVER in task.engines and len(task.engines) > 1)
        if not task.uses_facts or not is_asked or task.granularity is not Granularity.ACCESS:
            return False
        is_usual = self.properties <= ALL_PROPERTIES and not program.unmodelled and has_threads(program)
        return is_usual and not task.memory_model.is_hardware and not weak_accesses(program)


def gains(attempt: Attempt) -> bool:
    """Whether an engine has less to do with it.

    ``explore`` meets all states anyway, and knows by itself what is under locks at fixed addresses.
    """
    if attempt.name != "explore":
        return attempt.name != GIVER
    program = attempt.program
    locks = (edge.instruction for edge in program.edges if isinstance(edge.instruction, Lock))
    return any(program.terms.number(lock.access.address) is None for lock in locks)
