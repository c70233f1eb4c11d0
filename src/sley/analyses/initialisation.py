"""Which cells of a new object are surely written before anyone can read them.

Fresh memory holds arbitrary values, so without this every pointer read from a heap block might be anything.
Most code fills a block before it lets others see it: from the place where the object begins to live, we
follow its address through registers until the address goes elsewhere (is stored, given to a thread, freed,
accessed at an unknown offset) or an unwritten cell is read. Cells that were written on every way to every
such place never show their initial value.
"""

from dataclasses import dataclass
from typing import assert_never

from sley.analyses.objects import ByteClasses, Offset
from sley.logic.operators import Op, to_signed
from sley.logic.terms import Term, Terms
from sley.program import instructions as ir
from sley.program.program import Edge, Function
from sley.program.rewriting import read_terms, written_registers

MOST_STEPS = 500
"""After so many steps nothing counts as written."""


@dataclass(frozen=True, slots=True)
class _Knowledge:
    """What is known on all ways to a location."""

    offsets: frozenset[tuple[Term, int]]
    """(variable, offset): the variable is surely the object's address plus the offset."""
    derived: frozenset[Term]
    """The variables whose value may derive from the address."""
    written: frozenset[int]
    """The classes that were surely written."""

    def __and__(self, other: "_Knowledge") -> "_Knowledge":
        return _Knowledge(
            self.offsets & other.offsets, self.derived | other.derived, self.written & other.written
        )


class Initialisation:
    """Follows one new object in its template."""

    def __init__(self, terms: Terms, function: Function, partition: ByteClasses) -> None:
        self.terms = terms
        self.function = function
        self.partition = partition

    def written_first(self, start: Edge, address: Term) -> frozenset[int]:
        """The classes that are written before they can be read; ``address`` is the variable that holds it."""
        if self.partition.period != 0:
            return frozenset()
        everything = range(self.partition.first, self.partition.first + len(self.partition.cells))
        found = frozenset(everything)
        known = {start.target: _Knowledge(frozenset({(address, 0)}), frozenset({address}), frozenset())}
        waiting = [start.target]
        for _ in range(MOST_STEPS):
            if not waiting:
                return found
            location = waiting.pop()
            for edge in self.function.outgoing.get(location, ()):
                after = None if edge is start else self._after(edge, known[location])
                if after is None:
                    found &= known[location].written
                    continue
                before = known.get(edge.target)
                new = after if before is None else before & after
                if new != before:
                    known[edge.target] = new
                    waiting.append(edge.target)
        return frozenset()

    def _after(self, edge: Edge, known: _Knowledge) -> _Knowledge | None:
        """What is known after the edge; None if others may get to see the object."""
        instruction = edge.instruction
        match instruction:
            case ir.Assign(assignments=assignments):
                return self._assigned({register.term: value for register, value in assignments}, known)
            case ir.Load() | ir.Store() | ir.Update():
                return self._accessed(instruction, known)
            case ir.Enter(object=obj) | ir.Leave(object=obj):
                return None if obj.address in known.derived else known
            case ir.FaultTest():
                return known
            case _:
                is_harmless = isinstance(instruction, ir.LocalInstruction)
                if not is_harmless and any(self._may_derive(t, known) for t in read_terms(instruction)):
                    return None
                return self._assigned(dict.fromkeys(r.term for r in written_registers(instruction)), known)

    def _assigned(self, values: dict[Term, Term] | dict[Term, None], known: _Knowledge) -> _Knowledge:
        """After variables got new values; None stands for a value that does not derive from the address."""
        offsets = {(v, offset) for v, offset in known.offsets if v not in values}
        derived = {v for v in known.derived if v not in values}
        for variable, value in values.items():
            if value is not None and self._may_derive(value, known):
                derived.add(variable)
                offset = self._offset(value, known)
                if offset is not None:
                    offsets.add((variable, offset))
        return _Knowledge(frozenset(offsets), frozenset(derived), known.written)

    def _accessed(self, instruction: ir.Load | ir.Store | ir.Update, known: _Knowledge) -> _Knowledge | None:
        access = instruction.access
        is_own = self._may_derive(access.address, known)
        cell = self._cell(access, known)
        if is_own and cell is None:
            return None
        match instruction:
            case ir.Load(target=target):
                if is_own and cell not in known.written:
                    return None
                return self._assigned({target.term: None}, known)
            case ir.Store(value=value):
                if self._may_derive(value, known):
                    return None
                return self._with_written(cell, known)
            case ir.Update(target=target, value=value):
                if is_own and cell not in known.written:
                    return None
                known = self._assigned({target.term: None}, known)
                return None if self._may_derive(value, known) else known
            case _:
                assert_never(instruction)

    def _with_written(self, cell: int | None, known: _Knowledge) -> _Knowledge:
        if cell is None:
            return known
        return _Knowledge(known.offsets, known.derived, known.written | {cell})

    def _cell(self, access: ir.Access, known: _Knowledge) -> int | None:
        """The class of the object's cell that the access surely is, if it is one."""
        offset = self._offset(access.address, known)
        if offset is None:
            return None
        found = list(self.partition.overlaps(Offset(offset), 0, access.size))
        return found[0][0] if len(found) == 1 and found[0][1] else None

    def _may_derive(self, term: Term, known: _Knowledge) -> bool:
        return any(variable in known.derived for variable in self.terms.variables(term))

    def _offset(self, term: Term, known: _Knowledge) -> int | None:
        """The offset in the object of which the term is surely the address."""
        constant = 0
        if self.terms.op(term) is Op.BVADD:
            left, right = self.terms.args(term)
            if self.terms.number(left) is not None:
                left, right = right, left
            number = self.terms.number(right)
            if number is None:
                return None
            term, constant = left, to_signed(number, self.terms.width(right))
        for variable, offset in known.offsets:
            if variable == term:
                return offset + constant
        return None
