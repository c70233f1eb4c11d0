"""Invariants of a program that was proved safe."""

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError
from sley.evidence.invariants import Invariants
from sley.evidence.source_invariants.enumerated import Enumeration
from sley.evidence.source_invariants.places import Places
from sley.evidence.source_invariants.states import all_states
from sley.program.program import Program
from sley.semantics.machine import Machine


def invariants_of(program: Program, budget: Budget) -> Invariants:
    """What holds at loops and locks if threads interleave: from all states, where they are few."""
    machine = Machine(program)
    # threads stop there, so that states say what holds
    machine.code.stops |= Places(machine.code).locations
    try:
        states = all_states(machine, budget)
    except BudgetExhaustedError:
        return Invariants()
    if states is None:
        return Invariants()
    enumeration = Enumeration(machine.code, states)
    places = Places(machine.code).all()
    return Invariants(tuple(enumeration.of_places(places)), tuple(enumeration.of_mutexes()))
