"""A proof: the source with what holds beside its lines, and the tree of engine impact."""

from collections.abc import Iterator

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.base.source import Span
from sley.inspection.searches import unwound
from sley.reports.html.code import SourceFiles
from sley.reports.html.drawings import framed
from sley.reports.html.markup import Child, Html, markup, tag
from sley.reports.tree_drawing import Drawing, draw, to_svg
from sley.verification.observer import Observer, SilentObserver
from sley.verification.result import Result
from sley.verification.supervision import computed

LONG = 72
MOST_NODES = 150
"""A larger tree is nothing to look at."""
PATIENCE = 10.0
"""Seconds for building a tree once more, after a search that took less than half of it."""


def proof(result: Result) -> Iterator[Html]:
    """What there is to see of a proof."""
    notes = _invariants(result)
    if notes:
        spans = [Span(file, line, 1) for file, line in notes]
        listing = SourceFiles(spans, "p").listing(notes)
        text = "What the proof says about loops and locks: it holds in every run."
        yield tag(
            "section", tag("h2", "Invariants"), tag("p", text, class_="quiet"), listing, class_="pane proof"
        )
    if result.engine == "impact":
        yield tag("section", tag("h2", "Abstract reachability tree"), _tree(result))


def _invariants(result: Result) -> dict[tuple[str, int], list[Child]]:
    """What the proof says of lines, by file and line."""
    found: dict[tuple[str, int], list[Child]] = {}
    for one in result.mutex_invariants:
        note = _note(f"while nobody holds {one.mutex}", one.text)
        found.setdefault((one.span.file, one.span.line), []).append(note)
    for invariant in result.invariants:
        note = _note("before each test" if invariant.kind == "loop" else "before this", invariant.text)
        found.setdefault((invariant.span.file, invariant.span.line), []).append(note)
    return found


def _note(when: str, text: str) -> Html:
    """A conjunct on each line, if they are long."""
    conjuncts = text.replace(" && ", "\n&& ") if len(text) > LONG else text
    return markup(tag("small", f"{when}: "), tag("code", conjuncts))


def _tree(result: Result) -> Child:
    """The tree, built once more: results are without it."""
    drawing = _drawn(result)
    if drawing is None:
        return tag("p", "It takes too long to draw it here: ", tag("code", "sley show tree"), class_="quiet")
    if len(drawing.boxes) > MOST_NODES:
        text = f"{len(drawing.boxes)} nodes are too many to look at: "
        return tag("p", text, tag("code", "sley show tree"), class_="quiet")
    return framed(to_svg(drawing), "tree", "Abstract reachability tree")


def _drawn(result: Result) -> Drawing | None:
    def work(observer: Observer, budget: Budget) -> Drawing | None:
        found = unwound(result.task, observer, budget)
        is_drawn = found.is_proof and found.unfolding is not None
        return draw(found.unfolding) if is_drawn and found.unfolding is not None else None

    if result.times.finding > PATIENCE / 2:
        return None
    try:
        return computed(work, Budget(PATIENCE, result.task.limits.megabytes), SilentObserver())
    except GaveUpError:
        return None
