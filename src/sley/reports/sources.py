"""The user's files as other tools want to hear of them: relative names, hashes, columns in characters."""

import hashlib
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote


@lru_cache(maxsize=64)
def content_of(file: str) -> bytes:
    """What the file holds; nothing if it cannot be read (any more)."""
    try:
        return Path(file).read_bytes()
    except OSError:
        return b""


def sha256_of(file: str) -> str:
    """The hash by which tools recognise a file."""
    return hashlib.sha256(content_of(file)).hexdigest()


def relative_uri(file: str) -> str:
    """The file as seen from the working directory, with forward slashes; absolute if it is elsewhere."""
    path = Path(file).absolute()
    try:
        return quote(path.relative_to(Path.cwd()).as_posix())
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
