"""The C interface of libclang, as far as the front end needs it.

The package ``libclang-ng`` ships a Python binding as well, but that one makes an object per question, lacks a
few functions, and takes longer to import than this module takes to load the library. Everything that knows
ctypes is here; the rest of the front end sees cursors and types as opaque values.
"""

import ctypes
import importlib.util
import os
import sys
from collections.abc import Callable
from ctypes import (
    POINTER,
    Structure,
    byref,
    c_char_p,
    c_double,
    c_int,
    c_longlong,
    c_uint,
    c_ulonglong,
    c_void_p,
)
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any

from sley.base.errors import InputError


class ClangCursor(Structure):
    """A node of clang's syntax tree."""

    _fields_ = (
        ("kind", c_int),
        ("xdata", c_int),
        ("data0", c_void_p),
        ("data1", c_void_p),
        ("data2", c_void_p),
    )
    kind: int
    data0: int | None
    """The declaration, or the one that a statement stands in."""
    data1: int | None
    """The statement or expression."""


class ClangType(Structure):
    """A type; ``data0`` identifies it, qualifiers included."""

    _fields_ = (("kind", c_int), ("data0", c_void_p), ("data1", c_void_p))
    kind: int
    data0: int | None


class _Location(Structure):
    _fields_ = (("pointers", c_void_p * 2), ("number", c_uint))


class _Range(Structure):
    _fields_ = (("pointers", c_void_p * 2), ("begin", c_uint), ("end", c_uint))


class _String(Structure):
    _fields_ = (("data", c_void_p), ("flags", c_uint))


class _UnsavedFile(Structure):
    _fields_ = (("name", c_char_p), ("contents", c_char_p), ("length", ctypes.c_ulong))


class CursorKind(IntEnum):
    """The kinds of cursors that the front end tells apart (values of ``CXCursorKind``)."""

    STRUCT = 2
    UNION = 3
    ENUM = 5
    FIELD = 6
    ENUM_CONSTANT = 7
    FUNCTION = 8
    VARIABLE = 9
    PARAMETER = 10
    TYPEDEF = 20
    TYPE_REFERENCE = 43
    MEMBER_REFERENCE = 47
    LABEL_REFERENCE = 48
    UNEXPOSED_EXPRESSION = 100
    REFERENCE = 101
    MEMBER = 102
    CALL = 103
    INTEGER = 106
    FLOATING = 107
    IMAGINARY = 108
    STRING = 109
    CHARACTER = 110
    PARENTHESES = 111
    UNARY = 112
    SUBSCRIPT = 113
    BINARY = 114
    COMPOUND_ASSIGNMENT = 115
    CONDITIONAL = 116
    CAST = 117
    COMPOUND_LITERAL = 118
    INITIALISERS = 119
    LABEL_ADDRESS = 120
    STATEMENT_EXPRESSION = 121
    GENERIC_SELECTION = 122
    SIZE_OF = 136
    UNEXPOSED_STATEMENT = 200
    LABEL = 201
    COMPOUND = 202
    CASE = 203
    DEFAULT = 204
    IF = 205
    SWITCH = 206
    WHILE = 207
    DO = 208
    FOR = 209
    GOTO = 210
    INDIRECT_GOTO = 211
    CONTINUE = 212
    BREAK = 213
    RETURN = 214
    ASM = 215
    NULL = 230
    DECLARATIONS = 231
    STATIC_ASSERT = 602


class TypeKind(IntEnum):
    """The kinds of types (values of ``CXTypeKind``)."""

    VOID = 2
    BOOL = 3
    CHAR_U = 4
    CHAR_S = 13
    FLOAT = 21
    DOUBLE = 22
    LONG_DOUBLE = 23
    POINTER = 101
    RECORD = 105
    ENUM = 106
    TYPEDEF = 107
    FUNCTION_WITHOUT_PROTOTYPE = 110
    FUNCTION = 111
    CONSTANT_ARRAY = 112
    INCOMPLETE_ARRAY = 114
    VARIABLE_ARRAY = 115
    ATOMIC = 177


UNSIGNED_TYPES = frozenset({4, 5, 6, 7, 8, 9, 10, 11, 12})
"""Unsigned integer types from ``char`` to ``unsigned __int128``."""
SIGNED_TYPES = frozenset({13, 14, 15, 16, 17, 18, 19, 20})
"""Signed integer types from ``char`` to ``__int128``."""


