"""The syntax tree that is lowered: clang's, read once, without what does not matter for meaning.

Crossing into the C library is what costs time in a front end in Python. A function's tree is therefore read
in one visit, types are looked up in a table, and everything else (names, places, values of literals) is asked
for only when the lowering needs it.
"""

import math
from collections.abc import Iterator
from enum import Enum
from fractions import Fraction

from sley.base.source import Span
from sley.frontend import clang_library as clang
from sley.frontend.c_types import (
    VOID,
    ArrayType,
    CType,
    Field,
    FloatType,
    FunctionType,
    PointerType,
    VariableArrayType,
    unatomic,
)
from sley.frontend.clang_library import ClangCursor, CursorKind, StorageClass, library
from sley.frontend.literals import floating_literal
from sley.frontend.parse import TranslationUnit

_FIRST_EXPRESSION, _LAST_EXPRESSION = CursorKind.UNEXPOSED_EXPRESSION, 199
_DECLARATIONS_WITH_TYPE = frozenset({CursorKind.VARIABLE, CursorKind.PARAMETER, CursorKind.TYPE_REFERENCE})
_SKIPPED = frozenset(
    {CursorKind.STRUCT, CursorKind.UNION, CursorKind.ENUM, CursorKind.TYPEDEF, CursorKind.STATIC_ASSERT}
)
_FIRST_ATTRIBUTE, _LAST_ATTRIBUTE = 400, 499
_INVALID_KINDS = range(70, 74)

_DOUBLE = 8
_LONGEST_LITERAL = 400

_UNARY_STEPS = frozenset({1, 2, 3, 4})
_ADDRESS_OF = 5
_OPERANDS_USED_AT_ONCE = {
    "__sley_atomic_load_into": 1,
    "__sley_atomic_store_from": 1,
    "__sley_atomic_exchange_into": 2,
    "__sley_atomic_compare_exchange": 1,
    "__sley_atomic_compare_exchange_from": 2,
    "__sley_atomic_compare_exchange_strong": 1,
    "__sley_atomic_compare_exchange_weak": 1,
}
"""Atomic operations that look behind this many pointers after the first, and forget them."""
STACK_ALLOCATORS = frozenset({"alloca", "__builtin_alloca", "__builtin_alloca_with_align"})
_WRAPPERS = frozenset({CursorKind.PARENTHESES, CursorKind.UNEXPOSED_EXPRESSION})
_DECAYING = (ArrayType, VariableArrayType, FunctionType)
_VALUES = frozenset(
    {
        CursorKind.CALL,
        CursorKind.BINARY,
        CursorKind.COMPOUND_ASSIGNMENT,
        CursorKind.CONDITIONAL,
        CursorKind.CAST,
        CursorKind.STATEMENT_EXPRESSION,
    }
)
"""Expressions that are never arrays; so are steps (``++``)."""


class UnsupportedConstructError(Exception):
    """The lowering met a construct that it does not know; collected, never shown as such."""

    def __init__(self, what: str, span: Span | None) -> None:
        super().__init__(what)
        self.what = what
        self.span = span


class DeclarationKind(Enum):
    """What a name can stand for in an expression."""

    FUNCTION = "function"
    GLOBAL = "global"
    """At file scope, or ``extern`` in a function: known by its name."""
    STATIC_LOCAL = "static local"
    LOCAL = "local"
    CONSTANT = "constant"
    """A member of an enumeration."""


