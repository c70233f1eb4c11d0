"""The proof of engine ``abstract``: what holds of each thread at each place, whatever the others do.

A *context* is a function and the circumstances in which it is called. For each, the proof has the states that
a thread may be in where ways meet, and those in which the function returns; and beside that what holds of
memory that several threads reach, at any time.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sley.semantics.abstract.objects import Cell, Origin
from sley.semantics.abstract.state import Partition, State
from sley.semantics.abstract.values import Value
from sley.semantics.abstract.world import Context

Call = tuple[int, int, str, Partition]
"""A context, a location in its function, the function that is called there, and in which states."""

Start = tuple[int, int, str]
"""A context, a location in its function, and the function that is started there."""

ENDING = -1
"""In place of a location: what is called when a thread, or the first one, has returned."""


@dataclass(frozen=True)
class Fixpoint:
    """Abstract states that no step leads out of."""

    origins: tuple[Origin, ...]
    contexts: tuple[Context, ...]
    """The first is that of the first thread."""
    states: Mapping[tuple[int, int], tuple[State, ...]]
    """Context and location -> the states there."""
    exits: Mapping[int, tuple[State, ...]]
    """Context -> the states in which its function returns."""
    calls: Mapping[Call, int]
    starts: Mapping[Start, int]
    memory: Mapping[Cell, Value]
    shared: frozenset[int]
    outlived: frozenset[int]
    locked: frozenset[Cell]
    overwritten: frozenset[Cell]
    replaced: frozenset[Cell] | None

    @property
    def summary(self) -> str:
        """One phrase for the user."""
        places, contexts = len(self.states), len(self.contexts)
        return f"for any number of threads, what holds of one at {places} places in {contexts} contexts"
