"""Files from outside: the one place where they are read, and nothing of them is trusted.

A file is regular, and not larger than its kind may be; text is UTF-8; documents are neither deeper nor longer
than people write them. Whatever is wrong is an ``InputError`` with its place.
"""

import gzip
import io
import json
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sley.base.errors import InputError
from sley.base.source import Span


@dataclass(frozen=True, slots=True)
class FileKind:
    """What a file is supposed to be."""

    name: str
    """In messages."""
    kilobytes: int
    """The most that it may have."""


MEGABYTE = 1024
SOURCE = FileKind("the file", 64 * MEGABYTE)
PROPERTY = FileKind("the property file", 64)
TASK = FileKind("the task definition", 256)
CONFIGURATION = FileKind("the configuration", 256)
DATABASE = FileKind("the compilation database", 64 * MEGABYTE)
BASELINE = FileKind("the baseline", 8 * MEGABYTE)
WITNESS = FileKind("the witness", 32 * MEGABYTE)
PROOF = FileKind("the proof", 1024 * MEGABYTE)
CAT = FileKind("the memory model", 64)
LITMUS = FileKind("the test", 64)
EXPECTED = FileKind("the expected results", 16 * MEGABYTE)
SCHEDULE = FileKind("the schedule", MEGABYTE)
REPORT = FileKind("the report", 32 * MEGABYTE)
MODELS = FileKind("this file of models", 64 * MEGABYTE)
PREDICATES = FileKind("the predicates", MEGABYTE)
LIKELY = FileKind("the invariants", 4 * MEGABYTE)

SMALL = 50_000
"""Characters of YAML for which there is time to find the exact place of a mistake."""
DEEPEST = 100
"""So many lists and mappings may be inside each other."""
MOST_NODES = 500_000
"""A document may have so many parts, where what an alias stands for counts again each time."""

_SURROGATE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Halves of characters; those that stand for bytes of file names are not among them."""


# --- bytes and text -----------------------------------------------------------------------------------


def content(path: Path, kind: FileKind) -> bytes:
    """What is in a file."""
    try:
        return _read(path, kind.kilobytes * 1024)
    except (OSError, ValueError) as error:
        raise cannot_read(path, kind, why(error)) from None


def cannot_read(path: Path, kind: FileKind, reason: str) -> InputError:
    """The error of a file that cannot be read."""
    return InputError(f"cannot read {kind.name}: {reason}", Span(str(path), 1, 1))


def why(error: OSError | ValueError) -> str:
    """Why a file could not be read, in a few words."""
    if isinstance(error, UnicodeDecodeError):
        return "not a text file"
    if isinstance(error, UnicodeEncodeError) or (isinstance(error, ValueError) and "null" in str(error)):
        return "no file can have this name"
    return ((error.strerror if isinstance(error, OSError) else None) or str(error)).lower()


def _read(path: Path, most: int) -> bytes:
    """Opening a pipe does not wait, and pipes are never read."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    with io.FileIO(handle) as file:
        about = os.fstat(handle)
        if stat.S_ISDIR(about.st_mode):
            raise OSError("is a directory")
        if not stat.S_ISREG(about.st_mode):
            raise OSError("not a regular file")
        if about.st_size > most:
            raise OSError(_too_large(most))
        read = file.readall() or b""
    if len(read) > most:
        raise OSError(_too_large(most))
    return read


def _too_large(most: int) -> str:
    size = f"{most >> 20} MB" if most >> 20 else f"{most >> 10} kB"
    return f"larger than {size}"


def text(path: Path, kind: FileKind, *, errors: str = "strict") -> str:
    """What is in a text file; where it is not UTF-8, the place is told."""
    return decoded(content(path, kind), path, kind, errors=errors)


def decoded(read: bytes, path: Path, kind: FileKind, *, errors: str = "strict") -> str:
    """The bytes of a file as text; a byte-order mark is left out."""
    try:
        return read.decode("utf-8-sig", errors)
    except UnicodeDecodeError as error:
        line, column = _place(read, error.start)
        message = f"cannot read {kind.name}: not a text file"
        raise InputError(message, Span(str(path), line, column)) from None


def _place(read: bytes, at: int) -> tuple[int, int]:
    return read.count(b"\n", 0, at) + 1, at - read.rfind(b"\n", 0, at)


def unpacked(packed: bytes, path: Path, kind: FileKind) -> bytes:
    """What is in a file in the format of gzip, as far as it is not more than it may be."""
    most = kind.kilobytes * 1024
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
            found = file.read(most + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"not a whole compressed file: {error}", Span(str(path), 1, 1)) from None
    if len(found) > most:
        raise cannot_read(path, kind, f"unpacked, it is {_too_large(most)}")
    return found


def shown_text(file: str) -> str | None:
    """The text of a source file to be shown, whatever is in it; None if it cannot be read (any more)."""
    try:
        return text(Path(file), SOURCE, errors="replace")
    except InputError:
        return None


# --- documents ----------------------------------------------------------------------------------------