class Declaration:
    """What a name refers to."""

    __slots__ = (
        "ctype",
        "cursor",
        "is_address_taken",
        "is_internal",
        "is_thread_local",
        "kind",
        "name",
        "unit",
    )

    def __init__(self, unit: TranslationUnit, cursor: ClangCursor) -> None:
        lib = library()
        self.unit = unit
        self.cursor = cursor
        self.name = clang.text(lib.clang_getCursorSpelling(cursor))
        is_parameter = cursor.kind == CursorKind.PARAMETER
        self.ctype = unit.types.of_parameter(cursor) if is_parameter else unit.types.of_cursor(cursor)
        linkage = lib.clang_getCursorLinkage(cursor)
        self.is_internal: bool = linkage == clang.INTERNAL_LINKAGE
        self.is_thread_local: bool = bool(lib.clang_getCursorTLSKind(cursor))
        self.is_address_taken = False
        self.kind = self._kind(linkage)

    @property
    def is_constant(self) -> bool:
        """Whether the object is defined with ``const``: no program may write it (C11 6.7.3p6)."""
        return clang.is_constant(library().clang_getCursorType(self.cursor))

    def _kind(self, linkage: int) -> DeclarationKind:
        match self.cursor.kind:
            case CursorKind.FUNCTION:
                return DeclarationKind.FUNCTION
            case CursorKind.ENUM_CONSTANT:
                return DeclarationKind.CONSTANT
            case _ if linkage != clang.NO_LINKAGE:
                return DeclarationKind.GLOBAL
            case _ if library().clang_Cursor_getStorageClass(self.cursor) == StorageClass.STATIC:
                return DeclarationKind.STATIC_LOCAL
            case _:
                return DeclarationKind.LOCAL


