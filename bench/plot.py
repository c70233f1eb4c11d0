"""Line plots as SVG, without a library: panels with logarithmic axes, in a grid."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

WIDTH, HEIGHT = 300, 220
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 30, 40
COLOURS = ("#0b6fa4", "#c2571a", "#4a7a2c", "#7b4ea3", "#8a6d1c", "#555555")
INK, FAINT = "#222222", "#d8d8d8"
LABEL = 22
"""Room for a number below the horizontal axis."""


@dataclass(frozen=True)
class Point:
    """A measurement; one that did not end is the last of its series."""

    x: int
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


def figure(title: str, panels: Sequence[Panel], columns: int) -> str:
    """All panels under one title and one legend, as the text of an SVG file."""
    rows = math.ceil(len(panels) / columns)
    names = list(dict.fromkeys(name for panel in panels for name in panel.series))
    head = 52
    width, height = columns * WIDTH, head + rows * HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11" fill="{INK}">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        _text(12, 20, title, size=14, is_bold=True),
        *_legend(names),
    ]
    for position, panel in enumerate(panels):
        x, y = position % columns * WIDTH, head + position // columns * HEIGHT
        parts.append(f'<g transform="translate({x} {y})">')
        parts.extend(_Drawing(panel, names).lines())
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def _legend(names: Sequence[str]) -> list[str]:
    parts = []
    x = 12
    for name in names:
        colour = COLOURS[names.index(name)]
        parts.append(f'<line x1="{x}" y1="38" x2="{x + 22}" y2="38" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<circle cx="{x + 11}" cy="38" r="3" fill="{colour}"/>')
        parts.append(_text(x + 28, 42, name))
        x += 28 + 7 * len(name) + 24
    return [*parts, _text(x, 42, "hollow: not decided")]


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", size: int = 11, is_bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if is_bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{weight}>'
        f"{escape(text)}</text>"
    )


class _Drawing:
    """One panel in its own coordinates."""

    def __init__(self, panel: Panel, names: Sequence[str]) -> None:
        self.panel = panel
        self.names = names
        points = [point for series in panel.series.values() for point in series]
        self.xs = sorted({point.x for point in points}) or [0]
        values = [point.y for point in points if point.y > 0] or [1.0]
        self.low = math.floor(math.log10(min(values)))
        self.high = max(self.low + 1, math.ceil(math.log10(max(values))))

    def x(self, value: float) -> float:
        scale = math.log if self.panel.is_logarithmic else float
        low, high = scale(self.xs[0]), scale(self.xs[-1])
        part = (scale(value) - low) / (high - low) if high > low else 0.0
        return LEFT + 12 + part * (WIDTH - LEFT - RIGHT - 24)

    def y(self, value: float) -> float:
        part = (math.log10(max(value, 10.0**self.low)) - self.low) / (self.high - self.low)
        return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)

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
            parts.extend(self._series(COLOURS[self.names.index(name)], points))
        for line, (name, note) in enumerate(reversed(list(self.panel.notes.items()))):
            # Curves rise: there is room in the lower right corner.
            text = _text(WIDTH - RIGHT - 4, HEIGHT - BOTTOM - 6 - 13 * line, note, anchor="end", size=10)
            parts.append(f'<g fill="{COLOURS[self.names.index(name)]}">{text}</g>')
        return parts

    def _numbers(self) -> list[str]:
        """Below the horizontal axis, as many as there is room for."""
        parts = []
        end = 0.0
        for value in self.xs:
            if self.x(value) >= end:
                parts.append(_text(self.x(value), HEIGHT - BOTTOM + 16, str(value), anchor="middle"))
                end = self.x(value) + LABEL
        return parts

    def _series(self, colour: str, points: Sequence[Point]) -> list[str]:
        path = " ".join(f"{self.x(point.x):.1f},{self.y(point.y):.1f}" for point in points)
        parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>']
        for point in points:
            fill = colour if point.is_complete else "white"
            parts.append(
                f'<circle cx="{self.x(point.x):.1f}" cy="{self.y(point.y):.1f}" r="3.5" '
                f'fill="{fill}" stroke="{colour}" stroke-width="1.5"/>'
            )
        return parts
