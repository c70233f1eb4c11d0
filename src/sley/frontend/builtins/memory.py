"""The heap: ``malloc`` and its kin, ``free``; a block's layout comes from how its address is used."""

from typing import TYPE_CHECKING

from sley.frontend.builtins.shapes import shaped
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
from sley.frontend.layouts import NoLayoutError, flexible_layout, is_flexible, layout_of
from sley.frontend.syntax import Node
from sley.frontend.writing import c_text
from sley.logic.operators import Op
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program.instructions import Access, Allocate, Cause, Free
from sley.program.memory import Layout

if TYPE_CHECKING:
    from sley.frontend.builtins import Handler
    from sley.frontend.calls import Calls

MALLOC_SUCCEEDS = "malloc succeeds"
_CASTS = (CursorKind.CAST, CursorKind.UNEXPOSED_EXPRESSION, CursorKind.PARENTHESES)


def _malloc(calls: "Calls", node: Node, _arguments: list[Node]) -> Term:
    return calls.allocate(node, None)


def _free(calls: "Calls", _node: Node, arguments: list[Node]) -> Term:
    calls.emitter.emit(Free(calls.expressions.value(arguments[0])))
    return calls.terms.true


def allocation_layout(
    calls: "Calls",
    arguments: list[Node],
    hint: CType | None,
    *,
    is_zeroed: bool,
    alignment: int | None = None,
) -> Term:
    """Allocate what ``malloc(n)`` or ``calloc(n, m)`` asks for."""
    size = block_size(calls, arguments)
    element = element_type(hint, arguments)
    return allocated_or_null(calls, size, element, is_zeroed=is_zeroed, alignment=alignment)


def block_size(calls: "Calls", arguments: list[Node]) -> Term:
    """How many bytes the arguments ask for: one number, or a product that is too large if it overflows."""
    expressions, terms, width = calls.expressions, calls.terms, calls.objects.pointers.width
    sizes: list[Term] = []
    for number, argument in enumerate(arguments):
        value = terms.resize(expressions.value(argument), width, signed=_is_signed(argument))
        sizes.append(expressions.stable(value, *arguments[number + 1 :]))
    if len(sizes) == 1:
        return sizes[0]
    exact = terms.mul(*(terms.zero_extend(size, width) for size in sizes))
    fits = terms.eq(terms.extract(exact, 2 * width - 1, width), terms.bv(0, width))
    return terms.ite(fits, terms.mul(*sizes), terms.bv((1 << width) - 1, width))


def allocated_or_null(
    calls: "Calls", size: Term, element: CType, *, is_zeroed: bool = False, alignment: int | None = None
) -> Term:
    """The address of a new block; one without bytes may be null (C11 7.22.3p1)."""
    terms, emitter = calls.terms, calls.emitter
    if terms.number(size):
        return allocated(calls, size, element, is_zeroed=is_zeroed, alignment=alignment)
    size = emitter.saved(size)
    zero = terms.bv(0, terms.width(size))
    result = emitter.temporary(terms.sort(size))
    empty, null, block, done = (emitter.location() for _ in range(4))
    emitter.branch(terms.eq(size, zero), empty, block)
    emitter.move(empty)
    emitter.branch(emitter.havoc(BOOL, Cause.INPUT, "is a block without bytes null"), null, block)
    emitter.move(null)
    emitter.assign(result, zero)
    emitter.jump(done)
    emitter.move(block)
    emitter.assign(result, allocated(calls, size, element, is_zeroed=is_zeroed, alignment=alignment))
    emitter.jump(done)
    emitter.move(done)
    return result.term


def allocated(
    calls: "Calls", size: Term, element: CType, *, is_zeroed: bool = False, alignment: int | None = None
) -> Term:
    """The address of a new block for elements of a type; without an alignment it suits every scalar."""
    terms, objects = calls.terms, calls.objects
    number = terms.number(size)
    if number is not None and number > objects.pointers.largest_object:
        objects.check_size(IntegerType(8 * number, is_signed=False))
    target = calls.emitter.temporary(terms.sort(size))
    alignment = objects.pointers.width // 4 if alignment is None else alignment
    layout = block_layout(element, number)
    calls.emitter.emit(Allocate(target, size, layout, is_zeroed, _name(element), alignment))
    return target.term


def required_alignment(calls: "Calls", argument: Node, least: int = 1) -> int:
    """What an alignment is for sure.

    Give up where it is none, or too small: what happens then differs between libraries.
    """
    terms = calls.terms
    alignment = calls.expressions.value(argument)
    width = terms.width(alignment)
    rest = terms.apply(Op.BVAND, alignment, terms.sub(alignment, terms.bv(1, width)))
    is_power = terms.and_(terms.eq(rest, terms.bv(0, width)), terms.ule(terms.bv(least, width), alignment))
    calls.emitter.give_up_if(terms.not_(is_power), "an alignment that is none")
    number = terms.number(alignment)
    return least if number is None or number.bit_count() != 1 else number


def _aligned_into(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    """``posix_memalign``: the address of the block is stored where the first argument points to."""
    expressions = calls.expressions
    pointer = arguments[0]
    while len(pointer.children) == 1 and pointer.kind in _CASTS:
        pointer = pointer.children[0]
    slot = unatomic(calls.pointee(pointer))
    hint = fixed_size(slot.pointee) if isinstance(slot, PointerType) else None
    place = expressions.stable(expressions.value(arguments[0]), *arguments[1:])
    alignment = required_alignment(calls, arguments[1], least=calls.objects.pointers.width // 8)
    calls.objects.assumptions.setdefault(MALLOC_SUCCEEDS)
    block = allocation_layout(calls, arguments[2:], hint, is_zeroed=False, alignment=alignment)
    sort = calls.terms.sort(block)
    calls.emitter.store(Access(place, sort, text=f"*{c_text(arguments[0])}"), block)
    return expressions.literal(0, expressions.value_type(node))


def _is_signed(node: Node) -> bool:
    return isinstance(node.ctype, IntegerType) and node.ctype.is_signed


def element_type(hint: CType | None, arguments: list[Node]) -> CType:
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


def block_layout(element: CType, size: int | None) -> Layout:
    """The layout of a block of a size, if that is known, with elements of a type."""
    try:
        if is_flexible(element):
            assert isinstance(element, RecordType)
            return flexible_layout(element, size)
        if element.size == 0:
            return layout_of(BYTE)
        return layout_of(element)
    except NoLayoutError:
        return layout_of(BYTE)


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


SHAPES = {
    "malloc": "i",
    "valloc": "i",
    "calloc": "ii",
    "aligned_alloc": "ii",
    "memalign": "ii",
    "realloc": "pi",
    "reallocarray": "pii",
    "__builtin_malloc": "i",
    "__builtin_calloc": "ii",
}
"""The functions whose result is a new block, and what they are given."""

HANDLERS: "dict[str, Handler]" = {
    **{name: shaped(name, shape, _malloc) for name, shape in SHAPES.items()},
    "posix_memalign": shaped("posix_memalign", "pii", _aligned_into),
    "free": shaped("free", "p", _free),
    "__builtin_free": shaped("free", "p", _free),
}
