"""A look at few threads before the search: a bug that needs two of ten thousand shows with the first two.

The search creates threads first where that suffices, so where threads are created in a loop it would look at
them when all are there. Here nobody creates more than ``MOST`` of them: who would stands still. All that is
found can happen, so violations count; that nobody can step does not, and nothing is proved.
"""

from contextlib import suppress

from sley.analyses.threads import Creations, Instances
from sley.base.errors import BudgetExhaustedError
from sley.engines.explore.algorithm import Explorer, Steps
from sley.engines.explore.reduction import PersistentSets
from sley.evidence.trace import Schedule
from sley.program.program import Program
from sley.program.properties import Failure, Property
from sley.semantics.machine import Machine, Successor
from sley.semantics.state import State
from sley.semantics.step import Listener

MOST = 3
"""Threads, with the first one."""

STATES = 2_000
"""So many states are looked at."""


def creates_in_loops(program: Program) -> bool:
    """Whether there may be more threads than ``MOST``, by the same Create."""
    return Instances.MANY in Creations(program).instances.values()


def violations_of_few(explorer: Explorer) -> dict[Failure, Schedule]:
    """What happens with few threads already."""
    program = explorer.machine.code.program
    if not creates_in_loops(program):
        return {}
    few = FewExplorer(explorer)
    with suppress(BudgetExhaustedError):  # it was to be a short look, or else the search hears of it at once
        few.search()
    return few.violations


class FewMachine(Machine):
    """A machine on which there are never many threads."""

    def successors(self, state: State, thread: int, listener: Listener | None = None) -> list[Successor]:
        """As ever, but for steps that create one thread too many."""
        found = super().successors(state, thread, listener)
        return [one for one in found if one.state is None or len(one.state.threads) <= MOST]


class FewExplorer(Explorer):
    """The search with few threads."""

    def __init__(self, of: Explorer) -> None:
        machine = FewMachine(of.machine.code.program)
        reduction = None if of.reduction is None else PersistentSets(machine.code, machine.interpreter)
        most = STATES if of.max_states is None else min(STATES, of.max_states)
        asked = of.properties - {Property.PROGRESS}
        super().__init__(machine, asked, reduction, of.budget, most, more_seconds=0.0)

    def _check_deadlock(self, number: int, steps: Steps, running: tuple[int, ...]) -> None:
        """That nobody can step may be because nobody is to create."""
