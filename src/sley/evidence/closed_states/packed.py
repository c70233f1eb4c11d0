"""States as vectors of numbers: small, and good for code that does not know what states are.

A state is the number of its memory and one number for each thread. A memory has one number for each *slot*:
which are detached, the flat cells, and then blocks as they turn up; 0 where there is none, and no 0 at the
end. What the numbers mean is in a :class:`Numbering`.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, overload

from sley.base.persistent import PersistentTable, differences, items
from sley.semantics.state import Block, Cells, State, ThreadState
from sley.semantics.watched import COUNT, DETACHED, Changes, WatchedItem, changes, is_watched

NOTHING = 0
"""The number of what is not there."""

ANSWER, COUNT_SLOT, FIRST_THREAD = 0xFFFFFFFF, 0xFFFFFFFE, 0x80000000
"""Slots that are none: nothing more to look at, how many threads there are, and the threads from here on."""

MOST_THREADS = 64

Pairs = list[tuple[int, int]]
"""Slots, or threads, and their numbers."""


@dataclass(slots=True)
class Numbering:
    """What numbers mean: of values in memory, of threads in states of their own, of slots."""

    cells: int
    """How many flat cells there are."""
    values: list[Any] = field(default_factory=lambda: [None])
    threads: list[tuple[int, ThreadState]] = field(default_factory=lambda: [(-1, ())])
    blocks: list[int] = field(default_factory=list)
    """The numbers of the blocks in the slots after those of the cells."""
    _value_of: dict[Any, int] = field(default_factory=dict)
    _thread_of: dict[tuple[int, ThreadState], int] = field(default_factory=dict)
    _slot_of: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._value_of = {value: i for i, value in enumerate(self.values)}
        self._thread_of = {thread: i for i, thread in enumerate(self.threads)}
        self._slot_of = {block: i for i, block in enumerate(self.blocks, self.cells + 1)}

    def value(self, value: Any) -> int:
        """The number of a value, of a block, or of a set of threads."""
        found = self._value_of.get(value)
        if found is None:
            found = self._value_of[value] = len(self.values)
            self.values.append(value)
        return found

    def thread(self, thread: int, at: ThreadState) -> int:
        """The number of a thread that is there."""
        found = self._thread_of.get((thread, at))
        if found is None:
            found = self._thread_of[thread, at] = len(self.threads)
            self.threads.append((thread, at))
        return found

    def slot(self, place: WatchedItem) -> int:
        """Where memory has what is at a place."""
        if place.kind != "block":
            return 0 if place == DETACHED else place.number + 1
        found = self._slot_of.get(place.number)
        if found is None:
            self.blocks.append(place.number)
            found = self._slot_of[place.number] = self.cells + len(self.blocks)
        return found

    def memory(self, state: State) -> list[int]:
        """The memory of a state."""
        found = [self.value(state.detached), *map(self.value, state.cells)]
        for number, block in state.blocks.items():
            slot = self.slot(WatchedItem("block", number))
            found += [NOTHING] * (slot + 1 - len(found))
            found[slot] = self.value(block)
        return found

    def meaning(self, memory: Sequence[int]) -> tuple[Cells, PersistentTable[Block], int]:
        """The cells, the blocks and the detached threads of a memory."""
        values, first = self.values, self.cells + 1
        blocks = sorted((self.blocks[at], values[n]) for at, n in enumerate(memory[first:]) if n != NOTHING)
        return items(values[n] for n in memory[1:first]), PersistentTable(blocks), values[memory[0]]

    def changes(self, before: State, after: State) -> tuple[Pairs, Pairs]:
        """What a step changes in memory and of threads; ``before`` may be a watched state."""
        made = changes(after) if is_watched(before) else _difference(before, after)
        writes = [(cell + 1, self.value(value)) for cell, value in made.cells.items()]
        writes += [
            (self.slot(WatchedItem("block", at)), self.value(block)) for at, block in made.blocks.items()
        ]
        if made.detached != before.detached:
            writes.append((0, self.value(made.detached)))
        return writes, [(thread, self.thread(thread, at)) for thread, at in sorted(made.threads.items())]


def _difference(before: State, after: State) -> Changes:
    return Changes(
        {at: new for at, _, new in differences(before.cells, after.cells)},
        {at: new for at, _, new in before.blocks.differences(after.blocks)},
        {at: new for at, _, new in differences(before.threads, after.threads) if new is not None},
        after.detached,
    )


class Looks:
    """What a question about a state looks at, in order."""

    def __init__(self, numbering: Numbering, memory: Sequence[int], threads: Sequence[int]) -> None:
        self.slots: list[int] = []
        self.numbers: list[int] = []
        self._numbering = numbering
        self._memory = memory
        self._threads = threads
        self._seen: dict[WatchedItem, Any] = {}

    def look(self, place: WatchedItem) -> Any:
        """What is there; noted the first time."""
        if place not in self._seen:
            slot, number, self._seen[place] = self._found(place)
            self.slots.append(slot)
            self.numbers.append(number)
        return self._seen[place]

    def _found(self, place: WatchedItem) -> tuple[int, int, Any]:
        """The slot, the number there, and what it means."""
        numbering, threads = self._numbering, self._threads
        if place == COUNT:
            return COUNT_SLOT, len(threads), len(threads)
        if place.kind == "thread":
            number = threads[place.number] if place.number < len(threads) else NOTHING
            at = numbering.threads[number][1] if number != NOTHING else None
            return FIRST_THREAD + place.number, number, at
        slot = numbering.slot(place)
        number = self._memory[slot] if slot < len(self._memory) else NOTHING
        return slot, number, numbering.values[number]


class Vectors(Sequence[Sequence[int]]):
    """Vectors one after another."""

    def __init__(self, words: "array[int]", starts: "array[int]") -> None:
        self.words = words
        self.starts = starts
        """Of each, and the end of the last."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, number: int) -> "array[int]": ...

    @overload
    def __getitem__(self, number: slice) -> "list[array[int]]": ...

    def __getitem__(self, number: int | slice) -> "array[int] | list[array[int]]":
        """One of them, or some."""
        if isinstance(number, slice):
            return [self[at] for at in range(*number.indices(len(self)))]
        return self.words[self.starts[number] : self.starts[number + 1]]

    @staticmethod
    def of(vectors: Iterable[Sequence[int]]) -> "Vectors":
        """These."""
        words, starts = array("I"), array("I", [0])
        for vector in vectors:
            words.extend(vector)
            starts.append(len(words))
        return Vectors(words, starts)


