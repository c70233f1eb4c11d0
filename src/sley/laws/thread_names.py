"""Where the states of a program name threads, and what is left of such values without the names.

A thread is named by its own handle, by a bit of a set of threads, or by the address of one of its
local objects (``analyses.own_handles`` finds where these are, and ``laws.handle_typing`` that
nothing else is there).
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from sley.analyses.own_handles import ADDRESS, HANDLE, find_own_handles
from sley.analyses.pointers import PointsTo
from sley.base.persistent import replaced
from sley.laws.handle_typing import known_addresses
from sley.semantics.code import Code
from sley.semantics.state import EXITED, GONE, Cells, CellValue, State, location_of
from sley.semantics.values import Unset

Positions = tuple[tuple[int, int], ...]
"""Where something has values that name threads, and of which kind."""

OWN = -1
"""What a thread calls itself."""


class UnclearError(Exception):
    """Which thread a value names is not determined."""


class ThreadNames:
    """The registers and cells that name threads."""

    def __init__(self, code: Code, points_to: PointsTo) -> None:
        self.code = code
        self.points_to = points_to
        self.own = find_own_handles(code.program, points_to, known_addresses(code))
        self._local_cells: dict[str | None, Mapping[int, tuple[int, ...]]] = {}
        self._positions: dict[int, Positions] = {EXITED: (), GONE: ()}
        self._numbers: dict[tuple[int, int], range] = {}
        """Thread and location -> numbers of its local objects."""

    @cached_property
    def cells(self) -> Positions:
        """The flat cells that may name threads."""
        return tuple(
            (first + index, kind)
            for number, (first, table, size, _) in self.code.memory_map.flat.items()
            for index in range(table.layout.count(size))
            for kind, classes in self.own.classes.items()
            if self._in_object(number, classes) >> index & 1
        )

    @cached_property
    def owners(self) -> tuple[int, ...]:
        """The flat cells that may hold own handles."""
        return tuple(cell for cell, kind in self.cells if kind == HANDLE)

    def _in_object(self, number: int, classes: int) -> int:
        """The cells of a global object that are in some classes, one bit each."""
        points_to = self.points_to
        obj = points_to.objects.of_static(number)
        assert obj is not None
        partition = points_to.classes.partitions[obj]
        return (classes & partition.all_bytes) >> partition.first

    def local_cells(self, location: int) -> Mapping[int, tuple[int, ...]]:
        """The cells of local objects of a thread here that may hold addresses, by slot."""
        name = None if location in (EXITED, GONE) else self.code.function_at[location].name
        found = self._local_cells.get(name)
        if found is None:
            found = self._local_cells[name] = dict(self._find_local_cells(name)) if name is not None else {}
        return found

    def _find_local_cells(self, name: str) -> Iterator[tuple[int, tuple[int, ...]]]:
        points_to, classes = self.points_to, self.own.classes.get(ADDRESS, 0)
        for slot, _ in enumerate(self.code.program.functions[name].objects if classes else ()):
            partition = points_to.classes.partitions[points_to.objects.of_local(name, slot)]
            here = classes >> partition.first
            cells = tuple(index for index in range(len(partition.cells)) if here >> index & 1)
            if cells:
                yield slot, cells

    def positions(self, location: int) -> Positions:
        """Where the state of a thread here has registers that may name threads."""
        found = self._positions.get(location)
        if found is None:
            name, own = self.code.function_at[location].name, self.own.registers
            live = enumerate(self.code.live[location], 1)
            kinds = ((at, own.get((name, register.term))) for at, register in live)
            found = self._positions[location] = tuple((at, kind) for at, kind in kinds if kind is not None)
        return found

    def inside(self, state: State, thread: int) -> Iterator[tuple[int, CellValue]]:
        """What a thread has that may name threads."""
        yield from self.registers(state, thread)
        for _, value in self.in_blocks(state, thread):
            yield ADDRESS, value

    def registers(self, state: State, thread: int) -> Iterator[tuple[int, CellValue]]:
        """What is in its registers that may name threads."""
        at = state.threads[thread]
        for position, kind in self.positions(at[0]):
            yield kind, at[position]

    def in_blocks(self, state: State, thread: int) -> Iterator[tuple[int, CellValue]]:
        """What is in cells of local objects that may hold addresses, with the slots of the objects."""
        for slot, cells in self.local_cells(location_of(state.threads[thread])).items():
            block = state.blocks.get(self.code.program.local_number(thread, slot))
            for cell in cells if block is not None else ():
                yield slot, block.cells[cell]

    def members(self, kind: int, value: CellValue) -> Iterator[tuple[int, int]]:
        """The threads that a value names, with what it says of each."""
        if kind == ADDRESS and isinstance(value, Unset):
            return
        if not isinstance(value, int):
            raise UnclearError
        if kind == ADDRESS:
            program = self.code.program
            local = program.local_slot(program.pointers.number(value))
            if local is not None:
                yield local[0], value - (program.local_number(local[0], 0) << program.pointers.offset_bits)
        elif kind == HANDLE:
            yield value - 1, 1
        else:
            for thread in range((value.bit_length() + kind - 1) // kind):
                if field := value >> thread * kind & ((1 << kind) - 1):
                    yield thread, field

    def without(self, kind: int, value: CellValue, threads: Mapping[int, int]) -> CellValue:
        """What is left of a value that names threads if some are not named."""
        called = [(thread, what) for thread, what in self.members(kind, value) if thread in threads]
        if not called or not isinstance(value, int):
            return value
        return OWN if kind <= HANDLE else value - sum(field << thread * kind for thread, field in called)

    def named(self, kind: int, value: CellValue, names: Mapping[int, int]) -> object:
        """A value with some threads called by their names."""
        called = sorted(
            (names[thread], what) for thread, what in self.members(kind, value) if thread in names
        )
        return (self.without(kind, value, names), *called) if called else value

    def local_numbers(self, state: State, thread: int) -> range:
        """The numbers that local objects of a thread may have."""
        place = thread, location_of(state.threads[thread])
        found = self._numbers.get(place)
        if found is None:
            is_over = place[1] in (EXITED, GONE)
            count = 0 if is_over else len(self.code.function_at[place[1]].objects)
            first = self.code.program.local_number(thread, 0)
            found = self._numbers[place] = range(first, first + count)
        return found


def emptied(cells: Cells, places: Iterable[int]) -> Cells:
    """Cells without what is at some places."""
    for place in places:
        cells = replaced(cells, place, OWN)
    return cells
