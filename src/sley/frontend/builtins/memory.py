"""The heap: ``malloc`` and its kin, ``free``; a block's layout comes from how its address is used."""

from collections.abc import Callable
from dataclasses import replace

from sley.base.reasons import BLOCK_SIZE
from sley.frontend.builtins.cells import PADDING, CellLoop, unspecified_byte
from sley.frontend.builtins.shapes import has_shape, shaped
from sley.frontend.c_types import (
    BYTE,
    INT,
    ArrayType,
    CType,
    FunctionType,
    IntegerType,
    PointerType,
    RecordType,
    VariableArrayType,
    VoidType,
    fixed_size,
    is_lowered,
    unatomic,
)
from sley.frontend.calls import CASTS, Calls, Handler
from sley.frontend.clang_library import CursorKind
from sley.frontend.conversions import signed_range
from sley.frontend.layouts import NoLayoutError, flexible_layout, is_flexible, layout_of
from sley.frontend.library import Definition
from sley.frontend.syntax import Declaration, DeclarationKind, SyntaxNode
from sley.frontend.writing import c_text
from sley.logic.operators import Op
from sley.logic.sorts import BOOL, bitvec, width_of
from sley.logic.terms import Term
from sley.program.instructions import Access, Allocate, Assign, Cause, FaultTest, Free, Load
from sley.program.memory import Cell, Layout

MALLOC_SUCCEEDS = "malloc succeeds"
PARTIAL = "realloc of a block that ends inside of a scalar"
_ALIGNED_ALLOCATORS = frozenset({"aligned_alloc", "memalign"})
_REALLOCATORS = frozenset({"realloc", "reallocarray"})
_PAGE = 4096
_KEPT = "__sley_kept_block"
_ENOMEM = 12
_EINVAL = 22
ROOM = {32: 1 << 18, 64: 1 << 40}
"""By their width, how much room pointers have behind them where the size of a block is not known."""

MOST_ROOM = {32: 1 << 22, 64: 1 << 46}
"""By the width of pointers, how much room they can have."""


def allocation(calls: Calls, source: SyntaxNode, hint: CType | None) -> Term | None:
    """The new block, if ``source`` is a call of an allocator whose result becomes a ``hint *``."""
    node = source
    while node.kind in CASTS and isinstance(node.ctype, PointerType):
        if not isinstance(node.ctype.pointee, VoidType):
            return None
        node = node.children[-1]
    if node.kind != CursorKind.CALL:
        return None
    callee = node.children[0].inner()
    if callee.kind != CursorKind.REFERENCE or callee.declaration.kind is not DeclarationKind.FUNCTION:
        return None
    if calls.objects.library.is_user_function(callee.declaration):
        return _from_wrapper(calls, node, callee.declaration, hint)
    if calls.objects.library.has_model_of_user(callee.name):
        return None
    shape = SHAPES.get(callee.name)
    is_allocation = shape is not None and has_shape(calls, node.children[1:], shape)
    return _allocate(calls, node, hint) if is_allocation else None


def _from_wrapper(
    calls: Calls, node: SyntaxNode, declaration: Declaration, hint: CType | None
) -> Term | None:
    """What a function of the user's returns that allocates memory: a copy of it for each type in use.

    The copies differ in nothing but how their blocks are laid out, and so shown.
    """
    definition = calls.objects.library.function(declaration)
    if hint is None or isinstance(hint, VoidType) or definition is None or not _allocates(definition):
        return None
    name = calls.objects.variant(calls.objects.library.program_name(declaration), fixed_size(hint))
    return calls.call_of(node, definition, name, node.children[1:])


def _allocate(calls: Calls, node: SyntaxNode, hint: CType | None) -> Term:
    """The address of a new block as a value of the declared type, which old programs say is ``int``."""
    width = width_of(calls.expressions.sort(node.ctype))
    return calls.terms.resize(_block(calls, node, hint), width, signed=False)


