"""SKIP: which threads need not move at a node, because an earlier path does the same.

A path is monotonic if no two neighbours are independent and in the wrong order of threads. Every path has a
monotonic one that leads to the same state, so other paths can be left out. Whether two neighbours are
independent is known from what their actions may touch, or follows from the path: then the reason (their
addresses differ) has to be stored in the labels along it.
"""

from dataclasses import replace

from sley.analyses.accesses import Accesses
from sley.analyses.independence import are_independent, overlap
from sley.logic.terms import Term
from sley.program.instructions import AtomicBegin
from sley.program.rewriting import access_of
from sley.semantics.symbolic_step import Shape, SymbolicSteps


class Dependence:
    """Independence of actions, by location and by address."""

    def __init__(self, steps: SymbolicSteps, accesses: Accesses) -> None:
        self.steps = steps
        self.accesses = accesses
        self._static: dict[tuple[int, int], bool] = {}
        self._alias: dict[tuple[Shape, int, int, int, int], Term | None] = {}

    def is_independent(self, one: int, other: int) -> bool:
        """Whether the actions at two locations commute in every state."""
        key = (one, other)
        if key not in self._static:
            self._static[key] = are_independent(self.accesses, one, other)
        return self._static[key]

    def alias(self, shape: Shape, thread: int, at: int, other: int, other_at: int) -> Term | None:
        """The condition under which two accesses touch a common byte; None if they are not just accesses."""
        key = (shape, thread, at, other, other_at)
        if key not in self._alias:
            self._alias[key] = self._make_alias(*key)
        return self._alias[key]

    def _make_alias(self, shape: Shape, thread: int, at: int, other: int, other_at: int) -> Term | None:
        code, vocabulary = self.steps.code, self.steps.vocabulary(shape)
        actions = code.action(at), code.action(other_at)
        if any(isinstance(action, AtomicBegin) for action in actions):
            return None
        one, two = access_of(actions[0]), access_of(actions[1])
        if one is None or two is None:
            return None
        first = replace(one[0], address=vocabulary.instantiated(thread, one[0].address))
        second = replace(two[0], address=vocabulary.instantiated(other, two[0].address))
        return overlap(code.program.terms, first, second)
