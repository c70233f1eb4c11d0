"""What inputs may be together, as a solver says: the search asks one, the checker another."""

from collections.abc import Callable

from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.logic.terms import Term
from sley.semantics.consistency import Consistency
from sley.solvers.port import Solver, SolverAnswer

MOST_SECONDS = 5.0
"""For one question."""


class SolverConsistency(Consistency):
    """Asks a solver, which is made when it is first needed, and remembers what it said."""

    def __init__(self, make: Callable[[], Solver]) -> None:
        self._make = make
        self._solver: Solver | None = None
        self._known: dict[frozenset[Term], bool] = {}

    @property
    def is_asked(self) -> bool:
        """Whether there was any question."""
        return self._solver is not None

    def is_possible(self, formulas: frozenset[Term]) -> bool:
        """Whether all formulas can hold."""
        found = self._known.get(formulas)
        if found is None:
            found = self._known[formulas] = self._asked(formulas) is not None
        return found

    def model(self, formulas: frozenset[Term], wanted: tuple[Term, ...]) -> tuple[int, ...] | None:
        """What these terms are in one case in which all formulas hold; None if there is none."""
        solver = self._asked(formulas)
        return None if solver is None else tuple(int(solver.value(term)) for term in wanted)

    def _asked(self, formulas: frozenset[Term]) -> Solver | None:
        """The solver, if it has a model of the formulas."""
        if self._solver is None:
            self._solver = self._make()
        answer = self._solver.check(*sorted(formulas), time_limit=MOST_SECONDS)
        if answer is SolverAnswer.UNKNOWN:
            text = f"a solver cannot tell whether some inputs are possible: {self._solver.reason}"
            raise GaveUpError(Reason(text, Why.SOLVER))
        return self._solver if answer is SolverAnswer.SAT else None
