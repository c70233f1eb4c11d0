"""Events as a formula: who reads from whom, and that there is one order in which it all happens.

For every read a candidate write is chosen; it has to be before the read, and no other write to the variable
between the two. ``before`` says that of two nodes one happens before the other: true or false where every run
has the same order, otherwise a literal. That the literals are an order is the business of an encoding:

* ``clocks``: every node has a clock, and a literal compares two of them. Nothing more is needed.
* ``cycles``: literals are free variables, with clauses that exclude short cycles between two threads. A model
  may contain cycles: ``cycles_of`` finds them, and a clause per cycle excludes it. A model without cycles
  gives a run: ``linearised``.

Writes that a read can never see are left out of its candidates (see ``_candidates``).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from sley.base.budget import Budget
from sley.evidence.bounded_events import EventGraph, Read, Touch, Wait, Write, static_order
from sley.logic.clauses import conjuncts
from sley.logic.sorts import BOOL, bitvec
from sley.logic.terms import Term, Terms


class OrderEncoding(Enum):
    """How the order of events is put into formulas."""

    CYCLES = "cycles"
    """Cycles are excluded, the short ones at once, others when they come up."""
    CLOCKS = "clocks"
    """Every event has a clock."""


class Link(NamedTuple):
    """One node is before another, or next to it."""

    source: int
    target: int
    is_next: bool = False


Cycle = tuple[Link, ...]
"""A cycle of the order; which of its links hold in every run is left to the reader."""


@dataclass(frozen=True, slots=True)
class _Obligation:
    """If ``rf`` holds, ``writer`` is before ``reader``, and each other write is not between them."""

    rf: Term
    writer: int
    reader: int
    others: tuple[tuple[Term, int, Term], ...]
    """Of each other write: when it happens, its node, and the literal that it is before the writer."""


@dataclass(slots=True)
class Encoding:
    """The formula of an event graph, and what a model of it means."""

    wrong: Term
    """Some violation happens."""
    formulas: list[Term] = field(default_factory=list)
    is_violation: dict[Term, int] = field(default_factory=dict)
    """A literal for each violation of the graph, with its position in ``graph.violations``."""
    is_race: dict[Term, tuple[Touch, Touch]] = field(default_factory=dict)
    """A literal for each possible data race."""
    is_deadlock: list[Term] = field(default_factory=list)
    """Literals: all threads wait or have ended; some threads wait for each other."""
    is_stuck: dict[Term, int] = field(default_factory=dict)
    """A literal for each wait, with its node: the thread waits there for good."""
    counts: dict[str, int] = field(default_factory=dict)


class Encoder:
    """Builds the formula of one event graph."""

    def __init__(
        self, terms: Terms, graph: EventGraph, order: OrderEncoding, budget: Budget, *, prunes: bool = True
    ) -> None:
        self.terms = terms
        self.graph = graph
        self.order_encoding = order
        self.budget = budget
        self.prunes = prunes
        self.static = static_order(graph)
        self.result = Encoding(terms.false)
        self.literals: dict[tuple[int, int], Term] = {}
        """For two nodes, the smaller number first, the literal that it is before the other."""
        self.occurs: list[Term] = []
        self._obligations: list[_Obligation] = []
        self._names: dict[Term, Term] = {}
        self._conjuncts: dict[Term, frozenset[Term]] = {}
        self._adjacent: dict[tuple[int, int], Term] = {}
        self._writes: dict[Term, list[Write]] = {}
        self._finals: list[tuple[Term, Term, int, int]] = []
        """A wait, a write that happens, its node, and the node that waits and has to be after it."""

    # --- the formula ------------------------------------------------------------------------------

    def encode(self, *, finds_races: bool, finds_deadlocks: bool) -> Encoding:
        """The whole formula."""
        self._add_initial_writes()
        self.result.formulas.extend(self.graph.definitions)
        self.occurs = [self.named(node.occurs) for node in self.graph.nodes]
        before = after = 0
        variables = self.graph.variables()
        self._writes = {variable: writes for variable, (_, writes) in variables.items()}
        for reads, writes in variables.values():
            before += len(reads) * len(writes)
            after += sum(self._encode_read(read, writes) for read in reads)
        wrong = list(self._violations())
        if finds_races:
            wrong.extend(self._races())
        if finds_deadlocks:
            wrong.extend(self._deadlocks())
        self.result.wrong = self.terms.or_(*wrong)
        self._encode_order()
        self.result.counts |= {
            "nodes": len(self.graph.nodes),
            "reads": sum(len(node.reads) for node in self.graph.nodes),
            "writes": sum(len(node.writes) for node in self.graph.nodes),
            "candidates before pruning": before,
            "candidates": after,
            "order literals": len(self.literals),
            "formulas": len(self.result.formulas),
        }
        return self.result

    def _add_initial_writes(self) -> None:
        root = self.graph.nodes[0]
        for variable, first in self.graph.initial.items():
            if variable not in root.writes:
                root.writes[variable] = Write(0, variable, self.terms.true, first)

    def named(self, term: Term) -> Term:
        """A literal that is equivalent to the term."""
        t = self.terms
        if t.is_const(term) or t.is_var(term):
            return term
        found = self._names.get(term)
        if found is None:
            found = self._names[term] = t.var(f"!is{len(self._names)}", BOOL)
            self.result.formulas.append(t.eq(found, term))
        return found

    def _parts(self, term: Term) -> frozenset[Term]:
        found = self._conjuncts.get(term)
        if found is None:
            found = self._conjuncts[term] = frozenset(conjuncts(self.terms, (term,)))
        return found

    def _encode_read(self, read: Read, writes: Sequence[Write]) -> int:
        """Choose a write; the number of candidates."""
        self.budget.spend()
        t, add = self.terms, self.result.formulas.append
        node = self.graph.nodes[read.node]
        matters = t.and_(node.occurs, read.needed)
        if matters == t.false:
            return 0
        visible, candidates = self._candidates(read, matters, writes)
        occurs = self.named(matters)
        choices: list[Term] = []
        for write in candidates:
            rf = occurs if len(candidates) == 1 else t.var(f"!rf{read.symbol}:{write.node}", BOOL)
            choices.append(rf)
            holds = t.and_(
                self.named(write.condition),
                t.eq(read.symbol, write.value),
                self.before(write.node, read.node),
            )
            add(t.implies(rf, holds))
            others = []
            for other in visible:
                if other is write or self.static.is_before(other.node, write.node):
                    continue
                happens = self.named(other.condition)
                earlier, later = self.before(other.node, write.node), self.before(read.node, other.node)
                add(t.or_(t.not_(rf), t.not_(happens), earlier, later))
                others.append((happens, other.node, earlier))
            self._obligations.append(_Obligation(rf, write.node, read.node, tuple(others)))
        add(t.implies(occurs, t.or_(*choices)))
        return len(candidates)

    def _candidates(
        self, read: Read, matters: Term, writes: Sequence[Write]
    ) -> tuple[list[Write], list[Write]]:
        """The writes that may be between others and the read, and those that it may read from.

        Left out are writes that come after the read; of these that the read is always after, those that are
        surely overwritten before it; and as candidates those whose value would prevent the read.
        """
        t, known = self.terms, self._parts(matters)
        possible = [w for w in writes if w.node != read.node and not self.static.is_before(read.node, w.node)]
        if not self.prunes:
            return possible, possible
        earlier = [w for w in possible if self.static.is_before(w.node, read.node)]
        sure = [w for w in earlier if self._parts(w.condition) <= known]
        visible = [w for w in possible if not self._is_overwritten(w, sure, earlier, known)]
        excluded = {t.not_(c) for c in known}
        candidates = [w for w in visible if excluded.isdisjoint(self._parts(w.condition))]
        if t.mentions(matters, read.symbol):
            candidates = [
                w
                for w in candidates
                if not t.is_const(w.value) or t.substitute(matters, {read.symbol: w.value}) != t.false
            ]
        return visible, candidates

    def _is_overwritten(
        self, write: Write, sure: Sequence[Write], earlier: Sequence[Write], known: frozenset[Term]
    ) -> bool:
        if any(self.static.is_before(write.node, other.node) for other in sure):
            return True
        both = known | self._parts(write.condition)
        return any(
            self.static.is_before(write.node, other.node) and self._parts(other.condition) <= both
            for other in earlier
            if other is not write
        )

    # --- violations -------------------------------------------------------------------------------

    def _is_not_over(self, node: int) -> Term:
        """The process has not ended before a node."""
        t = self.terms
        return t.and_(
            *(
                t.or_(t.not_(self.occurs[end]), self.before(node, end))
                for end in self.graph.ends
                if end != node
            )
        )

    def _violations(self) -> Iterator[Term]:
        for position, violation in enumerate(self.graph.violations):
            holds = self.terms.and_(self.occurs[violation.node], self._is_not_over(violation.node))
            if holds != self.terms.false:
                literal = self.terms.var(f"!wrong{position}", BOOL)
                self.result.formulas.append(self.terms.implies(literal, holds))
                self.result.is_violation[literal] = position
                yield literal

    def _races(self) -> Iterator[Term]:
        """Two accesses next to each other in the order."""
        touches = [touch for node in self.graph.nodes for touch in node.touches]
        for index, one in enumerate(touches):
            self.budget.spend()
            for other in touches[index + 1 :]:
                holds = self._race(one, other)
                if holds != self.terms.false:
                    literal = self.terms.var(f"!race{len(self.result.is_race)}", BOOL)
                    self.result.formulas.append(self.terms.implies(literal, holds))
                    self.result.is_race[literal] = (one, other)
                    yield literal

    def _race(self, one: Touch, other: Touch) -> Term:
        t, nodes = self.terms, self.graph.nodes
        if not (one.is_write or other.is_write) or (one.is_atomic and other.is_atomic):
            return t.false
        a, b = nodes[one.node], nodes[other.node]
        if a.thread == b.thread or self.static.is_ordered(a.number, b.number):
            return t.false
        meet = _overlap(t, one, other)
        if meet == t.false:
            return t.false
        happen = [*(self._takes_part(touch) for touch in (one, other)), meet]
        return t.and_(
            *happen,
            self._is_not_over(a.number),
            self._is_not_over(b.number),
            self.adjacent(a.number, b.number),
        )

    def _takes_part(self, touch: Touch) -> Term:
        """The thread is about to make the access; whether it can (it may have to wait) does not matter."""
        return (
            self.terms.and_(touch.condition, self.occurs[touch.node]) if touch.is_inside else touch.condition
        )

    def _deadlocks(self) -> Iterator[Term]:
        """All threads wait for good or have ended; or some wait for each other in a circle."""
        t, threads = self.terms, self.graph.threads
        stuck: list[list[Term]] = [[] for _ in threads]
        waits_for: dict[tuple[int, int], Term] = {}
        for wait in self.graph.waits:
            thread = self.graph.nodes[wait.node].thread
            literal = self._stuck(wait)
            stuck[thread].append(literal)
            if wait.holder is not None:
                here = t.and_(literal, self._is_not_over(wait.node))
                for other in range(len(threads)):
                    is_holder = t.eq(wait.holder, t.bv(other + 1, t.width(wait.holder)))
                    known = waits_for.get((thread, other), t.false)
                    waits_for[thread, other] = t.or_(known, t.and_(here, is_holder))
        exited: list[list[Term]] = [[] for _ in threads]
        for node in self.graph.exits:
            exited[self.graph.nodes[node].thread].append(self.occurs[node])
        everywhere = t.and_(
            *(t.not_(self.occurs[end]) for end in self.graph.ends),
            t.or_(*(literal for of in stuck for literal in of)),
            *(
                t.or_(t.not_(events.occurs), *exited[thread], *stuck[thread])
                for thread, events in enumerate(threads)
            ),
        )
        for holds in (everywhere, self._circle(waits_for)):
            if holds != t.false:
                literal = t.var(f"!deadlock{len(self.result.is_deadlock)}", BOOL)
                self.result.formulas.append(t.implies(literal, holds))
                self.result.is_deadlock.append(literal)
                yield literal

    def _stuck(self, wait: Wait) -> Term:
        """A literal that implies: a thread waits, and nothing that it waits for changes any more.

        Whether a thread is detached may change: nobody needs to know when.
        """
        t = self.terms
        literal = t.var(f"!stuck{wait.node}", BOOL)
        holds = [self.occurs[wait.node]]
        if wait.instead_of is not None:
            holds.append(t.not_(self.occurs[wait.instead_of]))
        for variable in self.graph.nodes[wait.node].reads:
            if t.name(variable).endswith("!detached"):
                continue
            for write in self._writes[variable]:
                if write.node != wait.node and not self.static.is_before(write.node, wait.node):
                    happens = self.named(write.condition)
                    holds.append(t.or_(t.not_(happens), self.before(write.node, wait.node)))
                    self._finals.append((literal, happens, write.node, wait.node))
        self.result.formulas.append(t.implies(literal, t.and_(*holds)))
        self.result.is_stuck[literal] = wait.node
        return literal

    def _circle(self, waits_for: dict[tuple[int, int], Term]) -> Term:
        """Some thread waits for itself in the transitive closure."""
        t = self.terms
        threads = sorted({thread for thread, _ in waits_for})
        reach = {(a, b): waits_for.get((a, b), t.false) for a in threads for b in threads}
        for middle in threads:
            for first in threads:
                for last in threads:
                    through = self.named(t.and_(reach[first, middle], reach[middle, last]))
                    reach[first, last] = t.or_(reach[first, last], through)
        return t.or_(*(reach[thread, thread] for thread in threads))

    # --- order ------------------------------------------------------------------------------------

    def clock(self, node: int) -> Term:
        """When a node happens."""
        return self.terms.var(f"!clock{node}", bitvec(max(4, (2 * len(self.graph.nodes)).bit_length())))

    def before(self, a: int, b: int) -> Term:
        """Node ``a`` happens before node ``b``."""
        t = self.terms
        if self.static.is_before(a, b):
            return t.true
        if a == b or self.static.is_before(b, a):
            return t.false
        if self.order_encoding is OrderEncoding.CLOCKS:
            return t.ult(self.clock(a), self.clock(b))
        key = (min(a, b), max(a, b))
        literal = self.literals.get(key)
        if literal is None:
            literal = self.literals[key] = t.var(f"!order{key[0]}:{key[1]}", BOOL)
        return literal if a < b else t.not_(literal)

    def adjacent(self, a: int, b: int) -> Term:
        """No other node happens between two nodes."""
        t = self.terms
        if self.order_encoding is OrderEncoding.CLOCKS:
            one = t.bv(1, t.width(self.clock(a)))
            return t.and_(t.ult(self.clock(a), self.clock(b)), t.eq(self.clock(b), t.add(self.clock(a), one)))
        key = (min(a, b), max(a, b))
        literal = self._adjacent.get(key)
        if literal is None:
            literal = self._adjacent[key] = t.var(f"!next{key[0]}:{key[1]}", BOOL)
        return literal

    def _encode_order(self) -> None:
        t, add = self.terms, self.result.formulas.append
        if self.order_encoding is OrderEncoding.CLOCKS:
            for a, b in dict.fromkeys(self.static.edges):
                add(t.ult(self.clock(a), self.clock(b)))
            return
        for one, other in self._implied():
            add(t.implies(self.before(*one), self.before(*other)))

    def _implied(self) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Pairs of literals such that the first implies the second: the same, or later or earlier nodes."""
        nodes = self.graph.nodes
        rows: dict[tuple[int, int], list[int]] = {}
        for a, b in self.literals:
            rows.setdefault((a, nodes[b].thread), []).append(b)
            rows.setdefault((b, nodes[a].thread), []).append(a)
        for (a, _), others in rows.items():
            others.sort()
            for b, later in pairwise(others):
                yield (a, b), (a, later)
                yield (later, a), (b, a)

    # --- models -----------------------------------------------------------------------------------

    def edges_of(self, value: Callable[[Term], bool]) -> list[tuple[int, int]]:
        """The order that a model needs, apart from the static one."""
        found: dict[tuple[int, int], None] = {}

        def need(a: int, b: int) -> None:
            if not self.static.is_before(a, b):
                found[a, b] = None

        for obligation in self._obligations:
            if value(obligation.rf):
                for a, b in self._kept(obligation, value):
                    need(a, b)
        for literal, happens, write, waiting in self._finals:
            if value(literal) and value(happens):
                need(write, waiting)
        for end in self.graph.ends:
            if value(self.occurs[end]):
                for a, b in self.literals:
                    if end in (a, b):
                        need(*((a, b) if value(self.before(a, b)) else (b, a)))
        return list(found)

    def _kept(self, obligation: _Obligation, value: Callable[[Term], bool]) -> Iterator[tuple[int, int]]:
        """How a model keeps an obligation."""
        yield obligation.writer, obligation.reader
        for happens, other, earlier in obligation.others:
            if value(happens):
                yield (other, obligation.writer) if value(earlier) else (obligation.reader, other)

    def cycle_clause(self, cycle: Cycle) -> Term | None:
        """The clause that a cycle justifies; None if it does not justify any.

        At most one link may say that two nodes are next to each other: then others have to lead through a
        third node, which would be between them.
        """
        nodes = [link.source for link in cycle]
        is_closed = [link.target for link in cycle] == nodes[1:] + nodes[:1]
        neighbours = sum(link.is_next for link in cycle)
        if not is_closed or len(set(nodes)) < len(nodes) or neighbours > 1 or len(cycle) < 2 + neighbours:
            return None
        literals = [
            self.adjacent(link.source, link.target) if link.is_next else self.before(link.source, link.target)
            for link in cycle
        ]
        return self.terms.or_(*(self.terms.not_(literal) for literal in literals))


def _overlap(t: Terms, one: Touch, other: Touch) -> Term:
    """The two accesses have a byte in common; objects are never at the end of the address space."""
    width = t.width(one.address)
    return t.and_(
        t.ult(one.address, t.add(other.address, t.bv(other.size, width))),
        t.ult(other.address, t.add(one.address, t.bv(one.size, width))),
    )
