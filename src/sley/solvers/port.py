"""The port: what every engine and checker may ask of a solver, whichever it is.

A solver holds a stack of assertions. ``check`` asks whether they and some assumptions can hold together; what
may be asked next depends on the answer: values after SAT, the core after UNSAT, the reason after UNKNOWN.
UNKNOWN is an answer of its own and must never be read as one of the others.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Protocol

from sley.logic.operators import Value
from sley.logic.terms import Term, Terms


class SolverAnswer(Enum):
    """What a solver found."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


class Solver(Protocol):
    """One incremental solver over the terms of one arena."""

    @property
    def name(self) -> str:
        """The name under which ``make_solver`` makes it."""

    @property
    def terms(self) -> Terms:
        """The arena that all formulas come from."""

    @property
    def can_interpolate(self) -> bool:
        """Whether ``interpolants`` may be asked."""

    @property
    def reason(self) -> str:
        """After UNKNOWN: why, as a phrase."""

    def add(self, *formulas: Term) -> None:
        """Assert the formulas until the next ``pop`` of the present level."""

    def push(self) -> None:
        """Begin a level."""

    def pop(self) -> None:
        """End the present level and forget its assertions."""

    def check(self, *assumptions: Term, time_limit: float | None = None) -> SolverAnswer:
        """Whether assertions and assumptions are satisfiable together.

        ``time_limit`` in seconds is for this query; the shorter of it and the solver's own one counts.
        """

    def core(self) -> tuple[Term, ...]:
        """After UNSAT: assumptions that already contradict the assertions, in the order they were given."""

    def value(self, term: Term) -> Value:
        """After SAT: the value of ``term`` in one model, the same for all calls until the next change."""

    def values(self, terms: Iterable[Term]) -> dict[Term, Value]:
        """After SAT: the values of several terms in that model."""

    def interpolants(self, parts: Sequence[Term]) -> tuple[Term, ...] | None:
        """After UNSAT without assumptions, where ``parts`` are all assertions: a sequence of interpolants.

        For parts F1..Fn it is I1..I(n-1) such that F1 implies I1, Ii and F(i+1) imply I(i+1), and I(n-1)
        contradicts Fn; Ii mentions only variables that occur both in F1..Fi and in F(i+1)..Fn. None if the
        solver found no interpolants that can be written as terms.
        """

    def interrupt(self) -> None:
        """End the query that is running, or else the next one, with UNKNOWN; for signal handlers."""

    def fresh(self) -> "Solver":
        """A new solver without assertions that shares what was already translated, and the settings."""
