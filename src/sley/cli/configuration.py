"""``sley.toml``: what a project always wants, so that it need not be typed.

It is looked for in the folder of the first file and in all above it. Its keys are the flags of
``sley check`` that say what the program is, what to check, and within which limits. What the command line
says wins; folders, macros and models of the command line come after those of the file.
"""

import argparse
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sley.base import outside
from sley.base.errors import InputError
from sley.base.source import Span
from sley.base.user_cache import is_trusted
from sley.cli import arguments
from sley.cli.flags import GOAL, LIBRARY, LIMITS, MORE, PROGRAM
from sley.cli.parser import CommandParser
from sley.cli.tasks import engines_of
from sley.cli.terminal import warn
from sley.frontend.compilation_database import DATABASE
from sley.reports.lines import Line, labelled

NAME = "sley.toml"

_NAMES = {"include_dirs": "include", "defines": "define", "engine": "engines", "arguments": "arguments"}
"""Keys that are not called like the flag or its values."""

_REPLACED = ("properties", "entry")
"""Lists that are not added to the one on the command line."""

_NARROWING = {
    "properties": "properties",
    "suppress": "suppress",
    "baseline": "baseline",
    "memory_model": "memory-model",
    "allow_inner_overrun": "allow-inner-overrun",
    "granularity": "granularity",
    "arguments": "arguments",
}
"""Flags with which less is asked, and their keys."""

_SELF_CONTAINED = (".yml", ".yaml")
"""Files that say themselves all there is to say."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A file, and what it says about flags, each by the name under which parsers keep it."""

    file: Path
    values: Mapping[str, Any]

    def report(self, width: int) -> list[Line]:
        """One line that says where flags come from that are not on the command line."""
        return labelled("Note", [f"configuration: {self.file}"], width)

    def narrowed(self, width: int) -> list[Line]:
        """What makes the question a smaller one: it is told beside the answer."""
        found = [_said(key, self.values[name]) for name, key in _NARROWING.items() if self.values.get(name)]
        return labelled(
            "Only", [f"{self.file} narrows what was asked: {'; '.join(found)}"] if found else [], width
        )


def configured(
    words: Sequence[str], parser: argparse.ArgumentParser, check: CommandParser
) -> argparse.Namespace:
    """A command line, with what a configuration adds to it; that is kept, too, as ``configuration``."""
    chosen = parser.parse_args(words)
    if not hasattr(chosen, "no_config"):
        return chosen
    file = None if chosen.no_config else _found(chosen.files)
    if file is not None and not _is_project(chosen.files) and not is_trusted(file):
        warn(f"{os.path.relpath(file)}: not obeyed: it, or its folder, is another user's or open to all")
        file = None
    if file is not None:
        configuration = read(file, check)
        chosen.parser.set_defaults(configuration=configuration, **dict(_wanted(configuration, chosen)))
        chosen = parser.parse_args(words)
        if _is_project(chosen.files):
            chosen.files = configuration.values.get("files", [])
    if not chosen.files:
        raise InputError(f"no files: name C files, or list them as `files` in a {NAME}")
    return chosen


def _is_project(files: Sequence[Path]) -> bool:
    """Whether the user names a folder for what its configuration says."""
    has = [(file / NAME).is_file() and not (file / DATABASE).is_file() for file in files]
    return has == [True]


