"""Invariants in C: what always holds at a place of the user's program, over its variables."""

from dataclasses import dataclass
from typing import Literal

from sley.base.source import Span

Kind = Literal["loop", "lock", "location"]
"""Before each test of a loop, next to a lock, or before a statement."""


@dataclass(frozen=True, slots=True)
class SourceInvariant:
    """What holds whenever a thread is about to execute what stands at a place.

    ``text`` is a C expression over variables that are visible there, of no type but integers and pointers,
    which are only compared with 0. All of it is meant to be read at one moment.
    """

    span: Span
    """A loop from its keyword on, or a statement."""
    function: str
    """The C name of the function that it stands in."""
    text: str
    kind: Kind = "location"


@dataclass(frozen=True, slots=True)
class MutexInvariant:
    """What holds whenever no thread holds a mutex: a C expression over variables at file scope."""

    span: Span
    """Where the mutex is declared."""
    mutex: str
    text: str


@dataclass(frozen=True, slots=True)
class Invariants:
    """All that is known to hold, in the order of the text."""

    places: tuple[SourceInvariant, ...] = ()
    mutexes: tuple[MutexInvariant, ...] = ()


NONE = Invariants()
"""Where nothing is known, or nothing was asked."""
