"""Whether obligations hold for given invariants, in the semantics of machine integers; and for which part.

The largest inductive part of guessed invariants: conjuncts that some step can make false are left out, until
none is; what is left is inductive, whatever the guesses were (C. Flanagan, K. R. M. Leino, Houdini, an
Annotation Assistant for ESC/Java, FME 2001).
"""

from collections.abc import Sequence
from dataclasses import replace

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.modular.views import Obligation, Views
from sley.evidence.modular.proof import ModularProof, View
from sley.logic.clauses import fixed_values
from sley.logic.terms import Term
from sley.solvers import make_solver
from sley.solvers.port import Solver, SolverAnswer

QUERY_SECONDS = 60.0


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
        if answer is SolverAnswer.UNKNOWN:
            raise GaveUpError(f"an implication could not be decided: {solver.reason}")
        return answer is SolverAnswer.SAT


def inductive_part(
    views: Views, guess: ModularProof, obligations: Sequence[Obligation], budget: Budget
) -> ModularProof:
    """The guess without the conjuncts that are not kept by steps."""
    steps = [obligation for obligation in obligations if obligation.conclusion is not None]
    while True:
        before = guess
        for obligation in steps:
            guess = _without_broken(views, guess, obligation, budget)
        if guess == before:
            return guess


def _without_broken(
    views: Views, guess: ModularProof, obligation: Obligation, budget: Budget
) -> ModularProof:
    """Only the conjuncts that hold after a step, if all the guess held before it."""
    assert obligation.conclusion is not None
    view = views.view_of(obligation.conclusion)
    certificate = Certificate(views, guess, budget)
    known = {c for premise in obligation.premises for c in certificate.conjuncts(premise)}
    after = dict(zip(guess.invariants[view], certificate.after(obligation), strict=True))
    t = views.terms
    kept = {conjunct for conjunct, term in after.items() if term in known or term == t.true}
    open_ = {conjunct: term for conjunct, term in after.items() if conjunct not in kept}
    solver = certificate.with_premises(obligation) if open_ else None
    if solver is None:
        return guess
    while certificate.is_possible(solver, t.not_(t.and_(*open_.values()))):
        mentioned = dict.fromkeys(v for term in open_.values() for v in t.variables(term))
        values = solver.values(mentioned)
        open_ = {c: term for c, term in open_.items() if t.evaluate(term, values) is True}
    left = tuple(c for c in after if c in kept or c in open_)
    return replace(guess, invariants={**guess.invariants, view: left})
