"""Whether handles of threads are kept where they are said to be, and nothing is computed of them.

One pass over the edges verifies what ``analyses.own_handles`` found, and the rest of what ``exchange`` needs.
"""

from collections.abc import Iterable
from typing import NamedTuple

from sley.analyses.own_handles import OwnHandles
from sley.analyses.pointers import PointsTo
from sley.analyses.threads import Creations
from sley.logic.operators import Op
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Edge, Function
from sley.program.rewriting import read_terms, written_registers
from sley.semantics.code import Code, confined_addresses

FIXED = 1
"""Handles up to this are not renamed: 0 is nobody's, 1 the first thread's."""

HANDLE_BYTES = 4
"""Handles fit into so many bytes."""


class _Cells(NamedTuple):
    """What an access is to: cells with own handles, other bytes, or both; and whether to whole cells."""

    has_own: bool
    has_other: bool
    is_exact: bool


class Typing:
    """Whether handles are kept where they are said to be, and nothing is computed of them."""

    def __init__(self, code: Code, points_to: PointsTo, own: OwnHandles) -> None:
        self.code = code
        self.program = code.program
        self.terms = self.program.terms
        self.points_to = points_to
        self.own = own

    def is_kept(self) -> bool:
        """What the docstring of ``exchange`` says of handles, local objects, joins and results."""
        program = self.program
        if Creations(program).edges[program.entry] or not self._are_global() or not self._begin_well():
            return False
        if not all(self._is_fine(f.name, edge) for f in program.functions.values() for edge in f.edges):
            return False
        others = [function for function in program.functions.values() if function.name != program.entry]
        return all(map(self._is_apart, others))

    def _is_apart(self, function: Function) -> bool:
        """A created thread joins nobody, keeps its local objects to itself, and returns no address."""
        if any(isinstance(edge.instruction, ir.Join | ir.Detach) for edge in function.edges):
            return False
        if {obj.address for obj in function.objects} - confined_addresses(self.terms, function):
            return False
        has_heap = any(isinstance(edge.instruction, ir.Allocate) for edge in self.program.edges)
        results = (e.instruction.value for e in function.edges if isinstance(e.instruction, ir.Exit))
        return not has_heap or all(self._is_no_address(function.name, result) for result in results)

    def _are_global(self) -> bool:
        """Whether own handles are in cells that every state has at a fixed place."""
        flat, objects = self.code.memory_map.flat, self.points_to.objects
        known = 0
        for number in flat:
            obj = objects.of_static(number)
            assert obj is not None
            partition = self.points_to.classes.partitions[obj]
            known |= 0 if partition.period else ((1 << len(partition.cells)) - 1) << partition.first
        return not self.own.classes & ~known

    def _begin_well(self) -> bool:
        for number in self.code.memory_map.flat:
            obj = self.points_to.objects.of_static(number)
            declared = self.program.static_object(number)
            assert obj is not None
            assert declared is not None
            first = self.points_to.classes.partitions[obj].first
            for index, value in declared.initial:
                if value > FIXED and self.own.classes >> (first + index) & 1:
                    return False
        return True

    def _is_no_address(self, function: str, value: Term | None) -> bool:
        if value is None or self.terms.is_const(value):
            return True
        targets = self.points_to.held_by(function, value)
        return not (targets.objects or targets.is_elsewhere or targets.is_number)

    def _is_fine(self, function: str, edge: Edge) -> bool:
        instruction = edge.instruction
        match instruction:
            case ir.Fault():
                return True  # it reads what its sibling reads
            case ir.Assign(assignments=assignments):
                return all(self._fits(function, r.term, term) for r, term in assignments)
            case ir.Load(target=target, access=access):
                cells = self._accessed(edge, access)
                is_own = (function, target.term) in self.own.registers
                return self._is_one_kind(cells, is_own=is_own) and self._are_plain(
                    function, (access.address,)
                )
            case ir.Store(access=access, value=value):
                return self._is_written(function, edge, access, value)
            case ir.Update(target=target, access=access, value=value, success=success):
                is_own = (function, target.term) in self.own.registers
                return (
                    self._is_one_kind(self._accessed(edge, access), is_own=is_own)
                    and self._is_written(function, edge, access, value)
                    and (success is None or self._is_plain(function, success))
                )
            case ir.Lock(access=access) | ir.Unlock(access=access):
                cells = self._accessed(edge, access)
                return self._is_one_kind(cells, is_own=True) and self._are_plain(function, (access.address,))
            case ir.CallUnmodelled() if self.own.classes:
                return False
            case _:
                written = [(function, r.term) in self.own.registers for r in written_registers(instruction)]
                return not any(written) and self._are_plain(function, read_terms(instruction))

    def _is_written(self, function: str, edge: Edge, access: ir.Access, value: Term) -> bool:
        cells = self._accessed(edge, access)
        if not self._are_plain(function, (access.address,)):
            return False
        if cells.has_own:
            return self._is_one_kind(cells, is_own=True) and self._is_handle(function, value)
        return self._is_plain(function, value)

    def _accessed(self, edge: Edge, access: ir.Access) -> _Cells:
        own = other = 0
        is_exact = access.location is None and access.size >= HANDLE_BYTES
        for obj, offset in self.points_to.targets(edge.source).places:
            partition = self.points_to.classes.partitions[obj]
            touched = partition.touched(offset, 0, access.size)
            own |= touched & self.own.classes
            other |= touched & ~self.own.classes
            is_exact = is_exact and all(exact for _, exact in partition.overlaps(offset, 0, access.size))
        return _Cells(bool(own), bool(other), is_exact)

    @staticmethod
    def _is_one_kind(cells: _Cells, *, is_own: bool) -> bool:
        if is_own:
            return not cells.has_other and cells.is_exact
        return not cells.has_own

    # --- terms --------------------------------------------------------------------------------------

    def _fits(self, function: str, target: Term, term: Term) -> bool:
        if (function, target) in self.own.registers:
            return self._is_handle(function, term)
        return self._is_plain(function, term)

    def _are_plain(self, function: str, terms: Iterable[Term]) -> bool:
        return all(self._is_plain(function, term) for term in terms)

    def _is_own(self, function: str, variable: Term) -> bool:
        return variable == self.program.self_handle or (function, variable) in self.own.registers

    def _is_handle(self, function: str, term: Term) -> bool:
        """Whether the value is an own handle, or one that is not renamed, and nothing else."""
        terms = self.terms
        number = terms.number(term)
        if number is not None:
            return number <= FIXED
        op, args = terms.op(term), terms.args(term)
        if op is Op.VAR:
            return self._is_own(function, term)
        if op is Op.ITE:
            return self._is_plain(function, args[0]) and all(self._is_handle(function, a) for a in args[1:])
        if op is Op.EXTRACT:
            payload = terms.payload(term)
            is_low = isinstance(payload, tuple) and payload[1] == 0 and terms.width(term) >= 8 * HANDLE_BYTES
            return is_low and self._is_handle(function, args[0])
        return op in (Op.ZERO_EXTEND, Op.SIGN_EXTEND) and self._is_handle(function, args[0])

    def _is_plain(self, function: str, term: Term) -> bool:
        """Whether it is the same whatever ids threads have: handles are only compared with each other."""
        terms, waiting = self.terms, [term]
        while waiting:
            term = waiting.pop()
            if terms.op(term) is Op.VAR and self._is_own(function, term):
                return False
            args = terms.args(term)
            is_mixed = any(self._is_own(function, variable) for variable in terms.variables(term))
            if is_mixed and terms.op(term) is Op.EQ and all(self._is_handle(function, a) for a in args):
                continue
            if is_mixed:
                waiting += args
        return True
