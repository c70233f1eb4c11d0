"""Looks at few threads before the search: a bug that needs two of ten thousand shows with the first two.

The search creates threads first where that suffices, so where threads are created in a loop it would look at
them when all are there. There are two looks that are shorter:

* no thread creates more than ``FEW_THREADS`` threads: one that would stands still;
* main goes first, creates as many as it likes, and of those that start with the same function only the first
  ``FEW_AWAKE`` step. It is for a loop that creates all of one kind before there are any of another.

All that is found can happen, so violations count; deadlocks do not, and nothing is proved.
"""

from collections import Counter
from contextlib import suppress

from sley.base.errors import BudgetExhaustedError
from sley.engines.explore.algorithm import Explorer, StateSuccessors
from sley.engines.explore.reduction import PersistentSets, last_first
from sley.engines.explore.thresholds import FEW_AWAKE, FEW_STATES, FEW_STATES_OF_MAIN, FEW_THREADS
from sley.evidence.trace import Schedule
from sley.program.properties import Failure, Property
from sley.semantics.machine import StateMachine, Successor
from sley.semantics.state import State, is_ended, location_of
from sley.semantics.step import Listener


def violations_of_few(explorer: Explorer) -> dict[Failure, Schedule]:
    """What happens with few threads already."""
    for look in (FewExplorer(explorer), AwakeExplorer(explorer)):
        with suppress(BudgetExhaustedError):  # it was to be short, or else the search hears of it at once
            look.search()
        if look.violations:
            return look.violations
    return {}


class FewMachine(StateMachine):
    """A machine on which there are never many threads."""

    def successors(self, state: State, thread: int, listener: Listener | None = None) -> list[Successor]:
        """As ever, but for steps that create one thread too many."""
        found = super().successors(state, thread, listener)
        return [one for one in found if one.state is None or len(one.state.threads) <= FEW_THREADS]


class FewExplorer(Explorer):
    """The search with few threads."""

    def __init__(self, of: Explorer) -> None:
        machine = FewMachine(of.machine.code.program, consistency=of.machine.consistency)
        reduction = None if of.reduction is None else PersistentSets(machine.code, machine.interpreter)
        most = FEW_STATES if of.max_states is None else min(FEW_STATES, of.max_states)
        asked = of.properties - {Property.PROGRESS}
        super().__init__(machine, asked, reduction, of.budget, most, more_seconds=0.0)

    def _check_deadlock(self, number: int, steps: StateSuccessors, running: tuple[int, ...]) -> None:
        """A deadlock may be due to the bound on creation."""


class AwakeExplorer(Explorer):
    """The search in which main goes first, and few of each kind of threads step."""

    def __init__(self, of: Explorer) -> None:
        most = FEW_STATES + FEW_STATES_OF_MAIN if of.max_states is None else min(FEW_STATES, of.max_states)
        asked = of.properties - {Property.PROGRESS}
        machine = StateMachine(of.machine.code.program, consistency=of.machine.consistency)
        super().__init__(machine, asked, None, of.budget, most, more_seconds=0.0)
        self.left = FEW_STATES
        self.awake: list[int] = []
        self.kinds: Counter[int] = Counter()
        """How many threads start where."""

    def _chosen(self, state: State, steps: StateSuccessors, last: int) -> tuple[int, ...]:
        """Main if it can step, or else those that are awake."""
        self._wake(state)
        if not is_ended(state.threads[0]) and any(not s.is_spurious for s in steps.of(0)):
            return (0,)
        if not self.left:
            raise BudgetExhaustedError("few threads were looked at")
        self.left -= 1
        awake = (t for t in self.awake if t < len(state.threads) and not is_ended(state.threads[t]))
        return last_first(tuple(awake), last)

    def _wake(self, state: State) -> None:
        """Say of threads that are new whether they are awake."""
        for thread in range(self.kinds.total() + 1, len(state.threads)):
            kind = location_of(state.threads[thread])
            self.kinds[kind] += 1
            if self.kinds[kind] <= FEW_AWAKE:
                self.awake.append(thread)
