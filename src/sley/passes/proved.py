"""What was proved of a program is left out of it: checks that hold, and that others could notice accesses.

* A branch to an error location that no thread comes to is gone; its sibling says that it is certain.
* The fault of a load, store, update or lock that is never wrong is gone; the access says that it is certain.
* A plain access that is never wrong and never races says that it is *unnoticed*. Such steps are merged
  with those before them, or come first, wherever an engine does so with what other threads cannot observe.

Locations stay what they are, and so does where threads stop: a run of the result is a run of the program.

*Why such an access cannot be observed* (it is a both-mover: R. Lipton, CACM 18(12), 1975).
Let a thread stand before such an access, and others take steps meanwhile. None of them conflicts with it:
before the first that does, both threads would stand before their accesses, which is a data race; and if a
step ended the life of what is accessed, the access would be wrong after it. So it commutes with all of them,
and can as well happen at once. It never waits, and never ends the run.

*Why nothing is lost.* What was proved holds in all runs up to the first violation. So the first violation of
a run is none of what is left out; and up to there, the run is one of the program that is left.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from sley.logic.terms import Terms
from sley.program import instructions as ir
from sley.program.program import Edge, Function, Program


@dataclass(frozen=True, slots=True)
class ProvedLocations:
    """Locations of a flat program of which something was proved."""

    unreached: AbstractSet[int]
    """Error locations that no thread comes to."""
    certain: AbstractSet[int]
    """Where an access is never wrong."""
    unnoticed: AbstractSet[int]
    """Where an access is never wrong and never races."""


def without_proved(program: Program, proved: ProvedLocations) -> Program:
    """The program without what was proved of it."""
    return program.mapped(lambda function: _Leaving(program.terms, function, proved).left())


class _Leaving:
    """One function."""

    def __init__(self, terms: Terms, function: Function, proved: ProvedLocations) -> None:
        self.terms = terms
        self.function = function
        self.proved = proved
        kept = {edge.target for edge in function.edges if not self._can_go(edge)}
        self.gone = (proved.unreached & function.errors.keys()) - kept
        self.branches = {edge.source for edge in function.edges if edge.target in self.gone}
        """Where an edge is left out."""

    def left(self) -> Function:
        function, gone = self.function, self.gone
        edges = tuple(self._marked(edge) for edge in function.edges if edge.target not in gone)
        errors = {at: failure for at, failure in function.errors.items() if at not in gone}
        return replace(function, edges=edges, errors=errors)

    def _can_go(self, edge: Edge) -> bool:
        """Whether an edge to an error location can be left out: something certain stays beside it."""
        match edge.instruction:
            case ir.Assume():
                beside = [one for one in self.function.outgoing[edge.source] if one.target != edge.target]
                return bool(beside) and self._is_covered(edge.source)
            case ir.FaultTest(of=ir.Load() | ir.Store() | ir.Update() | ir.Lock()):
                return edge.source in self.proved.certain
            case _:
                return False

    def _is_covered(self, location: int) -> bool:
        """Whether some branch can be taken here, whatever holds."""
        instructions = (edge.instruction for edge in self.function.outgoing[location])
        conditions = (one.condition for one in instructions if isinstance(one, ir.Assume))
        return self.terms.or_(*conditions) == self.terms.true

    def _marked(self, edge: Edge) -> Edge:
        is_certain, is_unnoticed = edge.source in self.branches, edge.source in self.proved.unnoticed
        if not (is_certain or is_unnoticed):
            return edge
        match edge.instruction:
            case ir.Assume() as assumption:
                return replace(edge, instruction=replace(assumption, is_certain=True))
            case (ir.Load() | ir.Store() | ir.Update() | ir.Lock()) as accessing:
                access = replace(accessing.access, is_certain=is_certain, is_unnoticed=is_unnoticed)
                return replace(edge, instruction=replace(accessing, access=access))
            case _:
                return edge
