"""Findings that the user does not want to hear of: by a comment in the source, or by their names.

``// sley: ignore race - only a statistic`` speaks of the code in its line, or, if it stands alone, of the
next line with code. A finding is suppressed if one of the statements to blame for it stands there.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sley.base import outside
from sley.base.errors import InputError
from sley.base.source import Span
from sley.evidence.fingerprints import events_to_blame, fingerprint
from sley.evidence.trace import Trace
from sley.frontend.comments import comments
from sley.frontend.compilation_database import source_files
from sley.program.program import user_origin
from sley.program.properties import PROPERTY_GROUPS, Property
from sley.verification.task import Task

_MARK = re.compile(r"(?:^|//|/\*)[ \t/*!<]*(?P<said>sley:\s*ignore\b(?P<rest>.*))", re.MULTILINE)
"""At the start of a comment, or of one of its lines."""
_NAMES = re.compile(r"\s*(\[(?P<listed>[^\]]*)\]|(?P<bare>[\w, ]*))\s*(?P<reason>[-–—:].*)?")  # noqa: RUF001

_GROUPS = {**{prop.value: frozenset({prop}) for prop in Property}, **PROPERTY_GROUPS}
"""What can be ignored, by its name."""


@dataclass(frozen=True, slots=True)
class Suppression:
    """What is not to be reported."""

    properties: frozenset[Property]
    name: str = ""
    """The fingerprint that is meant; empty for a comment."""
    place: Span | None = None
    """Of a comment: the line that it is about."""
    text: str = ""
    """As the user wrote it, with the reason."""

    def covers(self, trace: Trace) -> bool:
        """Whether this is what the user has seen and accepted."""
        if trace.failure.property not in self.properties:
            return False
        if self.place is None:
            return fingerprint(trace) == self.name
        return any(_is_in(self.place, span) for span in places_of(trace))

    def __str__(self) -> str:
        return self.text


def places_of(trace: Trace) -> list[Span]:
    """The user's statements to blame."""
    spans = (user_origin(event.origin).span for event in events_to_blame(trace))
    return [span for span in dict.fromkeys(spans) if span is not None]


def _is_in(line: Span, span: Span) -> bool:
    return line.file == span.file and span.line <= line.line <= max(span.line, span.end_line)


class Suppressions:
    """Those of a task; comments are read where they can matter: in C files, and in what findings are in."""

    def __init__(self, task: Task) -> None:
        self._named = [_named(text) for text in task.suppress]
        self._comments: dict[str, Sequence[Suppression]] = {}
        self._used: set[Suppression] = set()
        for source in source_files(task.paths, task.data_model):
            self._read(str(source.path))

    def _read(self, file: str) -> None:
        if file not in self._comments:
            self._comments[file] = tuple(_comments(file))

    def _all(self) -> list[Suppression]:
        return [*self._named, *(one for comments in self._comments.values() for one in comments)]

    def of(self, trace: Trace) -> Suppression | None:
        """What suppresses a finding."""
        for span in places_of(trace):
            self._read(span.file)
        found = next((one for one in self._all() if one.covers(trace)), None)
        if found is not None:
            self._used.add(found)
        return found

    def unused(self, properties: frozenset[Property]) -> tuple[str, ...]:
        """Those that nothing needs, as far as they are about these properties."""
        listed = [one for one in self._all() if one.properties <= properties]
        return tuple(str(one) for one in listed if one not in self._used)


def _named(text: str) -> Suppression:
    """``race:0123456789abcdef``."""
    group, _, name = text.partition(":")
    if group not in _GROUPS or re.fullmatch("[0-9a-f]+", name) is None:
        raise InputError(f"argument --suppress: `{text}` is not a finding such as race:0123456789abcdef")
    return Suppression(_GROUPS[group], name, text=text)


def _comments(file: str) -> Iterator[Suppression]:
    """The comments in a file; none in what cannot be read, which others tell."""
    text = outside.shown_text(file) or ""
    for comment in comments(text) if "sley:" in text else ():
        for mark in _MARK.finditer(comment.text.removesuffix("*/")):
            at = Span(file, comment.line, comment.column)
            said = f"{file}:{comment.line}: {mark['said'].strip()}"
            yield Suppression(_meant(mark["rest"], at), place=Span(file, comment.about, 1), text=said)


def _meant(rest: str, at: Span) -> frozenset[Property]:
    names = _NAMES.match(rest)
    words = re.findall(r"\w+", (names["listed"] or names["bare"] or "") if names is not None else "")
    wrong = [word for word in words if word not in _GROUPS]
    if not words or wrong:
        what = f"`{wrong[0]}` is not a kind of finding" if wrong else "what is to be ignored is not said"
        raise InputError(f"{what}: write `sley: ignore KIND`, one of {', '.join(PROPERTY_GROUPS)}", at)
    return frozenset[Property]().union(*(_GROUPS[word] for word in words))
