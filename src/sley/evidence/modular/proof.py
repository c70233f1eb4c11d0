"""The proof of engine ``modular``: invariants of a few threads at a time that hold for any number of them.

A *view* is main with k of the other threads. For every combination of templates that k threads can have, the
proof gives conjuncts over the shared variables and those of the threads in view: they hold of *any* k
distinct threads of these templates, in any order, in every state of every run. How many threads there are
that are not in view does not occur, so the proof is one for any number.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sley.logic.terms import Term
from sley.semantics.groups import ThreadGroup

View = tuple[int, ...]
"""The positions of the templates of the threads in view, in order; one that is many may occur repeatedly."""


@dataclass(frozen=True, slots=True)
class ModularProof:
    """Invariants for all views."""

    size: int
    """How many threads beside main are in view; fewer where there are not so many."""
    singles: tuple[int, ...]
    """The places of the Create edges whose threads count as existing once."""
    invariants: Mapping[View, tuple[Term, ...]]
    """Conjuncts over the shared variables and those of the first copies of the templates in view."""
    is_parametric: bool = True
    """Whether there may be any number of threads of some template."""
    watched: tuple[Term, ...] = ()
    """The shared variables whose last writer is remembered."""
    counted: tuple[ThreadGroup, ...] = ()
    """The groups of threads that are counted."""

    @property
    def summary(self) -> str:
        """One phrase for the user."""
        count = sum(len(conjuncts) for conjuncts in self.invariants.values())
        one = "one thread" if self.size == 1 else f"{self.size} threads"
        number = "any number of threads" if self.is_parametric else "all threads"
        return f"for {number}, an invariant of {one} at a time with {count} conjuncts"
