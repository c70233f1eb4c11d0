"""Which files there are, and how each is compiled: files as given, ``compile_commands.json``, or a folder.

Of a compiler's flags only those count that change what the text means: where headers are, which macros are
defined, which dialect it is. Optimisation and warnings do not matter here. The name of an output tells which
program or library a file is compiled for. Which files make one program is for ``linking.py`` to say.
"""

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from sley.base import outside
from sley.base.errors import InputError, Unsupported, UnsupportedFeatureError
from sley.base.source import Span
from sley.frontend.data_model import DataModel
from sley.frontend.source_folder import c_files, guessed_flags

DATABASE = "compile_commands.json"
_C_SUFFIXES = (".c", ".i")
_WITH_PATH = ("-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I")
"""Flags that name a file or folder; the longest that fits comes first."""
_WITH_VALUE = ("-D", "-U")
_KEPT = ("-std=", "-ansi", "-pthread", "-funsigned-char", "-fsigned-char", "-fshort-enums", "-fms-extensions")
_SWALLOWS_NEXT = ("-o", "-MF", "-MT", "-MQ", "-x", "-Xlinker", "-arch", "--param")
_TARGET_FOLDER = re.compile(r"(?:CMakeFiles/([^/]+)\.dir|([^/]+)\.p)/")
"""Where CMake and Meson put the objects of a target."""
_NESTED_RESPONSES = 8


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of the program, with the flags that it alone is compiled with."""

    path: Path
    flags: tuple[str, ...] = ()
    text: str | None = None
    """What is in a file that is only in memory."""
    targets: tuple[str, ...] = ()
    """The programs and libraries that it is compiled for in this way, as far as the build says."""
    others: tuple["SourceFile", ...] = ()
    """The further ways in which it is compiled."""
    is_chosen: bool = True
    """Whether the user names it; of the files of a folder or a build, a program may need some only."""
    is_guessed: bool = False
    """Whether no build says how it is compiled."""

    def compiled_for(self, target: str | None) -> "SourceFile | None":
        """The first way in which it is compiled for a target; None if in none."""
        own = next((one for one in (self, *self.others) if target in one.targets), None)
        return own and replace(own, others=tuple(one for one in self.others if target in one.targets))

    @property
    def has_other_flags(self) -> bool:
        """Whether other ways to compile it may mean something else."""
        return any(one.flags != self.flags for one in self.others)


def source_files(paths: Sequence[Path], data_model: DataModel) -> list[SourceFile]:
    """The files that a program may be made of; C files beside a database or folder choose from it."""
    collections = [path for path in paths if path.suffix == ".json" or path.is_dir()]
    files = [path for path in paths if path not in collections]
    if not collections:
        return [SourceFile(path) for path in files]
    if len(collections) > 1:
        raise InputError("more than one compilation database or folder", Span(str(collections[1]), 1, 1))
    found = collections[0]
    is_database = found.suffix == ".json" or (found / DATABASE).is_file()
    listed = _entries(found, data_model) if is_database else _sources(found)
    if not files:
        return list(listed.values())
    chosen = (listed.get(_identity(path), SourceFile(path)) for path in files)
    return [replace(one, is_chosen=True) for one in chosen]


def _identity(path: Path) -> str:
    return os.path.realpath(path)


def _sources(folder: Path) -> dict[str, SourceFile]:
    """The C files of a folder that no database speaks of, with flags that are guessed."""
    paths = c_files(folder)
    if not paths:
        raise InputError(f"is a folder without C files, and without a {DATABASE}", Span(str(folder), 1, 1))
    guessed = guessed_flags(folder, paths)
    files = (SourceFile(path, guessed[path], is_chosen=False, is_guessed=True) for path in paths)
    return {_identity(file.path): file for file in files}


def _entries(database: Path, data_model: DataModel) -> dict[str, SourceFile]:
    """The C files of a database by their real paths, in its order; of each the first way it is compiled."""
    file = database / DATABASE if database.is_dir() else database
    place = Span(str(file), 1, 1)
    found: dict[str, SourceFile] = {}
    for entry in _read(file, place):
        folder = file.parent / str(entry["directory"])
        path = folder / str(entry["file"])
        if path.suffix in _C_SUFFIXES:
            command = _expanded(_command(entry, place), folder)
            flags, targets = tuple(_flags(command, folder)), _targets(entry, command)
            source = SourceFile(shown_path(path), flags, targets=targets, is_chosen=False)
            _require_model(source, command, data_model)
            former = found.get(_identity(path))
            found[_identity(path)] = source if former is None else _and(former, source)
    if not found:
        raise InputError("names no C file", place)
    return found


def _and(first: SourceFile, later: SourceFile) -> SourceFile:
    """A file that is compiled more than once, for a static and a shared library perhaps."""
    return replace(first, others=(*first.others, later))


def _targets(entry: Mapping[str, object], command: list[str]) -> tuple[str, ...]:
    """What a file is compiled for: as a build that was watched says, or by the folder of the object."""
    said = entry.get("targets")
    if isinstance(said, list):
        return tuple(map(str, said))
    named = (word for before, word in pairwise(command) if before == "-o")
    outputs = [str(entry.get("output", "")), *named]
    found = (_TARGET_FOLDER.search(output) for output in outputs)
    return tuple(dict.fromkeys(one[1] or one[2] for one in found if one is not None))


def _expanded(command: list[str], folder: Path, depth: int = _NESTED_RESPONSES) -> list[str]:
    """A command with what its response files (``@file``) say."""
    words: list[str] = []
    for word in command:
        file = folder / word[1:]
        if word.startswith("@") and depth and file.is_file():
            said = shlex.split(outside.text(file, outside.DATABASE))
            words += _expanded(said, folder, depth - 1)
        else:
            words.append(word)
    return words


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
