"""Lines of styled text: plain data that ``cli`` shows in colour on a terminal and as it is when piped."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sley.base.shown import visible


class Segment(NamedTuple):
    """A stretch of text in one style; styles are names such as ``bug`` or ``thread 2``."""

    text: str
    style: str = ""


Line = tuple[Segment, ...]

MOST_LINES = 3
"""So many lines a statement may take."""
THREAD_STYLES = 6
"""So many colours are told apart; further threads start again."""


def thread_style(thread: int) -> str:
    """The style of everything that one thread does."""
    return f"thread {thread % THREAD_STYLES}"


def line(*parts: str | Segment) -> Line:
    """A line of unstyled and styled parts."""
    return tuple(Segment(part) if isinstance(part, str) else part for part in parts)


def plain(lines: Iterable[Line]) -> str:
    """The text without styles, without blanks at line ends; nothing in it is more than text."""
    return "".join(visible("".join(segment.text for segment in one).rstrip()) + "\n" for one in lines)


def shortened(text: str, width: int) -> str:
    """``text`` in at most ``width`` characters; ``..`` stands for what is left out."""
    return text if len(text) <= width else text[: max(0, width - 2)] + ".."


def wrapped(text: str, width: int) -> list[str]:
    """``text`` broken at blanks into lines of at most ``width`` characters; longer words stay whole."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines or [""]


def hanging(text: str, width: int) -> list[str]:
    """``text`` as it is if it fits, else broken at blanks with all lines but the first indented."""
    if len(text) <= width:
        return [text]
    first, *rest = wrapped(text, width - 2)
    return [first, *(f"  {part}" for part in rest)]


def longest_word(text: str) -> int:
    """The longest part of C text that cannot be broken, with what it is broken after."""
    return max(map(len, re.findall(r"[^(,= ]*[(,= ]?", text)))


def broken_code(text: str, width: int, indent: str) -> list[str]:
    """C text on at most three lines, broken after a bracket, comma, operator or blank where there is one."""
    lines: list[str] = []
    while len(text) > width and len(lines) + 1 < MOST_LINES:
        at = max(text.rfind(mark, len(indent) + 1, width) for mark in ("(", ",", "=", " ")) + 1
        if at <= len(indent) + 1:
            at = width
        lines.append(text[:at].rstrip())
        text = indent + text[at:].lstrip()
    return [*lines, shortened(text, width)]


def labelled(
    label: str, texts: Sequence[str], width: int, style: str = "label", margin: int = 7
) -> list[Line]:
    """Paragraphs behind a label in the margin: `` Why   ...``; nothing for no texts."""
    result: list[Line] = []
    for text in texts:
        for part in wrapped(text, width - margin):
            head = f" {label:<{margin - 2}} " if not result else " " * margin
            result.append((Segment(head, style), Segment(part)))
    return result
