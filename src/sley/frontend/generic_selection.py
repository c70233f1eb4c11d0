"""Which expression a ``_Generic`` selects.

clang's tree lists the expressions without the types in front of them and without saying which one it chose.
Often only one has the type that the whole selection has. Where several have, the pretty-printed function
tells the types, free of macros and in the tree's order; they are compared by their canonical names.
"""

import re

from sley.frontend import clang_library as clang
from sley.frontend.clang_library import CursorKind, TypeKind, library
from sley.frontend.loops import bracketed, in_order, printed, word_positions
from sley.frontend.parse import TranslationUnit
from sley.frontend.syntax import SyntaxNode

_DEFAULT = "default"
_ARRAYS = (TypeKind.CONSTANT_ARRAY, TypeKind.INCOMPLETE_ARRAY, TypeKind.VARIABLE_ARRAY)
_STATIC_ASSERTION = re.compile(r"^\s*(_Static_assert|static_assert)\(.*$", re.MULTILINE)
"""Printed on a line of their own, and not in the tree."""
_BASIC = re.compile(
    r"_Bool|void|float|(long )?double|((un)?signed )?char|(unsigned )?(short|int|long|long long|__int128)"
    r"|(struct|union|enum) \w+"
)


class GenericSelections:
    """The selections of one function."""

    def __init__(self, function: SyntaxNode) -> None:
        self._function = function
        self._types: dict[int | None, list[str]] | None = None

    def chosen(self, node: SyntaxNode) -> SyntaxNode:
        """The expression that is evaluated."""
        fitting = fitting_choices(node)
        if len(fitting) == 1:
            return fitting[0]
        choices = node.children[1:]
        types = self._associated(node)
        if len(types) == len(choices):
            wanted = _wanted(node.children[0])
            known = [name if name == _DEFAULT else _canonical(name, node.unit) for name in types]
            matching = [number for number, name in enumerate(known) if name in wanted]
            if not matching and None not in known and _DEFAULT in known:
                matching = [known.index(_DEFAULT)]
            if len(matching) == 1 and choices[matching[0]] in fitting:
                return choices[matching[0]]
        raise node.unsupported(f"this selection by type: `{node.text}`")

    def _associated(self, node: SyntaxNode) -> list[str]:
        """The types of a selection as the printed function has them."""
        if self._types is None:
            text = _STATIC_ASSERTION.sub("", printed(self._function))
            found = [_association_types(text, start) for start in word_positions(text, "_Generic")]
            self._types = in_order(self._function, CursorKind.GENERIC_SELECTION, found)
        return self._types.get(node.cursor.data1, [])


def fitting_choices(node: SyntaxNode) -> list[SyntaxNode]:
    """The expressions that have the type of the whole selection."""
    return [choice for choice in node.children[1:] if choice.ctype is node.ctype]


def _association_types(text: str, start: int) -> list[str]:
    """What stands before the colons of ``_Generic(controlling, type: expression, ...)``."""
    parts = bracketed(text, text.index("(", start), ",")
    return [" ".join(part.split(":", 1)[0].split()) for part in parts[1:]]


def _wanted(controlling: SyntaxNode) -> set[str]:
    """The canonical names of the types that are compatible with that of the controlling expression."""
    lib = library()
    canonical = lib.clang_getCanonicalType(lib.clang_getCursorType(controlling.cursor))
    if canonical.kind in _ARRAYS:  # a parameter, as it was written
        return {_decayed(_spelling(canonical))}
    names = {_name(canonical)}
    if canonical.kind == TypeKind.ENUM:
        names.add(_name(lib.clang_getCanonicalType(clang.enumeration_type(canonical))))
    return names


def _decayed(array: str) -> str:
    """The name of the type of pointers to the elements of an array."""
    name = re.sub(r"\s*\[[^]]*\]", "", array, count=1)
    base, bracket, rest = name.partition("[")
    return f"{base} (*)[{rest}" if bracket else f"{name}*" if name.endswith("*") else f"{name} *"


def _spelling(canonical: clang.ClangType) -> str:
    return clang.text(library().clang_getTypeSpelling(canonical))


def _name(canonical: clang.ClangType) -> str:
    """A type's name; qualifiers of the value itself do not count."""
    name = _spelling(canonical)
    if "*" not in name:
        name = re.sub(r"\b(const|volatile|restrict)\b", " ", name)
    return " ".join(re.sub(r"\*\s*(const|volatile|restrict|\s)*$", "*", name).split())


def _canonical(name: str, unit: TranslationUnit) -> str | None:
    """The canonical name of a printed type: typedefs resolved; None if the type is not that simple.

    A value has no array type and no qualifiers of its own: a name with these fits nothing, as it is.
    """
    if "[" in name or re.search(r"\*\s*(const|volatile|restrict)$", name):
        return name
    parsed = re.fullmatch(r"((?:const |volatile )*)([\w ]+?)\s*(\**)", name)
    if parsed is None:
        return None
    qualifiers, base, stars = parsed[1], parsed[2], parsed[3]
    if _BASIC.fullmatch(base) is None:
        resolved = unit.typedef(base)
        if resolved is None or "(" in resolved or "[" in resolved or (stars and "*" in resolved):
            return None
        base = resolved
    if qualifiers and not stars and "*" in base:
        return None
    return f"{qualifiers}{base}{' ' + stars if stars else ''}"
