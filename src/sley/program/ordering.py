"""An order of locations in which control flow goes forward wherever it can, and facts computed along it."""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import TypeVar

from sley.program.program import Edge, Function

Fact = TypeVar("Fact")


def reverse_postorder(function: Function) -> dict[int, int]:
    """Ranks of locations so that most edges go upwards: facts then rarely have to be computed twice."""
    postorder: list[int] = []
    seen = {function.entry}
    stack = [(function.entry, iter(function.outgoing.get(function.entry, ())))]
    while stack:
        location, edges = stack[-1]
        following = next((e.target for e in edges if e.target not in seen), None)
        if following is None:
            postorder.append(location)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(function.outgoing.get(following, ()))))
    return {location: rank for rank, location in enumerate(reversed(postorder))}


def forward_facts(
    function: Function, start: Fact, behind: Callable[[Edge, Fact], Fact], join: Callable[[Fact, Fact], Fact]
) -> dict[int, Fact]:
    """What holds at each location that the entry reaches: ``start`` there, joined where ways meet."""
    ranks = reverse_postorder(function)
    found = {function.entry: start}
    pending = [(ranks[function.entry], function.entry)]
    while pending:
        _, location = heappop(pending)
        for edge in function.outgoing.get(location, ()):
            after = behind(edge, found[location])
            before = found.get(edge.target)
            met = after if before is None else join(before, after)
            if met != before:
                found[edge.target] = met
                heappush(pending, (ranks[edge.target], edge.target))
    return found
