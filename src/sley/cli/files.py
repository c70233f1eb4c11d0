"""Files that a command writes: whole, or not at all."""

import os
from pathlib import Path

from sley.base.errors import InputError
from sley.base.source import Span

_SOURCES = frozenset({".c", ".h", ".i", ".prp", ".toml", ".litmus"})
"""What users write themselves: a flag that misses its value must not take one of these for it."""


LONGEST_NAME = 240
"""Bytes: while a file is written, its name is a little longer."""


def _is_possible(file: Path) -> bool:
    try:
        return file.exists() or True
    except (OSError, ValueError):
        return False


def require_writable(file: Path) -> None:
    """Better to hear of a wrong path before a long search than after it."""
    if str(file) == "-":
        raise InputError("`-` is no file: name one for the result")
    if len(os.fsencode(file.name)) > LONGEST_NAME or not _is_possible(file):
        raise InputError("no file can have this name", Span(str(file), 1, 1))
    target = file if file.exists() else file.absolute().parent
    if file.is_dir() or not target.exists() or not os.access(target, os.W_OK):
        raise InputError("cannot write the result here", Span(str(file), 1, 1))
    if file.is_file() and file.suffix in _SOURCES:
        raise InputError("is not overwritten: name another file for the result", Span(str(file), 1, 1))


def write_file(file: Path, content: str | bytes) -> None:
    """Write a file; where that fails, half of it is not left behind."""
    written = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    try:
        if file.exists() and not file.is_file():
            file.write_bytes(written)  # a device or a pipe cannot be exchanged
        else:
            _exchange(file, written)
    except OSError as error:
        raise InputError(f"cannot write {file}: {error.strerror}") from None


def _exchange(file: Path, content: bytes) -> None:
    partial = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        partial.write_bytes(content)
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)
