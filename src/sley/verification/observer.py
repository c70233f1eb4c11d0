"""Who listens to a run: progress and debugging, never the answer itself."""

from enum import Enum
from typing import Protocol


class Phase(Enum):
    """What a run is busy with; the value is what a user reads."""

    READING = "reading the program"
    SEARCHING = "searching all schedules"
    CHECKING = "checking the proof"


class Observer(Protocol):
    """Hears what happens; must not change it."""

    def entered(self, phase: Phase) -> None:
        """A phase begins."""
        ...


class SilentObserver:
    """Hears nothing."""

    def entered(self, phase: Phase) -> None:
        """Nothing to do."""