class Binary(IntEnum):
    """Binary operators (values of ``CXBinaryOperatorKind``); compound assignments are 20 above theirs."""

    MUL = 3
    DIV = 4
    REM = 5
    ADD = 6
    SUB = 7
    SHL = 8
    SHR = 9
    LT = 11
    GT = 12
    LE = 13
    GE = 14
    EQ = 15
    NE = 16
    AND = 17
    XOR = 18
    OR = 19
    LOGICAL_AND = 20
    LOGICAL_OR = 21
    ASSIGN = 22
    MUL_ASSIGN = 23
    DIV_ASSIGN = 24
    REM_ASSIGN = 25
    ADD_ASSIGN = 26
    SUB_ASSIGN = 27
    SHL_ASSIGN = 28
    SHR_ASSIGN = 29
    AND_ASSIGN = 30
    XOR_ASSIGN = 31
    OR_ASSIGN = 32
    COMMA = 33


COMPUTED_BY = {op: Binary[op.name.removesuffix("_ASSIGN")] for op in Binary if op.name.endswith("_ASSIGN")}
"""The operator inside a compound assignment."""


class Unary(IntEnum):
    """Unary operators (values of ``CXUnaryOperatorKind``)."""

    POST_INCREMENT = 1
    POST_DECREMENT = 2
    PRE_INCREMENT = 3
    PRE_DECREMENT = 4
    ADDRESS_OF = 5
    DEREFERENCE = 6
    PLUS = 7
    MINUS = 8
    NOT = 9
    LOGICAL_NOT = 10
    REAL = 11
    IMAGINARY = 12
    EXTENSION = 13


class StorageClass(IntEnum):
    """Where C puts an object (values of ``CX_StorageClass``)."""

    NONE = 1
    EXTERN = 2
    STATIC = 3


NO_LINKAGE, INTERNAL_LINKAGE = 1, 2

VISIT_CONTINUE, VISIT_RECURSE = 1, 2

_Visitor = ctypes.CFUNCTYPE(c_int, ClangCursor, ClangCursor, c_void_p)
_FieldVisitor = ctypes.CFUNCTYPE(c_int, ClangCursor, c_void_p)
_InclusionVisitor = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_uint, c_void_p)

_SOURCE = [c_void_p, c_char_p, POINTER(c_char_p), c_int]
_PLACE = [_Location, POINTER(c_void_p), POINTER(c_uint), POINTER(c_uint), POINTER(c_uint)]
_SIGNATURES: list[tuple[list[Any], Any, str]] = [
    ([c_int, c_int], c_void_p, "createIndex"),
    ([*_SOURCE, POINTER(_UnsavedFile), c_uint, c_uint, POINTER(c_void_p)], c_int, "parseTranslationUnit2"),
    ([c_void_p], None, "disposeIndex disposeTranslationUnit disposeDiagnostic EvalResult_dispose"),
    ([c_void_p], ClangCursor, "getTranslationUnitCursor"),
    ([c_void_p], c_uint, "getNumDiagnostics EvalResult_isUnsignedInt"),
    ([c_void_p, c_uint], c_void_p, "getDiagnostic"),
    ([c_void_p], c_int, "getDiagnosticSeverity EvalResult_getKind"),
    ([c_void_p], _String, "getDiagnosticSpelling getFileName"),
    ([c_void_p], _Location, "getDiagnosticLocation"),
    ([_String], c_char_p, "getCString"),
    ([_String], None, "disposeString"),
    ([ClangCursor, _Visitor, c_void_p], c_uint, "visitChildren"),
    ([ClangType, _FieldVisitor, c_void_p], c_uint, "Type_visitFields"),
    ([c_void_p, _InclusionVisitor, c_void_p], None, "getInclusions"),
    ([c_void_p, c_void_p, c_uint], _Location, "getLocationForOffset"),
    ([_Location], c_int, "Location_isInSystemHeader Location_isFromMainFile"),
    ([ClangCursor], _String, "getCursorSpelling Cursor_getGCCAssemblyTemplate"),
    ([ClangCursor], ClangCursor, "getCursorReferenced Cursor_getVarDeclInitializer getCursorDefinition"),
    ([ClangCursor], ClangType, "getCursorType getEnumDeclIntegerType"),
    ([ClangCursor], _Range, "getCursorExtent"),
    ([ClangCursor], _Location, "getCursorLocation"),
    ([ClangCursor], c_int, "getCursorLinkage getCursorTLSKind Cursor_getStorageClass Cursor_getNumArguments"),
    ([ClangCursor], c_int, "getCursorBinaryOperatorKind getCursorUnaryOperatorKind getFieldDeclBitWidth"),
    ([ClangCursor], c_uint, "Cursor_isFunctionInlined Cursor_hasAttrs isCursorDefinition Cursor_isBitField"),
    ([ClangCursor], c_uint, "Cursor_getGCCAssemblyNumOutputs Cursor_isGCCAssemblyHasGoto"),
    ([ClangCursor], c_uint, "Cursor_getGCCAssemblyNumInputs Cursor_getGCCAssemblyNumClobbers"),
    ([ClangCursor, c_void_p], _String, "getCursorPrettyPrinted"),
    ([ClangCursor, c_uint, POINTER(_String), POINTER(ClangCursor)], c_uint, "Cursor_getGCCAssemblyOutput"),
    ([ClangCursor, c_uint, POINTER(_String), POINTER(ClangCursor)], c_uint, "Cursor_getGCCAssemblyInput"),
    ([ClangCursor, c_uint], _String, "Cursor_getGCCAssemblyClobber"),
    ([ClangCursor, c_uint], ClangCursor, "Cursor_getArgument"),
    ([_Range], _Location, "getRangeStart getRangeEnd"),
    (_PLACE, None, "getExpansionLocation getSpellingLocation"),
    ([_Location, POINTER(_String), POINTER(c_uint), POINTER(c_uint)], None, "getPresumedLocation"),
    ([c_void_p, c_void_p, POINTER(ctypes.c_size_t)], c_void_p, "getFileContents"),
    ([ClangCursor], c_void_p, "Cursor_Evaluate"),
    ([c_void_p], c_longlong, "EvalResult_getAsLongLong"),
    ([c_void_p], c_ulonglong, "EvalResult_getAsUnsigned"),
    ([c_void_p], c_double, "EvalResult_getAsDouble"),
    ([ClangType], ClangType, "getCanonicalType getPointeeType getArrayElementType"),
    ([ClangType], ClangType, "getResultType Type_getValueType getUnqualifiedType"),
    ([ClangType], _String, "getTypeSpelling"),
    ([ClangType], c_uint, "isConstQualifiedType isVolatileQualifiedType isFunctionTypeVariadic"),
    ([ClangType], ClangCursor, "getTypeDeclaration"),
    ([ClangType], c_longlong, "getArraySize Type_getSizeOf Type_getAlignOf"),
    ([ClangType], c_int, "getNumArgTypes"),
    ([ClangType, c_uint], ClangType, "getArgType"),
    ([ClangCursor], c_longlong, "Cursor_getOffsetOfField"),
]
"""Arguments and result, and the functions that have them, without ``clang_`` in front."""

