"""Which memory the next step of a thread may touch, as addresses over the state before the step.

Two steps of which neither touches what the other writes can be swapped. That depends on the state where
addresses do: ``v[i]`` and ``v[j]`` are two places or one. Of a step that is one access this says the address;
of an atomic section the addresses of all accesses on all ways through it, also on ways that are cut or
blocked later: what was read there decided that. An address may rest on what the section has read before, and
is then a choice over the places where that may be.

Law: let a run of the step from a state where ``unknown`` does not hold make an access. Then one of the listed
touches is on the same edge, and its address has the value of the access in that state.
"""

from typing import NamedTuple

from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Edge
from sley.program.rewriting import access_of
from sley.semantics.symbolic import Hints
from sley.semantics.symbolic_sections import SectionExecution, Targets
from sley.semantics.symbolic_step import Shape, StepPath
from sley.semantics.vocabulary import Vocabulary


class SymbolicTouch(NamedTuple):
    """An access that the step may make."""

    edge: Edge
    access: ir.Access
    address: Term | None
    """Over the variables before the step; None: it depends on an arbitrary value that the step makes."""


class Touches(NamedTuple):
    """All accesses that the step may make."""

    found: tuple[SymbolicTouch, ...]
    unknown: Term
    """Where this holds, they are not all; it may mention arbitrary values."""


def touches_of(vocabulary: Vocabulary, thread: int, location: int, targets: Targets) -> Touches:
    """What ``thread`` may touch with its next step, from ``location``."""
    terms, edges = vocabulary.terms, vocabulary.code.out.get(location, ())
    if any(isinstance(edge.instruction, ir.AtomicBegin) for edge in edges):
        return _TouchingExecution(vocabulary, thread, targets).touches(location)
    found = []
    for edge in edges:
        if (accessed := access_of(edge.instruction)) is not None:
            address = vocabulary.instantiated(thread, accessed[0].address)
            found.append(SymbolicTouch(edge, accessed[0], address))
    return Touches(tuple(found), terms.false)


class _TouchingExecution(SectionExecution):
    """Follows all ways through a section, and notes what is accessed before it is known how they end."""

    def __init__(self, vocabulary: Vocabulary, thread: int, targets: Targets) -> None:
        super().__init__(vocabulary, thread, targets)
        self.found: dict[SymbolicTouch, None] = {}

    def touches(self, location: int) -> Touches:
        """All accesses of the section that begins here."""
        section = self.section(location)
        return Touches(tuple(self.found), section.unknown)

    def _taken(
        self, path: StepPath, edge: Edge, shape: Shape, hints: Hints, fault: Edge | None
    ) -> list[StepPath]:
        if (accessed := access_of(edge.instruction)) is not None:
            access, _ = accessed
            address = self._value(path, self._instantiated(path, access.address))
            is_arbitrary = any(v in self.inputs for v in self.terms.variables(address))
            self.found[SymbolicTouch(edge, access, None if is_arbitrary else address)] = None
        return super()._taken(path, edge, shape, hints, fault)
