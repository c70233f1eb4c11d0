"""Checks a :class:`ClosedStates` proof: as ``checker`` says, or with many states in compiled code."""

from sley.base.budget import Budget
from sley.evidence.closed_states.checker import Checker
from sley.evidence.closed_states.consistency import SolverConsistency
from sley.evidence.closed_states.packed_check import is_accepted
from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.proof import Checked
from sley.program.program import Program
from sley.program.properties import Property
from sley.solvers import make_solver

FEW = 2_000
"""A proof with more states than this is checked in compiled code, if it can be."""


def check_closed_states(
    program: Program, properties: frozenset[Property], proof: ClosedStates, budget: Budget
) -> Checked:
    """Accept the proof, or raise RefusedProofError."""
    how = "every step from every state was followed, and computed again for all that it sees"
    consistency = consistency_of(program, properties)
    if len(proof.states) <= FEW or not is_accepted(program, properties, proof, budget, consistency):
        Checker(program, properties, proof, budget, consistency=consistency).check()
        how = "every step from every state was computed again"
    return Checked(how, ("Z3",) if consistency is not None and consistency.is_asked else ())


def consistency_of(program: Program, properties: frozenset[Property]) -> SolverConsistency | None:
    """Decides what inputs may be together, where that may be asked; not the solver of the search."""
    if Property.PROGRESS in properties:
        return None
    return SolverConsistency(lambda: make_solver("z3", program.terms))