def _wanted(configuration: Configuration, chosen: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """What the command has flags for, and the command line does not replace."""
    for name, value in configuration.values.items():
        if hasattr(chosen, name) and not (name in _REPLACED and getattr(chosen, name)):
            yield name, value


def _found(files: Sequence[Path]) -> Path | None:
    """The configuration of these files; without files, of the folder we are in."""
    if any(file.suffix in _SELF_CONTAINED for file in files):
        return None
    first = Path(os.path.abspath(files[0] if files else "."))
    folders = (first, *first.parents)
    return next((file for folder in folders if (file := folder / NAME).is_file()), None)


# --- one file --------------------------------------------------------------------------------------


def read(file: Path, check: CommandParser) -> Configuration:
    """A configuration; what is wrong in it is said with its line."""
    reader = _ConfigurationReader(Path(os.path.relpath(file)), outside.text(file, outside.CONFIGURATION))
    flags = _flags(check)
    return Configuration(reader.file, dict(reader.values(flags)))


def _flags(check: CommandParser) -> dict[str, argparse.Action]:
    """The flags that a configuration can have, by their keys."""
    listed = [one for title in (PROGRAM, LIBRARY, GOAL, LIMITS) for one in check.flags(title)]
    engines = [one for one in check.flags(MORE) if one.dest == "engine"]
    return {_key(one): one for one in (*listed, *engines) if one.dest not in ("no_config", "build")}


def _key(flag: argparse.Action) -> str:
    long = [name[2:] for name in flag.option_strings if name.startswith("--")]
    return _NAMES.get(flag.dest) or (long[0] if long and flag.dest != "properties" else flag.dest)


@dataclass(frozen=True, slots=True)
class _ConfigurationReader:
    """A file and its text."""

    file: Path
    text: str

    def values(self, flags: Mapping[str, argparse.Action]) -> Iterator[tuple[str, Any]]:
        """What it says about each flag."""
        for key, value in self._content().items():
            if key not in flags:
                raise self._error(key, f"unknown key `{key}`; {_advice(key, flags)}")
            try:
                yield flags[key].dest, self._value(flags[key], value)
            except (InputError, argparse.ArgumentTypeError) as error:
                message = re.sub(r"^argument --\S+: ", "", str(error))
                raise self._error(key, f"`{key}`: {message}") from None

    def _content(self) -> dict[str, Any]:
        return outside.toml_of(self.text, str(self.file))

    def _error(self, key: str, message: str) -> InputError:
        """Keys are in lines of their own: the first such line is it."""
        pattern = rf"^\s*\[*\s*[\"']?{re.escape(key)}\b"
        lines = enumerate(self.text.splitlines(), start=1)
        return InputError(
            message, Span(str(self.file), next((n for n, one in lines if re.match(pattern, one)), 1), 1)
        )

    def _value(self, flag: argparse.Action, value: Any) -> Any:
        if flag.nargs == 0:
            return _expected(value, bool, "true or false")
        if flag.dest == "engine":
            names = ",".join(_strings(value))
            engines_of(names)
            return names
        if flag.dest == "arguments":
            return _strings(value)
        if flag.dest == "files":
            return [file for pattern in _strings(value) for file in self._files(pattern)]
        if isinstance(flag, argparse._AppendAction):
            return [self._single(flag, one) for one in _strings(value)]
        return self._single(flag, value)

    def _single(self, flag: argparse.Action, value: Any) -> Any:
        if flag.type is not arguments.count:
            value = _expected(value, str, "a string")
        if flag.type is Path:
            return self._beside(value)
        if flag.dest == "properties":
            value = str(self._beside(value)) if value.endswith(".prp") else value
            arguments.selection([value])
        if flag.type is arguments.memory_model and value.endswith(".cat"):
            value = str(self._beside(value))
        if flag.choices is not None and value not in flag.choices:
            raise InputError(f"`{value}` is none of {', '.join(flag.choices)}")
        if flag.type is arguments.count:
            return arguments.count(str(_expected(value, int, "a whole number")))
        return flag.type(str(value)) if callable(flag.type) else value

    def _beside(self, name: str) -> Path:
        """A path in a configuration is relative to its folder."""
        return Path(os.path.normpath(self.file.parent / name))

    def _files(self, pattern: str) -> list[Path]:
        if not re.search(r"[*?\[]", pattern):
            return [self._beside(pattern)]
        try:
            found = sorted(self.file.parent.glob(pattern))
        except (ValueError, NotImplementedError, OSError, RecursionError) as error:
            raise InputError(f"`{pattern}` is no pattern: {str(error).lower()}") from None
        if not found:
            raise InputError(f"no file is called `{pattern}`")
        return [Path(os.path.normpath(file)) for file in found]


def _said(key: str, value: object) -> str:
    words = value if isinstance(value, list) else [value]
    return key if value is True else f"{key} {', '.join(map(str, words))}"


def _expected(value: Any, kind: type, what: str) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise InputError(f"must be {what}")
    return value


def _strings(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise InputError("must be a list of strings")
    return value


def _advice(key: str, flags: Mapping[str, object]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(key, flags, 1)
    return f"did you mean `{close[0]}`?" if close else f"known are {', '.join(flags)}"
