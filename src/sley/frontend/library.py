"""Which file defines a name: the user's, or one of the models of library functions.

Models are parsed when the first function of theirs is needed, so that a program that uses none pays nothing.
"""

import re
from functools import cached_property
from pathlib import Path

from sley.base import outside
from sley.base.errors import InputError
from sley.base.source import Span
from sley.frontend.attributes import attribute, priority
from sley.frontend.clang_library import ClangCursor, StorageClass, library
from sley.frontend.compilation_database import SourceFile
from sley.frontend.not_read import NotRead
from sley.frontend.parse import SourceParser, TranslationUnit, model_files
from sley.frontend.syntax import Declaration, DeclarationKind, TreeReader

ENTRY = "main"
_RESULTS = (rb"int ", rb"void ", rb"long int ", rb"size_t ", rb"FILE \*", rb"char \*")
_NOT_DECLARED = b"".join(rb"(?<!extern " + text + rb")" for text in _RESULTS)
"""Preprocessed text declares what it does not call."""
_JOIN = re.compile(_NOT_DECLARED + rb"\b\w*join(?:_np)?\b")
Definition = tuple[TreeReader, ClangCursor]
"""A function with the file that it is defined in."""
NEVER_FROM_USER = frozenset({"reach_error", "__VERIFIER_error"})
"""What these mean does not depend on a body that a program brings along."""
_ERROR_NUMBER = re.compile(rb"\berrno\b|(?<!int \*)\b__errno_location\b")
"""How C text reads or writes ``errno``; preprocessed text declares what the macro calls, too."""


