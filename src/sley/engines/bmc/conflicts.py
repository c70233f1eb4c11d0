"""Small conflicts, known before anything is solved: cycles of one or two edges besides those of every run.

Most of what makes a choice of writes impossible is that small. Adding it up front replaces dozens of rounds
of solving and learning (measured: ``make bench-order``).
"""

from collections.abc import Iterator

from sley.base.budget import Budget
from sley.engines.bmc.order import bits
from sley.evidence.bounded_encoding import Choice, Encoder, Encoding
from sley.evidence.bounded_events import Write
from sley.evidence.bounded_facts import Conflict, Edge, Fact, Kind

MOST_CONFLICTS = 300_000
"""The rest is left to be found when it matters."""


def small_conflicts(encoder: Encoder, encoding: Encoding, budget: Budget) -> list[Conflict]:
    """Conflicts of one or two edges, each once."""
    finder = _Finder(encoder, encoding, budget)
    found: dict[Conflict, None] = {}
    for conflict in finder.conflicts():
        found[conflict] = None
        if len(found) >= MOST_CONFLICTS:
            break
    return list(found)


class _Finder:
    def __init__(self, encoder: Encoder, encoding: Encoding, budget: Budget) -> None:
        self.encoder = encoder
        self.static = encoder.static
        self.encoding = encoding
        self.budget = budget
        self.edges = [edge for edge in encoding.orders if not self._is_known(edge.a, edge.b)]
        self.single: list[Conflict] = [
            edge.facts for edge in encoding.orders if self.static.is_before(edge.b, edge.a)
        ]
        for choice in encoding.choices:
            for _, write in choice.copied:
                self._expand(choice, write)

    def _is_known(self, a: int, b: int) -> bool:
        return a == b or self.static.is_before(a, b)

    def _expand(self, choice: Choice, write: Write) -> None:
        """The edges that follow from one copy and the order that every run keeps."""
        read, written = choice.read.node, write.node
        fact = Fact(Kind.READS, read, written, choice.read.variable)
        if not self._is_known(written, read):
            self.edges.append(Edge(written, read, frozenset({fact})))
        later: list[tuple[int, Fact]] = []
        earlier: list[tuple[int, Fact]] = []
        for rival in choice.rivals:
            if rival.node == written:
                continue
            happens = Fact(Kind.WRITES, rival.node, -1, rival.variable)
            is_later = self.static.is_before(written, rival.node)
            is_earlier = self.static.is_before(rival.node, read)
            if is_later and is_earlier:
                self.single.append(frozenset({fact, happens}))
            elif is_later and not self._is_known(read, rival.node):
                later.append((rival.node, happens))
            elif is_earlier and not self._is_known(rival.node, written):
                earlier.append((rival.node, happens))
        for node, happens in self._nearest(later, is_later=True):
            self.edges.append(Edge(read, node, frozenset({fact, happens})))
        for node, happens in self._nearest(earlier, is_later=False):
            self.edges.append(Edge(node, written, frozenset({fact, happens})))

    def _nearest(self, rivals: list[tuple[int, Fact]], *, is_later: bool) -> Iterator[tuple[int, Fact]]:
        """Without those that others, which surely happen, stand in front of."""
        true = self.encoder.terms.true
        sure = 0
        for node, happens in rivals:
            if self.encoder.literals[happens] == true:
                sure |= 1 << node
        for node, happens in rivals:
            nearer = self.static.before[node] if is_later else self.static.after[node]
            if not nearer & sure:
                yield node, happens

    def conflicts(self) -> Iterator[Conflict]:
        """Cycles of one edge, then of two."""
        yield from self.single
        by_source: dict[int, list[tuple[int, Edge]]] = {}
        sources = 0
        for number, edge in enumerate(self.edges):
            by_source.setdefault(edge.a, []).append((number, edge))
            sources |= 1 << edge.a
        targets = {node: _mask(edge.b for _, edge in edges) for node, edges in by_source.items()}
        for number, one in enumerate(self.edges):
            self.budget.spend()
            goals = self.static.before[one.a] | 1 << one.a
            for source in bits((self.static.after[one.b] | 1 << one.b) & sources):
                if targets[source] & goals:
                    for at, other in by_source[source]:
                        if at > number and goals >> other.b & 1 and _fit(one, other):
                            yield one.facts | other.facts


def _mask(nodes: Iterator[int]) -> int:
    mask = 0
    for node in nodes:
        mask |= 1 << node
    return mask


def _fit(one: Edge, other: Edge) -> bool:
    """Whether both can hold: no read has two writes, nothing is both before and after."""
    for a in one.facts:
        for b in other.facts:
            if a != b and a.a == b.a and a.variable == b.variable:
                if a.kind is Kind.READS and b.kind is Kind.READS:
                    return False
                if {a.kind, b.kind} == {Kind.AFTER, Kind.BEFORE} and a.b == b.b:
                    return False
    return True
