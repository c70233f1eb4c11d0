"""Abstract objects, and the classes into which their bytes fall.

An abstract object stands for one global, for the local objects in one slot of all threads of a template, or
for all heap blocks that one Allocate edge makes. Its bytes are divided into *classes*, numbered through the
program, so that a set of classes is an int with one bit each: one class per cell, or per cell of one
repetition where an array is large or its size unknown, one for padding, and one for the object's life
(which accesses read, and Free, Enter, Leave and the end of a thread write).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import Any, NamedTuple

from sley.program.instructions import Allocate
from sley.program.memory import Layout, MemoryObject, Storage
from sley.program.program import Program

MANY_CELLS = 256
"""In an object with more cells than this all repetitions of the layout count as one."""

MOST_CLASSES = 1024
"""An object whose layout has more cells than this is one class."""


def indices(bits: int) -> Iterator[int]:
    """The members of a set given as bits, in order."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def union(sets: Iterable[int]) -> int:
    """The union of sets given as bits."""
    bits = 0
    for members in sets:
        bits |= members
    return bits


class Offset(NamedTuple):
    """A set of byte offsets: ``residue`` alone if ``modulus`` is 0, else all residue + k * modulus."""

    residue: int
    modulus: int = 0

    def __str__(self) -> str:
        if self.modulus == 0:
            return str(self.residue)
        return "*" if self.modulus == 1 else f"{self.residue} mod {self.modulus}"


ANY = Offset(0, 1)


@dataclass(frozen=True, slots=True)
class AbstractObject:
    """One or more objects that the analyses do not tell apart."""

    index: int
    name: str
    storage: Storage | None
    """None: heap."""
    layout: Layout
    size: int | None
    """Bytes, if known."""
    template: str | None = None
    """The thread template whose threads have or allocate the object; None for globals and code."""
    slot: int | None = None
    """Local objects: the position among the template's objects."""
    site: int | None = None
    """Heap blocks: the location where they are allocated."""
    declaration: MemoryObject | None = None
    """Not for heap blocks."""
    alignment: int = 1
    """The object starts at a multiple of this power of two."""
    is_thread_id: bool = False
    """Stands for what ids of threads name."""

    @property
    def is_heap(self) -> bool:
        """Whether this stands for heap blocks."""
        return self.storage is None

    @property
    def is_static(self) -> bool:
        """Whether the object has one number in all runs: a global or a function."""
        return self.storage in (Storage.GLOBAL, Storage.CODE)


class AbstractObjects(Sequence[AbstractObject]):
    """All abstract objects of a program: index 0 is no object, then come the globals in their order."""

    def __init__(self, program: Program) -> None:
        self._first = program.pointers.first_object
        self._static_count = len(program.objects)
        self._objects = [AbstractObject(0, "nothing", Storage.CODE, Layout((), 1), 0)]
        self._slots: dict[tuple[str, int], int] = {}
        self._sites: dict[int, int] = {}
        for declared in program.objects:
            self._add_declared(declared, declared.name)
        for function in program.functions.values():
            for slot, declared in enumerate(function.objects):
                self._slots[function.name, slot] = len(self._objects)
                name = f"{function.name}::{declared.name}"
                self._add_declared(declared, name, template=function.name, slot=slot)
        for function in program.functions.values():
            for edge in function.edges:
                if isinstance(edge.instruction, Allocate):
                    self._sites[edge.source] = len(self._objects)
                    made, site = edge.instruction, edge.source
                    size, name = program.terms.number(made.size), f"{made.name or 'block'}@{site}"
                    where = {"template": function.name, "site": site, "alignment": made.alignment}
                    self._add(name, None, made.layout, size, **where)
        self.thread_id = len(self._objects)
        """The index of what thread ids name."""
        self._add("threads", Storage.CODE, Layout((), 1), 1, is_thread_id=True)

    def _add(self, name: str, storage: Storage | None, layout: Layout, size: int | None, **more: Any) -> None:
        self._objects.append(AbstractObject(len(self._objects), name, storage, layout, size, **more))

    def _add_declared(self, declared: MemoryObject, name: str, **more: Any) -> None:
        more |= {"declaration": declared, "alignment": declared.alignment}
        self._add(name, declared.storage, declared.layout, declared.size, **more)

    def __len__(self) -> int:
        return len(self._objects)

    def __iter__(self) -> Iterator[AbstractObject]:
        return iter(self._objects)

    def __getitem__(self, index: int) -> AbstractObject:  # type: ignore[override] # slices are not needed
        return self._objects[index]

    def of_static(self, number: int) -> int | None:
        """The index of the global or function with an object number."""
        index = number - self._first + 1
        return index if 0 < index <= self._static_count else None

    def static_number(self, index: int) -> int:
        """The object number of a global or function."""
        return self._first + index - 1

    def of_local(self, template: str, slot: int) -> int:
        """The index of a template's local object."""
        return self._slots[template, slot]

    def of_site(self, location: int) -> int:
        """The index of the blocks allocated at a location."""
        return self._sites[location]

    @cached_property
    def heap(self) -> tuple[int, ...]:
        """The indices of the heap blocks."""
        return tuple(self._sites.values())


