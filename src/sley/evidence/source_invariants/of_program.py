"""Invariants of a program that was proved safe."""

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError
from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.invariants import NONE, Invariants
from sley.evidence.modular.proof import ModularProof
from sley.evidence.proof import Proof
from sley.evidence.reachability_tree.proof import ReachabilityTree
from sley.evidence.source_invariants.enumerated import Enumeration
from sley.evidence.source_invariants.places import PlaceFinder
from sley.evidence.source_invariants.proofs import FromModular, FromTree, from_formulas
from sley.evidence.source_invariants.reduced import from_reduced
from sley.evidence.source_invariants.states import all_states
from sley.program.program import Program
from sley.semantics.machine import StateMachine


def invariants_of(program: Program, proof: Proof, budget: Budget) -> Invariants:
    """What holds at loops and locks if threads interleave: from all states, or else from the proof."""
    try:
        found = _from_states(program, budget)
        return _from_proof(program, proof) if found is None else found
    except BudgetExhaustedError:
        return NONE


def _from_states(program: Program, budget: Budget) -> Invariants | None:
    """From all states, if they are few."""
    machine = StateMachine(program)
    # threads stop there, so that states say what holds
    machine.code.stops |= PlaceFinder(machine.code).locations
    states = all_states(machine, budget)
    if states is None:
        return None
    enumeration = Enumeration(machine.code, states)
    places = PlaceFinder(machine.code).all()
    return Invariants(tuple(enumeration.of_places(places)), tuple(enumeration.of_mutexes()))


def _from_proof(program: Program, proof: Proof) -> Invariants:
    match proof:
        case ReachabilityTree():
            return Invariants(tuple(from_formulas(FromTree(program, proof))))
        case ClosedStates(leaves_out_solo=False):
            return Invariants(tuple(from_reduced(program, proof)))
        case ModularProof():
            return Invariants(tuple(from_formulas(FromModular(program, proof))))
        case _:
            return NONE
