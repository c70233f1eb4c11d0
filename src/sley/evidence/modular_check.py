"""The checker of modular proofs: every clause in the semantics of machine integers, with its own solver.

It derives templates and clauses anew from the program, so nothing that the engine did matters. That the
invariants hold of all threads, in all orders, is used for the premises, and shown for the conclusion, in
which those who step may be anywhere in the view.
"""

from collections.abc import Sequence

from sley.analyses.threads import Creations
from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.evidence.modular import ModularProof, Obligation, View, Views
from sley.evidence.proof import Checked, RefusedProofError
from sley.logic.clauses import fixed_values
from sley.logic.terms import Term
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.templates import TemplateSystem, once_created
from sley.solvers import make_solver
from sley.solvers.port import Answer, Solver

QUERY_SECONDS = 60.0


def check_modular(
    program: Program, properties: frozenset[Property], proof: ModularProof, budget: Budget
) -> Checked:
    """Accept the proof, or raise: RefusedProofError, or GaveUpError if that cannot be told."""
    system = TemplateSystem(
        program, singles=_singles(program, proof), copies=proof.size + 2, watched=proof.watched
    )
    views = Views(system, proof.size)
    if proof.size < 1 or set(views.views) != set(proof.invariants):
        raise RefusedProofError("there are other views")
    if proof.is_parametric != bool(system.manys):
        raise RefusedProofError("the number of threads is another")
    if any(variable not in system.shared for variable in proof.watched):
        raise RefusedProofError("a variable is watched that is not shared")
    for view, conjuncts in proof.invariants.items():
        allowed = set(views.parameters(view))
        if any(v not in allowed for conjunct in conjuncts for v in system.terms.variables(conjunct)):
            raise RefusedProofError("an invariant mentions what is not in its view")
    certificate = Certificate(views, proof, budget)
    for obligation in views.obligations(properties):
        if not certificate.holds(obligation):
            raise RefusedProofError(obligation.reason)
    return Checked("every implication was decided again", ("Bitwuzla",))


class Certificate:
    """Decides obligations for given invariants."""

    def __init__(self, views: Views, proof: ModularProof, budget: Budget) -> None:
        self.views = views
        self.terms = views.terms
        self.invariants = proof.invariants
        self.budget = budget
        self.solver = make_solver("bitwuzla", views.terms, time_limit=QUERY_SECONDS)

    def holds(self, obligation: Obligation) -> bool:
        """Whether the clause is true."""
        t = self.terms
        goal = t.and_(*self.after(obligation))
        if goal == t.true:
            return True
        solver = self.with_premises(obligation)
        return solver is None or not self.is_possible(solver, t.not_(goal))

    def conjuncts(self, instances: Sequence[int]) -> tuple[Term, ...]:
        """What the invariant says of instances, in this order."""
        view: View = self.views.view_of(instances)
        if instances == self.views.instances(view):
            return tuple(self.invariants[view])
        renaming = self.views.renaming(view, instances)
        return self.terms.substitute_all(tuple(self.invariants[view]), renaming)

    def after(self, obligation: Obligation) -> tuple[Term, ...]:
        """What has to hold, over the variables before the step."""
        if obligation.conclusion is None:
            return (self.terms.false,)
        return self.terms.substitute_all(self.conjuncts(obligation.conclusion), obligation.updates)

    def with_premises(self, obligation: Obligation) -> Solver | None:
        """A solver that knows premises and constraints; None if they contradict each other on sight."""
        t = self.terms
        known = fixed_values(t, obligation.constraints)
        orders = (order for premise in obligation.premises for order in self.views.orders(premise))
        hypotheses = (conjunct for order in orders for conjunct in self.conjuncts(order))
        reduced = dict.fromkeys(t.substitute_all((*obligation.constraints, *hypotheses), known))
        if t.false in reduced:
            return None
        solver = self.solver.fresh()
        solver.add(*reduced, *(t.eq(v, value) for v, value in known.items()))
        return solver

    def is_possible(self, solver: Solver, condition: Term) -> bool:
        """Whether the condition can be met."""
        self.budget.spend()
        answer = solver.check(condition)
        if answer is Answer.UNKNOWN:
            raise GaveUpError(f"an implication could not be decided: {solver.reason}")
        return answer is Answer.SAT


def _singles(program: Program, proof: ModularProof) -> tuple[int, ...]:
    """The places that the proof names, if threads are created there at most once."""
    possible = once_created(Creations(program))
    if any(site not in possible for site in proof.singles):
        raise RefusedProofError("a thread that may exist twice counts as existing once")
    return proof.singles
