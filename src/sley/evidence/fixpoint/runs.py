"""Concrete runs against a fixpoint: at join points, the proof has a state for what a thread is in."""

from sley.evidence.fixpoint.proof import Fixpoint, state_of
from sley.evidence.runs import Follower
from sley.logic.operators import to_signed
from sley.logic.sorts import BitVecSort, BoolSort
from sley.program.instructions import Register
from sley.semantics.abstract.objects import ObjectKind, Objects
from sley.semantics.abstract.state import AbstractState as AbstractState
from sley.semantics.abstract.values import Place, Value, object_of
from sley.semantics.abstract.walk import FunctionGraph
from sley.semantics.code import Code
from sley.semantics.state import State, ThreadState, is_ended


class FixpointFollower(Follower):
    """Looks at the registers of all threads."""

    def __init__(self, code: Code, proof: Fixpoint) -> None:
        self.code = code
        self.objects = Objects(code.program, proof.origins)
        self.states: dict[int, list[AbstractState]] = {}
        for (index, location), kept in proof.states.items():
            function = code.program.functions[proof.contexts[index].function]
            self.states.setdefault(location, []).extend(state_of(function, one) for one in kept)
        self.anchors = {
            anchor
            for function in code.program.functions.values()
            for anchor in FunctionGraph(code.program.terms, function).anchors
        }

    def speaks_of(self, location: int) -> bool:
        """At anchors."""
        return location in self.anchors

    def judge(self, state: State) -> str | None:
        """Every thread is in a state that the proof knows."""
        for number, thread in enumerate(state.threads):
            if is_ended(thread) or thread[0] not in self.anchors:
                continue
            if not any(self._fits(known, thread) for known in self.states.get(thread[0], ())):
                return f"thread {number} is in no state that is known at location {thread[0]}"
        return None

    def _fits(self, known: AbstractState, thread: ThreadState) -> bool:
        registers = self.code.live[thread[0]]
        return all(
            self._may_be(value, known.registers.get(register.term), register)
            for register, value in zip(registers, thread[1:], strict=True)
        )

    def _may_be(self, concrete: object, value: Value | None, register: Register) -> bool:
        """Values that are not decided in a run are passed over."""
        if value is None or not isinstance(concrete, int):
            return True
        sort = register.sort
        if not isinstance(sort, BoolSort | BitVecSort):
            return True
        signed = int(concrete) if isinstance(sort, BoolSort) else to_signed(concrete, sort.width)
        numbers = value.number
        if numbers is not None and numbers.low <= signed <= numbers.high:
            is_in = (
                signed == numbers.residue
                if not numbers.modulus
                else not ((signed - numbers.residue) % numbers.modulus)
            )
            if is_in:
                return True
        return any(self._may_point(concrete, place) for place in value.places)

    def _may_point(self, concrete: int, place: Place) -> bool:
        program = self.code.program
        pointers = program.pointers
        reference, offsets = place
        origin = self.objects.origins[object_of(reference)]
        if origin.kind is ObjectKind.THREAD:
            return True
        pointer = (concrete - offsets.low) & ((1 << pointers.width) - 1)
        number = pointers.number(pointer)
        if origin.kind is ObjectKind.STATIC:
            span = offsets.high - offsets.low
            start = pointers.address(origin.number)
            return (concrete - start - offsets.low) & ((1 << pointers.width) - 1) <= span
        if origin.kind is ObjectKind.HEAP:
            return concrete >= pointers.address(pointers.heap_base) - offsets.high
        return offsets.low != offsets.high or program.local_slot(number) is not None
