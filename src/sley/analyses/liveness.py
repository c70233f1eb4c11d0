"""Live registers: those whose value some continuation may still read.

A state needs to hold only these. The analysis is the plain one, not the strong one: an assignment whose
target is dead still counts as reading, so that every register an instruction mentions is live where the
instruction starts.

A thread that is blocked in an atomic section is still where the section begins, with the registers that are
live there; nothing special is needed for sections, faults or checks beyond looking at the terms they read.
"""

from collections.abc import Mapping

from sley.analyses.graphs import components
from sley.logic.terms import Term, Terms
from sley.program.instructions import Register, Update
from sley.program.program import Edge, Function
from sley.program.rewriting import read_terms, written_registers


def live_registers(function: Function, terms: Terms) -> Mapping[int, tuple[Register, ...]]:
    """The live registers at each location, in the order of ``function.registers``.

    Law: two states of a thread that agree on the live registers have the same behaviour.
    """
    steps = _steps(function, terms)
    successors = {at: tuple(target for target, _, _ in after) for at, after in steps.items()}
    live: dict[int, int] = {}
    for component in components(function.locations, successors):
        is_stable = False
        while not is_stable:
            is_stable = True
            for location in reversed(component):
                bits = 0
                for target, read, written in steps.get(location, ()):
                    bits |= read | (live.get(target, 0) & ~written)
                if bits != live.get(location, 0):
                    live[location] = bits
                    is_stable = False
    chosen = {bits: _selected(function, bits) for bits in {*live.values(), 0}}
    return {location: chosen[live.get(location, 0)] for location in function.locations}


def _steps(function: Function, terms: Terms) -> dict[int, list[tuple[int, int, int]]]:
    """For each location its edges as (target, registers read, registers written)."""
    bit_of = {register.term: 1 << position for position, register in enumerate(function.registers)}
    bits_of: dict[Term, int] = {}
    steps: dict[int, list[tuple[int, int, int]]] = {}
    for edge in function.edges:
        for term in read_terms(edge.instruction):
            if term not in bits_of:
                bits_of[term] = sum(bit_of.get(variable, 0) for variable in terms.variables(term))
        read, written = _read_and_written(edge, bit_of, bits_of)
        steps.setdefault(edge.source, []).append((edge.target, read, written))
    return steps


def _read_and_written(edge: Edge, bit_of: Mapping[Term, int], bits_of: Mapping[Term, int]) -> tuple[int, int]:
    read = written = 0
    for register in written_registers(edge.instruction):
        written |= bit_of[register.term]
    if isinstance(edge.instruction, Update):  # in its value the target is what was loaded
        address, value = edge.instruction.access.address, edge.instruction.value
        return bits_of[address] | (bits_of[value] & ~written), written
    for term in read_terms(edge.instruction):
        read |= bits_of[term]
    return read, written


def _selected(function: Function, bits: int) -> tuple[Register, ...]:
    found = []
    while bits:
        low = bits & -bits
        found.append(function.registers[low.bit_length() - 1])
        bits ^= low
    return tuple(found)
