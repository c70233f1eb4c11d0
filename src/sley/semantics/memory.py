"""Memory while a step runs: which bytes belong to which object, loads, stores, allocation.

Both the reference interpreter and the compiled steps use this one :class:`Memory`. A memory is made for
one step of one thread and thrown away (or frozen into the next state) after it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from sley.base.errors import GaveUpError
from sley.base.persistent import Items, PersistentTable, extended, items, repeated, replaced
from sley.base.reasons import Reason, Why
from sley.program.instructions import Access, Allocate, Cause, MemoryOrder, Update
from sley.program.memory import Display, Layout, MemoryObject, Storage
from sley.program.program import Edge, Program
from sley.semantics.evaluation import enumeration
from sley.semantics.knowledge import Narrowing, ValueKnowledge, inputs_of, term_of, within
from sley.semantics.references import REUSED, References
from sley.semantics.state import (
    EXITED,
    GLOBAL_BLOCK,
    GONE,
    HEAP_BLOCK,
    LOCAL_BLOCK,
    LOCAL_CONSTANT_BLOCK,
    READ_ONLY_BLOCK,
    Block,
    Cells,
    CellValue,
    State,
    ThreadState,
    location_of,
)
from sley.semantics.values import UNSET, Computed, Open, Ranges, Undetermined, Unset, everything, intersection

Choice = int | Open
"""One nondeterministic decision of a step; an undetermined value stands for any of its members.

A computed one says what is known of an undetermined value, and of those that it has to do with.
"""

Change = Callable[["CellValue"], tuple["CellValue", bool]]
"""What an update makes of the value that it finds, and whether it succeeds."""

LARGEST_FLAT_OBJECT = 64
"""Global objects with more cells than this are blocks of their own: a write copies less."""

PADDING = "what padding bytes hold, which C leaves open"
"""What a value is that was never written to bytes between the members of a structure (C11 6.2.6.1p6)."""

LARGEST_BLOCK = 1 << 20
"""We give up on heap blocks with more cells than this."""


class LayoutTable:
    """A layout with an index from (offset, size) to the position of the cell."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.stride = layout.stride
        self.per_stride = len(layout.cells)
        self.position = {(c.offset, c.size): i for i, c in enumerate(layout.cells)}
        self.owner: dict[int, int] = {}
        for i, cell in enumerate(layout.cells):
            for byte in range(cell.offset, cell.offset + cell.size):
                self.owner.setdefault(byte, i)

    def index(self, offset: int, size: int) -> int | None:
        """The index of the cell that is exactly these bytes, if there is one."""
        repetition, rest = divmod(offset, self.stride)
        position = self.position.get((rest, size))
        return None if position is None else repetition * self.per_stride + position

    def is_pointer(self, index: int) -> bool:
        """Whether the cell with this index is a pointer in C."""
        return self.layout.cells[index % self.per_stride].display is Display.POINTER

    def covering(self, offset: int, size: int) -> Iterator[tuple[int, int, int, int]]:
        """The cells under these bytes: (index, cell offset, cell size, first byte of the range in it)."""
        at = offset
        while at < offset + size:
            repetition, rest = divmod(at, self.stride)
            position = self.owner.get(rest)
            if position is None:
                yield -1, at, 1, at
                at += 1
                continue
            cell = self.layout.cells[position]
            start = repetition * self.stride + cell.offset
            yield repetition * self.per_stride + position, start, cell.size, at
            at = start + cell.size


