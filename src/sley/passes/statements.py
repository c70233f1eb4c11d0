"""Statement granularity: what one C statement does to memory becomes one step.

Threads interleave at single accesses; published measurements often let them interleave at statements. Here
the steps of a statement (an expression statement, a condition, a declaration with an initialiser) are put
into an atomic section. What may block, create or end a thread, or call a function stays a step of its own,
so a call divides its statement; the models of library functions stay as they are.

Runs before inlining: sections inside sections become one there, and what fails inside a section is dealt with
when properties are selected. Law: a section is left on every way through it, so no thread is blocked in one.
An assumption without alternative would block it and therefore stands behind the section.
"""

from collections.abc import Iterator
from dataclasses import replace

from sley.logic.terms import Terms
from sley.program import instructions as ir
from sley.program.program import Edge, Function, Program

ASSUMPTION = "every C statement is one step (statement granularity)"

_ACCESSES = (ir.Load, ir.Store, ir.Update)
_INSIDE = (ir.Assign, ir.Assume, ir.Check, ir.Havoc, ir.Enter, *_ACCESSES)


def merge_statements(program: Program) -> Program:
    """The program, not inlined yet, in which each statement of the user's is one step."""
    merged = program.mapped(lambda f: f if f.is_library else _StatementMerging(program.terms, f).run())
    return replace(merged, assumptions=(*program.assumptions, ASSUMPTION))


class _StatementMerging:
    """One function."""

    def __init__(self, terms: Terms, function: Function) -> None:
        self.terms = terms
        self.function = function
        self.statements = {at: self._statement_at(edges) for at, edges in function.outgoing.items()}
        self.fresh = 1 + max(function.locations)
        self.outgoing = dict(function.outgoing)

    def run(self) -> Function:
        for section in self._sections():
            steps = [edge.instruction for at in section for edge in self.function.outgoing[at]]
            if sum(isinstance(step, _ACCESSES) for step in steps) > 1:
                self._wrap(section)
        return replace(self.function, edges=tuple(edge for edges in self.outgoing.values() for edge in edges))

    # --- which steps belong together ----------------------------------------------------------------

    def _statement_at(self, edges: tuple[Edge, ...]) -> int:
        """The statement that all steps at a location belong to; 0 if none of them may be in a section.

        Steps that do nothing belong to no statement: they lead from one to the next, or round a loop.
        """
        statement = edges[0].origin.statement
        if any(edge.origin.statement != statement or not _may_be_inside(edge.instruction) for edge in edges):
            return 0
        conditions = [edge.instruction.condition for edge in edges if isinstance(edge.instruction, ir.Assume)]
        if conditions and self.terms.or_(*conditions) != self.terms.true:
            return 0
        return statement

    def _sections(self) -> Iterator[list[int]]:
        """Disjoint lists of locations, each entered only at its first one and without a loop."""
        waiting = dict.fromkeys(at for at, statement in self.statements.items() if statement)
        starts = [at for at in waiting if not self._is_entered_from_statement(at)]
        for start in (*starts, *waiting):
            if start in waiting:
                section = self._section(start, waiting)
                for at in section:
                    del waiting[at]
                yield section

    def _is_entered_from_statement(self, location: int) -> bool:
        """Whether every way to a location is a step of the statement there."""
        return location != self.function.entry and all(
            self.statements[edge.source] == self.statements[location]
            for edge in self.function.incoming.get(location, ())
        )

    def _section(self, start: int, waiting: dict[int, None]) -> list[int]:
        """A location and those of its statement to which all ways come from the section."""
        section = [start]
        for at in section:
            for edge in self.function.outgoing[at]:
                target = edge.target
                if (
                    target in waiting
                    and target not in section
                    and target != self.function.entry
                    and self.statements[target] == self.statements[start]
                    and all(before.source in section for before in self.function.incoming[target])
                ):
                    section.append(target)
        return section

    # --- the section --------------------------------------------------------------------------------

    def _location(self) -> int:
        self.fresh += 1
        return self.fresh - 1

    def _wrap(self, section: list[int]) -> None:
        """Put a section between its first location and wherever its steps lead."""
        start, first = section[0], self._location()
        origin = self.function.outgoing[start][0].origin
        ends: dict[int, int] = {}
        for at in section:
            moved = []
            for edge in self.outgoing.pop(at):
                target = edge.target
                if target == start or target not in section:
                    if target not in ends:
                        ends[target] = self._location()
                    target = ends[target]
                moved.append(replace(edge, source=first if at == start else at, target=target))
            self.outgoing[first if at == start else at] = tuple(moved)
        self.outgoing[start] = (Edge(start, first, ir.AtomicBegin(), origin),)
        for target, end in ends.items():
            self.outgoing[end] = (Edge(end, target, ir.AtomicEnd(), origin),)


def _may_be_inside(instruction: ir.Instruction) -> bool:
    return isinstance(instruction, _INSIDE) and instruction != ir.Assign()
