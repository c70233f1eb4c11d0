"""The proof of the explicit-state engine: a set of states that is closed under steps.

For each state the proof says which threads were taken there. The threads left out need a reason; the
checker derives it anew (see ``check``). A state may instead be split into parts in which an
undetermined value has fewer possible values, or a condition on some is true or false.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sley.evidence.closed_states.packed import MOST_THREADS, Masks, PackedStates
from sley.semantics.state import State
from sley.semantics.values import Open, Ranges


@dataclass(frozen=True, slots=True)
class Parts:
    """The state is the union of its parts: in each, ``value`` lies in one of ``ranges``.

    It is an undetermined value, or a condition on some: true is 1, false is 0.
    """

    value: Open
    ranges: tuple[Ranges, ...]


Expansion = tuple[int, ...] | Parts
"""The threads taken at a state, or how it was split."""


class Ineffectual(NamedTuple):
    """Which reads are ineffectual (``laws.ineffectual``)."""

    places: tuple[int, ...] = ()
    """Where they were taken alone for that."""
    rising: tuple[int, ...] = ()
    """Global cells that no step makes smaller."""


NONE_INEFFECTUAL = Ineffectual()


@dataclass(frozen=True, slots=True)
class ClosedStates:
    """States in the order they were found (the first is initial), with their expansion."""

    states: Sequence[State]
    expansions: Sequence[Expansion]
    is_up_to_symmetry: bool = False
    """Whether a state stands for all that differ in which thread has which id (``laws.thread_symmetry``)."""
    ineffectual: Ineffectual = NONE_INEFFECTUAL
    leaves_out_solo: bool = False
    """Whether states of the only thread are left out that has one thing to do (``Machine.beyond``)."""

    @property
    def summary(self) -> str:
        """One phrase for the user."""
        states = self.states
        counts = (
            map(states.thread_count, range(len(states)))
            if isinstance(states, PackedStates)
            else (len(state.threads) for state in states)
        )
        reduced = sum(
            isinstance(e, tuple) and len(e) < n for e, n in zip(self.expansions, counts, strict=True)
        )
        symmetric = " and thread symmetry" if self.is_up_to_symmetry else ""
        return f"{len(self.states)} states, closed under steps{symmetric} ({reduced} with threads left out)"

    def packed(self) -> "ClosedStates | None":
        """The same as vectors; None if states stand for others or are left out, or reads are ineffectual."""
        taken = [expansion for expansion in self.expansions if isinstance(expansion, tuple)]
        if self.is_up_to_symmetry or self.ineffectual.places or self.leaves_out_solo or not self.states:
            return None
        if any(len(state.threads) > MOST_THREADS or state.history is not None for state in self.states):
            return None
        if any(thread >= MOST_THREADS for threads in taken for thread in threads):
            return None
        return replace(self, states=PackedStates.of(self.states), expansions=Masks.of(self.expansions))
