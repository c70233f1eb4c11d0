"""The abstract reachability tree as a picture: a drawing of boxes and arrows, as Graphviz text or as SVG.

The SVG is laid out here, so that it needs no other program and is the same everywhere: levels from the root
downwards, each box in the middle above its children.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate

from sley.base.shown import marked_up
from sley.inspection.unfolding import UnfoldedNode, Unfolding
from sley.reports.lines import shortened, wrapped
from sley.reports.tree import TreeContent

TEXT_WIDTH = 46
"""Characters in a line of a box."""


class Ink(Enum):
    """What a text or an arrow is about; the value is its colour."""

    TITLE = "#1f3a5f"
    PLACE = "#555555"
    LABEL = "#000000"
    NOTE = "#7a4b00"
    SKIPPED = "#9a9a9a"
    STEP = "#333333"
    EXTRA = "#c0392b"
    """Cover expansions."""
    COVER = "#2471a3"


@dataclass(frozen=True, slots=True)
class Box:
    """A node: lines of text."""

    number: int
    lines: tuple[tuple[str, Ink], ...]
    is_covered: bool


@dataclass(frozen=True, slots=True)
class TreeArrow:
    """A step to a child, or a cover."""

    source: int
    target: int
    text: str
    ink: Ink


@dataclass(frozen=True, slots=True)
class Drawing:
    """Boxes, parents before children; arrows."""

    boxes: tuple[Box, ...]
    arrows: tuple[TreeArrow, ...]


def draw(unfolding: Unfolding) -> Drawing:
    """What is to be seen of a tree."""
    content = TreeContent(unfolding)
    boxes = tuple(_box(content, node) for node in unfolding.nodes)
    return Drawing(boxes, tuple(a for node in unfolding.nodes for a in _arrows(content, node)))


def _box(content: TreeContent, node: UnfoldedNode) -> Box:
    lines = [(f"#{node.number}", Ink.TITLE)]
    for name, position in content.positions.all(node):
        lines.append((shortened(f"{name}: {position}", TEXT_WIDTH), Ink.PLACE))
    lines += [(part, Ink.LABEL) for part in wrapped(content.label(node), TEXT_WIDTH)]
    lines += [(part, Ink.NOTE) for note in content.notes(node) for part in wrapped(note, TEXT_WIDTH)]
    lines += [(part, Ink.SKIPPED) for note in content.skips(node) for part in wrapped(note, TEXT_WIDTH)]
    return Box(node.number, tuple(lines), node.content.cover is not None)


def _arrows(content: TreeContent, node: UnfoldedNode) -> Iterator[TreeArrow]:
    if node.parent is not None:
        thread, statement = content.step(node)
        text = shortened(f"{thread}: {statement}", TEXT_WIDTH)
        ink = Ink.EXTRA if node.is_cover_expansion else Ink.STEP
        yield TreeArrow(node.parent.number, node.number, text, ink)
    if node.content.cover is not None:
        yield TreeArrow(node.number, node.content.cover, "", Ink.COVER)


# --- Graphviz ----------------------------------------------------------------------------------------------


def to_dot(drawing: Drawing) -> str:
    """The drawing for Graphviz."""
    lines = [
        "digraph tree {",
        '  node [shape=box, fontname="monospace", fontsize=10, style=rounded];',
        '  edge [fontname="monospace", fontsize=9];',
    ]
    for box in drawing.boxes:
        text = "".join(
            f'<font color="{ink.value}">{marked_up(text)}</font><br align="left"/>' for text, ink in box.lines
        )
        style = ', style="rounded,dashed"' if box.is_covered else ""
        lines.append(f"  n{box.number} [label=<{text}>{style}];")
    for arrow in drawing.arrows:
        colour = f'color="{arrow.ink.value}", fontcolor="{arrow.ink.value}"'
        more = ", style=dashed, constraint=false" if arrow.ink is Ink.COVER else ""
        lines.append(f"  n{arrow.source} -> n{arrow.target} [label={_quoted(arrow.text)}, {colour}{more}];")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


# --- SVG -------------------------------------------------------------------------------------------------

_CHARACTER, _LINE, _PADDING, _GAP, _FALL = 7, 14, 8, 24, 44
"""Pixels: a character's width, a line's height, around text, between boxes, between levels."""
_COLUMN = TEXT_WIDTH * _CHARACTER + 2 * _PADDING + _GAP
"""What a box without children needs, or the text on the way to it."""


@dataclass(frozen=True, slots=True)
class _BoxPlace:
    """Where a box is; x is its middle, y its upper edge."""

    x: float
    y: float
    width: float
    height: float


def to_svg(drawing: Drawing) -> str:
    """The drawing as an SVG document."""
    places = _layout(drawing)
    width = max((p.x + p.width / 2 for p in places.values()), default=0) + 2 * _GAP
    height = max((p.y + p.height for p in places.values()), default=0) + _GAP
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="monospace" font-size="11">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        *(_marker(ink) for ink in (Ink.STEP, Ink.EXTRA, Ink.COVER)),
    ]
    for arrow in drawing.arrows:
        lines += _svg_arrow(arrow, places[arrow.source], places[arrow.target])
    for box in drawing.boxes:
        lines += _svg_box(box, places[box.number])
    return "\n".join([*lines, "</svg>"]) + "\n"


def _layout(drawing: Drawing) -> dict[int, _BoxPlace]:
    """Positions for all boxes, parents before children: each is in the middle above its leaves."""
    children: dict[int, list[int]] = {box.number: [] for box in drawing.boxes}
    for arrow in drawing.arrows:
        if arrow.ink is not Ink.COVER:
            children[arrow.source].append(arrow.target)
    leaves: dict[int, int] = {}
    for box in reversed(drawing.boxes):
        leaves[box.number] = sum(leaves[child] for child in children[box.number]) or 1
    first, depth = {box.number: 0 for box in drawing.boxes}, {box.number: 0 for box in drawing.boxes}
    heights: dict[int, int] = {}
    for box in drawing.boxes:
        column, level = first[box.number], depth[box.number]
        heights[level] = max(heights.get(level, 0), _height(box))
        for child in children[box.number]:
            first[child], depth[child] = column, level + 1
            column += leaves[child]
    tops = list(accumulate((heights[level] + _FALL for level in range(len(heights))), initial=_GAP))
    return {
        box.number: _BoxPlace(
            _GAP / 2 + (first[box.number] + leaves[box.number] / 2) * _COLUMN,
            tops[depth[box.number]],
            max(len(text) for text, _ in box.lines) * _CHARACTER + 2 * _PADDING,
            _height(box),
        )
        for box in drawing.boxes
    }


def _height(box: Box) -> int:
    return len(box.lines) * _LINE + 2 * _PADDING


def _marker(ink: Ink) -> str:
    return (
        f'<marker id="{ink.name}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
        f'orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="{ink.value}"/></marker>'
    )


def _svg_arrow(arrow: TreeArrow, source: _BoxPlace, target: _BoxPlace) -> Iterator[str]:
    colour = arrow.ink.value
    path = _cover_path(source, target) if arrow.ink is Ink.COVER else _step_path(source, target)
    dashes = ' stroke-dasharray="5,4"' if arrow.ink is Ink.COVER else ""
    yield (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.2"{dashes} '
        f'marker-end="url(#{arrow.ink.name})"/>'
    )
    if arrow.text:
        width, bottom = len(arrow.text) * _CHARACTER, target.y - _LINE
        yield (
            f'<rect x="{target.x - width / 2:.0f}" y="{bottom - _LINE + 3:.0f}" width="{width:.0f}" '
            f'height="{_LINE}" fill="#ffffff"/>'
        )
        yield (
            f'<text x="{target.x:.0f}" y="{bottom:.0f}" text-anchor="middle" fill="{colour}">'
            f"{marked_up(arrow.text)}</text>"
        )


def _step_path(source: _BoxPlace, target: _BoxPlace) -> str:
    """From the lower edge of a box to the upper edge of another."""
    top, middle = source.y + source.height, target.y - _FALL / 2
    return (
        f"M{source.x:.0f},{top:.0f} C{source.x:.0f},{middle:.0f} "
        f"{target.x:.0f},{top:.0f} {target.x:.0f},{target.y:.0f}"
    )


def _cover_path(source: _BoxPlace, target: _BoxPlace) -> str:
    """From side to side: the sides that face each other, or both right sides if one is above the other."""
    apart = target.x - source.x
    leaves = 1 if apart > 0 or abs(apart) < source.width else -1
    enters = leaves if abs(apart) < (source.width + target.width) / 2 else -leaves
    x1, y1 = source.x + leaves * source.width / 2, source.y + source.height / 2
    x2, y2 = target.x + enters * target.width / 2, target.y + target.height / 2
    reach = 60
    return (
        f"M{x1:.0f},{y1:.0f} C{x1 + leaves * reach:.0f},{y1:.0f} "
        f"{x2 + enters * reach:.0f},{y2:.0f} {x2:.0f},{y2:.0f}"
    )


def _svg_box(box: Box, place: _BoxPlace) -> Iterator[str]:
    left = place.x - place.width / 2
    dashes = ' stroke-dasharray="5,4"' if box.is_covered else ""
    yield (
        f'<rect x="{left:.0f}" y="{place.y:.0f}" width="{place.width:.0f}" height="{place.height:.0f}" '
        f'rx="6" fill="#fbfbf7" stroke="#444444"{dashes}/>'
    )
    for row, (text, ink) in enumerate(box.lines):
        y = place.y + _PADDING + (row + 0.8) * _LINE
        weight = ' font-weight="bold"' if ink in (Ink.TITLE, Ink.LABEL) else ""
        yield (
            f'<text x="{left + _PADDING:.0f}" y="{y:.0f}" fill="{ink.value}"{weight} '
            f'xml:space="preserve">{marked_up(text)}</text>'
        )
