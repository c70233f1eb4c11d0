"""All states of a program, without any reduction, if there are few."""

import time

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError, GaveUpError
from sley.semantics.machine import StateMachine
from sley.semantics.state import State, is_ended, location_of
from sley.semantics.values import NeedsSplitError

MOST_STATES = 30_000
MOST_SECONDS = 4.0
"""What looking for all states may cost."""
SURE_STATES = 10_000
"""So many are looked at however slow the machine is."""


def all_states(
    machine: StateMachine, budget: Budget, most: int = MOST_STATES, seconds: float = MOST_SECONDS
) -> list[State] | None:
    """Every state that threads can come to by interleaving; None if that is too much.

    A state with undetermined values stands for all their values; those that are split are there as well.
    """
    until = time.monotonic() + seconds
    found = {machine.initial(): None}
    waiting = list(found)
    try:
        while waiting:
            if len(found) > most or (len(found) > SURE_STATES and time.monotonic() > until):
                return None
            budget.spend()
            for state in _following(machine, waiting.pop()):
                if state not in found:
                    found[state] = None
                    waiting.append(state)
    except BudgetExhaustedError:
        raise
    except GaveUpError:
        return None
    return list(found)


def _following(machine: StateMachine, state: State) -> list[State]:
    """What follows in one step, or the parts of a state that has to be split first."""
    running = [thread for thread, at in enumerate(state.threads) if not is_ended(at)]
    try:
        outcomes = [outcome for thread in running for outcome in machine.successors(state, thread)]
    except NeedsSplitError as question:
        return [part for _, part in machine.split(state, question)]
    errors = machine.code.errors
    return [one.state for one in outcomes if one.state is not None and location_of(one.thread) not in errors]
