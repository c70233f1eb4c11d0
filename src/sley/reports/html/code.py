"""Source files as they are when the page is made, with places that a script can mark."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from sley.base import outside
from sley.base.source import Span
from sley.frontend.harness.plan import NAME as HARNESS
from sley.reports.html.markup import Child, Html, markup, tag

WHOLE = 160
"""A file of so many lines is shown as a whole; of a longer one only what is near to lines that matter."""
NEAR = 8

_TOKEN = re.compile(
    r"(?P<i>//.*|/\*.*?\*/|/\*.*)"
    r"|(?P<u>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')"
    r"|(?P<b>\b(?:auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|"
    r"int|long|register|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|"
    r"_Atomic|_Bool|_Thread_local)\b|^\s*#\s*\w+)"
)
"""What has a look of its own: comments, strings, words of the language."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file, or why there is none."""

    name: str
    lines: tuple[str, ...]
    problem: str = ""


class SourceFiles:
    """The files that a part of a page shows, numbered; ``prefix`` tells its lines from those of others."""

    def __init__(self, spans: Sequence[Span], prefix: str) -> None:
        self.prefix = prefix
        self.names = tuple(dict.fromkeys(span.file for span in spans))
        self.sources = tuple(map(read_source, self.names))
        self.used = {name: sorted({s.line for s in spans if s.file == name}) for name in self.names}

    def place(self, span: Span | None) -> str:
        """The name of a line; empty where it is not shown."""
        if span is None or span.file not in self.names:
            return ""
        return f"{self.prefix}f{self.names.index(span.file)}-{span.line}"

    def listing(self, notes: Mapping[tuple[str, int], Sequence[Child]] | None = None) -> Html:
        """All files; ``notes`` stand before the lines that they are about, by file and line."""
        return markup(self._file(number, notes or {}) for number in range(len(self.names)))

    def _file(self, number: int, notes: Mapping[tuple[str, int], Sequence[Child]]) -> Html:
        source = self.sources[number]
        title = tag("h4", PurePath(source.name).name, title=source.name)
        if source.problem:
            return tag("div", title, tag("p", source.problem, class_="quiet"), class_="file")
        lines = tag("ol", self._lines(number, notes), class_="code")
        return tag("div", title, lines, class_="file")

    def _lines(self, number: int, notes: Mapping[tuple[str, int], Sequence[Child]]) -> Iterator[Html]:
        source, is_comment, shown = self.sources[number], False, True
        near = _near(self.used[source.name], len(source.lines))
        for line, text in enumerate(source.lines, start=1):
            looks, is_comment = _looks(text, is_comment)
            if line not in near:
                if shown:
                    yield tag("li", "⋯", class_="gap")
                shown = False
                continue
            shown = True
            yield from (tag("li", note, class_="note") for note in notes.get((source.name, line), ()))
            yield tag("li", looks, id=f"{self.prefix}f{number}-{line}", data_line=line)


def read_source(name: str) -> SourceFile:
    """A file of the program; it may be gone by now."""
    if name == str(HARNESS):
        return SourceFile(name, (), "This file is written by sley; `sley show harness` prints it.")
    text = outside.shown_text(name)
    if text is None:
        return SourceFile(name, (), "This file cannot be read now.")
    return SourceFile(name, tuple(text.expandtabs(4).splitlines()))


def _near(used: Sequence[int], count: int) -> range | set[int]:
    if count <= WHOLE:
        return range(1, count + 1)
    return {line for middle in used for line in range(middle - NEAR, middle + NEAR + 1)}


def _looks(text: str, is_comment: bool) -> tuple[Html, bool]:  # noqa: FBT001 - where the line before has ended
    """A line with its comments, strings and words marked, and whether a comment goes on behind it."""
    parts: list[Child] = []
    at = 0
    if is_comment:
        end = text.find("*/")
        if end < 0:
            return tag("i", text), True
        parts.append(tag("i", text[: end + 2]))
        at = end + 2
    for found in _TOKEN.finditer(text, at):
        kind = found.lastgroup or "i"
        parts += [text[at : found.start()], tag(kind, found.group())]
        at = found.end()
        if found.group().startswith("/*") and not found.group().endswith("*/"):
            return markup(parts), True
    return markup(parts, text[at:]), False