class Library:
    """All translation units of a program, models included."""

    def __init__(self, parser: SourceParser, files: list[SourceFile], models: tuple[Path, ...]) -> None:
        self._parser = parser
        self.options = parser.options
        self.users = [TreeReader(parser.parse(file.path, file.flags, file.text)) for file in files]
        self._model_texts: dict[Path, str] = {path: _model_text(path) for path in model_files(models)}
        self._models_of_users = frozenset(models)
        self._models: dict[Path, TreeReader] = {}
        self._models_by_unit: dict[TranslationUnit, Path] = {}
        self._readers: dict[TranslationUnit, TreeReader] = {r.unit: r for r in self.users}
        self._static_names: dict[tuple[str, str], str] = {}
        self._taken: dict[str, int] = {}
        self._mentioned: dict[str, bool] = {}
        self._found_functions: dict[str, Definition | None] = {}
        self._found_models: dict[str, Definition | None] = {}
        self._require_single_definitions()
        self.constructors = self._automatic("constructor")
        """What runs before main, in order."""
        self.destructors = self._automatic("destructor")
        """What runs after main, in the opposite order."""

    @property
    def not_read(self) -> list[NotRead]:
        """What stands in the user's files and may change their meaning, but is not read."""
        found = [one for reader in self.users for one in reader.unit.not_read]
        for reader in self.users:
            for name, cursor in reader.unit.functions.items():
                if library().clang_Cursor_hasAttrs(cursor) and attribute(cursor, "interrupt") is not None:
                    text = f"the attribute `interrupt` of `{name}`"
                    found.append(NotRead(reader.unit.span(cursor), text, is_meaningful=True))
        return found

    def _automatic(self, kind: str) -> list[Definition]:
        found: list[tuple[int, Definition]] = []
        for reader in self.users:
            for name, cursor in reader.unit.functions.items():
                if library().clang_Cursor_hasAttrs(cursor):
                    number = priority(reader.unit.declarations(name), kind)
                    if number is not None:
                        found.append((number, (reader, cursor)))
        return [definition for _, definition in sorted(found, key=lambda one: one[0])]

    def _require_single_definitions(self) -> None:
        """What is visible in all files is defined in one of them, as a linker demands."""
        seen: dict[str, Span] = {}
        for reader in self.users:
            unit = reader.unit
            defined = [(n, c) for n, c in unit.functions.items() if not _is_static(c) and not _is_inline(c)]
            defined = [
                (name, cursor) for name, cursor in defined if not _is_weak(unit.declarations(name), cursor)
            ]
            for name, cursors in unit.variables.items():
                initialised = [c for c in cursors if _has_initialiser(c) and not _is_static(c)]
                initialised = [c for c in initialised if not _is_weak(cursors, c)]
                defined += [(name, cursor) for cursor in initialised[:1]]
            for name, cursor in defined:
                span = unit.span(cursor)
                if name in seen and name == ENTRY:
                    files = f"{seen[name].file} and {span.file}"
                    raise InputError(f"several files have a `main`: {files}; name the files of one program")
                if name in seen and name not in NEVER_FROM_USER:
                    raise InputError(f"`{name}` is defined twice, first at {seen[name]}", span)
                seen[name] = span

    def reader(self, declaration: Declaration) -> TreeReader:
        """The reader of a declaration's file."""
        return self._readers[declaration.unit]

    def reader_of(self, unit: TranslationUnit) -> TreeReader:
        """The reader of a file."""
        return self._readers[unit]

    @cached_property
    def uses_error_number(self) -> bool:
        """Whether the program may look at ``errno``: where it cannot, no value is kept."""
        return self._is_written(_ERROR_NUMBER)

    @cached_property
    def is_joined_by_main_only(self) -> bool:
        """Whether no function but ``main`` mentions a join, nor anything outside of functions."""
        for reader in [*self.users, *(self._model(path) for path in self._models_of_users)]:
            main = reader.unit.functions.get(ENTRY)
            own = b"" if main is None else reader.unit.text(main).encode()
            found = sum(1 for text in reader.unit.written_texts() for _ in _JOIN.finditer(text))
            if found > len(_JOIN.findall(own)):
                return False
        return True

    def mentions(self, names: str) -> bool:
        """Whether one of these names, ``one|other``, occurs in the program, but for declarations."""
        if names not in self._mentioned:
            pattern = re.compile(_NOT_DECLARED + rb"\b(?:" + names.encode() + rb")\b")
            self._mentioned[names] = self._is_written(pattern)
        return self._mentioned[names]

    def _is_written(self, words: re.Pattern[bytes]) -> bool:
        users = [*self.users, *(self._model(path) for path in self._models_of_users)]
        return any(reader.unit.mentions(words) for reader in users)

    # --- functions --------------------------------------------------------------------------------

    def function(self, declaration: Declaration) -> Definition | None:
        """The definition of a function, with the file it is in."""
        own = self._readers[declaration.unit]
        here = own.unit.functions.get(declaration.name)
        if here is not None and (
            declaration.is_internal or not _is_weak(own.unit.declarations(declaration.name), here)
        ):
            return own, here
        if declaration.is_internal:
            return None
        return self.user_function(declaration.name) or self.model(declaration.name)

    def user_function(self, name: str) -> Definition | None:
        """A function that the user defines for all files; a weak definition gives way to another."""
        if name not in self._found_functions:
            self._found_functions[name] = self._find_function(name)
        return self._found_functions[name]

    def _find_function(self, name: str) -> Definition | None:
        weak: Definition | None = None
        for reader in self.users:
            found = reader.unit.functions.get(name)
            if found is None or _is_static(found):
                continue
            if not _is_weak(reader.unit.declarations(name), found):
                return reader, found
            weak = weak or (reader, found)
        return weak or self._find_alias(name)

    def _find_alias(self, name: str) -> Definition | None:
        """The function of which another name is declared to be an alias."""
        for reader in self.users:
            for cursor in reader.unit.declarations(name):
                target = attribute(cursor, "alias")
                if target is not None:
                    found = reader.unit.functions.get(target)
                    return None if found is None else (reader, found)
        return None

    def may_be_missing(self, declaration: Declaration) -> bool:
        """Whether a name stands for a function that a program may do without, and that has no definition."""
        declared = (
            declaration.unit.declarations(declaration.name) if self.function(declaration) is None else []
        )
        return any(attribute(cursor, "weak") is not None for cursor in declared)

    def is_user_function(self, declaration: Declaration) -> bool:
        """Whether a name stands for a function that the user defines."""
        unit = declaration.unit
        is_own = not unit.is_library and declaration.name in unit.functions
        return is_own or self.user_function(declaration.name) is not None

    def model(self, name: str) -> Definition | None:
        """The model of a library function."""
        if name not in self._found_models:
            self._found_models[name] = self._find_model(name)
        return self._found_models[name]

    def has_model_of_user(self, name: str) -> bool:
        """Whether the user says what a library function does."""
        model = self.model(name) if self._models_of_users else None
        return model is not None and self._models_by_unit[model[0].unit] in self._models_of_users

    def _find_model(self, name: str) -> Definition | None:
        mention = rf"\b{re.escape(name)}\s*\("
        definition = re.compile(rf"^(?!.*;$)[^\s#/].*{mention}", re.MULTILINE)  # as our own are written
        for path, text in self._model_texts.items():
            if re.search(mention if path in self._models_of_users else definition, text):
                reader = self._model(path)
                found = reader.unit.functions.get(name)
                if found is not None and not _is_static(found):
                    return reader, found
        return None

    def _model(self, path: Path) -> TreeReader:
        reader = self._models.get(path)
        if reader is None:
            reader = TreeReader(self._parser.parse(path, is_library=True))
            self._models[path] = reader
            self._models_by_unit[reader.unit] = path
            self._readers[reader.unit] = reader
        return reader

    def program_name(self, declaration: Declaration) -> str:
        """The name of a function in the program: that of C, unless two files have a static of that name."""
        name = declaration.name
        if not declaration.is_internal:
            return name
        key = (name, declaration.unit.path)
        known = self._static_names.get(key)
        if known is None:
            number = self._taken.get(name, 0 if self.user_function(name) is None else 1) + 1
            self._taken[name] = number
            known = name if number == 1 else f"{name}.{number}"
            self._static_names[key] = known
        return known

    # --- variables --------------------------------------------------------------------------------

    def aliased_variable(self, declaration: Declaration) -> Declaration | None:
        """The variable of which another name is declared to be an alias."""
        if declaration.kind is not DeclarationKind.GLOBAL:
            return None
        for reader in self.users:
            for cursor in reader.unit.variables.get(declaration.name, []):
                target = attribute(cursor, "alias")
                named = reader.unit.variables.get(target) if target is not None else None
                if named:
                    return reader.declaration(named[-1])
        return None

    def variable(self, declaration: Declaration) -> Declaration | None:
        """The definition of a variable at file scope: with an initialiser, else tentative."""
        own = self._readers[declaration.unit]
        if declaration.is_internal:
            return self._variable(declaration, [own])
        found = self._variable(declaration, [own, *self.users, *self._models.values()])
        return found or self._variable(declaration, self._models_with_variable(declaration.name))

    def variable_of_models(self, name: str) -> Declaration | None:
        """The definition of a variable of a model."""
        for reader in self._models_with_variable(name):
            for cursor in reader.unit.variables.get(name, []):
                if not _is_extern(cursor):
                    return reader.declaration(cursor)
        return None

    def _models_with_variable(self, name: str) -> list[TreeReader]:
        """Models that were not needed so far, and that define a variable of the library."""
        definition = re.compile(
            rf"^(?!static|extern)\w[\w *,=]*\b{re.escape(name)}\b[\w *,=]*;", re.MULTILINE
        )
        return [self._model(path) for path, text in self._model_texts.items() if definition.search(text)]

    def _variable(self, declaration: Declaration, readers: list[TreeReader]) -> Declaration | None:
        tentative: Declaration | None = None
        weak: Declaration | None = None
        for reader in readers:
            for cursor in reader.unit.variables.get(declaration.name, []):
                candidate = reader.declaration(cursor)
                if candidate.is_internal != declaration.is_internal:
                    continue
                is_weak = attribute(cursor, "weak") is not None
                if _has_initialiser(cursor) and not is_weak:
                    return candidate
                if is_weak and not _is_extern(cursor):
                    weak = weak or candidate
                    continue
                if _is_extern(cursor):
                    continue
                if tentative is None or tentative.ctype.size < candidate.ctype.size:
                    tentative = candidate
        return tentative or weak


def _model_text(path: Path) -> str:
    return outside.text(path, outside.MODELS)


def _is_static(cursor: ClangCursor) -> bool:
    return bool(library().clang_Cursor_getStorageClass(cursor) == StorageClass.STATIC)


def _is_weak(declarations: list[ClangCursor], cursor: ClangCursor) -> bool:
    """Whether a function or variable gives way to another of its name; each declaration can say so."""
    if not library().clang_Cursor_hasAttrs(cursor):
        return False
    return any(attribute(declared, "weak") is not None for declared in declarations)


def _is_inline(cursor: ClangCursor) -> bool:
    return bool(library().clang_Cursor_isFunctionInlined(cursor))


def _is_extern(cursor: ClangCursor) -> bool:
    return bool(library().clang_Cursor_getStorageClass(cursor) == StorageClass.EXTERN)


def _has_initialiser(cursor: ClangCursor) -> bool:
    invalid_kinds = range(70, 74)
    return library().clang_Cursor_getVarDeclInitializer(cursor).kind not in invalid_kinds
