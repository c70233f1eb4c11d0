"""z3 behind the port: the second opinion.

Python does not run while z3 works, so signals would wait for the end of a query. A query that takes longer
than ``PATIENCE`` therefore goes on in a thread, while this one stays awake to interrupt it.
"""

import threading
from collections.abc import Iterable, Sequence
from typing import Any

import z3

from sley.base.threads import start
from sley.logic.operators import Value
from sley.logic.terms import Term, Terms
from sley.solvers.limits import Deadline
from sley.solvers.port import SolverAnswer
from sley.solvers.z3_terms import Z3Translation, value_in

PATIENCE = 0.2
"""Seconds that a query may take before it moves into a thread."""

_NO_LIMIT = 2**32 - 1


class Z3Solver:
    """z3; see the port for what the methods promise."""

    name = "z3"
    can_interpolate = False

    def __init__(self, translation: Z3Translation, *, time_limit: float | None = None) -> None:
        self._translation = translation
        self._deadline = Deadline(time_limit)
        self._solver: Any = z3.Solver()
        self._solver.set(ctrl_c=False)  # signals are ours
        self._answer: SolverAnswer | None = None
        self._assumptions: tuple[Term, ...] = ()
        self._reason = ""
        self._z3_model: Any = None
        self._model: dict[Term, Value] = {}

    @property
    def terms(self) -> Terms:
        """The arena."""
        return self._translation.terms

    @property
    def reason(self) -> str:
        """Why the last answer was UNKNOWN."""
        return self._reason

    def add(self, *formulas: Term) -> None:
        """Assert."""
        self._answer = None
        self._solver.add([self._translation.native(f) for f in formulas])

    def push(self) -> None:
        """Begin a level."""
        self._answer = None
        self._solver.push()

    def pop(self) -> None:
        """End a level."""
        self._answer = None
        self._solver.pop()

    def check(self, *assumptions: Term, time_limit: float | None = None) -> SolverAnswer:
        """Ask."""
        self._assumptions = assumptions
        self._model = {}
        native = [self._translation.native(a) for a in assumptions]
        self._deadline.start(time_limit)
        if self._deadline.is_over:
            return self._gave_up("")
        result = self._ask(native)
        if result == z3.unknown:
            return self._gave_up(self._solver.reason_unknown())
        self._answer = SolverAnswer.SAT if result == z3.sat else SolverAnswer.UNSAT
        return self._answer

    def _ask(self, assumptions: list[Any]) -> Any:
        left = self._deadline.remaining()
        patience = PATIENCE if left is None else min(PATIENCE, left)
        self._solver.set("timeout", max(1, round(1000 * patience)))
        result = self._solver.check(*assumptions)
        if result != z3.unknown or self._solver.reason_unknown() not in ("timeout", "canceled"):
            return result
        return z3.unknown if self._deadline.is_over else self._ask_in_thread(assumptions)

    def _ask_in_thread(self, assumptions: list[Any]) -> Any:
        self._solver.set("timeout", _NO_LIMIT)
        found: list[Any] = []
        worker = threading.Thread(target=lambda: found.append(self._solver.check(*assumptions)), daemon=True)
        start(worker)
        while worker.is_alive():
            worker.join(0.05)
            if self._deadline.is_over:
                self._solver.interrupt()
        return found[0] if found else z3.unknown

    def _gave_up(self, reason: str) -> SolverAnswer:
        self._reason = self._deadline.take_reason() or reason or "the solver gave up"
        self._answer = SolverAnswer.UNKNOWN
        return self._answer

    def core(self) -> tuple[Term, ...]:
        """Failed assumptions."""
        assert self._answer is SolverAnswer.UNSAT, "a core without UNSAT"
        failed = {expression.get_id() for expression in self._solver.unsat_core()}
        return tuple(
            a for a in dict.fromkeys(self._assumptions) if self._translation.native(a).get_id() in failed
        )

    def value(self, term: Term) -> Value:
        """The value in the model: of variables from z3, of everything else by evaluation."""
        assert self._answer is SolverAnswer.SAT, "a value without SAT"
        if not self._model:
            self._z3_model = self._solver.model()
        for variable in self.terms.variables(term):
            if variable not in self._model:
                native = self._translation.native(variable)
                self._model[variable] = value_in(self._z3_model, native, self.terms.sort(variable))
        return self.terms.evaluate(term, self._model)

    def values(self, terms: Iterable[Term]) -> dict[Term, Value]:
        """The values in the model."""
        return {term: self.value(term) for term in terms}

    def interpolants(self, parts: Sequence[Term]) -> tuple[Term, ...] | None:
        """This z3 has none."""
        raise AssertionError("a solver without interpolants")

    def interrupt(self) -> None:
        """End the running or next query."""
        self._deadline.interrupt()

    def fresh(self) -> "Z3Solver":
        """An empty solver with the same translation and settings."""
        return Z3Solver(self._translation, time_limit=self._deadline.time_limit)
