"""Translation units: from a file to clang's syntax tree, with C errors as ``InputError``.

Headers: a small set of our own comes first, so that a program means the same on every machine, also on one
without a C library. Only when a file does not compile with these, it is tried with the system's headers.
"""

import os
import re
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from itertools import islice
from pathlib import Path

from sley.base import outside
from sley.base.errors import InputError, Unsupported, UnsupportedFeatureError
from sley.base.source import Span
from sley.frontend import clang_library as clang
from sley.frontend import inclusions
from sley.frontend.c_types import TypeTable
from sley.frontend.clang_library import ClangCursor, CursorKind, StorageClass, library
from sley.frontend.compilation_database import shown_path
from sley.frontend.data_model import DataModel
from sley.frontend.litmus.c_code import c_text
from sley.frontend.litmus.reading import read_test
from sley.frontend.litmus.test import SUFFIX as LITMUS_SUFFIX
from sley.frontend.not_read import WARNINGS, NotRead, passed_over

MODELS = Path(__file__).parent / "models"
HEADERS = MODELS / "include"
PRELUDE = HEADERS / "sley_prelude.h"
INSIDE_PREFIX = "sley_"

_DIALECT = (
    "-x",
    "c",
    "-std=gnu17",
    "-fbracket-depth=20000",
    "-D__CPROVER_thread_local=__thread",
    "-D__CPROVER_bool=_Bool",
    "-Wno-everything",
    "-Xclang",
    "-disable-pragma-debug-crash",
    *WARNINGS,
)
_ERROR = 3
_ATOMIC_FLAG = re.compile(rb"_Atomic(\s+struct\s*\{[^}]*\}\s*atomic_flag\s*;)")
_IS_RECORD = "where arithmetic or pointer type is required"
"""What clang says of an atomic operation whose result is a struct, which the prelude casts."""
_ATOMIC_POINTER = re.compile(r"invalid operands to binary expression \('_Atomic\([^']*\*")
"""What clang says of ``p += 1`` for an atomic pointer ``p``, which C allows (C11 6.5.16.2)."""
_NUMBER = re.compile(rb"(?<![\w.])[1-9]\d{0,8}(?![\w.])")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_MACRO = re.compile(rb"^[ \t]*#[ \t]*define\b(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
_INCLUSION = re.compile(rb"^\s*#\s*(?:include|\d).*", re.MULTILINE)
"""Lines that name another file, those of a preprocessor among them."""
_C_SUFFIXES = frozenset({".c", ".i", ".h", LITMUS_SUFFIX})
_CPLUSPLUS = frozenset({".cc", ".cpp", ".cxx", ".c++", ".C", ".hh", ".hpp"})
_MISSING_HEADER = "file not found"
_HEADER_HINT = " (-I DIR names a folder of headers)"

MAX_ERRORS = 20
"""So many errors of a file are told."""

LONGEST_EXCERPT = 100
"""Characters of a line that are shown."""


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """What the user says about all files."""

    data_model: DataModel = DataModel.LP64
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    allows_inner_overrun: bool = False
    """Whether an index may leave the array that it is of, inside the same object."""
    malloc_may_fail: bool = False
    create_may_fail: bool = False
    """Whether memory and threads may be refused, which is assumed not to happen otherwise."""
    keeps_locals: bool = False
    """Whether local variables are in memory, so that it is known whether they were written."""
    arguments: tuple[str, ...] | None = None
    """What the program is started with, behind its name; None: anything."""
    argc_may_be_zero: bool = False
    """Whether not even the name of the program need be there."""


class _ClangIndex:
    """What units are made in: it is given back after the last of them."""

    def __init__(self) -> None:
        self.handle: int = library().clang_createIndex(0, 0)
        disposal = weakref.finalize(self, library().clang_disposeIndex, self.handle)
        disposal.atexit = False


class TranslationUnit:
    """One parsed file: its definitions by name, and where things are in its text."""

    def __init__(
        self, handle: int, index: _ClangIndex, path: str, *, pointer_size: int, is_library: bool
    ) -> None:
        self.handle = handle
        self._index = index
        self.path = path
        self.is_library = is_library
        self.is_preprocessed = path.endswith(".i")
        self.types = TypeTable(pointer_size)
        self.functions: dict[str, ClangCursor] = {}
        """Definitions only."""
        self.variables: dict[str, list[ClangCursor]] = {}
        """Declarations at file scope, in order."""
        self.not_read: list[NotRead] = []
        """What the parser passed over and may change the meaning."""
        self._declarations: dict[CursorKind, dict[str, list[ClangCursor]]] = {}
        self._position = clang.ClangPosition()
        self._contents: dict[int | None, bytes] = {}
        self._file_names: dict[int | None, str] = {}
        self._exists: dict[str, bool] = {}
        disposal = weakref.finalize(self, library().clang_disposeTranslationUnit, handle)
        disposal.atexit = False
        clang.visit(library().clang_getTranslationUnitCursor(handle), self._collect)
        if not is_library:
            self._note_what_is_not_read()

    def _note_what_is_not_read(self) -> None:
        for severity, message, location in _diagnostics(self.handle):
            if severity < _ERROR:
                span, _ = self._stretch(location, location, b"")
                file, _, column, offset = self._position.of_expansion(location)
                line = self._bytes(file)[offset - column + 1 :].split(b"\n", 1)[0].decode("utf-8", "replace")
                found = passed_over(message, line, span)
                if found is not None:
                    self.not_read.append(found)

    def _collect(self, cursor: ClangCursor, _parent: ClangCursor) -> int:
        lib = library()
        match cursor.kind:
            case CursorKind.FUNCTION:
                if lib.clang_isCursorDefinition(cursor):
                    self.functions[clang.text(lib.clang_getCursorSpelling(cursor))] = cursor
            case CursorKind.VARIABLE:
                name = clang.text(lib.clang_getCursorSpelling(cursor))
                self.variables.setdefault(name, []).append(cursor)
            case CursorKind.STRUCT:
                name = clang.text(lib.clang_getCursorSpelling(cursor))
                if name.startswith(INSIDE_PREFIX):
                    clang_type = lib.clang_getCursorType(cursor)
                    self.types.insides[name.removeprefix(INSIDE_PREFIX)] = clang_type
            case _:
                pass
        return clang.VISIT_CONTINUE

    def mentions(self, words: re.Pattern[bytes]) -> bool:
        """Whether a pattern occurs in what the program's own files say, beside what they include."""
        return any(words.search(_INCLUSION.sub(b"", text)) for text in self.written_texts())

    def written_texts(self) -> Iterator[bytes]:
        """What the program's own files say."""
        files = (file for file in clang.written_files(self.handle) if not _is_ours(file))
        return map(self._bytes, files)

    @cached_property
    def written_numbers(self) -> tuple[int, ...]:
        """The decimal numbers in the program's own files, each once, the last ones first."""
        files = clang.written_files(self.handle)
        found = (int(digits) for file in files for digits in _NUMBER.findall(self._bytes(file))[::-1])
        return tuple(dict.fromkeys(found))

    def all_texts(self) -> Iterator[bytes]:
        """What is in the files that the unit was read from, those of the system among them."""
        return map(self._bytes, clang.written_files(self.handle, are_all=True))

    def declarations(self, name: str) -> list[ClangCursor]:
        """All declarations of a function, definitions among them."""
        return self._at_file_scope(CursorKind.FUNCTION).get(name, [])

    def typedef(self, name: str) -> str | None:
        """The canonical name of the type that a typedef at file scope stands for."""
        lib = library()
        found = self._at_file_scope(CursorKind.TYPEDEF).get(name)
        if found is None:
            return None
        canonical = lib.clang_getCanonicalType(lib.clang_getCursorType(found[0]))
        return clang.text(lib.clang_getTypeSpelling(canonical))

    def _at_file_scope(self, kind: CursorKind) -> dict[str, list[ClangCursor]]:
        """All declarations of a kind by their names; looked up when first asked for."""
        if kind not in self._declarations:
            found = self._declarations[kind] = {}

            def collect(cursor: ClangCursor, _parent: ClangCursor) -> int:
                if cursor.kind == kind:
                    name = clang.text(library().clang_getCursorSpelling(cursor))
                    found.setdefault(name, []).append(cursor)
                return clang.VISIT_CONTINUE

            clang.visit(library().clang_getTranslationUnitCursor(self.handle), collect)
        return self._declarations[kind]

    # --- what other units are for -----------------------------------------------------------------

    def definitions(self) -> set[str]:
        """The functions and variables that are defined for other units, too."""
        functions = {name for name, cursor in self.functions.items() if not _is(cursor, StorageClass.STATIC)}
        return functions | {name for name, cursors in self.variables.items() if _is_defined(cursors)}

    def left_open(self) -> Iterator[tuple[str, bool]]:
        """What the unit mentions and does not define; with whether a header of the system declares it."""
        functions = self._at_file_scope(CursorKind.FUNCTION)
        for name in self._mentioned():
            declared = functions.get(name, ()) if name not in self.functions else ()
            if name in self.variables and all(_is(one, StorageClass.EXTERN) for one in self.variables[name]):
                declared = self.variables[name]
            if declared:
                place = library().clang_getCursorLocation(declared[0])
                yield name, bool(library().clang_Location_isInSystemHeader(place))

    def _mentioned(self) -> Iterator[str]:
        """The words of the file, of macros in its headers, and of functions in these."""
        lib = library()
        own = outside.content(Path(self.path), outside.SOURCE)
        macros = (line for text in self.written_texts() for line in _MACRO.findall(text))
        elsewhere = (
            self.text(cursor).encode()
            for cursor in self.functions.values()
            if not lib.clang_Location_isFromMainFile(lib.clang_getCursorLocation(cursor))
        )
        words = dict.fromkeys(word for text in (own, *macros, *elsewhere) for word in _WORD.findall(text))
        return (word.decode() for word in words)

    # --- places in the text -----------------------------------------------------------------------

    def _file_name(self, file: int | None) -> str:
        name = self._file_names.get(file)
        if name is None:
            name = _name_of(file) if file else self.path
            if self.is_library:
                name = Path(name).name
            self._file_names[file] = name
        return name

    def span(self, cursor: ClangCursor) -> Span:
        """Where the cursor stands; a macro's inside counts as its use."""
        return self._stretch(*_ends(cursor), b"")[0]

    def text(self, cursor: ClangCursor) -> str:
        """The C text of a cursor, on one line."""
        return self._stretch(*_ends(cursor), b"")[1]

    def expression(self, cursor: ClangCursor) -> tuple[Span, str]:
        """Place and text of an expression or declaration."""
        return self._stretch(*_ends(cursor), b"")

    def statement(self, cursor: ClangCursor) -> tuple[Span, str]:
        """Place and text of a statement with its semicolon."""
        return self._stretch(*_ends(cursor), b";")

    def header(self, statement: ClangCursor, condition: ClangCursor) -> tuple[Span, str]:
        """Place and text of a statement up to the parenthesis that closes its condition.

        The end of the statement is not asked for: in a chain of ``else if`` clang walks to the last one.
        """
        start = library().clang_getCursorLocation(statement)
        return self._stretch(start, _ends(condition)[1], b")")

    def _stretch(self, start: object, end: object, closing: bytes) -> tuple[Span, str]:
        """From one location to another, and ``closing`` if that comes next."""
        file, line, column, first = self._position.of_expansion(start)
        _, end_line, end_column, last = self._position.of_expansion(end)
        contents = self._bytes(file)
        if closing:
            after = last
            while contents[after : after + 1].isspace():
                after += 1
            if contents[after : after + 1] == closing:
                last = after + 1
        text = _on_one_line(contents[first:last])
        name = self._file_name(file)
        if self.is_preprocessed:
            presumed_name, presumed_line, _ = clang.presumed(start)
            if presumed_name != name and self._is_there(presumed_name):
                name, end_line, line = presumed_name, presumed_line + end_line - line, presumed_line
        return Span(name, line, column, end_line, end_column), text

    def written(self, cursor: ClangCursor, length: int) -> str:
        """What stands where the cursor's first token is written, even in a macro; empty if unknown."""
        file, offset = self._position.of_spelling(_ends(cursor)[0])
        return self._bytes(file)[offset : offset + length].decode("utf-8", "replace")

    def _is_there(self, name: str) -> bool:
        if name not in self._exists:
            self._exists[name] = Path(name).is_file()
        return self._exists[name]

    def between(self, left: ClangCursor, right: ClangCursor) -> str | None:
        """The text between two cursors as written; None if a macro is involved."""
        lib = library()
        end = lib.clang_getRangeEnd(lib.clang_getCursorExtent(left))
        start = lib.clang_getRangeStart(lib.clang_getCursorExtent(right))
        file, _, _, first = self._position.of_expansion(end)
        other, _, _, last = self._position.of_expansion(start)
        if file != other or last <= first:
            return None
        return self._bytes(file)[first:last].decode("utf-8", "replace")

    def _bytes(self, file: int | None) -> bytes:
        contents = self._contents.get(file)
        if contents is None:
            contents = clang.file_contents(self.handle, file) if file else b""
            self._contents[file] = contents
        return contents


def _is(cursor: ClangCursor, storage: StorageClass) -> bool:
    return bool(library().clang_Cursor_getStorageClass(cursor) == storage)


def _is_defined(variable: list[ClangCursor]) -> bool:
    """Whether declarations of a variable at file scope define it for other units, maybe tentatively."""
    return any(not _is(one, StorageClass.EXTERN) and not _is(one, StorageClass.STATIC) for one in variable)


def _name_of(file: int) -> str:
    """The name of a file as a user writes it: what is included from here comes as ``./file``."""
    path = Path(clang.text(library().clang_getFileName(file), is_name=True))
    return str(shown_path(path) if ".." in path.parts[1:] else path)


def _is_ours(file: int) -> bool:
    """Whether a file is one of those that every program is read with."""
    return Path(_name_of(file)).resolve().is_relative_to(MODELS.resolve())


def _ends(cursor: ClangCursor) -> tuple[object, object]:
    lib = library()
    extent = lib.clang_getCursorExtent(cursor)
    return lib.clang_getRangeStart(extent), lib.clang_getRangeEnd(extent)


def _on_one_line(text: bytes) -> str:
    """Text without line markers and with single spaces."""
    raw = text.decode("utf-8", "replace")
    if "\n#" in raw:
        raw = "\n".join(line for line in raw.split("\n") if not line.startswith("#"))
    return " ".join(raw.split())


class SourceParser:
    """Parses files with one set of options."""

    def __init__(self, options: ParseOptions) -> None:
        self.options = options
        self._index = _ClangIndex()
        self._made: dict[tuple[Path, tuple[str, ...], str | None], TranslationUnit] = {}

    def parse(
        self,
        path: Path,
        flags: tuple[str, ...] = (),
        text: str | None = None,
        *,
        is_library: bool = False,
    ) -> TranslationUnit:
        """The translation unit of a file, with flags of its own, or ``InputError``; each is made once.

        With ``text``, that is what is in the file.
        """
        key = path, flags, text
        if key not in self._made:
            self._made[key] = self._unit(path, flags, text, is_library=is_library)
        return self._made[key]

    def _unit(
        self, path: Path, flags: tuple[str, ...], text: str | None, *, is_library: bool
    ) -> TranslationUnit:
        if text is None:
            _check_readable(path)
        written = _amended(path) if text is None else text.encode("utf-8", "surrogateescape")
        if MODELS not in path.parents:
            contents = outside.content(path, outside.SOURCE) if written is None else written
            inclusions.require_ordinary(contents, path, flags, self._folders(path))
        handle, error = self._attempt(path, [*self._own_headers(path), *flags], written)
        if error is not None and _IS_RECORD in error.message:
            flags = (*flags, "-DSLEY_ATOMIC_RECORDS")
            handle, error = self._attempt(path, [*self._own_headers(path), *flags], written)
        if error is not None and MODELS not in path.parents:
            second_handle, second_error = self._attempt(path, [*self._system_headers(path), *flags], written)
            if second_error is None:
                handle, error = second_handle, None
            elif _MISSING_HEADER in error.message:
                error = second_error
        if error is not None:
            raise _refused(error, path)
        assert handle is not None
        pointer_size = self.options.data_model.pointer_size
        return TranslationUnit(
            handle, self._index, str(path), pointer_size=pointer_size, is_library=is_library
        )

    def _common(self, path: Path) -> list[str]:
        flags = [*_DIALECT, self.options.data_model.clang_flag]
        flags += ["-resource-dir", str(clang.resource_directory()), "-include", str(PRELUDE)]
        flags += [f"-D{define}" for define in self.options.defines]
        flags += [f"-I{folder}" for folder in self.options.include_dirs]
        return [*flags, f"-idirafter{path.parent}"]

    def _folders(self, path: Path) -> tuple[Path, ...]:
        """Where headers are looked for, those of the file's own folder last if they are in angle brackets."""
        return (path.parent, *self.options.include_dirs)

    def _own_headers(self, path: Path) -> list[str]:
        return [*self._common(path), "-nostdlibinc", "-isystem", str(HEADERS)]

    def _system_headers(self, path: Path) -> list[str]:
        return self._common(path)

    def _attempt(
        self, path: Path, arguments: list[str], written: bytes | None
    ) -> tuple[int | None, InputError | None]:
        """A unit without errors, or the first error: what is wrong is given back at once."""
        name = outside.as_argument(path)
        handle = clang.parse(self._index.handle, name, arguments, {} if written is None else {name: written})
        if handle is None:
            return None, InputError("the C parser cannot read this file", Span(str(path), 1, 1))
        error = _error(handle)
        if error is not None:
            library().clang_disposeTranslationUnit(handle)
        return (handle, None) if error is None else (None, error)


def _amended(path: Path) -> bytes | None:
    """What to read instead of the file: clang refuses to initialise the ``atomic_flag`` of gcc's header."""
    if path.suffix == LITMUS_SUFFIX:
        return c_text(read_test(path)).encode("utf-8", "surrogateescape")
    if path.suffix != ".i":
        return None
    return _ATOMIC_FLAG.sub(rb"       \1", outside.content(path, outside.SOURCE))


def _diagnostics(handle: int) -> Iterator[tuple[int, str, object]]:
    """What clang has to say: how bad it is, the message, where."""
    lib = library()
    for number in range(lib.clang_getNumDiagnostics(handle)):
        diagnostic = lib.clang_getDiagnostic(handle, number)
        severity = lib.clang_getDiagnosticSeverity(diagnostic)
        message = clang.text(lib.clang_getDiagnosticSpelling(diagnostic))
        location = lib.clang_getDiagnosticLocation(diagnostic)
        lib.clang_disposeDiagnostic(diagnostic)
        yield severity, message, location


def _error(handle: int) -> InputError | None:
    """The first error, which knows the others."""
    errors = list(islice(_errors(handle), MAX_ERRORS))
    if not errors:
        return None
    errors[0].others = tuple(errors[1:])
    return errors[0]


def _errors(handle: int) -> Iterator[InputError]:
    position = clang.ClangPosition()
    for severity, message, location in _diagnostics(handle):
        if severity >= _ERROR:
            file, line, column, offset = position.of_expansion(location)
            name = _name_of(file) if file else ""
            excerpt = _excerpt(clang.file_contents(handle, file), offset, line) if file else ""
            hint = _HEADER_HINT if message.endswith(_MISSING_HEADER) else ""
            yield InputError(message + hint, Span(name, line, column) if name else None, excerpt)


def _excerpt(contents: bytes, offset: int, number: int) -> str:
    """The line of a place with its number, and a mark below the place; a long line in part."""
    start = contents.rfind(b"\n", 0, offset) + 1
    before = contents[start:offset].decode("utf-8", "replace")[-LONGEST_EXCERPT // 2 :]
    after = contents[offset:].split(b"\n", 1)[0].decode("utf-8", "replace").rstrip()
    text = "".join(one if one.isprintable() else " " for one in (before + after)[:LONGEST_EXCERPT])
    return f"{number:5} | {text}\n      | {' ' * len(before)}^"


def _refused(error: InputError, path: Path) -> Exception:
    """The error, or that valid C is not supported where it is clang that is wrong."""
    if path.suffix not in _C_SUFFIXES:
        error.message += " (by its name, this is no C file)"
    if _ATOMIC_POINTER.search(error.message) is None:
        return error
    what = "this operation on an atomic pointer, which the C parser refuses"
    return UnsupportedFeatureError((Unsupported(what, error.span),))


def _check_readable(path: Path) -> None:
    """What clang would report in its own words, or not at all."""
    problem = _problem(path)
    if problem is not None:
        raise InputError(problem, Span(str(path), 1, 1))


def _problem(path: Path) -> str | None:
    """Why this is no C file; None if it may be one."""
    if path.is_dir():
        return "is a folder, not a C file"
    if path.suffix in _CPLUSPLUS:
        return "is a C++ file: only C can be checked"
    if not os.path.lexists(path):
        return f"no such file{_similar(path)}"
    try:
        contents = outside.content(path, outside.SOURCE)
    except InputError as error:
        return f"cannot be read: {error.message.rpartition(': ')[2]}"
    if b"\0" in contents:
        return "is a binary file, not C"
    if inclusions.has_pragma_of_parser(contents):
        return inclusions.REFUSED
    return None if contents.strip() else "the file is empty"


def _similar(path: Path) -> str:
    """A file beside it that may be meant."""
    beside = [file.name for file in path.parent.iterdir()] if path.parent.is_dir() else []
    close = get_close_matches(path.name, sorted(beside), 1)
    return f": did you mean {path.parent / close[0]}?" if close else ""


def model_files(models: Sequence[Path]) -> tuple[Path, ...]:
    """The files to look for library functions in: the user's first, then ours."""
    return (*models, *sorted(MODELS.glob("*.c")))
