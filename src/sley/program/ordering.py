"""An order of locations in which control flow goes forward wherever it can."""

from sley.program.program import Function


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
