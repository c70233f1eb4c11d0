"""C types: what values of them are, how large they are, and how clang's types become ours.

Types are compared by identity within one translation unit; what the lowering needs from them is their
sort, their size and the way to their parts. Parts are resolved on demand: a record may point to itself.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from sley.frontend.clang_library import (
    SIGNED_TYPES,
    UNSIGNED_TYPES,
    ClangCursor,
    ClangType,
    CursorKind,
    TypeKind,
    enumeration_type,
    fields,
    is_constant,
    library,
    text,
)
from sley.logic.sorts import BOOL, F32, F64, F80, Sort, bitvec
from sley.program.memory import Display


@dataclass(frozen=True, eq=False)
class VoidType:
    """No value; its size is 1 as in GNU C, for arithmetic on ``void *``."""

    size: int = 1


@dataclass(frozen=True, eq=False)
class BoolType:
    """``_Bool``: a truth value."""

    size: int = 1
    sort: Sort = BOOL
    display: Display = Display.BOOL


@dataclass(frozen=True, eq=False)
class IntegerType:
    """Integers and enumerations; two types of one width and signedness have the same values."""

    width: int
    is_signed: bool
    display: Display = Display.SIGNED

    @property
    def size(self) -> int:
        """Bytes."""
        return self.width // 8

    @cached_property
    def sort(self) -> Sort:
        """A bit-vector."""
        return bitvec(self.width)


_FLOAT_SORTS = {4: F32, 8: F64}


@dataclass(frozen=True, eq=False)
class FloatType:
    """``float``, ``double`` and ``long double``, which is x86's extended format and has unused bytes."""

    size: int
    display: Display = Display.FLOAT

    @property
    def sort(self) -> Sort:
        """An IEEE float."""
        return _FLOAT_SORTS.get(self.size, F80)


@dataclass(frozen=True, eq=False)
class PointerType:
    """Pointers to objects and functions."""

    size: int
    _pointee: Callable[[], "CType"]
    display: Display = Display.POINTER

    @cached_property
    def pointee(self) -> "CType":
        """What it points to."""
        return self._pointee()

    @cached_property
    def sort(self) -> Sort:
        """A bit-vector."""
        return bitvec(8 * self.size)


@dataclass(frozen=True, eq=False)
class ArgumentListType(PointerType):
    """``va_list``: a pointer to the next argument."""


@dataclass(frozen=True, eq=False)
class ArrayType:
    """Arrays; ``size`` is 0 where the count is not known."""

    element: "CType"
    count: int
    size: int


class VariableSizeError(Exception):
    """Something needs the size of a type as a number, but it depends on the run."""


@dataclass(frozen=True, eq=False)
class VariableArrayType:
    """Arrays whose length, or that of their elements, is computed where they are declared."""

    element: "CType"
    count: int | None = None
    """The length if it is constant; 0 if it is not written down."""

    @property
    def size(self) -> int:
        """Not a number: see ``variable_arrays``."""
        raise VariableSizeError


@dataclass(frozen=True, eq=False)
class Field:
    """A member of a record; ``offset`` in bytes from its record's start."""

    name: str
    offset: int
    ctype: "CType"
    bits: tuple[int, int] | None = None
    """Bit-fields: the first bit, counted from the record's start, and the width."""
    is_constant: bool = False

    @property
    def end(self) -> int:
        """The first byte behind it, from its record's start."""
        return self.offset + self.ctype.size if self.bits is None else (sum(self.bits) + 7) // 8


@dataclass(frozen=True, eq=False)
class RecordType:
    """Structs and unions."""

    name: str
    size: int
    is_union: bool
    _fields: Callable[[], "tuple[Field, ...]"]
    inside: "RecordType | None" = None
    """Library objects: the record of our model whose members are the object's scalars."""
    alignment: int = 1
    """Bytes."""

    @cached_property
    def fields(self) -> "tuple[Field, ...]":
        """The members in order; an anonymous record is a member without a name."""
        return self._fields()


@dataclass(frozen=True, eq=False)
class FunctionType:
    """Functions."""

    result: "CType"
    parameters: "tuple[CType, ...]"
    has_prototype: bool = True
    size: int = 1
    is_variadic: bool = False


@dataclass(frozen=True, eq=False)
class AtomicType:
    """``_Atomic(value)``: the same values, accessed atomically; a struct may get larger by it."""

    value: "CType"
    size: int


@dataclass(frozen=True, eq=False)
class OtherType:
    """A type that we do not model; to use one is unsupported."""

    what: str
    """How a message calls it."""
    size: int = 0


CType = (
    VoidType
    | BoolType
    | IntegerType
    | FloatType
    | PointerType
    | ArrayType
    | VariableArrayType
    | RecordType
    | FunctionType
    | AtomicType
    | OtherType
)
ScalarType = BoolType | IntegerType | FloatType | PointerType

