"""Loops over the scalars of a stretch of memory whose length only the run knows."""

from collections.abc import Callable

from sley.frontend.calls import Calls
from sley.logic.sorts import bitvec
from sley.logic.terms import Term
from sley.program.instructions import Access
from sley.program.memory import Cell, Layout


class CellLoop:
    """Goes through the cells of a layout, repeated as often as needed."""

    def __init__(self, calls: Calls, layout: Layout) -> None:
        self._emitter = calls.emitter
        self._terms = calls.terms
        self._pointers = calls.expressions.pointers
        self._width = calls.objects.pointers.width
        self._cells = sorted(layout.cells, key=lambda cell: cell.offset)
        self._stride = layout.stride
        self._at = self._emitter.temporary(bitvec(self._width))
        """The offset of the element that has its turn."""

    def run(
        self, limit: Term, each: Callable[[Cell, int], None], partial: Callable[[Cell], None] | None = None
    ) -> None:
        """``each`` cell that lies below the limit; it may also leave the loop, to the location it is given.

        ``partial`` is what happens with a cell that the limit cuts in two, after which the loop is over.
        """
        emitter, terms = self._emitter, self._terms
        head, done = emitter.location(), emitter.location()
        emitter.assign(self._at, terms.bv(0, self._width))
        emitter.jump(head)
        emitter.move(head)
        for cell in self._cells:
            self._leave_at(limit, cell, done, partial)
            each(cell, done)
        emitter.assign(self._at, terms.add(self._at.term, terms.bv(self._stride, self._width)))
        emitter.jump(head)
        emitter.move(done)

    def _leave_at(self, limit: Term, cell: Cell, done: int, partial: Callable[[Cell], None] | None) -> None:
        emitter, terms = self._emitter, self._terms
        below, beyond, cut = emitter.location(), emitter.location(), emitter.location()
        behind = terms.add(self.offset(cell), terms.bv(cell.size, self._width))
        emitter.branch(terms.ule(behind, limit), below, beyond)
        emitter.move(beyond)
        is_cut = terms.ult(self.offset(cell), limit) if cell.size > 1 else terms.false
        emitter.branch(is_cut, cut, done)
        emitter.move(cut)
        if partial is not None:
            partial(cell)
        emitter.jump(done)
        emitter.move(below)

    def offset(self, cell: Cell) -> Term:
        """Where the cell is, counted from the beginning."""
        return self._terms.add(self._at.term, self._terms.bv(cell.offset, self._width))

    def access(self, start: Term, cell: Cell, text: str = "") -> Access:
        """The access to the cell in memory that begins at ``start``."""
        return Access(self._pointers.moved(start, self.offset(cell), 1), cell.sort, text=text)
