"""``sley replay --step``: walks through a trace, one statement at a time."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from sley.base import outside
from sley.cli.exit_codes import ExitCode
from sley.cli.terminal import show, width, write
from sley.evidence.trace import Trace
from sley.reports.html.course import Course
from sley.reports.lines import Line, Segment, line, shortened, thread_style
from sley.reports.notes import notes_of
from sley.reports.rows import StatementRow, mentioned, rows_of

AROUND = 3
"""Source lines before and after the one that runs."""
_KEYS = " Enter next   b back   g NUMBER go to   q quit "


def walk(trace: Trace) -> int:
    """Through the trace by keys; all of it at once without a keyboard."""
    rows = rows_of(trace.events, mentioned(trace), show_all=False)
    steps = _Steps(trace, rows)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        for index in range(len(rows)):
            show([*steps.page(index), line("")])
        return ExitCode.BUG
    _walk_by_keys(steps, len(rows))
    return ExitCode.BUG


def _walk_by_keys(steps: "_Steps", count: int) -> None:
    index = 0
    while True:
        write("\x1b[2J\x1b[H")
        show([*steps.page(index), line("")])
        try:
            key = input(_KEYS).strip()
        except (EOFError, KeyboardInterrupt):
            write("\n")
            return
        if key == "q":
            return
        index = _next(index, key, count)


def _next(index: int, key: str, count: int) -> int:
    """Which step a key leads to; what is no key leads nowhere."""
    if key == "b":
        return max(0, index - 1)
    number = key.removeprefix("g").strip()
    if number.isdigit():
        return min(count, max(1, int(number))) - 1
    return min(count - 1, index + 1) if key == "" else index


class _Steps:
    """A page for each statement of a trace: where it is, what it does, and what is so afterwards."""

    def __init__(self, trace: Trace, rows: Sequence[StatementRow]) -> None:
        self.trace, self.rows = trace, rows
        self._sources: dict[str, list[str]] = {}
        self.course = Course(trace, rows)
        self.room = width()

    def page(self, index: int) -> list[Line]:
        """The page of a step."""
        row = self.rows[index]
        name = self.trace.threads[row.thread].name
        span = row.statement.span
        where = "" if span is None else f"{Path(span.file).name}:{span.line}"
        style = "failure" if row.is_failure else thread_style(row.thread)
        notes = notes_of(row, (), self.course.words)
        return [
            line(f" step {index + 1} of {len(self.rows)}   ", Segment(name, style), f"   {where}"),
            line(""),
            *self._source(row, style),
            line(""),
            *(line("    ", Segment(note, "failure" if row.is_failure else "")) for note in notes),
            *self._after(index),
        ]

    def _source(self, row: StatementRow, style: str) -> Iterator[Line]:
        span = row.statement.span
        lines = [] if span is None else self._text(span.file)
        if span is None or not 0 < span.line <= len(lines):
            yield line("   -> ", Segment(row.statement.text, style))
            return
        for number in range(max(1, span.line - AROUND), min(len(lines), span.line + AROUND) + 1):
            is_here = number == span.line
            text = shortened(lines[number - 1].rstrip().expandtabs(4), self.room - 12)
            yield line(
                f" {'->' if is_here else '  '} {number:>5}  ", Segment(text, style if is_here else "dim")
            )

    def _text(self, file: str) -> list[str]:
        if file not in self._sources:
            self._sources[file] = (outside.shown_text(file) or "").splitlines()
        return self._sources[file]

    def _after(self, index: int) -> Iterator[Line]:
        """Shared variables and locks after the step."""
        moment = self.course.moments[index]
        values = [f"{variable.name} = {value}" for variable, value in moment.values.items() if value]
        if values:
            yield line(Segment(" shared  ", "label"), shortened("   ".join(values), self.room - 10))
        for name, lock in moment.locks.items():
            if lock.holder is not None:
                yield line(Segment(" held    ", "label"), f"{name} by {self.trace.threads[lock.holder].name}")
