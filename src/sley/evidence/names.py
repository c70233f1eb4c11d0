"""Concrete values and addresses in the user's words."""

import re

from sley.logic.floats import decode_float, encode_float
from sley.logic.operators import to_signed
from sley.logic.sorts import FloatSort, Sort, width_of
from sley.program.instructions import Allocate
from sley.program.memory import Display, Layout, MemoryObject
from sley.semantics.code import Code
from sley.semantics.memory import StepMemory
from sley.semantics.state import HEAP_BLOCK
from sley.semantics.values import Open, Unset

MOST_DIGITS = 17
"""So many tell all numbers of C's ``double`` apart."""


class ProgramNames:
    """Names for the memory and threads of one program."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.heap: dict[int, str] = {}
        """Heap blocks by number, as the trace met them."""
        self.kept: set[int] = set()
        """Those that the library keeps: streams, whose insides need not be seen."""
        self._heap_layouts: dict[int, tuple[Layout, int]] = {}
        self._heap_counts: dict[str, int] = {}
        self.templates = [code.program.functions[code.program.entry]]
        """What each thread runs, as the trace met them."""

    def allocated(self, address: int, allocation: Allocate, memory: StepMemory) -> str:
        """Name a new heap block."""
        name, number = allocation.name, address >> self.code.memory_map.offset_bits
        self._heap_layouts[number] = allocation.layout, memory.blocks[number].size
        count = self._heap_counts.get(name, 0) + 1
        self._heap_counts[name] = count
        if allocation.is_kept:
            self.kept.add(number)
        else:
            self.kept.discard(number)
        self.heap[number] = f"{name or 'block'}#{count}"
        return self.heap[number]

    def location(self, address: int, size: int, memory: StepMemory) -> tuple[str, Display | None]:
        """What C calls the memory at an address, and how its value is shown; empty if it has no name."""
        memory_map = self.code.memory_map
        number, offset = address >> memory_map.offset_bits, address & memory_map.offset_mask
        obj = self.code.program.static_object(number)
        if obj is not None:
            name, layout, total = obj.c_name, obj.layout, obj.size
        elif number in memory.blocks and number in self.kept:
            return "", None
        elif number in memory.blocks and memory.blocks[number].kind == HEAP_BLOCK:
            block = memory.blocks[number]
            name, layout, total = (
                self.heap.get(number, "block"),
                memory_map.layouts[block.layout].layout,
                block.size,
            )
        elif (local := self.local(number)) is not None:
            name, layout, total = local.c_name, local.layout, local.size
        else:
            return "", None
        found = layout.cell_at(offset)
        if found is None:
            return name, None
        index, cell = found
        return (name + layout.path_of(index, total) if name else ""), cell.display

    def local(self, number: int) -> MemoryObject | None:
        """The local object of some thread that has this number."""
        thread, slot = self.code.program.local_slot(number) or (len(self.templates), 0)
        objects = self.templates[thread].objects if thread < len(self.templates) else ()
        return objects[slot] if slot < len(objects) else None

    def thread_of(self, number: int) -> int:
        """The thread that a local object belongs to."""
        return (number - self.code.memory_map.local_base) // self.code.memory_map.local_slots

    def value(self, value: object, sort: Sort, display: Display | None) -> str:
        """A value as the user would write it."""
        if isinstance(value, Open | Unset):
            return "arbitrary"
        if isinstance(value, bool):
            return "true" if value else "false"
        assert isinstance(value, int)
        if isinstance(sort, FloatSort):
            return _shortest(value, sort)
        match display:
            case Display.POINTER:
                return self.pointer(value)
            case Display.BOOL:
                return "true" if value else "false"
            case Display.UNSIGNED:
                return str(value)
            case Display.CHAR:
                number = to_signed(value, width_of(sort))
                return f"'{chr(number)}'" if 32 <= number < 127 else str(number)
            case _:
                return str(to_signed(value, width_of(sort)))

    def pointer(self, address: int) -> str:
        """``NULL``, ``&x``, ``node#1``, or where it points outside all objects."""
        memory_map = self.code.memory_map
        number, offset = address >> memory_map.offset_bits, address & memory_map.offset_mask
        if address == 0:
            return "NULL"
        if number in self.heap:
            layout, size = self._heap_layouts[number]
            path = _path(layout, size, offset) if offset else ""
            if number in self.kept:
                return f"&{self.heap[number]}"
            return f"&{self.heap[number]}" + (f" + {offset}" if path is None else path)
        obj = self.code.program.static_object(number)
        if obj is not None:
            return f"&{obj.c_name or obj.name}{_path(obj.layout, obj.size, offset) or ''}"
        local = self.local(number)
        if local is not None and local.c_name:
            return f"&{local.c_name}{_path(local.layout, local.size, offset) or ''}"
        if memory_map.local_base <= number < memory_map.heap_base:
            return "a local variable's address"
        return hex(address)


def _path(layout: Layout, size: int, offset: int) -> str | None:
    """What C writes behind the name of an object for the largest part that begins at an offset.

    A pointer does not tell its type. The element of an array is meant rather than the array, and a structure
    rather than its first member. None: nothing begins there.
    """
    found = layout.cell_at(offset)
    if found is None or not 0 <= offset < size:
        return None
    indices, members = _split(layout.path_of(found[0], size))
    before = set() if found[0] == 0 else _beginnings(layout.path_of(found[0] - 1, size))
    while members and indices + "".join(members[:-1]) not in before:
        members.pop()
    return indices + "".join(members)


def _split(path: str) -> tuple[str, list[str]]:
    """The indices with which a path begins, and the parts that follow: ``[1]``, ``.lock``, ``.owner``."""
    parts = re.findall(r"\[[^\]]*\]|\.\w+", path)
    count = next((i for i, part in enumerate(parts) if part.startswith(".")), len(parts))
    return "".join(parts[:count]), parts[count:]


def _beginnings(path: str) -> set[str]:
    indices, members = _split(path)
    return {indices + "".join(members[:count]) for count in range(len(members) + 1)}


def _shortest(value: int, sort: FloatSort) -> str:
    """As few digits as tell the number from all others of its sort."""
    number = decode_float(value, sort)
    texts = (f"{number:.{digits}g}" for digits in range(6, MOST_DIGITS + 1))
    return next((text for text in texts if encode_float(float(text), sort) == value), repr(number))
