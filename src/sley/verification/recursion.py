"""How deep calls of functions that call themselves are inlined: as deep as runs of the program go.

How deep recursion goes is unknown before it is inlined. So it is inlined a few calls deep, and if a random
run comes to the end of that, deeper. If runs come to the end of the deepest, that would only make the program
large: a few calls are all that is looked at.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from sley.base.budget import Budget
from sley.base.reasons import Why, why_of
from sley.passes.inline import InlineOptions
from sley.program import instructions as ir
from sley.program.program import Program
from sley.semantics.code import Code
from sley.semantics.random_runs import RandomRuns
from sley.verification.thresholds import DEEPER, MOST_EDGES_DEEPER, RECURSION_RUNS, RECURSION_STEPS


def deep_enough(prepare: Callable[[InlineOptions], Program], options: InlineOptions) -> Program:
    """The flat program in which recursion is inlined as deep as runs go."""
    first = prepare(options)
    if not _comes_too_deep(first):
        return first
    for factor in DEEPER:
        bound, most = factor * options.recursion_bound, min(MOST_EDGES_DEEPER, options.max_edges)
        deeper = prepare(replace(options, recursion_bound=bound, max_edges=most))
        if not _comes_too_deep(deeper):
            return deeper
    return first


def _comes_too_deep(flat: Program) -> bool:
    """Whether some random run comes to a call that is too deep to be inlined."""
    reasons = (edge.instruction.reason for edge in flat.edges if isinstance(edge.instruction, ir.GiveUp))
    return any(map(_is_too_deep, reasons)) and any(map(_is_too_deep, _ends(flat)))


def _is_too_deep(reason: str) -> bool:
    """Whether a run gave up because a call would have been one too deep."""
    return why_of(reason) is Why.RECURSION


def _ends(flat: Program) -> Iterator[str]:
    """Why random runs gave up."""
    runs = RandomRuns(Code(flat), 0, Budget())
    left = RECURSION_STEPS
    for number in range(RECURSION_RUNS):
        runs.random.seed(number)
        left -= sum(1 for _ in runs.run(number, longest=left))
        if runs.gave_up is not None:
            yield str(runs.gave_up)
        if left <= 0:
            return
