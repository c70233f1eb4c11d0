"""The heap: ``malloc``, ``calloc``, ``free``; a block's layout comes from how its address is used."""

from typing import TYPE_CHECKING

from sley.frontend.c_types import (
    BYTE,
    ArrayType,
    CType,
    IntegerType,
    PointerType,
    RecordType,
    VariableArrayType,
    VoidType,
    fixed_size,
    unatomic,
)
from sley.frontend.clang_library import CursorKind
from sley.frontend.layouts import NoLayoutError, cells_of, is_flexible, layout_of
from sley.frontend.syntax import Node
from sley.logic.terms import Term
from sley.program.instructions import Allocate, Free
from sley.program.memory import Cell, Layout

if TYPE_CHECKING:
    from sley.frontend.calls import Calls

LARGEST_TAIL = 4096
"""Bytes of a block with a flexible array member up to which its elements are listed."""


def _malloc(calls: "Calls", node: Node, _arguments: list[Node]) -> Term:
    return calls.allocate(node, None)


def _free(calls: "Calls", _node: Node, arguments: list[Node]) -> Term:
    calls.emitter.emit(Free(calls.expressions.value(arguments[0])))
    return calls.terms.true


def allocation_layout(calls: "Calls", arguments: list[Node], hint: CType | None, *, is_zeroed: bool) -> Term:
    """Allocate what ``malloc(n)`` or ``calloc(n, m)`` asks for."""
    expressions, terms, objects = calls.expressions, calls.terms, calls.objects
    width = objects.pointers.width
    sizes = [terms.resize(expressions.value(a), width, signed=_is_signed(a)) for a in arguments]
    size = sizes[0] if len(sizes) == 1 else terms.mul(sizes[0], sizes[1])
    number = terms.number(size)
    if number is not None and number > objects.pointers.largest_object:
        objects.check_size(IntegerType(8 * number, is_signed=False))
    element = _element(hint, arguments)
    target = calls.emitter.temporary(terms.sort(size))
    layout = _layout(element, number)
    calls.emitter.emit(Allocate(target, size, layout, is_zeroed, _name(element)))
    return target.term


def _is_signed(node: Node) -> bool:
    return isinstance(node.ctype, IntegerType) and node.ctype.is_signed


def _element(hint: CType | None, arguments: list[Node]) -> CType:
    """The type of what the block holds: from the pointer it becomes, or from a ``sizeof`` in the size."""
    if hint is not None and not isinstance(hint, VoidType) and not _is_byte(hint):
        return hint
    for argument in arguments:
        for node in argument.walk():
            if node.kind == CursorKind.SIZE_OF and node.children:
                named = node.children[-1].ctype
                if isinstance(named, VariableArrayType):
                    return fixed_size(named)
                if named.size == node.constant() and not isinstance(named, VoidType):
                    return named
    return BYTE if hint is None or isinstance(hint, VoidType) else hint


def _is_byte(ctype: CType) -> bool:
    return isinstance(ctype, IntegerType) and ctype.size == 1


def _layout(element: CType, size: int | None) -> Layout:
    try:
        if is_flexible(element):
            return _flexible_layout(element, size)
        if element.size == 0:
            return layout_of(BYTE)
        return layout_of(element)
    except NoLayoutError:
        return layout_of(BYTE)


def _flexible_layout(element: CType, size: int | None) -> Layout:
    """A struct whose last member is an array without a size, followed by as many elements as there are."""
    assert isinstance(element, RecordType)
    last = element.fields[-1]
    if size is None or size > LARGEST_TAIL or size == 0 or not isinstance(last.ctype, ArrayType):
        return layout_of(BYTE)
    item = last.ctype.element
    cells = list(cells_of(element))
    for index in range(max(0, size - last.offset) // max(1, item.size)):
        start = last.offset + index * item.size
        cells += [
            Cell(start + c.offset, c.sort, f".{last.name}[{index}]{c.path}", c.display)
            for c in cells_of(item)
        ]
    return Layout(tuple(cells), size)


def _name(element: CType) -> str:
    match unatomic(element):
        case RecordType(name=name):
            return name
        case PointerType():
            return "pointers"
        case ArrayType():
            return "array"
        case _:
            return "block"


HANDLERS = {
    "malloc": _malloc,
    "calloc": _malloc,
    "aligned_alloc": _malloc,
    "memalign": _malloc,
    "__builtin_malloc": _malloc,
    "__builtin_calloc": _malloc,
    "free": _free,
    "__builtin_free": _free,
}
