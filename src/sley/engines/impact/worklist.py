"""The order in which nodes are taken: depth first, and few context switches first."""

import random

from sley.engines.impact.tree import Node

SWITCH_STEP = 5
"""By how much the budget of context switches grows."""


class Worklist:
    """Leaves to be closed or expanded; with a seed, in a random order."""

    def __init__(self, seed: int | None = None) -> None:
        self._stacks: dict[int, list[Node]] = {}
        self._random = None if seed is None else random.Random(seed)

    def add(self, node: Node) -> None:
        """Queue a node."""
        level = 0 if self._random else node.switches // SWITCH_STEP
        self._stacks.setdefault(level, []).append(node)

    def pop(self) -> Node | None:
        """The next node; None if there is none."""
        if not self._stacks:
            return None
        level = min(self._stacks)
        stack = self._stacks[level]
        if self._random:
            position = self._random.randrange(len(stack))
            stack[position], stack[-1] = stack[-1], stack[position]
        node = stack.pop()
        if not stack:
            del self._stacks[level]
        return node

    def __len__(self) -> int:
        return sum(map(len, self._stacks.values()))