class PackedStates(Sequence[State]):
    """States that are made of their vectors when they are asked for."""

    def __init__(self, numbering: Numbering, vectors: Vectors, memories: Vectors) -> None:
        self.numbering = numbering
        self.vectors = vectors
        self.memories = memories
        self._meaning = lru_cache(maxsize=1 << 10)(lambda memory: numbering.meaning(memories[memory]))

    @staticmethod
    def of(states: Sequence[State]) -> "PackedStates":
        """The same states."""
        numbering = Numbering(len(states[0].cells))
        memories: dict[tuple[int, ...], int] = {}
        vectors = [
            (
                memories.setdefault(tuple(numbering.memory(state)), len(memories)),
                *(numbering.thread(thread, at) for thread, at in enumerate(state.threads)),
            )
            for state in states
        ]
        return PackedStates(numbering, Vectors.of(vectors), Vectors.of(memories))

    def __len__(self) -> int:
        return len(self.vectors)

    @overload
    def __getitem__(self, number: int) -> State: ...

    @overload
    def __getitem__(self, number: slice) -> tuple[State, ...]: ...

    def __getitem__(self, number: int | slice) -> State | tuple[State, ...]:
        """A state, or some of them."""
        if isinstance(number, slice):
            return tuple(self[at] for at in range(*number.indices(len(self))))
        memory, *threads = self.vectors[number]
        cells, blocks, detached = self._meaning(memory)
        return State(cells, blocks, items(self.numbering.threads[at][1] for at in threads), detached)

    def thread_count(self, number: int) -> int:
        """How many threads a state has."""
        return self.vectors.starts[number + 1] - self.vectors.starts[number] - 1

    def of_threads(self) -> Iterable[tuple[int, ThreadState]]:
        """The threads of all states, each in each of its states once."""
        numbers = array("I", self.vectors.words)
        for start in self.vectors.starts[:-1]:  # where the number of the memory is
            numbers[start] = numbers[start + 1]
        return [self.numbering.threads[number] for number in sorted(set(numbers))]


class Masks(Sequence[Any]):
    """Sets of threads, as bits; something else in a few places, where the set is empty."""

    def __init__(self, masks: "array[int]", others: Mapping[int, Any]) -> None:
        self.masks = masks
        self.others = others

    @staticmethod
    def of(sets: Sequence[Any]) -> "Masks":
        """These, and what is no set."""
        others = {at: one for at, one in enumerate(sets) if not isinstance(one, tuple)}
        masks = (0 if at in others else sum(1 << t for t in frozenset(one)) for at, one in enumerate(sets))
        return Masks(array("Q", masks), others)

    def __len__(self) -> int:
        return len(self.masks)

    def __getitem__(self, number: int | slice) -> Any:
        """A set, or some of them."""
        if isinstance(number, slice):
            return tuple(self[at] for at in range(*number.indices(len(self))))
        return self.others[number] if number in self.others else members(self.masks[number])


@lru_cache(maxsize=1 << 12)
def members(mask: int) -> tuple[int, ...]:
    """The threads of a set."""
    return tuple(thread for thread in range(mask.bit_length()) if mask >> thread & 1)
