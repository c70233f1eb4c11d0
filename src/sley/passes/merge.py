"""Merging of purely local steps: fewer edges, the same runs.

* A step that does nothing is removed by joining its two locations; a loop of such steps stays as a location
  with an edge to itself, because a thread that spins there is not stuck.
* An assignment is put into the step behind it: two assignments become one, and a temporary that only serves
  the next step (a condition, an address, a stored value) disappears.
* A visible step that sets a temporary which is only copied sets the copy's target itself.

All of that happens only where the location between the two steps has no other edges, and only while terms
stay small. Registers that the user named keep their assignments: a trace shows them.
"""

from dataclasses import dataclass, replace

from sley.analyses.liveness import Liveness
from sley.logic.terms import Term, Terms
from sley.passes.exposure import Exposure
from sley.program import instructions as ir
from sley.program.program import Edge, Function, Program
from sley.program.rewriting import (
    read_terms,
    rewritten,
    rewritten_update,
    terms_over_loaded,
    written_registers,
)

MAX_TERM_SIZE = 60
"""No merged instruction has a term with more subterms than this."""


def merge_local_steps(program: Program) -> Program:
    """The flat program with local steps merged."""
    exposure = Exposure(program)
    return program.mapped(lambda function: _merged(program.terms, function, exposure))


def _merged(terms: Terms, function: Function, exposure: Exposure) -> Function:
    while True:
        while len((shorter := _without_skips(terms, function)).edges) < len(function.edges):
            function = shorter
        merging = _EdgeMerging(terms, function, exposure)
        if not merging.run():
            return function
        function = merging.result()


# --- steps that do nothing --------------------------------------------------------------------------


def _without_skips(terms: Terms, function: Function) -> Function:
    """Join the two ends of every step that does nothing."""
    skips = {at: skip for at in function.outgoing if (skip := _skip(terms, function, at)) is not None}
    ends: dict[int, int] = {}
    for start in skips:
        path: dict[int, None] = {}
        at = start
        while at in skips and at not in ends and at not in path:
            path[at] = None
            at = skips[at].target
        ends.update(dict.fromkeys(path, ends.get(at, at)))
    edges = []
    for edge in function.edges:
        at = edge.source
        if at not in skips:
            if edge.target in ends:
                edge = Edge(at, ends[edge.target], edge.instruction, edge.origin)
            edges.append(edge)
        elif ends[at] == at and skips[at] is edge:  # a loop of steps that do nothing
            edges.append(replace(edge, target=at, instruction=ir.Assign()))
    return replace(function, edges=tuple(edges), entry=ends.get(function.entry, function.entry))


def _skip(terms: Terms, function: Function, location: int) -> Edge | None:
    """The step that does nothing if it is all that can happen at a location.

    Steps into an error location stay: they say where the error is.
    """
    edges = function.outgoing[location]
    target = edges[0].target
    if target in function.errors or target == function.exit or any(e.target != target for e in edges):
        return None
    conditions = [e.instruction.condition for e in edges if isinstance(e.instruction, ir.Assume)]
    if len(conditions) == len(edges):
        return edges[0] if terms.or_(*conditions) == terms.true else None
    return edges[0] if edges[0].instruction == ir.Assign() else None


# --- pairs of steps ---------------------------------------------------------------------------------


@dataclass(slots=True)
class _Pair:
    """A step, and the steps that follow it at a location that has no other way in."""

    first: Edge
    rest: tuple[Edge, ...]


