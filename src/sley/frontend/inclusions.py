"""What a C file includes, looked at before the C parser opens it.

The parser waits for pipes, reads devices without end, and obeys pragmas that write files. Names that macros
put together are not seen here: against those there are only the limits of the run.
"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from sley.base import outside
from sley.base.errors import InputError
from sley.base.source import Span

_GAP = rb"(?:[ \t]|/\*[^*\n]{0,200}\*/)*"
_SPLICE = re.compile(rb"\\[ \t]*\r?\n")
_NAMED = re.compile(
    rb"\b(?:include|include_next|import|embed|dependency|define[ \t]+\w+|"
    rb"""__has_(?:include|include_next|embed))%b\(?[ \t]*["<]([^">\n\0]{1,4095})[">]""" % _GAP
)
"""Where a file is named that the parser may open, through a macro without parameters at most."""
_OF_THE_PARSER = re.compile(
    rb"\bclang%b(?:__debug\b|module%b(?:build|begin|load|import|contents|end|endbuild)\b)" % (_GAP, _GAP)
)
"""The words of pragmas that make it crash, hang, or write files."""
REFUSED = "has a pragma for developers of the C parser"


def has_pragma_of_parser(contents: bytes) -> bool:
    """Whether a file has such a pragma, wherever its lines are broken."""
    return _OF_THE_PARSER.search(_SPLICE.sub(b"", contents)) is not None


def require_ordinary(contents: bytes, file: Path, flags: Sequence[str], folders: Sequence[Path]) -> None:
    """Refuse a file that includes, also indirectly, what the parser must not open."""
    searched = (*folders, *(Path(flag) for flag in flags if os.path.isdir(flag)))
    included = [Path(flag) for flag in flags if os.path.isfile(flag)]
    waiting = [(contents, file), *((_read(path), path) for path in included)]
    seen = {os.path.realpath(path) for _, path in waiting}
    while waiting:
        text, current = waiting.pop()
        for path in _named(text, current, searched):
            if os.path.isfile(path) and os.path.realpath(path) not in seen:
                seen.add(os.path.realpath(path))
                waiting.append((_read(path), path))


def _read(path: Path) -> bytes:
    contents = outside.content(path, outside.SOURCE)
    if has_pragma_of_parser(contents):
        raise InputError(REFUSED, Span(str(path), 1, 1))
    return contents


def _named(contents: bytes, file: Path, searched: Sequence[Path]) -> Iterator[Path]:
    """What a file names may be these files; pipes and devices have no end."""
    text = _SPLICE.sub(b"", contents)
    places = {found[1]: found.start() for found in _NAMED.finditer(text)}
    for written, place in places.items():
        for folder in dict.fromkeys((file.parent, *searched)):
            path = folder / os.fsdecode(written)
            if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
                at = Span(str(file), text.count(b"\n", 0, place) + 1, 1)
                raise InputError(f"includes {path}, which is not a regular file", at)
            yield path
