"""A folder of C files that no build describes: which files there are, and where their headers may be.

A header that a file includes is looked for beside it, as compilers do. Where it is not there, nor among the
headers of the system, the nearest file of that relative name below the folder is taken, and what that name is
relative to becomes a folder to search.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path

from sley.base import outside

_SKIPPED = re.compile(r"\.|CMakeFiles$|_deps$|node_modules$")
"""Folders of tools, and what they have made."""
_INCLUDED = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n\0]{1,4095})[">]', re.MULTILINE)
_OF_SYSTEM = tuple(map(Path, ("/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/local/include")))
_OTHER_SYSTEM = re.compile(
    r"(?i)xcode|msvc.*|visual.?studio.*|vs\d+|win(?:32|64|dows|ce)?|android|mac(?:osx?)?|ios"
)
"""Folders with what is made for one system, such as a ready config.h."""
_OF_BUILD = re.compile(r"(?:GNU)?[Mm]akefile(?:\.\w+)?|configure(?:\.\w+)?|CMakeLists\.txt|meson\.build")
_DEEPEST_BUILD = 4
"""So many folders above a file are looked at."""
_ALWAYS = ("-D_GNU_SOURCE",)
"""What most builds on Linux define, and what hides nothing."""


def c_files(folder: Path) -> list[Path]:
    """The C files below a folder, in order."""
    return [path for path in _files(folder) if path.suffix == ".c"]


def guessed_flags(folder: Path, files: Sequence[Path]) -> Mapping[Path, tuple[str, ...]]:
    """For each of these files the flags with which it finds its headers."""
    search = _HeaderSearch(folder)
    return {file: (*_ALWAYS, *search.flags(file)) for file in files}


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if _SKIPPED.match(name) is None)
        yield from (Path(place, name) for name in sorted(names) if os.path.isfile(os.path.join(place, name)))


class _HeaderSearch:
    """The files of a folder by their names, and what they include."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._by_name: dict[str, list[Path]] = {}
        for path in _files(folder):
            self._by_name.setdefault(path.name, []).append(path)
        self._included: dict[Path, list[tuple[str, str]]] = {}

    def flags(self, file: Path) -> Iterator[str]:
        """Folders to search for what a file includes, directly or not."""
        searched: dict[tuple[str, Path], None] = {}
        waiting, seen = [file], {file}
        while waiting:
            current = waiting.pop()
            for flag, name in self._inclusions(current):
                found = self._beside(current, name) if flag == "-iquote" else None
                if found is None and not _is_of_system(name):
                    found = self._nearest(name, current)
                    if found is not None:
                        searched[flag, _root(found, name)] = None
                if found is not None and found not in seen:
                    seen.add(found)
                    waiting.append(found)
        for flag, folder in searched:
            yield from (flag, str(folder))

    def _inclusions(self, file: Path) -> list[tuple[str, str]]:
        if file not in self._included:
            found = _INCLUDED.findall(outside.content(file, outside.SOURCE))
            self._included[file] = [
                ("-iquote" if mark == b'"' else "-idirafter", os.fsdecode(name)) for mark, name in found
            ]
        return self._included[file]

    def _beside(self, file: Path, name: str) -> Path | None:
        path = Path(os.path.normpath(file.parent / name))
        return path if path in self._by_name.get(path.name, ()) else None

    def _is_elsewhere(self, path: Path) -> bool:
        """Whether a header is in a folder for another system."""
        return any(_OTHER_SYSTEM.fullmatch(part) for part in path.relative_to(self._folder).parts[:-1])

    def _nearest(self, name: str, file: Path) -> Path | None:
        """Of the files with this relative name, that with which a file has most folders in common."""
        parts = Path(name).parts
        named = (path for path in self._by_name.get(parts[-1], ()) if path.parts[-len(parts) :] == parts)
        fitting = [path for path in named if not self._is_elsewhere(path)]
        return min(fitting, key=lambda path: distance(path, file), default=None)


def _root(path: Path, name: str) -> Path:
    """The folder to which a path is relative by this name."""
    return path.parents[len(Path(name).parts) - 1]


def named_in_build(message: str, file: Path) -> str | None:
    """The file of a build, in a folder above, that names a header which a message says is missing."""
    missing = re.match(r"'([^']+)' file not found", message)
    if missing is None:
        return None
    name = os.fsencode(Path(missing[1]).name)
    for folder in list(Path(os.path.abspath(file)).parents)[:_DEEPEST_BUILD]:
        for path in sorted(folder / one for one in os.listdir(folder) if _OF_BUILD.fullmatch(one)):
            if path.is_file() and name in outside.content(path, outside.SOURCE):
                return path.name
    return None


def distance(one: Path, other: Path) -> tuple[int, int]:
    """How far apart two files are: those of one folder are nearest, then those above it."""
    ours, theirs = one.parent.parts, other.parent.parts
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(ours, theirs, strict=False)))
    return len(ours) + len(theirs) - 2 * shared, len(ours)


@cache
def _is_of_system(name: str) -> bool:
    return any((folder / name).is_file() for folder in _OF_SYSTEM)
