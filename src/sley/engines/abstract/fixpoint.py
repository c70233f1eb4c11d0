"""What no step leads out of: found by widening, then narrowed."""

import time

from sley.base.budget import Budget
from sley.engines.abstract.iteration import Iteration
from sley.engines.abstract.narrowing import narrow
from sley.program.program import Program
from sley.program.properties import Property


def fixpoint(program: Program, properties: frozenset[Property], budget: Budget) -> Iteration:
    """Iterate; and again if there is more than one instance of what was thought to be there once."""
    not_once: set[tuple[str, int]] = set()
    while True:
        iteration = Iteration(program, properties, budget, not_once)
        started = time.process_time()
        iteration.run()
        narrow(iteration, time.process_time() - started)
        found = iteration.made_again()
        if not found:
            return iteration
        not_once |= found
