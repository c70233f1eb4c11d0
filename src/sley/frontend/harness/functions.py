"""Finding the functions that a user names, and the files to include for them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from sley.base.errors import InputError
from sley.frontend import clang_library as clang
from sley.frontend.clang_library import ClangCursor, StorageClass, TypeKind, library
from sley.frontend.harness.types import WrittenType, parameter_types, result_type
from sley.frontend.parse import TranslationUnit

ENTRY = "main"
HAS_MAIN = (
    "there is a `main`, but --entry is for libraries that have none: leave out this file, "
    "or --entry, to check the program as it is"
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a function wants to get."""

    name: str
    ctype: WrittenType
    cursor: ClangCursor


class NamedFunction:
    """A function that the user names, with the file that defines it."""

    def __init__(self, name: str, unit: TranslationUnit, cursor: ClangCursor) -> None:
        self.name, self.unit, self.cursor = name, unit, cursor

    @property
    def is_variadic(self) -> bool:
        """Whether it takes any number of arguments; one without a prototype takes what it names."""
        ctype = library().clang_getCanonicalType(library().clang_getCursorType(self.cursor))
        return ctype.kind == TypeKind.FUNCTION and bool(library().clang_isFunctionTypeVariadic(ctype))

    @property
    def result(self) -> WrittenType:
        """The type of what it returns."""
        return result_type(self.cursor)

    @property
    def parameters(self) -> list[Parameter]:
        """What it wants; parameters without a name get one."""
        cursors = clang.parameters(self.cursor)
        names = [clang.text(library().clang_getCursorSpelling(one)) for one in cursors]
        return [
            Parameter(name or f"argument{number}", ctype, cursor)
            for number, (name, ctype, cursor) in enumerate(
                zip(names, parameter_types(self.cursor), cursors, strict=True), start=1
            )
        ]


class Functions:
    """All that the files of a library define."""

    def __init__(self, units: Sequence[TranslationUnit], *, is_part: bool = False) -> None:
        self._units = units
        self._is_part = is_part
        """Whether there are other files, which define what these only declare."""

    def require_no_main(self) -> None:
        """A program has one ``main``."""
        for unit in self._units:
            if ENTRY in unit.functions:
                raise InputError(HAS_MAIN, unit.span(unit.functions[ENTRY]))

    def named(self, name: str, flag: str) -> NamedFunction:
        """The function of this name; ``InputError`` if there is none, or more than one."""
        found = [
            NamedFunction(name, unit, unit.functions[name]) for unit in self._units if name in unit.functions
        ]
        if not found and self._is_part:
            found = [
                NamedFunction(name, one, cursor) for one in self._units for cursor in one.declarations(name)
            ]
        if not found:
            raise InputError(f"argument {flag}: {self._missing(name)}")
        places = dict.fromkeys(one.unit.span(one.cursor) for one in found)
        if len(places) > 1:  # one in a header is the same in all files
            public = [one for one in found if not _is_static(one.cursor)]
            if len(public) != 1:
                where = " and ".join(place.file for place in places)
                raise InputError(
                    f"argument {flag}: `{name}` is defined in {where}: leave out one of the files"
                )
            found = public
        if found[0].is_variadic:
            what = f"`{name}` takes any number of arguments: name a function that calls it with some"
            raise InputError(f"argument {flag}: {what}", places.popitem()[0])
        return found[0]

    def _missing(self, name: str) -> str:
        if any(unit.declarations(name) for unit in self._units):
            return f"`{name}` is declared, but defined in no file: name its file, too"
        known = sorted({name for unit in self._units for name in unit.functions})
        close = get_close_matches(name, known, 1)
        return f"no file defines a function `{name}`" + (f": did you mean `{close[0]}`?" if close else "")

    def files_of(self, functions: Iterable[NamedFunction]) -> list[str]:
        """The files to include, in the order in which they were given."""
        used = {function.unit.path for function in functions}
        return [unit.path for unit in self._units if unit.path in used]


def _is_static(cursor: ClangCursor) -> bool:
    return bool(library().clang_Cursor_getStorageClass(cursor) == StorageClass.STATIC)