def _block(calls: Calls, node: SyntaxNode, hint: CType | None) -> Term:
    """``malloc``, ``calloc``, ``realloc`` or ``aligned_alloc``, for objects of the hinted type."""
    name = node.children[0].inner().name.removeprefix("__builtin_")
    if name == "mmap":
        return _mapping(calls, node, hint)
    hint = None if hint is None else fixed_size(hint)
    if hint is None or isinstance(hint, VoidType):
        hint = calls.expressions.allocated_type
    sizes = node.children[1:]
    if name == _KEPT:
        return _allocated(calls, calls.expressions.value(sizes[0]), _element_type(hint, sizes), is_kept=True)
    if name in _REALLOCATORS:
        return _reallocated(calls, name, sizes, hint)
    alignment = None
    if name in _ALIGNED_ALLOCATORS:
        alignment, sizes = _required_alignment(calls, sizes[0]), sizes[1:]
    size, element = _block_size(calls, sizes), _element_type(hint, sizes)

    def block() -> Term:
        return _allocated_or_null(calls, size, element, is_zeroed=name == "calloc", alignment=alignment)

    return _or_null(calls, name, _is_refused(calls, sizes, size), block)


def _is_refused(calls: Calls, arguments: list[SyntaxNode], size: Term) -> Term:
    """Whether no block can be as large: the product overflows (POSIX calloc), or it is a number beyond all.

    Other sizes beyond ``PTRDIFF_MAX`` that are not known before may not be meant: a run that comes to one
    gives up (``_check_size``).
    """
    terms, width = calls.terms, calls.objects.pointers.width
    if len(arguments) > 1:
        return terms.eq(size, terms.bv((1 << width) - 1, width))
    number = terms.number(size)
    return terms.true if number is not None and number >> (width - 1) else terms.false


def _or_null(calls: Calls, name: str, is_refused: Term, block: Callable[[], Term]) -> Term:
    """A new block; or null where that is too large, or if the user wants to know what happens then."""
    terms, emitter = calls.terms, calls.emitter
    zero = terms.bv(0, calls.objects.pointers.width)
    if is_refused == terms.true:
        calls.model("sley_no_memory", [])
        return zero
    fails = may_fail(calls, f"{name} fails: returns NULL")
    if fails is None and is_refused == terms.false:
        return block()
    fails = is_refused if fails is None else terms.or_(is_refused, fails)
    result = emitter.temporary(terms.sort(zero))
    done = emitter.location()
    with emitter.when(fails):
        calls.model("sley_no_memory", [])
        emitter.emit(Assign(((result, zero),)), done)
        emitter.stop()
    emitter.assign(result, block())
    emitter.jump(done)
    emitter.move(done)
    return result.term


def may_fail(calls: Calls, text: str) -> Term | None:
    """Whether memory is refused; None if that is assumed not to happen."""
    if not calls.objects.library.options.malloc_may_fail:
        calls.objects.assumptions.setdefault(MALLOC_SUCCEEDS)
        return None
    return calls.emitter.havoc(BOOL, Cause.FAILURE, text)


def _allocates(definition: Definition) -> bool:
    """Whether a function returns an untyped pointer and calls an allocator."""
    reader, cursor = definition
    ctype = reader.unit.types.of_cursor(cursor)
    assert isinstance(ctype, FunctionType)
    if not isinstance(ctype.result, PointerType) or not isinstance(ctype.result.pointee, VoidType):
        return False
    parts = reader.read(cursor).walk()
    return is_lowered(ctype) and any(p.kind == CursorKind.CALL and p.name in SHAPES for p in parts)


