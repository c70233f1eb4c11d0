"""The shared variables worth a column of their own, and their values row by row."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sley.evidence.trace import Event, EventKind
from sley.reports.rows import MEMORY_KINDS, Row, base_name

UNKNOWN_VALUE = ""
MAX_COLUMNS = 3


@dataclass(frozen=True, slots=True)
class Change:
    """The value of a variable after a row, and before it where the row wrote."""

    before: str
    after: str
    is_write: bool

    def __str__(self) -> str:
        return f"{self.before} -> {self.after}" if self.is_write and self.before else self.after


@dataclass(frozen=True)  # with slots nothing can be kept
class Column:
    """One shared variable: its name and its value in every row."""

    name: str
    cells: tuple[Change, ...]

    @cached_property
    def width(self) -> int:
        """The longest cell or the name, whichever is longer."""
        return max(len(self.name), *(len(str(cell)) for cell in self.cells))


def watched_variables(rows: Sequence[Row], names: frozenset[str]) -> list[str]:
    """Variables in memory that the rows touch, most telling first.

    First those in ``names``, then those that several threads use, then those with most
    writes; variables that nobody writes say nothing that the reading rows do not.
    """
    users: dict[str, set[int]] = {}
    writes: dict[str, int] = {}
    for event in _accesses(rows):
        users.setdefault(event.target, set()).add(event.thread)
        writes[event.target] = writes.get(event.target, 0) + (event.kind is not EventKind.READ)
    ranked = [
        (base_name(name) not in names, len(users[name]) < 2, -writes[name], order, name)
        for order, name in enumerate(users)
        if writes[name]
    ]
    return [name for *_, name in sorted(ranked)]


def _accesses(rows: Sequence[Row]) -> list[Event]:
    return [
        event
        for row in rows
        for event in row.events
        if event.kind in MEMORY_KINDS and event.target and not row.statement.is_call
    ]


def column(name: str, rows: Sequence[Row]) -> Column:
    """The values of one variable: before its first access it has the value that this access found."""
    value = _first_value(name, rows)
    cells = []
    for row in rows:
        before, is_write = value, False
        for event in row.events:
            if event.kind in MEMORY_KINDS and event.target == name:
                if event.kind is not EventKind.READ and not is_write:
                    before, is_write = event.old or value, True
                value = event.value
        cells.append(Change(before, value, is_write))
    return Column(name, tuple(cells))


def _first_value(name: str, rows: Sequence[Row]) -> str:
    for row in rows:
        for event in row.events:
            if event.kind in MEMORY_KINDS and event.target == name:
                return event.value if event.kind is EventKind.READ else event.old
    return UNKNOWN_VALUE
