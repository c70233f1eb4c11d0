"""Which files make a program, and how each is compiled: files as given, or ``compile_commands.json``.

Of a compiler's flags only those count that change what the text means: where headers are, which macros are
defined, which dialect it is. Optimisation, warnings and output files do not matter here.
"""

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sley.base import outside
from sley.base.errors import InputError, Unsupported, UnsupportedFeatureError
from sley.base.source import Span
from sley.frontend.data_model import DataModel

DATABASE = "compile_commands.json"
_C_SUFFIXES = (".c", ".i")
_WITH_PATH = ("-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I")
"""Flags that name a file or folder; the longest that fits comes first."""
_WITH_VALUE = ("-D", "-U")
_KEPT = ("-std=", "-ansi", "-pthread", "-funsigned-char", "-fsigned-char", "-fshort-enums", "-fms-extensions")
_SWALLOWS_NEXT = ("-o", "-MF", "-MT", "-MQ", "-x", "-Xlinker", "-arch", "--param")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of the program, with the flags that it alone is compiled with."""

    path: Path
    flags: tuple[str, ...] = ()
    text: str | None = None
    """What is in a file that is only in memory."""


def source_files(paths: Sequence[Path], data_model: DataModel) -> list[SourceFile]:
    """The files of a program; C files beside a database choose from it."""
    databases = [path for path in paths if path.suffix == ".json" or (path / DATABASE).is_file()]
    files = [path for path in paths if path not in databases]
    if not databases:
        return [SourceFile(path) for path in files]
    if len(databases) > 1:
        raise InputError("more than one compilation database", Span(str(databases[1]), 1, 1))
    listed = _entries(databases[0], data_model)
    if not files:
        return list(listed.values())
    return [listed.get(_identity(path), SourceFile(path)) for path in files]


def _identity(path: Path) -> str:
    return os.path.realpath(path)


def _entries(database: Path, data_model: DataModel) -> dict[str, SourceFile]:
    """The C files of a database by their real paths, in its order."""
    file = database / DATABASE if database.is_dir() else database
    place = Span(str(file), 1, 1)
    found: dict[str, SourceFile] = {}
    for entry in _read(file, place):
        folder = file.parent / str(entry["directory"])
        path = folder / str(entry["file"])
        if path.suffix not in _C_SUFFIXES:
            continue
        source = SourceFile(shown_path(path), tuple(_flags(_command(entry, place), folder)))
        _require_model(source, _command(entry, place), data_model)
        former = found.setdefault(_identity(path), source)
        if former.flags != source.flags:
            raise InputError(f"`{source.path}` is compiled in several ways", place)
    if not found:
        raise InputError("names no C file", place)
    return found


def _read(file: Path, place: Span) -> list[Mapping[str, object]]:
    entries = outside.json_of(outside.text(file, outside.DATABASE), str(file))
    if not isinstance(entries, list) or not all(map(_is_entry, entries)):
        raise InputError("is not a compilation database", place)
    return list(entries)


def _is_entry(entry: object) -> bool:
    if not isinstance(entry, dict):
        return False
    named = all(isinstance(entry.get(name), str) for name in ("directory", "file"))
    words = entry.get("arguments", [])
    is_list = isinstance(words, list) and all(isinstance(word, str) for word in words)
    return named and is_list and isinstance(entry.get("command", ""), str)


def _command(entry: Mapping[str, object], place: Span) -> list[str]:
    arguments = entry.get("arguments")
    if isinstance(arguments, list):
        return list(arguments)
    try:
        return shlex.split(str(entry.get("command", "")))
    except ValueError:
        raise InputError(f"the command for `{entry['file']}` cannot be read", place) from None


def shown_path(path: Path) -> Path:
    """A path relative to the current folder, if it is below it."""
    relative = os.path.relpath(path)
    return Path(os.path.normpath(path) if relative.startswith("..") else relative)


def _flags(command: list[str], folder: Path) -> Iterator[str]:
    """The flags that matter, with paths from here."""
    waiting = list(reversed(command[1:]))
    while waiting:
        word = waiting.pop()
        if word in _SWALLOWS_NEXT:
            del waiting[-1:]
        elif word.startswith(_KEPT):
            yield word
        else:
            flag = next((flag for flag in (*_WITH_PATH, *_WITH_VALUE) if word.startswith(flag)), None)
            if flag is not None and (len(word) > len(flag) or waiting):
                value = word.removeprefix(flag) or waiting.pop()
                if flag in _WITH_PATH:
                    value = str(shown_path(folder / value))
                    _require_ordinary(Path(value))
                yield from (flag, value)


def _require_ordinary(path: Path) -> None:
    """Devices and pipes have no end."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise InputError("is neither a file nor a folder", Span(str(path), 1, 1))


def _require_model(source: SourceFile, command: list[str], data_model: DataModel) -> None:
    """A file that is compiled for another machine, or as another language, is not what we would check."""
    if "-fopenmp" in command:
        raise UnsupportedFeatureError((Unsupported("OpenMP", Span(str(source.path), 1, 1)),))
    if "-m32" in command and data_model is not DataModel.ILP32:
        raise InputError("is compiled with -m32: use --data-model ILP32", Span(str(source.path), 1, 1))
