"""Reading and rebuilding instructions, whatever their kind: the one place that knows their fields.

Passes and analyses ask what an instruction reads and writes, or map a function over its terms, without
a case distinction of their own.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar, assert_never

from sley.logic.terms import Term
from sley.program.instructions import (
    Access,
    Accessing,
    Allocate,
    Assign,
    Assume,
    AtomicBegin,
    AtomicEnd,
    Await,
    Call,
    CallPointer,
    CallUnmodelled,
    Check,
    Create,
    CreatePointer,
    Detach,
    End,
    Enter,
    Exit,
    Fault,
    Faulty,
    Fence,
    Free,
    GiveUp,
    Havoc,
    Instruction,
    Join,
    Leave,
    Load,
    Lock,
    Register,
    Return,
    Store,
    Unlock,
    Update,
)
from sley.program.memory import MemoryObject

_T = TypeVar("_T")


def _same(x: _T) -> _T:
    return x


def read_terms(instruction: Instruction) -> tuple[Term, ...]:
    """The terms that the instruction evaluates, in order; of an Update address and value."""
    match instruction:
        case Assign(assignments=assignments):
            return tuple(term for _, term in assignments)
        case Assume(condition=term) | Check(condition=term) | Await(condition=term):
            return (term,)
        case Load(access=access) | Lock(access=access) | Unlock(access=access):
            return (access.address,)
        case Store(access=access, value=value) | Update(access=access, value=value):
            return (access.address, value)
        case Allocate(size=term) | Free(address=term) | Join(handle=term) | Detach(handle=term):
            return (term,)
        case Create(arguments=arguments) | Call(arguments=arguments) | CallUnmodelled(arguments=arguments):
            return arguments
        case CallPointer(pointer=pointer, arguments=arguments):
            return (pointer, *arguments)
        case CreatePointer(pointer=pointer, arguments=arguments):
            return (pointer, *arguments)
        case Exit(value=optional) | Return(value=optional):
            return () if optional is None else (optional,)
        case Fault(of=of):
            return read_terms(of)
        case Havoc() | Fence() | Enter() | Leave() | End() | AtomicBegin() | AtomicEnd() | GiveUp():
            return ()
        case _:
            assert_never(instruction)


def written_registers(instruction: Instruction) -> tuple[Register, ...]:
    """The registers that the instruction sets; a Fault sets none."""
    match instruction:
        case Assign(assignments=assignments):
            return tuple(register for register, _ in assignments)
        case (
            Havoc(target=register)
            | Load(target=register)
            | Update(target=register)
            | Allocate(target=register)
            | Create(target=register)
            | CreatePointer(target=register)
        ):
            return (register,)
        case (
            Join(target=target)
            | Call(target=target)
            | CallPointer(target=target)
            | CallUnmodelled(target=target)
        ):
            return () if target is None else (target,)
        case Assume() | Check() | Store() | Fence() | Free() | Enter() | Leave() | Detach() | Exit() | End():
            return ()
        case Lock() | Unlock() | AtomicBegin() | AtomicEnd() | Await() | Return() | GiveUp() | Fault():
            return ()
        case _:
            assert_never(instruction)


def access_of(instruction: Instruction) -> tuple[Access, bool] | None:
    """The access that an instruction makes and whether it writes; None if it makes none."""
    if not isinstance(instruction, Accessing):
        return None
    return instruction.access, not isinstance(instruction, Load)


def used_address(instruction: Instruction) -> Term | None:
    """The address of the bytes that the instruction accesses or frees, if any."""
    if isinstance(instruction, Accessing):
        return instruction.access.address
    return instruction.address if isinstance(instruction, Free) else None


def rewritten(  # noqa: C901, PLR0911, PLR0912 - a total match
    instruction: Instruction,
    *,
    term: Callable[[Term], Term] = _same,
    register: Callable[[Register], Register] = _same,
    memory_object: Callable[[MemoryObject], MemoryObject] = _same,
) -> Instruction:
    """The instruction with its terms, registers and objects mapped.

    ``term`` also gets the value of an Update, in which the target means what was loaded: a caller that maps
    the target's old value must treat Update itself.
    """

    def optional(target: Register | None) -> Register | None:
        return None if target is None else register(target)

    def place(access: Access) -> Access:
        address = term(access.address)
        return access if address == access.address else replace(access, address=address)

    match instruction:
        case Assign(assignments=assignments):
            return Assign(tuple((register(r), term(t)) for r, t in assignments))
        case Assume(condition=condition):
            return Assume(term(condition))
        case Check(condition=condition, failure=failure):
            return Check(term(condition), failure)
        case Havoc(target=target, cause=cause, text=text):
            return Havoc(register(target), cause, text)
        case Load(target=target, access=access):
            return Load(register(target), place(access))
        case Store(access=access, value=value):
            return Store(place(access), term(value))
        case Update(target=target, access=access, value=value):
            return Update(register(target), place(access), term(value))
        case Lock(access=access):
            return Lock(place(access))
        case Unlock(access=access):
            return Unlock(place(access))
        case Allocate(target=target, size=size):
            return replace(instruction, target=register(target), size=term(size))
        case Free(address=address):
            return Free(term(address))
        case Enter(object=entered, is_zeroed=is_zeroed):
            return Enter(memory_object(entered), is_zeroed)
        case Leave(object=left):
            return Leave(memory_object(left))
        case Create(target=target, function=function, arguments=arguments):
            return Create(register(target), function, tuple(map(term, arguments)))
        case CreatePointer(target=target, pointer=pointer, arguments=arguments):
            return CreatePointer(register(target), term(pointer), tuple(map(term, arguments)))
        case Join(target=joined, handle=handle):
            return Join(optional(joined), term(handle))
        case Detach(handle=handle):
            return Detach(term(handle))
        case Call(target=result, function=function, arguments=arguments):
            return Call(optional(result), function, tuple(map(term, arguments)))
        case CallPointer(target=result, pointer=pointer, arguments=arguments):
            return CallPointer(optional(result), term(pointer), tuple(map(term, arguments)))
        case CallUnmodelled(target=result, function=function, arguments=arguments):
            return CallUnmodelled(optional(result), function, tuple(map(term, arguments)))
        case Exit(value=returned):
            return Exit(None if returned is None else term(returned))
        case Return(value=returned):
            return Return(None if returned is None else term(returned))
        case Await(condition=condition, is_spurious=is_spurious):
            return Await(term(condition), is_spurious)
        case Fault(of=of):
            inner = rewritten(of, term=term, register=register, memory_object=memory_object)
            assert isinstance(inner, Faulty)
            return Fault(inner)
        case Fence() | End() | AtomicBegin() | AtomicEnd() | GiveUp():
            return instruction
        case _:
            assert_never(instruction)
