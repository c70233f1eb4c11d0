"""Random runs with an aim.

Where two threads have to meet, one that arrives is held back until another one does, or until nobody else can
step (K. Sen, Race Directed Random Testing of Concurrent Programs, PLDI 2008); so are threads that want a lock
where an order of locks is in doubt. Inputs are chosen anew if those that came up lead away from the aim.
"""

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError, GaveUpError
from sley.engines.directed.targets import Way
from sley.semantics.code import Code
from sley.semantics.random_runs import ATTEMPTS, RandomRuns, Taken
from sley.semantics.state import OVER, State, location_of

HELD = 0.995
"""How likely a thread at the aim lets others step first."""

LED = 0.7
"""How likely inputs are chosen by where they lead."""

TRIED = 4
"""So many inputs are tried for it."""


class DirectedRuns(RandomRuns):
    """Runs of one program to one aim after another."""

    way: Way | None = None
    """None: anywhere."""

    def __init__(self, code: Code, seed: int, budget: Budget) -> None:
        super().__init__(code, seed, budget)
        self.given_up: dict[int, str] = {}
        """Threads of the last run that came to where nobody knows how to go on, and why."""

    def towards(self, way: Way | None) -> None:
        """The next run is to go there."""
        self.way, self.given_up = way, {}

    def _holds(self, location: int) -> bool:
        return self.way is not None and self.way.holds(location)

    def _candidates(self, state: State, last: int, switching: float, lingers: object) -> list[int]:
        """Who is at the aim comes last; who has given up does not come."""
        running = super()._candidates(state, last, switching, lambda _: False)
        at = [location_of(one) for one in state.threads]
        free = [thread for thread in running if thread not in self.given_up]
        return sorted(free, key=lambda one: self._holds(at[one]) and self.random.random() < HELD)

    def _turn(
        self, state: State, last: int, switching: float, lingers: object, next_block: int | None
    ) -> Taken | None:
        """As ever, but that who gives up stays where it is while others go on."""
        for _ in range(ATTEMPTS):
            for thread in self._candidates(state, last, switching, lingers):
                try:
                    taken = self._led(state, thread, next_block)
                except BudgetExhaustedError:
                    raise
                except GaveUpError as reason:
                    self.given_up[thread] = str(reason)
                    continue
                if taken is not None:
                    return taken
        return None

    def _led(self, state: State, thread: int, next_block: int | None) -> Taken | None:
        """A step of a thread, by inputs that lead to the aim, if some do and chance will have it."""
        best = self._stepped(state, thread, next_block)
        if self.way is None or best is None or not best.memory.taken or self.random.random() >= LED:
            return best
        found = [best]
        for _ in range(TRIED - 1):
            other = self._stepped(state, thread, next_block)
            found += [other] if other is not None else []
        return min(found, key=self._far)

    def _far(self, taken: Taken) -> float:
        assert self.way is not None
        return float("inf") if taken.after in OVER else self.way.distance(location_of(taken.after))
