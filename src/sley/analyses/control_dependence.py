"""Which branches decide whether a location of a thread template is reached.

A location depends on a branch if one way out of the branch surely leads to it, and another may not (Ferrante,
Ottenstein and Warren). Ways that only fail or abort count as no ways: what comes after a check does not
depend on it.
"""

from collections.abc import Collection, Mapping

from sley.analyses.graphs import Successors, components, reachable
from sley.program.instructions import End, Ending, FaultTest
from sley.program.program import Edge, Function


def deciding_branches(function: Function) -> Mapping[int, tuple[int, ...]]:
    """For each location the branches that it depends on; a location that is not listed depends on none."""
    successors, ends = _ways(function)
    found = _on_ways_to_failure(function, successors)
    names = list(successors)
    bits = {at: 1 << position for position, at in enumerate(names)}
    surely = _surely_after(successors, ends, bits)
    for branch, ways in successors.items():
        for way in ways if len(ways) > 1 else ():
            decided = surely[way] & ~(surely[branch] & ~bits[branch])
            while decided:
                lowest = decided & -decided
                decided ^= lowest
                found.setdefault(names[lowest.bit_length() - 1], {})[branch] = None
    return {location: tuple(branches) for location, branches in found.items()}


def _on_ways_to_failure(function: Function, alive: Successors) -> dict[int, dict[int, None]]:
    """What only leads to a failure depends on the branches from which it is reached."""
    lost = {at: [way for way in ways if way not in alive] for at, ways in function.successors.items()}
    found: dict[int, dict[int, None]] = {}
    for branch in alive:
        for location in reachable(lost.get(branch, ()), lost):
            found.setdefault(location, {})[branch] = None
    return found


def _ways(function: Function) -> tuple[Successors, frozenset[int]]:
    """The graph without what only fails; and where it ends, a location for each endless loop included."""
    taken = {
        at: tuple(dict.fromkeys(edge.target for edge in edges if _goes_on(edge, function)))
        for at, edges in function.outgoing.items()
    }
    endless = {
        component[0]
        for component in components(function.locations, taken)
        if all(taken.get(one) and set(taken[one]) <= set(component) for one in component)
    }
    ends = frozenset({function.exit, *endless})
    before: dict[int, list[int]] = {}
    for at, targets in taken.items():
        for target in targets:
            before.setdefault(target, []).append(at)
    alive = reachable(ends, before)
    ways = {at: [target for target in taken.get(at, ()) if target in alive] for at in alive}
    return ways, ends


def _goes_on(edge: Edge, function: Function) -> bool:
    is_abort = isinstance(edge.instruction, End) and edge.instruction.ending is Ending.ABORT
    return not is_abort and not isinstance(edge.instruction, FaultTest) and edge.target not in function.errors


def _surely_after(
    successors: Successors, ends: Collection[int], bits: Mapping[int, int]
) -> Mapping[int, int]:
    """For each location the set of those on all ways from it to an end, itself included."""
    everything = (1 << len(bits)) - 1
    after = {at: bits[at] if at in ends else everything for at in successors}
    order = [at for component in components(successors, successors) for at in component if at not in ends]
    is_changed = True
    while is_changed:
        is_changed = False
        for at in order:
            common = everything
            for way in successors[at]:
                common &= after[way]
            is_changed |= common | bits[at] != after[at]
            after[at] = common | bits[at]
    return after
