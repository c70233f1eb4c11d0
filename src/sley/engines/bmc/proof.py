"""The proof of engine ``bmc``: bounds that cover all runs, and what its own formula needs to be built again.

``evidence.bounded`` gets the plain part. What that cannot do in time is done by ``audit``, with the
engine's unroller and formula: it accepts each cycle on its own, and another solver finds that neither a
violation nor a loop that goes on is possible.
"""

from dataclasses import dataclass

from sley.engines.bmc.events.claims import UnrollingClaims
from sley.engines.bmc.formula.order import Cycle
from sley.engines.bmc.options import BmcOptions
from sley.evidence.bounded import proof as bounded
from sley.evidence.bounded.proof import Loop


@dataclass(frozen=True, slots=True)
class BoundedProof:
    """How far to unroll, and why some orders are impossible."""

    bounds: tuple[tuple[Loop | int, int], ...]
    """Loops, or heads of loops, and how often they are repeated."""
    cycles: tuple[Cycle, ...]
    """Those that the formula does not exclude by itself."""
    options: BmcOptions
    """Which of several formulas is built."""
    claims: UnrollingClaims
    """What the unrolling takes for granted, and tests."""
    repeats: tuple[tuple[Loop, int], ...]
    """How often the heads of loops are reached again within the bounds."""
    seconds: float
    """How long the search took."""
    spins: frozenset[int] = frozenset()
    """Heads of loops of which rounds were left out."""

    @property
    def plain(self) -> bounded.BoundedProof:
        """What a checker needs that has its own unrolling and its own formula."""
        return bounded.BoundedProof(self.repeats, self.claims.shape, self.claims.settled, self.spins)

    @property
    def summary(self) -> str:
        """One phrase for the user."""
        most = max((bound for _, bound in self.bounds), default=1)
        times = "once" if most == 1 else f"up to {most} times"
        cycles = f", {len(self.cycles):,} impossible orders" if self.cycles else ""
        return f"complete with loops unrolled {times}{cycles}"
