"""What a user may choose about engine ``symmetry``."""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path


class Cubes(Enum):
    """How long the cubes are with which statements are abstracted before any refinement."""

    NONE = "0"
    """Only where a precondition is a constant or another predicate."""
    ONE = "1"
    """Cartesian abstraction with single literals."""
    TWO = "2"
    """With pairs of literals."""


class RefinementMode(Enum):
    """When the statements of the Boolean program are made more precise."""

    DEMAND = "demand"
    """As soon as the search wants to take a step that no state of the program can take."""
    TRACES = "traces"
    """Where they occur in a spurious counterexample, as in the paper."""


class Passives(Enum):
    """How wide the refinement of transitions is: of how many passive threads a clause may speak."""

    NONE = "0"
    """The active thread and what all share only: mixed predicates stay imprecise."""
    ONE = "1"
    """One besides: the paper never needed more."""
    TWO = "2"
    """Two besides."""


class First(Enum):
    """What is tried first where no clause about at most one passive thread refines a spurious trace."""

    PREDICATES = "predicates"
    """New predicates."""
    TRANSITIONS = "transitions"
    """Clauses about more passive threads, as in the paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SymmetryOptions:
    """What a user may choose about engine ``symmetry``."""

    threads_each: str = "any"
    """How many threads of each template that is started more than once: a number, or any."""

    cubes: Cubes = Cubes.NONE
    """The longest cubes of the abstraction that refinement starts from."""

    refinement: RefinementMode = RefinementMode.DEMAND
    """When statements are refined: on demand during the search, or in spurious traces as in the paper."""

    passives: Passives = Passives.TWO
    """Of how many passive threads a refined transition may speak, at most."""

    first: First = First.PREDICATES
    """What is tried before clauses about two passive threads: new predicates, or nothing as in the paper."""

    symmetry: bool = True
    """Threads of one template are interchangeable in the search."""

    predicates: Path | None = None
    """A file of predicates to start with, one C expression in each line."""
