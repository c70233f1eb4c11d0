"""Whether obligations hold for given invariants, in the semantics of machine integers; and for which part.

The largest inductive part of guessed invariants: conjuncts that some step can make false are left out, until
none is; what is left is inductive, whatever the guesses were (C. Flanagan, K. R. M. Leino, Houdini, an
Annotation Assistant for ESC/Java, FME 2001).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import cycle

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.engines.modular.thresholds import QUERY_SECONDS
from sley.engines.modular.views import Obligation, SystemViews
from sley.evidence.modular.proof import ModularProof, View
from sley.logic.clauses import disjuncts, fixed_values
from sley.logic.terms import Term
from sley.solvers import make_solver
from sley.solvers.port import Solver, SolverAnswer


class Certificate:
    """Decides obligations for given invariants."""

    def __init__(
        self, views: SystemViews, proof: ModularProof, budget: Budget, solver: Solver | None = None
    ) -> None:
        self.views = views
        self.terms = views.terms
        self.invariants = proof.invariants
        self.budget = budget
        self.solver = solver or make_solver("bitwuzla", views.terms, cores=False, time_limit=QUERY_SECONDS)

    def holds(self, obligation: Obligation) -> bool:
        """Whether the clause is true."""
        t = self.terms
        goal = t.and_(*self.after(obligation))
        if goal == t.true:
            return True
        hypotheses, equations = self.hypotheses(obligation)
        if t.false in hypotheses:
            return True
        near = self.near(obligation, (goal,), hypotheses, equations)
        return any(self.model_of((*known, *equations, t.not_(goal))) is None for known in (near, hypotheses))

    def conjuncts(self, instances: Sequence[int]) -> tuple[Term, ...]:
        """What the invariant says of instances, in this order."""
        view: View = self.views.view_of(instances)
        if instances == self.views.instances(view):
            return tuple(self.invariants[view])
        renaming = self.views.renaming(view, instances)
        return self.terms.substitute_all(tuple(self.invariants[view]), renaming)

    def said_of(self, premises: Sequence[tuple[int, ...]]) -> Iterator[Term]:
        """What the invariants say of threads that are in view together, in all orders."""
        orders = (order for premise in premises for order in self.views.orders(premise))
        return (conjunct for order in orders for conjunct in self.conjuncts(order))

    def after(self, obligation: Obligation) -> tuple[Term, ...]:
        """What has to hold, over the variables before the step."""
        if obligation.conclusion is None:
            return (self.terms.false,)
        return self.terms.substitute_all(self.conjuncts(obligation.conclusion), obligation.updates)

    def hypotheses(self, obligation: Obligation) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """What is known before the step, with the variables that it fixes replaced; and what these are."""
        t = self.terms
        known = fixed_values(t, obligation.constraints)
        found = [*obligation.constraints, *self.said_of(obligation.premises)]
        for other in obligation.others:
            found += t.substitute_all((*other.claim, *self.said_of(other.premises)), other.names)
        reduced = dict.fromkeys(t.substitute_all(tuple(found), known))
        return tuple(reduced), tuple(t.eq(v, value) for v, value in known.items())

    def near(
        self,
        obligation: Obligation,
        goals: Iterable[Term],
        hypotheses: Sequence[Term],
        equations: Sequence[Term],
    ) -> list[Term]:
        """The hypotheses that speak of something that the goals or the step speak of; mostly they suffice."""
        t = self.terms
        fixed = {v for equation in equations for v in t.variables(equation)}
        spoken = (*goals, *obligation.constraints)
        variables = {v for term in spoken for v in t.variables(term)} - fixed
        return [h for h in hypotheses if not variables.isdisjoint(t.variables(h))]

    def model_of(self, formulas: Iterable[Term]) -> Solver | None:
        """A solver that knows how to meet all of these together; None if that cannot be."""
        self.budget.spend()
        solver = self.solver.fresh()
        solver.add(*formulas)
        answer = solver.check()
        if answer is SolverAnswer.UNKNOWN:
            raise GaveUpError(Reason(f"an implication could not be decided: {solver.reason}", Why.SOLVER))
        return solver if answer is SolverAnswer.SAT else None


def inductive_part(
    views: SystemViews,
    known: ModularProof,
    guesses: Mapping[View, Sequence[Term]],
    obligations: Sequence[Obligation],
    budget: Budget,
) -> ModularProof:
    """What is known to be inductive, and what guesses add without the conjuncts that are not kept by steps.

    A conjunct that is weaker than another one waits until that one is left out: the strongest say it all.
    """
    solver = Certificate(views, known, budget).solver
    steps = [_Obligation(views, one, budget, solver) for one in obligations if one.conclusion is not None]
    left = {v: _Guesses(views, v, shown, guesses[v]) for v, shown in known.invariants.items()}
    holding = 0
    for step in cycle(steps):
        if holding == len(steps):
            break
        said = {view: (*known.invariants[view], *one.strongest) for view, one in left.items()}
        here = left[step.view]
        broken = step.broken(replace(known, invariants=said), here.strongest)
        here.leave_out(broken)
        holding = 0 if broken else holding + 1
    said = {view: (*known.invariants[view], *one.strongest) for view, one in left.items()}
    return replace(known, invariants=said)


class _Guesses:
    """The conjuncts of a view that are not left out."""

    def __init__(
        self, views: SystemViews, view: View, known: Sequence[Term], guesses: Sequence[Term]
    ) -> None:
        parts = {c: disjuncts(views.terms, c) for c in views.distinct(view, (*known, *guesses))}
        self._stronger = {c: {o for o in parts if parts[o] < parts[c]} for c in parts}
        shown = set(known)
        self._left = {c: None for c in parts if c not in shown and shown.isdisjoint(self._stronger[c])}

    @property
    def strongest(self) -> tuple[Term, ...]:
        """Those that no other one implies on sight."""
        return tuple(c for c in self._left if self._left.keys().isdisjoint(self._stronger[c]))

    def leave_out(self, conjuncts: Iterable[Term]) -> None:
        """These are not kept."""
        for conjunct in conjuncts:
            del self._left[conjunct]


class _Obligation:
    """An obligation of which it is asked again and again what it keeps, while less and less is guessed."""

    def __init__(self, views: SystemViews, obligation: Obligation, budget: Budget, solver: Solver) -> None:
        assert obligation.conclusion is not None
        self.views = views
        self.terms = views.terms
        self.obligation = obligation
        self.view = views.view_of(obligation.conclusion)
        self.budget = budget
        self.solver = solver
        self._needed: frozenset[Term] | None = None
        self._shown: frozenset[Term] = frozenset()
        """What was shown last, if something was, and what for: it is so as long as that is known."""

    def broken(self, guess: ModularProof, conjuncts: tuple[Term, ...]) -> list[Term]:
        """The conjuncts that may not hold after the step, if all the guess held before it."""
        t, certificate = self.terms, Certificate(self.views, guess, self.budget, self.solver)
        kept = {t.true, *certificate.said_of(self.obligation.premises)}
        after = zip(conjuncts, t.substitute_all(conjuncts, self.obligation.updates), strict=True)
        left = {conjunct: term for conjunct, term in after if term not in kept}
        if not left:
            return []
        hypotheses, equations = certificate.hypotheses(self.obligation)
        if t.false in hypotheses or self._is_shown(hypotheses, left.values()):
            return []
        near = certificate.near(self.obligation, left.values(), hypotheses, equations)
        goal = t.not_(t.and_(*left.values()))
        if certificate.model_of((*near, *equations, goal)) is None:
            self._show(near, left.values())
            return []
        broken: list[Term] = []
        known = (*hypotheses, *equations)
        while left and (model := certificate.model_of((*known, t.not_(t.and_(*left.values()))))) is not None:
            values = model.values(dict.fromkeys(v for term in left.values() for v in t.variables(term)))
            found = [c for c, term in left.items() if t.evaluate(term, values) is not True]
            broken += found
            left = {c: term for c, term in left.items() if c not in found}
        if not broken:
            self._show(hypotheses, left.values())
        return broken

    def _is_shown(self, hypotheses: Iterable[Term], goals: Iterable[Term]) -> bool:
        return (
            self._needed is not None and self._shown.issuperset(goals) and self._needed.issubset(hypotheses)
        )

    def _show(self, hypotheses: Iterable[Term], goals: Iterable[Term]) -> None:
        self._needed, self._shown = frozenset(hypotheses), frozenset(goals)
