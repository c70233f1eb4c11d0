"""Which registers and local objects may hold the address of a heap block: flow-insensitive, for one function.

What comes out of a scalar may be such an address if one may have been put in, or if others can write there;
what comes from elsewhere always may. A scalar that is smaller than a pointer holds none: reading a part of a
pointer is not modelled. Numbers from outside are no addresses.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from sley.logic.sorts import Sort, width_of
from sley.logic.terms import Term
from sley.passes.lifetimes import Lifetimes
from sley.program import instructions as ir
from sley.program.program import Function, Program
from sley.program.rewriting import written_registers


def holders_of_blocks(
    program: Program, function: Function, lifetimes: Lifetimes, shared: AbstractSet[Term]
) -> set[Term]:
    """Variables of registers, and addresses of local objects, that may hold one; ``shared`` objects may."""
    flows = [flow for edge in function.edges for flow in _flows(program, lifetimes, edge.instruction)]
    found = {register.term for register in function.parameters if _is_wide(program, register.sort)}
    found |= shared
    is_growing = True
    while is_growing:
        more = {target for source, target in flows if source is None or source in found} - found
        found |= more
        is_growing = bool(more)
    return found


def _flows(
    program: Program, lifetimes: Lifetimes, instruction: ir.Instruction
) -> Iterator[tuple[Term | None, Term]]:
    """From what to what an address may go; from None: any address."""
    match instruction:
        case ir.Assign(assignments=assignments):
            for register, term in assignments:
                yield from _into(program, lifetimes, term, register.term, register.sort)
        case ir.Load(target=target, access=access) if _is_wide(program, target.sort):
            yield _local(lifetimes, access.address), target.term
        case ir.Store(access=access, value=value):
            yield from _into(program, lifetimes, value, _local(lifetimes, access.address), access.sort)
        case ir.Update(target=target, access=access, value=value) if _is_wide(program, target.sort):
            place = _local(lifetimes, access.address)
            yield place, target.term
            yield from _into(program, lifetimes, value, place, access.sort)
        case ir.Create() | ir.Havoc():
            pass  # ids and numbers are no addresses
        case _:
            yield from ((None, r.term) for r in written_registers(instruction) if _is_wide(program, r.sort))


def _into(
    program: Program, lifetimes: Lifetimes, term: Term, target: Term | None, sort: Sort
) -> Iterator[tuple[Term, Term]]:
    """From the registers in a term; the address of a local object is none of a block."""
    if target is not None and _is_wide(program, sort):
        for variable in program.terms.variables(term):
            if lifetimes.place_of(variable) is None:
                yield variable, target


def _local(lifetimes: Lifetimes, address: Term) -> Term | None:
    """The local object that an address is in by its form."""
    place = lifetimes.place_of(address)
    return None if place is None or not lifetimes.is_local(place[0]) else place[0].address


def _is_wide(program: Program, sort: Sort) -> bool:
    return width_of(sort) >= program.pointers.width
