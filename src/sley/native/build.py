"""Compiles the user's program for a replay, and says which call in it is at which line.

The user's files and the models of the library are compiled with the calls of ThreadSanitizer before every
access, but linked with our own run-time. What models and run-time define gets a name of its own in the user's
objects (``malloc`` becomes ``sley_of_malloc``), so that the C library itself stays as it is.
"""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sley.base.errors import InputError
from sley.frontend.compilation_database import SourceFile
from sley.frontend.parse import HEADERS, MODELS
from sley.program.properties import Property
from sley.verification.reading import sources_of
from sley.verification.task import Task

RUNTIME = Path(__file__).parent / "runtime.c"
MODEL_HEADER = Path(__file__).parent / "native_models.h"
DEFAULT_COMPILERS = ("gcc", "clang", "cc")
PREFIX = "sley_of_"
_INSTRUMENTED = (
    "-gdwarf-4",  # addr2line of binutils 2.40 takes included files for the one that includes them in DWARF 5
    "-O0",
    "-fsanitize=thread",
    "-fno-builtin",
    "-fno-omit-frame-pointer",
    "-fno-pie",
    "-w",
)
_DIALECT = ("-std=gnu17", "-pthread", "-D__CPROVER_thread_local=__thread", "-D__CPROVER_bool=_Bool")
_RUNTIME_FLAGS = ("-g", "-O1", "-fno-omit-frame-pointer", "-fno-pie")
_CLANG = ("-mllvm", "-tsan-instrument-read-before-write=1")
"""Else clang leaves out the call before the read in ``x++``."""
_NOT_COMPILED = frozenset({"addresses", "setjmp"})
"""Models of what the run-time or the C library does."""
_TRAPS = {
    Property.OVERFLOW: "signed-integer-overflow,shift,float-cast-overflow",
    Property.DIVISION: "integer-divide-by-zero",
    Property.DEREF: "bounds",
    Property.MISUSE: "unreachable",
}
"""What the compiler looks for by itself, for each property."""
_WRITER = "sley_writes_to"
"""What the run-time calls of the models."""
_DEFINITION = re.compile(r"^[A-Za-z_][\w \*]*?\b(\w+)\([^;{}]*\)\s*\{", re.MULTILINE)
_HANDLERS = b"pthread_cleanup_push"
"""A macro that tells the C library of handlers, and ours the models."""
_MARKER = re.compile(r'#\s*(?:line\s+)?\d+\s+"([^"]+)"')
_CALL = re.compile(r"^\s*([0-9a-f]+):\s+(?:\(bad\)|(\S+))")
_SECONDS = 120


class BuildError(Exception):
    """The program cannot be compiled or linked; says why, with what the compiler wrote."""


@dataclass(frozen=True, slots=True)
class CallSite:
    """Where a call returns to, and the line that it is in."""

    address: int
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Built:
    """A program that waits for a schedule."""

    program: Path
    calls: tuple[CallSite, ...]
    variables: dict[str, int]
    """Static variables and where they are; without those whose name is not unique."""
    given: frozenset[str] = frozenset()
    """The models that the user gives."""

    def is_model(self, file: str) -> bool:
        """Whether a file is a model of library functions."""
        return Path(file).parent == MODELS or Path(file) == RUNTIME or file in self.given

    def lines(self, addresses: Sequence[int]) -> list[tuple[str, int]]:
        """The file and the line of each address."""
        return _lines(self.program, addresses)


def find_compiler(chosen: str | None) -> tuple[str, ...]:
    """The compiler as the user calls it, or the first that is there."""
    if chosen is not None:
        command = tuple(shlex.split(chosen))
        if not command or shutil.which(command[0]) is None:
            raise InputError(f"there is no compiler `{chosen}`")
        return command
    for name in DEFAULT_COMPILERS:
        if shutil.which(name) is not None:
            return (name,)
    raise InputError("a replay on the real program needs gcc or clang (--cc names another)")


