"""A total order of some nodes: a literal for each pair, and no cycles of three, hence none at all."""

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.engines.bmc.formula.order import Clause
from sley.engines.bmc.thresholds import MOST_WEAK_EVENTS
from sley.logic.sorts import BOOL
from sley.logic.terms import Term, Terms


class TooLargeError(GaveUpError):
    """A formula would have too many clauses."""


class TotalOrder:
    """An order of nodes, of which some are known to be before others."""

    def __init__(
        self, terms: Terms, name: str, nodes: Sequence[int], is_before: Callable[[int, int], bool]
    ) -> None:
        self.terms = terms
        self.name = name
        self.nodes = nodes
        self.is_before = is_before
        self._literals: dict[tuple[int, int], Term] = {}
        if len(nodes) > MOST_WEAK_EVENTS:
            raise TooLargeError(
                Reason("too many accesses for a formula with a weak memory model", Why.UNROLLED)
            )

    def before(self, a: int, b: int) -> Term:
        """One node is before another."""
        found = self._literals.get((a, b))
        if found is None:
            found = self._literals[a, b] = self._made(a, b)
        return found

    def _made(self, a: int, b: int) -> Term:
        if a == b or self.is_before(b, a):
            return self.terms.false
        if self.is_before(a, b):
            return self.terms.true
        literal = self.terms.var(f"{self.name}:{min(a, b)}:{max(a, b)}", BOOL)
        return literal if a < b else self.terms.not_(literal)

    def clauses(self) -> Iterator[Clause]:
        """There is no cycle of three."""
        for a, b, c in permutations(self.nodes, 3):
            if a < b and a < c:
                yield tuple(self.terms.not_(self.before(*pair)) for pair in ((a, b), (b, c), (c, a)))