INT = IntegerType(32, is_signed=True)
BOOLEAN = BoolType()
VOID = VoidType()
BYTE = IntegerType(8, is_signed=False, display=Display.UNSIGNED)


def is_scalar(ctype: CType) -> bool:
    """Whether values of the type are single terms."""
    return isinstance(ctype, BoolType | IntegerType | FloatType | PointerType)


def unatomic(ctype: CType) -> CType:
    """The type without ``_Atomic``."""
    return ctype.value if isinstance(ctype, AtomicType) else ctype


def alignment_of(ctype: CType, most: int) -> int:
    """What the address of an object of the type is a multiple of; ``most`` is the largest of scalars."""
    match ctype:
        case ArrayType(element=element) | VariableArrayType(element=element):
            return alignment_of(element, most)
        case AtomicType(value=value):
            return alignment_of(value, most)
        case RecordType(alignment=alignment):
            return alignment
        case BoolType() | IntegerType() | FloatType() | PointerType():
            return min(ctype.size, most)
        case _:
            return 1


def fixed_size(ctype: CType) -> CType:
    """The type, or that of the elements if it has a variable length."""
    while isinstance(ctype, VariableArrayType):
        ctype = ctype.element
    return ctype


def promoted(ctype: CType) -> CType:
    """Integer promotion: what is narrower than ``int`` becomes ``int``."""
    if isinstance(ctype, BoolType) or (isinstance(ctype, IntegerType) and ctype.width < INT.width):
        return INT
    return ctype


def common_type(a: CType, b: CType) -> CType:
    """The usual arithmetic conversions."""
    a, b = promoted(a), promoted(b)
    if isinstance(a, FloatType) or isinstance(b, FloatType):
        if isinstance(a, FloatType) and isinstance(b, FloatType):
            return a if a.size >= b.size else b
        return a if isinstance(a, FloatType) else b
    assert isinstance(a, IntegerType)
    assert isinstance(b, IntegerType)
    if a.width != b.width:
        return a if a.width > b.width else b
    return b if a.is_signed else a


# --- how functions of C look as functions of the program -------------------------------------------------
#
# A record as parameter is one parameter per scalar, as result a hidden first parameter. ``void *f()`` usually
# starts a thread and gets an argument that it does not name: it has a hidden last parameter.


def is_lowered(ctype: FunctionType) -> bool:
    """Whether values of all parameters can be passed."""
    parameters = (unatomic(parameter) for parameter in ctype.parameters)
    return all(is_scalar(parameter) or isinstance(parameter, RecordType) for parameter in parameters)


def has_hidden_argument(ctype: FunctionType) -> bool:
    """Whether a function takes an argument that it does not name."""
    return not ctype.has_prototype and not ctype.parameters and isinstance(ctype.result, PointerType)


def result_sort(ctype: FunctionType) -> Sort | None:
    """The sort of the result; None for ``void`` and records."""
    result = unatomic(ctype.result)
    return result.sort if isinstance(result, ScalarType) else None


# --- types of clang ------------------------------------------------------------------------------------


