"""What a witness says, whichever format it is written in."""

from dataclasses import dataclass
from enum import Enum

from sley.base.source import Span
from sley.frontend.data_model import DataModel
from sley.verification.property_files import Selection
from sley.verification.witnesses.expressions import Expression


@dataclass(frozen=True, slots=True)
class WitnessPlace:
    """A place in the program."""

    file: str | None
    line: int
    column: int | None = None
    function: str | None = None


class Passing(Enum):
    """What a run has to do to pass a waypoint."""

    STATEMENT = "statement"
    """A thread executes something there."""
    CREATION = "creation"
    """A thread creates another one there."""
    INPUT = "input"
    """A function returns an arbitrary value there."""
    TARGET = "target"
    """The property is violated there."""


@dataclass(frozen=True, slots=True)
class Waypoint:
    """A condition on the runs that a witness is about."""

    passing: Passing
    place: WitnessPlace | None
    """None: nothing is said, and every run passes it."""
    span: Span
    """Where the witness says so."""
    thread: str | None = None
    """The thread that passes it, by the name in the witness; None: any."""
    creates: str | None = None
    """The name of the thread that is created; None: threads are counted, from 1."""
    condition: Expression | None = None
    """What holds before the statement, or after it; of an input, what holds of ``\\result``."""
    is_before: bool = False


@dataclass(frozen=True, slots=True)
class WitnessTransition:
    """A run that passes the waypoint comes to another node."""

    source: int
    target: int
    waypoint: Waypoint


@dataclass(frozen=True, slots=True)
class Automaton:
    """Runs of a violation: from the entry to a node of the violation, passing waypoints in order.

    What a run does between two waypoints is left open.
    """

    entry: int
    violations: frozenset[int]
    transitions: tuple[WitnessTransition, ...]
    avoided: tuple[tuple[int, Waypoint], ...] = ()
    """Waypoints that a run must not pass while it is at a node."""
    main: str | None = None
    """The name of the first thread."""


@dataclass(frozen=True, slots=True)
class Invariant:
    """What is said to hold at a place."""

    place: WitnessPlace
    text: str
    is_loop: bool
    span: Span
    is_exact: bool = True
    """False: it is what a run comes to after the line."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a witness is about."""

    specification: Selection
    specification_span: Span
    data_model: DataModel | None
    data_model_span: Span
    hashes: tuple[tuple[str, str, Span], ...]
    """Files, hashes, and where that is said."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A witness of a violation, or of correctness."""

    subject: Subject
    automaton: Automaton | None
    """None: of correctness."""
    invariants: tuple[Invariant, ...] = ()
