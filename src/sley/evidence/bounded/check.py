"""Accepts or refuses the proof of engine ``bmc``, with an unrolling and a formula of its own.

Nothing here comes from the engine: steps are those of ``semantics.symbolic_step``, one event each, and the
formula is the plain one (``axioms``). What the proof claims is tested on the events that come out.
"""

from collections.abc import Sequence
from itertools import count, pairwise

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.evidence.bounded.axioms import Axioms
from sley.evidence.bounded.events import BadEvent, Events
from sley.evidence.bounded.lemmas import has_wide_accesses, joins, keepers, sections, sums
from sley.evidence.bounded.order import EventOrder
from sley.evidence.bounded.proof import BoundedProof
from sley.evidence.bounded.unrolling import CheckedClaims, Unrolling, WrongClaimError
from sley.evidence.bounded.violations import MAYBE_RACE, Violations
from sley.evidence.proof import Checked, RefusedProofError
from sley.logic.sorts import BOOL
from sley.logic.terms import Terms
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.code import Code
from sley.semantics.vocabulary import may_lose
from sley.solvers import make_sat_solver
from sley.solvers.port import Solver, SolverAnswer


def check_bounded(
    program: Program, properties: frozenset[Property], proof: BoundedProof, budget: Budget
) -> Checked:
    """Accept the proof, or raise: ``RefusedProofError``, or ``GaveUpError`` if we cannot tell."""
    unrolling = unrolled(Unrolling, program, proof, budget)
    events = unrolling.result
    if Property.LEAK in properties and may_lose(unrolling.steps.code, unrolling.steps.found.heap):
        raise GaveUpError("whether memory is lost is not part of the formula")
    violations = Violations(unrolling)
    wrong = list(events.errors)
    asked = list(violations.races()) if Property.RACE in properties else []
    if Property.DEADLOCK in properties:
        asked += violations.deadlocks()
    order = EventOrder(program.terms, [event.thread for event in events.events], events.order)
    for last, first in joins(program.terms, events):
        order.add(last, first)
    if not (Property.RACE in properties and has_wide_accesses(program)):
        order.unit = sections(events, order, keepers(events))
    found = [violation(order) for violation in asked]
    wrong += [bad for bad in found if bad.what != MAYBE_RACE]
    open_ = [*events.troubles, *violations.troubles, *(bad for bad in found if bad.what == MAYBE_RACE)]
    open_ += numbers_by_schedule(program.terms, events, order)
    axioms = Axioms(program.terms, events, order, sums(program.terms, events, order), budget)
    solver = Reachability(program.terms, axioms, budget).exclude(wrong, events.cuts, open_)
    return Checked("the program was unrolled again, and a formula of our own was solved", (solver,))


def unrolled(kind: type[Unrolling], program: Program, proof: BoundedProof, budget: Budget) -> Unrolling:
    """Unroll until all that was taken for granted is true."""
    code, claims = Code(program), CheckedClaims(proof.shape, proof.settled)
    while True:
        unrolling = kind(code, proof, claims, budget)
        try:
            unrolling.run()
        except WrongClaimError:
            continue
        return unrolling


def numbers_by_schedule(terms: Terms, events: Events, order: EventOrder) -> list[BadEvent]:
    """Threads have numbers in our order: where they are created in another one, we cannot tell."""
    created = [(number, events.events[number].occurs) for number in events.creations if number is not None]
    return [
        BadEvent(
            terms.and_(later, terms.not_(terms.and_(earlier, order.before(a, b)))),
            "the numbers of threads depend on the schedule",
        )
        for (a, earlier), (b, later) in pairwise(created)
    ]


class Reachability:
    """Whether any of some things can happen."""

    def __init__(self, terms: Terms, axioms: Axioms, budget: Budget) -> None:
        self.terms = terms
        self.order = axioms.order
        self.budget = budget
        self.axioms = axioms
        self._questions = count()

    def exclude(self, wrong: list[BadEvent], cuts: list[BadEvent], troubles: list[BadEvent]) -> str:
        """Nothing of all that can happen, says a solver; what can decides how to say no."""
        everything = (*wrong, *cuts, *troubles)
        self.axioms.encode([bad.condition for bad in everything])
        solver = make_sat_solver("cadical", self.terms, self.axioms.formulas, self.axioms.clauses)
        if not self._is_possible(solver, everything):
            return "CaDiCaL" if solver.name == "cadical" else "Bitwuzla"
        for kind in (wrong, cuts):
            if self._is_possible(solver, kind):
                what = self._met(solver, kind)
                raise RefusedProofError(f"a run is left that the proof does not exclude: {what}")
        raise GaveUpError(self._met(solver, troubles) if self._is_possible(solver, troubles) else "?")

    def _met(self, solver: Solver, bad: Sequence[BadEvent]) -> str:
        """What happens in the model."""
        return next(one.what for one in bad if solver.value(one.condition))

    def _is_possible(self, solver: Solver, bad: Sequence[BadEvent]) -> bool:
        """Whether there is a model, without cycles, in which one of these happens."""
        literals = [self.axioms.literals[one.condition] for one in bad if one.condition != self.terms.false]
        question = self.terms.var(f"!asked{next(self._questions)}", BOOL)
        solver.add(self.terms.or_(self.terms.not_(question), *literals))
        if not literals:
            return False
        while True:
            self.budget.check()
            answer = solver.check(question, time_limit=self.budget.remaining())
            if answer is SolverAnswer.UNKNOWN:
                self.budget.check()
                raise GaveUpError(solver.reason)
            if answer is SolverAnswer.UNSAT:
                return False
            cycles = self.order.cycle(lambda literal: bool(solver.value(literal)))
            if not cycles:
                return True
            for clause in cycles:
                solver.add(self.terms.or_(*clause))
