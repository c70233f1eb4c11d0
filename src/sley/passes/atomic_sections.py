"""Which locations of a flat function lie inside an atomic section."""

from sley.program.instructions import AtomicBegin, AtomicEnd
from sley.program.program import Function


def inside_atomic_sections(function: Function) -> frozenset[int]:
    """The locations between an ``AtomicBegin`` and its ``AtomicEnd``, both ends excluded."""
    inside: set[int] = set()
    pending = [edge.target for edge in function.edges if isinstance(edge.instruction, AtomicBegin)]
    while pending:
        location = pending.pop()
        if location in inside:
            continue
        inside.add(location)
        pending.extend(
            edge.target
            for edge in function.outgoing.get(location, ())
            if not isinstance(edge.instruction, AtomicEnd)
        )
    return frozenset(inside - set(function.errors) - {function.exit})