class MemoryMap:
    """Where the objects of a program lie; made once per program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.pointers = program.pointers
        self.offset_bits = program.pointers.offset_bits
        self.offset_mask = (1 << self.offset_bits) - 1
        self.heap_base = program.pointers.heap_base
        self.local_base = program.local_number(0, 0)
        self.local_slots = program.local_slots
        self.layouts: list[LayoutTable] = []
        self._layout_numbers: dict[Layout, int] = {}
        self.flat: dict[int, tuple[int, LayoutTable, int, bool]] = {}
        """Object number -> (first cell, layout, size in bytes, writable) for flat globals."""
        self.names: list[tuple[MemoryObject, int]] = []
        """Flat cell -> (object, index of the cell in it)."""
        cells: list[CellValue] = []
        blocks: list[tuple[int, Block]] = []
        for number, obj in enumerate(program.objects, program.pointers.first_object):
            if obj.storage is Storage.CODE:
                continue
            values = list(initial_cells(obj))
            table = self.layouts[self.layout_number(obj.layout)]
            if len(values) > LARGEST_FLAT_OBJECT or obj.is_read_only or obj.layout.constant:
                kind = READ_ONLY_BLOCK if obj.is_read_only else GLOBAL_BLOCK
                block = Block(self.layout_number(obj.layout), obj.size, items(values), kind)
                blocks.append((number, block))
            else:
                self.flat[number] = (len(cells), table, obj.size, not obj.is_read_only)
                self.names.extend((obj, k) for k in range(len(values)))
                cells.extend(values)
        self._number_layouts()
        self.initial_cells = items(cells)
        self.initial_blocks = tuple(blocks)
        self.references = References(program.terms, self.offset_bits, self.heap_base)

    def _number_layouts(self) -> None:
        """Number all layouts now: a number that depended on the first use would differ between runs."""
        for function in self.program.functions.values():
            for obj in function.objects:
                self.layout_number(obj.layout)
            for edge in function.edges:
                if isinstance(edge.instruction, Allocate):
                    self.layout_number(edge.instruction.layout)

    def layout_number(self, layout: Layout) -> int:
        """The index of a layout in ``layouts``."""
        number = self._layout_numbers.get(layout)
        if number is None:
            number = self._layout_numbers[layout] = len(self.layouts)
            self.layouts.append(LayoutTable(layout))
        return number

    def flat_cell(self, address: int, size: int) -> int | None:
        """The flat index of a constant address, if it names exactly one cell of a flat object."""
        found = self.flat.get(address >> self.offset_bits)
        if found is None:
            return None
        first, table, object_size, _ = found
        offset = address & self.offset_mask
        index = table.index(offset, size)
        return None if index is None or offset + size > object_size else first + index


def initial_cells(obj: MemoryObject) -> Iterator[CellValue]:
    """The initial values of a global or thread-local object."""
    yield from initial_contents(obj, range(obj.layout.count(obj.size)))


def initial_contents(obj: MemoryObject, indices: Iterable[int]) -> Iterator[CellValue]:
    """The initial values of these cells of a global or thread-local object."""
    given = dict(obj.initial)
    for i in indices:
        yield given.get(i, 0)


class StepMemory:
    """The memory and threads of one state while thread ``thread`` takes a step."""

    __slots__ = (
        "base",
        "blocks",
        "cells",
        "choices",
        "created",
        "detached",
        "edge",
        "handle",
        "map",
        "narrowings",
        "spurious",
        "state",
        "taken",
        "thread",
        "threads",
        "unset_reads",
    )

    def __init__(
        self, memory_map: MemoryMap, state: State, thread: int, choices: tuple[Choice, ...] = ()
    ) -> None:
        self.map = memory_map
        self.state = state
        self.thread = thread
        self.handle = thread + 1
        self.base = memory_map.local_base + thread * memory_map.local_slots
        self.choices = choices
        self.restart()

    def restart(self) -> None:
        """Forget what the step did so far."""
        state = self.state
        self.cells = state.cells
        self.blocks: PersistentTable[Block] = state.blocks
        """Live blocks by number."""
        self.threads: Items[ThreadState] = state.threads
        self.detached = state.detached
        self.taken: list[tuple[Choice, int]] = []
        """(choice made, number of alternatives), in order."""
        self.spurious = False
        """Whether the step was possible only by a spurious wake-up."""
        self.created: dict[int, int] = {}
        """Undetermined values that this step made, or knows more of -> which choice did it last."""
        self.narrowings: list[Narrowing] = []
        """What choices made known of values that were there before, for states that hold some of them."""
        self.unset_reads: tuple[int, ...] = ()
        """The sizes of scalars that were read and never written."""

    # --- choices ------------------------------------------------------------------------------

    def choose(self, alternatives: int) -> int:
        """One of 0..alternatives-1: the prescribed choice, or 0 where none is prescribed."""
        at = len(self.taken)
        choice = self.choices[at] if at < len(self.choices) else 0
        assert isinstance(choice, int)
        self.taken.append((choice, alternatives))
        return choice

    def arbitrary(self, width: int, cause: Cause, text: str) -> int | Open:
        """A new arbitrary value: the prescribed one, or undetermined where none is prescribed."""
        at = len(self.taken)
        if at < len(self.choices):
            value = self.choices[at]
        else:
            value = Undetermined(self._fresh_number(), width, everything(width), cause, text)
        self.created.update((one.number, at) for one in inputs_of(value))
        self.taken.append((value, 1))
        return self._narrowed(value) if isinstance(value, Computed) else value

    def restricted(self, at: int, value: Open, ranges: Ranges) -> Choice:
        """The choice that was made there, with the value, which has to do with it, in these ranges."""
        choice, terms = self.taken[at][0], self.map.program.terms
        assert isinstance(choice, Open)
        if isinstance(choice, Undetermined) and isinstance(value, Undetermined):
            (low, high), *rest = intersection(choice.ranges, ranges)
            return low if low == high and not rest else replace(choice, ranges=((low, high), *rest))
        known = ValueKnowledge.of(terms, (value, choice))
        inputs = tuple(known.inputs[number] for number in sorted(known.inputs))
        return Computed(
            term_of(terms, choice), inputs, known.facts | {within(terms, term_of(terms, value), ranges)}
        )

    @property
    def is_bound(self) -> bool:
        """Whether a choice is possible only for some of the values that were there before it."""
        return any(isinstance(choice, Computed) for choice, _ in self.taken)

    @property
    def is_plain(self) -> bool:
        """Whether the only thread had one thing to do so far, and is still the only one."""
        return not self.taken and not self.spurious and len(self.threads) == 1

    def _narrowed(self, choice: Computed) -> int | Open:
        """What is chosen, once everything in memory knows what it implies."""
        narrowing = ValueKnowledge.of(self.map.program.terms, (choice,)).settled()
        self.narrowings.append(narrowing)
        self.narrow(narrowing)
        value = narrowing(choice)
        assert isinstance(value, int | Open)
        return value

    def narrow(self, narrowing: Narrowing) -> None:
        """More is known of values in memory."""
        after = narrowed_state(self.freeze(self.threads[self.thread]), narrowing)
        self.cells, self.blocks, self.threads = after.cells, after.blocks, after.threads

    def _fresh_number(self) -> int:
        """The smallest number that no undetermined value has."""
        known = self._references()
        others = {one.number for v in self.other_values() for one in inputs_of(v)}
        number = known.open.unused()
        while number in known.open.uses or number in self.created or number in others:
            number += 1
        return number

    def _references(self) -> References:
        """What values in memory and registers refer to (the running thread's: those before the step)."""
        known = self.map.references
        known.move(self.cells, self.blocks, self.threads)
        return known

    def other_values(self) -> Iterator[object]:
        """Values that are neither in memory nor in registers."""
        return iter(())

    # --- what instructions do: orders say nothing under sequential consistency ------------------

    edge: Edge
    """The edge that is being executed, if the reference interpreter does it."""

    def read(self, address: int, access: Access) -> CellValue:
        """What an access reads; the bytes must be valid."""
        return self.load(address, access.size)

    def write(self, address: int, access: Access, value: CellValue) -> None:
        """An access writes; the bytes must be valid."""
        self.store(address, access.size, value)

    def update(self, address: int, update: Update, change: Change) -> CellValue:
        """Read, and write what ``change`` makes of it; what was read."""
        old = self.load(address, update.access.size)
        self.store(address, update.access.size, change(old)[0])
        return old

    def fence(self, order: MemoryOrder) -> None:
        """A fence."""

    def begin_section(self) -> None:
        """An atomic section begins."""

    def end_section(self) -> None:
        """An atomic section ends."""

    def awaited(self) -> None:
        """The thread need not wait, or no longer."""

    def fails(self, address: int) -> None:
        """An access that is wrong cuts the run."""

    def lock(self, address: int, size: int) -> None:
        """The thread takes a lock."""
        self.store(address, size, self.handle)

    def unlock(self, address: int, size: int) -> None:
        """The thread gives a lock back."""
        self.store(address, size, 0)

    # --- objects ------------------------------------------------------------------------------

    def _set_block(self, number: int, block: Block) -> None:
        self.blocks = self.blocks.replaced(number, block)

    def _drop_block(self, number: int) -> None:
        self.blocks = self.blocks.replaced(number, None)

    def local(self, slot: int) -> int:
        """The address of the running thread's local object in that slot."""
        return (self.base + slot) << self.map.offset_bits

    def is_valid(self, address: int, size: int, *, writes: bool) -> bool:
        """Whether these bytes are inside one live object (and may be written)."""
        number = address >> self.map.offset_bits
        offset = address & self.map.offset_mask
        flat = self.map.flat.get(number)
        if flat is not None:
            return offset + size <= flat[2]
        block = self.blocks.get(number)
        if block is None or offset + size > block.size:
            return False
        if not writes:
            return True
        is_writable = block.kind not in (READ_ONLY_BLOCK, LOCAL_CONSTANT_BLOCK)
        return is_writable and not self.map.layouts[block.layout].layout.is_constant(offset, size)

    def load(self, address: int, size: int) -> CellValue:
        """The little-endian number in these bytes, which must be valid."""
        number = address >> self.map.offset_bits
        offset = address & self.map.offset_mask
        flat = self.map.flat.get(number)
        if flat is not None:
            first, table, _, _ = flat
            index = table.index(offset, size)
            if index is not None:
                value = self.cells[first + index]
                if value.__class__ is not Unset:
                    return value
                return self._fix(number, table, index, size, value)
            return self._load_bytes(number, table, offset, size)
        block = self.blocks[number]
        table = self.map.layouts[block.layout]
        index = table.index(offset, size)
        if index is not None:
            value = block.cells[index]
            if value.__class__ is not Unset:
                return value
            return self._fix(number, table, index, size, value)
        return self._load_bytes(number, table, offset, size)

    def peek(self, address: int, size: int) -> CellValue:
        """As ``load``, for onlookers: nothing is decided by looking; unset where only parts are known."""
        number = address >> self.map.offset_bits
        flat = self.map.flat.get(number)
        table = flat[1] if flat is not None else self.map.layouts[self.blocks[number].layout]
        index = table.index(address & self.map.offset_mask, size)
        return UNSET if index is None else self._cell(number, index)

    def is_padding(self, address: int, size: int) -> bool:
        """Whether all these bytes, which must be valid, lie between the members of structures."""
        number = address >> self.map.offset_bits
        flat = self.map.flat.get(number)
        table = flat[1] if flat is not None else self.map.layouts[self.blocks[number].layout]
        return all(index < 0 for index, *_ in table.covering(address & self.map.offset_mask, size))

    def store(self, address: int, size: int, value: CellValue) -> None:
        """Write these bytes, which must be valid."""
        number = address >> self.map.offset_bits
        offset = address & self.map.offset_mask
        flat = self.map.flat.get(number)
        table = flat[1] if flat is not None else self.map.layouts[self.blocks[number].layout]
        index = table.index(offset, size)
        if index is not None:
            self._set_cell(number, index, value)
        else:
            self._store_bytes(number, table, offset, size, value)

    def set_flat(self, index: int, value: CellValue) -> None:
        """Write a flat cell."""
        self.cells = replaced(self.cells, index, value)

    def _cell(self, number: int, index: int) -> CellValue:
        flat = self.map.flat.get(number)
        return self.cells[flat[0] + index] if flat is not None else self.blocks[number].cells[index]

    def _set_cell(self, number: int, index: int, value: CellValue) -> None:
        flat = self.map.flat.get(number)
        if flat is not None:
            self.set_flat(flat[0] + index, value)
            return
        block = self.blocks[number]
        self._set_block(number, block.with_cells(replaced(block.cells, index, value)))

    def _fix(self, number: int, table: LayoutTable, index: int, size: int, unset: CellValue) -> CellValue:
        """An unset cell is read for the first time: from now on it has one (undetermined) value."""
        assert isinstance(unset, Unset)
        if unset.cause is Cause.UNSPECIFIED:
            raise GaveUpError("the program reads bytes that a write to another member of a union left open")
        if unset.mask:
            raise GaveUpError("the program reads memory of which only some bytes are initialised")
        if unset.cause is Cause.UNINITIALISED:
            self.unset_reads += (size,)
        value = self.arbitrary(size * 8, unset.cause, unset.text)
        self._set_cell(number, index, value)
        return value

    def _load_bytes(self, number: int, table: LayoutTable, offset: int, size: int) -> CellValue:
        result = 0
        covered = list(table.covering(offset, size))
        if all(index < 0 for index, *_ in covered):
            return self.arbitrary(size * 8, Cause.LAYOUT, PADDING)
        for index, start, cell_size, at in covered:
            if index < 0:
                raise GaveUpError("the program reads padding bytes together with others")
            count = min(start + cell_size, offset + size) - at
            mask = ((1 << (8 * count)) - 1) << (8 * (at - start))
            value = self._cell(number, index)
            if isinstance(value, Unset):
                is_known = value.mask & mask == mask
                value = value.value if is_known else self._fix(number, table, index, cell_size, value)
            if cell_size > count and self._is_address(table, index, cell_size, whole(value)):
                raise GaveUpError("the program reads part of a pointer")
            result |= (whole(value) & mask) >> (8 * (at - start)) << (8 * (at - offset))
        return result

    def _is_address(self, table: LayoutTable, index: int, size: int, value: int) -> bool:
        """Whether a cell holds the address of an object, whatever C calls its type."""
        number = value >> self.map.offset_bits
        if table.is_pointer(index):
            return number != 0
        if 8 * size < self.map.pointers.width:
            return False
        number &= (1 << (self.map.pointers.width - self.map.offset_bits)) - 1
        return any(low <= number < high for low, high in self.map.pointers.likely_numbers)

    def _store_bytes(self, number: int, table: LayoutTable, offset: int, size: int, value: CellValue) -> None:
        for index, start, cell_size, at in table.covering(offset, size):
            if index < 0:
                continue
            count = min(start + cell_size, offset + size) - at
            shift = 8 * (at - start)
            mask = ((1 << (8 * count)) - 1) << shift
            old: CellValue = 0 if count == cell_size else self._cell(number, index)
            if isinstance(value, Undetermined) and value.cause is Cause.UNSPECIFIED:
                full = (1 << (8 * cell_size)) - 1
                former = old if isinstance(old, Unset) else Unset(value.cause, value.text, full, whole(old))
                self._set_cell(number, index, former.without_bits(mask))
                continue
            part = (whole(value) >> (8 * (at - offset)) << shift) & mask
            if isinstance(old, Unset):
                self._set_cell(number, index, old.with_bits(mask, part, 8 * cell_size))
            else:
                self._set_cell(number, index, (whole(old) & ~mask) | part)

    # --- lifetimes ----------------------------------------------------------------------------

    def enter(self, slot: int, layout: int, size: int, cells: Cells, kind: int = LOCAL_BLOCK) -> None:
        """A local object begins to live."""
        self._set_block(self.base + slot, Block(layout, size, cells, kind))

    def leave(self, slot: int) -> None:
        """A local object ceases to live."""
        self._drop_block(self.base + slot)

    def leave_all(self) -> None:
        """The running thread ends: its local objects cease to live."""
        for slot in range(self.map.local_slots):
            self.leave(slot)

    def allocate(self, size: int, layout: int, site: int, *, zeroed: bool, text: str) -> int:
        """A new heap block; its number may be that of a dead block that is still referred to.

        Real allocators reuse addresses, so a stale pointer may equal a new one (the ABA problem).
        """
        table = self.map.layouts[layout]
        count = table.layout.count(size)
        if count > LARGEST_BLOCK:
            raise GaveUpError(Reason(f"heap block of {size} bytes is too large", Why.LARGE_BLOCK, str(size)))
        stale, fresh = self._stale_and_fresh()
        number = self._chosen_number([fresh, *sorted(stale)])
        filling: CellValue = 0 if zeroed else Unset(Cause.UNINITIALISED, text)
        self._set_block(number, Block(layout, size, repeated(filling, count), HEAP_BLOCK, site))
        return number << self.map.offset_bits

    def _stale_and_fresh(self) -> tuple[set[int], int]:
        """The numbers of blocks that values refer to and that are dead; the smallest that nothing has."""
        known, base = self._references(), self.map.heap_base
        others: set[int] = set()
        for value in self.other_values():
            if isinstance(value, int):
                others.add(value >> self.map.offset_bits)
            elif isinstance(value, Open):
                others |= known.of_open(value)
        stale = {n for n in others if base <= n < base + REUSED and n not in self.blocks} | known.dead
        fresh = known.heap.unused()
        while fresh in known.heap.uses or fresh in stale:
            fresh += 1
        return stale, fresh

    def _chosen_number(self, candidates: list[int]) -> int:
        """The number of a new block: one that nothing refers to, or that of a dead block."""
        return candidates[self.choose(len(candidates)) if len(candidates) > 1 else 0]

    def can_free(self, address: int) -> bool:
        """Whether ``free`` of this pointer is right."""
        if address & self.map.offset_mask:
            return False
        block = self.blocks.get(address >> self.map.offset_bits)
        return address == 0 or (block is not None and block.kind == HEAP_BLOCK)

    def free(self, address: int) -> None:
        """End the life of a heap block."""
        if address ^ 0:
            self._drop_block(address >> self.map.offset_bits)

    # --- threads ------------------------------------------------------------------------------

    def create(self, thread: ThreadState, thread_objects: tuple[tuple[int, Block], ...]) -> int:
        """Start a thread; its handle."""
        number = len(self.threads)
        self.threads = extended(self.threads, thread)
        base = self.map.local_base + number * self.map.local_slots
        for slot, block in thread_objects:
            self._set_block(base + slot, block)
        return number + 1

    def can_join(self, handle: int) -> bool:
        """Whether joining (or detaching) this handle is right: a thread, not joined, not detached."""
        if not 0 < handle <= len(self.threads) or self.detached >> (handle - 1) & 1:
            return False
        return location_of(self.threads[handle - 1]) != GONE

    def joined(self, handle: int) -> object | None:
        """The value of an exited thread, which is gone then; None while it runs."""
        thread = self.threads[handle - 1]
        if thread[0] != EXITED:
            return None
        self.threads = replaced(self.threads, handle - 1, (GONE,))
        value: object = thread[1]
        return value

    def detach(self, handle: int) -> None:
        """The thread need not be joined."""
        self.detached |= 1 << (handle - 1)
        if self.threads[handle - 1][0] == EXITED:
            self.threads = replaced(self.threads, handle - 1, (GONE,))

    def exit(self, value: object) -> ThreadState:
        """The running thread ends with ``value``."""
        self.leave_all()
        return (GONE,) if self.detached >> self.thread & 1 else (EXITED, value)

    # --- unmodelled functions -----------------------------------------------------------------

    def scramble(self, function: str, arguments: tuple[int, ...]) -> None:
        """All memory that is reachable from the arguments becomes arbitrary."""
        mark = Unset(Cause.UNMODELLED, function)
        waiting = [a >> self.map.offset_bits for a in arguments]
        seen: set[int] = set()
        while waiting:
            number = waiting.pop()
            if number in seen:
                continue
            seen.add(number)
            flat = self.map.flat.get(number)
            if flat is not None:
                first, table, size, writable = flat
                count = table.layout.count(size)
                old: Cells = self.cells[first : first + count]
                for index in range(first, first + count) if writable else ():
                    self.set_flat(index, mark)
            elif number in self.blocks:
                block = self.blocks[number]
                old = block.cells
                if block.kind != READ_ONLY_BLOCK:
                    self._set_block(number, block.with_cells(repeated(mark, len(block.cells))))
            else:
                continue
            waiting.extend(v >> self.map.offset_bits for v in old if isinstance(v, int))

    # --- the end of a step --------------------------------------------------------------------

    def freeze(self, thread: ThreadState) -> State:
        """The state after the step, with the running thread at ``thread``."""
        threads = replaced(self.threads, self.thread, thread)
        return State(self.cells, self.blocks, threads, self.detached)


def narrowed_state(state: State, narrowing: Narrowing) -> State:
    """The state in which more is known of its values."""

    def narrowed(old: Any) -> Any:
        return narrowing(old) if isinstance(old, Open) else old

    def cells(old: Cells) -> Cells:
        is_there = any(isinstance(v, Open) and narrowing(v) != v for v in old)
        return items(map(narrowed, old)) if is_there else old

    blocks = state.blocks
    for at, block in state.blocks.items():
        if (after := cells(block.cells)) is not block.cells:
            blocks = blocks.replaced(at, block.with_cells(after))
    return State(
        cells(state.cells),
        blocks,
        items(tuple(map(narrowed, thread)) for thread in state.threads),
        state.detached,
        None if state.history is None else state.history.mapped(narrowed),
    )


def whole(value: CellValue) -> int:
    """A value of which parts are needed, so that it must be determined."""
    if isinstance(value, Open):
        raise enumeration(value)
    assert isinstance(value, int)
    return value


def new_cells(obj: MemoryObject, *, is_zeroed: bool) -> Cells:
    """The contents of a local object that begins to live without initialiser."""
    unset = Unset(Cause.UNINITIALISED, obj.c_name) if obj.c_name else UNSET
    return repeated(0 if is_zeroed else unset, obj.layout.count(obj.size))
