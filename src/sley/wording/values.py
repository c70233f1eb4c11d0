"""Concrete values and addresses in the user's words."""

from sley.logic.floats import decode_float
from sley.logic.operators import to_signed
from sley.logic.sorts import FloatSort, Sort, width_of
from sley.program.memory import Display, MemoryObject
from sley.semantics.code import Code
from sley.semantics.memory import Memory
from sley.semantics.state import HEAP_BLOCK
from sley.semantics.values import Undetermined, Unset


class Names:
    """Names for the memory and threads of one program."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.heap: dict[int, str] = {}
        """Heap blocks by number, as the trace met them."""
        self._heap_counts: dict[str, int] = {}
        self.templates = [code.program.functions[code.program.entry]]
        """What each thread runs, as the trace met them."""

    def allocated(self, address: int, name: str) -> str:
        """Name a new heap block."""
        count = self._heap_counts.get(name, 0) + 1
        self._heap_counts[name] = count
        self.heap[address >> self.code.memory_map.offset_bits] = f"{name or 'block'}#{count}"
        return self.heap[address >> self.code.memory_map.offset_bits]

    def location(self, address: int, size: int, memory: Memory) -> tuple[str, Display | None]:
        """What C calls the memory at an address, and how its value is shown; empty if it has no name."""
        memory_map = self.code.memory_map
        number, offset = address >> memory_map.offset_bits, address & memory_map.offset_mask
        obj = self.code.program.static_object(number)
        if obj is not None:
            name, layout, total = obj.c_name, obj.layout, obj.size
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
        if isinstance(value, Undetermined | Unset):
            return "arbitrary"
        if isinstance(value, bool):
            return "true" if value else "false"
        assert isinstance(value, int)
        if isinstance(sort, FloatSort):
            return f"{decode_float(value, sort):g}"
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
            return f"&{self.heap[number]}" + (f" + {offset}" if offset else "")
        obj = self.code.program.static_object(number)
        if obj is not None:
            return f"&{obj.c_name or obj.name}{_path(obj, offset)}"
        local = self.local(number)
        if local is not None and local.c_name:
            return f"&{local.c_name}{_path(local, offset)}"
        if memory_map.local_base <= number < memory_map.heap_base:
            return "a local variable's address"
        return hex(address)


def _path(obj: MemoryObject, offset: int) -> str:
    """What C writes behind the name of an object for one of its parts."""
    found = obj.layout.cell_at(offset)
    return obj.layout.path_of(found[0], obj.size) if found is not None and offset else ""
