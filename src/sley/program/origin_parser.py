"""The part of a line behind ``;``: where it comes from in C (see ``notation``).

Grammar: ``[SPAN] [TEXT] [in FUNCTION] [library] (via FUNCTION [library] [SPAN] [TEXT])*``.
"""

import re

from sley.base.source import Span
from sley.program.notation import NAME_PATTERN
from sley.program.program import CallSite, Origin
from sley.program.tokens import Cursor, Token, TokenKind

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_SPAN = re.compile(rf'(?:({_STRING.pattern})|([^\s":]+)):([0-9]+):([0-9]+)(?:-([0-9]+):([0-9]+))?(?=\s|$)')
_NAME = re.compile(NAME_PATTERN)
_BLANK = re.compile(r"\s*")


def parse_span(cursor: Cursor) -> Span | None:
    """The span after ``;``, if there is one."""
    if cursor.token.kind is not TokenKind.ORIGIN:
        return None
    words = _Words(cursor, cursor.take(TokenKind.ORIGIN))
    span = words.span()
    words.end()
    return span


def parse_origin(cursor: Cursor) -> Origin:
    """The origin after ``;``; without one, an origin that says nothing."""
    if cursor.token.kind is not TokenKind.ORIGIN:
        return Origin(None, "", "")
    words = _Words(cursor, cursor.take(TokenKind.ORIGIN))
    span, text = words.span(), words.string()
    function = words.name() if words.accept("in") else ""
    is_library = words.accept("library")
    calls: list[CallSite] = []
    while words.accept("via"):
        called, is_model = words.name(), words.accept("library")
        calls.append(CallSite(called, words.span(), words.string(), is_model))
    words.end()
    return Origin(span, text, function, tuple(calls), is_library)


class _Words:
    """Reads an origin from left to right."""

    def __init__(self, cursor: Cursor, token: Token) -> None:
        self.cursor = cursor
        self.token = token
        self.position = 1

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        blank = _BLANK.match(self.token.text, self.position)
        assert blank is not None
        found = pattern.match(self.token.text, blank.end())
        self.position = self.position if found is None else found.end()
        return found

    def span(self) -> Span | None:
        found = self._match(_SPAN)
        if found is None:
            return None
        quoted, plain, *numbers = found.groups()
        file = plain or self.cursor.unquoted(quoted, self.token)
        return Span(file, *(int(number or 0) for number in numbers))

    def string(self) -> str:
        found = self._match(_STRING)
        return "" if found is None else self.cursor.unquoted(found[0], self.token)

    def accept(self, word: str) -> bool:
        before = self.position
        found = self._match(_NAME)
        if found is not None and found[0] == word:
            return True
        self.position = before
        return False

    def name(self) -> str:
        found = self._match(_NAME)
        return found[0] if found is not None else self.string()

    def end(self) -> None:
        if self.token.text[self.position :].strip():
            raise self.cursor.error("malformed origin", self.token)
