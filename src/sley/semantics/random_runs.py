"""Random runs on the reference interpreter: any schedule, any inputs.

It matters to be random in several ways. Threads that take turns at every step meet each other
everywhere, and hardly ever get through a loop alone; threads that run for a while do the contrary. Inputs
are mostly numbers at which the program decides something.
"""

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import NamedTuple

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.logic.operators import to_signed
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Program
from sley.semantics.code import Code
from sley.semantics.history import History
from sley.semantics.memory import StepMemory
from sley.semantics.state import OVER, State, ThreadState, is_ended, location_of
from sley.semantics.step import Happening, Interpreter
from sley.semantics.weak_memory import WeakMemory

LONGEST_RUN = 1_000
"""A run with more steps than this is cut short: it may never end."""

SWITCHING = (1.0, 0.03, 0.5, 0.15)
"""How likely a step is followed by one of any thread, not of the same; each run takes the next of these."""

LINGERING = 0.8
"""How likely a thread that lingers waits while others can step: not always, or they may wait for it."""

SPURIOUS = 0.1
"""How likely a wake-up without a signal is, where it is possible."""

ATTEMPTS = 4
"""So often no thread can step before a run is stuck: other inputs or a wake-up might help."""

SMALL = (0, 1, -1, 2)
"""Inputs that any program may care about."""

_LARGEST_CONSTANT = 1 << 32
"""Larger constants are mostly pointers."""


class Inputs:
    """Arbitrary values at random."""

    def __init__(self, program: Program, random: Random) -> None:
        self.random = random
        self.known = tuple(sorted(_constants(program)))
        """The constants of the program, and what is next to them."""

    def value(self, width: int) -> int:
        """A number of that many bits: a small one, one near a constant of the program, or any."""
        dice = self.random.random()
        if dice < 0.4 or (dice < 0.8 and not self.known):
            chosen = self.random.choice(SMALL)
        elif dice < 0.8:
            chosen = self.random.choice(self.known)
        else:
            chosen = self.random.getrandbits(width)
        return chosen & ((1 << width) - 1)

    def below(self, count: int) -> int:
        """One of 0..count-1."""
        return self.random.randrange(count)


def _constants(program: Program) -> set[int]:
    t, found = program.terms, set[int]()
    for function in program.functions.values():
        for edge in function.edges:
            for term in t.walk(_values(edge.instruction)):
                number = t.number(term) if isinstance(t.sort(term), BitVecSort) else None
                if number is not None and abs(signed := to_signed(number, t.width(term))) < _LARGEST_CONSTANT:
                    found |= {signed - 1, signed, signed + 1}
    return found


def _values(instruction: ir.Instruction) -> tuple[Term, ...]:
    """The terms of an instruction that are not addresses."""
    match instruction:
        case ir.Assign(assignments=assignments):
            return tuple(term for _, term in assignments)
        case ir.Assume(condition=term) | ir.Await(condition=term):
            return (term,)
        case ir.Store(value=term) | ir.Update(value=term):
            return (term,)
        case ir.Create(arguments=arguments):
            return arguments
        case _:
            return ()


class RandomMemory(StepMemory):
    """The memory of a step whose choices are made at random, so that every value is determined.

    With ``next_block`` a heap block gets that number, which nothing ever had, or a higher one.
    """

    inputs: Inputs
    next_block: int | None

    def choose(self, alternatives: int) -> int:
        """One of 0..alternatives-1."""
        return self._taken(self.inputs.below(alternatives), alternatives)

    def arbitrary(self, width: int, cause: ir.Cause, text: str) -> int:
        """A value for an input."""
        return self._taken(self.inputs.value(width), 1)

    def choices_made(self) -> tuple[int, ...]:
        """What to prescribe to step in the same way again."""
        return tuple(choice for choice, _ in self.taken if isinstance(choice, int))

    def _taken(self, choice: int, alternatives: int) -> int:
        self.taken.append((choice, alternatives))
        return choice

    def _chosen_number(self, candidates: list[int]) -> int:
        if self.next_block is None:
            return super()._chosen_number(candidates)
        if len(candidates) > 1:
            self._taken(0, len(candidates))  # the first is the one that nothing refers to
        self.next_block += 1
        return self.next_block - 1


