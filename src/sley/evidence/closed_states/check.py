"""Checks a :class:`ClosedStates` proof: as ``checker`` says, or with many states in compiled code."""

from sley.base.budget import Budget
from sley.evidence.closed_states.checker import Checker
from sley.evidence.closed_states.packed_check import is_accepted
from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.proof import Checked
from sley.program.program import Program
from sley.program.properties import Property

FEW = 2_000
"""A proof with more states than this is checked in compiled code, if it can be."""


def check_closed_states(
    program: Program, properties: frozenset[Property], proof: ClosedStates, budget: Budget
) -> Checked:
    """Accept the proof, or raise RefusedProofError."""
    if len(proof.states) > FEW and is_accepted(program, properties, proof, budget):
        return Checked("every step from every state was followed, and computed again for all that it sees")
    Checker(program, properties, proof, budget).check()
    return Checked("every step from every state was computed again")
