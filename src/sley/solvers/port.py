"""The port: what every engine and checker may ask of a solver, whichever it is.

A solver holds assertions. ``check`` asks whether they and some assumptions can hold together; what
may be asked next depends on the answer: values after SAT, the core after UNSAT, the reason after UNKNOWN.
UNKNOWN is an answer of its own and must never be read as one of the others.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterable, Sequence
from enum import Enum

from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.logic.operators import AnyValue, Value
from sley.logic.terms import Term, Terms
from sley.solvers.limits import Deadline


class SolverAnswer(Enum):
    """What a solver found."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


class BeyondBitsError(GaveUpError):
    """A formula has floats, which are not translated into clauses."""


class Solver(ABC):
    """One incremental solver over the terms of one arena."""

    def __init__(self, name: str, terms: Terms, time_limit: float | None) -> None:
        self.name = name
        """The name under which ``make_solver`` makes it."""
        self.terms = terms
        """The arena that all formulas come from."""
        self.reason = ""
        """After UNKNOWN: why, as a phrase."""
        self.time_limit = time_limit
        """In seconds, for each query."""
        self.clause_count = 0
        """How many clauses a SAT solver made of the formulas."""
        self._deadline = Deadline()
        self._answer: SolverAnswer | None = None
        self._assumptions: tuple[Term, ...] = ()
        self._model: dict[Term, AnyValue] = {}

    def add(self, *formulas: Term) -> None:
        """Assert the formulas."""
        self._answer = None
        self._assert(formulas)

    def add_clauses(self, clauses: Iterable[Sequence[Term]]) -> None:
        """Assert that of each clause some literal holds."""
        self.add(*(self.terms.or_(*clause) for clause in clauses))

    def prefer(self, formula: Term, *, value: bool) -> None:  # noqa: B027 - not every solver takes hints
        """Try this truth value of a variable, or of its negation, first; a hint that changes no answer."""

    @property
    def variable_count(self) -> int:
        """How many propositional variables a SAT solver made."""
        return 0

    @property
    def conflict_count(self) -> int:
        """How many conflicts all queries together had in a SAT solver."""
        return 0

    def check(
        self, *assumptions: Term, time_limit: float | None = None, conflict_limit: int | None = None
    ) -> SolverAnswer:
        """Whether assertions and assumptions are satisfiable together.

        ``time_limit`` in seconds is for this query; the shorter of it and the solver's own one counts. A SAT
        solver gives up after about ``conflict_limit`` conflicts, too.
        """
        self._answer, self._assumptions, self._model = None, assumptions, {}
        native = [self._native(assumption) for assumption in assumptions]
        self._deadline.start(time_limit, self.time_limit)
        found = None if self._deadline.is_over else self._ask(native, conflict_limit)
        if found is None:
            late = "time limit of one query reached" if self._deadline.is_over else ""
            self.reason = late or self._why() or Reason("the solver gave up", Why.SOLVER)
            self._answer = SolverAnswer.UNKNOWN
        else:
            self._answer = SolverAnswer.SAT if found else SolverAnswer.UNSAT
        return self._answer

    def core(self) -> tuple[Term, ...]:
        """After UNSAT: assumptions that already contradict the assertions, in the order they were given."""
        assert self._answer is SolverAnswer.UNSAT, "a core without UNSAT"
        failed = self._failed()
        return tuple(a for a in dict.fromkeys(self._assumptions) if self._key(a) in failed)

    def value(self, term: Term) -> Value:
        """After SAT: the value of ``term`` in one model, the same for all calls until the next change.

        That of a variable is the solver's, that of everything else is found by evaluation.
        """
        assert self._answer is SolverAnswer.SAT, "a value without SAT"
        for variable in self.terms.variables(term):
            if variable not in self._model:
                self._model[variable] = self._value_of(variable)
        return self.terms.evaluate(term, self._model)

    def model(self, variables: Iterable[Term]) -> dict[Term, AnyValue]:
        """After SAT: the values of variables, also of arrays, in that model."""
        return {v: self._model.setdefault(v, self._value_of(v)) for v in variables}

    def values(self, terms: Iterable[Term]) -> dict[Term, Value]:
        """After SAT: the values of several terms in that model."""
        return {term: self.value(term) for term in terms}

    def interpolants(self, parts: Sequence[Term]) -> tuple[Term, ...] | None:
        """After UNSAT without assumptions, where ``parts`` are all assertions: a sequence of interpolants.

        For parts F1..Fn it is I1..I(n-1) such that F1 implies I1, Ii and F(i+1) imply I(i+1), and I(n-1)
        contradicts Fn; Ii mentions only variables that occur both in F1..Fi and in F(i+1)..Fn. None if the
        solver found no interpolants that can be written as terms. No part may read elements of arrays.
        """
        raise AssertionError("a solver without interpolants")

    @abstractmethod
    def fresh(self) -> "Solver":
        """A new solver without assertions that shares what was already translated, and the settings."""

    # --- of each solver ---------------------------------------------------------------------------

    @abstractmethod
    def _assert(self, formulas: Sequence[Term]) -> None:
        """Add assertions."""

    @abstractmethod
    def _native(self, formula: Term) -> object:
        """An assumption in the solver's language."""

    @abstractmethod
    def _ask(self, assumptions: Sequence[object], conflict_limit: int | None) -> bool | None:
        """Whether there is a model; None if the solver gave up."""

    def _why(self) -> str:
        """Why the solver gave up by itself, if it says so."""
        return ""

    def _key(self, assumption: Term) -> Hashable:
        """How ``_failed`` names an assumption."""
        return self._native(assumption)

    @abstractmethod
    def _failed(self) -> Collection[Hashable]:
        """The assumptions that were needed for UNSAT."""

    @abstractmethod
    def _value_of(self, variable: Term) -> AnyValue:
        """The value of a variable in the model."""
