"""Plots as SVG, without a library: panels with logarithmic axes, in a grid."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sley.base.shown import marked_up

WIDTH, HEIGHT = 300, 220
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 30, 40
COLOURS = ("#0b6fa4", "#c2571a", "#4a7a2c", "#7b4ea3", "#8a6d1c", "#555555")
INK, FAINT = "#222222", "#d8d8d8"
LABEL = 22
"""Room for a number below the horizontal axis."""
HOLLOW = "not decided"
MANY = 60
"""Points that can be told apart at full size."""


@dataclass(frozen=True)
class Point:
    """A measurement; one that did not end is the last of its series."""

    x: float
    y: float
    is_complete: bool = True


@dataclass(frozen=True)
class Panel:
    """One diagram: a title, what the axes are, series by name, and a remark on some of them."""

    title: str
    x_label: str
    y_label: str
    series: Mapping[str, Sequence[Point]]
    notes: Mapping[str, str] = field(default_factory=dict)
    is_logarithmic: bool = False
    """Of the horizontal axis; the vertical one always is."""
    is_scatter: bool = False
    """Points without lines, and both axes alike, with their diagonal."""


def figure(title: str, panels: Sequence[Panel], columns: int, scale: float = 1.0) -> str:
    """All panels under one title and one legend, as the text of an SVG file."""
    rows = math.ceil(len(panels) / columns)
    names = list(dict.fromkeys(name for panel in panels for name in panel.series))
    head = 52
    are_complete = all(
        point.is_complete for panel in panels for one in panel.series.values() for point in one
    )
    legend, end = _legend([*names, *([] if are_complete else [HOLLOW])])
    width, height = max(columns * WIDTH, end), head + rows * HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{scale * width:g}" height="{scale * height:g}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11" fill="{INK}">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        _text(12, 20, title, size=14, is_bold=True),
        *legend,
    ]
    for position, panel in enumerate(panels):
        x, y = position % columns * WIDTH, head + position // columns * HEIGHT
        parts.append(f'<g transform="translate({x} {y})">')
        parts.extend(_Drawing(panel, names).lines())
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def _colour(position: int) -> str:
    return COLOURS[position % len(COLOURS)]


def _legend(names: Sequence[str]) -> tuple[list[str], int]:
    """The marks, and where they end."""
    parts = []
    x = 12
    for position, name in enumerate(names):
        colour, fill = _colour(position), "white" if name == HOLLOW else _colour(position)
        if name == HOLLOW:
            colour = INK
        else:
            parts.append(f'<line x1="{x}" y1="38" x2="{x + 22}" y2="38" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<circle cx="{x + 11}" cy="38" r="3" fill="{fill}" stroke="{colour}"/>')
        parts.append(_text(x + 28, 42, name))
        x += 28 + 6 * len(name) + 16
    return parts, x


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", size: int = 11, is_bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if is_bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{weight}>'
        f"{marked_up(text)}</text>"
    )


class _Drawing:
    """One panel in its own coordinates."""

    def __init__(self, panel: Panel, names: Sequence[str]) -> None:
        self.panel = panel
        self.names = names
        points = [point for series in panel.series.values() for point in series]
        self.xs = sorted({point.x for point in points}) or [0]
        values = [point.y for point in points if point.y > 0] or [1.0]
        if panel.is_scatter:
            values += [x for x in self.xs if x > 0]
        self.low = math.floor(math.log10(min(values)))
        self.high = max(self.low + 1, math.ceil(math.log10(max(values))))

    def x(self, value: float) -> float:
        if self.panel.is_scatter:
            return LEFT + self._part(value) * (WIDTH - LEFT - RIGHT)
        scale = math.log if self.panel.is_logarithmic else float
        low, high = scale(self.xs[0]), scale(self.xs[-1])
        part = (scale(value) - low) / (high - low) if high > low else 0.0
        return LEFT + 12 + part * (WIDTH - LEFT - RIGHT - 24)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - self._part(value) * (HEIGHT - TOP - BOTTOM)

    def _part(self, value: float) -> float:
        """How far along a logarithmic axis."""
        return (math.log10(max(value, 10.0**self.low)) - self.low) / (self.high - self.low)

    def lines(self) -> list[str]:
        parts = [_text(LEFT, 18, self.panel.title, size=12, is_bold=True)]
        for power in range(self.low, self.high + 1):
            y = self.y(10.0**power)
            parts.append(
                f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="{FAINT}"/>'
            )
            parts.append(_text(LEFT - 6, y + 4, f"{10.0**power:g}", anchor="end"))
        parts += self._numbers()
        middle = (LEFT + WIDTH - RIGHT) / 2
        parts.append(_text(middle, HEIGHT - 8, self.panel.x_label, anchor="middle"))
        centre = (TOP + HEIGHT - BOTTOM) / 2
        label = _text(0, 0, self.panel.y_label, anchor="middle")
        parts.append(f'<g transform="translate(12 {centre:.1f}) rotate(-90)">{label}</g>')
        for name, points in self.panel.series.items():
            parts.extend(self._series(_colour(self.names.index(name)), points))
        for line, (name, note) in enumerate(reversed(list(self.panel.notes.items()))):
            # Curves rise: there is room in the lower right corner.
            text = _text(WIDTH - RIGHT - 4, HEIGHT - BOTTOM - 6 - 13 * line, note, anchor="end", size=10)
            parts.append(f'<g fill="{_colour(self.names.index(name))}">{text}</g>')
        return parts

    def _numbers(self) -> list[str]:
        """Below the horizontal axis, as many as there is room for."""
        values: Sequence[float] = self.xs
        if self.panel.is_scatter:
            values = [10.0**power for power in range(self.low, self.high + 1)]
        parts = []
        end = 0.0
        for value in values:
            if self.x(value) >= end:
                parts.append(_text(self.x(value), HEIGHT - BOTTOM + 16, f"{value:g}", anchor="middle"))
                end = self.x(value) + LABEL
        return parts

    def _series(self, colour: str, points: Sequence[Point]) -> list[str]:
        line = [Point(10.0**power, 10.0**power) for power in (self.low, self.high)]
        path = " ".join(
            f"{self.x(point.x):.1f},{self.y(point.y):.1f}"
            for point in (line if self.panel.is_scatter else points)
        )
        stroke = FAINT if self.panel.is_scatter else colour
        parts = [f'<polyline points="{path}" fill="none" stroke="{stroke}" stroke-width="2"/>']
        radius = 3.5 if len(points) <= MANY else 1.5
        for point in points:
            fill = colour if point.is_complete else "white"
            parts.append(
                f'<circle cx="{self.x(point.x):.1f}" cy="{self.y(point.y):.1f}" r="{radius}" '
                f'fill="{fill}" stroke="{colour}" stroke-width="1.5"/>'
            )
        return parts