_FILE_NAMES = {"darwin": "libclang.dylib", "win32": "libclang.dll"}


def _package() -> Path:
    spec = importlib.util.find_spec("clang")
    if spec is None or not spec.submodule_search_locations:
        raise InputError("the C parser is missing: install the package libclang-ng")
    return Path(next(iter(spec.submodule_search_locations))) / "native"


def resource_directory() -> Path:
    """Where clang's own headers are (``stddef.h``, ``stdatomic.h``...)."""
    return _package() / "resource"


@cache
def library() -> ctypes.CDLL:
    """The library, loaded on first use, with the signatures of all functions that we call."""
    loaded = ctypes.CDLL(str(_package() / _FILE_NAMES.get(sys.platform, "libclang.so")))
    for arguments, result, names in _SIGNATURES:
        for name in names.split():
            function = getattr(loaded, f"clang_{name}")
            function.argtypes, function.restype = arguments, result
    return loaded


def assembly_outputs(cursor: ClangCursor) -> list[str]:
    """The constraints of what an ``asm`` statement writes, such as ``=r``."""
    lib = library()
    constraints: list[str] = []
    for number in range(lib.clang_Cursor_getGCCAssemblyNumOutputs(cursor)):
        constraint, expression = _String(), ClangCursor()
        lib.clang_Cursor_getGCCAssemblyOutput(cursor, number, byref(constraint), byref(expression))
        constraints.append(text(constraint))
    return constraints


def assembly_inputs(cursor: ClangCursor) -> list[str]:
    """The constraints of what an ``asm`` statement reads: such as ``r``, or the number of an output."""
    lib = library()
    constraints: list[str] = []
    for number in range(lib.clang_Cursor_getGCCAssemblyNumInputs(cursor)):
        constraint, expression = _String(), ClangCursor()
        lib.clang_Cursor_getGCCAssemblyInput(cursor, number, byref(constraint), byref(expression))
        constraints.append(text(constraint))
    return constraints


def assembly_clobbers(cursor: ClangCursor) -> list[str]:
    """What else an ``asm`` statement changes, such as ``memory``."""
    count = library().clang_Cursor_getGCCAssemblyNumClobbers(cursor)
    return [text(library().clang_Cursor_getGCCAssemblyClobber(cursor, number)) for number in range(count)]


def enumeration_type(enumeration: ClangType) -> ClangType:
    """The integer type of an enumeration, which may have been declared before it was defined."""
    lib = library()
    declared = lib.clang_getTypeDeclaration(enumeration)
    defined: ClangCursor = lib.clang_getCursorDefinition(declared)
    is_defined = defined.kind == CursorKind.ENUM
    underlying: ClangType = lib.clang_getEnumDeclIntegerType(defined if is_defined else declared)
    return underlying


