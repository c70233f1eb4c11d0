"""The SAT solvers of python-sat, each with what it needs to be stopped.

python-sat may take over SIGINT and jump out of a running query, which we never want: MiniSat and Glucose do
not if they expect an interrupt (they then let other threads of Python run), CaDiCaL does not if it believes
to be outside the main thread.
"""

import threading
from typing import Any, Protocol

import pysolvers
from pysat.solvers import Cadical195, Glucose4, Minisat22

from sley.base.threads import start
from sley.solvers.limits import Deadline

EASY = 200
"""Conflicts after which a query moves into a thread."""

EASY_PROPAGATIONS = 1_000_000
"""Propagations after which it does, however few conflicts there were."""

SLICE = 1_000
"""Conflicts between two looks at the clock, where a query cannot be interrupted."""


class SatEngine(Protocol):
    """How a SAT solver is asked."""

    native: Any
    """The solver of python-sat."""

    def solve(self, assumptions: list[int], deadline: Deadline, conflicts: int | None = None) -> bool | None:
        """Whether the clauses are satisfiable under the assumptions.

        None if the deadline came first, or about so many conflicts.
        """


class InterruptibleEngine:
    """MiniSat and its descendants.

    What is not easy goes on in a thread, while this one stays awake for signals and the clock. Slices of
    conflicts would do without a thread, but MiniSat forgets at the end of each how many learnt clauses are
    worth keeping: a small multiplier took 0.4 s as a whole, and was not done after 60 s in slices of 2,000
    conflicts. Which queries are easy does not depend on time, so that the same queries find the same models.
    """

    def __init__(self, native: Any) -> None:
        self.native = native

    def solve(self, assumptions: list[int], deadline: Deadline, conflicts: int | None = None) -> bool | None:
        """Ask with a small budget first, then without, or with the rest of a given one."""
        native = self.native
        native.conf_budget(EASY if conflicts is None else min(EASY, conflicts))
        native.prop_budget(EASY_PROPAGATIONS)
        found: bool | None = native.solve_limited(assumptions, expect_interrupt=True)
        native.conf_budget(-1)  # all budgets
        if found is not None or (conflicts is not None and conflicts <= EASY):
            return found
        if conflicts is not None:
            native.conf_budget(conflicts - EASY)
        return self._solve_in_thread(assumptions, deadline)

    def _solve_in_thread(self, assumptions: list[int], deadline: Deadline) -> bool | None:
        native = self.native
        found: list[bool | None] = []
        worker = threading.Thread(
            target=lambda: found.append(native.solve_limited(assumptions, expect_interrupt=True)), daemon=True
        )
        start(worker)
        try:
            while worker.is_alive() and not deadline.is_over:
                worker.join(0.05)
        finally:  # a signal handler may raise
            native.interrupt()
            worker.join()
            native.clear_interrupt()
            native.conf_budget(-1)
        return found[0] if found else None


class SlicedEngine:
    """CaDiCaL: nothing else runs while it works, so it works in slices.

    It keeps what it learnt: unsatisfiable multipliers took 1.0 and 1.4 times as long as without slices. A
    slice cannot be interrupted, so a query may outlive its limit by the rest of one (up to 0.3 s with a
    multiplier of 64 bits; longer where conflicts are rare).
    """

    def __init__(self, native: Any) -> None:
        self.native = native

    def solve(self, assumptions: list[int], deadline: Deadline, conflicts: int | None = None) -> bool | None:
        """Slice by slice."""
        left = conflicts
        while not deadline.is_over and (left is None or left > 0):
            size = SLICE if left is None else min(SLICE, left)
            self.native.conf_budget(size)
            found: bool | None = self.native.solve_limited(assumptions)
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


def make_engine(name: str) -> SatEngine:
    """An empty SAT solver."""
    match name:
        case "minisat":
            return InterruptibleEngine(Minisat22())
        case "glucose":
            return InterruptibleEngine(Glucose4())
        case "cadical":
            return SlicedEngine(_QuietCadical())
        case _:
            raise ValueError(f"no SAT solver {name}")
