"""``realloc``: a block of another size with the same contents, perhaps where the old one was.

The contents are copied scalar by scalar as long as the old block has any: a ``Fault`` beside each load tells
where it ends, so that nobody has to know its size. They go by way of a third block, since the new one may get
the address of the old one only when that is free.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from sley.frontend.builtins.cells import CellLoop
from sley.frontend.builtins.memory import allocated, allocated_or_null, block_layout, block_size, element_type
from sley.frontend.c_types import CType, VoidType
from sley.frontend.syntax import Node
from sley.frontend.writing import c_text
from sley.logic.sorts import bitvec
from sley.logic.terms import Term
from sley.program.instructions import Access, Fault, Free, Load
from sley.program.memory import Cell

if TYPE_CHECKING:
    from sley.frontend.calls import Calls

PARTIAL = "realloc of a block that ends inside of a scalar"


def reallocated(calls: "Calls", pointer: Node, sizes: list[Node], hint: CType | None) -> Term:
    """``realloc(pointer, size)``, for objects of the hinted type.

    A size of 0 frees the block and yields null or another one, as `malloc` does (C11 7.22.3p1).
    """
    old = calls.emitter.saved(calls.expressions.stable(calls.expressions.value(pointer), *sizes))
    size = calls.emitter.saved(block_size(calls, sizes))
    is_typed = hint is not None and not isinstance(hint, VoidType)
    element = element_type(hint if is_typed else calls.pointee(pointer), sizes)
    return _Reallocation(calls, old, size, element, f"*{c_text(pointer)}").run()


class _Reallocation:
    """One call of ``realloc``."""

    def __init__(self, calls: "Calls", old: Term, size: Term, element: CType, text: str) -> None:
        self._calls = calls
        self._emitter = calls.emitter
        self._terms = calls.terms
        self._old = old
        self._size = size
        self._element = element
        self._text = text
        self._width = calls.objects.pointers.width
        self._cells = CellLoop(calls, block_layout(element, calls.terms.number(size)))
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
            this, other = emitter.location(), emitter.location()
            emitter.branch(condition, this, other)
            emitter.move(this)
            emitter.assign(result, block())
            emitter.jump(done)
            emitter.move(other)
        emitter.move(done)
        return result.term

    def _new(self) -> Term:
        return allocated(self._calls, self._size, self._element)

    def _first(self) -> Term:
        return allocated_or_null(self._calls, self._size, self._element)

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
            emitter.store(cells.access(new, cell), emitter.load(cells.access(between, cell)))

        cells.run(self._size, keep, self._give_up)
        emitter.emit(Free(self._old))
        new = self._new()
        cells.run(self._end.term, put_back, self._give_up)
        emitter.emit(Free(between))
        return new

    def _give_up(self, _cell: Cell) -> None:
        self._emitter.give_up(PARTIAL)

    def _old_value(self, cell: Cell, done: int) -> Term:
        """What the old block holds, or leave if it ends here."""
        emitter = self._emitter
        ends, is_over = emitter.location(), emitter.location()
        access = self._cells.access(self._old, cell, self._text)
        value = self._load_or_leave(access, ends)
        onward = emitter.here
        emitter.move(ends)
        self._load_or_leave(replace(access, sort=bitvec(8)), is_over)
        emitter.give_up(PARTIAL)
        emitter.move(is_over)
        emitter.assign(self._end, self._cells.offset(cell))
        emitter.jump(done)
        emitter.move(onward)
        return value

    def _load_or_leave(self, access: Access, leave: int) -> Term:
        """Load, or go to a location if the access would be invalid."""
        target = self._emitter.temporary(access.sort)
        load = Load(target, access)
        self._emitter.emit(load)
        if self._emitter.is_live:
            self._emitter.edge(self._emitter.builder.edges[-1].source, leave, Fault(load))
        return target.term
