"""What an instruction does to an abstract state.

Law: if a thread is in one of the states that ``state`` stands for, and memory in one that the world
stands for, then whatever the instruction leads to is covered by the states that ``after`` gives, and
the world was told of all that others can notice. What can go wrong is told, too; runs end where
something does.
"""

from collections.abc import Sequence
from typing import assert_never

from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Edge
from sley.program.properties import Property
from sley.semantics.abstract.accesses import access_step
from sley.semantics.abstract.calling import call_step
from sley.semantics.abstract.contents import any_of, outside
from sley.semantics.abstract.lifetimes import life_step
from sley.semantics.abstract.locking import holds, lock_at
from sley.semantics.abstract.pointers import doubt_about, is_joinable, may_free, valid_places
from sley.semantics.abstract.setting import Setting, with_register
from sley.semantics.abstract.state import AbstractState
from sley.semantics.abstract.threads import thread_step
from sley.semantics.abstract.values import EITHER
from sley.semantics.abstract.world import Doubt


class Stepper(Setting):
    """The instructions of one context."""

    def after(self, edge: Edge, state: AbstractState) -> list[AbstractState]:
        """The states after an instruction, other than one that leaves the function."""
        instruction = edge.instruction
        match instruction:
            case ir.Assign() | ir.Assume() | ir.Check() | ir.Havoc():
                return self._local(edge, instruction, state)
            case ir.Load() | ir.Store() | ir.Update() | ir.Lock() | ir.Unlock():
                return access_step(self, edge, instruction, state)
            case ir.Allocate() | ir.Free() | ir.Enter() | ir.Leave():
                return life_step(self, edge, instruction, state)
            case ir.Create() | ir.CreatePointer() | ir.Join() | ir.Detach() | ir.Exit() | ir.End():
                return thread_step(self, edge, instruction, state)
            case ir.Fence() | ir.AtomicBegin() | ir.AtomicEnd() | ir.Await():
                return self._order(edge, instruction, state)
            case ir.Call() | ir.CallPointer() | ir.CallUnmodelled() | ir.GiveUp():
                return call_step(self, edge, instruction, state)
            case ir.FaultTest(of=of):
                return [state] if self._may_be_wrong(of, state) else []
            case ir.Return():
                raise AssertionError("this leaves the function")
            case _:
                assert_never(instruction)

    def _order(self, edge: Edge, instruction: ir.Ordering, state: AbstractState) -> list[AbstractState]:
        match instruction:
            case ir.Await(condition=condition, is_spurious=is_spurious):
                if not state.depth:  # else the section is asked as a whole
                    self.listener.may_stay(self.context, edge)
                return [state] if is_spurious else self._assume(condition, state)
            case ir.AtomicBegin():
                if not state.depth:
                    self.listener.begins(self.context, edge)
                return [state._replace(depth=state.depth + 1)]
            case ir.AtomicEnd():
                return [state._replace(depth=max(state.depth - 1, 0))]
            case ir.Fence():
                return [state]

    def _local(
        self, edge: Edge, instruction: ir.LocalInstruction, state: AbstractState
    ) -> list[AbstractState]:
        match instruction:
            case ir.Assign(assignments=assignments):
                return [self._assign(edge, assignments, state)]
            case ir.Assume(condition=condition):
                return self._assume(condition, state)
            case ir.Check():
                return self._check(edge, instruction, state)
            case ir.Havoc(target=target, cause=cause):
                is_from_outside = cause is ir.Cause.UNMODELLED and self.is_wide(target.sort)
                value = outside(self.objects) if is_from_outside else any_of(target.sort)
                return [with_register(state, target, value)]

    def _assign(
        self, edge: Edge, assignments: Sequence[tuple[ir.Register, Term]], state: AbstractState
    ) -> AbstractState:
        if not assignments:
            return state
        state = self._copied(edge, assignments, state)
        values = [self.value(term, state) for _, term in assignments]
        registers = dict(state.registers)
        for (register, _), value in zip(assignments, values, strict=True):
            registers[register.term] = value
        return state._replace(registers=registers)

    def _copied(
        self, edge: Edge, assignments: Sequence[tuple[ir.Register, Term]], state: AbstractState
    ) -> AbstractState:
        """What is copied gets a name: what is learnt of the copy later is learnt of both."""
        for _, term in assignments[:1]:
            value = state.registers.get(term)
            if value is not None and value.symbol is None and (value.places or value == EITHER):
                return self.named(edge, term, value, state)
        return state

    def _assume(self, condition: Term, state: AbstractState) -> list[AbstractState]:
        registers = self.refined(condition, state, holds=True)
        return [] if registers is None else [state._replace(registers=registers)]

    def _check(self, edge: Edge, check: ir.Check, state: AbstractState) -> list[AbstractState]:
        is_sure = self.refined(check.condition, state, holds=False) is None
        self.checks(edge, check.failure.property, None if is_sure else Doubt.VALUES)
        if check.failure.property is Property.OVERFLOW and Property.OVERFLOW not in self.properties:
            return [state]
        return self._assume(check.condition, state)

    def _may_be_wrong(self, of: ir.Faulty, state: AbstractState) -> bool:
        match of:
            case ir.Load() | ir.Store() | ir.Update() | ir.Lock() | ir.Unlock():
                access, is_write = of.access, not isinstance(of, ir.Load)
                target = self.value(access.address, state)
                if doubt_about(self, target, access, state, is_write=is_write) is not None:
                    return True
                places = valid_places(self, target, access, is_write=is_write)
                return isinstance(of, ir.Unlock) and not holds(self, lock_at(self, target, places), state)
            case ir.Free(address=term):
                return not may_free(self, self.value(term, state), state)
            case ir.Join(handle=handle) | ir.Detach(handle=handle):
                return not is_joinable(self, self.value(handle, state), state)
