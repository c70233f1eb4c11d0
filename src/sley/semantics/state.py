"""Concrete states: memory and threads, as nested tuples that hash and compare fast.

What may be large (an array, the table of blocks, the threads) is persistent: a step copies what it changes.
"""

from typing import Any, NamedTuple

from sley.base.persistent import Items, PersistentTable
from sley.program.memory import MemoryObject
from sley.semantics.history import History
from sley.semantics.values import Open, Unset

CellValue = int | Open | Unset

Cells = Items[CellValue]


class Block:
    """A live object that is not in the flat global part: a local object, a heap block, a large global.

    Immutable. States share the blocks that a step does not change, so a block remembers its hash.
    """

    __slots__ = ("_hash", "cells", "kind", "layout", "site", "size")

    def __init__(self, layout: int, size: int, cells: Cells, kind: int, site: int = -1) -> None:
        self.layout = layout
        """Index into ``MemoryMap.layouts``."""
        self.size = size
        """Bytes."""
        self.cells = cells
        self.kind = kind
        """One of the constants below."""
        self.site = site
        """Heap blocks: the location where they were allocated."""
        self._hash: int | None = None

    def with_cells(self, cells: Cells) -> "Block":
        """The same object with other contents."""
        return Block(self.layout, self.size, cells, self.kind, self.site)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Block) and hash(self) == hash(other) and self._key() == other._key()

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(self._key())
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        """Without the hash, which is another one in another process."""
        return Block, (self.layout, self.size, self.cells, self.kind, self.site)

    def __repr__(self) -> str:
        return f"Block{self._key()}"

    def _key(self) -> tuple[object, ...]:
        return (self.layout, self.size, self.kind, self.site, self.cells)


LOCAL_BLOCK, HEAP_BLOCK, READ_ONLY_BLOCK, GLOBAL_BLOCK, LOCAL_CONSTANT_BLOCK = range(5)

ThreadState = tuple[Any, ...]
"""(location, value of each live register there...), or one of the ended forms below."""

EXITED = -2
"""(EXITED, value): ended, can be joined."""
GONE = -3
"""(GONE,): ended and joined, or ended and detached."""
CUT = (-1,)
"""The run is cut: an assumption failed."""
ENDED = (-4,)
"""The process has ended in order."""
ABORTED = (-5,)
"""The process was aborted: as ENDED, but what it leaves behind does not count."""
OVER = (CUT, ENDED, ABORTED)
"""What ends a run."""


def location_of(thread: ThreadState) -> int:
    """Where the thread stands."""
    location: int = thread[0]
    return location


class State(NamedTuple):
    """One state of the program; ``threads[i]`` is the thread with id i."""

    cells: Cells
    """The cells of the global objects, one after another."""
    blocks: PersistentTable[Block]
    """Object number -> block."""
    threads: Items[ThreadState]
    detached: int = 0
    """Bit i set: thread i is detached."""
    history: History | None = None
    """Where C11 gives accesses more than one value that they may read; None under sequential consistency."""


def is_awaited(state: State, handle: int) -> bool:
    """Whether a join with this handle has to wait: the thread runs, and can be joined."""
    if not 0 < handle <= len(state.threads) or state.detached >> (handle - 1) & 1:
        return False
    return not is_ended(state.threads[handle - 1])


def is_ended(thread: ThreadState) -> bool:
    """Whether the thread takes no step any more."""
    return thread[0] in (EXITED, GONE)


def local_kind(obj: MemoryObject) -> int:
    """The kind of block that a local or thread-local object is."""
    return LOCAL_CONSTANT_BLOCK if obj.is_read_only else LOCAL_BLOCK
