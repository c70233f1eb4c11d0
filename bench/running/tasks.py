"""Tasks: programs in folders, or a table of them. Definitions and sets of competitions are for BenchExec.

A task is a program and one property; where somebody says what is true of it, answers can be judged.
"""

import csv
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sley.base import outside
from sley.base.errors import InputError
from sley.base.source import Span
from sley.frontend.data_model import DataModel
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from sley.verification.property_files import read_property_file

ALL = "all"
TABLE = outside.FileKind("the table", 16 * outside.MEGABYTE)
_PROGRAMS = (".c", ".i")
_WORDS = {"true": "true", "safe": "true", "false": "false", "bug": "false"}


@dataclass(frozen=True, slots=True)
class BenchTask:
    """A program, one property, and what is true."""

    name: str
    """As tables show it: the file that defines the task."""
    files: tuple[Path, ...]
    property: str
    """What ``sley check --property`` takes: a name, or a property file."""
    asked: frozenset[Property]
    data_model: DataModel = DataModel.LP64
    expected: str | None = None
    """``true``, ``false``, ``false(...)``, or None if nobody says."""

    def group(self) -> str:
        """The name of the property; that of the file if it is no group of ours."""
        named = (name for name, group in PROPERTY_GROUPS.items() if group == self.asked)
        return next(named, Path(self.property).stem)

    def key(self) -> str:
        """What tells it from all others."""
        return f"{self.name} {self.group()}"


def drawn(tasks: Sequence[BenchTask], count: int | None, seed: int) -> Sequence[BenchTask]:
    """So many of them by lot, in their order; all if there are no more."""
    if count is None or count >= len(tasks):
        return tasks
    chosen = random.Random(seed).sample(range(len(tasks)), count)
    return [tasks[i] for i in sorted(chosen)]


def read_tasks(sources: Sequence[Path]) -> list[BenchTask]:
    """All tasks of some sources, each once, sorted."""
    found = {task.key(): task for source in sources for task in _tasks(source)}
    return [found[key] for key in sorted(found)]


def _asked(name: str) -> frozenset[Property]:
    """The properties of a name or file; none if it has one that we do not know."""
    if name == ALL:
        return ALL_PROPERTIES
    if name in PROPERTY_GROUPS:
        return PROPERTY_GROUPS[name]
    if not name.endswith(".prp"):
        known = ", ".join([*PROPERTY_GROUPS, ALL])
        raise InputError(f"`{name}` is none of {known}, and not a .prp file")
    return read_property_file(Path(name)).properties


def _tasks(source: Path) -> Iterator[BenchTask]:
    if source.is_dir():
        for path in _in_folder(source):
            yield from _tasks(path)
    elif source.suffix == ".csv":
        yield from _in_table(source)
    elif source.suffix in _PROGRAMS:
        yield _program(source, ALL, None)
    elif not source.exists():
        raise InputError("no such file or folder", Span(str(source), 1, 1))
    else:
        raise InputError("neither .csv, .c or .i, nor a folder", Span(str(source), 1, 1))


def _in_folder(folder: Path) -> list[Path]:
    """All programs below a folder."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in _PROGRAMS)


def _lines(path: Path) -> list[str]:
    return [line.strip() for line in outside.text(path, TABLE).splitlines()]


def _program(path: Path, asked: str, expected: str | None) -> BenchTask:
    return BenchTask(str(path), (path,), asked, _asked(asked), expected=expected)


def _in_table(source: Path) -> Iterator[BenchTask]:
    """Columns ``file``, ``expected`` and, if not all properties are meant, ``property``."""
    rows = csv.DictReader(_lines(source))
    try:
        if not {"file", "expected"} <= set(rows.fieldnames or ()):
            raise InputError(
                "the first line does not name the columns `file` and `expected`", _place(source, 1)
            )
        listed = [(row, _place(source, rows.line_num)) for row in rows]
    except csv.Error as error:
        raise InputError(f"not a table: {error}", _place(source, rows.line_num)) from None
    for row, place in listed:
        if row["file"] is None or row["expected"] is None:
            raise InputError("too few columns", place)
        path, property_ = source.parent / row["file"], row.get("property") or ALL
        if property_.endswith(".prp"):
            property_ = str(source.parent / property_)
        if not path.is_file():
            raise InputError(f"no file `{row['file']}`", place)
        yield _program(path, property_, _verdict(row["expected"], place))


def _verdict(text: str, place: Span) -> str | None:
    """The word of the competitions for a word of ours or theirs; None for no word."""
    word, opening, part = text.strip().lower().partition("(")
    if not word:
        return None
    if word not in _WORDS:
        raise InputError(f"`{text}` is none of {', '.join(_WORDS)}", place)
    return _WORDS[word] + opening + part


def _place(source: Path, line: int) -> Span:
    return Span(str(source), line, 1)
