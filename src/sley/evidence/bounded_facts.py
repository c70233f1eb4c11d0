"""What a run decides about the order of its events, as plain facts, and the order that follows from them.

A fact is a literal of the formula: this read reads from that write, this write happens. Some facts together
mean that one node is before another; where they mean that a node is before itself, they are a *conflict*, and
a clause says that they do not all hold. Engines look for conflicts, the checker tests each by itself.
"""

from enum import Enum
from typing import NamedTuple

from sley.logic.terms import Term

NOTHING = Term(-1)


class Kind(Enum):
    """What a fact says."""

    READS = "reads"
    """Node ``a`` reads the variable from node ``b``."""
    WRITES = "writes"
    """Node ``a`` writes the variable."""
    AFTER = "after"
    """Node ``a`` reads a sum after node ``b`` has added to it, if that does."""
    BEFORE = "before"
    """Node ``a`` reads a sum before node ``b`` adds to it, if that does."""
    WAITS = "waits"
    """A thread waits at node ``a`` for good."""
    FAILS = "fails"
    """Something goes wrong at node ``a``, or is about to."""
    ENDS = "ends"
    """The process ends with node ``a``."""
    MEETS = "meets"
    """Nodes ``a`` and ``b`` happen one right after the other, in any order."""


class Fact(NamedTuple):
    """One fact; which of the numbers mean something depends on its kind."""

    kind: Kind
    a: int
    b: int = -1
    variable: Term = NOTHING


Conflict = frozenset[Fact]
"""Facts that do not hold in one run."""


class Edge(NamedTuple):
    """Where the facts hold, node ``a`` is before node ``b``."""

    a: int
    b: int
    facts: frozenset[Fact]
