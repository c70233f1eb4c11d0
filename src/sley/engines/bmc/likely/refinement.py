r"""The refinement of an under-approximation by likely data-flow invariants, as published.

Their flow chart (Fig. 2), with P the program, φ a violation of the property, and Inv the constraints that are
mined from runs:

    Inv := {I1, …, In}
    repeat
        ask the SAT solver for P ∧ φ ∧ Inv
        satisfiable:            Unsafe
        C := its unsatisfiable core
        C ∩ Inv = ∅:            Safe
        Inv := Inv \ C

Every iteration but the last drops a constraint, so there are at most n + 1 of them (their Lemma 2); what is
satisfiable with the constraints is so without them, and a core that has none of them refutes P ∧ φ (Lemma 1).
A constraint is switched on by a literal that the solver is to assume, so the core is one of assumptions.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from sley.logic.terms import Term

Solve = Callable[[tuple[Term, ...]], bool | None]
"""Whether P ∧ φ is satisfiable under assumptions; None if the effort for that is used up."""


@dataclass(slots=True)
class InvariantRefinement:
    """The loop, between two of its steps."""

    invariants: tuple[Term, ...]
    """Inv: the switches of the constraints that are left."""
    iterations: int = 1

    def run(self, solve: Solve, core: Callable[[], Collection[Term]]) -> bool | None:
        """Whether P ∧ φ is satisfiable; None: the effort is used up, and a next call goes on."""
        while True:
            is_satisfiable = solve(self.invariants)
            if is_satisfiable is not False:
                return is_satisfiable
            used = frozenset(core()).intersection(self.invariants)
            if not used:
                return False
            self.invariants = tuple(one for one in self.invariants if one not in used)
            self.iterations += 1
