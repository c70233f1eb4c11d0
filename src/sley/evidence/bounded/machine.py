"""Accepts or refuses the proof of engine ``bmc`` under the memory model of a machine."""

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.evidence.bounded.check import Reachability, numbers_by_schedule, unrolled
from sley.evidence.bounded.lemmas import joins
from sley.evidence.bounded.machine_axioms import MachineAxioms
from sley.evidence.bounded.machine_events import MachineAccesses, MachineUnrolling, unrolling_for
from sley.evidence.bounded.order import EventOrder
from sley.evidence.bounded.proof import BoundedProof
from sley.evidence.bounded.violations import Violations
from sley.evidence.proof import Checked, RefusedProofError
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.vocabulary import may_lose


def check_machine(
    program: Program,
    properties: frozenset[Property],
    proof: BoundedProof,
    budget: Budget,
    *,
    model: MemoryModel,
) -> Checked:
    """Accept the proof, or raise: ``RefusedProofError``, or ``GaveUpError`` if we cannot tell."""
    unrolling = unrolled(unrolling_for(model), program, proof, budget)
    assert isinstance(unrolling, MachineUnrolling)
    events = unrolling.result
    if Property.LEAK in properties and may_lose(unrolling.steps.code, unrolling.steps.found.heap):
        raise GaveUpError("whether memory is lost is not part of the formula")
    violations = Violations(unrolling)
    asked = list(violations.deadlocks()) if Property.DEADLOCK in properties else []
    order = EventOrder(program.terms, [event.thread for event in events.events], events.order)
    for last, first in joins(program.terms, events):
        order.add(last, first)
    axioms = MachineAxioms(MachineAccesses(unrolling), order, budget)
    wrong = [*events.errors, *(violation(order) for violation in asked)]
    open_ = [*events.troubles, *violations.troubles, *numbers_by_schedule(program.terms, events, order)]
    try:
        solver = Reachability(program.terms, axioms, budget).exclude(wrong, events.cuts, open_)
    except RefusedProofError as refused:
        raise GaveUpError(f"the checker knows of less that is kept in order: {refused}") from refused
    name = model.label
    how = f"the program was unrolled again, and {name} as a formula of our own was solved"
    return Checked(how, (solver,))