class Builder:
    """Compiles one program into a folder."""

    def __init__(self, task: Task, violated: Property, compiler: tuple[str, ...], folder: Path) -> None:
        self.task, self.violated, self.folder = task, violated, folder
        self.compiler = compiler
        self.is_clang = "clang" in _run([*compiler, "--version"])

    def build(self) -> Built:
        """The program, linked with the run-time."""
        for tool in ("nm", "objcopy", "objdump", "addr2line"):
            if shutil.which(tool) is None:
                raise BuildError(f"there is no `{tool}` (it is one of the binutils)")
        users = [self._user_object(n, file) for n, file in enumerate(sources_of(self.task))]
        given = [self._model(path, f"given_{n}.o") for n, path in enumerate(self.task.models)]
        runtime = self._own_object(RUNTIME, "runtime.o", _RUNTIME_FLAGS)
        called = _symbols([*users, *given], "U")
        models = self._needed_models(called | {_WRITER})
        ours = {name for name in _symbols([runtime], "TWU") if name.startswith(PREFIX)}
        self._rename([*users, *given, *models], ours, _symbols([*given, *models], "T"))
        for model in models:  # what the run-time does itself, it does instead of a model
            _run(["objcopy", *(f"--weaken-symbol={name}" for name in sorted(ours)), str(model)])
        program = self.folder / "program"
        objects = [runtime, *users, *given, *models, self._list_of(called)]
        self._call("-no-pie", "-pthread", "-Wl,-z,muldefs", "-o", program, *objects, "-lm", "-lrt")
        models_given = frozenset(str(path.absolute()) for path in self.task.models)
        return Built(program, tuple(_calls(program)), _variables(program), models_given)

    # --- objects --------------------------------------------------------------------------------

    def _user_object(self, number: int, file: SourceFile) -> Path:
        flags = [*self._instrumented(), *_DIALECT, *self._traps()]
        flags += [f"-D{define}" for define in self.task.defines]
        flags += [f"-I{folder.absolute()}" for folder in self.task.include_dirs]
        flags += [*file.flags, f"-idirafter{file.path.parent.absolute()}"]
        source, name = self._source(number, file), f"user{number}.o"
        own_headers = [*flags, "-isystem", str(HEADERS)]
        read = [file.path] if file.text is None else self.task.paths  # a harness includes some of them
        if any(_HANDLERS in path.read_bytes() for path in read if path.is_file()):
            return self._compile(source, name, own_headers)
        try:
            return self._compile(source, name, flags)
        except BuildError as error:
            try:  # a program for Windows, say, which only our headers know
                return self._compile(source, name, own_headers)
            except BuildError:
                raise error from None

    def _instrumented(self) -> list[str]:
        return [*_INSTRUMENTED, *(_CLANG if self.is_clang else ())]

    def _traps(self) -> list[str]:
        checks = _TRAPS.get(self.violated)
        if checks is None:
            return []
        if checks == "bounds" and not self.is_clang:
            checks = "bounds-strict"  # of the last array of a struct, too
        how = f"-fsanitize-trap={checks}" if self.is_clang else "-fsanitize-undefined-trap-on-error"
        return [f"-fsanitize={checks}", how]

    def _source(self, number: int, file: SourceFile) -> Path:
        """What is compiled: what is only in memory becomes a file, whose lines keep their name."""
        if file.text is None:
            return self._without_markers(number, file.path)
        written = self.folder / f"written{number}.c"
        written.write_text(f'# 1 "{file.path.absolute()}"\n{file.text}', encoding="utf-8")
        return written

    def _without_markers(self, number: int, path: Path) -> Path:
        """A preprocessed file says where its lines come from; we mean its own, unless those are there."""
        if path.suffix != ".i":
            return path.absolute()
        rows = path.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
        for index, row in enumerate(rows):
            marker = _MARKER.match(row)
            if marker is not None and not Path(marker[1]).is_file():
                rows[index] = f'# {index + 2} "{path.absolute()}"'
        copy = self.folder / f"preprocessed{number}.i"
        text = "\n".join([f'# 1 "{path.absolute()}"', *rows])
        copy.write_text(text, encoding="utf-8", errors="surrogateescape")
        return copy

    def _list_of(self, called: set[str]) -> Path:
        """An object with the names of what the program calls: what models do may depend on it."""
        source = self.folder / "called.c"
        names = "".join(f'"{name}", ' for name in sorted(called))
        source.write_text(f"const char *const sley_called[] = {{{names}0}};\n", encoding="utf-8")
        return self._compile(source, "called.o", ("-w",))

    def _needed_models(self, undefined: set[str]) -> list[Path]:
        """The models of what the program calls, and of what these call."""
        definers = _definers()
        compiled: dict[str, Path] = {}
        waiting = sorted(undefined)
        while waiting:
            model = definers.get(waiting.pop())
            if model is None or model.stem in compiled:
                continue
            compiled[model.stem] = self._model(model, f"model_{model.stem}.o")
            waiting += sorted(_symbols([compiled[model.stem]], "U"))
        return list(compiled.values())

    def _model(self, path: Path, name: str) -> Path:
        flags = (*self._instrumented(), *_DIALECT, f"-I{MODELS}", "-include", str(MODEL_HEADER))
        if path.parent != MODELS:
            return self._compile(path.absolute(), name, flags)
        return self._own_object(path, name, flags)

    def _own_object(self, source: Path, name: str, flags: tuple[str, ...]) -> Path:
        """An object of ours: compiled once in the life of this process."""
        target = self.folder / name
        shutil.copyfile(_compiled(self.compiler, source, flags), target)
        return target

    def _rename(self, objects: list[Path], runtime: set[str], models: set[str]) -> None:
        """Names of the library become names of ours."""
        names = {name.removeprefix(PREFIX) for name in runtime}
        names |= {name for name in models if not name.startswith(("__sley_", "sley_"))}
        renamed = {name: PREFIX + name for name in sorted(names)}
        error_call = self.task.selection.error_call
        if error_call is not None:
            renamed[error_call] = f"{PREFIX}reach_error"
        table = self.folder / "names"
        table.write_text("".join(f"{old} {new}\n" for old, new in renamed.items()), encoding="utf-8")
        for one in objects:
            _run(["objcopy", f"--redefine-syms={table}", str(one)])

    def _compile(self, source: Path, name: str, flags: Iterable[str]) -> Path:
        target = self.folder / name
        self._call("-c", *flags, "-o", target, source)
        return target

    def _call(self, *arguments: str | Path) -> None:
        _run([*self.compiler, *map(str, arguments)])


