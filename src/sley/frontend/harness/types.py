"""Types as a harness writes them."""

import re

from sley.frontend import clang_library as clang
from sley.frontend.clang_library import (
    SIGNED_TYPES,
    UNSIGNED_TYPES,
    ClangCursor,
    ClangType,
    TypeKind,
    library,
)
from sley.frontend.stubs import ENDINGS

_CHARACTERS = frozenset({"char", "signed char", "unsigned char"})
_NUMBERS = SIGNED_TYPES | UNSIGNED_TYPES | {TypeKind.BOOL, TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.ENUM}


_FUNCTIONS = frozenset({TypeKind.FUNCTION, TypeKind.FUNCTION_WITHOUT_PROTOTYPE})
_ADJUSTED = _FUNCTIONS | {TypeKind.CONSTANT_ARRAY, TypeKind.INCOMPLETE_ARRAY, TypeKind.VARIABLE_ARRAY}
"""Types that no parameter has: pointers stand for them."""


class WrittenType:
    """A type as the user wrote it, and what it is."""

    def __init__(self, clang_type: ClangType) -> None:
        self._type = clang_type
        self._canonical: ClangType = library().clang_getCanonicalType(clang_type)

    @property
    def text(self) -> str:
        """The type without ``const`` and its like."""
        return _spelling(library().clang_getUnqualifiedType(self._type))

    @property
    def key(self) -> str:
        """The same for two types if a value of one can be given for the other as it is."""
        if self.is_pointer:
            return f"{self.target.key} *"
        return _spelling(library().clang_getUnqualifiedType(self._canonical))

    def declared(self, name: str) -> str:
        """A declaration of a variable."""
        text = self.text
        if "(*" in text or "[" in text:
            return f"__typeof__({text}) {name}"
        return f"{text}{name}" if text.endswith("*") else f"{text} {name}"

    @property
    def word(self) -> str:
        """A word for the type in the names of variables: ``stack`` for ``struct stack`` and ``stack_t``."""
        last: str = re.findall(r"[A-Za-z_]\w*", self.text)[-1].removesuffix("_t").strip("_")
        return f"{last}_pointer" if self.is_pointer else f"{last}{'s' * ('[' in self.text)}"

    # --- what it is -------------------------------------------------------------------------------

    @property
    def is_void(self) -> bool:
        """Whether it has no values."""
        return self._canonical.kind == TypeKind.VOID

    @property
    def is_number(self) -> bool:
        """Whether any value of it can be had as an input."""
        return self._canonical.kind in _NUMBERS and self.input is not None

    @property
    def is_integer(self) -> bool:
        """Whether it can say how many there are of something."""
        return self._canonical.kind in SIGNED_TYPES | UNSIGNED_TYPES

    @property
    def input(self) -> str | None:
        """The ending of the name of what returns any value; that of enumerations is an ``int``."""
        return "int" if self._canonical.kind == TypeKind.ENUM else ENDINGS.get(self.key)

    @property
    def is_pointer(self) -> bool:
        """Whether it is one, to whatever."""
        return self._canonical.kind == TypeKind.POINTER

    @property
    def target(self) -> "WrittenType":
        """What a pointer points to."""
        lib = library()
        written = lib.clang_getPointeeType(self._type)
        return WrittenType(written if written.kind else lib.clang_getPointeeType(self._canonical))

    @property
    def is_character(self) -> bool:
        """Whether a pointer to it may be a buffer of unknown length."""
        return self.key in _CHARACTERS

    @property
    def is_text(self) -> bool:
        """Whether a pointer to it points to a constant text."""
        return self.key == "char" and clang.is_constant(self._canonical)

    @property
    def is_complete_object(self) -> bool:
        """Whether there can be a variable of it."""
        has_size = library().clang_Type_getSizeOf(self._canonical) >= 0
        return has_size and self._canonical.kind not in _FUNCTIONS and not self.is_void

    @property
    def is_record(self) -> bool:
        """Whether it is a structure or a union."""
        return self._canonical.kind == TypeKind.RECORD

    @property
    def members(self) -> list[ClangCursor]:
        """The members of a structure or union."""
        return clang.fields(self._canonical) if self.is_record else []

    @property
    def has_flexible_end(self) -> bool:
        """Whether it is a structure whose last member is an array of any length."""
        last = self.members[-1:]
        return any(library().clang_getCursorType(one).kind == TypeKind.INCOMPLETE_ARRAY for one in last)

    @property
    def is_function(self) -> bool:
        """Whether a pointer to it can be called."""
        return self._canonical.kind in _FUNCTIONS

    def defined(self, name: str) -> str:
        """Of the type of a function: one that does nothing, and returns zero."""
        lib = library()
        result = WrittenType(lib.clang_getResultType(self._canonical))
        count = max(0, lib.clang_getNumArgTypes(self._canonical))
        taken = [WrittenType(lib.clang_getArgType(self._canonical, number)) for number in range(count)]
        words = [one.declared(f"a{number}") for number, one in enumerate(taken, start=1)]
        if lib.clang_isFunctionTypeVariadic(self._canonical) and words:
            words.append("...")
        head = result.declared(f"{name}({', '.join(words) or 'void'})")
        if result.is_void:
            return f"static {head} {{}}"
        if result.is_record:
            return f"static {head} {{ {result.declared('none')} = {{0}}; return none; }}"
        return f"static {head} {{ return 0; }}"

    @property
    def is_plain_scalar(self) -> bool:
        """Whether it is a number or a pointer that threads do not share on purpose."""
        is_volatile = bool(library().clang_isVolatileQualifiedType(self._canonical))
        return (self.is_number or self.is_pointer) and not is_volatile


def parameter_types(function: ClangCursor) -> list[WrittenType]:
    """The types of the parameters of a function; arrays and functions are pointers there."""
    lib = library()
    adjusted: ClangType = lib.clang_getCanonicalType(lib.clang_getCursorType(function))
    written: list[ClangType] = [lib.clang_getCursorType(one) for one in clang.parameters(function)]
    if adjusted.kind == TypeKind.FUNCTION:  # otherwise an old definition, whose parameters are what they are
        for number, one in enumerate(written):
            if lib.clang_getCanonicalType(one).kind in _ADJUSTED:
                written[number] = lib.clang_getArgType(adjusted, number)
    return [WrittenType(one) for one in written]


def result_type(function: ClangCursor) -> WrittenType:
    """The type of what a function returns."""
    return WrittenType(library().clang_getResultType(library().clang_getCursorType(function)))


def _spelling(one: ClangType) -> str:
    return re.sub(r"\s*\brestrict\b", "", clang.text(library().clang_getTypeSpelling(one)))
