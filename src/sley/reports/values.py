"""The shared variables worth a column of their own, and their values row by row."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sley.evidence.trace import EventKind, TraceEvent
from sley.program.c_text import base_of
from sley.reports.rows import MEMORY_KINDS, StatementRow

UNKNOWN_VALUE = ""
ARBITRARY = "arbitrary"
"""What is shown for a value that was never given."""
MAX_COLUMNS = 3


@dataclass(frozen=True, slots=True)
class Change:
    """The value of a variable after a row, and before it where the row wrote."""

    before: str
    after: str
    is_write: bool

    @property
    def is_change(self) -> bool:
        """Whether it is known what the row overwrote."""
        return self.is_write and self.before not in (UNKNOWN_VALUE, ARBITRARY)

    def __str__(self) -> str:
        return f"{self.before} -> {self.after}" if self.is_change else self.after


@dataclass(frozen=True)  # with slots nothing can be kept
class Column:
    """One shared variable: its name and its value in every row."""

    name: str
    cells: tuple[Change, ...]

    @cached_property
    def width(self) -> int:
        """The longest cell or the name, whichever is longer."""
        return max(len(self.name), *(len(str(cell)) for cell in self.cells))


class ShownVariable(NamedTuple):
    """A variable in memory; others may have the same name."""

    name: str
    address: int | None

    def is_in(self, event: TraceEvent) -> bool:
        """Whether the event is an access to it."""
        return event.kind in MEMORY_KINDS and (event.target, event.address) == self


def watched_variables(rows: Sequence[StatementRow], names: frozenset[str]) -> list[ShownVariable]:
    """Variables in memory that the rows touch, most telling first; of several with one name, the first.

    First what the failure itself accesses, then those in ``names``, then those nearest to the failure, then
    those that several threads use, then those with most writes; other variables than the first that no thread
    writes say nothing that the reading rows do not.
    """
    uses: dict[ShownVariable, list[TraceEvent]] = {}
    for event in _accesses(rows):
        uses.setdefault(ShownVariable(event.target, event.address), []).append(event)
    is_sliced = any(event.distance is not None for row in rows for event in row.events)
    is_alone = len({row.thread for row in rows}) < 2
    failing = {e.address for row in rows for e in row.events if e.kind is EventKind.FAIL} - {None}
    ranked = []
    for order, (variable, events) in enumerate(uses.items()):
        writes = sum(event.kind is not EventKind.READ for event in events)
        distances = [event.distance for event in events if event.distance is not None]
        is_of_interest = distances and (is_alone or any(event.is_shared for event in events))
        is_failing = variable.address in failing
        if (writes or is_failing) and (is_failing or is_of_interest or not is_sliced):
            is_own = len({event.thread for event in events}) < 2
            rank = (not is_failing, base_of(variable.name) not in names)
            ranked.append((*rank, min(distances, default=0), is_own, -writes, order, variable))
    found: dict[str, ShownVariable] = {}
    for *_, variable in sorted(ranked):
        found.setdefault(variable.name, variable)
    return list(found.values())


def _accesses(rows: Sequence[StatementRow]) -> list[TraceEvent]:
    return [
        event
        for row in rows
        for event in row.events
        if event.kind in MEMORY_KINDS and event.target and not row.is_library_call
    ]


def column(variable: ShownVariable, rows: Sequence[StatementRow]) -> Column:
    """The values of one variable: before its first access it has the value that this access found."""
    value = _first_value(variable, rows)
    cells = []
    for row in rows:
        before, is_write = value, False
        for event in row.events:
            if variable.is_in(event):
                if event.kind is not EventKind.READ and not is_write:
                    before, is_write = event.old or value, True
                value = event.value
        cells.append(Change(before, value, is_write))
    return Column(variable.name, tuple(cells))


def _first_value(variable: ShownVariable, rows: Sequence[StatementRow]) -> str:
    for row in rows:
        for event in row.events:
            if variable.is_in(event):
                return event.value if event.kind is EventKind.READ else event.old.removeprefix(ARBITRARY)
    return UNKNOWN_VALUE
