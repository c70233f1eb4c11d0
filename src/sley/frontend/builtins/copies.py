"""Copying and filling memory, scalar by scalar, where the types say what the scalars are.

``memcpy`` and its kin work on bytes; their models do so too, which tears integers apart and cannot move a
pointer. Where both pointers point to the same type and the size is that of some objects of the type, a copy
moves each scalar in one piece instead. Everything else is left to the models.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from sley.frontend.builtins.cells import CellLoop
from sley.frontend.builtins.shapes import shaped
from sley.frontend.c_types import ArrayType, CType, OtherType, RecordType, VoidType, unatomic
from sley.frontend.calls import Calls, Handler
from sley.frontend.layouts import NoLayoutError, cells_of
from sley.frontend.syntax import SyntaxNode
from sley.frontend.writing import c_text
from sley.logic.sorts import BitVecSort, BoolSort
from sley.logic.terms import Term
from sley.program.instructions import Access
from sley.program.memory import Cell, Layout
from sley.program.properties import Failure, Property

MOST_SCALARS = 256
"""Larger copies are loops over the scalars."""


@dataclass(frozen=True, slots=True)
class _Scalar:
    """One scalar of what is copied: which element, and which cell of it."""

    element: int
    offset: int
    cell: Cell


def _scalars(ctype: CType, size: int | float | Fraction | None) -> list[_Scalar] | None:
    """The scalars of ``size`` bytes of objects of a type; None if that is not possible."""
    if not isinstance(size, int) or isinstance(ctype, VoidType | OtherType) or ctype.size == 0:
        return None
    count, rest = divmod(size, ctype.size)
    if rest or count * ctype.size > MOST_SCALARS * 8:
        return None
    try:
        cells = cells_of(ctype)
    except NoLayoutError:
        return None
    if count * len(cells) > MOST_SCALARS:
        return None
    return [_Scalar(i, i * ctype.size + cell.offset, cell) for i in range(count) for cell in cells]


def _element(ctype: CType) -> CType:
    while isinstance(ctype, ArrayType):
        ctype = ctype.element
    return unatomic(ctype)


def _is_same(one: CType, other: CType) -> bool:
    if isinstance(one, RecordType) or isinstance(other, RecordType):
        return one is other
    try:
        return [c.sort for c in cells_of(one)] == [c.sort for c in cells_of(other)]
    except NoLayoutError:
        return False


def _in_a_loop(calls: Calls, ctype: CType, size: int | float | Fraction | None) -> CellLoop | None:
    """A loop over the scalars of ``size`` bytes of objects of a type; None if that is not possible.

    The models do the same for bytes.
    """
    if not isinstance(size, int) or isinstance(ctype, VoidType | OtherType) or ctype.size == 0:
        return None
    if size % ctype.size:
        return None
    try:
        cells = cells_of(ctype)
    except NoLayoutError:
        return None
    if len(cells) > MOST_SCALARS or all(cell.size == 1 for cell in cells):
        return None
    return CellLoop(calls, Layout(tuple(cells), ctype.size))


def _access(calls: Calls, pointer: Term, argument: SyntaxNode, scalar: _Scalar) -> Access:
    terms = calls.terms
    address = terms.add(pointer, terms.bv(scalar.offset, terms.width(pointer)))
    return Access(address, scalar.cell.sort, text=_text(argument, scalar))


def _text(argument: SyntaxNode, scalar: _Scalar) -> str:
    base, path = c_text(argument), scalar.cell.path
    if base.startswith("&") and scalar.element == 0:
        return base[1:] + path
    if path.startswith(".") and scalar.element == 0:
        return f"{base}->{path[1:]}"
    return f"{base}[{scalar.element}]{path}"


def _require_apart(calls: Calls, to: Term, start: Term, size: int) -> None:
    """To copy between objects that overlap is undefined (C11 7.24.2.1p2)."""
    objects, terms, width = calls.objects, calls.terms, calls.objects.pointers.width
    is_same = objects.share_object(to, start)
    if size == 0 or is_same == terms.false:
        return
    offset = terms.sub(objects.offset_of(to), objects.offset_of(start))
    distance = terms.add(offset, terms.bv(size - 1, width))
    is_apart = terms.or_(terms.not_(is_same), terms.ule(terms.bv(2 * size - 1, width), distance))
    calls.emitter.check(is_apart, Failure(Property.DEREF, "overlap", "copy between objects that overlap"))


def _copy(*, may_overlap: bool) -> Handler:
    def handler(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
        target, source, size = arguments[:3]
        ctype = _element(calls.pointee(target))
        scalars = _scalars(ctype, size.plain_constant())
        if not _is_same(ctype, _element(calls.pointee(source))):
            return calls.of_model(node, arguments)
        if scalars is None:
            loop = None if may_overlap else _in_a_loop(calls, ctype, size.plain_constant())
            return calls.of_model(node, arguments) if loop is None else _copied(calls, loop, arguments)
        expressions, emitter = calls.expressions, calls.emitter
        to = expressions.stable(expressions.value(target), source)
        start = expressions.value(source)
        read = []
        with emitter.writing_out():
            if not may_overlap:
                _require_apart(calls, to, start, ctype.size * len({s.element for s in scalars}))
            for scalar in scalars:
                value = emitter.load(replace(_access(calls, start, source, scalar), is_copied=True))
                if may_overlap:
                    read.append(value)
                else:
                    emitter.store(_access(calls, to, target, scalar), value)
            for scalar, value in zip(scalars, read, strict=False):
                emitter.store(_access(calls, to, target, scalar), value)
        return to

    return handler


def _copied(calls: Calls, loop: CellLoop, arguments: list[SyntaxNode]) -> Term:
    target, source, size = arguments[:3]
    length = size.plain_constant()
    assert isinstance(length, int)
    to = calls.expressions.stable(calls.expressions.value(target), source)
    start = calls.expressions.value(source)

    def copy(cell: Cell, _done: int) -> None:
        read = replace(loop.access(start, cell, f"*{c_text(source)}"), is_copied=True)
        calls.emitter.store(loop.access(to, cell, f"*{c_text(target)}"), calls.emitter.load(read))

    with calls.emitter.writing_out():
        _require_apart(calls, to, start, length)
        loop.run(calls.terms.bv(length, calls.objects.pointers.width), copy)
    return to


def _fill(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    target, byte, size = arguments[:3]
    ctype = _element(calls.pointee(target))
    scalars = _scalars(ctype, size.plain_constant())
    content = byte.plain_constant()
    if not isinstance(content, int):
        return calls.of_model(node, arguments)
    if scalars is None:
        loop = _in_a_loop(calls, ctype, size.plain_constant())
        return calls.of_model(node, arguments) if loop is None else _filled_in(calls, loop, node, arguments)
    values = [_filled(calls, scalar.cell, content & 0xFF) for scalar in scalars]
    if None in values:
        return calls.of_model(node, arguments)
    to = calls.expressions.value(target)
    with calls.emitter.writing_out():
        for scalar, value in zip(scalars, values, strict=True):
            assert value is not None
            calls.emitter.store(_access(calls, to, target, scalar), value)
    return to


def _filled_in(calls: Calls, loop: CellLoop, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    target, byte, size = arguments[:3]
    length, content = size.plain_constant(), byte.plain_constant()
    assert isinstance(length, int)
    assert isinstance(content, int)
    values = {cell.sort: _filled(calls, cell, content & 0xFF) for cell in loop.cells}
    if None in values.values():
        return calls.of_model(node, arguments)
    to = calls.expressions.value(target)

    def fill(cell: Cell, _done: int) -> None:
        value = values[cell.sort]
        assert value is not None
        calls.emitter.store(loop.access(to, cell, f"*{c_text(target)}"), value)

    with calls.emitter.writing_out():
        loop.run(calls.terms.bv(length, calls.objects.pointers.width), fill)
    return to


def _filled(calls: Calls, cell: Cell, byte: int) -> Term | None:
    """The scalar all of whose bytes are ``byte``."""
    if byte == 0:
        return calls.terms.const(False if isinstance(cell.sort, BoolSort) else 0, cell.sort)
    if isinstance(cell.sort, BitVecSort):
        return calls.terms.bv(int.from_bytes(bytes([byte]) * cell.size, "little"), cell.sort.width)
    return None


_FUNCTIONS: dict[str, tuple[str, Handler]] = {
    "memcpy": ("ppi", _copy(may_overlap=False)),
    "memmove": ("ppi", _copy(may_overlap=True)),
    "memset": ("pii", _fill),
}

HANDLERS: dict[str, Handler] = {
    spelling: shaped(name, shape, handler)
    for name, (shape, handler) in _FUNCTIONS.items()
    for spelling in (name, f"__builtin_{name}", f"__builtin___{name}_chk")
}
