"""The largest inductive part of guessed invariants (Houdini).

Conjuncts that some step can make false are left out, until none is; what is left is inductive, whatever the
guesses were (C. Flanagan, K. R. M. Leino, Houdini, an Annotation Assistant for ESC/Java, FME 2001).
"""

from collections.abc import Sequence
from dataclasses import replace

from sley.base.budget import Budget
from sley.engines.modular.certificate import Certificate
from sley.engines.modular.views import Obligation, Views
from sley.evidence.modular.proof import ModularProof


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
    after = dict(zip(guess.invariants[view], certificate.after(obligation), strict=True))
    t = views.terms
    solver = None if all(a == t.true for a in after.values()) else certificate.with_premises(obligation)
    if solver is None:
        return guess
    while certificate.is_possible(solver, t.not_(t.and_(*after.values()))):
        mentioned = dict.fromkeys(v for term in after.values() for v in t.variables(term))
        values = solver.values(mentioned)
        after = {c: term for c, term in after.items() if t.evaluate(term, values) is True}
    return replace(guess, invariants={**guess.invariants, view: tuple(after)})
