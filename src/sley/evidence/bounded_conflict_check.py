"""Tests a conflict: facts that no run has together, because a node would have to be before itself.

Written independently of the search for conflicts. The facts say which nodes are before which; whatever
follows is added until a node is before itself, or until nothing follows any more. Then one of the writes that
are not in order with a copy is tried on both sides.
"""

from sley.evidence.bounded_encoding import Encoder, Encoding
from sley.evidence.bounded_facts import Conflict, Fact, Kind


class ConflictChecker:
    """Tests conflicts about the events of one graph."""

    def __init__(self, encoder: Encoder, encoding: Encoding) -> None:
        self.static = encoder.static
        self.orders: dict[Fact, list[tuple[int, int, Conflict]]] = {}
        for a, b, facts in encoding.orders:
            for fact in facts:
                self.orders.setdefault(fact, []).append((a, b, facts))

    def is_conflict(self, conflict: Conflict) -> bool:
        """Whether the facts exclude each other."""
        pairs = {(f.b, f.a) for f in conflict if f.kind is Kind.READS}
        for fact in conflict:
            pairs |= {(a, b) for a, b, facts in self.orders.get(fact, ()) if facts <= conflict}
        meetings = [f for f in conflict if f.kind is Kind.MEETS]
        if len(meetings) > 1:
            return False  # it would have to be tested for each of them
        copies = [
            (f.b, f.a, [w.a for w in conflict if _is_rival(w, f)]) for f in conflict if f.kind is Kind.READS
        ]
        return not self._has_order(frozenset(pairs), copies, meetings)

    def _has_order(
        self,
        pairs: frozenset[tuple[int, int]],
        copies: list[tuple[int, int, list[int]]],
        meetings: list[Fact],
    ) -> bool:
        """Whether the pairs, and what follows from them, are part of an order."""
        order = _Order(self.static.before, pairs, meetings)
        while True:
            new: set[tuple[int, int]] = set()
            for write, read, rivals in copies:
                for rival in rivals:
                    if order.is_before(write, rival) and not order.is_before(read, rival):
                        new.add((read, rival))
                    if order.is_before(rival, read) and not order.is_before(rival, write):
                        new.add((rival, write))
            if order.has_cycle:
                return False
            if not new - pairs:
                break
            pairs |= new
            order = _Order(self.static.before, pairs, meetings)
        for write, read, rivals in copies:
            for rival in rivals:
                if not (order.is_before(rival, write) or order.is_before(read, rival)):
                    return any(
                        self._has_order(pairs | {pair}, copies, meetings)
                        for pair in ((rival, write), (read, rival))
                    )
        return True


def _is_rival(fact: Fact, copy: Fact) -> bool:
    """Whether a fact says that another node writes what is copied."""
    return fact.kind is Kind.WRITES and fact.variable == copy.variable and fact.a not in (copy.a, copy.b)


class _Order:
    """The closure of some pairs and the order that every run keeps, on the nodes of the pairs alone."""

    def __init__(
        self, before: tuple[int, ...], pairs: frozenset[tuple[int, int]], meetings: list[Fact]
    ) -> None:
        self.static = before
        together = {(m.a, m.b) for m in meetings} | {(m.b, m.a) for m in meetings}
        nodes = sorted({node for pair in pairs | together for node in pair})
        self.place = {node: at for at, node in enumerate(nodes)}
        after = [0] * len(nodes)
        for at, node in enumerate(nodes):
            for other_at, other in enumerate(nodes):
                is_direct = (node, other) in together
                if not is_direct and (before[other] >> node & 1 or (node, other) in pairs):
                    after[at] |= 1 << other_at
        for m in meetings:  # what is before or after one of the two is so for both
            a, b = self.place[m.a], self.place[m.b]
            after[a] |= after[b]
            after[b] |= after[a]
            for at in range(len(nodes)):
                if at not in (a, b) and after[at] & (1 << a | 1 << b):
                    after[at] |= 1 << a | 1 << b
        for middle in range(len(nodes)):
            for at in range(len(nodes)):
                if after[at] >> middle & 1:
                    after[at] |= after[middle]
        self.after = after
        self.has_cycle = any(after[at] >> at & 1 for at in range(len(nodes)))

    def is_before(self, a: int, b: int) -> bool:
        """Whether one node is before another."""
        at, to = self.place.get(a), self.place.get(b)
        if at is None or to is None:
            return bool(self.static[b] >> a & 1)
        return bool(self.after[at] >> to & 1)
