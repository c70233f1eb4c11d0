"""Bitwuzla behind the port.

Measured, and why engines use it as they do: a query over a fixed vocabulary takes 40 microseconds in a
long-lived solver, but formulas with new variables slow it down (20 to 40 times at 100 steps of a path): paths
get a ``fresh`` solver each. Interpolants are word-level and small only with the three options below.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import bitwuzla
from bitwuzla import Option

from sley.logic.operators import Value
from sley.logic.terms import Term, Terms
from sley.solvers.bitwuzla_back import from_bitwuzla
from sley.solvers.bitwuzla_terms import BitwuzlaTranslation, value_of
from sley.solvers.limits import Deadline
from sley.solvers.port import SolverAnswer

_ALWAYS = (Option.PRODUCE_MODELS, Option.PRODUCE_UNSAT_ASSUMPTIONS)
_FOR_INTERPOLANTS = (
    Option.PRODUCE_INTERPOLANTS,
    Option.INTERPOLANTS_LIFT,
    Option.INTERPOLANTS_SIMP,
    Option.INTERPOLANTS_SUBST,
)


class BitwuzlaSolver:
    """Bitwuzla; see the port for what the methods promise."""

    name = "bitwuzla"

    def __init__(
        self,
        translation: BitwuzlaTranslation,
        *,
        interpolants: bool = False,
        time_limit: float | None = None,
    ) -> None:
        self._translation = translation
        self._deadline = Deadline(time_limit)
        self.can_interpolate = interpolants
        self._solver: Any = bitwuzla.Bitwuzla(translation.manager, _options(interpolants=interpolants))
        deadline = self._deadline  # not self: the library would keep the solver alive for ever
        self._solver.configure_terminator(lambda: deadline.is_over)
        self._answer: SolverAnswer | None = None
        self._assumptions: tuple[Term, ...] = ()
        self._reason = ""
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
        for formula in formulas:
            self._solver.assert_formula(self._translation.formula(formula))

    def push(self) -> None:
        """Begin a level."""
        self._answer = None
        self._solver.push(1)

    def pop(self) -> None:
        """End a level."""
        self._answer = None
        self._solver.pop(1)

    def check(self, *assumptions: Term, time_limit: float | None = None) -> SolverAnswer:
        """Ask."""
        self._assumptions = assumptions
        self._model = {}
        native = [self._translation.formula(a) for a in assumptions]
        self._deadline.start(time_limit)
        if self._deadline.is_over:
            return self._gave_up()
        result = self._solver.check_sat(*native)
        if result == bitwuzla.Result.UNKNOWN:
            return self._gave_up()
        self._answer = SolverAnswer.SAT if result == bitwuzla.Result.SAT else SolverAnswer.UNSAT
        return self._answer

    def _gave_up(self) -> SolverAnswer:
        self._reason = self._deadline.take_reason() or "the solver gave up"
        self._answer = SolverAnswer.UNKNOWN
        return self._answer

    def core(self) -> tuple[Term, ...]:
        """Failed assumptions."""
        assert self._answer is SolverAnswer.UNSAT, "a core without UNSAT"
        failed = set(self._solver.get_unsat_assumptions())
        return tuple(a for a in dict.fromkeys(self._assumptions) if self._translation.formula(a) in failed)

    def value(self, term: Term) -> Value:
        """The value in the model: of variables from Bitwuzla, of everything else by evaluation."""
        assert self._answer is SolverAnswer.SAT, "a value without SAT"
        for variable in self.terms.variables(term):
            if variable not in self._model:
                native = self._solver.get_value(self._translation.native(variable))
                self._model[variable] = value_of(native, self.terms.sort(variable))
        return self.terms.evaluate(term, self._model)

    def values(self, terms: Iterable[Term]) -> dict[Term, Value]:
        """The values in the model."""
        return {term: self.value(term) for term in terms}

    def interpolants(self, parts: Sequence[Term]) -> tuple[Term, ...] | None:
        """Sequence interpolants."""
        assert self.can_interpolate, "a solver without interpolants"
        assert self._answer is SolverAnswer.UNSAT, "interpolants without UNSAT"
        assert not self._assumptions, "interpolants under assumptions"
        # a formula that occurs twice counts where it occurs first: the later part only gets weaker
        seen: set[Term] = set()
        groups: list[list[Any]] = []
        for part in parts[:-1]:
            groups.append([] if part in seen else [self._translation.formula(part)])
            seen.add(part)
        found = self._native_interpolants(groups, is_last_new=parts[-1] not in seen)
        made = [from_bitwuzla(self.terms, n, self._translation.back) for n in found]
        return None if any(m is None for m in made) else tuple(m for m in made if m is not None)

    def _native_interpolants(self, groups: list[list[Any]], *, is_last_new: bool) -> list[Any]:
        manager = self._translation.manager
        if not is_last_new:  # then the first parts are contradictory by themselves
            earlier = self._native_interpolants(groups[:-1], is_last_new=bool(groups[-1]))
            return [*earlier, manager.mk_false()]
        found = iter(self._solver.get_interpolants([g for g in groups if g]) if any(groups) else ())
        result: list[Any] = []
        for group in groups:
            result.append(next(found) if group else result[-1] if result else manager.mk_true())
        return result

    def interrupt(self) -> None:
        """End the running or next query."""
        self._deadline.interrupt()

    def fresh(self) -> "BitwuzlaSolver":
        """An empty solver with the same translation and settings."""
        return BitwuzlaSolver(
            self._translation, interpolants=self.can_interpolate, time_limit=self._deadline.time_limit
        )


def _options(*, interpolants: bool) -> Any:
    options = bitwuzla.Options()
    for option in _ALWAYS + (_FOR_INTERPOLANTS if interpolants else ()):
        options.set(option, 1)
    return options
