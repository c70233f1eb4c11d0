"""Listeners to a run: progress and debugging, never the answer itself."""

from enum import Enum
from typing import NamedTuple, Protocol


class Phase(Enum):
    """What a run is busy with; the value is what a user reads."""

    READING = "reading the program"
    SEARCHING = "searching all schedules"
    CHECKING = "checking the proof"


class Doing(NamedTuple):
    """How far an engine is."""

    engine: str
    status: str
    """Such as ``120 states``; empty: it has ended."""


class Observer(Protocol):
    """Hears what happens; must not change it."""

    def entered(self, phase: Phase) -> None:
        """A phase begins."""
        ...

    def doing(self, one: Doing) -> None:
        """An engine has come further."""
        ...


class SilentObserver:
    """Hears nothing."""

    def entered(self, phase: Phase) -> None:
        """Nothing to do."""

    def doing(self, one: Doing) -> None:
        """Nothing to do."""


def hear(observer: Observer, message: object) -> None:
    """Pass on what another process tells of itself."""
    match message:
        case Phase():
            observer.entered(message)
        case Doing():
            observer.doing(message)
        case _:
            raise AssertionError(message)
