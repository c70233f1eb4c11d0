"""Random runs on the reference interpreter, for listeners: any schedule, any inputs.

It matters to be random in several ways. Threads that take turns at every step meet each other
everywhere, and hardly ever get through a loop alone; threads that run for a while do the contrary. Inputs
are mostly numbers at which the program decides something.
"""

from collections.abc import Callable
from functools import partial
from random import Random

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.logic.operators import to_signed
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Term
from sley.program.instructions import Assign, Assume, Await, Cause, Create, Instruction, Store, Update
from sley.program.program import Program
from sley.semantics.code import Code
from sley.semantics.memory import Memory, MemoryMap
from sley.semantics.state import OVER, State, ThreadState, is_ended
from sley.semantics.step import Happening, Interpreter

LONGEST_RUN = 1_000
"""A run with more steps than this is cut short: it may never end."""

SWITCHING = (1.0, 0.03, 0.5, 0.15)
"""How likely a step is followed by one of any thread, not of the same; each run takes the next of these."""

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


def _values(instruction: Instruction) -> tuple[Term, ...]:
    """The terms of an instruction that are not addresses."""
    match instruction:
        case Assign(assignments=assignments):
            return tuple(term for _, term in assignments)
        case Assume(condition=term) | Await(condition=term) | Store(value=term) | Update(value=term):
            return (term,)
        case Create(arguments=arguments):
            return arguments
        case _:
            return ()


class RandomMemory(Memory):
    """The memory of a step whose choices are made at random, so that every value is determined."""

    __slots__ = ("inputs",)

    def __init__(self, memory_map: MemoryMap, state: State, thread: int, inputs: Inputs) -> None:
        super().__init__(memory_map, state, thread)
        self.inputs = inputs

    def choose(self, alternatives: int) -> int:
        """One of 0..alternatives-1."""
        return self.inputs.below(alternatives)

    def arbitrary(self, width: int, cause: Cause, text: str) -> int:
        """A value for an input."""
        return self.inputs.value(width)


Listener = Callable[[Memory, Happening], None]
"""Hears of every edge as it is executed, in a step that may turn out to be impossible."""

Committer = Callable[[int, Memory], None]
"""Hears of every step of a thread that was taken, after it."""


class RandomRuns:
    """Runs of one program; all that is random comes from one seed."""

    def __init__(self, code: Code, seed: int, budget: Budget) -> None:
        self.code = code
        self.interpreter = Interpreter(code)
        self.random = Random(seed)
        self.inputs = Inputs(code.program, self.random)
        self.budget = budget

    def run(self, number: int, listener: Listener, committer: Committer) -> None:
        """One run, until it ends, fails, gives up, is stuck or too long."""
        state, thread = self.code.initial(), 0
        switching = SWITCHING[number % len(SWITCHING)]
        for _ in range(LONGEST_RUN):
            self.budget.spend()
            try:
                taken = self._turn(state, thread, switching, listener)
            except GaveUpError:
                return
            if taken is None:
                return
            memory, after = taken
            thread = memory.thread
            committer(thread, memory)
            if after in OVER or after[0] in self.code.errors:
                return
            state = memory.freeze(after)

    def _turn(
        self, state: State, last: int, switching: float, listener: Listener
    ) -> tuple[Memory, ThreadState] | None:
        """One step of the thread that stepped last or of another; None if no thread can step."""
        for _ in range(ATTEMPTS):
            for thread in self._candidates(state, last, switching):
                memory = RandomMemory(self.code.memory_map, state, thread, self.inputs)
                after = self.interpreter.step(memory, partial(listener, memory))
                is_wanted = not memory.spurious or self.random.random() < SPURIOUS
                if after is not None and is_wanted:
                    return memory, after
        return None

    def _candidates(self, state: State, last: int, switching: float) -> list[int]:
        """The threads in the order in which they are tried."""
        running = [thread for thread, at in enumerate(state.threads) if not is_ended(at)]
        if len(running) == 1:
            return running
        self.random.shuffle(running)
        if last in running and self.random.random() >= switching:
            running.remove(last)
            running.insert(0, last)
        return running
