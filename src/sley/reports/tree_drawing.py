"""The abstract reachability tree for Graphviz: boxes for nodes, arrows for steps, dashed ones for covers."""

from collections.abc import Iterator

from sley.base.shown import marked_up
from sley.inspection.unfolding import UnfoldedNode, Unfolding
from sley.reports.lines import shortened, wrapped
from sley.reports.tree import TreeContent

TEXT_WIDTH = 46
"""Characters in a line of a box."""

TITLE, PLACE, LABEL, NOTE, SKIPPED = "#1f3a5f", "#555555", "#000000", "#7a4b00", "#9a9a9a"
"""Colours of what a box says."""
STEP, COVER_EXPANSION, COVER = "#333333", "#c0392b", "#2471a3"
"""Colours of arrows."""


def tree_dot(unfolding: Unfolding) -> str:
    """The tree for Graphviz."""
    content = TreeContent(unfolding)
    lines = [
        "digraph tree {",
        '  node [shape=box, fontname="monospace", fontsize=10, style=rounded];',
        '  edge [fontname="monospace", fontsize=9];',
        *(_box(content, node) for node in unfolding.nodes),
        *(arrow for node in unfolding.nodes for arrow in _arrows(content, node)),
    ]
    return "\n".join([*lines, "}"]) + "\n"


def _box(content: TreeContent, node: UnfoldedNode) -> str:
    texts = "".join(
        f'<font color="{colour}">{marked_up(text)}</font><br align="left"/>'
        for text, colour in _texts(content, node)
    )
    style = ', style="rounded,dashed"' if node.content.cover is not None else ""
    return f"  n{node.number} [label=<{texts}>{style}];"


def _texts(content: TreeContent, node: UnfoldedNode) -> Iterator[tuple[str, str]]:
    yield f"#{node.number}", TITLE
    for name, position in content.positions.all(node):
        yield shortened(f"{name}: {position}", TEXT_WIDTH), PLACE
    yield from ((part, LABEL) for part in wrapped(content.label(node), TEXT_WIDTH))
    yield from ((part, NOTE) for note in content.notes(node) for part in wrapped(note, TEXT_WIDTH))
    yield from ((part, SKIPPED) for note in content.skips(node) for part in wrapped(note, TEXT_WIDTH))


def _arrows(content: TreeContent, node: UnfoldedNode) -> Iterator[str]:
    if node.parent is not None:
        thread, statement = content.step(node)
        text = shortened(f"{thread}: {statement}", TEXT_WIDTH)
        colour = COVER_EXPANSION if node.is_cover_expansion else STEP
        yield _arrow(node.parent.number, node.number, text, colour)
    if node.content.cover is not None:
        yield _arrow(node.number, node.content.cover, "", COVER, ", style=dashed, constraint=false")


def _arrow(source: int, target: int, text: str, colour: str, more: str = "") -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'  n{source} -> n{target} [label="{escaped}", color="{colour}", fontcolor="{colour}"{more}];'
