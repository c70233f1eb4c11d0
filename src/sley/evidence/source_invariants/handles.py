"""Where thread handles may be: what C has for them are numbers of ours, of which nothing is to be said."""

from collections.abc import Iterable, Iterator

from sley.analyses.pointers import PointsTo
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import SELF, Edge, Program
from sley.program.rewriting import read_terms, written_registers


class Handles:
    """The registers and objects that may hold something made of a handle."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.points_to = PointsTo(program)
        self.terms: set[Term] = {
            term
            for edge in program.edges
            for read in read_terms(edge.instruction)
            for term in program.terms.variables(read)
            if program.terms.name(term) == SELF
        }
        self.objects = 0
        """Abstract objects, one bit each."""
        while self._spread():
            pass

    def in_register(self, register: ir.Register) -> bool:
        """Whether a register may hold one."""
        return register.term in self.terms

    def in_global(self, number: int) -> bool:
        """Whether a global object may."""
        return self._holds(self.points_to.objects.of_static(number))

    def in_local(self, template: str, slot: int) -> bool:
        """Whether an object of a template may."""
        return self._holds(self.points_to.objects.of_local(template, slot))

    def accessed(self, locations: Iterable[int]) -> set[int]:
        """The numbers of global objects that may be accessed at these locations."""
        known = set(self.points_to.access_locations)
        mask = 0
        for location in locations:
            if location in known:
                mask |= self.points_to.targets(location).objects
        first = self.program.pointers.first_object
        objects = self.points_to.objects
        numbers = range(first, first + len(self.program.objects))
        return {
            number for number in numbers if (i := objects.of_static(number)) is not None and mask >> i & 1
        }

    def _holds(self, index: int | None) -> bool:
        return index is not None and bool(self.objects >> index & 1)

    def _spread(self) -> bool:
        """One round over all edges; whether it found more."""
        before = len(self.terms), self.objects
        for edge in self.program.edges:
            if self._comes_from_handle(edge):
                self.terms |= {register.term for register in written_registers(edge.instruction)}
                if isinstance(edge.instruction, ir.Store | ir.Update):
                    self.objects |= self.points_to.targets(edge.source).objects
        return before != (len(self.terms), self.objects)

    def _comes_from_handle(self, edge: Edge) -> bool:
        match edge.instruction:
            case ir.Create():
                return True
            case ir.Load() if self.points_to.targets(edge.source).objects & self.objects:
                return True
            case instruction:
                return any(variable in self.terms for variable in self._mentioned(instruction))

    def _mentioned(self, instruction: ir.Instruction) -> Iterator[Term]:
        for term in read_terms(instruction):
            yield from self.program.terms.variables(term)
