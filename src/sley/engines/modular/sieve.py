"""Guesses that random runs do not speak against: what is false in a state of one cannot be invariant.

To look at a state costs next to nothing beside the solver's counterexamples to induction, one by one, which
would come to the same end. Runs only ever take guesses away, so nothing rests on them.
"""

from collections import Counter
from dataclasses import replace

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.modular.thresholds import LONGEST_SIEVE_RUN, SIEVE_RUNS, SIEVE_STATES
from sley.evidence.modular.proof import ModularProof, View
from sley.evidence.modular.runs import ModularFollower
from sley.logic.terms import Term
from sley.program.program import Edge
from sley.semantics.code import Code
from sley.semantics.random_runs import RandomRuns
from sley.semantics.state import State, is_ended, location_of
from sley.semantics.values import NeedsSplitError


def unrefuted(code: Code, guess: ModularProof, budget: Budget) -> ModularProof:
    """The guess without the conjuncts that are false in some state of a few runs."""
    sieve = _Sieve(code, guess)
    runs = RandomRuns(code, 1, budget)
    for number in range(SIEVE_RUNS):
        try:
            sieve.watch(runs, number)
        except (GaveUpError, NeedsSplitError):
            continue
    return replace(
        guess,
        invariants={
            view: tuple(conjunct for conjunct in found if conjunct not in sieve.false[view])
            for view, found in guess.invariants.items()
        },
    )


class _Sieve(ModularFollower):
    """Collects what is false in the states of runs."""

    def __init__(self, code: Code, guess: ModularProof) -> None:
        super().__init__(code, guess)
        self.false: dict[View, set[Term]] = {view: set() for view in guess.invariants}
        self._met: Counter[tuple[int, ...]] = Counter()

    def watch(self, runs: RandomRuns, number: int) -> None:
        """Follow one run."""
        self.start(self.code.initial())
        edges: list[Edge] = []
        for taken in runs.run(number, may_switch=self.speaks_of, longest=LONGEST_SIEVE_RUN):
            edges += [happening.edge for happening in taken.happenings]
            if taken.state is None:
                return
            at = taken.state.threads[taken.memory.thread]
            if is_ended(at) or self.speaks_of(location_of(at)):
                self.step(taken.memory.thread, edges, taken.state)
                edges = []

    def judge(self, state: State) -> str | None:
        """Nothing is wrong with a run; guesses may be."""
        main, *others = (location_of(thread) for thread in state.threads)
        control = (main, *sorted(set(others)))
        self._met[control] += 1
        if self._met[control] <= SIEVE_STATES:
            for view, conjunct in dict.fromkeys((view, conjunct) for view, conjunct, _ in self.falsified()):
                self.false[view].add(conjunct)
                self.without(view, conjunct)
        return None
