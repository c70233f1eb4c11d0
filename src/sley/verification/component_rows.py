"""What a check of a repository ends with: a row for each question about a component or a program."""

from dataclasses import dataclass, field

from sley.frontend.components.carve import Scenario
from sley.verification.caveats import Vacuity
from sley.verification.crashes import Crash
from sley.verification.repository import NotRead
from sley.verification.result import Answer, Result

NO_TIME = "there was no time to look at it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One question about a component or a program, and its answer."""

    component: str
    """``struct queue``, or the file of a program."""
    scenario: Scenario | None
    """None: a whole program."""
    result: Result | None = None
    """None: it could not be asked, or there was no time."""
    problem: str = ""
    """Why there is no result."""
    assumes: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    """Of a bug: the functions that threads are in."""
    doubts: tuple[str, ...] = ()
    """Of a bug: why it may be none."""

    @property
    def is_bug(self) -> bool:
        """Whether threads do wrong with calls that are not in doubt."""
        return self.result is not None and self.result.answer is Answer.BUG and not self.doubts

    @property
    def is_proved(self) -> bool:
        """Whether nothing can go wrong, and something happens."""
        return self.result is not None and self.result.answer is Answer.SAFE and not self.is_vacuous

    @property
    def is_vacuous(self) -> bool:
        """Whether nothing goes wrong as nothing happens: a constructor always fails, perhaps."""
        return self.result is not None and any(isinstance(one, Vacuity) for one in self.result.caveats)

    @property
    def seconds(self) -> float:
        """How long it took."""
        return 0.0 if self.result is None else self.result.times.total


@dataclass(slots=True)
class Findings:
    """All that is known of a repository in the end."""

    rows: list[Row] = field(default_factory=list)
    not_read: tuple[NotRead, ...] = ()
    left_out: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """By component: functions that are not called, and why."""
    crashes: list[Crash] = field(default_factory=list)
    ended: str = ""
    """Which limit ended the search; empty: all that there is to try was tried."""

    @property
    def is_decided(self) -> bool:
        """Whether every row is proved, and nothing was passed over."""
        programs = [row for row in self.rows if row.scenario is None]
        wanted = programs or self.rows
        return bool(wanted) and all(row.is_proved for row in wanted) and not self.not_read