class _RandomWeakMemory(RandomMemory, WeakMemory):
    """Under C11: what atomic accesses read is random, too."""


class Taken(NamedTuple):
    """A step of a run."""

    memory: RandomMemory
    after: ThreadState
    """The new state of the thread that stepped."""
    state: State | None
    """None if the run ends with the step."""
    happenings: list[Happening]
    """What happened in the step, edge by edge."""


class RandomRuns:
    """Runs of one program; all that is random comes from one seed."""

    def __init__(self, code: Code, seed: int, budget: Budget) -> None:
        self.code = code
        self.interpreter = Interpreter(code)
        self.random = Random(seed)
        self.inputs = Inputs(code.program, self.random)
        self.budget = budget
        self.gave_up: GaveUpError | None = None
        """Why the interpreter could not follow the last run to its end, if that is so."""

    def run(
        self,
        number: int,
        *,
        may_switch: Callable[[int], bool] = lambda _: True,
        lingers: Callable[[int], bool] = lambda _: False,
        reuses_numbers: bool = True,
        longest: int = LONGEST_RUN,
        history: History | None = None,
    ) -> Iterator[Taken]:
        """The steps of one run, until it ends, fails, gives up, is stuck or too long.

        A thread that stands where ``may_switch`` says no steps again, if it can; one that ``lingers`` mostly
        lets others go first. Heap blocks may have numbers of dead ones, or are numbered one after another.
        With a history to start from, the run is one of C11.
        """
        state: State | None = self.code.initial()._replace(history=history)
        thread, next_block = 0, None if reuses_numbers else self.code.memory_map.heap_base
        self.gave_up = None
        for _ in range(longest):
            assert state is not None
            self.budget.spend()
            is_free = may_switch(location_of(state.threads[thread]))
            switching = SWITCHING[number % len(SWITCHING)] if is_free else 0.0
            try:
                taken = self._turn(state, thread, switching, lingers, next_block)
            except GaveUpError as reason:
                self.gave_up = reason
                return
            if taken is None:
                return
            yield taken
            thread, next_block, state = taken.memory.thread, taken.memory.next_block, taken.state
            if state is None:
                return

    def _turn(
        self,
        state: State,
        last: int,
        switching: float,
        lingers: Callable[[int], bool],
        next_block: int | None,
    ) -> Taken | None:
        """One step of the thread that stepped last or of another; None if no thread can step."""
        for _ in range(ATTEMPTS):
            for thread in self._candidates(state, last, switching, lingers):
                if (taken := self._stepped(state, thread, next_block)) is not None:
                    return taken
        return None

    def _stepped(self, state: State, thread: int, next_block: int | None) -> Taken | None:
        """One step of a thread; None if it cannot, or only by a wake-up for no reason that is not to be."""
        memory = self._memory(state, thread)
        memory.inputs, memory.next_block = self.inputs, next_block
        happenings: list[Happening] = []
        return self._taken(memory, self.interpreter.step(memory, happenings.append), happenings)

    def _taken(
        self, memory: RandomMemory, after: ThreadState | None, happenings: list[Happening]
    ) -> Taken | None:
        is_wanted = not memory.spurious or self.random.random() < SPURIOUS
        if after is None or not is_wanted:
            return None
        is_over = after in OVER or after[0] in self.code.errors
        return Taken(memory, after, None if is_over else memory.freeze(after), happenings)

    def _memory(self, state: State, thread: int) -> RandomMemory:
        if state.history is None:
            return RandomMemory(self.code.memory_map, state, thread)
        rules = self.interpreter.rules(state, thread)
        return _RandomWeakMemory(self.code.memory_map, state, thread, (), rules)

    def _candidates(
        self, state: State, last: int, switching: float, lingers: Callable[[int], bool]
    ) -> Iterable[int]:
        """The threads in the order in which they are tried."""
        running = [thread for thread, at in enumerate(state.threads) if not is_ended(at)]
        if len(running) == 1:
            return running
        self.random.shuffle(running)
        if last in running and self.random.random() >= switching:
            running.remove(last)
            running.insert(0, last)
        return sorted(
            running,
            key=lambda thread: (
                lingers(location_of(state.threads[thread])) and self.random.random() < LINGERING
            ),
        )
