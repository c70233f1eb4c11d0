"""Sets of tasks, as the competitions write them: definitions, sets of them, folders, or a table.

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
from sley.verification.task_definition import read_task_definition

ALL = "all"
_PROGRAMS = (".c", ".i")
_DEFINITIONS = (".yml", ".yaml")
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


@dataclass(frozen=True, slots=True)
class Tasks:
    """What was found, and how much of it was left out because nobody here can decide such a property."""

    tasks: tuple[BenchTask, ...]
    skipped: int = 0

    def drawn(self, count: int | None, seed: int) -> "Tasks":
        """So many of them by lot, in their order; all if there are no more."""
        if count is None or count >= len(self.tasks):
            return self
        chosen = random.Random(seed).sample(range(len(self.tasks)), count)
        return Tasks(tuple(self.tasks[i] for i in sorted(chosen)), self.skipped)


def read_tasks(sources: Sequence[Path], properties: Sequence[str] = ()) -> Tasks:
    """All tasks of some sources, each once, sorted; with ``properties``, those that ask for one of them."""
    wanted = {name: _asked(name) for name in properties}
    found: dict[str, BenchTask] = {}
    skipped = 0
    for source in sources:
        for task in _tasks(source, wanted):
            if not task.asked:
                skipped += 1
            elif not wanted or task.asked in wanted.values():
                found.setdefault(task.key(), task)
    return Tasks(tuple(found[key] for key in sorted(found)), skipped)


def _asked(name: str) -> frozenset[Property]:
    """The properties of a name or file; none if it has one that we do not know."""
    if name == ALL:
        return ALL_PROPERTIES
    if name in PROPERTY_GROUPS:
        return PROPERTY_GROUPS[name]
    if not name.endswith(".prp"):
        known = ", ".join([*PROPERTY_GROUPS, ALL])
        raise InputError(f"`{name}` is none of {known}, and not a .prp file")
    selection = read_property_file(Path(name))
    return frozenset() if selection.unsupported else selection.properties


_Wanted = dict[str, frozenset[Property]]


def _tasks(source: Path, wanted: _Wanted) -> Iterator[BenchTask]:
    if source.is_dir():
        for path in _in_folder(source):
            yield from _tasks(path, wanted)
    elif source.suffix == ".set":
        for path in _in_set(source):
            yield from _tasks(path, wanted)
    elif source.suffix == ".csv":
        yield from _in_table(source, wanted)
    elif source.suffix in _DEFINITIONS:
        yield from _defined(source)
    elif source.suffix in _PROGRAMS:
        yield from _program(source, wanted or {ALL: ALL_PROPERTIES}, None)
    elif not source.exists():
        raise InputError("no such file or folder", Span(str(source), 1, 1))
    else:
        raise InputError("neither .set, .yml, .csv, .c or .i, nor a folder", Span(str(source), 1, 1))


def _in_folder(folder: Path) -> list[Path]:
    """All definitions below a folder; if there are none, all programs."""
    below = sorted(path for path in folder.rglob("*") if path.is_file())
    definitions = [path for path in below if path.suffix in _DEFINITIONS and _is_definition(path)]
    return definitions or [path for path in below if path.suffix in _PROGRAMS]


def _is_definition(path: Path) -> bool:
    """Other YAML files may lie among them."""
    return "input_files" in (outside.shown_text(str(path)) or "")


def _in_set(source: Path) -> Iterator[Path]:
    """The files that the patterns of a set stand for; ``#`` begins a comment."""
    for pattern in _lines(source):
        if pattern and not pattern.startswith("#"):
            found = sorted(source.parent.glob(pattern))
            if not found:
                raise InputError(f"nothing fits `{pattern}`", Span(str(source), 1, 1))
            yield from found


def _lines(path: Path) -> list[str]:
    return [line.strip() for line in outside.text(path, outside.TASKS).splitlines()]


def _defined(path: Path) -> Iterator[BenchTask]:
    """One task for each property of a definition."""
    definition = read_task_definition(path, reads_properties=False)
    for one in definition.expectations:
        yield BenchTask(
            str(path),
            definition.paths,
            str(one.property_file),
            _asked(str(one.property_file)),
            definition.data_model or DataModel.LP64,
            one.verdict,
        )


def _program(path: Path, asked: _Wanted, expected: str | None) -> Iterator[BenchTask]:
    for name, properties in asked.items():
        yield BenchTask(str(path), (path,), name, properties, expected=expected)


def _in_table(source: Path, wanted: _Wanted) -> Iterator[BenchTask]:
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
        yield from _program(path, {property_: _asked(property_)}, _verdict(row["expected"], place))


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
