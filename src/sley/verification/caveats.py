"""What a reader of SAFE has to know beside it: the answer holds, but says less than it seems to."""

from dataclasses import dataclass
from enum import Enum

from sley.base.source import Span
from sley.program.program import Origin
from sley.program.properties import Failure, Property


class Missing(Enum):
    """What no run comes to."""

    THREADS = "no-thread"
    """No thread is started, although the program has code that starts one."""
    ASSERTIONS = "no-assertion"
    """No assertion is evaluated, although the program has some."""
    REST = "early-end"
    """Most of ``main`` is never reached, where there are neither threads nor assertions."""


class How(Enum):
    """How a run ends."""

    RETURN = "return"
    EXIT = "exit"
    ABORT = "abort"
    CUT = "assumption"
    """It does not count: an assumption failed."""
    WRONG = "wrong"
    """It does not count: something went wrong that is not asked about."""


@dataclass(frozen=True, slots=True)
class RunEnds:
    """Where runs end."""

    how: How
    origin: Origin
    """In the user's code."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A function that returns the same whatever happens, and without which runs would go on."""

    name: str
    value: int
    span: Span | None


@dataclass(frozen=True, slots=True)
class Vacuity:
    """SAFE rests on something that does not happen."""

    missing: Missing
    is_proved: bool
    """Whether it never happens; otherwise it was not seen to."""
    runs: int = 0
    """So many random runs did not come to it."""
    end: RunEnds | None = None
    """Where all runs end, if that is one place; proved like the rest."""
    because_of: tuple[Constant, ...] = ()


@dataclass(frozen=True, slots=True)
class NotAsked:
    """Runs may end as something goes wrong that is not asked about, and what would come then is not seen."""

    property: Property
    failure: Failure | None = None
    """What goes wrong in some run; None: no run was seen to, and none was excluded."""
    origin: Origin | None = None
    """Where it does."""


Caveat = Vacuity | NotAsked
