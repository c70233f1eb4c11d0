"""Initialisers: which expression goes where in an object.

clang shows initialiser lists as they were written. The rules of C for lists without inner braces and for
designators are applied here, with an explicit stack of the aggregates that are being filled.
"""

from dataclasses import dataclass

from sley.frontend.c_types import (
    ArrayType,
    BoolType,
    CType,
    Field,
    IntegerType,
    RecordType,
    VoidType,
    unatomic,
)
from sley.frontend.clang_library import CursorKind
from sley.frontend.layouts import Piece, left_open
from sley.frontend.syntax import SyntaxNode


@dataclass(frozen=True, slots=True)
class Initialiser:
    """One expression and the part of the object that it initialises."""

    offset: int
    ctype: CType
    node: SyntaxNode
    path: str
    bits: Field | None = None
    """Bit-fields: the member; ``offset`` is then that of its record."""


@dataclass(frozen=True, slots=True)
class Unspecified:
    """Bytes of a union behind the member that is initialised: C says nothing of them (6.2.6.1p7)."""

    offset: int
    piece: Piece
    """Counted from there."""
    path: str

    @property
    def bytes(self) -> range:
        """Counted from the start of the object."""
        return range(self.offset + self.piece.offset, self.offset + self.piece.offset + self.piece.size)


@dataclass
class _Frame:
    """An aggregate that is being filled; ``position`` is the next of its members."""

    ctype: RecordType | ArrayType
    offset: int
    path: str
    position: int = 0

    def is_full(self) -> bool:
        if isinstance(self.ctype, ArrayType):
            return self.ctype.count != 0 and self.position >= self.ctype.count
        limit = 1 if self.ctype.is_union else len(self.members())
        return self.position >= limit

    def members(self) -> list[Field]:
        """Members that an initialiser can be for: unnamed bit-fields are passed over."""
        assert isinstance(self.ctype, RecordType)
        return [f for f in self.ctype.fields if f.bits is None or f.name]

    def current(self) -> tuple[CType, int, str, Field | None]:
        """Type, offset, path and (for bit-fields) member of what comes next."""
        if isinstance(self.ctype, ArrayType):
            offset = self.offset + self.position * self.ctype.element.size
            return self.ctype.element, offset, f"{self.path}[{self.position}]", None
        member = self.members()[self.position]
        path = f"{self.path}.{member.name}" if member.name else self.path
        if member.bits is not None:
            return member.ctype, self.offset, path, member
        return member.ctype, self.offset + member.offset, path, None

    def left_open(self) -> list[Unspecified]:
        """What the next member of a union leaves of it."""
        if not isinstance(self.ctype, RecordType) or not self.ctype.is_union:
            return []
        member = self.members()[self.position]
        return [Unspecified(self.offset, piece, self.path) for piece in left_open(self.ctype, member)]

    def advance(self) -> None:
        self.position += 1
        if isinstance(self.ctype, RecordType) and self.ctype.is_union:
            self.position = len(self.ctype.fields)


Part = Initialiser | Unspecified


def parts_of(ctype: CType, node: SyntaxNode) -> list[Part]:
    """What initialises which part of an object; later parts override earlier ones."""
    found: list[Part] = []
    _initialise(ctype, 0, "", node, None, found)
    return found


def _initialise(
    ctype: CType, offset: int, path: str, node: SyntaxNode, bits: Field | None, found: list[Part]
) -> None:
    inner = node.inner()
    plain = unatomic(ctype)
    if inner.kind != CursorKind.INITIALISERS:
        found.append(Initialiser(offset, ctype, node, path, bits))
    elif isinstance(plain, RecordType | ArrayType) and not _is_braced_string(plain, inner):
        _fill(_Frame(plain, offset, path), inner, found)
    elif inner.children:
        _initialise(ctype, offset, path, inner.children[0], bits, found)


def _is_braced_string(ctype: CType, node: SyntaxNode) -> bool:
    return (
        isinstance(ctype, ArrayType)
        and isinstance(ctype.element, IntegerType)
        and len(node.children) == 1
        and node.children[0].inner().kind == CursorKind.STRING
    )


