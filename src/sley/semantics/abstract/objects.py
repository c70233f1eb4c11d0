"""Abstract objects: what an address may point into, and which cells of it an access touches.

An abstract object stands for all concrete ones that come from one place of the program: a static
one for itself, a local variable for its instances in all calls of all threads, an allocation for
all blocks that are made there in one context, or in several, a Create for all threads that are
started there.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import gcd
from typing import NamedTuple

from sley.analyses.ranges import Fact
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.memory import Layout, MemoryObject, Storage
from sley.program.program import Program
from sley.semantics.abstract.values import Place, Reference, Value, address, object_of, old, recent

MOST_CELLS = 64
"""An object with more cells has one for all elements."""

MOST_BYTES = 16
"""The same for an array of bytes."""

LONGEST_RUN = 16
"""More scalars of one size in a row, as of an array in a structure, are one cell."""


class ObjectKind(Enum):
    """Where an abstract object comes from."""

    STATIC = "static"
    LOCAL = "local"
    THREAD_LOCAL = "thread local"
    HEAP = "heap"
    THREAD = "thread"
    """No memory: what the handle of a thread points to."""
    OUTSIDE = "outside"
    """Memory that functions without a body give out."""


MANY_MAKERS = -1
"""In place of a context: one object stands for what is made in several contexts."""


class ObjectOrigin(NamedTuple):
    """What tells an abstract object from others."""

    kind: ObjectKind
    name: str
    """Of the object, or of the function that makes it."""
    number: int = 0
    """Of a static object; of the location where it is made."""
    context: int = 0
    """In which it is made; or ``MANY_MAKERS``."""


class ObjectCell(NamedTuple):
    """A scalar of an abstract object."""

    object: int
    offset: int
    size: int
    """0: any bytes of the object."""


class CellRun(NamedTuple):
    """Scalars in a row that are one cell: that of the first."""

    start: int
    end: int
    size: int
    """Of each of them."""


@dataclass(frozen=True, slots=True)
class ObjectLayout:
    """How the bytes of an object are divided."""

    layout: Layout
    size: int | None
    """None: it is not known before."""
    is_summary: bool
    """Whether all its repetitions are one."""
    declaration: MemoryObject | None = None
    runs: tuple[CellRun, ...] = ()

    def run_at(self, offset: int) -> CellRun | None:
        """The run that an offset is in."""
        rest = offset % self.layout.stride if self.runs else offset
        return next((run for run in self.runs if run.start <= rest < run.end), None)

    def normal(self, offset: int) -> int:
        """The offset of the cell that stands for one there."""
        if offset < 0:
            return offset
        repetition, rest = divmod(offset, self.layout.stride)
        run = self.run_at(rest)
        if run is not None:
            rest = run.start + (rest - run.start) % run.size
        return rest if self.is_summary else repetition * self.layout.stride + rest

    def extent(self, cell: ObjectCell) -> tuple[int, int]:
        """The bytes that a cell may stand for, in one repetition if all are one."""
        run = self.run_at(cell.offset)
        if run is None:
            return cell.offset, cell.offset + cell.size
        start = cell.offset - cell.offset % self.layout.stride + run.start
        is_one = cell.offset == start and cell.size == run.size
        return start, start + run.end - run.start + (0 if is_one else cell.size)


def _runs(layout: Layout) -> tuple[CellRun, ...]:
    found: list[CellRun] = []
    for cell in layout.cells:
        last = found[-1] if found else None
        if last is not None and last.end == cell.offset and last.size == cell.size:
            found[-1] = last._replace(end=cell.offset + cell.size)
        else:
            found.append(CellRun(cell.offset, cell.offset + cell.size, cell.size))
    return tuple(run for run in found if run.end - run.start > LONGEST_RUN * run.size)


class CellSet:
    """Cells, by the objects that they are in."""

    def __init__(self, objects: "Objects", cells: Iterable[ObjectCell] = ()) -> None:
        self._objects = objects
        self._of: dict[int, set[ObjectCell]] = {}
        for cell in cells:
            self.add(cell)

    def add(self, cell: ObjectCell) -> None:
        """One more."""
        self._of.setdefault(cell.object, set()).add(cell)

    def __contains__(self, cell: ObjectCell) -> bool:
        return cell in self._of.get(cell.object, ())

    def __iter__(self) -> Iterator[ObjectCell]:
        return (cell for cells in self._of.values() for cell in cells)

    def meets(self, cell: ObjectCell) -> bool:
        """Whether any of them has bytes in common with a cell."""
        found = self._of.get(cell.object, ())
        return cell in found or any(self._objects.meet(cell, one) for one in found)


class Objects:
    """The abstract objects of a program, numbered as they are met."""

    def __init__(self, program: Program, origins: Sequence[ObjectOrigin] = ()) -> None:
        self.program = program
        self.origins: list[ObjectOrigin] = []
        self._index: dict[ObjectOrigin, int] = {}
        self._shapes: dict[int, ObjectLayout | None] = {}
        self._cells: dict[tuple[int, Fact, int], tuple[tuple[ObjectCell, ...], bool]] = {}
        self._parts: dict[int, tuple[ObjectCell, ...]] = {}
        self._known_scalars: dict[tuple[int, int], frozenset[int]] = {}
        self._locals: dict[tuple[str, str], MemoryObject] = {}
        for function in program.functions.values():
            for declared in function.objects:
                self._locals[function.name, declared.name] = declared
        for origin in origins:
            self.index(origin)
        self.outside = self.index(ObjectOrigin(ObjectKind.OUTSIDE, "outside"))

    def __len__(self) -> int:
        return len(self.origins)

    def index(self, origin: ObjectOrigin) -> int:
        """The number of an object."""
        found = self._index.get(origin)
        if found is None:
            found = self._index[origin] = len(self.origins)
            self.origins.append(origin)
        return found

    def kind(self, obj: int) -> ObjectKind:
        """Where the object comes from."""
        return self.origins[obj].kind

    def static_place(self, pointer: int) -> Place | None:
        """What a constant is the address of; one past the end of an object is an address, too."""
        pointers = self.program.pointers
        number, offset = pointers.number(pointer), pointers.offset(pointer)
        if offset > pointers.largest_object and pointer != pointers.wild:
            number, offset = number + 1, offset - (1 << pointers.offset_bits)
        declared = self.program.static_object(number)
        if declared is None:
            return None
        obj = self.index(ObjectOrigin(ObjectKind.STATIC, declared.name, number))
        return old(obj), Fact(offset, offset, offset, 0)

    def addresses_in(self, function: str) -> Mapping[Term, Value]:
        """What the addresses of the objects of a function are there."""
        found = {}
        for declared in self.program.functions[function].objects:
            obj = self.local(function, declared)
            is_own = self.kind(obj) is ObjectKind.LOCAL
            found[declared.address] = address(recent(obj) if is_own else old(obj))
        return found

    def local(self, function: str, declared: MemoryObject) -> int:
        """A local variable, or one that each thread has."""
        if declared.storage is Storage.THREAD:
            return self.index(ObjectOrigin(ObjectKind.THREAD_LOCAL, declared.name))
        return self.index(ObjectOrigin(ObjectKind.LOCAL, f"{function}::{declared.name}"))

    def block(self, function: str, location: int, context: int) -> int:
        """What an Allocate makes."""
        return self.index(ObjectOrigin(ObjectKind.HEAP, function, location, context))

    def thread(self, function: str, location: int, context: int) -> int:
        """What a Create starts."""
        return self.index(ObjectOrigin(ObjectKind.THREAD, function, location, context))

    def shape(self, obj: int) -> ObjectLayout | None:
        """How an object is divided; None: it has no cells of its own."""
        if obj not in self._shapes:
            self._shapes[obj] = self._shape(obj)
        return self._shapes[obj]

    def _shape(self, obj: int) -> ObjectLayout | None:
        origin = self.origins[obj]
        if origin.kind is ObjectKind.HEAP:
            return self._shape_of_block(origin)
        declared = self._declaration(origin)
        if declared is None or declared.storage is Storage.CODE:
            return None
        is_summary = _is_long(declared.layout, declared.size)
        return ObjectLayout(declared.layout, declared.size, is_summary, declared, _runs(declared.layout))

    def _shape_of_block(self, origin: ObjectOrigin) -> ObjectLayout:
        for edge in self.program.functions[origin.name].outgoing[origin.number]:
            if isinstance(edge.instruction, ir.Allocate):
                layout = edge.instruction.layout
                size = self.program.terms.number(edge.instruction.size)
                return ObjectLayout(layout, size, _is_long(layout, size), None, _runs(layout))
        raise AssertionError(f"no block is made at {origin}")

    def _declaration(self, origin: ObjectOrigin) -> MemoryObject | None:
        if origin.kind is ObjectKind.STATIC:
            return self.program.static_object(origin.number)
        if origin.kind is ObjectKind.LOCAL:
            function, _, name = origin.name.partition("::")
            return self._locals[function, name]
        if origin.kind is ObjectKind.THREAD_LOCAL:
            return next(made for (_, name), made in self._locals.items() if name == origin.name)
        return None

    def declaration(self, obj: int) -> MemoryObject | None:
        """What the program says about it; blocks and threads have no declaration."""
        return self._declaration(self.origins[obj])

    def everything(self, obj: int) -> ObjectCell:
        """All bytes of an object."""
        return ObjectCell(obj, 0, 0)

    def cells(self, obj: int, offsets: Fact, size: int) -> tuple[tuple[ObjectCell, ...], bool]:
        """The cells that an access may touch, and whether it is surely all of exactly one scalar."""
        key = (obj, offsets, size)
        found = self._cells.get(key)
        if found is None:
            found = self._cells[key] = self._touched(obj, offsets, size)
        return found

    def _touched(self, obj: int, offsets: Fact, size: int) -> tuple[tuple[ObjectCell, ...], bool]:
        shape = self.shape(obj)
        if shape is None:
            return (self.everything(obj),), False
        if offsets.modulus == 0:
            at = offsets.residue % shape.layout.stride if shape.is_summary else offsets.residue
            is_one = not shape.is_summary and shape.run_at(at) is None
            return (ObjectCell(obj, shape.normal(at), size),), is_one
        starts = self._scalars(obj, size)
        found: dict[ObjectCell, None] = {}
        for at in map(shape.normal, _possible(offsets, shape, size)):
            if at not in starts:
                return (self.everything(obj),), False
            found[ObjectCell(obj, at, size)] = None
        return tuple(found), False

    def _scalars(self, obj: int, size: int) -> frozenset[int]:
        """Where scalars of a size start."""
        key = (obj, size)
        if key not in self._known_scalars:
            self._known_scalars[key] = frozenset(part.offset for part in self.parts(obj) if part.size == size)
        return self._known_scalars[key]

    def touched_parts(self, obj: int, offsets: Fact, size: int) -> tuple[ObjectCell, ...]:
        """The scalars of which an access may touch some bytes, or just everything if they are many."""
        shape = self.shape(obj)
        if shape is None or shape.is_summary:
            return (self.everything(obj),)
        low, high = offsets.low, offsets.high + size
        found = []
        for part in self.parts(obj):
            start, end = shape.extent(part)
            if start < high and low < end:
                found.append(part)
        return tuple(found) if len(found) <= MOST_CELLS else (self.everything(obj),)

    def _starts(self, shape: ObjectLayout, size: int) -> Iterator[int]:
        """Where scalars of a size start."""
        cells, stride = shape.layout.cells, shape.layout.stride
        repetitions = 1 if shape.is_summary or shape.size is None else -(-shape.size // stride)
        for repetition in range(repetitions):
            for cell in cells:
                run = shape.run_at(cell.offset)
                if cell.size == size and (run is None or run.start == cell.offset):
                    yield repetition * stride + cell.offset

    def parts(self, obj: int) -> tuple[ObjectCell, ...]:
        """All scalars of an object."""
        if obj not in self._parts:
            self._parts[obj] = self._find_parts(obj)
        return self._parts[obj]

    def _find_parts(self, obj: int) -> tuple[ObjectCell, ...]:
        shape = self.shape(obj)
        if shape is None:
            return (self.everything(obj),)
        sizes = dict.fromkeys(cell.size for cell in shape.layout.cells)
        return tuple(ObjectCell(obj, at, size) for size in sizes for at in self._starts(shape, size))

    def overlapping(self, one: ObjectCell, other: ObjectCell) -> bool:
        """Whether two cells of an object have bytes in common without being the same."""
        if one.size == 0 or other.size == 0 or one == other:
            return False
        if one.offset < 0 or other.offset < 0:
            return False  # what is before an object is no part of it
        shape = self.shape(one.object)
        if shape is None:
            return one.offset < other.offset + other.size and other.offset < one.offset + one.size
        low, high = shape.extent(one)
        start, end = shape.extent(other)
        if not shape.is_summary:
            return low < end and start < high
        stride = shape.layout.stride
        return any(low + shift < end and start < high + shift for shift in (0, stride, -stride))

    def meet(self, one: ObjectCell, other: ObjectCell) -> bool:
        """Whether two cells have bytes in common."""
        if one.object != other.object:
            return False
        return one == other or not one.size or not other.size or self.overlapping(one, other)

    def initial(self, cell: ObjectCell) -> tuple[int, ...] | None:
        """The numbers that a static cell holds in the beginning; None: something else than scalars."""
        shape = self.shape(cell.object)
        if shape is None or shape.declaration is None or shape.size is None:
            return None
        declared, layout = shape.declaration, shape.layout
        if not declared.initial:
            return (0,)
        if cell.size == 0:
            return None
        found = layout.cell_at(cell.offset)
        if found is None or found[1].size != cell.size:
            return None
        listed = dict(declared.initial)
        run = shape.run_at(cell.offset)
        if not shape.is_summary and run is None:
            return (listed.get(found[0], 0),)
        per = len(layout.cells)
        first, length = found[0] % per, 1 if run is None else (run.end - run.start) // run.size
        base = 0 if shape.is_summary else found[0] - first
        repetitions = -(-shape.size // layout.stride) if shape.is_summary else 1
        meant = [
            value
            for index, value in listed.items()
            if (shape.is_summary or index // per == base // per) and first <= index % per < first + length
        ]
        values = set(meant) if len(meant) == repetitions * length else {*meant, 0}
        return tuple(sorted(values))

    def size(self, obj: int) -> int | None:
        """So many bytes; None: that is not fixed."""
        shape = self.shape(obj)
        return None if shape is None else shape.size

    def may_be_equal(self, one: Reference, offset: Fact, other: Reference, other_offset: Fact) -> bool:
        """Whether two addresses may be the same."""
        first, second = object_of(one), object_of(other)
        if first == second:
            is_one_object = self.kind(first) is ObjectKind.STATIC
            return not is_one_object or max(offset.low, other_offset.low) <= min(
                offset.high, other_offset.high
            )
        both = {self.kind(first), self.kind(second)}
        if both <= {ObjectKind.STATIC}:
            return not (self._is_inside(first, offset) and self._is_inside(second, other_offset))
        return True

    def _is_inside(self, obj: int, offset: Fact) -> bool:
        size = self.size(obj)
        return size is None or (offset.low >= 0 and offset.high < max(size, 1))


def _is_long(layout: Layout, size: int | None) -> bool:
    """Whether all elements of an object are one, if it has several."""
    if size is None or size <= layout.stride:
        return size is None
    return layout.count(size) > (MOST_BYTES if layout.stride == 1 else MOST_CELLS)


def _possible(offsets: Fact, shape: ObjectLayout, size: int) -> Iterator[int]:
    """The offsets inside of the object, in its first repetition if all of them are one."""
    low, high, step = offsets.low, offsets.high, offsets.modulus
    if not shape.is_summary and shape.size is not None:
        low, high = max(low, 0), min(high, shape.size - size)
        yield from range(low + (offsets.residue - low) % step, high + 1, step)
        return
    stride = shape.layout.stride
    if high - low >= stride * step:
        step = gcd(step, stride)
        yield from range(offsets.residue % step, stride, step)
        return
    first = low + (offsets.residue - low) % step
    yield from sorted({at % stride for at in range(first, high + 1, step)})
