"""A state of which only what is looked at is known: what a step does depends on nothing else.

Whoever asks something about a state and gets a watched one sees the thread that it asks about; all else,
other threads, cells of memory, blocks, it has to look at, one by one, and these looks are noted. So the
answer is the same in every state in which the same looks find the same. What a step changes is noted beside.

A step that looks at everything (as one that allocates: which numbers are free depends on all values) is
told that this is no such state, and has to be asked of a real one.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, cast

from sley.base.persistent import Items, PersistentTable
from sley.semantics.state import Block, Cells, State, ThreadState


class LooksAtAllError(Exception):
    """The answer depends on the whole state, as far as we can tell."""


class WatchedItem(NamedTuple):
    """What can be looked at: one of these, by its number."""

    kind: str
    number: int = 0


DETACHED = WatchedItem("detached")
COUNT = WatchedItem("count")
"""How many threads there are."""


def cell(index: int) -> WatchedItem:
    """A flat cell."""
    return WatchedItem("cell", index)


def block(number: int) -> WatchedItem:
    """A block, or None."""
    return WatchedItem("block", number)


def thread(number: int) -> WatchedItem:
    """The state of a thread."""
    return WatchedItem("thread", number)


Look = Callable[[WatchedItem], Any]
"""What is at a place."""


class _WatchedPart:
    """Items that are looked at when they are asked for, or that were changed."""

    __slots__ = ("changed", "look", "place")

    def __init__(self, look: Look, place: Callable[[int], WatchedItem], changed: Mapping[int, Any]) -> None:
        self.look = look
        self.place = place
        self.changed = changed

    def __getitem__(self, number: int | slice) -> Any:
        if isinstance(number, slice):
            raise LooksAtAllError
        found = self.get(number)
        if found is None:
            raise KeyError(number)
        return found

    def get(self, number: int, default: Any = None) -> Any:
        """The item of a number."""
        found = self.changed[number] if number in self.changed else self.look(self.place(number))
        return default if found is None else found

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.get(number) is not None

    def __iter__(self) -> Iterator[Any]:
        raise LooksAtAllError

    def items(self) -> Iterator[Any]:
        """All of them, which no step may see."""
        raise LooksAtAllError

    values = items

    def __len__(self) -> int:
        count: int = self.look(COUNT)
        return count + sum(number >= count for number in self.changed)

    def replaced(self, number: int, item: Any) -> "_WatchedPart":
        """The same with another item for a number."""
        return _WatchedPart(self.look, self.place, {**self.changed, number: item})

    def extended(self, item: Any) -> "_WatchedPart":
        """The same with one more item."""
        return self.replaced(len(self), item)


class Changes(NamedTuple):
    """What is different after a step."""

    cells: Mapping[int, Any]
    blocks: Mapping[int, Block | None]
    threads: Mapping[int, ThreadState]
    detached: int


def watched(of: int, at: ThreadState, look: Look) -> State:
    """A state for questions about thread ``of``, which is at ``at``."""
    own: dict[int, Any] = {of: at}
    return State(
        cast("Cells", _WatchedPart(look, cell, {})),
        cast("PersistentTable[Block]", _WatchedPart(look, block, {})),
        cast("Items[ThreadState]", _WatchedPart(look, thread, own)),
        look(DETACHED),
    )


def is_watched(state: State) -> bool:
    """Whether looks are noted."""
    return isinstance(cast("object", state.cells), _WatchedPart)


def changes(after: State) -> Changes:
    """What a step changed that began in a watched state."""
    cells, blocks, threads = (cast("_WatchedPart", part).changed for part in after[:3])
    return Changes(cells, blocks, threads, after.detached)
