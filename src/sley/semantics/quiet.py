"""Stops at which no other thread needs a turn: accesses that nobody else can notice.

A step may run on through such a stop: whatever others do before the access, they can as well do before or
after the step. It does not run on where the access may be wrong without an error to go to (that would cut the
run), nor round a loop (that might never come back to the others).
"""

from sley.analyses.accesses import Accesses
from sley.analyses.effects import NOTHING
from sley.program.instructions import Enter, Leave, Load, Store, Update
from sley.semantics.code import Code, cycle_heads


def quiet_stops(code: Code, accesses: Accesses) -> frozenset[int]:
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


def _is_quiet(code: Code, accesses: Accesses, location: int) -> bool:
    if not isinstance(code.action(location), Load | Store | Update | Enter | Leave):
        return False
    return accesses.action(location) == NOTHING and not accesses.may_stop(location)