def parameters(function: ClangCursor) -> list[ClangCursor]:
    """The parameters of a function, without those in the types of its parameters and of its result."""
    lib = library()
    count = max(0, lib.clang_Cursor_getNumArguments(function))
    return [lib.clang_Cursor_getArgument(function, number) for number in range(count)]


def text(string: _String, *, is_name: bool = False) -> str:
    """The Python string, of the name of a file as Python has it; the C one is given back."""
    lib = library()
    value: bytes | None = lib.clang_getCString(string)
    result = "" if value is None else value.decode("utf-8", "surrogateescape" if is_name else "replace")
    lib.clang_disposeString(string)
    return result


def visit(cursor: ClangCursor, visitor: Callable[[ClangCursor, ClangCursor], int]) -> None:
    """Call ``visitor(node, parent)`` for each child; it says whether to go deeper."""
    failure: list[BaseException] = []

    def guarded(child: ClangCursor, parent: ClangCursor, _data: object) -> int:
        try:
            return visitor(child, parent)
        except BaseException as error:  # noqa: BLE001 - must not cross the C library; raised again below
            failure.append(error)
            return 0

    library().clang_visitChildren(cursor, _Visitor(guarded), None)
    if failure:
        raise failure[0]


def fields(record: ClangType) -> list[ClangCursor]:
    """The fields of a struct or union in order."""
    found: list[ClangCursor] = []

    def collect(field: ClangCursor, _data: object) -> int:
        found.append(field)
        return VISIT_CONTINUE

    library().clang_Type_visitFields(record, _FieldVisitor(collect), None)
    return found


def parse(index: int, path: str, arguments: list[str], unsaved: dict[str, bytes]) -> int | None:
    """Parse a file; the handle of the translation unit, or None if clang could not make one."""
    argument_array = (c_char_p * len(arguments))(*map(os.fsencode, arguments))
    files = (_UnsavedFile * max(1, len(unsaved)))()
    for slot, (name, contents) in zip(files, unsaved.items(), strict=False):
        slot.name, slot.contents, slot.length = os.fsencode(name), contents, len(contents)
    unit = c_void_p()
    library().clang_parseTranslationUnit2(
        index, os.fsencode(path), argument_array, len(arguments), files, len(unsaved), 0, byref(unit)
    )
    return unit.value


def is_constant(clang_type: ClangType) -> bool:
    """Whether objects of the type are ``const``: arrays are if their elements are."""
    lib = library()
    while True:
        if lib.clang_isConstQualifiedType(clang_type):
            return True
        element = lib.clang_getArrayElementType(clang_type)
        if element.kind == 0:
            return False
        clang_type = element


class ClangPosition:
    """A place in a file as the library tells it; one object is filled again and again."""

    __slots__ = ("_column", "_file", "_line", "_offset", "_references")

    def __init__(self) -> None:
        self._file, self._line, self._column, self._offset = c_void_p(), c_uint(), c_uint(), c_uint()
        self._references = tuple(byref(x) for x in (self._file, self._line, self._column, self._offset))

    def of_expansion(self, location: object) -> tuple[int | None, int, int, int]:
        """(file handle, line, column, offset), macros counted where they are used."""
        library().clang_getExpansionLocation(location, *self._references)
        return self._file.value, self._line.value, self._column.value, self._offset.value

    def of_spelling(self, location: object) -> tuple[int | None, int]:
        """(file handle, offset) of where a token is written, also if that is in a macro."""
        library().clang_getSpellingLocation(location, *self._references)
        return self._file.value, self._offset.value


def presumed(location: object) -> tuple[str, int, int]:
    """File, line and column as ``# line`` markers say."""
    file, line, column = _String(), c_uint(), c_uint()
    library().clang_getPresumedLocation(location, byref(file), byref(line), byref(column))
    return text(file, is_name=True), line.value, column.value


def written_files(unit: int, *, are_all: bool = False) -> list[int]:
    """The files that a unit was read from, but for those of the system unless all are wanted."""
    found: list[int] = []

    def collect(file: int, _stack: object, _length: int, _data: object) -> None:
        start = library().clang_getLocationForOffset(unit, file, 0)
        if are_all or not library().clang_Location_isInSystemHeader(start):
            found.append(file)

    library().clang_getInclusions(unit, _InclusionVisitor(collect), None)
    return found


def file_contents(unit: int, file: int) -> bytes:
    """The bytes of a file that clang has read."""
    size = ctypes.c_size_t()
    start = library().clang_getFileContents(unit, file, byref(size))
    return ctypes.string_at(start, size.value) if start else b""
