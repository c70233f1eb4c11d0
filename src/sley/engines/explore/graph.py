"""The states that were found and how: enough to build a schedule to each, and the proof."""

from dataclasses import dataclass, field
from typing import NamedTuple

from sley.evidence.trace import Schedule, Step
from sley.semantics.machine import undetermined_values
from sley.semantics.memory import Choice
from sley.semantics.state import State
from sley.semantics.values import Ranges, Undetermined, representative


class Split(NamedTuple):
    """The state is the part of its parent in which an undetermined value lies in ``ranges``."""

    value: Undetermined
    ranges: Ranges


class Move(NamedTuple):
    """The state follows from its parent by a step of ``thread``."""

    thread: int
    choices: tuple[Choice, ...]
    renaming: tuple[int, ...] = ()
    """Thread -> what it is called in the state; empty if as in the parent."""
    is_idle: bool = False
    """Whether the step can be put off (``symmetry``)."""


@dataclass(slots=True)
class Graph:
    """States by number of discovery."""

    numbers: dict[State, int] = field(default_factory=dict)
    states: list[State] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    arrivals: list[Move | Split | None] = field(default_factory=list)

    def add(self, state: State, parent: int, arrival: Move | Split | None) -> int:
        """Enter a new state; its number."""
        number = len(self.states)
        self.numbers[state] = number
        self.states.append(state)
        self.parents.append(parent)
        self.arrivals.append(arrival)
        return number

    def backwards(self, number: int, last: Move | None = None) -> list[Move | Split]:
        """The arrivals from a state (and one more step) back to the first."""
        arrivals: list[Move | Split] = [last] if last is not None else []
        at = number
        while (arrival := self.arrivals[at]) is not None:
            arrivals.append(arrival)
            at = self.parents[at]
        return arrivals


def concrete(backwards: list[Move | Split], final: State) -> Schedule:
    """A schedule from arrivals in reverse order, choosing members for undetermined values.

    Going backwards, the narrowest set of a value is met first; its number is free again before the step
    that made the value.
    """
    chosen: dict[int, int] = {}
    for value in undetermined_values(final):
        chosen.setdefault(value.number, representative(value.ranges))
    steps: list[Step] = []
    for arrival in backwards:
        if isinstance(arrival, Split):
            chosen.setdefault(arrival.value.number, representative(arrival.ranges))
            continue
        choices = tuple(
            chosen.pop(c.number, representative(c.ranges)) if isinstance(c, Undetermined) else c
            for c in reversed(arrival.choices)
        )
        steps.append(Step(arrival.thread, choices[::-1]))
    return tuple(reversed(steps))


def with_real_names(backwards: list[Move | Split], schedule: Schedule) -> Schedule:
    """The schedule of these arrivals with threads called as they are when created, without idle steps."""
    names: dict[int, int] = {}
    steps: list[Step] = []
    moves = [arrival for arrival in reversed(backwards) if isinstance(arrival, Move)]
    for move, step in zip(moves, schedule, strict=True):
        if not move.is_idle:
            steps.append(Step(names.get(step.thread, step.thread), step.choices))
        names = {new: names.get(old, old) for old, new in enumerate(move.renaming)} or names
    return tuple(steps)
