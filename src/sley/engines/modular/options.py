"""What a user may choose about engine ``modular``."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ModularOptions:
    """What a user may choose about engine ``modular``."""

    in_view: int = 2
    """How many threads beside main an invariant may speak of, at most (default: 2)."""

    tell_apart: bool = True
    """Tell threads apart that are created once each, at different places; else there may be any number."""
