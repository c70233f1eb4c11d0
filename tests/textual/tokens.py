"""Tokens of the textual form, and a cursor over them that reports errors with line and column."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from sley.base.errors import InputError
from sley.base.source import Span
from sley.program.notation import FILE_PATTERN, NAME_PATTERN


class TokenKind(Enum):
    """What a token is."""

    SPAN = "place in a file"
    """``main.c:5:3-5:8``."""
    STRING = "string"
    CONSTANT = "constant"
    """A number with its sort, ``5:i32``."""
    NUMBER = "number"
    NAME = "name"
    SYMBOL = "symbol"
    NEWLINE = "end of line"
    END = "end of text"


@dataclass(frozen=True, slots=True)
class Token:
    """A token and where it stands."""

    kind: TokenKind
    text: str
    line: int
    column: int


_DIGITS = r"-?(?:0x[0-9a-fA-F]+|0|[1-9][0-9]*)"
_STRING = r'"(?:[^"\\\n]|\\.)*"'
_TOKEN = re.compile(
    r"(?P<blank>[ \t\r]+|\#[^\n]*)"
    r"|(?P<NEWLINE>\n)"
    rf"|(?P<SPAN>(?:{_STRING}|{FILE_PATTERN}):[0-9]+:[0-9]+(?:-[0-9]+:[0-9]+)?(?=\s|$))"
    rf"|(?P<STRING>{_STRING})"
    rf"|(?P<CONSTANT>{_DIGITS}:[if][0-9]+)"
    r"|(?P<SYMBOL>->|:=|[(){}\[\],:;=@*&+])"
    rf"|(?P<NUMBER>{_DIGITS})"
    rf"|(?P<NAME>{NAME_PATTERN})"
)

_PARTS_OF_SPAN = re.compile(r"(.*):([0-9]+):([0-9]+)(?:-([0-9]+):([0-9]+))?")
_Item = TypeVar("_Item")


def tokenise(text: str, file: str) -> list[Token]:
    """All tokens; several line ends in a row are one."""
    tokens: list[Token] = []
    line, line_start, position = 1, 0, 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        column = position - line_start + 1
        if found is None:
            raise InputError(f"unexpected character {text[position]!r}", Span(file, line, column))
        position = found.end()
        if found.lastgroup == "NEWLINE":
            if tokens and tokens[-1].kind is not TokenKind.NEWLINE:
                tokens.append(Token(TokenKind.NEWLINE, "", line, column))
            line, line_start = line + 1, position
        elif found.lastgroup != "blank":
            assert found.lastgroup is not None
            tokens.append(Token(TokenKind[found.lastgroup], found.group(), line, column))
    if tokens and tokens[-1].kind is not TokenKind.NEWLINE:
        tokens.append(Token(TokenKind.NEWLINE, "", line, len(text) - line_start + 1))
    tokens.append(Token(TokenKind.END, "", line, 1))
    return tokens


class TokenCursor:
    """A position in a list of tokens."""

    def __init__(self, tokens: list[Token], file: str) -> None:
        self.tokens = tokens
        self.file = file
        self.position = 0

    @property
    def token(self) -> Token:
        """The token in front of us."""
        return self.tokens[self.position]

    def peek(self, distance: int = 1) -> Token:
        """A token further on."""
        return self.tokens[min(self.position + distance, len(self.tokens) - 1)]

    def error(self, message: str, token: Token | None = None) -> InputError:
        """An error at the token in front of us, or at ``token``."""
        at = token or self.token
        return InputError(message, Span(self.file, at.line, at.column))

    def take(self, kind: TokenKind, what: str = "") -> Token:
        """The token in front of us, which must be of that kind."""
        token = self.token
        if token.kind is not kind:
            raise self.error(f"expected {what or kind.value}, found {token.text or token.kind.value!r}")
        self.position += 1
        return token

    def is_at(self, text: str) -> bool:
        """Whether this symbol or word is in front of us."""
        return self.token.text == text and self.token.kind in (TokenKind.SYMBOL, TokenKind.NAME)

    def accept(self, text: str) -> bool:
        """Step over this symbol or word if it is in front of us."""
        if self.is_at(text):
            self.position += 1
            return True
        return False

    def expect(self, text: str) -> None:
        """Step over this symbol or word, which must be in front of us."""
        if not self.accept(text):
            raise self.error(f"expected {text!r}, found {self.token.text or self.token.kind.value!r}")

    def word(self, what: str = "a word") -> str:
        """An unquoted name."""
        return self.take(TokenKind.NAME, what).text

    def name(self, what: str = "a name") -> str:
        """A name, quoted or not."""
        return self.string() if self.token.kind is TokenKind.STRING else self.take(TokenKind.NAME, what).text

    def number(self, what: str = "a number") -> int:
        """A number without sort."""
        return int(self.take(TokenKind.NUMBER, what).text, 0)

    def string(self) -> str:
        """A string literal."""
        token = self.take(TokenKind.STRING)
        return self._unquoted(token.text, token)

    def _unquoted(self, literal: str, token: Token) -> str:
        """What a string literal that stands in ``token`` says."""
        try:
            return str(json.loads(literal, strict=False))
        except ValueError as wrong:
            raise self.error("malformed string", token) from wrong

    def optional_string(self) -> str:
        """A string literal, or the empty string if there is none."""
        return self.string() if self.token.kind is TokenKind.STRING else ""

    def optional_span(self) -> Span | None:
        """A place in a file, if there is one."""
        if self.token.kind is not TokenKind.SPAN:
            return None
        token = self.take(TokenKind.SPAN)
        found = _PARTS_OF_SPAN.fullmatch(token.text)
        assert found is not None
        file, *numbers = found.groups()
        file = self._unquoted(file, token) if file.startswith('"') else file
        return Span(file, *(int(number or 0) for number in numbers))

    def listed(self, read: Callable[[], _Item], end: str) -> list[_Item]:
        """Items with commas between them, up to and with the symbol at their end."""
        items: list[_Item] = []
        while not self.accept(end):
            if items:
                self.expect(",")
            items.append(read())
        return items
