"""The part of a program that one run executed: its threads, the branches it took, as often as it took them.

Looking for other orders of just that is cheap on large programs. It finds bugs, and proves nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from sley.base.budget import Budget
from sley.engines.bmc.events.loops import Iterations, LoopNest
from sley.engines.bmc.events.unrolling import LoopBranch
from sley.engines.bmc.thresholds import LONGEST_SLICE
from sley.evidence.bounded.proof import Loop
from sley.semantics.code import Code
from sley.semantics.random_runs import RandomRuns


@dataclass(slots=True)
class Slice:
    """What one run executed."""

    branches: set[LoopBranch] = field(default_factory=set)
    """Every edge that was taken, as often as it was."""
    bounds: dict[Loop | int, int] = field(default_factory=dict)
    """How often loops were repeated."""


def slice_of_run(code: Code, nest_of: Callable[[str], LoopNest], seed: int, budget: Budget) -> Slice:
    """The slice of a random run."""
    found = Slice()
    iterations: dict[int, Iterations] = {}
    for taken in RandomRuns(code, seed, budget).run(seed, longest=LONGEST_SLICE):
        thread = taken.memory.thread
        for edge in (happening.edge for happening in taken.happenings):
            nest = nest_of(code.function_at[edge.source].name)
            before = iterations.get(thread, (0,) * len(nest.heads(edge.source)))
            found.branches.add(LoopBranch(thread, before, edge.source, edge.target))
            if nest.is_back(edge):
                *around, count = nest.iterations_of(edge.target, before)
                found.bounds[Loop(thread, tuple(around), edge.target)] = count + 2
            iterations[thread] = nest.after(edge, before)
    return found
