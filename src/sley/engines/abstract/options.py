"""What a user may choose about engine ``abstract``."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AbstractOptions:
    """What a user may choose about engine ``abstract``: nothing so far."""
