"""Stops at which no other thread needs a turn: accesses that others cannot observe, and ends of threads.

A step may run on through such a stop: whatever others do before the access, they can as well do before or
after the step. It does not run on where the access may be wrong without an error to go to (that would cut the
run), nor round a loop (that might never come back to the others).
"""

from sley.analyses.accesses import ActionEffects
from sley.analyses.effects import NOTHING
from sley.program.instructions import Detach, Enter, Exit, Leave, Load, Store, Update
from sley.semantics.code import Code, cycle_heads


def quiet_stops(code: Code, accesses: ActionEffects) -> frozenset[int]:
    """The stops that a step may run through, if every access hits a place that was foreseen."""
    quiet: set[int] = set()
    for function in code.program.functions.values():
        candidates = {
            location
            for location in function.outgoing
            if location in code.stops and location != function.entry and _is_quiet(code, accesses, location)
        }
        following = {at: sorted(_next_stops(code, at) & candidates) for at in sorted(candidates)}
        quiet |= candidates - set(cycle_heads(following))
    return frozenset(quiet)


def quiet_ends(code: Code, accesses: ActionEffects) -> frozenset[int]:
    """The ends of threads that a step may come to: only joins that wait for them observe them.

    A waiting thread cannot step before the end, and whatever others do before it they can as well do after
    it. So it is one with the step before. Not the end of the first thread, nor where a thread may be
    detached.
    """
    program = code.program
    if any(isinstance(edge.instruction, Detach) for edge in program.edges):
        return frozenset()
    return frozenset(
        location
        for function in program.functions.values()
        if function.name != program.entry
        for location, edges in function.outgoing.items()
        if location in code.stops and location != function.entry and isinstance(edges[0].instruction, Exit)
        if accesses.action(location).reads == 0
        and not accesses.action(location).writes & ~accesses.awaited_ends
    )


def _next_stops(code: Code, location: int) -> set[int]:
    """The stops at which a step from here can end."""
    found: set[int] = set()
    seen = {location}
    waiting = [location]
    while waiting:
        for edge in code.out.get(waiting.pop(), ()):
            if edge.target in code.stops:
                found.add(edge.target)
            elif edge.target not in seen:
                seen.add(edge.target)
                waiting.append(edge.target)
    return found


def _is_quiet(code: Code, accesses: ActionEffects, location: int) -> bool:
    if not isinstance(code.action(location), Load | Store | Update | Enter | Leave):
        return False
    return accesses.action(location) == NOTHING and not accesses.may_stop(location)
