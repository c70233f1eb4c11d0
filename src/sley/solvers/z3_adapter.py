"""z3 behind the port: the second opinion.

Python does not run while z3 works, so signals would wait for the end of a query. A query that takes longer
than ``PATIENCE`` therefore goes on in a thread, while this one stays awake to interrupt it.
"""

from collections.abc import Sequence
from typing import Any

import z3

from sley.logic.operators import AnyValue
from sley.logic.terms import Term
from sley.solvers.limits import ask_in_thread
from sley.solvers.port import Solver
from sley.solvers.z3_terms import Z3Translation, value_in

PATIENCE = 0.2
"""Seconds that a query may take before it moves into a thread."""

_NO_LIMIT = 2**32 - 1


class Z3Solver(Solver):
    """z3."""

    def __init__(self, translation: Z3Translation, time_limit: float | None) -> None:
        super().__init__("z3", translation.terms, time_limit)
        self._translation = translation
        self._solver: Any = z3.Solver()
        self._solver.set(ctrl_c=False)  # signals are ours
        self._z3_model: Any = None

    def fresh(self) -> "Z3Solver":
        """An empty solver with the same translation and settings."""
        return Z3Solver(self._translation, self.time_limit)

    def _assert(self, formulas: Sequence[Term]) -> None:
        self._solver.add([self._translation.native(f) for f in formulas])

    def _native(self, formula: Term) -> Any:
        return self._translation.native(formula)

    def _ask(self, assumptions: Sequence[object], conflict_limit: int | None) -> bool | None:
        left = self._deadline.remaining()
        patience = PATIENCE if left is None else min(PATIENCE, left)
        self._solver.set("timeout", max(1, round(1000 * patience)))
        found = self._solver.check(*assumptions)
        if found == z3.unknown and self._why() in ("timeout", "canceled") and not self._deadline.is_over:
            self._solver.set("timeout", _NO_LIMIT)
            found = ask_in_thread(
                lambda: self._solver.check(*assumptions),
                lambda: self._deadline.is_over,
                self._solver.interrupt,
            )
        return None if found is None or found == z3.unknown else found == z3.sat

    def _why(self) -> str:
        return str(self._solver.reason_unknown())

    def _key(self, assumption: Term) -> int:
        return int(self._translation.native(assumption).get_id())

    def _failed(self) -> set[int]:
        return {expression.get_id() for expression in self._solver.unsat_core()}

    def _value_of(self, variable: Term) -> AnyValue:
        if not self._model:
            self._z3_model = self._solver.model()
        return value_in(self._z3_model, self._translation.native(variable), self.terms.sort(variable))
