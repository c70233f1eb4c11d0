"""Sequences and tables that are never changed: a changed copy shares what it has in common with the old one.

Both are trees of tuples that are ``WIDTH`` wide (Bagwell, *Ideal Hash Trees*, 2001, without the hashing): a
change copies the path from the root to one leaf. Each remembers its hash, the exclusive or of those of its
entries (their sum is the same for many permutations, as Python hashes pairs), so that a change alters it by
two terms. Comparing two of them, and finding where they differ, goes only where they do not share.

None is no item. A sequence that is short is a plain tuple, which is faster: whether it is depends on its
length alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import chain, zip_longest
from operator import xor
from typing import Any, Generic, TypeVar, cast, overload

Item = TypeVar("Item")

BITS = 5
WIDTH = 1 << BITS
MASK = WIDTH - 1

FEW = 64
"""Sequences of up to this many items are tuples."""

REGION = 3 * BITS
"""A table has one tree for each range of this many bits: where numbers are used, many are."""

Node = tuple[Any, ...]
"""Of a tree: the items of a leaf, or nodes; what is not there is None, or beyond the end."""


class Vector(Generic[Item]):
    """A long sequence."""

    __slots__ = ("_hash", "_length", "_root", "_shift")

    def __init__(self, root: Node, shift: int, length: int, hash_: int) -> None:
        self._root = root
        self._shift = shift
        self._length = length
        self._hash = hash_

    @staticmethod
    def of(items: Iterable[Item]) -> "Vector[Item]":
        """These items, in order."""
        all_ = tuple(items)
        return Vector.joined([all_[at : at + WIDTH] for at in range(0, len(all_), WIDTH)])

    @staticmethod
    def joined(leaves: Sequence[tuple[Item, ...]]) -> "Vector[Item]":
        """The items of these, each but the last ``WIDTH`` long."""
        nodes, shift = cast("Sequence[Node]", leaves or [()]), 0
        while len(nodes) > 1:
            nodes = [tuple(nodes[at : at + WIDTH]) for at in range(0, len(nodes), WIDTH)]
            shift += BITS
        return _vector(nodes[0], shift, sum(map(len, leaves)))

    def leaves(self) -> Iterator[tuple[Item, ...]]:
        """What it was joined of."""
        nodes: Iterable[Any] = (self._root,)
        for _ in range(0, self._shift, BITS):
            nodes = chain.from_iterable(nodes)
        return iter(nodes)

    @overload
    def __getitem__(self, index: int) -> Item: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...

    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        """An item, or some of them."""
        if isinstance(index, slice):
            return tuple(self[at] for at in range(*index.indices(self._length)))
        if not 0 <= index < self._length:
            raise IndexError(index)
        node, shift = self._root, self._shift
        while shift:
            node = node[index >> shift & MASK]
            shift -= BITS
        return cast("Item", node[index & MASK])

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Item]:
        return chain.from_iterable(self.leaves())

    def __contains__(self, item: object) -> bool:
        return any(one == item for one in self)

    def replaced(self, index: int, item: Item) -> "Vector[Item]":
        """The same with another item at this place."""
        old = self[index]
        if old is item:
            return self
        hash_ = self._hash ^ hash((index, old)) ^ hash((index, item))
        return Vector(_with(self._root, self._shift, index, item), self._shift, self._length, hash_)

    def extended(self, item: Item) -> "Vector[Item]":
        """The same with one more item."""
        at, root, shift = self._length, self._root, self._shift
        if at == WIDTH << shift:
            root, shift = (root,), shift + BITS
        hash_ = self._hash ^ hash((at, item))
        return Vector(_with(root, shift, at, item), shift, at + 1, hash_)

    def differences(self, other: "Vector[Item]") -> Iterator[tuple[int, Item | None, Item | None]]:
        """Where another one is not the same, with the items here and there; None beyond an end."""
        if self._shift != other._shift:
            return ((at, *both) for at, both in enumerate(zip_longest(self, other)) if both[0] is not both[1])
        return _differences(self._root, other._root, self._shift, 0)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Vector)
            and self._hash == other._hash
            and self._length == other._length
            and self._root == other._root
        )

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        """Without the hash, which may be another one in another process; with the tree, to share it."""
        return _vector, (self._root, self._shift, self._length)

    def __repr__(self) -> str:
        return f"Vector({tuple(self)!r})"


def _vector(root: Node, shift: int, length: int) -> Vector[Any]:
    made: Vector[Any] = Vector(root, shift, length, 0)
    made._hash = reduce(xor, map(hash, enumerate(made)), 0)
    return made


class PersistentTable(Mapping[int, Item]):
    """A mapping from numbers, in their order."""

    __slots__ = ("_count", "_hash", "_regions")

    def __init__(self, items: Iterable[tuple[int, Item]] = ()) -> None:
        self._regions: tuple[tuple[int, Node], ...] = ()
        """The trees of the ranges in which there are numbers, in order."""
        self._hash = 0
        self._count = 0
        made = self
        for number, item in items:
            made = made.replaced(number, item)
        self._regions, self._hash, self._count = made._regions, made._hash, made._count

    def get(self, number: int, default: Any = None) -> Any:
        """The item of a number."""
        wanted = number >> REGION
        for region, node in self._regions:
            if region == wanted:
                shift = REGION - BITS
                while True:
                    at = number >> shift & MASK
                    found = node[at] if at < len(node) else None
                    if found is None:
                        return default
                    if not shift:
                        return found
                    node = found
                    shift -= BITS
        return default

    def __getitem__(self, number: int) -> Item:
        found = self.get(number)
        if found is None:
            raise KeyError(number)
        return cast("Item", found)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.get(number) is not None

    def __iter__(self) -> Iterator[int]:
        return (number for number, _, _ in PersistentTable[Item]().differences(self))

    def __len__(self) -> int:
        return self._count

    def replaced(self, number: int, item: Item | None) -> "PersistentTable[Item]":
        """The same with another item for a number; None: without the number."""
        old = self.get(number)
        if old is item:
            return self
        wanted = number >> REGION
        before = tuple(region for region in self._regions if region[0] < wanted)
        here = self._regions[len(before) : len(before) + 1]
        after = self._regions[len(before) :]
        root: Node = ()
        if here and here[0][0] == wanted:
            root, after = here[0][1], after[1:]
        root = _with(root, REGION - BITS, number & (1 << REGION) - 1, item)
        new: PersistentTable[Item] = PersistentTable.__new__(PersistentTable)
        new._regions = (*before, (wanted, root), *after) if root else before + after
        new._count = self._count + (item is not None) - (old is not None)
        new._hash = self._hash ^ _hash(number, old) ^ _hash(number, item)
        return new

    def differences(self, other: "PersistentTable[Item]") -> Iterator[tuple[int, Item | None, Item | None]]:
        """The numbers that another table has not with the same item, with the items here and there."""
        if self is other:
            return
        mine, others = dict(self._regions), dict(other._regions)
        for region in sorted(mine.keys() | others.keys()):
            here, there = mine.get(region, ()), others.get(region, ())
            yield from _differences(here, there, REGION - BITS, region << REGION)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, PersistentTable)
            and self._hash == other._hash
            and self._regions == other._regions
        )

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        """Without the hash, which may be another one in another process."""
        return PersistentTable, (tuple(self.items()),)

    def __repr__(self) -> str:
        return f"Table({dict(self)!r})"


def _hash(number: int, item: object) -> int:
    return 0 if item is None else hash((number, item))


def _with(node: Node, shift: int, index: int, item: object) -> Node:
    """The tree with another item at an index; there is no None at the end of a node, and no empty node."""
    at = index >> shift & MASK
    if shift:
        child = node[at] if at < len(node) else None
        item = _with(child or (), shift - BITS, index, item) or None
    if at >= len(node):
        return node if item is None else (*node, *(None,) * (at - len(node)), item)
    if item is None and at == len(node) - 1:
        return _trimmed(node[:at])
    parts = list(node)
    parts[at] = item
    return tuple(parts)


def _trimmed(node: Node) -> Node:
    end = len(node)
    while end and node[end - 1] is None:
        end -= 1
    return node[:end]


def _differences(a: Node, b: Node, shift: int, first: int) -> Iterator[tuple[int, Any, Any]]:
    if a is b:
        return
    for at, (one, other) in enumerate(zip_longest(a, b), first >> shift):
        if one is other:
            continue
        if shift:
            yield from _differences(one or (), other or (), shift - BITS, at << shift)
        else:
            yield at, one, other


# --- sequences of any length ----------------------------------------------------------------------------

Items = tuple[Item, ...] | Vector[Item]
"""A tuple if it is short."""


def items(values: Iterable[Item]) -> Items[Item]:
    """A sequence of these."""
    first = tuple(values)
    return first if len(first) <= FEW else Vector.of(first)


@lru_cache(maxsize=64, typed=True)
def repeated(value: Item, count: int) -> Items[Item]:
    """The same value so many times."""
    return items((value,) * count)


def replaced(old: Items[Item], index: int, item: Item) -> Items[Item]:
    """The same with another item at this place."""
    if old.__class__ is tuple:
        parts = list(old)
        parts[index] = item
        return tuple(parts)
    return cast("Vector[Item]", old).replaced(index, item)


def extended(old: Items[Item], item: Item) -> Items[Item]:
    """The same with one more item."""
    if old.__class__ is tuple:
        return items((*old, item))
    return cast("Vector[Item]", old).extended(item)


def differences(a: Items[Item], b: Items[Item]) -> Iterable[tuple[int, Item | None, Item | None]]:
    """Where two sequences are not the same, with their items; None beyond an end."""
    if a is b:
        return ()
    if isinstance(a, Vector) and isinstance(b, Vector):
        return a.differences(b)
    pairs = enumerate(zip_longest(a, b))
    return [(at, one, other) for at, (one, other) in pairs if one is not other]
