"""What a witness says."""

from dataclasses import dataclass
from enum import Enum

from sley.base.source import Span
from sley.frontend.data_model import DataModel
from sley.verification.property_files import Selection
from sley.verification.witnesses.expressions import Condition


@dataclass(frozen=True, slots=True)
class WitnessPlace:
    """A place in the program."""

    file: str
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
    place: WitnessPlace
    span: Span
    """Where the witness says so."""
    thread: int | None = None
    """The thread that passes it, in the order in which the witness has threads created; None: any."""
    condition: Condition = ()
    """What holds before the statement; of an input, what holds of ``\\result``."""


@dataclass(frozen=True, slots=True)
class WitnessSegment:
    """A run passes a waypoint, and none of some others before it; what else it does is left open."""

    follow: Waypoint
    avoid: tuple[Waypoint, ...] = ()


@dataclass(frozen=True, slots=True)
class Invariant:
    """What is said to hold at a place."""

    place: WitnessPlace
    text: str
    is_loop: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Subject:
    """What a witness is about."""

    specification: Selection
    specification_span: Span
    data_model: DataModel
    data_model_span: Span
    hashes: tuple[tuple[str, str, Span], ...]
    """Files, hashes, and where that is said."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A witness of a violation, or of correctness."""

    subject: Subject
    violation: tuple[WitnessSegment, ...]
    """The run, up to the violation; empty: the witness is one of correctness."""
    invariants: tuple[Invariant, ...] = ()
