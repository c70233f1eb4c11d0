"""Horn clauses over terms: relations are looked for that make all clauses true.

An answer is a guess: bit-vectors are read as integers, without wrap-around or with it, and what integers
cannot express is taken to have any value. Whoever uses an answer has to check it on the terms themselves.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from sley.logic.terms import Term, Terms


class Application(NamedTuple):
    """A relation with its arguments."""

    relation: str
    arguments: tuple[Term, ...]


class HornClause(NamedTuple):
    """Premises and constraints imply the conclusion; None: they are impossible."""

    premises: tuple[Application, ...]
    constraints: tuple[Term, ...]
    conclusion: Application | None


class IntegerReading(Enum):
    """How bit-vectors are read as integers."""

    IDEAL = "ideal"
    """Sums are never too large."""
    WRAPPING = "wrapping"
    """Numbers have their ranges, and sums wrap around."""


@dataclass(frozen=True, slots=True)
class HornProblem:
    """What is asked: ``relations`` have variables as parameters."""

    terms: Terms
    relations: Mapping[str, tuple[Term, ...]]
    clauses: Sequence[HornClause]
    unsigned: Collection[Term] = ()
    """The variables that are read as numbers without sign."""
    ranges: Mapping[Term, tuple[int, int]] = field(default_factory=dict)
    """What some variables are between."""


class Interpretation(NamedTuple):
    """For each relation a formula over its parameters."""

    formulas: Mapping[str, Term]
    """With exactly the meaning that they have for integers."""
    equations: Mapping[str, Term]
    """With bounds of sums as equations that hold when sums wrap around: other guesses."""


class NoInterpretation(NamedTuple):
    """There is none, or none was found."""

    is_certain: bool
    """The clauses contradict each other, read as integers."""
    reason: str
