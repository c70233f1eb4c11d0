"""Which undetermined values occur in a state, and which heap blocks its values refer to.

Both are questions about all values of a state. They are answered for one state after another, by looking at
what is different: states share what they have in common, so an answer costs what steps have changed since the
last question.

A value that is not decided refers to a block if what is known of it speaks of that block's addresses: as a
constant of its term or of a fact, or next to its ranges. To refer to too many blocks does no harm: whether a
new block gets the number of a dead one that nothing can be compared with makes no difference.
"""

import heapq
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import TypeGuard

from sley.base.persistent import Items, PersistentTable, differences
from sley.logic.terms import Term, Terms
from sley.semantics.knowledge import inputs_of
from sley.semantics.state import Block, Cells, CellValue, ThreadState
from sley.semantics.values import Computed, Open

REUSED = 1 << 20
"""Numbers of heap blocks that may be those of earlier ones: so many, from the first one on."""


_LARGEST_BYTE = 0xFF
_FIRST_OF_BLOCKS = 0x80
"""Addresses of heap blocks have the highest bit."""


class Numbers:
    """Numbers in use, each so many times, and the smallest that is not."""

    def __init__(self, first: int) -> None:
        self.uses: dict[int, int] = {}
        self._next = first
        """All smaller ones are in use, or among the gaps."""
        self._gaps: list[int] = []

    def change(self, number: int, by: int) -> None:
        """A number is used more often, or less."""
        uses = self.uses.get(number, 0) + by
        if uses:
            self.uses[number] = uses
            return
        del self.uses[number]
        if number < self._next:
            heapq.heappush(self._gaps, number)

    def unused(self) -> int:
        """The smallest number that is not in use."""
        while self._gaps and self._gaps[0] in self.uses:
            heapq.heappop(self._gaps)
        if self._gaps:
            return self._gaps[0]
        while self._next in self.uses:
            self._next += 1
        return self._next


class References:
    """The answers for one state, which moves."""

    def __init__(self, terms: Terms, offset_bits: int, heap_base: int) -> None:
        self._constants = lru_cache(maxsize=10_000)(lambda term: frozenset(constants_of(terms, term)))
        self.open = Numbers(0)
        """The numbers of undetermined values."""
        self.heap = Numbers(heap_base)
        """The numbers of live blocks and of those that values refer to."""
        self.dead: set[int] = set()
        """The numbers that values refer to without a block."""
        self._shift = offset_bits
        self._bytes = (offset_bits + heap_base.bit_length()) // 8
        self._first, self._end = heap_base, heap_base + REUSED
        self._alive: set[int] = set()
        self._cells: Cells = ()
        self._blocks: PersistentTable[Block] = PersistentTable()
        self._threads: Items[ThreadState] = ()

    def move(self, cells: Cells, blocks: PersistentTable[Block], threads: Items[ThreadState]) -> None:
        """Answer for another state from now on."""
        self._change_all(self._cells, cells)
        for number, before, after in self._blocks.differences(blocks):
            if number >= self._first:
                self._change_life(number, is_alive=after is not None)
            self._change_all(() if before is None else before.cells, () if after is None else after.cells)
        for _, at, then in differences(self._threads, threads):
            self._change_all(() if at is None else at[1:], () if then is None else then[1:])
        self._cells, self._blocks, self._threads = cells, blocks, threads

    def _change_all(self, before: Items[CellValue], after: Items[CellValue]) -> None:
        starts: set[int] = set()
        for at, old, new in differences(before, after):
            self._change(old, new)
            starts.update(range(at - self._bytes + 1, at + 1))
        self._count(addresses_in_bytes(before, starts, self._bytes), -1)
        self._count(addresses_in_bytes(after, starts, self._bytes), 1)

    def _change(self, old: object, new: object) -> None:
        self._count((old,), -1)
        self._count((new,), 1)

    def _count(self, values: Iterable[object], by: int) -> None:
        for value in values:
            if isinstance(value, int):
                number = value >> self._shift
                if self._first <= number < self._end:
                    self.heap.change(number, by)
                    self._settle(number)
            elif isinstance(value, Open):
                for one in inputs_of(value):
                    self.open.change(one.number, by)
                for number in self.of_open(value):
                    self.heap.change(number, by)
                    self._settle(number)

    def of_open(self, value: Open) -> frozenset[int]:
        """The numbers of heap blocks that a value that is not decided may have to do with."""
        numbers: set[int] = set()
        for one in inputs_of(value):
            for low, high in one.ranges:
                numbers.update(bound >> self._shift for bound in (low - 1, low, high, high + 1))
        if isinstance(value, Computed):
            for term in chain((value.term,), value.facts):
                for constant in self._constants(term):
                    behind = constant + (1 << self._shift - 1)  # just before a block is the number before
                    numbers.update((constant >> self._shift, behind >> self._shift))
        return frozenset(number for number in numbers if self._first <= number < self._end)

    def _change_life(self, number: int, *, is_alive: bool) -> None:
        if is_alive != (number in self._alive):
            (self._alive.add if is_alive else self._alive.remove)(number)
            self.heap.change(number, 1 if is_alive else -1)
            self._settle(number)

    def _settle(self, number: int) -> None:
        if number in self.heap.uses and number not in self._alive:
            self.dead.add(number)
        else:
            self.dead.discard(number)


def addresses_in_bytes(cells: Items[CellValue], starts: Iterable[int], size: int) -> Iterator[int]:
    """What so many cells from each of these on are together, if they are bytes of the address of a block.

    Where a pointer lies in an object of bytes, each byte has a cell.
    """
    end = len(cells) - size
    for start in starts:
        if 0 <= start <= end and _is_byte(last := cells[start + size - 1]) and last >= _FIRST_OF_BLOCKS:
            parts = [cells[at] for at in range(start, start + size)]
            if all(map(_is_byte, parts)):
                yield int.from_bytes(bytes(part for part in parts if isinstance(part, int)), "little")


def _is_byte(value: CellValue) -> TypeGuard[int]:
    return isinstance(value, int) and 0 <= value <= _LARGEST_BYTE


def constants_of(terms: Terms, term: Term) -> Iterator[int]:
    """The numbers in a term."""
    for one in terms.walk((term,)):
        if (number := terms.number(one)) is not None:
            yield number
