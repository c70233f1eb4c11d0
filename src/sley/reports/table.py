"""The thread-column table: one column per thread, one per shared variable, time runs downwards.

    step   main                 worker #1            worker #2           counter
    ----   -------------------  -------------------  ------------------  -------
      3                         7 int tmp = counter;                        0
                                    tmp = 0

Too many threads, or too narrow a terminal: the same rows as a list, with the thread's name in front.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from sley.evidence.trace import ThreadInfo
from sley.program.c_text import object_of
from sley.reports.lines import Line, Segment, broken_code, longest_word, shortened, thread_style, wrapped
from sley.reports.notes import filled
from sley.reports.rows import StatementRow, preempted
from sley.reports.values import Column

STEP_WIDTH = 8
GAP = "  "
MIN_THREAD_WIDTH = 18
MAX_THREAD_WIDTH = 44
MAX_VALUE_WIDTH = 22
MAX_THREADS = 4
MAX_NAMED = 2
SHORTER = 0.65
"""A list is preferred to columns if it is so much shorter."""
INDENT = "    "


@dataclass(frozen=True)
class TraceTable:
    """All that the rendering needs; ``columns`` have one cell per row of the whole story."""

    all_threads: Sequence[ThreadInfo]
    rows: Sequence[StatementRow]
    columns: Sequence[Column]
    width: int
    hidden: int = 0
    """So many rows at the end are folded away."""
    ends_blocked: bool = False
    """The failing statements are waits."""

    @cached_property
    def threads(self) -> tuple[ThreadInfo, ...]:
        """The threads that have a row."""
        acting = {row.thread for row in self.rows}
        return tuple(thread for thread in self.all_threads if thread.id in acting)

    @cached_property
    def names(self) -> dict[int, str]:
        """What the threads are called."""
        return {thread.id: thread.name for thread in self.all_threads}

    @cached_property
    def shown_columns(self) -> list[Column]:
        """The value columns that fit; other changes become notes."""
        return _fitting_columns(self)

    @cached_property
    def has_several_files(self) -> bool:
        """Whether a line number needs its file."""
        return len({row.statement.span.file for row in self.rows if row.statement.span}) > 1


def render(table: TraceTable) -> list[Line]:
    """The table as lines no longer than its width, as thread columns where they fit."""
    columns = table.shown_columns
    room = table.width - STEP_WIDTH - sum(_value_width(column) + len(GAP) for column in columns)
    widths = _thread_widths(table, room)
    lines = list(_list_lines(table))
    if len(table.threads) <= MAX_THREADS and widths is not None:
        side_by_side = list(_column_lines(table, columns, widths))
        if len(lines) > SHORTER * len(side_by_side) and not _breaks_words(table, widths):
            lines = side_by_side
    return [*lines, *([_gap_line(table, table.hidden)] if table.hidden else [])]


def _breaks_words(table: TraceTable, widths: Mapping[int, int]) -> bool:
    """Whether some thread's column is too narrow for a name in its statements."""
    return any(longest_word(_statement(row, table)) > widths[row.thread] - len(INDENT) for row in table.rows)


def _fitting_columns(table: "TraceTable") -> list[Column]:
    """As many value columns as leave each thread room enough; more than one only if no statement feels it."""
    chosen: list[Column] = []
    room = table.width - STEP_WIDTH
    for column in table.columns:
        enough = MAX_THREAD_WIDTH if chosen else MIN_THREAD_WIDTH
        needed = sum(min(enough, width) + len(GAP) for width in _natural_widths(table).values())
        if room - _value_width(column) - len(GAP) >= needed:
            room -= _value_width(column) + len(GAP)
            chosen.append(column)
    return chosen


def _value_width(column: Column) -> int:
    return min(MAX_VALUE_WIDTH, max(5, column.width))


def _thread_widths(table: TraceTable, room: int) -> dict[int, int] | None:
    """What each thread needs, the widest cut until all fit; None if they would become unreadable."""
    widths = _natural_widths(table)
    while sum(widths.values()) + len(widths) * len(GAP) > room:
        widest = max(widths, key=lambda thread: widths[thread])
        widths[widest] -= 1
        if widths[widest] < MIN_THREAD_WIDTH:
            return None
    return widths


def _natural_widths(table: TraceTable) -> dict[int, int]:
    widths = {thread.id: max(MIN_THREAD_WIDTH, len(thread.name)) for thread in table.threads}
    limit = MAX_THREAD_WIDTH if len(widths) > 1 else table.width
    for row in table.rows:
        widths[row.thread] = max(widths[row.thread], min(limit, len(_statement(row, table))))
    return widths


# --- thread columns --------------------------------------------------------------------------------


def _column_lines(table: TraceTable, columns: Sequence[Column], widths: Mapping[int, int]) -> Iterator[Line]:
    yield from _header(table, columns, widths)
    marks = preempted(table.rows, ends_blocked=table.ends_blocked)
    unmarked = set(marks)
    for index, row in enumerate(table.rows):
        if row.hidden_before:
            yield _gap_line(table, row.hidden_before, row.hidden_threads)
        paused = [thread.id for thread in table.threads if index in marks.get(thread.id, ())]
        for position, text in enumerate(_cell(row, table, widths[row.thread])):
            cells = {
                thread: Segment("| preempted" if thread in unmarked else "|", "dim") for thread in paused
            }
            unmarked.difference_update(paused)
            cells[row.thread] = Segment(text, "failure" if row.is_failure else thread_style(row.thread))
            is_first = position == 0
            yield (
                _number(row) if is_first else Segment(" " * STEP_WIDTH),
                *(_padded(cells.get(thread, Segment("")), width) for thread, width in widths.items()),
                *(_value_cell(column, row, _value_width(column)) for column in columns if is_first),
            )


