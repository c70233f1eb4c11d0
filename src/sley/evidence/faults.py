"""What a wrong access or a wrong ``free`` is wrong about."""

from dataclasses import replace

from sley.evidence.names import ProgramNames
from sley.evidence.trace import Fault, FaultKind
from sley.program import instructions as ir
from sley.program.properties import (
    INVALID_DEREFERENCE,
    INVALID_FREE,
    USE_DESTROYED,
    USE_UNINITIALISED,
    Failure,
)
from sley.semantics.memory import StepMemory
from sley.semantics.state import HEAP_BLOCK

_ACCESSES = {
    FaultKind.NULL: "null pointer dereference",
    FaultKind.FREED: "use after free",
    FaultKind.CLOSED: "use of a closed stream",
    FaultKind.GONE: "use of a local variable that is gone",
    FaultKind.OUTSIDE: "out of bounds",
    FaultKind.READ_ONLY: "write to what is read-only",
}
_FREES = {
    FaultKind.FREED: "double free",
    FaultKind.INSIDE: "free inside a block",
    FaultKind.NOT_ALLOCATED: "free of what was not allocated",
}


_BY_RULE = {INVALID_DEREFERENCE: _ACCESSES, INVALID_FREE: _FREES}


def named(fault: Fault, failure: Failure) -> Failure:
    """The failure, with the kind of the fault instead of the kind of the property in its message."""
    kinds = _BY_RULE.get(failure.rule, {})
    return failure if fault.kind not in kinds else replace(failure, phrase=kinds[fault.kind])


def never_destroyed(failure: Failure) -> Failure:
    """The failure, if the object that is used was never destroyed: it only looks so."""
    if failure.rule != USE_DESTROYED or not failure.subject:
        return failure
    return replace(failure, rule=USE_UNINITIALISED, frame="a {} is used that was not initialised")


def fault_of(names: ProgramNames, memory: StepMemory, instruction: ir.Faulty, address: int) -> Fault | None:
    """The fault of an instruction that is wrong about an address; None if it is about something else."""
    number, offset = _split(names, address)
    match instruction:
        case ir.Free():
            return _wrong_free(names, memory, number, offset)
        case ir.Load(access=access) | ir.Store(access=access) | ir.Update(access=access):
            return _wrong_access(names, memory, number, offset, access.size)
        case ir.Lock(access=access) | ir.Unlock(access=access):
            is_valid = memory.is_valid(address, access.size, writes=True)
            return None if is_valid else _wrong_access(names, memory, number, offset, access.size)
        case _:
            return None


def _split(names: ProgramNames, address: int) -> tuple[int, int]:
    """Number and offset; what is a little before the start of an object belongs to it."""
    memory_map = names.code.memory_map
    number, offset = address >> memory_map.offset_bits, address & memory_map.offset_mask
    if offset > memory_map.offset_mask // 2:
        return number + 1, offset - memory_map.offset_mask - 1
    return number, offset


def _wrong_free(names: ProgramNames, memory: StepMemory, number: int, offset: int) -> Fault:
    if number in names.heap and number not in memory.blocks:
        return Fault(FaultKind.FREED, names.heap[number], offset)
    name, size, _ = _object(names, memory, number)
    if number in memory.blocks and memory.blocks[number].kind == HEAP_BLOCK:
        return Fault(FaultKind.INSIDE, name, offset, size)
    return Fault(FaultKind.NOT_ALLOCATED if name else FaultKind.NOWHERE, name, offset, size)


def _wrong_access(names: ProgramNames, memory: StepMemory, number: int, offset: int, width: int) -> Fault:
    if number == 0:
        return Fault(FaultKind.NULL, offset=offset, width=width)
    if number in names.heap and number not in memory.blocks:
        kind = FaultKind.CLOSED if number in names.kept else FaultKind.FREED
        return Fault(kind, names.heap[number], offset, width=width)
    local = names.local(number)
    if local is not None and number not in memory.blocks:
        return Fault(FaultKind.GONE, local.c_name, offset, local.size, width)
    name, size, stride = _object(names, memory, number)
    is_outside = offset < 0 or offset + width > size
    kind = FaultKind.OUTSIDE if is_outside else FaultKind.READ_ONLY
    return Fault(kind if stride else FaultKind.NOWHERE, name, offset, size, width, stride)


def _object(names: ProgramNames, memory: StepMemory, number: int) -> tuple[str, int, int]:
    """Name, size and size of an element of an object that lives; nothing if there is none."""
    found = names.code.program.static_object(number)
    if found is None and number in memory.blocks:
        found = names.local(number)
    if found is not None:
        return found.c_name, found.size, found.layout.stride
    if number not in memory.blocks:
        return "", 0, 0
    block = memory.blocks[number]
    layout = names.code.memory_map.layouts[block.layout].layout
    return names.heap.get(number, ""), block.size, layout.stride
