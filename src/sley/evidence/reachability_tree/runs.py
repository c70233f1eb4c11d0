"""Concrete runs against a reachability tree: every state is one of a node that is not covered.

That is what the tree proves: each state is the end of a monotonic path, along which there always is such a
node with the same control whose label holds. The labels are evaluated, no solver is asked.
"""

from sley.evidence.reachability_tree.proof import ReachabilityTree
from sley.evidence.runs import Follower
from sley.logic.arrays import ArrayValue
from sley.logic.operators import AnyValue
from sley.logic.sorts import BOOL, ArraySort, Sort, width_of
from sley.logic.terms import Term
from sley.semantics.code import Code
from sley.semantics.roles import BoundRole
from sley.semantics.state import EXITED, State, is_ended, location_of
from sley.semantics.valuation import Valuation, Valuations
from sley.semantics.vocabulary import MOST_CELLS

ANY = (0, 1, 5)
"""Values for the variables that are meant for all values."""


class TreeFollower(Follower):
    """Evaluates the labels of the nodes with the control of a state."""

    reuses_numbers = False  # in a tree, all blocks that ever lived have numbers of their own

    def __init__(self, code: Code, proof: ReachabilityTree) -> None:
        self.terms = code.program.terms
        self.valuations = Valuations(code, MOST_CELLS)
        self.locations = {at for node in proof.nodes for at in node.control}
        self.labels: dict[tuple[int, ...], list[tuple[Term, ...]]] = {}
        for node in proof.nodes:
            if node.cover is None:
                self.labels.setdefault(node.control, []).append(node.label)

        self.variables: dict[Term, tuple[Term, ...]] = {}
        """Of each conjunct."""
        self.known: dict[tuple[object, ...], bool] = {}
        """Conjunct and values of its variables -> whether it is true."""

    def speaks_of(self, location: int) -> bool:
        """Steps of the tree may run through stops where no other thread needs a turn."""
        return location in self.locations

    def judge(self, state: State) -> str | None:
        """Whether there is a node for the state."""
        control = tuple(EXITED if is_ended(at) else location_of(at) for at in state.threads)
        values = self.valuations.of(state)
        if any(all(self._holds(c, values) for c in label) for label in self.labels.get(control, ())):
            return None
        return f"no node of the tree is for threads at {control} with these values"

    def _holds(self, conjunct: Term, values: Valuation) -> bool:
        """Whether a conjunct is true in a state, or speaks of what is not decided there."""
        variables = self.variables.get(conjunct)
        if variables is None:
            variables = self.variables[conjunct] = tuple(self.terms.variables(conjunct))
        key = conjunct, *map(values.get, variables)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._is_true(conjunct, values)
        return found

    def _is_true(self, conjunct: Term, values: Valuation) -> bool:
        t = self.terms
        missing = [v for v in self.variables[conjunct] if v not in values]
        if not all(isinstance(t.symbol(v), BoundRole) for v in missing):
            return True
        for number in ANY if missing else (0,):
            bound = {v: _as_value(number, t.sort(v)) for v in missing}
            try:
                if t.evaluate(conjunct, {**values, **bound}) is not True:
                    return False
            except KeyError:  # an element of an array that is not decided
                continue
        return True


def _as_value(number: int, sort: Sort) -> AnyValue:
    """A number as a value of a sort, which may be narrower; an array has it everywhere."""
    if isinstance(sort, ArraySort):
        return ArrayValue(number % (1 << sort.element))
    return bool(number & 1) if sort == BOOL else number % (1 << width_of(sort))