def _free(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> None:
    block = calls.expressions.value(arguments[0])
    if calls.objects.library.mentions("mmap") and not calls.emitter.origin.is_library:
        calls.model("sley_require_not_mapped", [block])
    calls.emitter.emit(Free(block))


def _mapping(calls: Calls, node: SyntaxNode, hint: CType | None) -> Term:
    """``mmap``: pages of zeros, or ``MAP_FAILED``."""
    terms, emitter, width = calls.terms, calls.emitter, calls.objects.pointers.width
    arguments = node.children[1:]
    _, size, *others = (
        calls.expressions.convert(value, calls.expressions.value_type(argument), ctype)
        for value, argument, ctype in zip(
            calls.values(arguments),
            arguments,
            (_address(width), _address(width), INT, INT, INT),
            strict=False,
        )
    )
    result, done = emitter.temporary(bitvec(width)), emitter.location()
    emitter.assign(result, terms.bv(-1, width))
    rest = terms.bv(_PAGE - 1, width)
    pages = emitter.saved(terms.apply(Op.BVAND, terms.add(size, rest), terms.bv(-_PAGE, width)))
    with emitter.when(terms.not_(terms.eq(calls.model("sley_maps", [size, *others]), terms.bv(0, 32)))):
        hint = None if hint is None else fixed_size(hint)
        element = _element_type(hint, arguments[1:2])
        block = _allocated(calls, pages, element, is_zeroed=True, alignment=_PAGE)
        calls.model("sley_keep_mapping", [block, pages])
        emitter.emit(Assign(((result, block),)), done)
        emitter.stop()
    emitter.jump(done)
    emitter.move(done)
    return result.term


def _address(width: int) -> CType:
    return IntegerType(width, is_signed=False)


def _block_size(calls: Calls, arguments: list[SyntaxNode]) -> Term:
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


def _allocated_or_null(
    calls: Calls, size: Term, element: CType, *, is_zeroed: bool = False, alignment: int | None = None
) -> Term:
    """The address of a new block; one without bytes may be null (C11 7.22.3p1)."""
    terms, emitter = calls.terms, calls.emitter
    if terms.number(size):
        return _allocated(calls, size, element, is_zeroed=is_zeroed, alignment=alignment)
    size = emitter.saved(size)
    zero = terms.bv(0, terms.width(size))
    result = emitter.temporary(terms.sort(size))
    done = emitter.location()
    with (
        emitter.when(terms.eq(size, zero)),
        emitter.when(emitter.havoc(BOOL, Cause.INPUT, "is a block without bytes null")),
    ):
        emitter.emit(Assign(((result, zero),)), done)
        emitter.stop()
    emitter.assign(result, _allocated(calls, size, element, is_zeroed=is_zeroed, alignment=alignment))
    emitter.jump(done)
    emitter.move(done)
    return result.term


def _allocated(
    calls: Calls,
    size: Term,
    element: CType,
    *,
    is_zeroed: bool = False,
    alignment: int | None = None,
    is_kept: bool = False,
) -> Term:
    """The address of a new block for elements of a type; without an alignment it suits every scalar.

    One that the library keeps is of zeros.
    """
    terms, objects = calls.terms, calls.objects
    number = terms.number(size)
    if number is not None and number <= MOST_ROOM[terms.width(size)]:
        objects.check_size(number)
    else:
        _check_size(calls, size)
    target = calls.emitter.temporary(terms.sort(size))
    alignment = objects.pointers.width // 4 if alignment is None else alignment
    layout = block_layout(element, number)
    is_zeroed = is_zeroed or is_kept
    name = "stream" if is_kept else _name(element)
    calls.emitter.emit(Allocate(target, size, layout, is_zeroed, name, alignment, is_kept))
    return target.term


def _check_size(calls: Calls, size: Term) -> None:
    """Give up on blocks that no pointer has room for; they get what the size may need, if its form tells."""
    terms, objects = calls.terms, calls.objects
    width = terms.width(size)
    low, high = signed_range(terms, size)
    objects.check_size(high if high <= MOST_ROOM[width] else ROOM[width])
    largest = objects.pointers.largest_object
    if low < 0 or high > largest:
        reason = BLOCK_SIZE
        calls.emitter.give_up_if(terms.ult(terms.bv(largest, width), size), reason)


def _required_alignment(calls: Calls, argument: SyntaxNode) -> int:
    """What an alignment is for sure; give up where it is none, as libraries differ then."""
    alignment, is_power = _alignment(calls, argument, least=1)
    calls.emitter.give_up_if(calls.terms.not_(is_power), "an alignment that is none")
    return alignment


def _alignment(calls: Calls, argument: SyntaxNode, least: int) -> tuple[int, Term]:
    """What an alignment is for sure, and whether it is one: a power of two, and not too small."""
    terms = calls.terms
    alignment = calls.emitter.saved(calls.expressions.value(argument))
    width = terms.width(alignment)
    rest = terms.apply(Op.BVAND, alignment, terms.sub(alignment, terms.bv(1, width)))
    is_power = terms.and_(terms.eq(rest, terms.bv(0, width)), terms.ule(terms.bv(least, width), alignment))
    number = terms.number(alignment)
    return least if number is None or number.bit_count() != 1 else number, is_power


def _aligned_into(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """``posix_memalign``: the address of the block is stored where the first argument points to."""
    expressions = calls.expressions
    pointer = arguments[0]
    while len(pointer.children) == 1 and pointer.kind in CASTS:
        pointer = pointer.children[0]
    slot = unatomic(calls.pointee(pointer))
    hint = fixed_size(slot.pointee) if isinstance(slot, PointerType) else None
    place = expressions.stable(expressions.value(arguments[0]), *arguments[1:])
    terms = calls.terms
    alignment, is_valid = _alignment(calls, arguments[1], least=calls.objects.pointers.width // 8)
    size, element = _block_size(calls, arguments[2:]), _element_type(hint, arguments[2:])
    fails = may_fail(calls, "posix_memalign fails: returns ENOMEM") or terms.false
    with calls.emitter.when(terms.and_(is_valid, terms.not_(fails))):
        block = _allocated_or_null(calls, size, element, alignment=alignment)
        access = Access(place, calls.terms.sort(block), text=f"*{c_text(arguments[0])}")
        calls.emitter.store(access, block)
    ctype = expressions.value_type(node)
    invalid, refused, none = (expressions.literal(number, ctype) for number in (_EINVAL, _ENOMEM, 0))
    return terms.ite(is_valid, terms.ite(fails, refused, none), invalid)


def _is_signed(node: SyntaxNode) -> bool:
    return isinstance(node.ctype, IntegerType) and node.ctype.is_signed


def _element_type(hint: CType | None, arguments: list[SyntaxNode]) -> CType:
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


# --- realloc ---------------------------------------------------------------------------------------
#
# The contents are copied scalar by scalar as long as the old block has any: a Fault beside each load tells
# where it ends, so that its size need not be known. They go by way of a third block, since the new one may
# get the address of the old one only when that is free.


def _reallocated(calls: Calls, name: str, arguments: list[SyntaxNode], hint: CType | None) -> Term:
    """``realloc(pointer, size)``, for objects of the hinted type; where it fails, the old block stays.

    A size of 0 frees the block and yields null or another one, as `malloc` does (C11 7.22.3p1).
    """
    pointer, *sizes = arguments
    old = calls.emitter.saved(calls.expressions.stable(calls.expressions.value(pointer), *sizes))
    size = calls.emitter.saved(_block_size(calls, sizes))
    is_typed = hint is not None and not isinstance(hint, VoidType)
    element = _element_type(hint if is_typed else calls.pointee(pointer), sizes)
    run = _Reallocation(calls, old, size, element, f"*{c_text(pointer)}").run
    return _or_null(calls, name, _is_refused(calls, sizes, size), run)


class _Reallocation:
    """One call of ``realloc``."""

    def __init__(self, calls: Calls, old: Term, size: Term, element: CType, text: str) -> None:
        self._calls = calls
        self._emitter = calls.emitter
        self._terms = calls.terms
        self._old = old
        self._size = size
        self._element = element
        self._text = text
        self._width = calls.objects.pointers.width
        self._layout = block_layout(element, calls.terms.number(size))
        self._cells = CellLoop(calls, self._layout)
        self._end = self._emitter.temporary(bitvec(self._width))
        """Where the contents of the old block end."""

    def run(self) -> Term:
        emitter, terms = self._emitter, self._terms
        result = emitter.temporary(bitvec(self._width))
        zero = terms.bv(0, self._width)
        done = emitter.location()
        for condition, block in (
            (terms.eq(self._old, zero), self._first),
            (terms.eq(self._size, zero), self._freed),
            (terms.true, self._moved),
        ):
            with emitter.when(condition):
                emitter.assign(result, block())
                emitter.jump(done)
        emitter.move(done)
        return result.term

    def _new(self) -> Term:
        return _allocated(self._calls, self._size, self._element)

    def _first(self) -> Term:
        return _allocated_or_null(self._calls, self._size, self._element)

    def _freed(self) -> Term:
        self._emitter.emit(Free(self._old))
        return self._first()

    def _moved(self) -> Term:
        emitter, cells = self._emitter, self._cells
        between = self._new()
        emitter.assign(self._end, self._size)

        def keep(cell: Cell, done: int) -> None:
            emitter.store(cells.access(between, cell), self._old_value(cell, done))

        def put_back(cell: Cell, _done: int) -> None:
            access = replace(cells.access(between, cell), is_copied=True)
            emitter.store(cells.access(new, cell), self._copied(cell, emitter.load(access)))

        self._each(self._old, between, self._size, keep)
        emitter.emit(Free(self._old))
        new = self._new()
        self._each(between, new, self._end.term, put_back)
        emitter.emit(Free(between))
        return new

    def _each(self, start: Term, other: Term, end: Term, move: Callable[[Cell, int], None]) -> None:
        if self._layout.stride == 1:
            self._cells.run_in_pieces(start, other, end, move)
        else:
            self._cells.run(end, move, self._give_up)

    def _give_up(self, _cell: Cell) -> None:
        self._emitter.give_up(PARTIAL)

    def _old_value(self, cell: Cell, done: int) -> Term:
        """What the old block holds, or leave if it ends here."""
        emitter = self._emitter
        ends, is_over = emitter.location(), emitter.location()
        access = replace(self._cells.access(self._old, cell, self._text), is_copied=True)
        value = self._load_or_leave(access, ends)
        onward = emitter.here
        emitter.move(ends)
        self._load_or_leave(replace(access, sort=bitvec(8)), is_over)
        emitter.give_up(PARTIAL)
        emitter.move(is_over)
        emitter.assign(self._end, self._cells.offset(cell))
        emitter.jump(done)
        emitter.move(onward)
        return self._copied(cell, value)

    def _copied(self, cell: Cell, value: Term) -> Term:
        return unspecified_byte(self._calls) if cell is PADDING else value

    def _load_or_leave(self, access: Access, leave: int) -> Term:
        """Load, or go to a location if the access would be invalid."""
        target = self._emitter.temporary(access.sort)
        load = Load(target, access)
        self._emitter.emit(load)
        if self._emitter.is_live:
            self._emitter.edge(self._emitter.builder.edges[-1].source, leave, FaultTest(load))
        return target.term


SHAPES = {
    _KEPT: "i",
    "malloc": "i",
    "valloc": "i",
    "calloc": "ii",
    "aligned_alloc": "ii",
    "memalign": "ii",
    "realloc": "pi",
    "reallocarray": "pii",
    "mmap": "piiii",
    "__builtin_malloc": "i",
    "__builtin_calloc": "ii",
}
"""The functions whose result is a new block, and what they are given."""

HANDLERS: dict[str, Handler] = {
    **{
        n: shaped(n, shape, lambda calls, node, _: _allocate(calls, node, None))
        for n, shape in SHAPES.items()
    },
    "posix_memalign": shaped("posix_memalign", "pii", _aligned_into),
    **dict.fromkeys(("free", "__builtin_free"), shaped("free", "p", _free)),
}
