"""The waits of a deadlock: threads on a ring, an arrow to the one that is waited for."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sley.evidence.trace import EventKind, Trace, TraceEvent
from sley.reports.html.markup import Html, tag
from sley.reports.lines import THREAD_STYLES, shortened

_WIDE, _HIGH, _LONGEST = 84, 30, 22
"""Half the width of a ring of two; the height of a box; the characters of a name."""


END = "its end"
"""What a thread waits for that joins another one."""


@dataclass(frozen=True, slots=True)
class CycleEdge:
    """A thread waits for another one, because of what that has."""

    waiting: int
    holder: int
    what: str


def waits_of(trace: Trace) -> list[CycleEdge]:
    """The waits at the end of a run, as far as they are for a thread."""
    failing = [event for event in trace.events if event.kind is EventKind.FAIL]
    found = ((event, _holder(trace, event)) for event in failing)
    return [
        CycleEdge(event.thread, holder, event.target if event.source is not None else END)
        for event, holder in found
        if holder is not None
    ]


def _holder(trace: Trace, event: TraceEvent) -> int | None:
    """The thread that took the lock, or has to end."""
    if event.source is not None:
        return trace.schedule[event.source].thread
    return next((t.id for t in trace.threads if event.target and t.name == event.target), None)


def wait_cycle(trace: Trace) -> Html | None:
    """The picture; None where threads do not wait for each other."""
    waits = waits_of(trace)
    threads = [wait.waiting for wait in waits]
    if len(threads) < 2 or any(wait.holder not in threads for wait in waits):
        return None
    names = {thread.id: thread.name for thread in trace.threads}
    texts = [_text(names[w.waiting], names[w.holder], w.what) for w in waits]
    return tag(
        "figure",
        _picture(waits, threads, names),
        tag("figcaption", "Who waits for whom: ", "; ".join(texts), "."),
        class_="cycle",
    )


def _text(waiting: str, holder: str, what: str) -> str:
    return (
        f"{waiting} waits for {holder} to end"
        if what == END
        else f"{waiting} waits for {what}, held by {holder}"
    )


def _picture(waits: Sequence[CycleEdge], threads: Sequence[int], names: dict[int, str]) -> Html:
    radius = max(46.0, 26.0 * len(threads))
    across = radius + _WIDE
    places = {
        thread: (
            across - math.cos(2 * math.pi * index / len(threads)) * across * 0.68,
            radius + 12 - math.sin(2 * math.pi * index / len(threads)) * radius * 0.8,
        )
        for index, thread in enumerate(threads)
    }
    width, height = 2 * across, 2 * radius + 24
    return tag(
        "svg",
        [_arrow(places[w.waiting], places[w.holder], w.what) for w in waits],
        [_box(places[thread], names[thread], thread) for thread in threads],
        width=round(width), height=round(height), viewBox=f"0 0 {width:.0f} {height:.0f}", aria_hidden="true",
    )  # fmt: skip


def _box(place: tuple[float, float], name: str, thread: int) -> list[Html]:
    x, y = place
    text = shortened(name, _LONGEST)
    width = 7.4 * len(text) + 22
    colour = f"t{thread % THREAD_STYLES}"
    left, top = round(x - width / 2), round(y - _HIGH / 2)
    return [
        tag("rect", x=left, y=top, width=round(width), height=_HIGH, rx=15, class_=colour),
        tag("text", text, x=round(x), y=round(y + 4.5), text_anchor="middle", class_=colour),
    ]


def _arrow(start: tuple[float, float], end: tuple[float, float], what: str) -> list[Html]:
    """Bent to the right of its way, so that those of a pair are apart."""
    (x1, y1), (x2, y2) = start, end
    length = math.hypot(x2 - x1, y2 - y1) or 1
    across, along = (-(y2 - y1) / length, (x2 - x1) / length), ((x2 - x1) / length, (y2 - y1) / length)
    mx, my = (x1 + x2) / 2 + across[0] * 58, (y1 + y2) / 2 + across[1] * 58
    tx, ty = x2 + across[0] * 19 - along[0] * 8, y2 + across[1] * 19 - along[1] * 8
    sx, sy = x1 + across[0] * 17 + along[0] * 8, y1 + across[1] * 17 + along[1] * 8
    angle = math.atan2(ty - my, tx - mx)
    wings = "".join(
        f"M{tx:.0f} {ty:.0f}L{tx - 8 * math.cos(angle + a):.0f} {ty - 8 * math.sin(angle + a):.0f}"
        for a in (0.45, -0.45)
    )
    # the middle of the curve is half-way to its control point
    lx, ly = (sx + 2 * mx + tx) / 4, (sy + 2 * my + ty) / 4
    return [
        tag("path", d=f"M{sx:.0f} {sy:.0f}Q{mx:.0f} {my:.0f} {tx:.0f} {ty:.0f}{wings}", class_="bond await"),
        tag("text", shortened(what, _LONGEST), x=round(lx), y=round(ly + (14 if across[1] > 0 else -7)),
            text_anchor="middle", class_="what"),
    ]  # fmt: skip
