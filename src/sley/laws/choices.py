"""A loop that leaves out members of a set ``c``, for no reason, and takes the lowest of the rest.

LAW. ``while (c & (c - 1) && any()) c &= c - 1;`` and then ``c & -c``: any member may be chosen, and in
an atomic section no thread sees how. So what may come of it is the same for all members.
"""

from sley.analyses.liveness import Liveness
from sley.analyses.own_handles import OwnHandles
from sley.logic.operators import Op
from sley.logic.terms import Term, Terms
from sley.program import instructions as ir
from sley.program.program import Edge, Function
from sley.program.rewriting import written_registers
from sley.semantics.code import Code


def edges_of_choices(code: Code, own: OwnHandles) -> frozenset[Edge]:
    """The assignments of all such loops."""
    return frozenset(
        assignment
        for function in code.program.functions.values()
        for edge in function.edges
        for assignment in _MemberChoice(code, own, function, edge).edges()
    )


def without_lowest(terms: Terms, term: Term) -> Term | None:
    """What the term is without its lowest bit."""
    if terms.op(term) is Op.BVAND:
        for less, whole in (terms.args(term), terms.args(term)[::-1]):
            minus_one = terms.bv(-1, terms.width(whole))
            if terms.op(whole) is Op.VAR and less == terms.apply(Op.BVADD, whole, minus_one):
                return whole
    return None


class _MemberChoice:
    """One loop of this kind, if it is one."""

    def __init__(self, code: Code, own: OwnHandles, function: Function, edge: Edge) -> None:
        self.code = code
        self.own = own
        self.terms = code.program.terms
        self.function = function
        self.edge = edge
        """Leaves out one."""

    def edges(self) -> tuple[Edge, ...]:
        """The two assignments, if this is such a loop."""
        edge, out = self.edge, self.function.outgoing
        assigned = self._assigned(edge)
        if assigned is None or without_lowest(self.terms, assigned[1]) != assigned[0]:
            return ()
        whole, head = assigned[0], edge.target
        is_one = self.terms.make(Op.EQ, (assigned[1], self.terms.bv(0, self.terms.width(whole))))
        paths = self._branches(head, is_one)
        if paths is None or len(out.get(paths[1], ())) != 1:
            return ()
        taking, asking = paths
        (asks,) = out[asking]
        if not isinstance(asks.instruction, ir.Havoc):
            return ()
        answers = self._branches(asks.target, asks.instruction.target.term)
        if answers != (edge.source, taking) or len(out[edge.source]) != 1 or len(out.get(taking, ())) != 1:
            return ()
        (takes,) = out[taking]
        places = {head, asking, asks.target, edge.source, taking}
        is_closed = self._come_from({asking, asks.target, edge.source, taking}, places)
        if not is_closed or not places <= self.code.inside or not self._is_lowest(takes, whole):
            return ()
        own, name = self.own.registers, self.function.name
        if {own.get((name, r.term)) for e in (edge, takes) for r in written_registers(e.instruction)} != {1}:
            return ()
        liveness = Liveness(self.terms, self.function, is_strong=False)
        is_forgotten = not liveness.is_live(whole, takes.target)
        is_asked_once = not any(
            liveness.is_live(asks.instruction.target.term, at) for at in places - {asks.target}
        )
        return (edge, takes) if is_forgotten and is_asked_once else ()

    def _assigned(self, edge: Edge) -> tuple[Term, Term] | None:
        """The only register that an edge assigns, and what."""
        instruction = edge.instruction
        if not isinstance(instruction, ir.Assign) or len(instruction.assignments) != 1:
            return None
        ((register, term),) = instruction.assignments
        return register.term, term

    def _branches(self, location: int, condition: Term) -> tuple[int, int] | None:
        """Where it goes on if the condition holds, and if not; None if that is not what is asked here."""
        edges = self.function.outgoing.get(location, ())
        found = {e.instruction.condition: e.target for e in edges if isinstance(e.instruction, ir.Assume)}
        negation = self.terms.not_(condition)
        if len(edges) != 2 or found.keys() != {condition, negation}:
            return None
        return found[condition], found[negation]

    def _come_from(self, locations: set[int], places: set[int]) -> bool:
        """Whether some of the places are reached only from the others."""
        return all(e.source in places for e in self.function.edges if e.target in locations)

    def _is_lowest(self, edge: Edge, whole: Term) -> bool:
        assigned = self._assigned(edge)
        lowest = self.terms.apply(Op.BVAND, self.terms.make(Op.BVNEG, (whole,)), whole)
        return assigned is not None and assigned[0] != whole and assigned[1] == lowest
