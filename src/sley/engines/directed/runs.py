"""Random runs with an aim.

Where two threads have to meet, one that arrives is held back until another one does, or until no other one
can step (K. Sen, Race Directed Random Testing of Concurrent Programs, PLDI 2008); so are threads that want a
lock where an order of locks is in doubt. Inputs are chosen anew if those that came up lead away from the aim.
"""

from collections.abc import Iterator
from math import inf

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.base.reasons import Why, why_of
from sley.engines.directed.targets import Route
from sley.engines.directed.thresholds import FAVOURED, FAVOURED_RUNS, HELD, HESITATING, LED, TRIED
from sley.program import instructions as ir
from sley.semantics.machine import StateMachine
from sley.semantics.random_runs import ATTEMPTS, Inputs, RandomRuns, Taken
from sley.semantics.state import CUT, OVER, State, ThreadState, is_ended, location_of
from sley.semantics.violations import StatePredicates

SMALL: tuple[int, ...] = (*range(9), -1)
"""Inputs that say how many there are of something."""


class SmallInputs(Inputs):
    """Mostly small numbers, and sometimes the largest; in some runs mostly the same."""

    favourite: int | None = None
    """What most inputs of a run are: so a text is long, or a loop goes on."""

    def begin(self) -> None:
        """A run begins: in a third of them there is a favourite."""
        self.favourite = None
        if self.random.random() < FAVOURED_RUNS:
            self.favourite = self._any(32)

    def value(self, width: int) -> int:
        """The favourite, if there is one, or else any."""
        mask: int = (1 << width) - 1
        if self.favourite is not None and self.random.random() < FAVOURED:
            return self.favourite & mask
        return self._any(width)

    def _any(self, width: int) -> int:
        """Half of them small, a tenth at an end of the numbers, a fifth of any length; others as ever."""
        dice = self.random.random()
        mask: int = (1 << width) - 1
        if dice < 0.4:
            return self.random.choice(SMALL) & mask
        if dice < 0.5:
            return (mask >> 1) + self.random.randrange(2)
        if dice < 0.7:
            longest = min(self.random.randrange(width), self.random.randrange(width))
            return self.random.getrandbits(1 + longest)
        return super().value(width)


class DirectedRuns(RandomRuns):
    """Runs of one program to one aim after another."""

    way: Route | None = None
    """None: anywhere."""
    main_hesitates = False
    """Whether main steps mostly when no other thread can: what goes wrong between few threads is seen while
    there are few, however many a loop creates."""

    def __init__(self, machine: StateMachine, seed: int, budget: Budget) -> None:
        super().__init__(machine.code, seed, budget)
        self.machine = machine
        self.predicates = StatePredicates(machine.code, self.interpreter)
        self.inputs: SmallInputs = SmallInputs(machine.code.program, self.random)
        self.ends = frozenset(
            edge.source
            for edge in machine.code.program.edges
            if isinstance(edge.instruction, ir.GiveUp)
            and why_of(edge.instruction.reason) is not Why.NOT_FOLLOWED
        )
        """Where the program is not modelled, whatever is inlined."""
        self.given_up: dict[int, str] = {}
        """Threads of the last run that came to what is not modelled, and why."""

    def towards(self, way: Route | None, *, main_may_hesitate: bool = True) -> None:
        """The next run is to go there."""
        self.way, self.given_up = way, {}
        self.inputs.begin()
        self.main_hesitates = main_may_hesitate and self.random.random() < HESITATING

    def _holds(self, location: int) -> bool:
        return self.way is not None and self.way.holds(location)

    def _candidates(self, state: State, last: int, switching: float, _lingers: object) -> Iterator[int]:
        """The threads in the order in which they are tried, found one by one: there may be ten thousand.

        A thread at the aim comes last; one that has given up does not come.
        """
        threads, last_tried = state.threads, -1
        waiting: list[int] = []
        if self.random.random() >= switching and self._may_step(state, last):
            last_tried = last
            if not self._waits(last, threads[last]):
                yield last
            else:
                waiting.append(last)
        rest = list(range(len(threads)))
        while rest:
            index = self.random.randrange(len(rest))
            thread, rest[index] = rest[index], rest[-1]
            rest.pop()
            if thread == last_tried or not self._may_step(state, thread):
                continue
            if not self._waits(thread, threads[thread]):
                yield thread
            else:
                waiting.append(thread)
        yield from waiting

    def _may_step(self, state: State, thread: int) -> bool:
        return not is_ended(state.threads[thread]) and thread not in self.given_up

    def _waits(self, thread: int, at: ThreadState) -> bool:
        """Whether a thread lets others step first."""
        is_held = self._holds(location_of(at)) or (thread == 0 and self.main_hesitates)
        return is_held and self.random.random() < HELD

    def _turn(
        self, state: State, last: int, switching: float, lingers: object, next_block: int | None
    ) -> Taken | None:
        """As ever, but a thread that gives up stays where it is while others go on.

        One that waits for another lets that one step: it need not be found among ten thousand.
        """
        for _ in range(ATTEMPTS):
            for thread in self._candidates(state, last, switching, lingers):
                if (taken := self._led(state, thread, next_block)) is not None:
                    return taken
                wait = self.predicates.waits_for(state, thread)
                if wait is None or not self._may_step(state, wait.holder):
                    continue
                if (taken := self._led(state, wait.holder, next_block)) is not None:
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
            if taken.memory.taken and self._is_cut_next(taken, thread):
                continue
            found.append(taken)
            is_free = self.way is None or self.random.random() >= LED
            if not taken.memory.taken or (is_free and self._far(taken) < inf):
                break
        if found:
            self.given_up.pop(thread, None)
        return min(found, key=self._far, default=None)

    def _is_cut_next(self, taken: Taken, thread: int) -> bool:
        """Whether the input that was chosen is none: most are assumed to be something at once."""
        if taken.state is None:
            return taken.after == CUT
        machine, memory = self.machine, self._memory(taken.state, thread)
        memory.inputs, memory.next_block = self.inputs, taken.memory.next_block
        try:
            return machine.take(memory) == CUT
        except GaveUpError:
            return False

    def _far(self, taken: Taken) -> float:
        """From the aim; a thread at what is not modelled is far from everything."""
        location = location_of(taken.after)
        if taken.after in OVER or location in self.ends:
            return inf
        return 0 if self.way is None else self.way.distance(location)