def _header(table: TraceTable, columns: Sequence[Column], widths: Mapping[int, int]) -> Iterator[Line]:
    names = [_padded(Segment(t.name, thread_style(t.id)), widths[t.id]) for t in table.threads]
    yield (
        Segment(f" {'step':<{STEP_WIDTH - 1}}", "label"),
        *names,
        *(_name(c, _value_width(c)) for c in columns),
    )
    rules = [*widths.values(), *(_value_width(column) for column in columns)]
    dashes = GAP.join("-" * width for width in rules)
    yield (Segment(f" {'----':<{STEP_WIDTH - 1}}{dashes}", "dim"),)


def _name(column: Column, width: int) -> Segment:
    return Segment(f"{shortened(column.name, width):^{width}}{GAP}", "label")


def _number(row: StatementRow) -> Segment:
    mark = "X" if row.is_failure else " "
    return Segment(f"{row.number:>4} {mark}{GAP}", "failure" if row.is_failure else "dim")


def _padded(cell: Segment, width: int) -> Segment:
    return Segment(f"{shortened(cell.text, width):<{width}}{GAP}", cell.style)


def _value_cell(column: Column, row: StatementRow, width: int) -> Segment:
    change = column.cells[row.number - 1]
    return Segment(f"{shortened(str(change), width):^{width}}{GAP}", "changed" if change.is_write else "")


def _cell(row: StatementRow, table: TraceTable, width: int) -> list[str]:
    """The lines of a row in its thread's column: the statement, and remarks below it."""
    left_out = [column for column in table.columns if column not in table.shown_columns]
    texts = (*_changes(row, left_out), *row.notes)
    notes = [part for note in texts for part in wrapped(note, width - len(INDENT))]
    return [*broken_code(_statement(row, table), width, INDENT), *(INDENT + note for note in notes)]


def _gap_line(table: TraceTable, hidden: int, threads: Sequence[int] = ()) -> Line:
    steps = "1 step" if hidden == 1 else f"{hidden} steps"
    of = f" of {' and '.join(table.names[t] for t in threads)}" if 0 < len(threads) <= MAX_NAMED else ""
    text = f"  ...{GAP} {steps}{of} not shown"
    return (Segment(text if len(text) <= table.width else f"  ...{GAP} {steps} not shown", "dim"),)


# --- list ------------------------------------------------------------------------------------------


def _list_lines(table: TraceTable) -> Iterator[Line]:
    name_width = min(18, max(len("thread"), *(len(thread.name) for thread in table.threads)))
    margin = STEP_WIDTH + name_width + len(GAP)
    longest = max(len("statement"), *(len(_statement(row, table)) for row in table.rows))
    free = table.width - margin - longest - len(GAP)
    columns = [(column, min(column.width, max(MAX_VALUE_WIDTH, free))) for column in table.columns[:1]]
    room = min(longest, table.width - margin - sum(width + len(GAP) for _, width in columns))
    yield from _list_head(name_width, room, columns)
    for row in table.rows:
        if row.hidden_before:
            yield _gap_line(table, row.hidden_before, row.hidden_threads)
        style = "failure" if row.is_failure else thread_style(row.thread)
        first, *rest = broken_code(_statement(row, table), room, INDENT)
        yield (
            _number(row),
            _padded(Segment(table.names[row.thread], style), name_width),
            _padded(Segment(first), room),
            *(_value_cell(column, row, width) for column, width in columns),
        )
        yield from ((Segment(" " * margin + part),) for part in rest)
        for note in (*_changes(row, table.columns[1:]), *row.notes):
            for part in wrapped(note, table.width - margin - len(INDENT)):
                yield (Segment(" " * margin + INDENT + part, "dim"),)


def _list_head(name_width: int, room: int, columns: Sequence[tuple[Column, int]]) -> Iterator[Line]:
    titles = [("thread", name_width), ("statement", room)]
    head = [_padded(Segment(title, "label"), width) for title, width in titles]
    yield (Segment(f" {'step':<{STEP_WIDTH - 1}}", "label"), *head, *(_name(*one) for one in columns))
    rules = [name_width, room, *(width for _, width in columns)]
    yield (Segment(f" {'----':<{STEP_WIDTH - 1}}{GAP.join('-' * width for width in rules)}", "dim"),)


def _changes(row: StatementRow, columns: Sequence[Column]) -> Iterator[str]:
    """What was written; many neighbours that get one value, as by a fill, are one note."""
    written = [column for column in columns if column.cells[row.number - 1].is_write]
    for (_, change), same in groupby(written, key=lambda c: (object_of(c.name), c.cells[row.number - 1])):
        names = filled([column.name for column in same])
        yield from (f"{name}: {change}" if change.is_change else f"{name} = {change}" for name in names)


# --- what a row says -------------------------------------------------------------------------------


def _statement(row: StatementRow, table: TraceTable) -> str:
    text = " ".join(row.statement.text.split())
    if row.statement.span is None:
        return text
    file = f"{row.statement.span.file.rsplit('/', 1)[-1]}:" if table.has_several_files else ""
    return f"{file}{row.line} {text}"