class CellClass(NamedTuple):
    """The bytes of one class: ``size`` bytes from ``offset`` on, again every ``ByteClasses.period`` bytes."""

    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class ByteClasses:
    """How the bytes of one abstract object fall into classes."""

    cells: tuple[CellClass, ...]
    """The i-th has class ``first + i``."""
    first: int
    period: int
    """0: nothing repeats."""
    stride: int
    """Of the layout."""
    padding: int
    """The bit of the class of bytes outside all cells; 0 if there are none."""
    life: int
    """The bit of the object's life; 0 if it never ends."""

    def overlaps(self, offset: Offset, low: int, high: int) -> Iterator[tuple[int, bool]]:
        """The classes that the bytes offset + low .. offset + high - 1 may meet.

        With each: whether the bytes are exactly the bytes of one cell of the class whenever they meet it.
        """
        modulus = gcd(offset.modulus, self.period)
        start = offset.residue + low
        for index, (at, size) in enumerate(self.cells, self.first):
            if modulus == 0:
                if start < at + size and at < offset.residue + high:
                    yield index, start == at and size == high - low
            elif (at + size - start - 1) // modulus * modulus > at - offset.residue - high:
                is_exact = (start - at) % modulus == 0 and size == high - low
                yield index, is_exact and modulus >= size

    def touched(self, offset: Offset, low: int, high: int) -> int:
        """The classes, padding included, that these bytes may meet."""
        bits = 0
        may_miss = not self.stays_in_column(offset)
        for index, is_exact in self.overlaps(offset, low, high):
            bits |= 1 << index
            may_miss = may_miss or not is_exact
        return bits | self.padding if may_miss or not bits else bits

    def stays_in_column(self, offset: Offset) -> bool:
        """Whether the offset is at the same place of whichever repetition of the layout it is in."""
        return offset.modulus % self.stride == 0

    @property
    def all_bytes(self) -> int:
        """All classes but the life."""
        return (((1 << len(self.cells)) - 1) << self.first) | self.padding


class MemoryClasses:
    """The classes of all objects of a program."""

    def __init__(self, objects: AbstractObjects) -> None:
        self.objects = objects
        self.names: list[str] = []
        """What each class is, for people."""
        self.object_of: list[int] = []
        """Class -> the object that it is part of."""
        self.partitions = tuple(self._partition(obj) for obj in objects)
        self.count = len(self.names)

    def _partition(self, obj: AbstractObject) -> ByteClasses:
        if obj.storage is Storage.CODE:
            return ByteClasses((), self._next(), 1, 1, 0, 0)
        first, (cells, period) = self._next(), _cell_classes(obj)
        for cell in cells:
            self._name(obj, f"+{cell.offset}" if period == 0 else f"+{cell.offset} mod {period}")
        covered = sum(cell.size for cell in obj.layout.cells)
        padding = life = 0
        if covered < obj.layout.stride:
            padding = 1 << self._name(obj, " padding")
        if obj.storage is not Storage.GLOBAL:
            life = 1 << self._name(obj, " life")
        return ByteClasses(cells, first, period, obj.layout.stride, padding, life)

    def _next(self) -> int:
        return len(self.names)

    def _name(self, obj: AbstractObject, suffix: str) -> int:
        self.names.append(obj.name + suffix)
        self.object_of.append(obj.index)
        return len(self.names) - 1

    def all_of(self, obj: int) -> int:
        """All classes of an object, its life included."""
        partition = self.partitions[obj]
        return partition.all_bytes | partition.life


def _cell_classes(obj: AbstractObject) -> tuple[tuple[CellClass, ...], int]:
    """The cell classes of an object, and the period with which they repeat (0: not at all)."""
    layout = obj.layout
    if len(layout.cells) > MOST_CLASSES:
        return (CellClass(0, layout.stride),), layout.stride
    if obj.size is None or layout.count(obj.size) > MANY_CELLS:
        return tuple(CellClass(cell.offset, cell.size) for cell in layout.cells), layout.stride
    repetitions = -(-obj.size // layout.stride)
    cells = tuple(
        CellClass(repetition * layout.stride + cell.offset, cell.size)
        for repetition in range(repetitions)
        for cell in layout.cells
    )
    return cells, 0
