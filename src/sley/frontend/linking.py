"""Which files of a folder or a build make one program, as a linker finds them.

A program begins with what its build compiles for it, or with the file that has its ``main``; a library, with
the files of the functions that threads call. Then come files that define what is mentioned so far and not
defined, the nearest first. Files that the user names are all part of the program.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sley.base import outside
from sley.base.errors import InputError, UnsupportedFeatureError
from sley.frontend.compilation_database import SourceFile
from sley.frontend.parse import SourceParser, TranslationUnit
from sley.frontend.source_folder import distance, named_in_build

_MAIN = re.compile(rb"^[^\n;#*/]*\bmain\s*\([^;]*?\{", re.MULTILINE)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_AT_MARGIN = re.compile(rb"^(?!static\b|typedef\b|extern\b)[A-Za-z_](?![^\n]*\)\s*;\s*$)[^\n]*", re.MULTILINE)
"""Where definitions for other files begin, among other lines."""
SHOWN = 12
"""So many targets are listed."""


@dataclass(frozen=True, slots=True)
class Linked:
    """The files of a program, and what was taken to be so to find them."""

    files: list[SourceFile]
    assumptions: tuple[str, ...] = ()


def linked(
    files: Sequence[SourceFile], parser: SourceParser, target: str | None, entries: Sequence[str]
) -> Linked:
    """The files of one program: of the target, or of the only one; or of a library with these functions."""
    if all(file.is_chosen for file in files):
        if target is not None:
            raise InputError("argument --target: it chooses from a folder or a compilation database")
        return Linked(list(files), tuple(_ways(files)))
    linker = _Linker(files, parser)
    is_library = bool(entries)
    first = linker.defining(entries) if is_library else linker.first(target)
    if not first or (target is None and not is_library and linker.is_build):
        return Linked(list(files), tuple(_ways(files)))
    found = linker.needed(first)
    notes = [f"of {len(files)} C files, {len(found)} make the program, as a linker would find them"]
    return Linked(found, (*(notes if len(found) < len(files) else ()), *linker.notes, *_ways(found)))


def _ways(files: Sequence[SourceFile]) -> Iterator[str]:
    several = [file for file in files if file.has_other_flags]
    if several:
        more = f" and {len(several) - 1} more" if len(several) > 1 else ""
        yield f"{several[0].path}{more}: of several ways to compile it, the first counts"


class _Linker:
    def __init__(self, candidates: Sequence[SourceFile], parser: SourceParser) -> None:
        self._candidates = candidates
        self._parser = parser
        self._texts = {file.path: outside.content(file.path, outside.SOURCE) for file in candidates}
        self.is_build = not any(file.is_guessed for file in candidates)
        """Whether a build says which files there are, and not a folder."""
        self._not_read: dict[Path, str] = {}
        self._mains = [file for file in candidates if _MAIN.search(self._texts[file.path])]
        if len(self._mains) > 1:  # some may be left out by the preprocessor
            self._mains = [file for file in self._mains if self._has_main(file)]

    @property
    def notes(self) -> Iterator[str]:
        """What could not be read although the program may need it."""
        if self._not_read:
            path, reason = next(iter(self._not_read.items()))
            more = f" (and {len(self._not_read) - 1} more)" if len(self._not_read) > 1 else ""
            yield f"{path}{more} is not read: {reason}"

    def _has_main(self, file: SourceFile) -> bool:
        try:
            return "main" in self._parsed(file).functions
        except (InputError, UnsupportedFeatureError):
            return True

    # --- where it begins ------------------------------------------------------------------------

    def first(self, target: str | None) -> list[SourceFile]:
        """The files that a program begins with; none if no file has a ``main``."""
        if target is None:
            if len(self._mains) > 1:
                named = " and ".join(str(file.path) for file in self._mains[:2])
                raise InputError(f"several files have a `main`: {named}; choose one: {self._listed()}")
            return self._mains
        own = [own for file in self._candidates if (own := file.compiled_for(target)) is not None]
        own = own or [file for file in self._mains if target in _names(file)]
        if not own:
            raise InputError(f"argument --target: there is no `{target}`: {self._listed()}")
        return own

    def _listed(self) -> str:
        """The programs that there are, as ``--target`` names them."""
        names = list(dict.fromkeys(name for file in self._mains for name in _listed_names(file)))
        more = f", … ({len(names)} in all)" if len(names) > SHOWN else ""
        return f"--target {', '.join(names[:SHOWN])}{more}" if names else "no file has a `main`"

    def defining(self, names: Iterable[str]) -> list[SourceFile]:
        """The files that define functions of these names."""
        wanted = {name.encode() for name in names}
        mentioning = [file for file in self._candidates if self._mentions(file, wanted)]
        units = [(file, self._candidate(file)) for file in mentioning]
        return [file for file, unit in units if unit and not unit.functions.keys().isdisjoint(names)]

    def _mentions(self, file: SourceFile, words: set[bytes]) -> bool:
        return not words.isdisjoint(_WORD.findall(self._texts[file.path]))

    # --- what it needs --------------------------------------------------------------------------

    def needed(self, first: Sequence[SourceFile]) -> list[SourceFile]:
        """These files, and those that define what they mention."""
        found = {file.path: file for file in first}
        waiting = [(file, self._parsed(file)) for file in first]
        defined = {name for _, unit in waiting for name in unit.definitions()}
        by_name = self._by_name([file for file in self._candidates if file not in self._mains])
        while waiting:
            file, unit = waiting.pop(0)
            for name in self._wanted(unit):
                fitting = by_name.get(name, ()) if name not in defined else ()
                for other in sorted(fitting, key=lambda one: distance(one.path, file.path)):
                    made = None if other.path in found else self._candidate(other)
                    if made is not None and name in made.definitions():
                        found[other.path] = other
                        defined |= made.definitions()
                        waiting.append((other, made))
                        break
        return [found[file.path] for file in self._candidates if file.path in found]

    def _by_name(self, files: Sequence[SourceFile]) -> dict[str, list[SourceFile]]:
        found: dict[str, list[SourceFile]] = {}
        for file in files:
            for name in self._defined(file):
                found.setdefault(name.decode(), []).append(file)
        return found

    def _defined(self, file: SourceFile) -> set[bytes]:
        """What a file may define for others, and more."""
        return {word for line in _AT_MARGIN.findall(self._texts[file.path]) for word in _WORD.findall(line)}

    def _parsed(self, file: SourceFile) -> TranslationUnit:
        try:
            return self._parser.parse(file.path, file.flags, file.text)
        except InputError as error:
            if file.is_guessed and (maker := named_in_build(error.message, file.path)) is not None:
                error.message += (
                    f"; {maker} speaks of it: if a build makes it, build first, or --build COMMAND"
                )
            raise

    def _candidate(self, file: SourceFile) -> TranslationUnit | None:
        """The unit of a file, if it can be read; all that a build has can be."""
        if file.path in self._not_read:
            return None
        try:
            return self._parsed(file)
        except (InputError, UnsupportedFeatureError) as error:
            if self.is_build:
                raise
            self._not_read[file.path] = str(error)
            return None

    def _wanted(self, unit: TranslationUnit) -> list[str]:
        """What a unit leaves to others; a folder has no bodies for what headers of the system declare."""
        return [name for name, is_of_system in unit.left_open() if self.is_build or not is_of_system]


def _names(file: SourceFile) -> tuple[str, ...]:
    """What the program of a file with a ``main`` may be called."""
    return (str(file.path.with_suffix("")), file.path.stem, str(file.path), file.path.name)


def _listed_names(file: SourceFile) -> tuple[str, ...]:
    """What a build calls the programs of a file with a ``main``; else where the file is."""
    return tuple(name for one in (file, *file.others) for name in one.targets) or _names(file)[:1]
