"""Concrete runs against a bounded proof: no run repeats or makes anything more often than the proof says.

Threads have other numbers in an unrolling if one before them is not created in a run. So a loop of a thread
is compared with those of all threads that run the same function.
"""

from collections import Counter
from collections.abc import Sequence

from sley.evidence.bounded.positions import Iterations, LoopPositions
from sley.evidence.bounded.proof import BoundedProof
from sley.evidence.runs import Follower
from sley.program.instructions import Allocate, Create
from sley.program.program import Edge
from sley.semantics.code import Code
from sley.semantics.state import State


class BoundedFollower(Follower):
    """Counts iterations, threads and heap blocks."""

    def __init__(self, code: Code, proof: BoundedProof) -> None:
        self.program = code.program
        self.positions = {name: LoopPositions(function) for name, function in code.program.functions.items()}
        self.repeats: Counter[tuple[str, Iterations, int]] = Counter()
        """Function, iterations around a loop, its head -> how often it is repeated."""
        for loop, times in proof.repeats:
            key = proof.shape.threads[loop.thread], loop.around, loop.head
            self.repeats[key] = max(self.repeats[key], times)
        self.spins = proof.spins
        self.most: Counter[str | int] = Counter(proof.shape.threads)
        """Function -> how many threads run it; place -> how many blocks are allocated there."""
        self.most.update(block.site for _, block in proof.shape.heap)
        self.made: Counter[str | int] = Counter()
        self.functions: list[str] = []
        """What each thread runs."""
        self.iterations: list[Iterations] = []

    def start(self, state: State) -> str | None:
        """Main begins."""
        self.functions, self.iterations = [], []
        self.made.clear()
        return self._create(self.program.entry)

    def step(self, thread: int, edges: Sequence[Edge], state: State | None) -> str | None:
        """Count what is repeated and made."""
        function = self.functions[thread]
        for edge in edges:
            before = self.iterations[thread]
            ((iterations, repetition),) = self.positions[function].follow((edge,), before)
            self.iterations[thread] = iterations
            if repetition is not None and repetition.head in self.spins:
                around = len(repetition.around)
                self.iterations[thread] = (
                    *iterations[:around],
                    repetition.times - 1,
                    *iterations[around + 1 :],
                )
            elif repetition is not None:
                key = function, repetition.around, repetition.head
                if repetition.times > self.repeats[key]:
                    return (
                        f"thread {thread} begins the loop at {repetition.head} {repetition.times} times anew"
                    )
            reason = self._make(edge)
            if reason is not None:
                return reason
        return None

    def _make(self, edge: Edge) -> str | None:
        match edge.instruction:
            case Create(function=function):
                return self._create(function)
            case Allocate():
                return self._count(edge.source, "blocks")
            case _:
                return None

    def _create(self, function: str) -> str | None:
        self.functions.append(function)
        self.iterations.append(self.positions[function].start())
        return self._count(function, "threads")

    def _count(self, what: str | int, kind: str) -> str | None:
        self.made[what] += 1
        return f"more {kind} than the proof knows: {what}" if self.made[what] > self.most[what] else None