def json_of(read: str | bytes, file: str, *, is_huge: bool = False) -> Any:
    """What a text in JSON says; the texts in a huge one are left to whoever uses them."""
    start = Span(file, 1, 1)
    try:
        found = json.loads(read, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise InputError(f"not a JSON file: {error.msg}", Span(file, error.lineno, error.colno)) from None
    except RecursionError:
        raise InputError("not a JSON file: too deep", start) from None
    except UnicodeDecodeError:
        raise InputError("not a JSON file: not a text file", start) from None
    except ValueError as error:
        raise InputError(f"not a JSON file: {said(error)}", start) from None
    if not is_huge:
        _require_texts(found, start)
    return found


def _no_number(word: str) -> object:
    raise ValueError(f"{word} is no number")


def said(error: ValueError) -> str:
    """What is wrong with a value, where Python speaks of a limit of its own."""
    return "a number with too many digits" if "digits" in str(error) else str(error)


def toml_of(read: str, file: str) -> dict[str, Any]:
    """What a text in TOML says."""
    import tomllib  # noqa: PLC0415 - hardly any run needs it

    try:
        found = tomllib.loads(read)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+), column (\d+)", str(error))
        line, column = (int(place[1]), int(place[2])) if place else (read.count("\n") + 1, 1)
        raise InputError(re.sub(r" \(at .*\)$", "", str(error)), Span(file, line, column)) from None
    except RecursionError:
        raise InputError("lists in lists, too deep", Span(file, 1, 1)) from None
    except ValueError as error:
        raise InputError(said(error), Span(file, 1, 1)) from None
    _require_texts(found, Span(file, 1, 1))
    return found


def yaml_of(read: str, file: str) -> Any:
    """What a text in YAML says."""
    import yaml  # noqa: PLC0415 - hardly any run needs it

    return _from_yaml(read, file, lambda loader: yaml.load(read, loader))


def yaml_nodes_of(read: str, file: str) -> Any:
    """The root of a text in YAML, whose nodes know their places; None if it is empty."""
    import yaml  # noqa: PLC0415 - hardly any run needs it

    return _from_yaml(read, file, lambda loader: yaml.compose(read, Loader=loader))


def _from_yaml(read: str, file: str, load: Callable[[Any], Any]) -> Any:
    """Its events are looked at before anything is made of them."""
    import yaml  # noqa: PLC0415

    start = Span(file, 1, 1)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader) if len(read) > SMALL else yaml.SafeLoader
    try:
        _require_size(yaml.parse(read, Loader=loader), file)
        found = load(loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = Span(file, mark.line + 1, mark.column + 1) if mark else start
        raise InputError(f"not a YAML file: {error.problem or error.context}", place) from None
    except yaml.YAMLError as error:
        raise InputError(f"not a YAML file: {' '.join(str(error).split())}", start) from None
    except RecursionError:
        raise InputError("not a YAML file: too deep", start) from None
    except (ValueError, TypeError, AttributeError, LookupError) as error:
        what = said(error) if isinstance(error, ValueError) else "values that do not fit"
        raise InputError(f"not a YAML file: {what}", start) from None
    if not isinstance(found, yaml.Node):
        _require_texts(found, start)
    return found


def _require_size(events: Iterator[Any], file: str) -> None:
    """No deeper and no longer than it may be, with all aliases written out."""
    import yaml  # noqa: PLC0415

    sizes: dict[str, int] = {}
    open_: list[tuple[str | None, int]] = []
    total = 0
    for event in events:
        place = Span(file, event.start_mark.line + 1, event.start_mark.column + 1)
        if isinstance(event, yaml.AliasEvent):
            is_inside = any(event.anchor == anchor for anchor, _ in open_)  # of what it stands for
            total += MOST_NODES if is_inside else sizes.get(event.anchor or "", 1)
        elif isinstance(event, yaml.ScalarEvent):
            total += 1
            if event.anchor is not None:
                sizes[event.anchor] = 1
        elif isinstance(event, yaml.CollectionStartEvent):
            total += 1
            open_.append((event.anchor, total))
            if len(open_) > DEEPEST:
                raise InputError(f"more than {DEEPEST} lists and mappings inside each other", place)
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = open_.pop()
            if anchor is not None:
                sizes[anchor] = total - before + 1
        if total > MOST_NODES:
            raise InputError(f"more than {MOST_NODES} parts, with what aliases stand for", place)


def _require_texts(document: Any, place: Span) -> None:
    """Texts can be written somewhere: they have no halves of characters, and no null characters."""
    waiting = [document]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if "\0" in one or _SURROGATE.search(one):
                raise InputError("a text with a character that there is not", place)
        elif isinstance(one, dict):
            waiting += one.keys()
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


# --- names --------------------------------------------------------------------------------------------


def as_argument(path: Path) -> str:
    """The name of a file as no program takes it for an option, or for a file of options."""
    name = str(path)
    return f"./{name}" if name.startswith(("-", "@")) else name
