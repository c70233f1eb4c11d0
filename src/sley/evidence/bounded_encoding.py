"""Events as a formula: who reads from whom, and that there is one order in which it all happens.

For every read a candidate write is chosen; it has to be before the read, and no other write to the variable
between the two. What that means for the order is left to facts (see ``bounded_facts``) and one of two
encodings:

* ``clocks``: every node has a clock, and what the facts mean are comparisons of clocks.
* ``cycles``: nothing is said at first; clauses exclude facts that do not go together, conflict by conflict.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from sley.base.budget import Budget
from sley.evidence.bounded_events import (
    EventGraph,
    Read,
    Touch,
    Wait,
    Write,
    may_overlap,
    overlap,
    static_order,
)
from sley.evidence.bounded_facts import Conflict, Edge, Fact, Kind
from sley.evidence.bounded_pruning import Pruning, relevant_symbols
from sley.evidence.bounded_ranges import bounds_of_reads, high_bits_are_zero
from sley.evidence.bounded_sums import Sum, find_sums, settle_sums
from sley.evidence.bounded_symmetry import symmetry_order
from sley.logic.sorts import BOOL, bitvec
from sley.logic.terms import Term, Terms


class OrderEncoding(Enum):
    """How the order of events is put into formulas."""

    CYCLES = "cycles"
    """Cycles are excluded, the short ones at once, others when they come up."""
    CLOCKS = "clocks"
    """Every event has a clock."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A read, the writes that it may copy, and those that may come in between."""

    read: Read
    matters: Term
    copied: tuple[tuple[Term, Write], ...]
    """Of each candidate the literal that it is the one."""
    rivals: tuple[Write, ...]


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
    choices: list[Choice] = field(default_factory=list)
    orders: list[Edge] = field(default_factory=list)
    """Edges that follow from facts, apart from what reads and rivals mean."""
    counts: dict[str, int | float] = field(default_factory=dict)


