"""Random runs with an aim.

Where two threads have to meet, one that arrives is held back until another one does, or until no other one
can step (K. Sen, Race Directed Random Testing of Concurrent Programs, PLDI 2008); so are threads that want a
lock where an order of locks is in doubt. Inputs are chosen anew if those that came up lead away from the aim.
"""

from math import inf

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.base.reasons import Why, why_of
from sley.engines.directed.targets import Route
from sley.engines.directed.thresholds import HELD, LED, TRIED
from sley.program import instructions as ir
from sley.semantics.machine import StateMachine
from sley.semantics.random_runs import ATTEMPTS, Inputs, RandomRuns, Taken
from sley.semantics.state import OVER, State, location_of

SMALL: tuple[int, ...] = (*range(9), -1)
"""Inputs that say how many there are of something."""


class SmallInputs(Inputs):
    """Mostly small numbers, and sometimes the largest."""

    def value(self, width: int) -> int:
        """Half of them small, a tenth at an end of the numbers; others as ever."""
        dice = self.random.random()
        mask: int = (1 << width) - 1
        if dice < 0.5:
            return self.random.choice(SMALL) & mask
        if dice < 0.6:
            return (mask >> 1) + self.random.randrange(2)
        return super().value(width)


class DirectedRuns(RandomRuns):
    """Runs of one program to one aim after another."""

    way: Route | None = None
    """None: anywhere."""

    def __init__(self, machine: StateMachine, seed: int, budget: Budget) -> None:
        super().__init__(machine.code, seed, budget)
        self.machine = machine
        self.inputs = SmallInputs(machine.code.program, self.random)
        self.ends = frozenset(
            edge.source
            for edge in machine.code.program.edges
            if isinstance(edge.instruction, ir.GiveUp)
            and why_of(edge.instruction.reason) is not Why.NOT_FOLLOWED
        )
        """Where the program is not modelled, whatever is inlined."""
        self.given_up: dict[int, str] = {}
        """Threads of the last run that came to what is not modelled, and why."""

    def towards(self, way: Route | None) -> None:
        """The next run is to go there."""
        self.way, self.given_up = way, {}

    def _holds(self, location: int) -> bool:
        return self.way is not None and self.way.holds(location)

    def _candidates(self, state: State, last: int, switching: float, lingers: object) -> list[int]:
        """A thread at the aim comes last; one that has given up does not come."""
        running = super()._candidates(state, last, switching, lambda _: False)
        at = [location_of(one) for one in state.threads]
        free = [thread for thread in running if thread not in self.given_up]
        return sorted(free, key=lambda one: self._holds(at[one]) and self.random.random() < HELD)

    def _turn(
        self, state: State, last: int, switching: float, lingers: object, next_block: int | None
    ) -> Taken | None:
        """As ever, but a thread that gives up stays where it is while others go on."""
        for _ in range(ATTEMPTS):
            for thread in self._candidates(state, last, switching, lingers):
                if (taken := self._led(state, thread, next_block)) is not None:
                    return taken
        return None

    def _stepped(self, state: State, thread: int, next_block: int | None) -> Taken | None:
        """The same by compiled steps: what is found is replayed by the others."""
        memory = self._memory(state, thread)
        memory.inputs, memory.next_block = self.inputs, next_block
        return self._taken(memory, self.machine.take(memory), [])

    def _led(self, state: State, thread: int, next_block: int | None) -> Taken | None:
        """A step of a thread, by inputs that lead to the aim, if some do and chance will have it."""
        found: list[Taken] = []
        for _ in range(TRIED):
            try:
                taken = self._stepped(state, thread, next_block)
            except GaveUpError as reason:  # by other inputs, it may be avoided
                self.given_up[thread] = str(reason)
                continue
            if taken is None:
                break
            found.append(taken)
            is_free = self.way is None or self.random.random() >= LED
            if not taken.memory.taken or (is_free and self._far(taken) < inf):
                break
        if found:
            self.given_up.pop(thread, None)
        return min(found, key=self._far, default=None)

    def _far(self, taken: Taken) -> float:
        """From the aim; a thread at what is not modelled is far from everything."""
        location = location_of(taken.after)
        if taken.after in OVER or location in self.ends:
            return inf
        return 0 if self.way is None else self.way.distance(location)
