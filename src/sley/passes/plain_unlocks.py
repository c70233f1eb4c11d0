"""Locks that are given back by a plain store: ``pthread_spin_unlock``.

POSIX does not say how; on x86 it is a store like any other, which may wait in the buffer of its thread while
later loads go on. So on machines it is one here, too, behind the barrier that a release has where stores may
overtake each other. Whoever knows about mutexes sees a cell that is written otherwise, and relies on nothing.
"""

from collections.abc import Iterator
from dataclasses import replace

from sley.logic.sorts import BitVecSort
from sley.program import instructions as ir
from sley.program.memory import Display
from sley.program.program import Edge, Function, Program
from sley.program.properties import Failure, Property


def with_stored_unlocks(program: Program) -> Program:
    """The program as machines have it; before its properties are selected."""
    if not any(map(_is_plain, program.edges)):
        return program
    locations = program.fresh_locations()
    return program.mapped(lambda function: _stored(program, function, locations))


def _is_plain(edge: Edge) -> bool:
    return isinstance(edge.instruction, ir.Unlock) and edge.instruction.is_plain


def _stored(program: Program, function: Function, locations: Iterator[int]) -> Function:
    held: ir.Register | None = None
    edges: list[Edge] = []
    for edge in function.edges:
        unlock = edge.instruction
        if not isinstance(unlock, ir.Unlock) or not unlock.is_plain:
            edges.append(edge)
            continue
        held = held or _register(program, function, unlock.access)
        steps = _steps(program, edge, unlock.access, held)
        between = [next(locations) for _ in steps[1:]]
        places = zip([edge.source, *between], [*between, edge.target], steps, strict=True)
        edges += [replace(edge, source=at, target=to, instruction=step) for at, to, step in places]
    if held is None:
        return function
    return replace(function, edges=tuple(edges), registers=(*function.registers, held))


def _register(program: Program, function: Function, access: ir.Access) -> ir.Register:
    name = "%held"
    return ir.Register(
        name, access.sort, program.terms.var(f"{function.name}::{name}", access.sort), display=Display.HIDDEN
    )


def _steps(
    program: Program, edge: Edge, access: ir.Access, held: ir.Register
) -> list[ir.Load | ir.Check | ir.Fence | ir.Store]:
    terms = program.terms
    assert isinstance(access.sort, BitVecSort)
    own = terms.resize(program.self_handle, access.sort.width, signed=False)
    phrase, depth = "unlock of a mutex that the thread does not hold", edge.origin.library_call
    failure = Failure(
        Property.MISUSE, "unlock-not-held", phrase, "" if depth is None else edge.origin.calls[depth].text
    )
    plain = replace(access, order=ir.MemoryOrder.PLAIN)
    return [
        ir.Load(held, replace(plain, text="")),
        ir.Check(terms.eq(held.term, own), failure),
        ir.Fence.of(ir.MemoryOrder.RELEASE),
        ir.Store(plain, terms.bv(0, access.sort.width)),
    ]