def _fill(base: _Frame, braces: SyntaxNode, found: list[Part]) -> None:
    stack = [base]
    for item in braces.children:
        if _is_designated(item):
            _designated(stack, item, found)
            continue
        while len(stack) > 1 and stack[-1].is_full():
            stack.pop()
            stack[-1].advance()
        if not stack[-1].is_full():
            _place(stack, item, found)


def _place(stack: list[_Frame], item: SyntaxNode, found: list[Part]) -> None:
    """Put an expression where the stack says, going into aggregates as far as it must."""
    while True:
        ctype, offset, path, bits = stack[-1].current()
        found.extend(stack[-1].left_open())
        plain = unatomic(ctype)
        if isinstance(plain, RecordType | ArrayType) and not _fits_whole(plain, item):
            stack.append(_Frame(plain, offset, path))
            continue
        _initialise(ctype, offset, path, item, bits, found)
        stack[-1].advance()
        return


def _fits_whole(ctype: RecordType | ArrayType, item: SyntaxNode) -> bool:
    inner = item.inner()
    if inner.kind == CursorKind.INITIALISERS:
        return True
    if isinstance(ctype, RecordType):
        return isinstance(unatomic(item.ctype), RecordType)
    return isinstance(ctype.element, IntegerType | BoolType) and inner.kind == CursorKind.STRING


def _is_designated(item: SyntaxNode) -> bool:
    return item.kind == CursorKind.UNEXPOSED_EXPRESSION and isinstance(item.ctype, VoidType)


def _designated(stack: list[_Frame], item: SyntaxNode, found: list[Part]) -> None:
    """``.member[index] = value``: filling goes on after the place that is named."""
    designators, value = item.children[:-1], item.children[-1]
    del stack[1:]
    for number, designator in enumerate(designators):
        if _is_range(designators, number):
            _fill_range(stack, designator, value, found)
            return
        if number > 0:
            _descend(stack, item)
        _select(stack, designator)
    _place(stack, value, found)


def _descend(stack: list[_Frame], item: SyntaxNode) -> None:
    ctype, offset, path, _ = stack[-1].current()
    plain = unatomic(ctype)
    if not isinstance(plain, RecordType | ArrayType):
        raise item.unsupported(f"this designator: `{item.text}`")
    stack.append(_Frame(plain, offset, path))


def _select(stack: list[_Frame], designator: SyntaxNode) -> None:
    """Move the innermost frame to what a designator names, into anonymous members if need be."""
    if designator.kind == CursorKind.MEMBER_REFERENCE:
        route = _route(stack[-1].members(), designator.member)
        if route is None:
            raise designator.unsupported("this designator")
        for number, position in enumerate(route):
            if number > 0:
                _descend(stack, designator)
            stack[-1].position = position
        return
    index = designator.constant()
    if not isinstance(index, int) or not isinstance(stack[-1].ctype, ArrayType):
        raise designator.unsupported("this designator")
    stack[-1].position = index


def _route(members: list[Field], wanted: Field) -> list[int] | None:
    """Positions that lead to a member, possibly through anonymous ones."""
    for position, member in enumerate(members):
        if member.name == wanted.name and member.ctype is wanted.ctype:
            return [position]
        if not member.name and isinstance(member.ctype, RecordType):
            rest = _route(_Frame(member.ctype, 0, "").members(), wanted)
            if rest is not None:
                return [position, *rest]
    return None


def _is_range(designators: list[SyntaxNode], number: int) -> bool:
    """Whether ``[a ... b]`` ends with this designator; ``[a][b]`` has the same tree."""
    if number == 0 or CursorKind.MEMBER_REFERENCE in (designators[number].kind, designators[number - 1].kind):
        return False
    between = designators[number].unit.between(designators[number - 1].cursor, designators[number].cursor)
    if between is None:
        raise designators[number].unsupported("an array designator inside a macro")
    return "..." in between


def _fill_range(stack: list[_Frame], last: SyntaxNode, value: SyntaxNode, found: list[Part]) -> None:
    frame = stack[-1]
    if value.assigns:
        raise value.unsupported("an initialiser with effects for a range")
    end = last.constant()
    assert isinstance(end, int)
    for position in range(frame.position, end + 1):
        frame.position = position
        _place(stack, value, found)
