"""The proof of the explicit-state engine: a set of states that is closed under steps.

For each state the proof says which threads were taken there. The threads left out need a reason; the
checker derives it anew (see ``check``). A state may instead be split into parts in which an
undetermined value has fewer possible values.
"""

from dataclasses import dataclass

from sley.semantics.state import State
from sley.semantics.values import Ranges, Undetermined


@dataclass(frozen=True, slots=True)
class Parts:
    """The state is the union of its parts: in each, ``value`` lies in one of ``ranges``."""

    value: Undetermined
    ranges: tuple[Ranges, ...]


Expansion = tuple[int, ...] | Parts
"""The threads taken at a state, or how it was split."""


@dataclass(frozen=True, slots=True)
class ClosedStates:
    """States in the order they were found (the first is initial), with their expansion."""

    states: tuple[State, ...]
    expansions: tuple[Expansion, ...]
    is_up_to_exchange: bool = False
    """Whether a state stands for all that differ in which of some threads has which id (``exchange``)."""

    @property
    def summary(self) -> str:
        """One phrase for the user."""
        reduced = sum(
            isinstance(e, tuple) and len(e) < len(s.threads)
            for e, s in zip(self.expansions, self.states, strict=True)
        )
        exchanged = " and exchange of threads" if self.is_up_to_exchange else ""
        return f"{len(self.states)} states, closed under steps{exchanged} ({reduced} with threads left out)"
