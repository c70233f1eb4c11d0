"""The proof of engine ``bmc``: bounds that cover all runs, and conflicts that exclude wrong orders.

The checker unrolls the program again, builds the formula again, tests each conflict on its own, and has
another solver find that the formula cannot hold: neither with a violation nor with a loop that goes on.
"""

from dataclasses import dataclass

from sley.evidence.bounded_encoding import OrderEncoding
from sley.evidence.bounded_facts import Conflict


@dataclass(frozen=True, slots=True)
class BoundedProof:
    """How far to unroll, and why some orders are impossible."""

    bounds: tuple[tuple[int, int], ...]
    """Head of a loop -> how often it is repeated."""
    conflicts: tuple[Conflict, ...]
    order: OrderEncoding
    prunes: bool = True
    """What cannot matter is left out of the formula."""
    uses_symmetry: bool = True
    """Interchangeable threads begin in the order of their creation."""
    summarises: bool = True
    """What a thread does by itself is not part of the formula."""

    @property
    def summary(self) -> str:
        """One phrase for the user."""
        most = max((bound for _, bound in self.bounds), default=1)
        times = "once" if most == 1 else f"up to {most} times"
        return f"complete with loops unrolled {times}, {len(self.conflicts):,} impossible orders"
