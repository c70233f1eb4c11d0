"""The SAT solvers of python-sat, each with what it needs to be stopped.

python-sat may take over SIGINT and jump out of a running query, which we never want: MiniSat does not
if it expects an interrupt (it then lets other threads of Python run), CaDiCaL does not if it believes to be
outside the main thread.
"""

from collections.abc import Callable
from typing import Any

import pysolvers
from pysat.solvers import Cadical195, Minisat22

from sley.solvers.limits import Deadline, ask_in_thread

Ask = Callable[[Any, list[int], Deadline, int | None], bool | None]
"""Whether the clauses are satisfiable under the assumptions.

None if the deadline came first, or about so many conflicts.
"""

EASY = 200
"""Conflicts after which a query moves into a thread."""

EASY_PROPAGATIONS = 1_000_000
"""Propagations after which it does, however few conflicts there were."""

SLICE = 1_000
"""Conflicts between two looks at the clock, where a query cannot be interrupted."""


def ask_whole(native: Any, assumptions: list[int], deadline: Deadline, conflicts: int | None) -> bool | None:
    """Ask MiniSat with a small budget first, then without, or with the rest of a given one.

    What is not easy goes on in a thread, while this one stays awake for signals and the clock. Slices of
    conflicts would do without a thread, but MiniSat forgets at the end of each how many learnt clauses are
    worth keeping: a small multiplier took 0.4 s as a whole, and was not done after 60 s in slices of 2,000
    conflicts. Which queries are easy does not depend on time, so that the same queries find the same models.
    """
    native.conf_budget(EASY if conflicts is None else min(EASY, conflicts))
    native.prop_budget(EASY_PROPAGATIONS)
    found: bool | None = native.solve_limited(assumptions, expect_interrupt=True)
    native.conf_budget(-1)  # all budgets
    if found is not None or (conflicts is not None and conflicts <= EASY):
        return found
    if conflicts is not None:
        native.conf_budget(conflicts - EASY)
    try:
        return ask_in_thread(
            lambda: native.solve_limited(assumptions, expect_interrupt=True),
            lambda: deadline.is_over,
            native.interrupt,
        )
    finally:
        native.clear_interrupt()
        native.conf_budget(-1)


def ask_in_slices(
    native: Any, assumptions: list[int], deadline: Deadline, conflicts: int | None
) -> bool | None:
    """Ask CaDiCaL, slice by slice: nothing else runs while it works.

    It keeps what it learnt: unsatisfiable multipliers took 1.0 and 1.4 times as long as without slices. A
    slice cannot be interrupted, so a query may outlive its limit by the rest of one (up to 0.3 s with a
    multiplier of 64 bits; longer where conflicts are rare).
    """
    left = conflicts
    while not deadline.is_over and (left is None or left > 0):
        size = SLICE if left is None else min(SLICE, left)
        native.conf_budget(size)
        found: bool | None = native.solve_limited(assumptions)
        if found is not None:
            return found
        left = None if left is None else left - size
    return None


class _QuietCadical(Cadical195):  # type: ignore[misc]
    """CaDiCaL that leaves SIGINT alone."""

    def solve_limited(self, assumptions: list[int], expect_interrupt: bool = False) -> bool | None:  # noqa: FBT001, FBT002
        """As in the super class, but never as from the main thread."""
        found = pysolvers.cadical195_solve_lim(self.cadical, assumptions, 0)
        self.status = None if found == 0 else found > 0
        self.prev_assumps = assumptions
        return self.status


ENGINES: dict[str, tuple[Callable[[], Any], Ask]] = {
    "minisat": (Minisat22, ask_whole),
    "cadical": (_QuietCadical, ask_in_slices),
}
"""How to make an empty solver, and how to ask it."""
