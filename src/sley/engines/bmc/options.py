"""What a user may choose about engine ``bmc``."""

from dataclasses import dataclass

from sley.evidence.bounded_encoding import OrderEncoding


@dataclass(frozen=True, slots=True, kw_only=True)
class BmcOptions:
    """What a user may choose about engine ``bmc``."""

    unwind: int | None = None
    """Unroll every loop this often (default: more and more often, each as far as it matters)."""

    order: OrderEncoding = OrderEncoding.CYCLES
    """How the order of events becomes a formula: excluded cycles, or a clock for every event."""
