"""The abstract reachability tree on a terminal: indented where it forks, one paragraph per node.

A chain of nodes stays in its column; where a node has several children the largest subtree goes on below it,
and the others are indented before.
"""

from collections.abc import Iterator

from sley.inspection.unfolding import UnfoldedNode, Unfolding
from sley.reports.lines import Line, Segment, thread_style, wrapped
from sley.reports.positions import StatementPositions
from sley.wording.labels import LabelTexts

NARROWEST = 40
"""Columns that a label gets at least, however deep it is."""

LEGEND = (
    "#n: node n, reached by the step beside it; below it what is known there, and at which lines the threads "
    "stand. A covered node needs no children: the node that covers it has them. A skipped thread need not "
    "move: another order of the same steps is in the tree. x' is the value that a thread has read from x."
)


class TreeContent:
    """What there is to say about the nodes of a tree."""

    def __init__(self, unfolding: Unfolding) -> None:
        self.unfolding = unfolding
        self.labels = LabelTexts(unfolding.steps, unfolding.shapes())
        self.threads = self.labels.threads
        self.positions = StatementPositions(unfolding.code, self.threads)

    def label(self, node: UnfoldedNode) -> str:
        """What is known at the node."""
        texts = self.labels.texts(node.shape, node.control, node.content.label)
        if len(texts) == 1:
            return texts[0]
        return " && ".join(f"({text})" if " || " in text else text for text in texts) or "true"

    def step(self, node: UnfoldedNode) -> tuple[str, str]:
        """The thread and the statement that lead to the node."""
        assert node.branch is not None
        return self.threads(node.shape, node.branch.thread), str(self.positions.of(node.branch))

    def notes(self, node: UnfoldedNode) -> Iterator[str]:
        """Why there is nothing more below the node, or less than one might expect."""
        if node.content.cover is not None:
            yield f"covered by #{node.content.cover}"
        elif node.is_open:
            yield "open: not explored further"
        if node.last:
            yield "the process ends"
        if node.waiting:
            waiting = (
                f"{self.threads(node.shape, thread)} at {self.positions.at(node.control[thread])}"
                for thread in node.waiting
            )
            yield f"waiting: {', '.join(waiting)}"
        for failure in dict.fromkeys(
            self.unfolding.code.errors[b.target]
            for b in node.impossible
            if b.target in self.unfolding.code.errors
        ):
            yield f"excluded: {failure.message}"

    def skips(self, node: UnfoldedNode) -> Iterator[str]:
        """The threads that need not move at the node, and why."""
        if node.content.cover is not None:
            return
        groups: dict[str, list[str]] = {}
        for thread in node.skipped:
            is_always = self.unfolding.is_always_independent(node, thread)
            why = "nothing in common with this step" if is_always else "other addresses than this step's"
            groups.setdefault(why, []).append(self.threads(node.shape, thread))
        for why, names in groups.items():
            yield f"skipped: {', '.join(names)} ({why})"


def tree_report(unfolding: Unfolding, *, width: int) -> list[Line]:
    """The tree as text."""
    content = TreeContent(unfolding)
    lines: list[Line] = [(Segment(f" {part}", "dim"),) for part in wrapped(LEGEND, width - 1)]
    sizes = _subtree_sizes(unfolding)
    stack = [(unfolding.nodes[0], "", " ", " ")] if unfolding.nodes else []
    while stack:
        node, gap, head, prefix = stack.pop()
        ordered = sorted(node.children, key=lambda child: (sizes[child.number], child.number))
        rail = prefix + ("|" if ordered else " ")
        lines.append((Segment(gap, "dim"),))
        lines.extend(_paragraph(content, node, head, rail, width))
        if ordered:
            *aside, below = ordered
            stack.append((below, rail, prefix, prefix))
            stack.extend((child, rail, f"{prefix}+-", f"{prefix}| ") for child in reversed(aside))
    return lines


def _subtree_sizes(unfolding: Unfolding) -> dict[int, int]:
    sizes = {node.number: 1 for node in unfolding.nodes}
    for node in reversed(unfolding.nodes):
        if node.parent is not None:
            sizes[node.parent.number] += sizes[node.number]
    return sizes


def _paragraph(content: TreeContent, node: UnfoldedNode, head: str, rail: str, width: int) -> Iterator[Line]:
    number = f"#{node.number}"
    indent = f"{rail:<{len(head)}}" + " " * (len(number) + 1)
    columns = max(NARROWEST, width - len(indent))
    if node.branch is None:
        yield (Segment(head, "dim"), Segment(number, "label"), Segment(" start"))
    else:
        thread, statement = content.step(node)
        extra = "  (cover expansion)" if node.is_cover_expansion else ""
        yield (
            Segment(head, "dim"),
            Segment(f"{number} ", "label"),
            Segment(f"{thread}: {statement}", thread_style(node.branch.thread)),
            Segment(extra, "dim"),
        )
    for part in wrapped(content.label(node), columns):
        yield (Segment(indent, "dim"), Segment(part))
    where = ", ".join(f"{name} {position.place}" for name, position in content.positions.all(node))
    for text in (f"[{where}]", *content.notes(node), *content.skips(node)):
        for part in wrapped(text, columns):
            yield (Segment(indent + part, "dim"),)
