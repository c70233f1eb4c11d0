"""The part of a line behind ``;``: where it comes from in C (see ``notation``)."""

import re
from dataclasses import replace

from sley.base.source import Span
from sley.program.notation import NAME_PATTERN
from sley.program.program import CallSite, Origin
from sley.program.tokens import Cursor, Kind, Token

_STRING = r'"(?:[^"\\]|\\.)*"'
_SPAN = re.compile(rf'({_STRING}|[^\s":]+):([0-9]+):([0-9]+)(?:-([0-9]+):([0-9]+))?(?=\s|$)')
_WORDS = re.compile(rf"\s*(?:(?P<span>{_SPAN.pattern})|(?P<string>{_STRING})|(?P<name>{NAME_PATTERN}))")


def parse_span(cursor: Cursor) -> Span | None:
    """The span after ``;``, if there is one."""
    words = _origin_words(cursor)
    spans = [word for word in words if isinstance(word, Span)]
    return spans[0] if spans else None


def parse_origin(cursor: Cursor) -> Origin:
    """The origin after ``;``; without one, an origin that says nothing."""
    groups: list[list[Span | Token]] = [[]]
    for word in _origin_words(cursor):
        if isinstance(word, Token) and (word.kind, word.text) == (Kind.NAME, "via"):
            groups.append([])
        else:
            groups[-1].append(word)
    own = _OriginWords(cursor, groups[0])
    function = own.name_after_in()
    origin = Origin(own.span(), own.text(), function, is_library=own.is_library())
    if len(groups) == 1:
        return origin
    return replace(origin, calls=tuple(_call_site(cursor, group) for group in groups[1:]))


def _call_site(cursor: Cursor, words: list["Span | Token"]) -> CallSite:
    if not words or isinstance(words[0], Span):
        raise cursor.error("expected the name of a function after `via`")
    function = Cursor(words[:1], cursor.file).name()  # type: ignore[arg-type]
    rest = _OriginWords(cursor, words[1:])
    return CallSite(function, rest.span(), rest.text(), rest.is_library())


class _OriginWords:
    """The words of one level of an origin, whatever their order."""

    def __init__(self, cursor: Cursor, words: list[Span | Token]) -> None:
        self.cursor = cursor
        self.words = words

    def span(self) -> Span | None:
        return next((w for w in self.words if isinstance(w, Span)), None)

    def is_library(self) -> bool:
        return any(isinstance(w, Token) and (w.kind, w.text) == (Kind.NAME, "library") for w in self.words)

    def text(self) -> str:
        strings = [w for w in self.words if isinstance(w, Token) and w.kind is Kind.STRING]
        return Cursor(strings, self.cursor.file).string() if strings else ""

    def name_after_in(self) -> str:
        for position, word in enumerate(self.words):
            if isinstance(word, Token) and (word.kind, word.text) == (Kind.NAME, "in"):
                name = [w for w in self.words[position + 1 : position + 2] if isinstance(w, Token)]
                del self.words[position : position + 2]
                if name:
                    return Cursor(name, self.cursor.file).name()
        return ""


def _origin_words(cursor: Cursor) -> list[Span | Token]:
    if cursor.token.kind is not Kind.ORIGIN:
        return []
    token = cursor.take(Kind.ORIGIN)
    words: list[Span | Token] = []
    position = 1
    text = token.text.rstrip()
    while position < len(text):
        found = _WORDS.match(text, position)
        if found is None:
            raise cursor.error("malformed origin", token)
        position = found.end()
        at = Token(Kind.NAME, "", token.line, token.column + found.start())
        if found["span"]:
            words.append(_span(found["span"], cursor, at))
        else:
            kind = Kind.STRING if found["string"] else Kind.NAME
            words.append(replace(at, kind=kind, text=found["string"] or found["name"]))
    return words


def _span(text: str, cursor: Cursor, at: Token) -> Span:
    found = _SPAN.fullmatch(text)
    assert found is not None
    file = found[1]
    if file.startswith('"'):
        file = Cursor([replace(at, kind=Kind.STRING, text=file)], cursor.file).string()
    numbers = [int(number or 0) for number in found.groups()[1:]]
    return Span(file, *numbers)
