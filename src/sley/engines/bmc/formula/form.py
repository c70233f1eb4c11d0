"""Which of several formulas is built."""

from dataclasses import dataclass
from enum import Enum


class OrderEncoding(Enum):
    """How the order of events is put into formulas."""

    CYCLES = "cycles"
    """Cycles are excluded, the short ones at once, others when they come up."""
    CLOCKS = "clocks"
    """Every event has a clock."""


@dataclass(frozen=True, slots=True)
class Form:
    """Which of several formulas is built."""

    order: OrderEncoding = OrderEncoding.CYCLES
    is_eager: bool = True
    """With cycles: those of three threads are excluded by the formula."""
    prunes: bool = True
    """What cannot matter is left out."""
    uses_symmetry: bool = True
    """Interchangeable threads begin in the order of their creation."""
    summarises: bool = True
    """What a thread does by itself is not part of the formula (see ``unrolling``)."""
