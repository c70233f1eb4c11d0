"""A proof: the source with what holds beside its lines, and the tree of engine impact."""

from collections.abc import Iterator

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.base.source import Span
from sley.inspection.searches import unwound
from sley.reports.html.code import SourceFiles
from sley.reports.html.markup import Child, Html, markup, tag
from sley.reports.lines import plain
from sley.reports.phrases import WIDTH
from sley.reports.tree import tree_report
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


def _tree(result: Result) -> Html:
    """The tree, built once more: results are without it."""
    text = _tree_text(result)
    if text is None:
        return tag("p", "It is too large, or takes too long: ", tag("code", "sley show tree"), class_="quiet")
    return tag("pre", text)


def _tree_text(result: Result) -> str | None:
    def work(observer: Observer, budget: Budget) -> str | None:
        found = unwound(result.task, observer, budget)
        if not found.is_proof or found.unfolding is None or len(found.unfolding.nodes) > MOST_NODES:
            return None
        return plain(tree_report(found.unfolding, width=WIDTH))

    if result.times.finding > PATIENCE / 2:
        return None
    try:
        return computed(work, Budget(PATIENCE, result.task.limits.megabytes), SilentObserver())
    except GaveUpError:
        return None
