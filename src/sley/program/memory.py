"""Memory objects, their layout, and how a pointer names a byte in one.

A pointer is a bit-vector: the object's number in the upper bits, the offset in bytes in the lower
``offset_bits``. Number 0 is the null object, so a null pointer is 0. Adding to a pointer is adding to the
bit-vector; stepping out of an object and back again yields the same pointer, and a pointer out of bounds is
out of bounds of whatever object its number then names, because no object is larger than half the offsets.
The front end guards additions that could jump further (they yield ``PointerLayout.wild``).

Numbers: globals have those from F = ``first_object`` on, which is far from numbers that programs compute
with; the k-th local object (k from 0) of the thread with id t (from 0) has ``F + G + t * S + k`` where G is
the number of globals and S the largest number of local objects of any function; heap blocks have numbers
from ``heap_base`` on, which no other object reaches.
"""

from dataclasses import dataclass
from enum import Enum

from sley.base.source import Span
from sley.logic.sorts import Sort, width_of
from sley.logic.terms import Term

NO_ADDRESS = 4096
"""Numbers up to this, and their negatives, are the address of nothing: null, marks such as ``(void *)-1``."""


@dataclass(frozen=True, slots=True)
class PointerLayout:
    """How many bits a pointer has, and how many of them are the offset."""

    width: int = 64
    offset_bits: int = 32

    @property
    def heap_base(self) -> int:
        """The first object number of heap blocks."""
        return 1 << (self.width - self.offset_bits - 1)

    @property
    def first_object(self) -> int:
        """The number of the first global: constants such as ``1 << 32`` should be the address of nothing."""
        return min(0x5A17, self.heap_base // 5)

    @property
    def largest_object(self) -> int:
        """No object may be larger than this many bytes."""
        return 1 << (self.offset_bits - 1)

    @property
    def likely_numbers(self) -> tuple[tuple[int, int], ...]:
        """From which to before which number objects are found, unless a program has very many."""
        last = (1 << (self.width - self.offset_bits)) - 2
        static = self.first_object, min(self.first_object + (1 << 16), self.heap_base)
        return static, (self.heap_base, min(self.heap_base + (1 << 20), last))

    @property
    def object_bits(self) -> tuple[int, int]:
        """The highest and lowest bit of those that tell the object of an address inside it.

        Terms with exactly these bits, or ``place_bits``, are ours: what they are compared with tells nothing
        of where objects lie, so ``passes.addresses`` keeps them.
        """
        return self.width - 1, self.offset_bits - 1

    @property
    def place_bits(self) -> tuple[int, int]:
        """The bits that tell where in its object an address is."""
        return self.offset_bits - 2, 0

    @property
    def wild(self) -> int:
        """A pointer to nothing: offset all ones in the null object, never valid, not null."""
        return (1 << self.offset_bits) - 1

    def address(self, number: int, offset: int = 0) -> int:
        """The pointer to byte ``offset`` of object ``number``."""
        return ((number << self.offset_bits) + offset) & ((1 << self.width) - 1)

    def number(self, pointer: int) -> int:
        """The object number in a pointer."""
        return pointer >> self.offset_bits

    def offset(self, pointer: int) -> int:
        """The offset in a pointer."""
        return pointer & ((1 << self.offset_bits) - 1)


class Display(Enum):
    """How a value is shown to the user."""

    SIGNED = "signed"
    UNSIGNED = "unsigned"
    BOOL = "bool"
    CHAR = "char"
    POINTER = "pointer"
    FLOAT = "float"
    HIDDEN = "hidden"
    """Temporaries and the insides of library objects."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One scalar of a layout: where it is, what it holds, and how C names it (``.next``, ``[2]``)."""

    offset: int
    sort: Sort
    path: str = ""
    display: Display = Display.SIGNED

    @property
    def size(self) -> int:
        """Bytes."""
        return (width_of(self.sort) + 7) // 8


@dataclass(frozen=True, slots=True)
class Layout:
    """The scalars of an object: ``cells`` repeated every ``stride`` bytes.

    A struct is one repetition, an array of scalars one cell with the element's size as stride. Bytes that no
    cell covers are padding: writes there vanish, reads give arbitrary values.
    """

    cells: tuple[Cell, ...]
    stride: int
    constant: tuple[tuple[int, int], ...] = ()
    """Bytes, from and to, in each repetition that only what initialises them may write: ``const`` members."""

    def is_constant(self, offset: int, size: int) -> bool:
        """Whether some of these bytes must not be written."""
        return bool(self.constant) and any(
            low <= byte % self.stride < high
            for byte in range(offset, offset + size)
            for low, high in self.constant
        )

    def cell_at(self, offset: int) -> tuple[int, Cell] | None:
        """The index (over all repetitions) and cell that starts at this offset, if one does."""
        repetition, rest = divmod(offset, self.stride)
        for position, cell in enumerate(self.cells):
            if cell.offset == rest:
                return repetition * len(self.cells) + position, cell
        return None

    def count(self, size: int) -> int:
        """How many cells an object of ``size`` bytes has (a last incomplete repetition counts)."""
        return -(-size // self.stride) * len(self.cells)

    def offset_of(self, index: int) -> int:
        """The byte offset of the cell with this index."""
        repetition, position = divmod(index, len(self.cells))
        return repetition * self.stride + self.cells[position].offset

    def path_of(self, index: int, size: int) -> str:
        """How C names the cell with this index inside the object."""
        repetition, position = divmod(index, len(self.cells))
        prefix = f"[{repetition}]" if size > self.stride else ""
        return prefix + self.cells[position].path


class Storage(Enum):
    """Where an object lives, hence how long."""

    GLOBAL = "global"
    """As long as the process."""
    THREAD = "thread"
    """Thread-local: one per thread, as long as the thread."""
    LOCAL = "local"
    """From ``Enter`` to ``Leave`` of one thread."""
    CODE = "code"
    """A function: has an address, cannot be read or written."""


@dataclass(frozen=True, slots=True)
class AddressOf:
    """The symbol of the variable that stands for the address of a thread or local object."""

    name: str

    def __str__(self) -> str:
        return f"&{self.name}"


@dataclass(frozen=True, slots=True)
class MemoryObject:
    """A named object with static layout: a global, an address-taken local, a function's address."""

    name: str
    """Unique in the program (globals) or function (locals)."""
    size: int
    layout: Layout
    storage: Storage
    address: Term
    """A constant for globals and code, the variable :class:`AddressOf` for thread and local objects."""
    initial: tuple[tuple[int, int], ...] = ()
    """Cell index -> value, for GLOBAL and THREAD objects; cells not listed are 0."""
    c_name: str = ""
    """What the user wrote; empty for objects the user did not name."""
    span: Span | None = None
    is_read_only: bool = False
    """Wholly: string literals and ``const`` objects: only what initialises them may write them."""
    alignment: int = 1
    """C promises that the address is a multiple of this power of two."""
