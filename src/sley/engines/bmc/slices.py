"""The part of a program that one run executed: its threads, the branches it took, as often as it took them.

Looking for other orders of just that is cheap on large programs. It finds bugs, and proves nothing.
"""

from collections import Counter
from dataclasses import dataclass

from sley.base.budget import Budget
from sley.engines.bmc.likely.runs import RandomRuns
from sley.semantics.code import Code
from sley.semantics.memory import Memory
from sley.semantics.step import Happening


@dataclass(frozen=True, slots=True)
class Slice:
    """What one run executed."""

    edges: frozenset[tuple[int, int]]
    """Source and target of every edge that was taken."""
    visits: dict[int, int]
    """Location -> how often a single thread came there, at most."""


def slice_of_run(code: Code, seed: int, budget: Budget) -> Slice:
    """The slice of a random run."""
    edges: set[tuple[int, int]] = set()
    visits: Counter[tuple[int, int]] = Counter()
    step: list[tuple[int, int]] = []

    def listen(memory: Memory, happening: Happening) -> None:
        step.append((happening.edge.source, happening.edge.target))

    def commit(thread: int, memory: Memory) -> None:
        edges.update(step)
        visits.update((thread, target) for _, target in step)
        step.clear()

    RandomRuns(code, seed, budget).run(seed, listen, commit)
    most: dict[int, int] = {}
    for (_, location), count in visits.items():
        most[location] = max(count, most.get(location, 0))
    return Slice(frozenset(edges), most)
