"""An order of locks: one that a thread may wait for while it holds another comes after that one.

Where locks are taken in both orders there is no such order, and some order is made up. Nothing rests on it
being the right one: an argument that locks are only waited for upwards has to be shown for the order it uses.
"""

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from sley.logic.terms import Term
from sley.semantics.templates import Template, TemplateSystem


def lock_ranks(system: TemplateSystem, waits: Mapping[tuple[int, int], Term]) -> dict[Term, int]:
    """The rank of each lock, by the waits of all templates: template and stop -> the lock's cell."""
    before: dict[Term, set[Term]] = {cell: set() for cell in waits.values()}
    for template in system.templates:
        held = _may_hold(system, template, before)
        for place, locks in held.items():
            wanted = waits.get((template.position, place))
            if wanted is not None:
                before[wanted] |= locks - {wanted}
    return {cell: rank for rank, cell in enumerate(_ordered(before))}


def _ordered(before: Mapping[Term, set[Term]]) -> Iterator[Term]:
    try:
        yield from list(TopologicalSorter(before).static_order())
    except CycleError:
        yield from before


def _may_hold(
    system: TemplateSystem, template: Template, cells: Mapping[Term, object]
) -> dict[int, set[Term]]:
    """The locks that a thread may have taken and not given back, at each of its places."""
    t = system.terms
    transitions = list(system.transitions(template))
    held: dict[int, set[Term]] = {one.source: set() for one in transitions}
    waiting = list(transitions)
    while waiting:
        one = waiting.pop()
        taken = {cell for cell in cells if cell in one.updates}
        given = {cell for cell in taken if one.updates[cell] == t.bv(0, t.width(cell))}
        after = (held[one.source] | taken) - given
        known = held.setdefault(one.target, set())
        if not after <= known:
            known |= after
            waiting += [other for other in transitions if other.source == one.target]
    return held