@dataclass
class TypeTable:
    """clang's types of one translation unit as ours."""

    pointer_size: int
    insides: dict[str, ClangType] = field(default_factory=dict)
    """Records of our models by the name of the library type whose inside they are."""
    _known: dict[int | None, CType] = field(default_factory=dict)
    _pointers: dict[CType, PointerType] = field(default_factory=dict)
    """Those that arrays and functions become."""

    def of_cursor(self, cursor: ClangCursor) -> CType:
        """The type of an expression or declaration."""
        clang_type: ClangType = library().clang_getCursorType(cursor)
        known = self._known.get(clang_type.data0)
        return known if known is not None else self.convert(clang_type)

    def of_parameter(self, cursor: ClangCursor) -> CType:
        """The type of a parameter: arrays and functions are passed as pointers."""
        return self.decayed(self.of_cursor(cursor))

    def decayed(self, ctype: CType) -> CType:
        """What a value of the type is: arrays and functions become pointers."""
        match ctype:
            case ArrayType(element=pointee) | VariableArrayType(element=pointee):
                pass
            case FunctionType():
                pointee = ctype
            case _:
                return ctype
        if pointee not in self._pointers:
            self._pointers[pointee] = PointerType(self.pointer_size, lambda: pointee)
        return self._pointers[pointee]

    def convert(self, clang_type: ClangType) -> CType:
        """Our form of a type of clang."""
        known = self._known.get(clang_type.data0)
        if known is None:
            known = self._convert(clang_type)
            self._known[clang_type.data0] = known
        return known

    def _convert(self, clang_type: ClangType) -> CType:
        lib = library()
        is_named = clang_type.kind == TypeKind.TYPEDEF
        if is_named and text(lib.clang_getTypeSpelling(clang_type)).endswith("va_list"):
            return ArgumentListType(self.pointer_size, lambda: BYTE)
        canonical: ClangType = lib.clang_getCanonicalType(clang_type)
        known = self._known.get(canonical.data0)
        if known is None:
            known = self._make(canonical)
            self._known[canonical.data0] = known
        return known

    def _make(self, canonical: ClangType) -> CType:
        lib, kind = library(), canonical.kind
        if kind in SIGNED_TYPES or kind in UNSIGNED_TYPES:
            return _integer(canonical)
        match kind:
            case TypeKind.VOID:
                return VOID
            case TypeKind.BOOL:
                return BOOLEAN
            case TypeKind.FLOAT | TypeKind.DOUBLE | TypeKind.LONG_DOUBLE:
                return FloatType(lib.clang_Type_getSizeOf(canonical))
            case TypeKind.POINTER:
                pointee = lib.clang_getPointeeType(canonical)
                return PointerType(lib.clang_Type_getSizeOf(canonical), lambda: self.convert(pointee))
            case TypeKind.ENUM:
                return self.convert(enumeration_type(canonical))
            case TypeKind.CONSTANT_ARRAY | TypeKind.INCOMPLETE_ARRAY:
                return self._array(canonical)
            case TypeKind.RECORD:
                return self._record(canonical)
            case TypeKind.FUNCTION | TypeKind.FUNCTION_WITHOUT_PROTOTYPE:
                return self._function(canonical)
            case TypeKind.ATOMIC:
                value = self.convert(lib.clang_Type_getValueType(canonical))
                return AtomicType(value, lib.clang_Type_getSizeOf(canonical))
            case TypeKind.VARIABLE_ARRAY:
                return VariableArrayType(self.convert(lib.clang_getArrayElementType(canonical)))
            case _:
                return OtherType(f"the type `{text(lib.clang_getTypeSpelling(canonical))}`")

    def _array(self, canonical: ClangType) -> CType:
        element = self.convert(library().clang_getArrayElementType(canonical))
        count = max(0, library().clang_getArraySize(canonical))
        if isinstance(element, VariableArrayType):
            return VariableArrayType(element, count)
        return ArrayType(element, count, count * element.size)

    def _record(self, canonical: ClangType) -> CType:
        lib = library()
        spelling = text(lib.clang_getTypeSpelling(canonical)).replace("const ", "").replace("volatile ", "")
        if spelling.removeprefix("struct ") == "__va_list_tag":
            return OtherType("variable arguments")
        size = max(0, lib.clang_Type_getSizeOf(canonical))
        declaration: ClangCursor = lib.clang_getTypeDeclaration(canonical)
        is_union = spelling.startswith("union ") or declaration.kind == CursorKind.UNION
        name = spelling.removeprefix("struct ").removeprefix("union ")
        inside = self.insides.get(name) if _is_of_library(canonical) else None
        inside_type = None if inside is None else self.convert(inside)
        assert inside_type is None or isinstance(inside_type, RecordType)
        alignment = max(1, lib.clang_Type_getAlignOf(canonical))
        return RecordType(name, size, is_union, lambda: self._fields(canonical), inside_type, alignment)

    def _fields(self, record: ClangType) -> tuple[Field, ...]:
        return tuple(self.field(cursor) for cursor in fields(record))

    def field(self, cursor: ClangCursor) -> Field:
        """A member of a record."""
        lib = library()
        start: int = lib.clang_Cursor_getOffsetOfField(cursor)
        bits = (
            (start, lib.clang_getFieldDeclBitWidth(cursor)) if lib.clang_Cursor_isBitField(cursor) else None
        )
        name = text(lib.clang_getCursorSpelling(cursor))
        if "(anonymous" in name or "(unnamed" in name:
            name = ""
        clang_type = lib.clang_getCursorType(cursor)
        return Field(name, start // 8, self.of_cursor(cursor), bits, is_constant(clang_type))

    def _function(self, canonical: ClangType) -> FunctionType:
        lib = library()
        count = max(0, lib.clang_getNumArgTypes(canonical))
        parameters = tuple(self.convert(lib.clang_getArgType(canonical, i)) for i in range(count))
        result = self.convert(lib.clang_getResultType(canonical))
        has_prototype = canonical.kind == TypeKind.FUNCTION
        is_variadic = has_prototype and bool(lib.clang_isFunctionTypeVariadic(canonical))
        return FunctionType(result, parameters, has_prototype, is_variadic=is_variadic)


def _integer(canonical: ClangType) -> IntegerType:
    is_signed = canonical.kind in SIGNED_TYPES
    width = 8 * library().clang_Type_getSizeOf(canonical)
    if canonical.kind in (TypeKind.CHAR_S, TypeKind.CHAR_U):
        return IntegerType(width, is_signed, Display.CHAR)
    return IntegerType(width, is_signed, Display.SIGNED if is_signed else Display.UNSIGNED)


def _is_of_library(record: ClangType) -> bool:
    """Whether a record is a library's: its members have names that programs must not use."""
    names = [text(library().clang_getCursorSpelling(member)) for member in fields(record)]
    return all(name.startswith("__") for name in names)
