"""A thread that uses a local object whose address no other thread can find may be taken alone.

LAW. If the next action of a thread is on a local object of its own, and no cell or register that
others can read holds the address of that object, the thread is a persistent set. For others get
addresses of local objects by loading them, and as long as the thread does not move, this one is
nowhere to be found. (A pointer that was never written may be any address. It is only compared for
equality, so an access to what it points to is given up on, and no proof comes of it.)
"""

from collections.abc import Iterator

from sley.analyses.own_handles import ADDRESS
from sley.laws.thread_names import ThreadNames
from sley.program import instructions as ir
from sley.semantics.machine import StateMachine
from sley.semantics.state import CellValue, State, is_ended, location_of


class PrivateObjects:
    """Says when the law applies, in a program that ``laws.handle_typing`` accepts."""

    def __init__(self, machine: StateMachine, names: ThreadNames) -> None:
        self.interpreter = machine.interpreter
        self.names = names

    def is_next(self, state: State, thread: int) -> bool:
        """Whether the next action is on a local object whose address only the thread has."""
        names = self.names
        slot = self._own_slot(state, thread) if ADDRESS in names.own.classes else None
        if slot is None or state.history is not None:
            return False
        values = self._visible(state, thread, slot)
        return not any(self._points_to(kind, value, thread, slot) for kind, value in values)

    def _visible(self, state: State, thread: int, slot: int) -> Iterator[tuple[int, CellValue]]:
        """What others may read, or have read, that may be an address."""
        yield from ((kind, state.cells[cell]) for cell, kind in self.names.cells)
        for other in range(len(state.threads)):
            if other != thread:
                yield from self.names.registers(state, other)
            for at, value in self.names.in_blocks(state, other):
                if (other, slot) != (thread, at):
                    yield ADDRESS, value

    def _own_slot(self, state: State, thread: int) -> int | None:
        """The slot of the thread's local object that its next action is on, if it is on one."""
        location, code = location_of(state.threads[thread]), self.names.code
        if is_ended(state.threads[thread]):
            return None
        edges = [e.instruction for e in code.out[location] if not isinstance(e.instruction, ir.FaultTest)]
        match edges:
            case [ir.Enter(object=obj) | ir.Leave(object=obj)]:
                return code.slots[code.function_at[location].name][obj.name]
            case [ir.Load(access=access) | ir.Store(access=access) | ir.Update(access=access)]:
                address = self.interpreter.evaluate(state, thread, access.address)
                local = code.program.local_slot(code.program.pointers.number(address))
                is_inside = self.interpreter.memory(state, thread).is_valid(address, access.size, writes=True)
                return local[1] if is_inside and local is not None and local[0] == thread else None
            case _:
                return None

    def _points_to(self, kind: int, value: CellValue, thread: int, slot: int) -> bool:
        """Whether a value is the address of a thread's local object."""
        if kind != ADDRESS or not isinstance(value, int):
            return False
        program = self.names.code.program
        return program.local_slot(program.pointers.number(value)) == (thread, slot)
