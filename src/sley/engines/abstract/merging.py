"""Join points: states of a partition are joined, and widened if they keep growing."""

from collections.abc import Collection
from typing import NamedTuple

from sley.engines.abstract.thresholds import MOST_PARTITIONS, WIDENING_DELAY
from sley.logic.operators import Op, to_signed
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Program
from sley.program.rewriting import read_terms
from sley.semantics.abstract.facts import FactReader
from sley.semantics.abstract.state import AbstractState, covers, joined
from sley.semantics.abstract.values import Widening, widening

BOUNDS = tuple(
    sorted({-1, 0}.union(*({-(1 << (w - 1)), (1 << (w - 1)) - 1, (1 << w) - 1} for w in (8, 16, 32, 64))))
)
"""Where bounds of numbers stop at last: what types can hold."""

FARTHEST = 1 << 63
"""Where bounds of offsets stop at last."""

FAR = Widening(widening(BOUNDS), widening((-FARTHEST, 0, FARTHEST)))


def stops(program: Program) -> tuple[int, ...]:
    """Where bounds stop for a while: constants of the program, last elements, what types can hold."""
    terms = program.terms
    found = {0, 1, -1, *BOUNDS}
    for objects in (program.objects, *(function.objects for function in program.functions.values())):
        found |= {one.size - one.layout.stride for one in objects}
    conditions = {
        term
        for edge in program.edges
        if isinstance(edge.instruction, ir.Assume | ir.Check)
        for term in read_terms(edge.instruction)
    }
    for term in terms.walk(conditions):
        if terms.op(term) is Op.CONST and isinstance(terms.sort(term), BitVecSort):
            signed = to_signed(int(terms.value(term)), terms.width(term))
            found |= {signed, signed - 1}
    return tuple(sorted(found))


class Delayed:
    """No widening at first, then to the stops of a program, then far."""

    def __init__(self, program: Program) -> None:
        self._near = Widening(*[widening(stops(program))] * 2)

    def after(self, joins: int) -> Widening | None:
        """The widening after so many joins."""
        if joins <= WIDENING_DELAY:
            return None
        return self._near if joins <= 2 * WIDENING_DELAY else FAR


class Pace(NamedTuple):
    """How soon states are widened somewhere."""

    factor: int = 1
    """On the delay."""
    far_from: int | None = None
    """The joins after which they widen far; None: as everywhere."""
    changing: Collection[Term] | None = None
    """The registers to widen; None: all."""


class Partitions:
    """The states at an anchor, or those in which a function returns, by what keeps them apart."""

    def __init__(self, facts: FactReader, delayed: Delayed, pace: Pace) -> None:
        self.states: dict[object, AbstractState] = {}
        self._facts = facts
        self._delayed = delayed
        self._pace = pace
        self._joins: dict[object, int] = {}

    def add(self, state: AbstractState) -> bool:
        """Whether that changed the states."""
        far_from = self._pace.far_from
        is_far = far_from is not None and self._joins.get(state.partition, 0) >= far_from
        return self._add(state, is_far=is_far)

    def _add(self, state: AbstractState, *, is_far: bool) -> bool:
        key = state.partition
        found = self.states.get(key)
        if found is None and len(self.states) >= MOST_PARTITIONS:
            return self._add_to_all(state)
        if found is None:
            self.states[key] = state
            return True
        if covers(found, state, self._facts):
            return False
        joins = self._joins[key] = self._joins.get(key, 0) + 1
        widen = FAR if is_far else self._delayed.after(joins // self._pace.factor)
        made = joined(found, state, self._facts, widen, self._pace.changing)
        if made.partition == key:
            self.states[key] = made
        else:
            del self.states[key]
            self._add(made, is_far=is_far)
        return True

    def _add_to_all(self, state: AbstractState) -> bool:
        """Too many: those that can be joined are."""
        alike = [
            one for one in self.states.values() if (one.depth, one.is_early) == (state.depth, state.is_early)
        ]
        if any(covers(one, state, self._facts) for one in alike):
            return False
        made = state
        for one in alike:
            del self.states[one.partition]
            made = joined(made, one, self._facts, FAR)
        self.states[made.partition] = made
        return True