class _EdgeMerging:
    """One round over the edges of a function; liveness at the locations that stay does not change."""

    def __init__(self, terms: Terms, function: Function, exposure: Exposure) -> None:
        self.terms = terms
        self.exposure = exposure
        self.function = function
        self.liveness = Liveness(terms, function)
        self.outgoing = dict(function.outgoing)

    def run(self) -> bool:
        """Merge what can be merged; whether anything was.

        Backwards, so that a temporary meets its use before other assignments join it.
        """
        has_merged = False
        for location in reversed(tuple(self.function.outgoing)):
            while location in self.outgoing and self._merge_at(location):
                has_merged = True
        return has_merged

    def result(self) -> Function:
        """The function with the edges that are left, those of a location where they were first."""
        edges = tuple(edge for location in self.function.outgoing for edge in self.outgoing.get(location, ()))
        return replace(self.function, edges=edges)

    def _merge_at(self, location: int) -> bool:
        first = self.outgoing[location][0]
        between = first.target
        if between == location or between == self.function.entry or between not in self.outgoing:
            return False
        if len(self.function.incoming[between]) > 1:
            return False
        pair = _Pair(first, self.outgoing[between])
        if isinstance(first.instruction, ir.Assign):
            return self._push(pair, first.instruction)
        return self._retarget(pair)

    # an assignment goes into the next step

    def _push(self, pair: _Pair, assign: ir.Assign) -> bool:
        values = {register.term: term for register, term in assign.assignments}
        merged = []
        for edge in pair.rest:
            instruction = self._pushed(assign, values, edge)
            if instruction is None:
                return False
            merged.append(replace(edge, source=pair.first.source, instruction=instruction))
        if len(merged) == 1 and isinstance(merged[0].instruction, ir.Assign):
            merged = [replace(merged[0], origin=_clearer(pair.first, merged[0]).origin)]
        self.outgoing[pair.first.source] = tuple(merged)
        del self.outgoing[pair.first.target]
        return True

    def _pushed(self, assign: ir.Assign, values: dict[Term, Term], edge: Edge) -> ir.Instruction | None:
        """The instruction of ``edge`` after the assignment, as one instruction; None if there is none."""
        instruction = edge.instruction
        is_assign = isinstance(instruction, ir.Assign)
        if not is_assign and any(self._is_kept(register, edge) for register, _ in assign.assignments):
            return None
        if any(self.exposure.exposes(term, values) for term in read_terms(instruction)):
            return None
        made = self._substituted(instruction, values)
        if made is None or not self._is_small(made):
            return None
        if not isinstance(made, ir.Assign):
            return made
        overwritten = {register.name for register, _ in made.assignments}
        kept = [
            (register, term)
            for register, term in assign.assignments
            if register.name not in overwritten and self._is_kept(register, edge)
        ]
        return ir.Assign((*kept, *made.assignments))

    def _is_kept(self, register: ir.Register, edge: Edge) -> bool:
        after = self.liveness.at(edge.target) & ~self.liveness.written(edge.instruction)
        return bool(register.c_name) or bool(after & self.liveness.bit(register.term))

    def _substituted(self, instruction: ir.Instruction, values: dict[Term, Term]) -> ir.Instruction | None:
        match instruction:
            case ir.FaultTest(of=of):
                made = self._substituted(of, values)
                return None if made is None else ir.FaultTest(made)  # type: ignore[arg-type]
            case ir.Update(target=target):
                inner = {v: t for v, t in values.items() if v != target.term}
                used = {v for term in terms_over_loaded(instruction) for v in self.terms.variables(term)}
                if any(v in used and self.terms.mentions(t, target.term) for v, t in inner.items()):
                    return None
                return rewritten_update(
                    instruction,
                    address=lambda term: self.terms.substitute(term, values),
                    loaded=lambda term: self.terms.substitute(term, inner),
                )
            case _:
                return rewritten(instruction, term=lambda term: self.terms.substitute(term, values))

    def _is_small(self, instruction: ir.Instruction) -> bool:
        return all(len(self.terms.walk((term,))) <= MAX_TERM_SIZE for term in read_terms(instruction))

    # a copied temporary is not needed

    def _retarget(self, pair: _Pair) -> bool:
        """``load t, x`` then ``r := t`` is ``load r, x``."""
        (edge, *others), first = pair.rest, pair.first
        written = written_registers(first.instruction)
        if others or len(written) != 1 or not isinstance(edge.instruction, ir.Assign):
            return False
        temporary = written[0]
        copies = [r for r, term in edge.instruction.assignments if term == temporary.term]
        rest = [(r, term) for r, term in edge.instruction.assignments if term != temporary.term]
        if temporary.c_name or len(copies) != 1 or self.liveness.is_live(temporary.term, edge.target):
            return False
        (copy,) = copies
        unwanted = (temporary.term, copy.term)
        if any(self.terms.mentions(term, variable) for _, term in rest for variable in unwanted):
            return False
        if isinstance(first.instruction, ir.Update) and any(
            self.terms.mentions(term, copy.term) for term in terms_over_loaded(first.instruction)
        ):
            return False
        self.outgoing[first.source] = tuple(
            replace(e, instruction=self._with_target(e.instruction, temporary, copy))
            for e in self.outgoing[first.source]
        )
        self.outgoing[edge.source] = (replace(edge, instruction=ir.Assign(tuple(rest))),)
        return True

    def _with_target(self, instruction: ir.Instruction, old: ir.Register, new: ir.Register) -> ir.Instruction:
        match instruction:
            case ir.FaultTest(of=of):
                return ir.FaultTest(self._with_target(of, old, new))  # type: ignore[arg-type]
            case ir.Update():
                names = {old.term: new.term}
                made = rewritten_update(
                    instruction,
                    address=lambda term: term,
                    loaded=lambda term: self.terms.substitute(term, names),
                )
                return replace(made, target=new)
            case _:
                return rewritten(instruction, register=lambda register: new if register == old else register)


def _clearer(one: Edge, other: Edge) -> Edge:
    """The edge whose origin tells the user more: their own code before the library, a place before none."""

    def rank(edge: Edge) -> tuple[bool, bool, int]:
        assign = edge.instruction
        assert isinstance(assign, ir.Assign)
        named = sum(bool(register.c_name) for register, _ in assign.assignments)
        return (not edge.origin.is_library, edge.origin.span is not None, named)

    return one if rank(one) > rank(other) else other
