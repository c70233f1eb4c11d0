"""Graphs with integer nodes: components and what can be reached, without recursion."""

from collections.abc import Callable, Iterable, Mapping, Sequence

Successors = Mapping[int, Sequence[int]]
"""Node -> the nodes after it; a node that is not listed has none."""


def components(nodes: Iterable[int], successors: Successors) -> list[list[int]]:
    """The strongly connected components; one comes after all those that it can reach (Tarjan)."""
    found: list[list[int]] = []
    number: dict[int, int] = {}
    lowest: dict[int, int] = {}
    waiting: list[int] = []
    placed: set[int] = set()
    for root in nodes:
        if root in number:
            continue
        number[root] = lowest[root] = len(number)
        waiting.append(root)
        path = [(root, iter(successors.get(root, ())))]
        while path:
            node, rest = path[-1]
            for after in rest:
                if after not in number:
                    number[after] = lowest[after] = len(number)
                    waiting.append(after)
                    path.append((after, iter(successors.get(after, ()))))
                    break
                if after not in placed and number[after] < lowest[node]:
                    lowest[node] = number[after]
            else:
                path.pop()
                if path and lowest[node] < lowest[path[-1][0]]:
                    lowest[path[-1][0]] = lowest[node]
                if lowest[node] == number[node]:
                    found.append(_pop_down_to(node, waiting))
                    placed.update(found[-1])
    return found


def _pop_down_to(node: int, waiting: list[int]) -> list[int]:
    position = len(waiting) - 1
    while waiting[position] != node:
        position -= 1
    component = waiting[position:]
    del waiting[position:]
    return component


def nodes_on_cycles(nodes: Iterable[int], successors: Successors) -> frozenset[int]:
    """The nodes that can reach themselves by at least one step."""
    return frozenset(
        node
        for component in components(nodes, successors)
        for node in component
        if len(component) > 1 or node in successors.get(node, ())
    )


def in_nests(nodes: Iterable[int], successors: Successors) -> tuple[list[int], dict[int, frozenset[int]]]:
    """The nodes in an order in which loops are wholes, each behind its head; and the loop of each head.

    Iteration in this order, which goes back to the first changed node, stabilises a loop before it looks at
    what comes after it: a weak topological order (Bourdoncle, FMPA 1993). Paths start at the first node.
    """
    order: list[int] = []
    loops: dict[int, frozenset[int]] = {}
    waiting = [component[::-1] for component in components(nodes, successors)]
    while waiting:
        *rest, head = waiting.pop()
        order.append(head)
        if rest or head in successors.get(head, ()):
            loops[head] = frozenset((head, *rest))
        inside = dict.fromkeys(reversed(rest))
        within = {node: [after for after in successors.get(node, ()) if after in inside] for node in inside}
        waiting += (component[::-1] for component in components(inside, within))
    return order, loops


def reachable(roots: Iterable[int], successors: Successors) -> frozenset[int]:
    """The roots and all that can be reached from them."""
    seen = set(roots)
    stack = list(seen)
    while stack:
        for after in successors.get(stack.pop(), ()):
            if after not in seen:
                seen.add(after)
                stack.append(after)
    return frozenset(seen)


def unions_ahead(nodes: Iterable[int], successors: Successors, own: Callable[[int], int]) -> dict[int, int]:
    """For each node the union of the bit sets ``own`` of itself and of all nodes that it can reach."""
    union: dict[int, int] = {}
    for component in components(nodes, successors):
        bits = 0
        for node in component:
            bits |= own(node)
            for after in successors.get(node, ()):
                bits |= union.get(after, 0)
        for node in component:
            union[node] = bits
    return union
