"""Where the scalars of a C type are: layouts of objects, and the scalars of an aggregate."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from sley.frontend.c_types import (
    BYTE,
    ArrayType,
    AtomicType,
    BoolType,
    CType,
    Field,
    FloatType,
    IntegerType,
    OtherType,
    PointerType,
    RecordType,
    unatomic,
)
from sley.logic.sorts import bitvec
from sley.program.memory import Cell, Display, Layout

UNROLLED_ROW = 512
"""Inner dimensions up to this many bytes are listed scalar by scalar, so that ``a[1][2]`` is called that."""

LARGEST_TAIL = 4096
"""Bytes of an object with a flexible array member up to which its elements are listed."""
SHORT_TAIL = 32
"""So many elements are listed where the number of bytes is not known."""

_NOTHING = (Cell(0, bitvec(8), "", Display.HIDDEN),)
"""What an empty struct holds: every object has at least one cell."""


class NoLayoutError(Exception):
    """The type has no scalars that we model; the text says which type."""


@cache
def cells_of(ctype: CType) -> tuple[Cell, ...]:
    """All scalars of one value of the type, in order of their offsets."""
    match ctype:
        case BoolType() | IntegerType() | FloatType() | PointerType():
            return (Cell(0, ctype.sort, "", ctype.display),)
        case AtomicType():
            return cells_of(ctype.value)
        case ArrayType():
            inner = cells_of(ctype.element)
            return tuple(
                Cell(i * ctype.element.size + c.offset, c.sort, f"[{i}]{c.path}", c.display)
                for i in range(ctype.count)
                for c in inner
            )
        case RecordType():
            return _record_cells(ctype)
        case _:
            raise NoLayoutError(describe(ctype))


def describe(ctype: CType) -> str:
    """What a type that is not modelled is called."""
    if isinstance(ctype, OtherType):
        return ctype.what
    name = getattr(ctype, "name", "")
    return (
        f"the type `{name}`"
        if name
        else f"an object of {type(ctype).__name__.removesuffix('Type').lower()} type"
    )


def _record_cells(record: RecordType) -> tuple[Cell, ...]:
    if record.inside is not None:
        return tuple(Cell(c.offset, c.sort, c.path, Display.HIDDEN) for c in cells_of(record.inside))
    if record.is_union:
        return _union_cells(record)
    cells: dict[int, Cell] = {}
    for member in record.fields:
        cells |= {cell.offset: cell for cell in _member_cells(member) if cell.offset not in cells}
    return tuple(cells[offset] for offset in sorted(cells))


def _member_cells(member: Field) -> list[Cell]:
    if member.bits is not None:
        return _bit_field_cells(member)
    path = f".{member.name}" if member.name else ""
    return [
        Cell(member.offset + cell.offset, cell.sort, path + cell.path, cell.display)
        for cell in cells_of(member.ctype)
    ]


def _union_cells(union: RecordType) -> tuple[Cell, ...]:
    """The scalars of the largest member, and single bytes where only other members have something."""
    if not union.fields:
        return ()
    largest = max(union.fields, key=lambda member: member.ctype.size)
    cells = {cell.offset: cell for cell in _member_cells(largest)}
    covered = {byte for cell in cells.values() for byte in range(cell.offset, cell.offset + cell.size)}
    for member in union.fields:
        for cell in _member_cells(member):
            for byte in range(cell.offset, cell.offset + cell.size):
                if byte not in covered:
                    covered.add(byte)
                    cells[byte] = Cell(byte, bitvec(8), f"[byte {byte}]", Display.HIDDEN)
    return tuple(cells[offset] for offset in sorted(cells))


@dataclass(frozen=True, slots=True)
class Piece:
    """Some bytes of an object, all in one scalar or several whole ones."""

    offset: int
    size: int
    cell: Cell
    """The scalar they begin in."""

    @property
    def first(self) -> int:
        """The first byte, counted from that of the scalar."""
        return self.offset - self.cell.offset


@cache
def left_open(union: RecordType, member: Field) -> tuple[Piece, ...]:
    """The bytes that belong to other members of a union only."""
    try:
        cells = cells_of(union)
    except NoLayoutError:
        return ()
    covered = member.end
    pieces: list[Piece] = []
    for cell in cells:
        at, end = max(cell.offset, covered), cell.offset + cell.size
        while at < end:
            size = end - at if at == cell.offset else (at - cell.offset) & -(at - cell.offset)
            pieces.append(Piece(at, size, cell))
            at += size
    return tuple(pieces)


def _bit_field_cells(member: Field) -> list[Cell]:
    """The bytes that a bit-field has a share in: neighbours share them, so each byte is a cell."""
    assert member.bits is not None
    first, width = member.bits
    if width == 0:
        return []
    return [
        Cell(byte, bitvec(8), "", Display.HIDDEN) for byte in range(first // 8, (first + width - 1) // 8 + 1)
    ]


@cache
def layout_of(ctype: CType) -> Layout:
    """The layout of an object of this type."""
    is_repeated = isinstance(ctype, ArrayType) and ctype.count != 1  # the only one is called ``[0]`` anyway
    whole = ctype.element if isinstance(ctype, ArrayType) and is_repeated else ctype
    if whole is not ctype and isinstance(whole, ArrayType) and whole.size > UNROLLED_ROW:
        return layout_of(whole)
    return Layout(cells_of(whole) or _NOTHING, max(1, whole.size))


@cache
def declared_layout(ctype: CType) -> Layout:
    """The layout of a variable: unlike a block of the heap, it has members that are ``const`` for good."""
    layout = layout_of(ctype)
    element = ctype
    while isinstance(element, ArrayType) and element.size > layout.stride:
        element = element.element
    found = tuple(_constant_bytes(element))
    return replace(layout, constant=found) if found else layout


def _constant_bytes(ctype: CType) -> Iterator[tuple[int, int]]:
    match unatomic(ctype):
        case ArrayType(element=element, count=count):
            inner = list(_constant_bytes(element))
            for index in range(count if inner else 0):
                yield from ((low + index * element.size, high + index * element.size) for low, high in inner)
        case RecordType(is_union=False, inside=None, fields=members):
            for member in members:
                if member.is_constant and member.bits is None:
                    yield member.offset, member.offset + member.ctype.size
                elif member.bits is None:
                    inner = list(_constant_bytes(member.ctype))
                    yield from ((low + member.offset, high + member.offset) for low, high in inner)
        case _:
            pass


@cache
def is_flexible(ctype: CType) -> bool:
    """Whether the type is a struct whose last member is an array without a size."""
    if not isinstance(ctype, RecordType) or ctype.is_union or not ctype.fields:
        return False
    last = ctype.fields[-1].ctype
    return is_flexible(last) or (isinstance(last, ArrayType) and last.count == 0)


def flexible_layout(record: RecordType, size: int | None) -> Layout:
    """A struct whose last member is an array without a size, followed by as many elements as there are.

    Where that is not known, there are some, and what is behind them lies in another such struct.
    """
    last = record.fields[-1]
    if size == 0 or not isinstance(last.ctype, ArrayType):
        return layout_of(BYTE)
    item = last.ctype.element
    if size is None or size > LARGEST_TAIL:
        size = last.offset + SHORT_TAIL * max(1, item.size)
        size += -size % max(1, record.alignment)
    cells = list(cells_of(record))
    for index in range(max(0, size - last.offset) // max(1, item.size)):
        start = last.offset + index * item.size
        cells += [
            Cell(start + c.offset, c.sort, f".{last.name}[{index}]{c.path}", c.display)
            for c in cells_of(item)
        ]
    return Layout(tuple(cells), size)


def forget_layouts() -> None:
    """Of no use to another program: kept, they would keep all types of this one."""
    for function in (cells_of, layout_of, declared_layout, is_flexible, left_open):
        function.cache_clear()
