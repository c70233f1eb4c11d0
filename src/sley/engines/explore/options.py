"""What a user may choose about the explicit-state engine."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploreOptions:
    """What a user may choose about the explicit-state engine."""

    reduction: bool = True
    """Leave out interleavings that only swap independent steps (partial-order reduction)."""

    thread_symmetry: bool = True
    """With the reduction: take states for one if they differ only in which of some threads is which."""

    native: bool = True
    """If there are many states, search in code that a C compiler makes, where there is one."""

    max_states: int | None = None
    """Give up after this many states; None means no limit."""
