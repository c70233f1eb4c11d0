"""Where threads may leave their own handles: what ``self`` and the cells of locks flow into.

Handles that Create gives to the creator are not meant: to everybody but a Join they are numbers like others.
"""

from typing import NamedTuple

from sley.analyses.objects import union
from sley.analyses.pointers import PointsTo
from sley.logic.operators import Op
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Program


class OwnHandles(NamedTuple):
    """Places that may hold the handle of the thread that wrote them."""

    registers: frozenset[tuple[str, Term]]
    """With the function that they are registers of."""
    classes: int
    """Classes of bytes (``objects``), one bit each."""


def find_own_handles(program: Program, points_to: PointsTo) -> OwnHandles:
    """The least such set that is closed under moving values; what is computed of a handle is not followed."""
    flow = _Flow(program, points_to)
    while flow.spread():
        pass
    return OwnHandles(frozenset(flow.registers), flow.classes)


class _Flow:
    def __init__(self, program: Program, points_to: PointsTo) -> None:
        self.program = program
        self.points_to = points_to
        self.registers: set[tuple[str, Term]] = set()
        self.classes = 0

    def spread(self) -> bool:
        """One round over all edges; whether it found more."""
        before = len(self.registers), self.classes
        for name, function in self.program.functions.items():
            for edge in function.edges:
                self._along(name, edge.source, edge.instruction)
        return before != (len(self.registers), self.classes)

    def _along(self, function: str, location: int, instruction: ir.Instruction) -> None:
        match instruction:
            case ir.Assign(assignments=assignments):
                moved = {(function, r.term) for r, term in assignments if self._is_own(function, term)}
                self.registers |= moved
            case ir.Lock(access=access) | ir.Unlock(access=access):
                self.classes |= self._bytes(location, access)
            case ir.Store(access=access, value=value) if self._is_own(function, value):
                self.classes |= self._bytes(location, access)
            case ir.Load(target=target, access=access) if self._bytes(location, access) & self.classes:
                self.registers.add((function, target.term))
            case ir.Update(target=target, access=access, value=value):
                touched = self._bytes(location, access)
                if touched & self.classes:
                    self.registers.add((function, target.term))
                if self._is_own(function, value):
                    self.classes |= touched
            case _:
                pass

    def _is_own(self, function: str, term: Term) -> bool:
        """Whether the value may be that of a place in question."""
        terms, waiting = self.program.terms, [term]
        while waiting:
            term = waiting.pop()
            if term == self.program.self_handle or (function, term) in self.registers:
                return True
            if terms.op(term) is Op.ITE:
                waiting += terms.args(term)[1:]
            elif terms.op(term) in (Op.ZERO_EXTEND, Op.SIGN_EXTEND, Op.EXTRACT):
                waiting += terms.args(term)
        return False

    def _bytes(self, location: int, access: ir.Access) -> int:
        partitions = self.points_to.classes.partitions
        places = self.points_to.targets(location).places
        return union(partitions[obj].touched(offset, 0, access.size) for obj, offset in places)