class Encoder:
    """Builds the formula of one event graph."""

    def __init__(
        self,
        terms: Terms,
        graph: EventGraph,
        order: OrderEncoding,
        budget: Budget,
        *,
        prunes: bool = True,
        uses_symmetry: bool = True,
        may_copy: Callable[[Read, Write], bool] | None = None,
    ) -> None:
        self.terms = terms
        self.graph = graph
        self.order_encoding = order
        self.budget = budget
        self.uses_symmetry = uses_symmetry
        self.may_copy = may_copy
        """Which writes a read may copy where that is restricted: then only what is found counts."""
        self.sums = {found.variable: found for found in find_sums(terms, graph)} if prunes else {}
        self.static = static_order(graph)
        self.pruning = Pruning(terms, graph, self.static, prunes=prunes)
        self.result = Encoding(terms.false)
        self.occurs: list[Term] = []
        self.literals: dict[Fact, Term] = {}
        """What says in the formula that a fact holds."""
        self._names: dict[Term, Term] = {}
        self._needs: dict[Term, list[Term]] = {}
        """A name, or a literal that implies something -> what it depends on."""
        self._writes: dict[Term, list[Write]] = {}

    # --- the formula ------------------------------------------------------------------------------

    def encode(self, *, finds_races: bool, finds_deadlocks: bool) -> Encoding:
        """The whole formula."""
        self._add_initial_writes()
        if self.uses_symmetry and not (finds_races and self._has_races()):
            edges = symmetry_order(self.terms, self.graph)
            self.result.counts["threads in order"] = len(edges)
            self.static = static_order(self.graph, edges)
            self.pruning.static = self.static
        settle_sums(self.terms, self.graph, self.static, self.sums.values())
        for name, meaning in self.graph.definitions:
            self._needs[name] = [meaning]
            self.result.formulas.append(self.terms.eq(name, meaning))
        self.occurs = [self.named(node.occurs) for node in self.graph.nodes]
        variables = self.graph.variables()
        self._writes = {variable: writes for variable, (_, writes) in variables.items()}
        wrong = list(self._violations())
        if finds_races:
            wrong.extend(self._races())
        if finds_deadlocks:
            wrong.extend(self._deadlocks())
        self.result.wrong = self.terms.or_(*wrong)
        self._encode_reads(variables.values())
        if self.order_encoding is OrderEncoding.CLOCKS:
            self._encode_clocks()
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
            self._needs[found] = [term]
            self.result.formulas.append(t.eq(found, term))
        return found

    def _new(self, name: str, implies: Term) -> Term:
        """A literal that implies a term."""
        literal = self.terms.var(name, BOOL)
        self._needs[literal] = [implies]
        self.result.formulas.append(self.terms.implies(literal, implies))
        return literal

    def fact(self, literal: Term, kind: Kind, a: int, b: int = -1, variable: Term | None = None) -> Fact:
        """The fact that a literal stands for."""
        made = Fact(kind, a, b) if variable is None else Fact(kind, a, b, variable)
        self.literals[made] = literal
        return made

    def written(self, write: Write) -> Fact:
        """That a write happens."""
        return self.fact(self.named(write.condition), Kind.WRITES, write.node, -1, write.variable)

    def clause(self, conflict: Conflict) -> Term | None:
        """Not all of these facts hold; None if some of them is not part of the formula."""
        if not all(fact in self.literals for fact in conflict):
            return None
        return self.terms.or_(*(self.terms.not_(self.literals[fact]) for fact in sorted(conflict, key=_rank)))

    # --- reads ------------------------------------------------------------------------------------

    def _encode_reads(self, variables: Collection[tuple[list[Read], list[Write]]]) -> None:
        before = reads_count = 0
        sizes: list[int] = []
        possible = {
            read.symbol: (read, self.pruning.candidates(read, writes))
            for reads, writes in variables
            for read in reads
            if read.variable not in self.sums
        }
        relevant = self._relevant({s: (r, c.visible) for s, (r, c) in possible.items()})
        for reads, writes in variables:
            for read in reads:
                self.budget.spend()
                reads_count += 1
                before += len(writes)
                if self.pruning.prunes and read.symbol not in relevant:
                    continue
                if read.variable in self.sums:
                    self._encode_sum(self.sums[read.variable], read, writes)
                else:
                    visible, copied = possible[read.symbol][1]
                    sizes.append(self._encode_choice(read, visible, copied))
        if self.pruning.prunes:
            self._encode_bounds()
        self.result.counts |= {
            "nodes": len(self.graph.nodes),
            "reads": reads_count,
            "writes": sum(len(writes) for _, writes in variables),
            "candidates before pruning": before,
            "candidates": sum(sizes),
            "candidates per read": round(sum(sizes) / max(1, len(sizes)), 2),
            "most candidates": max(sizes, default=0),
            "formulas": len(self.result.formulas),
        }

    def _encode_bounds(self) -> None:
        """Values that reads cannot have."""
        choices = [(choice.read, [w for _, w in choice.copied]) for choice in self.result.choices]
        chain = sum(bool(node.writes) for node in self.graph.nodes)
        for symbol, bounds in bounds_of_reads(self.terms, choices, chain).items():
            self.result.formulas.append(high_bits_are_zero(self.terms, symbol, bounds))

    def _relevant(self, possible: dict[Term, tuple[Read, list[Write]]]) -> frozenset[Term]:
        """The symbols that any answer or any replay depends on."""
        graph = self.graph
        roots = [self.result.wrong, *(cut.condition for cut in graph.cuts)]
        roots += [trouble.condition for trouble in graph.troubles]
        roots += [making.condition for events in graph.threads for making in events.makings]
        needs = dict(self._needs)
        for symbol, (read, writes) in possible.items():
            needs[symbol] = [self.pruning.matters(read)]
            needs[symbol] += [part for w in writes for part in (w.condition, w.value)]
        for found in self.sums.values():
            for read in found.reads:
                needs[read.symbol] = [self.pruning.matters(read), *found.parts(read)]
        return relevant_symbols(self.terms, roots, needs)

    def _encode_choice(self, read: Read, visible: Sequence[Write], copied: Sequence[Write]) -> int:
        """Choose a write; the number of candidates."""
        t, add = self.terms, self.result.formulas.append
        matters = self.pruning.matters(read)
        if matters == t.false:
            return 0
        if self.may_copy is not None:
            copied = [write for write in copied if self.may_copy(read, write)]
        occurs = self.named(matters)
        choices: list[tuple[Term, Write]] = []
        for write in copied:
            rf = occurs if len(copied) == 1 else t.var(f"!rf{read.symbol}:{write.node}", BOOL)
            self.fact(rf, Kind.READS, read.node, write.node, read.variable)
            choices.append((rf, write))
            happens = self.named(write.condition)
            if happens != t.true:
                add(t.implies(rf, happens))
            add(t.implies(rf, t.eq(read.symbol, write.value)))
        if len(copied) != 1:
            add(t.implies(occurs, t.or_(*(rf for rf, _ in choices))))
        for write in visible:
            self.written(write)
        self.result.choices.append(Choice(read, occurs, tuple(choices), tuple(visible)))
        return len(copied)

    def _encode_sum(self, found: Sum, read: Read, writes: Sequence[Write]) -> None:
        """What a read of a sum sees: all that was added before it."""
        t = self.terms
        added: list[tuple[int, Term]] = []
        for write in writes:
            if write.node in (0, read.node) or self.static.is_before(read.node, write.node):
                continue
            condition = self.named(write.condition)
            if not self.static.is_before(write.node, read.node):
                literal = t.var(f"!sum{read.symbol}:{write.node}", BOOL)
                after = self.fact(literal, Kind.AFTER, read.node, write.node, read.variable)
                before = self.fact(t.not_(literal), Kind.BEFORE, read.node, write.node, read.variable)
                happens = self.written(write)
                self.result.orders.append(Edge(write.node, read.node, frozenset({after, happens})))
                self.result.orders.append(Edge(read.node, write.node, frozenset({before, happens})))
                condition = t.and_(condition, literal)
            added.append((write.node, condition))
        self.result.formulas.append(t.eq(read.symbol, found.total(t, added)))

    # --- violations -------------------------------------------------------------------------------

    def _must_not_be_over(self, reason: Fact, *nodes: int) -> None:
        """The process has not ended before some nodes."""
        for end in self.graph.ends:
            ended = self.fact(self.occurs[end], Kind.ENDS, end)
            self._needs[self.literals[reason]].append(self.occurs[end])
            self.result.orders.extend(
                Edge(node, end, frozenset({reason, ended})) for node in nodes if node != end
            )

    def _may_be_in_time(self, node: int) -> bool:
        """Whether the process has not surely ended before a node."""
        t, known = self.terms, self.pruning.parts(self.graph.nodes[node].occurs)
        return (
            not any(
                self.static.is_before(end, node) and self.pruning.parts(self.graph.nodes[end].occurs) <= known
                for end in self.graph.ends
            )
            and self.occurs[node] != t.false
        )

    def _violations(self) -> Iterator[Term]:
        for position, violation in enumerate(self.graph.violations):
            if self._may_be_in_time(violation.node):
                literal = self._new(f"!wrong{position}", self.occurs[violation.node])
                self.result.is_violation[literal] = position
                self._must_not_be_over(self.fact(literal, Kind.FAILS, violation.node), violation.node)
                yield literal

    def _races(self) -> Iterator[Term]:
        """Two accesses next to each other in the order."""
        touches = [touch for node in self.graph.nodes for touch in node.touches]
        for index, one in enumerate(touches):
            self.budget.spend()
            for other in touches[index + 1 :]:
                if not self._may_race(one, other):
                    continue
                meet = overlap(self.terms, one, other)
                happen = [*(self._takes_part(touch) for touch in (one, other)), meet]
                holds = self.terms.and_(*happen)
                if holds == self.terms.false:
                    continue
                literal = self._new(f"!race{len(self.result.is_race)}", holds)
                self.result.is_race[literal] = (one, other)
                self._must_not_be_over(
                    self.fact(literal, Kind.MEETS, one.node, other.node), one.node, other.node
                )
                yield literal

    def _has_races(self) -> bool:
        """Whether two accesses may race as far as the order of every run tells."""
        touches = [touch for node in self.graph.nodes for touch in node.touches]
        return any(
            self._may_race(one, other) and may_overlap(self.terms, one, other)
            for index, one in enumerate(touches)
            for other in touches[index + 1 :]
        )

    def _may_race(self, one: Touch, other: Touch) -> bool:
        """Whether two accesses conflict, and nothing keeps them apart in every run."""
        nodes = self.graph.nodes
        return (
            (one.is_write or other.is_write)
            and not (one.is_atomic and other.is_atomic)
            and nodes[one.node].thread != nodes[other.node].thread
            and not self.static.is_ordered(one.node, other.node)
            and one.locks.isdisjoint(other.locks)
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
            if self.occurs[wait.node] == t.false:
                continue
            thread = self.graph.nodes[wait.node].thread
            literal = self._stuck(wait)
            stuck[thread].append(literal)
            if wait.holder is not None:
                here = self._new(f"!circle{wait.node}", literal)
                self._must_not_be_over(self.fact(here, Kind.FAILS, wait.node), wait.node)
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
                literal = self._new(f"!deadlock{len(self.result.is_deadlock)}", holds)
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
        reason = self.fact(literal, Kind.WAITS, wait.node)
        others: list[Term] = []
        for variable in self.graph.nodes[wait.node].reads:
            if t.name(variable).endswith("!detached"):
                continue
            for write in self._writes[variable]:
                if write.node == wait.node or self.static.is_before(write.node, wait.node):
                    continue
                if self.static.is_before(wait.node, write.node):
                    holds.append(t.not_(self.named(write.condition)))
                else:
                    facts = frozenset({reason, self.written(write)})
                    others.append(write.condition)
                    self.result.orders.append(Edge(write.node, wait.node, facts))
        self.result.formulas.append(t.implies(literal, t.and_(*holds)))
        self._needs[literal] = [*holds, *others]
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

    # --- clocks -----------------------------------------------------------------------------------

    def clock(self, node: int) -> Term:
        """When a node happens."""
        return self.terms.var(f"!clock{node}", bitvec(max(4, (2 * len(self.graph.nodes)).bit_length())))

    def _before(self, a: int, b: int) -> Term:
        if self.static.is_before(a, b):
            return self.terms.true
        if a == b or self.static.is_before(b, a):
            return self.terms.false
        return self.terms.ult(self.clock(a), self.clock(b))

    def _encode_clocks(self) -> None:
        """Every fact becomes a comparison of clocks."""
        t, add = self.terms, self.result.formulas.append
        for a, b in self.static.edges:
            add(t.ult(self.clock(a), self.clock(b)))
        for edge in self.result.orders:
            add(t.or_(*(t.not_(self.literals[fact]) for fact in edge.facts), self._before(edge.a, edge.b)))
        for literal, (one, other) in self.result.is_race.items():
            a, b = self.clock(one.node), self.clock(other.node)
            step = t.bv(1, t.width(a))
            add(t.implies(literal, t.or_(t.eq(a, t.add(b, step)), t.eq(b, t.add(a, step)))))
        for choice in self.result.choices:
            for rf, write in choice.copied:
                add(t.implies(rf, self._before(write.node, choice.read.node)))
                for rival in choice.rivals:
                    if rival is not write and not self.static.is_before(rival.node, write.node):
                        happens = self.named(rival.condition)
                        earlier = self._before(rival.node, write.node)
                        later = self._before(choice.read.node, rival.node)
                        add(t.or_(t.not_(rf), t.not_(happens), earlier, later))


def _rank(fact: Fact) -> tuple[str, int, int, int]:
    return (fact.kind.value, fact.a, fact.b, fact.variable)
