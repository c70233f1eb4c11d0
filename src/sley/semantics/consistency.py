"""Whether conditions on undetermined values can hold together, as a solver says."""

from sley.base.errors import GaveUpError
from sley.logic.terms import Term, Terms
from sley.solvers import SolverName, make_solver
from sley.solvers.port import Solver, SolverAnswer

MOST_SECONDS = 5.0
"""For one question."""


class Consistency:
    """Asks a solver, and remembers what it said."""

    def __init__(self, terms: Terms, solver: SolverName) -> None:
        self._terms = terms
        self._name: SolverName = solver
        self._solver: Solver | None = None
        self._known: dict[frozenset[Term], bool] = {}

    def is_possible(self, formulas: frozenset[Term]) -> bool:
        """Whether all formulas can hold."""
        found = self._known.get(formulas)
        if found is None:
            found = self._known[formulas] = self._terms.false not in formulas and self._asked(formulas)
        return found

    def model(self, formulas: frozenset[Term], wanted: tuple[Term, ...]) -> tuple[int, ...] | None:
        """What these terms are in one case in which all formulas hold; None if there is none."""
        if not self._asked(formulas):
            return None
        assert self._solver is not None
        return tuple(int(self._solver.value(term)) for term in wanted)

    def _asked(self, formulas: frozenset[Term]) -> bool:
        if self._solver is None:
            self._solver = make_solver(self._name, self._terms, time_limit=MOST_SECONDS)
        answer = self._solver.check(*sorted(formulas))
        if answer is SolverAnswer.UNKNOWN:
            raise GaveUpError(f"a solver cannot tell whether some inputs are possible: {self._solver.reason}")
        return answer is SolverAnswer.SAT
