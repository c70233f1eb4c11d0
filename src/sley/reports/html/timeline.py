"""The lanes beside the steps: a line for each thread, time downwards, and arrows between them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sley.reports.html.arrows import Bond, RowArrow
from sley.reports.html.course import Course, ThreadActivity
from sley.reports.html.markup import Html, markup, tag
from sley.reports.lines import THREAD_STYLES
from sley.reports.rows import StatementRow

ROW, TALL, GAP, HEAD = 42, 60, 24, 30
"""Pixels: the height of a step, of one with long notes, of a line that says what is folded, of the heads. The
style sheet has them, too."""
LONG = 34
"""Characters that fit below a statement."""
LANES, ROOM = (9, 32), 130
"""Pixels between lanes, at least and at most; what all of them should do with."""
_RADIUS = 5.5


@dataclass(frozen=True, slots=True)
class _Grid:
    """Where rows and lanes are."""

    lane: int
    middles: tuple[float, ...]
    height: int
    threads: tuple[int, ...]

    def x(self, thread: int) -> float:
        return (self.threads.index(thread) + 0.5) * self.lane


def timeline(course: Course, arrows: Sequence[RowArrow]) -> Html:
    """The drawing; as high as the table of the same rows."""
    grid = _grid(course)
    count = len(course.acting)
    return tag(
        "svg",
        [_lane(course, thread.id, grid) for thread in course.acting],
        [_arrow(course, arrow, grid) for arrow in arrows],
        [_dot(course, index, grid) for index in range(len(course.rows))],
        class_="lanes",
        width=count * grid.lane,
        height=grid.height,
        viewBox=f"0 0 {count * grid.lane} {grid.height}",
        aria_hidden="true",
    )


def is_tall(row: StatementRow) -> bool:
    """Whether the notes of a row need more than a line."""
    return sum(len(note) + 3 for note in row.notes) > LONG


def _grid(course: Course) -> _Grid:
    middles, top = [], HEAD
    for row in course.rows:
        top += GAP if row.hidden_before else 0
        middles.append(top + ROW / 2)
        top += TALL if is_tall(row) else ROW
    threads = tuple(thread.id for thread in course.acting)
    least, most = LANES
    return _Grid(max(least, min(most, ROOM // len(threads))), tuple(middles), top, threads)


def _lane(course: Course, thread: int, grid: _Grid) -> Iterator[Html]:
    """Its line, from row to row: how it is drawn says what the thread does meanwhile."""
    x = grid.x(thread)
    own = [index for index, row in enumerate(course.rows) if row.thread == thread]
    if not own:
        return
    start = 0
    for index in range(own[0], own[-1]):
        end = index + 1
        if end == own[-1] or _look(course, thread, end) != _look(course, thread, index):
            y1, y2 = grid.middles[max(own[0], start)], grid.middles[end]
            look = f"lane t{thread % THREAD_STYLES} {_look(course, thread, index)}"
            yield tag("line", x1=x, y1=y1, x2=x, y2=y2, class_=look)
            start = end


def _look(course: Course, thread: int, row: int) -> str:
    doing = course.moments[row].threads[thread].doing
    if doing is ThreadActivity.RUNS and row + 1 < len(course.rows) and course.rows[row + 1].thread != thread:
        doing = course.moments[row + 1].threads[thread].doing
    return doing.name.lower()


def _dot(course: Course, index: int, grid: _Grid) -> Html:
    row = course.rows[index]
    x, y = grid.x(row.thread), grid.middles[index]
    look = f"t{row.thread % THREAD_STYLES}"
    if row.is_failure:
        d = f"M{x - 6:g} {y - 6:g}l12 12m0 -12l-12 12"
        return tag("path", d=d, class_="failing", data_dot=index)
    return tag("circle", cx=x, cy=y, r=_RADIUS, class_=f"dot {look}", data_dot=index)


def _arrow(course: Course, arrow: RowArrow, grid: _Grid) -> Html:
    """A curve from dot to dot, and its head."""
    from_row, to_row = course.rows[arrow.source], course.rows[arrow.target]
    towards = 1 if to_row.thread > from_row.thread else -1
    x1, y1 = grid.x(from_row.thread) + towards * (_RADIUS + 1), grid.middles[arrow.source]
    x2, y2 = grid.x(to_row.thread) - towards * (_RADIUS + 2), grid.middles[arrow.target]
    bend = max(8.0, abs(x2 - x1) * 0.5) * towards
    head = f"M{x2 - towards * 6:g} {y2 - 3.5:g}L{x2:g} {y2:g}L{x2 - towards * 6:g} {y2 + 3.5:g}"
    curve = f"M{x1:g} {y1:g}C{x1 + bend:g} {y1:g} {x2 - bend:g} {y2:g} {x2:g} {y2:g}"
    look = f"bond {arrow.bond.name.lower()}"
    return markup(
        tag("path", d=path, class_=kind, data_from=arrow.source, data_to=arrow.target)
        for path, kind in ((curve, look), (head, f"{look} head"))
    )


def legend(course: Course, arrows: Sequence[RowArrow]) -> Html:
    """What the lines mean that are there."""
    bonds = [bond for bond in Bond if any(arrow.bond is bond for arrow in arrows)]
    samples = [(f"bond {bond.name.lower()}", bond.value) for bond in bonds]
    looks = {
        _look(course, thread.id, index) for thread in course.acting for index in range(len(course.rows) - 1)
    }
    samples += [
        (f"lane {doing.name.lower()}", doing.value)
        for doing in (ThreadActivity.PREEMPTED, ThreadActivity.WAITS)
        if doing.name.lower() in looks
    ]
    return tag("ul", [tag("li", _sample(look), text) for look, text in samples], class_="legend")


def _sample(look: str) -> Html:
    head = tag("path", d="M16 1.5l5 3.5l-5 3.5", class_=f"{look} head") if "bond" in look else None
    return tag("svg", tag("path", d="M1 5h20", class_=look), head, width=24, height=10, aria_hidden="true")
