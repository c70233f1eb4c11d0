"""Loads that always read the initial value, because nothing ever writes anything else there.

Typical are tables, string literals, and the kind of a mutex that the program leaves at its default, or sets
to it: with these loads gone, constant propagation removes all code for the other kinds.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from sley.analyses.objects import Offset, indices, union
from sley.analyses.pointers import PointsTo
from sley.analyses.threads import Creations
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.passes.addresses import hide_addresses, without_id_marks
from sley.passes.pipeline import AFTER_PROPERTIES, AT_LAST, BEFORE_PROPERTIES, Pass
from sley.program import instructions as ir
from sley.program.memory import Storage
from sley.program.program import Edge, Function, Program
from sley.program.rewriting import access_of


def frozen_loads(program: Program, points_to: PointsTo) -> Mapping[int, Term]:
    """Location of a Load -> the constant that it always reads.

    Law: the load is valid, no other thread can race with it, and it yields this value in every run. Holds
    without assumptions on addresses that may be elsewhere: if one of them is written to, nothing is frozen.
    """
    classes = _written_classes(program, points_to)
    if classes is None:
        return {}
    changed, kept = classes
    found: dict[int, Term] = {}
    for edge in program.edges:
        if isinstance(edge.instruction, ir.Load):
            access = edge.instruction.access
            written = changed if access.is_atomic and not _may_synchronise(edge) else changed | kept
            value = _initial_value(program, points_to, access, written)
            if value is not None:
                found[edge.source] = value
    return found


def specialise(program: Program) -> Program:
    """The same prepared program without what never written memory excludes: often much smaller.

    First addresses become unknown: after that nothing depends on them.
    """
    points_to = PointsTo(program)
    hidden = hide_addresses(program, points_to)
    is_same = hidden is program
    program = without_id_marks(hidden)
    if not is_same:
        program = _simplified(program)
        points_to = PointsTo(program)
    while True:
        simpler = without_frozen_loads(program, points_to)
        if simpler is program:
            return _after(AT_LAST, program)
        program = _simplified(simpler)
        points_to = PointsTo(program)


def _simplified(program: Program) -> Program:
    """The program after the passes that a change makes worth another run."""
    return _after((*BEFORE_PROPERTIES, *AFTER_PROPERTIES), program)


def _after(passes: Iterable[tuple[str, Pass]], program: Program) -> Program:
    for _, run in passes:
        program = run(program)
    return program


def without_frozen_loads(program: Program, points_to: PointsTo) -> Program:
    """The same program with each such load replaced by an assignment; behaves the same."""
    loads = frozen_loads(program, points_to)
    if not loads:
        return program
    return program.mapped(lambda function: _replaced(function, loads))


def _replaced(function: Function, loads: Mapping[int, Term]) -> Function:
    edges: list[Edge] = []
    for edge in function.edges:
        instruction = edge.instruction
        if edge.source not in loads:
            edges.append(edge)
        elif isinstance(instruction, ir.Load):
            assignment = ir.Assign(((instruction.target, loads[edge.source]),))
            edges.append(replace(edge, instruction=assignment))
        else:
            assert isinstance(instruction, ir.FaultTest), "a visible instruction has no other sibling"
    return replace(function, edges=tuple(edges))


def _written_classes(program: Program, points_to: PointsTo) -> tuple[int, int] | None:
    """The classes that some instruction may change, and those that atomic stores give their initial value.

    None if it may be any.
    """
    reachable = Creations(program).reachable
    changed = kept = 0
    for edge in program.edges:
        if edge.source not in reachable:
            continue
        if isinstance(edge.instruction, ir.CallUnmodelled):
            changed |= union(points_to.classes.all_of(obj) for obj in indices(points_to.scrambled))
        access, is_write = access_of(edge.instruction) or (None, False)
        if access is None or not is_write:
            continue
        targets = points_to.targets(edge.source)
        if targets.is_elsewhere:
            return None
        partitions = points_to.classes.partitions
        touched = union(partitions[obj].touched(offset, 0, access.size) for obj, offset in targets.places)
        if _keeps_initial_value(program, points_to, edge.instruction):
            kept |= touched
        else:
            changed |= touched
    return changed, kept


def _may_synchronise(edge: Edge) -> bool:
    """Whether it can matter which of several stores of one value an atomic load reads: not in our models."""
    return not edge.origin.is_library


def _keeps_initial_value(program: Program, points_to: PointsTo, instruction: ir.Instruction) -> bool:
    """Whether this is an atomic store of the value that a global has at first."""
    if not isinstance(instruction, ir.Store) or not instruction.access.is_atomic:
        return False
    return _initial_value(program, points_to, instruction.access, 0) == instruction.value


def _initial_value(program: Program, points_to: PointsTo, access: ir.Access, written: int) -> Term | None:
    """What the access reads, if it is a whole cell of a global that is never written."""
    address = program.terms.number(access.address)
    if address is None:
        return None
    number, offset = program.pointers.number(address), program.pointers.offset(address)
    obj, index = program.static_object(number), points_to.objects.of_static(number)
    if obj is None or index is None:
        return None
    found = obj.layout.cell_at(offset)
    is_cell = found is not None and found[1].size == access.size and offset + access.size <= obj.size
    if obj.storage is not Storage.GLOBAL or found is None or not is_cell:
        return None
    if points_to.classes.partitions[index].touched(Offset(offset), 0, access.size) & written:
        return None
    value = dict(obj.initial).get(found[0], 0)
    return (
        program.terms.boolean(bool(value)) if access.sort == BOOL else program.terms.const(value, access.sort)
    )
