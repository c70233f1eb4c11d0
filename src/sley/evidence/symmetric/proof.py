"""Proofs by symmetric predicate abstraction, as plain data: a Boolean program, and why it does nothing bad.

The Booleans of the program are named after the predicates that they stand for: ``b0`` is the first one. Its
templates are those of the system of templates, in order; the statements of a template are the transitions of
its threads (those that end the process left out) and then the obstacles, in the system's order.
"""

from dataclasses import dataclass
from typing import NamedTuple

from sley.evidence.symmetric.boolean_program import BooleanProgram
from sley.logic.terms import Term


class Predicate(NamedTuple):
    """A truth value to remember; over the first instance of its template, or over what all share."""

    term: Term
    template: int | None = None
    """The number of the template; None if it is shared."""


class Cube(NamedTuple):
    """The numbers that have ``value`` in the bits of ``mask``."""

    mask: int
    value: int


LocalState = tuple[int, int]
"""Of a thread: its location, and the values of its template's Booleans (bit i: the i-th; 0 out of scope)."""

Configuration = tuple[int, tuple[LocalState, ...]]
"""The values of the shared Booleans, and the local states of all threads that exist, sorted."""


@dataclass(frozen=True, slots=True)
class Reachable:
    """Configurations that are closed under steps: the start is among them, and nothing bad."""

    configurations: tuple[Configuration, ...]

    @property
    def summary(self) -> str:
        """One phrase for the user."""
        return f"{len(self.configurations)} abstract states up to symmetry, closed under steps"


@dataclass(frozen=True, slots=True)
class ClosedViews:
    """What the threads of single templates and ``size`` others can be together, closed under steps."""

    size: int
    views: tuple[Configuration, ...]

    @property
    def summary(self) -> str:
        """One phrase for the user."""
        views = f"{len(self.views)} views of {self.size} at a time, closed under steps"
        return f"{views}, any number of threads"


@dataclass(frozen=True, slots=True)
class SymmetricProof:
    """Predicates, the Boolean program over them, and why it reaches nothing bad."""

    singles: tuple[int, ...]
    """The places of the Create edges whose threads are templates of their own."""
    predicates: tuple[Predicate, ...]
    program: BooleanProgram
    argument: Reachable | ClosedViews

    @property
    def summary(self) -> str:
        """One phrase for the user."""
        return f"{len(self.predicates)} predicates, {self.argument.summary}"

    def named(self, template: int | None) -> dict[str, Term]:
        """The Booleans of a template, or those that all share (None), and what they stand for."""
        return {f"b{i}": term for i, (term, owner) in enumerate(self.predicates) if owner == template}
