"""The C text of a first model for a function that has none: its prototype, and a body that returns any value.

Types are spelled without typedefs, so that the text needs no header. Where a type has no name of its own, a
pointer to it becomes ``void *``; a value of such a type cannot be written, and there is no text.
"""

import re

from sley.frontend import clang_library as clang
from sley.frontend.clang_library import ClangCursor, ClangType, TypeKind, library

ENDINGS = {
    "_Bool": "bool",
    "char": "char",
    "signed char": "char",
    "unsigned char": "uchar",
    "short": "short",
    "unsigned short": "ushort",
    "int": "int",
    "unsigned int": "uint",
    "long": "long",
    "unsigned long": "ulong",
    "long long": "longlong",
    "unsigned long long": "ulonglong",
    "float": "float",
    "double": "double",
}
"""The ending of the function that returns any value of a type."""

SOME_BYTES = 64

_TYPE_WORDS = frozenset(" ".join(ENDINGS).split()) | {"void", "const", "volatile"}
_TAGGED = re.compile(r"\b(?:struct|union|enum) \w+")
_ENUM = re.compile(r"\benum \w+")


def stub_of(function: ClangCursor) -> str:
    """Lines of C that define a function; empty if its types cannot be written down."""
    canonical = library().clang_getCanonicalType(library().clang_getCursorType(function))
    kind = library().clang_getResultType(canonical)
    result = _named(_spelling(kind))
    name = clang.text(library().clang_getCursorSpelling(function))
    declared = _declared(result, f"{name}({_parameters(function, canonical)})")
    body = _body(result, _room(kind))
    if body is None or "?" in declared:
        return ""
    return f"{_input(result)}{declared} {{{body}}}"


def _input(result: str) -> str:
    """The declaration of what returns any value, which C takes for an ``int`` otherwise."""
    if _is_object(result):
        return "_Bool __VERIFIER_nondet_bool(void);\nvoid *calloc(__SIZE_TYPE__, __SIZE_TYPE__);\n"
    ending = ENDINGS.get(result)
    return "" if ending in (None, "int") else f"{result} __VERIFIER_nondet_{ending}(void);\n"


def _is_object(result: str) -> bool:
    return result.endswith("*")


def _room(result: ClangType) -> int:
    """How large the object is that a pointer leads to; of one that nobody knows, or of a text, some bytes."""
    pointee = library().clang_getPointeeType(result)
    size = int(library().clang_Type_getSizeOf(library().clang_getCanonicalType(pointee)))
    return size if size > 1 else SOME_BYTES


def _body(result: str, room: int) -> str | None:
    """Null would keep all that comes after a test of it from happening: so there may be an object as well."""
    if result == "void":
        return " "
    if _is_object(result):
        return f" return __VERIFIER_nondet_bool() ? calloc(1, {room}) : 0; "
    if "*" in result:
        return " return 0; "
    ending = ENDINGS.get(result)
    return None if ending is None else f" return __VERIFIER_nondet_{ending}(); "


def _parameters(function: ClangCursor, canonical: ClangType) -> str:
    if canonical.kind != TypeKind.FUNCTION:
        return ""  # declared without a prototype
    names = [clang.text(library().clang_getCursorSpelling(one)) for one in clang.parameters(function)]
    count = library().clang_getNumArgTypes(canonical)
    types = [_spelling(library().clang_getArgType(canonical, number)) for number in range(count)]
    made = [
        _declared(_named(kind), name.strip("_") or f"a{number}")
        for number, (kind, name) in enumerate(zip(types, names, strict=True), start=1)
    ]
    if library().clang_isFunctionTypeVariadic(canonical):
        made.append("...")
    return ", ".join(made) or "void"


def _spelling(one: ClangType) -> str:
    text = clang.text(library().clang_getTypeSpelling(library().clang_getCanonicalType(one)))
    return re.sub(r"\s*\brestrict\b", "", text)


def _named(kind: str) -> str:
    """A type that can be written without a header; ``?`` if there is none."""
    kind = _ENUM.sub("int", kind)
    is_pointer = "*" in kind
    known = _TAGGED.sub("", kind) if is_pointer else kind
    if set(re.findall(r"\w+", known)) <= _TYPE_WORDS:
        return kind
    return "void *" if is_pointer else "?"


def _declared(kind: str, name: str) -> str:
    """A declaration of a name: behind its type, or inside where that is one of functions or arrays."""
    if "(*" in kind:
        return kind.replace("(*", f"(*{name}", 1)
    return f"{kind}{name}" if kind.endswith("*") else f"{kind} {name}"


def promises(function: ClangCursor) -> list[bool]:
    """For each parameter whether it is a pointer to ``const`` data that leads nowhere else."""
    canonical = library().clang_getCanonicalType(library().clang_getCursorType(function))
    if canonical.kind != TypeKind.FUNCTION:
        return []
    count = library().clang_getNumArgTypes(canonical)
    pointees = (
        library().clang_getPointeeType(library().clang_getArgType(canonical, number))
        for number in range(count)
    )
    return [
        clang.is_constant(one) and one.kind not in (TypeKind.POINTER, TypeKind.RECORD) for one in pointees
    ]
