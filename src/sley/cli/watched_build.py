"""``sley check --build 'make -j2'``: a build runs, and what it compiles for what is written down.

The command is the user's, and is executed as it stands, with the user's rights; nothing else in this package
executes anything of a program's folder but native replay. Scripts of ours that come first in ``PATH`` write
down how compilers are called, and go on with the compiler. They stay in the user's cache, as builds may
remember them.
"""

import json
import os
import re
import shlex
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from sley.base.errors import InputError
from sley.base.source import Span
from sley.base.user_cache import cache_directory, own_folder
from sley.cli.files import write_file
from sley.cli.terminal import warn
from sley.frontend.compilation_database import DATABASE

_COMPILER = re.compile(r"(?:[\w.+]+-)*(?:cc|gcc|clang|c89|c99|tcc|icc)(?:-[\d.]+)?")
_ARCHIVER = re.compile(r"(?:[\w.+]+-)*ar(?:-[\d.]+)?")
_CALLS = "SLEY_CALLS"
_TO_STANDARD_ERROR = 2
_SCRIPT = """\
#!/bin/sh
if [ -n "${SLEY_CALLS:-}" ]; then
    printf '%s\\0' "$PWD" NAME "$@" > "$SLEY_CALLS/$(date +%s.%N).$$"
fi
exec REAL "$@"
"""
_NO_OBJECT = frozenset({"-E", "-M", "-MM", "-S", "-fsyntax-only", "-shared", "-r", "--version", "-v"})
_LINKED = re.compile(r"\.(?:o|lo|obj|a|so)(?:\.[\d.]+)?$")


@dataclass(frozen=True, slots=True)
class _Call:
    """One call of a compiler or archiver."""

    folder: Path
    name: str
    words: tuple[str, ...]

    def _path(self, word: str) -> str:
        return os.path.realpath(self.folder / word)

    @property
    def sources(self) -> list[str]:
        """The C files among the arguments, those of the options left out."""
        return [word for word in self._plain() if word.endswith(".c") and (self.folder / word).is_file()]

    @property
    def inputs(self) -> list[str]:
        """Real paths of what goes into the output; libraries by ``-l`` as they are named."""
        linked = [self._path(word) for word in self._plain() if _LINKED.search(word)]
        named = [word for word in self.words if word.startswith("-l")]
        return [*map(self._path, self.sources), *linked, *named]

    def _plain(self) -> list[str]:
        """Arguments that are no options, nor values of such."""
        with_value = ("-o", "-MF", "-MT", "-MQ", "-x", "-include", "-isystem", "-I", "-D", "-Xlinker")
        before = ("", *self.words[:-1])
        return [
            word
            for last, word in zip(before, self.words, strict=True)
            if last not in with_value and not word.startswith("-")
        ]

    @property
    def is_archiver(self) -> bool:
        """Whether it makes a static library."""
        return _ARCHIVER.fullmatch(self.name) is not None

    @property
    def makes_program(self) -> bool:
        """Whether the output can be executed."""
        return not (self.is_archiver or "-c" in self.words or _NO_OBJECT.intersection(self.words))

    @property
    def outputs(self) -> list[str]:
        """Real paths of what is made; an archiver names it behind its letters."""
        if self.is_archiver:
            return [self._path(word) for word in self.words if word.endswith(".a")][:1]
        named = [after for before, after in pairwise(self.words) if before == "-o"]
        if named:
            return [self._path(named[0])]
        if "-c" in self.words:
            return [self._path(f"{Path(source).stem}.o") for source in self.sources]
        return [self._path("a.out")]


def watch(command: str, folder: Path) -> None:
    """Run a build in a folder, and write its ``compile_commands.json`` there."""
    database = folder / DATABASE
    place = Span(str(database), 1, 1)
    if not folder.is_dir():
        raise InputError("--build runs in a folder: name that of the program", Span(str(folder), 1, 1))
    if database.exists():
        raise InputError("is there already: leave out --build, or remove it first", place)
    with tempfile.TemporaryDirectory() as written:
        environment = os.environ | {
            "PATH": f"{_scripts()}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            _CALLS: written,
        }
        code = subprocess.run(
            ["/bin/sh", "-c", command], cwd=folder, env=environment, stdout=_TO_STANDARD_ERROR, check=False
        ).returncode
        calls = list(_calls(Path(written)))
    entries = list(_entries(calls))
    if code != 0:
        warn(f"`{command}` ended with code {code}: what it had compiled by then is checked")
    if not entries:
        raise InputError(f"`{command}` compiled no C file: perhaps all is built already (make clean)")
    write_file(database, json.dumps(entries, indent=1) + "\n")


def _scripts() -> Path:
    """The folder with a script for each compiler and archiver that ``PATH`` has."""
    folder = own_folder(own_folder(cache_directory()) / "compilers")
    places = [place for place in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isdir(place)]
    found: dict[str, str] = {}
    for place in places:
        if os.path.isabs(place) and not os.path.samefile(place, folder):
            for name in os.listdir(place):
                if _COMPILER.fullmatch(name) or _ARCHIVER.fullmatch(name):
                    found.setdefault(name, os.path.join(place, name))
    for name, real in found.items():
        text = _SCRIPT.replace("NAME", shlex.quote(name)).replace("REAL", shlex.quote(real))
        write_file(folder / name, text)
        (folder / name).chmod(stat.S_IRWXU)
    return folder


def _calls(folder: Path) -> Iterator[_Call]:
    """The calls that were written down, in their order."""
    for file in sorted(folder.iterdir(), key=lambda one: (one.stat().st_mtime_ns, one.name)):
        place, name, *words = file.read_bytes().decode("utf-8", "surrogateescape").split("\0")[:-1]
        yield _Call(Path(place), name, tuple(words))


def _entries(calls: Sequence[_Call]) -> Iterator[dict[str, object]]:
    """The entries of the database: each C file that was compiled, with the programs that it is part of."""
    parts = {output: call.inputs for call in calls for output in call.outputs if call.inputs}
    programs = {
        output: _parts_of(output, parts)
        for call in calls
        if call.makes_program
        for output in call.outputs
        if os.path.exists(output)
    }
    for call in calls:
        for source in call.sources if not (call.is_archiver or {"-E", "-M", "-MM"} & set(call.words)) else ():
            yield {
                "directory": str(call.folder),
                "file": source,
                "arguments": [call.name, *call.words],
                "targets": [
                    os.path.basename(name)
                    for name, made in programs.items()
                    if not made.isdisjoint(call.outputs)
                ],
            }


def _parts_of(output: str, parts: dict[str, list[str]]) -> set[str]:
    """All that goes into an output, directly or not."""
    found, waiting = {output}, [output]
    while waiting:
        for part in parts.get(waiting.pop(), ()):
            made = _library(part, parts) if part.startswith("-l") else part
            if made is not None and made not in found:
                found.add(made)
                waiting.append(made)
    return found


def _library(flag: str, parts: dict[str, list[str]]) -> str | None:
    """The library of the build that ``-lNAME`` means, if it has one."""
    name = re.compile(rf"lib{re.escape(flag[2:])}\.(?:a|so[\d.]*)")
    return next((output for output in parts if name.fullmatch(os.path.basename(output))), None)