class SyntaxNode:
    """A statement, an expression or a declaration inside a function."""

    __slots__ = ("_declaration", "_reader", "assigns", "children", "ctype", "cursor", "kind")

    def __init__(self, reader: "TreeReader", cursor: ClangCursor, kind: int) -> None:
        self._reader = reader
        self.cursor = cursor
        self.kind = kind
        self.children: list[SyntaxNode] = []
        self._declaration: Declaration | None = None
        self.assigns = False
        """Whether a variable is assigned somewhere inside."""
        has_type = _FIRST_EXPRESSION <= kind <= _LAST_EXPRESSION or kind in _DECLARATIONS_WITH_TYPE
        self.ctype: CType = reader.unit.types.of_cursor(cursor) if has_type else VOID

    @property
    def unit(self) -> TranslationUnit:
        """The file."""
        return self._reader.unit

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self._reader.unit.span(self.cursor)

    @property
    def text(self) -> str:
        """The C text."""
        return self._reader.unit.text(self.cursor)

    @property
    def name(self) -> str:
        """What clang calls it: a label's name, a literal's text, a member's name."""
        return clang.text(library().clang_getCursorSpelling(self.cursor))

    @property
    def declaration(self) -> Declaration:
        """What a reference refers to, or the variable that is declared here."""
        if self._declaration is None:
            self._declaration = self._reader.declaration(self.cursor)
        return self._declaration

    @property
    def member(self) -> Field:
        """The member that a member expression or designator names."""
        return self._reader.field(self.cursor)

    @property
    def label(self) -> int | None:
        """The identity of the label that a ``goto`` or a label statement is about."""
        target = self.cursor if self.kind == CursorKind.LABEL else None
        if target is None:
            target = library().clang_getCursorReferenced(self.children[0].cursor)
        return target.data1

    @property
    def binary_operator(self) -> int:
        """Which binary operator."""
        return int(library().clang_getCursorBinaryOperatorKind(self.cursor))

    @property
    def unary_operator(self) -> int:
        """Which unary operator."""
        return int(library().clang_getCursorUnaryOperatorKind(self.cursor))

    @property
    def initialiser(self) -> "SyntaxNode | None":
        """The initialiser of a declared variable."""
        expression: ClangCursor = library().clang_Cursor_getVarDeclInitializer(self.cursor)
        if expression.kind in _INVALID_KINDS:
            return None
        for child in reversed(self.children):
            if child.cursor.data1 == expression.data1:
                return child
        return None

    def constant(self) -> int | float | Fraction | None:
        """The value that clang computes for the expression, if it is constant."""
        lib = library()
        result = lib.clang_Cursor_Evaluate(self.cursor)
        if not result:
            return None
        value: int | float | Fraction | None = None
        match lib.clang_EvalResult_getKind(result):
            case 1 if lib.clang_EvalResult_isUnsignedInt(result):
                value = int(lib.clang_EvalResult_getAsUnsigned(result))
            case 1:
                value = int(lib.clang_EvalResult_getAsLongLong(result))
            case 2:
                value = self._floating(float(lib.clang_EvalResult_getAsDouble(result)))
            case _:
                pass
        lib.clang_EvalResult_dispose(result)
        return value

    def _floating(self, nearest: float) -> float | Fraction | None:
        """A floating constant of which clang tells the nearest ``double``: exactly, or not at all."""
        if not isinstance(self.ctype, FloatType) or self.ctype.size <= _DOUBLE:
            return nearest
        if self.kind == CursorKind.FLOATING:
            return floating_literal(self.unit.written(self.cursor, _LONGEST_LITERAL))
        is_builtin = self.kind == CursorKind.CALL and not math.isfinite(nearest)
        return nearest if is_builtin else None

    def plain_constant(self) -> int | float | Fraction | None:
        """The constant value of an expression that need not be evaluated: clang ignores side effects."""
        return None if self.assigns or any(_is_call(part) for part in self.walk()) else self.constant()

    def inner(self) -> "SyntaxNode":
        """The expression without parentheses and implicit conversions around it."""
        node = self
        while node.kind in _WRAPPERS and len(node.children) == 1:
            node = node.children[0]
        return node

    def uncast(self) -> "SyntaxNode":
        """The same, without casts of one pointer to another, too."""
        node = self.inner()
        while node.kind == CursorKind.CAST and isinstance(node.ctype, PointerType):
            inner = node.children[-1].inner()
            if not isinstance(inner.ctype, PointerType | ArrayType):
                break
            node = inner
        return node

    def walk(self) -> Iterator["SyntaxNode"]:
        """The node and everything inside, in order of the text."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def unsupported(self, what: str) -> UnsupportedConstructError:
        """The error to raise for a construct that the lowering does not know."""
        return UnsupportedConstructError(what, self.span)


class TreeReader:
    """Reads trees of one translation unit; declarations and members are looked up once."""

    def __init__(self, unit: TranslationUnit) -> None:
        self.unit = unit
        self._declarations: dict[int | None, Declaration] = {}
        self._fields: dict[int | None, Field] = {}
        self._trees: dict[int | None, SyntaxNode] = {}
        self.makes_stack_blocks: set[SyntaxNode] = set()
        """The functions that call ``alloca``, among those that were read."""

    def declaration(self, cursor: ClangCursor) -> Declaration:
        """What a cursor declares or refers to."""
        if cursor.kind not in (CursorKind.VARIABLE, CursorKind.PARAMETER):
            cursor = library().clang_getCursorReferenced(cursor)
        found = self._declarations.get(cursor.data0)
        if found is None:
            found = Declaration(self.unit, cursor)
            self._declarations[cursor.data0] = found
        return found

    def field(self, cursor: ClangCursor) -> Field:
        """The member that a cursor refers to."""
        target: ClangCursor = library().clang_getCursorReferenced(cursor)
        found = self._fields.get(target.data0)
        if found is None:
            found = self.unit.types.field(target)
            self._fields[target.data0] = found
        return found

    def read(self, root: ClangCursor) -> SyntaxNode:
        """The tree below the declaration ``root``."""
        known = self._trees.get(root.data0)
        if known is None:
            known = self._trees[root.data0] = self._read(root)
        return known

    def _read(self, root: ClangCursor) -> SyntaxNode:
        top = SyntaxNode(self, root, root.kind)
        path: list[SyntaxNode] = [top]
        written: list[SyntaxNode] = []

        def visitor(cursor: ClangCursor, parent: ClangCursor) -> int:
            kind = cursor.kind
            if kind in _SKIPPED or _FIRST_ATTRIBUTE <= kind <= _LAST_ATTRIBUTE:
                return clang.VISIT_CONTINUE
            while not _is_same(path[-1].cursor, parent):
                path.pop()
            if kind == CursorKind.TYPE_REFERENCE and path[-1].kind != CursorKind.SIZE_OF:
                return clang.VISIT_CONTINUE
            node = SyntaxNode(self, cursor, kind)
            path[-1].children.append(node)
            if isinstance(node.ctype, _DECAYING):
                written.append(node)
            if _is_assignment(node):
                for outer in path:
                    outer.assigns = True
                node.assigns = True
            path.append(node)
            return clang.VISIT_RECURSE

        clang.visit(root, visitor)
        for node in reversed(written):
            if not _stays_array(node):
                node.ctype = self.unit.types.decayed(node.ctype)
        if _mark_address_taken(top):
            self.makes_stack_blocks.add(top)
        return top


def addressed_variable(node: SyntaxNode) -> SyntaxNode | None:
    """``x`` if the expression is ``&x``, whatever conversions are around it."""
    inner = node.inner()
    if inner.kind != CursorKind.UNARY or inner.unary_operator != _ADDRESS_OF:
        return None
    target = inner.children[0].inner()
    return target if target.kind == CursorKind.REFERENCE else None


def _mark_address_taken(top: SyntaxNode) -> bool:
    """Note which variables have their address taken by more than an atomic operation that is done at once.

    On the way: whether there is a call that makes a block on the stack.
    """
    exempt: set[int] = set()
    makes_blocks = False
    for node in top.walk():
        if node.kind == CursorKind.CALL:
            name = node.name
            makes_blocks = makes_blocks or name in STACK_ALLOCATORS
            used_at_once = node.children[2 : 2 + _OPERANDS_USED_AT_ONCE.get(name, 0)]
            exempt |= {id(argument.inner()) for argument in used_at_once}
        elif node.kind == CursorKind.UNARY and id(node) not in exempt:
            target = addressed_variable(node)
            if target is not None:
                target.declaration.is_address_taken = True
    return makes_blocks


def _stays_array(node: SyntaxNode) -> bool:
    """Whether an expression that clang calls an array or a function is one.

    Where the type of a parameter matters, clang tells how it was written: for the parameter, for its value,
    and for all that gets the same type, such as a null pointer that it is compared with.
    """
    match node.kind:
        case CursorKind.REFERENCE:
            return node.declaration.cursor.kind != CursorKind.PARAMETER
        case CursorKind.PARENTHESES:
            return not isinstance(node.children[0].ctype, PointerType)
        case CursorKind.SUBSCRIPT:
            return _points_to_arrays(node.children[0]) or _points_to_arrays(node.children[1])
        case CursorKind.UNARY if node.unary_operator == clang.Unary.DEREFERENCE:
            return _points_to_arrays(node.children[0])
        case CursorKind.UNARY if node.unary_operator == clang.Unary.EXTENSION:
            return not isinstance(node.children[0].ctype, PointerType)
        case CursorKind.UNEXPOSED_EXPRESSION:  # a conversion, unless `__func__` or an initialiser
            return len(node.children) != 1 or node.children[0].kind == CursorKind.STRING
        case CursorKind.GENERIC_SELECTION:
            return any(choice.ctype is node.ctype for choice in node.children[1:])
        case CursorKind.UNARY:
            return node.unary_operator not in _UNARY_STEPS
        case kind:
            return kind not in _VALUES


def _points_to_arrays(node: SyntaxNode) -> bool:
    """Whether what a pointer points to is an array or a function; a function points to itself."""
    ctype = node.unit.types.decayed(unatomic(node.ctype))
    return isinstance(ctype, PointerType) and isinstance(ctype.pointee, _DECAYING)


def _is_same(a: ClangCursor, b: ClangCursor) -> bool:
    return a.data1 == b.data1 and a.data0 == b.data0 and a.kind == b.kind


def _is_call(node: SyntaxNode) -> bool:
    """Whether it is a call that might do something."""
    return node.kind == CursorKind.CALL and not node.name.startswith("__builtin_")


def _is_assignment(node: SyntaxNode) -> bool:
    match node.kind:
        case CursorKind.COMPOUND_ASSIGNMENT:
            return True
        case CursorKind.BINARY:
            return node.binary_operator == clang.Binary.ASSIGN
        case CursorKind.UNARY:
            return node.unary_operator in _UNARY_STEPS
        case _:
            return False