@cache
def _kept() -> tempfile.TemporaryDirectory[str]:
    """A folder that is gone when the process ends."""
    return tempfile.TemporaryDirectory(prefix="sley-objects-")


@cache
def _compiled(compiler: tuple[str, ...], source: Path, flags: tuple[str, ...]) -> Path:
    handle, name = tempfile.mkstemp(suffix=".o", dir=_kept().name)
    os.close(handle)
    _run([*compiler, "-c", *flags, "-o", name, str(source)])
    return Path(name)


def _run(command: Sequence[str], given: str | None = None) -> str:
    """What a tool prints; BuildError if it fails."""
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        done = subprocess.run(
            command, input=given, capture_output=True, text=True, errors="replace",
            timeout=_SECONDS, env=environment, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(f"`{command[0]}` cannot be run: {error}") from None
    if done.returncode != 0:
        raise BuildError(f"`{command[0]}` refuses the program:\n{_first_errors(done.stderr)}")
    return done.stdout


def _first_errors(text: str) -> str:
    lines = text.splitlines()
    errors = [line for line in lines if "error" in line or "undefined reference" in line]
    return "\n".join((errors or lines)[:5])


# --- what is in an object --------------------------------------------------------------------------


def _definers() -> dict[str, Path]:
    """Which model defines a function."""
    found: dict[str, Path] = {}
    for path in sorted(MODELS.glob("*.c")):
        if path.stem not in _NOT_COMPILED:
            for match in _DEFINITION.finditer(path.read_text(encoding="utf-8")):
                found.setdefault(match[1], path)
    return found


def _symbols(objects: Sequence[Path], kinds: str) -> set[str]:
    if not objects:
        return set()
    rows = (line.split() for line in _run(["nm", *map(str, objects)]).splitlines())
    return {row[-1] for row in rows if len(row) >= 2 and row[-2] in kinds}


def _variables(program: Path) -> dict[str, int]:
    """Static variables by their C names; the compiler adds a number to those inside of functions."""
    found: dict[str, set[int]] = {}
    for row in map(str.split, _run(["nm", str(program)]).splitlines()):
        if len(row) == 3 and row[1] in "bBdDrRvV":
            found.setdefault(re.sub(r"\.\d+$", "", row[2]), set()).add(int(row[0], 16))
    return {name: addresses.pop() for name, addresses in found.items() if len(addresses) == 1}


def _calls(program: Path) -> Iterator[CallSite]:
    """All calls in the program, by where they return to."""
    returns: list[int] = []
    is_call = False
    for line in _run(["objdump", "-d", "--no-show-raw-insn", str(program)]).splitlines():
        match = _CALL.match(line)
        if match is None:
            continue
        if is_call:
            returns.append(int(match[1], 16))
        is_call = match[2] is not None and match[2].startswith(("call", "bl"))
    lines = _lines(program, [address - 1 for address in returns])
    for address, (file, number) in zip(returns, lines, strict=True):
        if number > 0:
            yield CallSite(address, file, number)


def _lines(program: Path, addresses: Sequence[int]) -> list[tuple[str, int]]:
    given = "".join(f"{address:x}\n" for address in addresses)
    rows = _run(["addr2line", "-e", str(program)], given).splitlines()
    return [_line(row) for row in rows]


def _line(row: str) -> tuple[str, int]:
    file, _, number = row.split(" (discriminator")[0].rpartition(":")
    return file, int(number) if number.isdigit() else 0
