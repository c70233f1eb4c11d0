"""The proof of engine ``bmc``: bounds that cover all runs, and cycles that exclude wrong orders.

The checker unrolls the program again, builds the formula again, accepts each cycle on its own, and has
another solver find that the formula cannot hold: neither with a violation nor with a loop that goes on.
"""

from dataclasses import dataclass

from sley.engines.bmc.events.claims import Claims
from sley.engines.bmc.events.loops import Loop
from sley.engines.bmc.formula.formula import Form
from sley.engines.bmc.formula.order import Cycle


@dataclass(frozen=True, slots=True)
class BoundedProof:
    """How far to unroll, and why some orders are impossible."""

    bounds: tuple[tuple[Loop | int, int], ...]
    """Loops, or heads of loops, and how often they are repeated."""
    cycles: tuple[Cycle, ...]
    """Those that the formula does not exclude by itself."""
    form: Form
    claims: Claims
    """What the unrolling takes for granted, and tests."""

    @property
    def summary(self) -> str:
        """One phrase for the user."""
        most = max((bound for _, bound in self.bounds), default=1)
        times = "once" if most == 1 else f"up to {most} times"
        cycles = f", {len(self.cycles):,} impossible orders" if self.cycles else ""
        return f"complete with loops unrolled {times}{cycles}"
