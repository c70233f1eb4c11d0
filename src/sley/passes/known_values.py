"""What is known and what comes from outside: models compute the one exactly, and bound the other.

How a number looks as a text takes hundreds of steps to compute, which is little for a number that the
program has made, and hopeless for one that may be any. So models ask (``__sley_is_known``), and this pass
answers. Both answers are right: a model that does not compute a result returns any that it may be, as an
unknown one. So nothing rests on how much this pass sees, and it sees little: a register, or a class of
memory, has something from outside if an arbitrary value other than a choice is assigned to it, or
anything made of one.
"""

from dataclasses import replace

from sley.analyses.objects import Offset, indices, union
from sley.analyses.pointers import PointsTo, Targets
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.passes.constants import propagate_constants
from sley.program import instructions as ir
from sley.program.program import Edge, Function, Program
from sley.program.rewriting import access_of, read_terms, written_registers

_OUTSIDE = (ir.Cause.INPUT, ir.Cause.UNMODELLED, ir.Cause.LAYOUT)
_QUESTIONS = (ir.Cause.KNOWN, ir.Cause.KNOWN_TEXT)

_Variable = tuple[str, Term]
"""A function and the variable of a register of it."""


def settle_known(program: Program) -> Program:
    """The flat program without questions of what is known; itself if there are none."""
    if not any(_is_question(edge.instruction) for edge in program.edges):
        return program
    outside = _Outside(program)
    return propagate_constants(program.mapped(lambda function: _settled(program, function, outside)))


def _is_question(instruction: ir.Instruction) -> bool:
    return isinstance(instruction, ir.Havoc) and instruction.cause in _QUESTIONS


def _settled(program: Program, function: Function, outside: "_Outside") -> Function:
    edges: list[Edge] = []
    for edge in function.edges:
        asked = edge.instruction
        if isinstance(asked, ir.Havoc) and asked.cause in _QUESTIONS:
            is_known = asked.about is None or not outside.has(function.name, asked.about, asked.cause)
            answer = ir.Assign(((asked.target, program.terms.boolean(is_known)),))
            edges.append(replace(edge, instruction=answer))
        else:
            edges.append(edge)
    return replace(function, edges=tuple(edges))


def _takes(instruction: ir.Instruction) -> bool:
    """Whether an instruction takes something from outside; a choice is none."""
    if isinstance(instruction, ir.Havoc):
        return instruction.cause in _OUTSIDE and instruction.target.sort != BOOL
    return isinstance(instruction, ir.CallUnmodelled)


class _Outside:
    """Registers and classes of memory with something from outside: a least fixed point."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._points_to = PointsTo(program)
        self._variables: set[_Variable] = set()
        self._classes = 0
        edges = [(name, edge) for name, f in program.functions.items() for edge in f.edges]
        while sum(self._spreads(name, edge) for name, edge in edges):
            pass

    def has(self, function: str, term: Term, cause: ir.Cause) -> bool:
        """Whether a value, or what lies behind an address, has something from outside."""
        if self._is_open(function, term):
            return True
        if cause is ir.Cause.KNOWN:
            return False
        held = self._points_to.held_by(function, term)
        classes = self._points_to.classes
        return held.is_elsewhere or bool(
            self._classes & union(classes.all_of(obj) for obj in indices(held.objects))
        )

    def _spreads(self, function: str, edge: Edge) -> bool:
        """Whether an instruction brings something from outside to where none was."""
        instruction = edge.instruction
        before = len(self._variables), self._classes
        is_open = _takes(instruction) or any(
            self._is_open(function, term) for term in read_terms(instruction)
        )
        access, is_write = access_of(instruction) or (None, False)
        if access is not None:
            touched = self._touched(self._points_to.targets(edge.source), access.size)
            is_open = is_open or bool(self._classes & touched)
            if is_write and is_open:
                self._classes |= touched
        if isinstance(instruction, ir.CallUnmodelled):
            classes, scrambled = self._points_to.classes, self._points_to.scrambled
            self._classes |= union(classes.all_of(obj) for obj in indices(scrambled))
        if is_open:
            self._variables.update((function, register.term) for register in written_registers(instruction))
            if isinstance(instruction, ir.Create):
                made = self._program.functions[instruction.function]
                self._variables.update((made.name, register.term) for register in made.parameters)
        return before != (len(self._variables), self._classes)

    def _is_open(self, function: str, term: Term) -> bool:
        return any(
            (function, variable) in self._variables for variable in self._program.terms.variables(term)
        )

    def _touched(self, targets: Targets, size: int) -> int:
        partitions = self._points_to.classes.partitions
        return union(
            partitions[place.object].touched(Offset(*place.offset), 0, size) for place in targets.places
        )
