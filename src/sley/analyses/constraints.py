"""The constraint graph of the points-to analysis, and its solution.

Nodes stand for registers, terms and memory; each holds a set of places, one bit each, that only grows. The
lowest bits are marks. Edges say that one node's places flow into another's, possibly at another offset;
loads and stores add edges as the places of their address become known. A work list passes on what is new
until nothing is. The order of work does not matter: all constraints are monotone, so there is one least
solution.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

from sley.analyses.objects import ANY, MemoryClasses, Offset, indices
from sley.program.memory import PointerLayout, Storage

COMPUTED = 1
"""The set with only the mark that a value may be computed, not derived from a known place."""

ARBITRARY = 2
"""The set with only the mark that a value may be one that was never computed: uninitialised, an input."""

NUMBER = 4
"""The set with only the mark that a value may be a number that is neither null nor close to it."""

PARTIAL = 8
"""The set with only the mark that a value may have been put together from parts of cells."""

MARKS = COMPUTED | ARBITRARY | NUMBER | PARTIAL

MOST_PLACES = 300
"""After so many places in one object, further ones count as any offset."""


@dataclass(slots=True)
class _Load:
    """A load by the addresses that a node may hold; ``done`` are the memory nodes already connected."""

    target: int
    size: int
    done: int = 0


@dataclass(slots=True)
class _Store:
    """A store by the addresses that a node may hold; ``spoiled`` are the memory nodes already marked."""

    source: int | None
    size: int
    done: int = 0
    spoiled: int = 0


class Constraints:
    """A growing graph; after ``solve``, ``values[node]`` is what the node may hold."""

    def __init__(self, classes: MemoryClasses, pointers: PointerLayout) -> None:
        self.classes = classes
        self._frees: list[tuple[int, int]] = []
        self._heirs: dict[int, int] = {}
        """Heap block -> those that may get its number once it is dead, one bit each."""
        self.address_bytes = (pointers.width + 7) // 8
        self.farthest = 1 << pointers.offset_bits
        self.values: list[int] = []
        self._new: list[int] = []
        self._copies: list[list[int]] = []
        self._shifts: list[list[tuple[int, Offset]]] = []
        self._loads: list[list[_Load]] = []
        self._stores: list[list[_Store]] = []
        self._known: set[tuple[int, int]] = set()
        self._waiting: deque[int] = deque()
        self._places: list[tuple[int, Offset]] = [(0, ANY)] * MARKS.bit_length()
        self._bit_of: dict[tuple[int, Offset], int] = {}
        self._places_in = [0] * len(classes.objects)
        self._shifted: dict[tuple[int, Offset], int] = {}
        self._touched: dict[tuple[int, int], tuple[int, int, int]] = {}
        self._cell_nodes: dict[int, int] = {}
        self._rest_nodes: list[int] = []
        for obj in classes.objects:
            partition = classes.partitions[obj.index]
            for index, cell in enumerate(partition.cells, partition.first):
                if cell.size >= self.address_bytes:
                    self._cell_nodes[index] = self.node()
            self._rest_nodes.append(self.node())
        self.scrambled = self.node()
        """What unmodelled functions know."""

    # --- places -------------------------------------------------------------------------------

    def place(self, obj: int, offset: Offset) -> int:
        """The set with one place; offsets outside the object, and too many of them, are thrown together."""
        offset = self._normal(obj, offset)
        bit = self._bit_of.get((obj, offset))
        if bit is None:
            if self._places_in[obj] >= MOST_PLACES and offset != ANY:
                return self.place(obj, ANY)
            self._places_in[obj] += 1
            bit = self._bit_of[obj, offset] = 1 << len(self._places)
            self._places.append((obj, offset))
        return bit

    def _normal(self, obj: int, offset: Offset) -> Offset:
        residue, modulus = offset
        described, partition = self.classes.objects[obj], self.classes.partitions[obj]
        modulus = gcd(modulus, partition.period)
        if modulus == 0 and not (described.size is not None and 0 <= residue <= described.size):
            modulus = described.layout.stride
        return Offset(residue % modulus, modulus) if modulus else Offset(residue)

    def place_of(self, bit: int) -> tuple[int, Offset]:
        """The object and offset of the place with this bit number."""
        return self._places[bit]

    def objects_in(self, bits: int) -> int:
        """The objects of a set of places, one bit each."""
        found = 0
        for bit in indices(bits & ~MARKS):
            found |= 1 << self._places[bit][0]
        return found

    def aliases(self, bits: int) -> int:
        """The places that these addresses may name in the end, reuse of heap numbers considered."""
        found = bits
        for bit in indices(bits & ~MARKS if self._heirs else 0):
            obj, offset = self._places[bit]
            for other in indices(self._heirs.get(obj, 0)):
                found |= self.place(other, offset)
        return found

    def _objects_at(self, obj: int) -> tuple[int, ...]:
        return obj, *indices(self._heirs.get(obj, 0))

    # --- building -----------------------------------------------------------------------------

    def node(self) -> int:
        """A new node that holds nothing."""
        for table in (self._copies, self._shifts, self._loads, self._stores):
            table.append([])
        self.values.append(0)
        self._new.append(0)
        return len(self.values) - 1

    def memory_nodes(self, obj: int) -> Iterator[int]:
        """The nodes for what the object's bytes may hold."""
        partition = self.classes.partitions[obj]
        for index in range(partition.first, partition.first + len(partition.cells)):
            if index in self._cell_nodes:
                yield self._cell_nodes[index]
        yield self._rest_nodes[obj]

    def include(self, node: int, bits: int) -> None:
        """The node may hold these places."""
        new = bits & ~self.values[node]
        if new:
            if not self._new[node]:
                self._waiting.append(node)
            self.values[node] |= new
            self._new[node] |= new

    def copy(self, source: int, target: int) -> None:
        """What the source may hold, the target may hold."""
        if source != target and (source, target) not in self._known:
            self._known.add((source, target))
            self._copies[source].append(target)
            self.include(target, self.values[source])

    def shift(self, source: int, target: int, by: Offset) -> None:
        """The target may hold what the source may hold, at another offset."""
        if by == Offset(0):
            self.copy(source, target)
        else:
            self._shifts[source].append((target, by))
            self.include(target, self.moved(self.values[source], by))

    def load(self, address: int, target: int, size: int) -> None:
        """The target may hold what lies at the address."""
        self._loads[address].append(_Load(target, size))
        self._apply_load(self._loads[address][-1], self.values[address])

    def store(self, address: int, source: int | None, size: int) -> None:
        """Memory at the address may hold what the source may hold (None: no address)."""
        self._stores[address].append(_Store(source, size))
        self._apply_store(self._stores[address][-1], self.values[address])

    def free(self, address: int, made_after: int) -> None:
        """What the address names may be freed, and these blocks, one bit each, are made after that."""
        if made_after:
            self._frees.append((address, made_after))

    def forget_contents(self, obj: int, but: frozenset[int] = frozenset()) -> None:
        """The object's contents become arbitrary, but for the cells in these classes."""
        partition = self.classes.partitions[obj]
        for index in range(partition.first, partition.first + len(partition.cells)):
            if index in self._cell_nodes and index not in but:
                self.include(self._cell_nodes[index], ARBITRARY)
        self.include(self._rest_nodes[obj], ARBITRARY)

    # --- solving ------------------------------------------------------------------------------

    def solve(self) -> None:
        """Pass on what is new until nothing is; so, too, with numbers that are used again."""
        self._pass_on()
        while self._inherit():
            self._touched.clear()
            for node, value in enumerate(self.values):
                if value and (self._loads[node] or self._stores[node] or node == self.scrambled):
                    self._look_at_memory(node, value)
            self._pass_on()

    def _inherit(self) -> bool:
        """Find blocks that may get the numbers of others; whether there are more."""
        found = dict(self._heirs)
        for address, made_after in self._frees:
            for obj in indices(self.objects_in(self.aliases(self.values[address]))):
                if self.classes.objects[obj].is_heap:
                    found[obj] = found.get(obj, 0) | made_after
        is_growing = True
        while is_growing:
            is_growing = False
            for obj, heirs in found.items():
                more = heirs
                for heir in indices(heirs):
                    more |= found.get(heir, 0)
                is_growing = is_growing or more != heirs
                found[obj] = more
        was, self._heirs = self._heirs, {obj: heirs & ~(1 << obj) for obj, heirs in found.items()}
        return self._heirs != was

    def _pass_on(self) -> None:
        while self._waiting:
            node = self._waiting.popleft()
            new, self._new[node] = self._new[node], 0
            for target in self._copies[node]:
                self.include(target, new)
            for target, by in self._shifts[node]:
                self.include(target, self.moved(new, by))
            self._look_at_memory(node, new)

    def _look_at_memory(self, node: int, bits: int) -> None:
        for load in self._loads[node]:
            self._apply_load(load, bits)
        for store in self._stores[node]:
            self._apply_store(store, bits)
        if node == self.scrambled:
            self._scramble(bits)

    def moved(self, bits: int, by: Offset) -> int:
        """The places at another offset."""
        if by == Offset(0):
            return bits
        found = bits & MARKS
        for bit in indices(bits & ~MARKS):
            moved = self._shifted.get((bit, by))
            if moved is None:
                moved = self._shifted[bit, by] = self._moved_place(*self._places[bit], by)
            found |= moved
        return found

    def _moved_place(self, obj: int, offset: Offset, by: Offset) -> int:
        if self.classes.objects[obj].storage is Storage.CODE:
            return COMPUTED
        residue, modulus = offset.residue + by.residue, gcd(offset.modulus, by.modulus)
        place = self.place(obj, Offset(residue, modulus))
        is_near = modulus != 0 or -self.farthest // 2 <= residue < self.farthest
        return place if is_near else place | COMPUTED

    def _apply_load(self, load: _Load, bits: int) -> None:
        touched, _, marks = self._memory_under(bits & ~MARKS, load.size)
        self.include(load.target, marks | (bits & MARKS & ~NUMBER))
        for node in indices(touched & ~load.done):
            self.copy(node, load.target)
        load.done |= touched

    def _apply_store(self, store: _Store, bits: int) -> None:
        touched, inexact, _ = self._memory_under(bits & ~MARKS, store.size)
        for node in indices(inexact & ~store.spoiled):
            self.include(node, PARTIAL)
        store.spoiled |= inexact
        if store.source is not None:
            for node in indices(touched & ~store.done):
                self.copy(store.source, node)
            store.done |= touched

    def _memory_under(self, bits: int, size: int) -> tuple[int, int, int]:
        """What accesses by these places touch: nodes, those not as a whole cell, and the marks to add.

        Nodes on cycles get the same places again and again, so whole sets are remembered.
        """
        found = self._touched.get((bits, size))
        if found is None:
            nodes = inexact = mark = 0
            for bit in indices(bits):
                more = self._memory_at(*self._places[bit], size)
                nodes, inexact, mark = nodes | more[0], inexact | more[1], mark | more[2]
            found = self._touched[bits, size] = (nodes, inexact, mark)
        return found

    def _memory_at(self, obj: int, offset: Offset, size: int) -> tuple[int, int, int]:
        nodes = inexact = 0
        is_whole = True
        for other in self._objects_at(obj):
            partition = self.classes.partitions[other]
            is_whole = is_whole and (partition.padding == 0 or partition.stays_in_column(offset))
            for index, is_exact in partition.overlaps(offset, 0, size):
                cell = self._cell_nodes.get(index)
                node = 1 << (self._rest_nodes[other] if cell is None else cell)
                nodes |= node
                if cell is None or not is_exact:
                    inexact |= node
        return nodes, inexact, 0 if is_whole and not inexact else PARTIAL

    def write(self, obj: int, offset: Offset, size: int, source: int) -> None:
        """The bytes at this place may hold what the source may hold."""
        address = self.node()
        self.store(address, source, size)
        self.include(address, self.place(obj, offset))

    def _scramble(self, bits: int) -> None:
        for bit in indices(bits & ~MARKS):
            for obj in self._objects_at(self._places[bit][0]):
                self.forget_contents(obj)
                for node in tuple(self.memory_nodes(obj)):
                    self.copy(node, self.scrambled)
                    self.copy(self.scrambled, node)
