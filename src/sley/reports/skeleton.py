"""The events of an unrolled program, for people: a table per thread."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from sley.engines.bmc.events.graph import EventNode, NodeWrite
from sley.inspection.events import UnrolledProgram
from sley.reports.event_text import EventTexts
from sley.reports.lines import Line, Segment, broken_code, hanging, line, shortened, thread_style, wrapped
from sley.reports.positions import StatementPosition, StatementPositions

MOST_STATEMENT, MOST_READS = 34, 24
"""Columns for statements and for what is read; the rest is for what is written."""

LEGEND = (
    "x@5 is what event 5 reads from x. An event happens if the condition above it holds, always if there is "
    "none; `same` is the condition of the last event before it that does not fail."
)

MOST_TEXT = 500
"""Longer conditions and values are cut short."""


@dataclass(frozen=True, slots=True)
class EventWords:
    """A node in words."""

    number: int
    thread: int
    position: StatementPosition
    condition: tuple[str, ...]
    """Conjuncts; none if it always happens."""
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """All events in words."""

    threads: tuple[str, ...]
    events: tuple[EventWords, ...]
    order: tuple[tuple[int, int, str], ...]
    """What is before what in all runs, in different threads, and why."""
    conditions: dict[str, list[str]] = field(default_factory=dict)
    """Names of long conditions."""
    cuts: tuple[str, ...] = ()
    """Where loops go on."""
    troubles: tuple[str, ...] = ()


def skeleton_of(unrolled: UnrolledProgram) -> Skeleton:
    """The events of an unrolled program in the user's words."""
    return _Describer(unrolled).skeleton()


class _Describer:
    def __init__(self, unrolled: UnrolledProgram) -> None:
        self.graph = unrolled.graph
        self.texts = EventTexts(unrolled.steps, unrolled.shape, unrolled.graph)
        self.code = unrolled.steps.code
        self.positions = StatementPositions(self.code, self.texts.threads)
        self.failures = {violation.node: violation.failure for violation in self.graph.violations}
        names = range(len(self.graph.threads))
        self.threads = tuple(self.texts.threads(unrolled.shape, thread) for thread in names)

    def skeleton(self) -> Skeleton:
        """All of it."""
        thread_of = [node.thread for node in self.graph.nodes]
        across = [(a, b) for a, b in self.graph.edges if thread_of[a] != thread_of[b]]
        order = [(a, b, f"creates {self.threads[thread_of[b]]}") for a, b in across]
        order += [(a, b, f"{self.threads[thread_of[a]]} is joined") for a, b in self.graph.join_edges]
        return Skeleton(
            self.threads,
            tuple(self._event(node) for node in self.graph.nodes),
            tuple(order),
            self.texts.conditions,
            tuple(dict.fromkeys(self._cuts())),
            tuple(dict.fromkeys(trouble.reason for trouble in self.graph.troubles)),
        )

    def _event(self, node: EventNode) -> EventWords:
        if node.number == 0:
            start = StatementPosition("", 0, "start")
            return EventWords(0, 0, start, (), (), tuple(self.texts.initial()))
        condition = self.texts.condition(node.occurs)
        failure = self.failures.get(node.number)
        return EventWords(
            node.number,
            node.thread,
            self._position(node),
            tuple(condition),
            tuple(text for read in node.reads.values() if (text := self.texts.read(read))),
            tuple(self._write(write, condition) for write in node.writes.values()),
            "" if failure is None else failure.message,
        )

    def _position(self, node: EventNode) -> StatementPosition:
        """The statement of a node; of an error location, the one that fails."""
        if node.location in self.code.errors:
            incoming = self.code.function_at[node.location].incoming[node.location]
            return self.positions.at(incoming[0].source)
        return self.positions.at(node.location)

    def _write(self, write: NodeWrite, condition: Sequence[str]) -> str:
        more = [text for text in self.texts.condition(write.condition) if text not in condition]
        return self.texts.write(write) + (f" if {_conjunction(more)}" if more else "")

    def _cuts(self) -> Iterator[str]:
        for cut in self.graph.cuts:
            yield str(self.positions.at(cut.loop.head))


def skeleton_report(skeleton: Skeleton, *, width: int) -> list[Line]:
    """A table per thread, then what orders events of different threads."""
    lines = [line(f" {part}") for part in wrapped(LEGEND, width - 1)]
    for thread, name in enumerate(skeleton.threads):
        events = [event for event in skeleton.events if event.thread == thread]
        lines += [line(""), line(Segment(f" {name}", thread_style(thread)))]
        lines += _table(events, width)
    lines += _section(
        "Order between threads", [f"{a} before {b}: {why}" for a, b, why in skeleton.order], width
    )
    named = [f"{name}: {_conjunction(texts)}" for name, texts in skeleton.conditions.items()]
    lines += _section("Conditions", named, width)
    lines += _section("Loops that may go on", skeleton.cuts, width)
    return lines + _section("Not known what happens", skeleton.troubles, width)


def _section(title: str, entries: Sequence[str], width: int) -> list[Line]:
    if not entries:
        return []
    texts = [shortened(entry, MOST_TEXT) for entry in entries]
    parts = [line(f"   {part}") for text in texts for part in hanging(text, width - 3)]
    return [line(""), line(Segment(f" {title}", "label")), *parts]


def _table(events: Sequence[EventWords], width: int) -> Iterator[Line]:
    statement = min(MOST_STATEMENT, max((len(str(event.position)) for event in events), default=0))
    reads = min(MOST_READS, max([len("reads"), *(len(text) for e in events for text in e.reads)]))
    columns = (statement, reads, max(20, width - 10 - statement - reads))
    yield _row("#", ("statement", "reads", "writes"), columns, "dim")
    before: tuple[str, ...] = ()
    for event in events:
        if event.condition:
            for part in hanging(shortened(f"if {_beside(event.condition, before)}", MOST_TEXT), width - 7):
                yield line(Segment(f"       {part}", "dim"))
        before = before if event.failure else event.condition
        cells = [broken_code(str(event.position), columns[0], "  ")]
        cells += [_listed(event.reads, columns[1]), _listed(event.writes, columns[2])]
        if event.failure:
            cells[2] = wrapped(f"FAILS: {event.failure}", columns[2])
        for index, parts in enumerate(zip_longest(*cells, fillvalue="")):
            number = str(event.number) if index == 0 else ""
            yield _row(number, parts, columns, "failure" if event.failure else "")


def _beside(condition: tuple[str, ...], before: tuple[str, ...]) -> str:
    """A condition, given that of the event above."""
    if condition == before:
        return "same"
    if before and set(before) < set(condition):
        return _conjunction(["same", *(text for text in condition if text not in before)])
    return _conjunction(condition)


def _conjunction(texts: Sequence[str]) -> str:
    """All of them."""
    if len(texts) == 1:
        return texts[0]
    return " && ".join(f"({text})" if " || " in text or " ? " in text else text for text in texts)


def _listed(texts: Sequence[str], width: int) -> list[str]:
    return [part for text in texts for part in hanging(shortened(text, MOST_TEXT), width)] or [""]


def _row(number: str, cells: Sequence[str], columns: Sequence[int], style: str) -> Line:
    padded = "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, columns, strict=True))
    return line(Segment(f" {number:>4}  {padded}".rstrip(), style))
