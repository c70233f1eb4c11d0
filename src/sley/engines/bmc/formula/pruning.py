"""Which writes a read may copy: the reaching writes Π(r) and the may-copy set C(r) of the paper (section 6).

A write is no candidate for a read if it comes after it in every run; if it is surely overwritten before it by
another write that happens whenever both do; if their conditions exclude each other; or if its value would
prevent the read. (The paper's kill sets forget that the other write has to happen.)
"""

from collections.abc import Sequence
from typing import NamedTuple

from sley.engines.bmc.events.graph import NodeRead, NodeWrite
from sley.engines.bmc.formula.formula import Formula
from sley.engines.bmc.options import Stage
from sley.logic.clauses import conjuncts
from sley.logic.terms import Term


class Candidates(NamedTuple):
    """What a read may see."""

    visible: list[NodeWrite]
    """Π(r): writes that may be between another one and the read."""
    copied: list[NodeWrite]
    """C(r): writes that it may read from."""


class Pruning:
    """Finds candidates in one event graph; without pruning only those are left out that come later."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.terms = formula.terms
        self.order = formula.graph.order
        self._conjuncts: dict[Term, frozenset[Term]] = {}

    def parts(self, term: Term) -> frozenset[Term]:
        """The conjuncts of a condition."""
        found = self._conjuncts.get(term)
        if found is None:
            found = self._conjuncts[term] = frozenset(conjuncts(self.terms, (term,)))
        return found

    def candidates(self, read: NodeRead, writes: Sequence[NodeWrite]) -> Candidates:
        """The writes that may be between others and the read, and those that it may read from."""
        t, matters = self.terms, self.formula.matters(read)
        after, before = self.order.after[read.node], self.order.before[read.node]
        others = [write for write in writes if write.node != read.node]
        if self.formula.options.takes_all_pairs:
            return Candidates(others, others)
        possible = [write for write in others if not after >> write.node & 1]
        if not self.formula.options.has(Stage.PRUNING):
            return Candidates(possible, possible)
        known = self.parts(matters)
        earlier = [w for w in possible if before >> w.node & 1]
        sure = 0
        for write in earlier:
            if self.parts(write.condition) <= known:
                sure |= 1 << write.node
        visible = [
            w
            for w in possible
            if not (self.order.after[w.node] & sure or self._is_overwritten(w, earlier, known))
        ]
        excluded = {t.not_(c) for c in known}
        copied = [w for w in visible if excluded.isdisjoint(self.parts(w.condition))]
        if self.formula.options.has(Stage.RELEVANCE) and t.mentions(matters, read.symbol):
            copied = [
                w
                for w in copied
                if not t.is_const(w.value) or t.substitute(matters, {read.symbol: w.value}) != t.false
            ]
        return Candidates(visible, copied)

    def _is_overwritten(self, write: NodeWrite, earlier: Sequence[NodeWrite], known: frozenset[Term]) -> bool:
        """By another write before the read that happens whenever this one and the read do."""
        mine = self.parts(write.condition)
        if not mine:
            return False  # such a write is sure itself
        both, later = known | mine, self.order.after[write.node]
        return any(later >> other.node & 1 and self.parts(other.condition) <= both for other in earlier)
