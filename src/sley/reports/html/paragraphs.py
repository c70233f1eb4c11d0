"""Texts of the report on the screen, as lists of definitions."""

import re
from collections.abc import Iterable, Sequence

from sley.reports.html.markup import Child, Html, markup, tag
from sley.reports.lines import Line

UNBROKEN = 100_000
"""A width at which every paragraph is a line of its own."""
_CODE = " " * 8
"""Lines that are indented as far are code; other paragraphs begin behind a margin of seven columns."""


def quoted(text: str) -> Html:
    """What stands between backticks is code."""
    parts = re.split(r"`([^`]+)`", text)
    return markup(tag("code", part) if index % 2 else part for index, part in enumerate(parts))


def labelled(label: str, texts: Iterable[Child]) -> Html:
    """A label and its paragraphs, for a list of definitions."""
    return tag("div", tag("dt", label), [tag("dd", text) for text in texts])


def definitions(lines: Sequence[Line]) -> list[Html]:
    """Paragraphs with labels in the margin, of a report that was made ``UNBROKEN``."""
    blocks: list[tuple[str, list[Child]]] = []
    for one in lines:
        label = "".join(segment.text for segment in one if segment.style == "label").strip()
        text = "".join(segment.text for segment in one if segment.style != "label")
        if label or not blocks:
            blocks.append((label, []))
        if text.strip():
            blocks[-1][1].append(tag("pre", text.strip()) if text.startswith(_CODE) else quoted(text.strip()))
    return [labelled(label, texts) for label, texts in blocks]
