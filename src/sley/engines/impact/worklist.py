"""Q: the leaves that wait to be closed or expanded. The paper leaves open which of them is next."""

from heapq import heappop, heappush
from random import Random

from sley.engines.impact.thresholds import SWITCH_STEP
from sley.engines.impact.tree import Node


class Worklist:
    """Few context switches first, then depth first; or in any order, for tests."""

    def __init__(self, order_seed: int | None) -> None:
        self._random = None if order_seed is None else Random(order_seed)
        self._waiting: list[tuple[int, float, Node]] = []
        self._queued = 0

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, node: Node) -> None:
        """Of those with about as many switches, the last is taken first."""
        self._queued += 1
        if self._random is None:
            heappush(self._waiting, (node.switches // SWITCH_STEP, -self._queued, node))
        else:
            heappush(self._waiting, (0, self._random.random(), node))

    def pop(self) -> Node:
        """The next one."""
        return heappop(self._waiting)[2]
