"""Loops over the scalars of a stretch of memory whose length only the run knows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sley.frontend.calls import Calls
from sley.logic.sorts import bitvec
from sley.logic.terms import Term
from sley.program.instructions import Access, Cause, Havoc
from sley.program.memory import Cell, Display, Layout

LONG_ROW = 32
"""So many cells in a row are a loop; fewer are gone through one by one, each with an offset of its own."""


PADDING = Cell(0, bitvec(8), display=Display.HIDDEN)
"""A byte that is no scalar's."""

PADDING_MARK = 16
"""Added to the size of padding, where it is asked for."""


def unspecified_byte(calls: Calls) -> Term:
    """What a byte of padding holds."""
    return calls.emitter.havoc(bitvec(8), Cause.UNSPECIFIED, "padding")


def asked_piece(calls: Calls, address: Term) -> Term:
    """How large the scalar is that begins at an address; see ``passes.pieces``."""
    target = calls.emitter.temporary(bitvec(calls.objects.pointers.width))
    calls.emitter.emit(Havoc(target, Cause.PIECE, about=address))
    return target.term


def _rows(cells: list[Cell]) -> Iterator[tuple[Cell, int]]:
    """The first cell of each long row of like ones, and how many there are; others one by one."""
    rows: list[list[Cell]] = []
    for cell in cells:
        last = rows[-1][-1] if rows else None
        if last is not None and last.sort == cell.sort and last.offset + last.size == cell.offset:
            rows[-1].append(cell)
        else:
            rows.append([cell])
    for row in rows:
        if len(row) > LONG_ROW:
            yield row[0], len(row)
        else:
            yield from ((cell, 1) for cell in row)


class CellLoop:
    """Goes through the cells of a layout, repeated as often as needed."""

    def __init__(self, calls: Calls, layout: Layout) -> None:
        self._calls = calls
        self._emitter = calls.emitter
        self._terms = calls.terms
        self._pointers = calls.expressions.pointers
        self._width = calls.objects.pointers.width
        self.cells = sorted(layout.cells, key=lambda cell: cell.offset)
        self._rows = list(_rows(self.cells))
        self._stride = layout.stride
        self._at = self._emitter.temporary(bitvec(self._width))
        """The offset of the element that has its turn."""
        self._along: Term | None = None
        """The offset in the row that is gone through."""

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
        for first, count in self._rows:
            with self._each_of(first, count):
                self._leave_at(limit, first, done, partial)
                each(first, done)
        emitter.assign(self._at, terms.add(self._at.term, terms.bv(self._stride, self._width)))
        emitter.jump(head)
        emitter.move(done)

    def run_in_pieces(self, start: Term, other: Term, limit: Term, each: Callable[[Cell, int], None]) -> None:
        """As ``run``, for bytes: each scalar that turns out to be in memory from ``start`` on.

        What is padding there, and in the other place, is ``PADDING``.
        """
        emitter, terms = self._emitter, self._terms
        head, inside, done = emitter.location(), emitter.location(), emitter.location()
        emitter.assign(self._at, terms.bv(0, self._width))
        emitter.jump(head)
        emitter.move(head)
        emitter.branch(terms.ult(self._at.term, limit), inside, done)
        emitter.move(inside)
        left = terms.sub(limit, self._at.term)
        found, beyond = (
            asked_piece(self._calls, self._pointers.moved(place, self._at.term, 1))
            for place in (start, other)
        )
        mark = terms.bv(PADDING_MARK, self._width)
        is_padding = terms.and_(terms.ule(mark, found), terms.ule(mark, beyond))
        pieces = [(is_padding, PADDING)]
        for size in (8, 4, 2):
            length = terms.bv(size, self._width)
            is_piece = terms.and_(terms.eq(found, length), terms.ule(length, left))
            pieces.append((is_piece, Cell(0, bitvec(8 * size))))
        for is_piece, cell in (*pieces, (terms.true, Cell(0, bitvec(8)))):
            with emitter.when(is_piece):
                each(cell, done)
                emitter.assign(self._at, terms.add(self._at.term, terms.bv(cell.size, self._width)))
                emitter.jump(head)
        emitter.move(done)

    @contextmanager
    def _each_of(self, first: Cell, count: int) -> Iterator[None]:
        """A loop over the cells of a row, if there are several."""
        if count == 1:
            yield
            return
        emitter, terms = self._emitter, self._terms
        along = emitter.temporary(bitvec(self._width))
        head, inside, behind = emitter.location(), emitter.location(), emitter.location()
        emitter.assign(along, terms.bv(0, self._width))
        emitter.jump(head)
        emitter.move(head)
        emitter.branch(terms.ult(along.term, terms.bv(count * first.size, self._width)), inside, behind)
        emitter.move(inside)
        self._along = along.term
        yield
        self._along = None
        emitter.assign(along, terms.add(along.term, terms.bv(first.size, self._width)))
        emitter.jump(head)
        emitter.move(behind)

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
        start = self._terms.add(self._at.term, self._terms.bv(cell.offset, self._width))
        return start if self._along is None else self._terms.add(start, self._along)

    def access(self, start: Term, cell: Cell, text: str = "") -> Access:
        """The access to the cell in memory that begins at ``start``."""
        address = self._pointers.moved(start, self.offset(cell), 1)
        return Access(address, cell.sort, text=text, is_unused=cell is PADDING)
