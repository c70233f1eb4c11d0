"""The largest inductive part of guessed invariants (Houdini).

Conjuncts that some step can make false are left out, until none is; what is left is inductive, whatever the
guesses were (C. Flanagan, K. R. M. Leino, Houdini, an Annotation Assistant for ESC/Java, FME 2001).
"""

from collections.abc import Sequence
from dataclasses import replace

from sley.base.budget import Budget
from sley.evidence.modular import ModularProof, Obligation, Views
from sley.evidence.modular_check import Certificate


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
    """Only the conjuncts that hold after a step."""
    assert obligation.conclusion is not None
    view = views.view_of(obligation.conclusion)
    while broken := Certificate(views, guess, budget).broken(obligation):
        kept = tuple(c for i, c in enumerate(guess.invariants[view]) if i not in broken)
        guess = replace(guess, invariants={**guess.invariants, view: kept})
    return guess
