"""Which writes a read may copy, and which reads matter at all: this decides how large formulas get.

A write is no candidate for a read if it comes after it in every run; if it is surely overwritten before it by
another write that happens whenever both do; if their conditions exclude each other; or if its value would
prevent the read. What no condition and no value depends on need not be read.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sley.engines.bmc.events.graph import EventGraph, Read, StaticOrder, Write
from sley.logic.clauses import conjuncts
from sley.logic.terms import Term, Terms


class Candidates(NamedTuple):
    """What a read may see."""

    visible: list[Write]
    """Writes that may be between another one and the read."""
    copied: list[Write]
    """Writes that it may read from."""


class Pruning:
    """Finds candidates in one event graph; without ``prunes`` only those are left out that come later."""

    def __init__(self, terms: Terms, graph: EventGraph, static: StaticOrder, *, prunes: bool) -> None:
        self.terms = terms
        self.graph = graph
        self.static = static
        self.prunes = prunes
        self._conjuncts: dict[Term, frozenset[Term]] = {}

    def matters(self, read: Read) -> Term:
        """When a read happens and its value counts."""
        return self.terms.and_(self.graph.nodes[read.node].occurs, read.needed)

    def parts(self, term: Term) -> frozenset[Term]:
        """The conjuncts of a condition."""
        found = self._conjuncts.get(term)
        if found is None:
            found = self._conjuncts[term] = frozenset(conjuncts(self.terms, (term,)))
        return found

    def candidates(self, read: Read, writes: Sequence[Write]) -> Candidates:
        """The writes that may be between others and the read, and those that it may read from."""
        t, matters = self.terms, self.matters(read)
        after, before = self.static.after[read.node], self.static.before[read.node]
        possible = [w for w in writes if w.node != read.node and not after >> w.node & 1]
        if not self.prunes:
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
            if not (self.static.after[w.node] & sure or self._is_overwritten(w, earlier, known))
        ]
        excluded = {t.not_(c) for c in known}
        copied = [w for w in visible if excluded.isdisjoint(self.parts(w.condition))]
        if t.mentions(matters, read.symbol):
            copied = [
                w
                for w in copied
                if not t.is_const(w.value) or t.substitute(matters, {read.symbol: w.value}) != t.false
            ]
        return Candidates(visible, copied)

    def _is_overwritten(self, write: Write, earlier: Sequence[Write], known: frozenset[Term]) -> bool:
        """By another write before the read that happens whenever this one and the read do."""
        mine = self.parts(write.condition)
        if not mine:
            return False  # such a write is sure itself
        both, later = known | mine, self.static.after[write.node]
        return any(later >> other.node & 1 and self.parts(other.condition) <= both for other in earlier)


def relevant_symbols(
    terms: Terms, roots: Iterable[Term], needs: Mapping[Term, Iterable[Term]]
) -> frozenset[Term]:
    """The symbols that the roots depend on; ``needs`` says which terms the value of a symbol depends on."""
    found: set[Term] = set()
    waiting = [variable for root in roots for variable in terms.variables(root)]
    while waiting:
        symbol = waiting.pop()
        if symbol not in found:
            found.add(symbol)
            waiting.extend(v for term in needs.get(symbol, ()) for v in terms.variables(term))
    return frozenset(found)
