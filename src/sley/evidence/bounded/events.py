"""Events of an unrolled program: plain data that ``unrolling`` makes and ``axioms`` turns into formulas.

An event is one whole step of one thread, from a stop to the next. It reads and writes shared variables all at
once. Conditions and values are terms over what events read, and over inputs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sley.logic.terms import Term


class EventWrite(NamedTuple):
    """An event leaves a value in a variable, if a condition holds."""

    event: int
    condition: Term
    """Implies that the event happens."""
    value: Term


@dataclass(slots=True)
class BoundedEvent:
    """One step of a thread."""

    number: int
    thread: int
    location: int
    dominators: int
    """Events of this thread, and of those that created it, that happened if this one does; one bit each."""
    occurs: Term
    """The step is completed."""
    looks: Term
    """It is completed, or what it reads decides that we cannot say what happens."""
    possible: Term
    """What has to hold of the values that it reads."""
    passes: Term
    """The same if the thread goes on afterwards, and has not failed."""
    section: int
    """The event that took the first of the locks that are held; itself if none are."""
    held: frozenset[Term] = frozenset()
    """The cells of the locks that the thread holds in this step, from taking to giving back."""
    lock: Term | None = None
    """The cell that it does nothing else to than to take or to give back the lock there."""
    makes_thread: bool = False
    is_first: bool = False
    """What main wrote while it was alone."""
    reads: dict[Term, Term] = field(default_factory=dict)
    """Variable -> the symbol that stands for its value just before."""
    writes: dict[Term, EventWrite] = field(default_factory=dict)


class Stand(NamedTuple):
    """A thread comes to a stop, with several threads about: it may stay there."""

    thread: int
    location: int
    reached: Term
    stays: Term
    """It has come here and does not go on."""
    event: int | None
    """The step from here; None if it cannot be observed."""
    before: tuple[int, ...]
    """The last events on the ways that lead here."""
    values: Mapping[Term, Term]
    """What the thread knows here."""
    is_alone: bool


class BadEvent(NamedTuple):
    """What must not be possible."""

    condition: Term
    what: str


@dataclass(slots=True)
class Events:
    """All that the threads of an unrolled program do."""

    events: list[BoundedEvent] = field(default_factory=list)
    order: list[tuple[int, int]] = field(default_factory=list)
    """Pairs of events in an order that every run keeps: along threads, and from creations."""
    definitions: list[tuple[Term, Term]] = field(default_factory=list)
    """Names and what they stand for."""
    initial: dict[Term, Term] = field(default_factory=dict)
    """Shared variable -> what it holds when the program starts."""
    stands: list[Stand] = field(default_factory=list)
    created: dict[int, Term] = field(default_factory=dict)
    """Thread -> when it is created, and exited: when it has ended."""
    exited: dict[int, list[Term]] = field(default_factory=dict)
    creations: list[int | None] = field(default_factory=list)
    """The events that create threads, by thread; None for main."""
    open_sections: set[int | None] = field(default_factory=set)
    """What begins with these events is no section: locks are held on some paths only, or taken again."""
    errors: list[BadEvent] = field(default_factory=list)
    troubles: list[BadEvent] = field(default_factory=list)
    """Where we cannot say what happens."""
    cuts: list[BadEvent] = field(default_factory=list)
    """Where a loop goes on beyond its bound."""
