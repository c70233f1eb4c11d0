"""Bitwuzla behind the port.

Measured, and why engines use it as they do: a query over a fixed vocabulary takes 40 microseconds in a
long-lived solver, but formulas with new variables slow it down (20 to 40 times at 100 steps of a path): paths
get a ``fresh`` solver each. Without cores formulas are normalised as a whole, and queries about sums of
counters take a tenth to a thirtieth of the time. Interpolants are word-level and small only with the options
below.
"""

from collections.abc import Sequence
from typing import Any

import bitwuzla
from bitwuzla import Option

from sley.logic.operators import AnyValue
from sley.logic.terms import Term, has_arrays
from sley.solvers.bitwuzla_back import from_bitwuzla
from sley.solvers.bitwuzla_terms import BitwuzlaTranslation, value_of
from sley.solvers.port import Solver, SolverAnswer

_FOR_CORES = (Option.PRODUCE_UNSAT_ASSUMPTIONS,)
_FOR_INTERPOLANTS = (
    Option.PRODUCE_INTERPOLANTS,
    Option.INTERPOLANTS_LIFT,
    Option.INTERPOLANTS_SIMP,
    Option.INTERPOLANTS_SUBST,
)
_ANSWERS = {bitwuzla.Result.SAT: True, bitwuzla.Result.UNSAT: False}


class BitwuzlaSolver(Solver):
    """Bitwuzla, with interpolants if they are wanted."""

    def __init__(
        self, translation: BitwuzlaTranslation, time_limit: float | None, *, cores: bool, interpolants: bool
    ) -> None:
        super().__init__("bitwuzla", translation.terms, time_limit)
        self._translation = translation
        self._has_cores = cores
        self._can_interpolate = interpolants
        options = bitwuzla.Options()
        wanted = (_FOR_CORES if cores else ()) + (_FOR_INTERPOLANTS if interpolants else ())
        for option in (Option.PRODUCE_MODELS, *wanted):
            options.set(option, 1)
        self._solver: Any = bitwuzla.Bitwuzla(translation.manager, options)
        deadline = self._deadline  # not self: the library would keep the solver alive for ever
        self._solver.configure_terminator(lambda: deadline.is_over)

    def fresh(self) -> "BitwuzlaSolver":
        """An empty solver with the same translation and settings."""
        return BitwuzlaSolver(
            self._translation, self.time_limit, cores=self._has_cores, interpolants=self._can_interpolate
        )

    def _assert(self, formulas: Sequence[Term]) -> None:
        # the library crashes when it makes interpolants of formulas with arrays
        assert not (self._can_interpolate and has_arrays(self.terms, formulas)), "interpolants with arrays"
        for formula in formulas:
            self._solver.assert_formula(self._translation.formula(formula))

    def _native(self, formula: Term) -> Any:
        return self._translation.formula(formula)

    def _ask(self, assumptions: Sequence[object], conflict_limit: int | None) -> bool | None:
        return _ANSWERS.get(self._solver.check_sat(*assumptions))

    def _failed(self) -> set[Any]:
        assert self._has_cores, "a solver without cores"
        return set(self._solver.get_unsat_assumptions())

    def _value_of(self, variable: Term) -> AnyValue:
        native = self._solver.get_value(self._translation.native(variable))
        return value_of(native, self.terms.sort(variable))

    # --- interpolants -----------------------------------------------------------------------------

    def interpolants(self, parts: Sequence[Term]) -> tuple[Term, ...] | None:
        """Sequence interpolants."""
        assert self._can_interpolate, "a solver without interpolants"
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
