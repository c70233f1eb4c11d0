"""The user's files as other tools want to hear of them: relative names, hashes, columns in characters."""

import hashlib
import os
import re
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from sley.base import outside
from sley.base.errors import InputError


@lru_cache(maxsize=64)
def content_of(file: str) -> bytes:
    """What the file holds; nothing if it cannot be read (any more)."""
    try:
        return outside.content(Path(file), outside.SOURCE)
    except InputError:
        return b""


def sha256_of(file: str) -> str:
    """The hash by which tools recognise a file."""
    return hashlib.sha256(content_of(file)).hexdigest()


def relative_uri(file: str) -> str:
    """The file as seen from the working directory, with forward slashes; absolute if it is elsewhere."""
    path = Path(file).absolute()
    try:
        return quote(os.fsencode(path.relative_to(Path.cwd())))
    except ValueError:
        return path.as_uri()


@lru_cache(maxsize=64)
def _lines(file: str) -> list[bytes]:
    return content_of(file).split(b"\n")


def character_column(file: str, line: int, column: int) -> int:
    """A column in characters: compilers count bytes."""
    lines = _lines(file)
    if not 0 < line <= len(lines):
        return column
    return len(lines[line - 1][: column - 1].decode("utf-8", "replace")) + 1


def byte_offset(file: str, line: int, column: int) -> int | None:
    """How many bytes stand before a place; None if the file has no such line."""
    lines = _lines(file)
    if not 0 < line <= len(lines):
        return None
    return sum(len(text) + 1 for text in lines[: line - 1]) + column - 1


def closing_parenthesis(file: str, line: int, column: int, function: str) -> tuple[int, int] | None:
    """Line and column of the parenthesis that ends the first call of ``function`` from a place on."""
    start = byte_offset(file, line, column)
    content = content_of(file)
    called = None if start is None else re.compile(rb"\b%s\s*\(" % function.encode()).search(content, start)
    if called is None:
        return None
    end = _matching(content, called.end())
    if end is None:
        return None
    before = content[:end]
    return before.count(b"\n") + 1, end - (before.rfind(b"\n") + 1) + 1


_PARENTHESES = re.compile(rb'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[()]', re.DOTALL)
"""With strings and characters, whose parentheses do not count."""


def _matching(content: bytes, inside: int) -> int | None:
    """Where the parenthesis is closed that ``inside`` is behind."""
    depth = 1
    for found in _PARENTHESES.finditer(content, inside):
        depth += {b"(": 1, b")": -1}.get(found[0], 0)
        if depth == 0:
            return found.start()
    return None
