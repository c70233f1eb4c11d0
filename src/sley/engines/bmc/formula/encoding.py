"""Events as a formula: who reads from whom, and that there is one order in which it all happens.

For every read a candidate write is chosen; it has to be before the read, and no other write to the variable
between the two. ``before`` says that of two nodes one happens before the other: true or false where every run
has the same order, otherwise a literal. That the literals are an order is the business of ``order``.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sley.base.budget import Budget
from sley.engines.bmc.events.graph import (
    EventGraph,
    Read,
    Touch,
    Wait,
    Write,
    may_overlap,
    overlap,
    static_order,
)
from sley.engines.bmc.formula.order import Clause, OrderEncoding, PairOrder
from sley.engines.bmc.formula.pruning import Pruning, relevant_symbols
from sley.engines.bmc.formula.ranges import bounds_of_reads, high_bits_are_zero
from sley.engines.bmc.formula.sums import Sum, find_sums, settle_sums
from sley.engines.bmc.formula.symmetry import symmetry_order
from sley.logic.sorts import BOOL
from sley.logic.terms import Term, Terms
from sley.semantics.roles import DetachedRole, ThreadRole


@dataclass(frozen=True, slots=True)
class Form:
    """Which of several formulas is built."""

    order: OrderEncoding = OrderEncoding.CYCLES
    is_eager: bool = True
    """With cycles: those of three threads are excluded by the formula."""
    prunes: bool = True
    """What cannot matter is left out."""
    uses_symmetry: bool = True
    """Interchangeable threads begin in the order of their creation."""
    summarises: bool = True
    """What a thread does by itself is not part of the formula (see ``unrolling``)."""


class Order(NamedTuple):
    """If some literals hold, one node is before another."""

    literals: Clause
    a: int
    b: int


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
    is_circle: Term | None = None
    """A literal: some threads wait for each other."""
    is_stuck: dict[Term, int] = field(default_factory=dict)
    """A literal for each wait, with its node: the thread waits there for good."""
    is_in_circle: dict[Term, int] = field(default_factory=dict)
    """A literal for each wait for another thread, with its node: it may be part of a circle."""
    clauses: list[Clause] = field(default_factory=list)
    """What else has to hold, about the order: one of the literals of each."""
    choices: list[Choice] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    """Orders that follow from literals, apart from what choices mean."""
    counts: dict[str, int | float] = field(default_factory=dict)


class Encoder:
    """Builds the formula of one event graph."""

    def __init__(
        self,
        terms: Terms,
        graph: EventGraph,
        form: Form,
        budget: Budget,
        *,
        may_copy: Callable[[Read, Write], bool] | None = None,
    ) -> None:
        self.terms = terms
        self.graph = graph
        self.form = form
        self.budget = budget
        self.may_copy = may_copy
        """Which writes a read may copy where that is restricted: then only what is found counts."""
        self.sums = {found.variable: found for found in find_sums(terms, graph)} if form.prunes else {}
        self.static = static_order(graph)
        self.pruning = Pruning(terms, graph, self.static, prunes=form.prunes)
        self.result = Encoding(terms.false)
        self.occurs: list[Term] = []
        self.order = PairOrder(terms, graph, self.static)
        self._names: dict[Term, Term] = {}
        self._needs: dict[Term, list[Term]] = {}
        """A name, or a literal that implies something -> what it depends on."""
        self._writes: dict[Term, list[Write]] = {}
        self._ignored: set[Term] = set()
        """Symbols of reads that nothing depends on: they may have any value."""

    # --- the formula ------------------------------------------------------------------------------

    def encode(self, *, finds_races: bool, finds_deadlocks: bool) -> Encoding:
        """The whole formula."""
        self._add_initial_writes()
        if self.form.uses_symmetry and not (finds_races and self._has_races()):
            edges = symmetry_order(self.terms, self.graph)
            self.result.counts["threads in order"] = len(edges)
            self.static = static_order(self.graph, edges)
            self.pruning.static = self.order.static = self.static
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
        self._encode_copies()
        if self.form.order is OrderEncoding.CLOCKS:
            self.result.formulas.extend(self.order.by_clocks())
        else:
            self.order.exclude_cycles(is_eager=self.form.is_eager)
        self.result.clauses = self.order.clauses
        self.result.counts["order literals"] = len(self.order.literals)
        self.result.counts["clauses about order"] = len(self.order.clauses)
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

    def _ordered(self, literals: Clause, a: int, b: int) -> None:
        """If the literals hold, one node is before another."""
        self.result.orders.append(Order(literals, a, b))
        self.order.clause(*(self.terms.not_(literal) for literal in literals), self.order.before(a, b))

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
                    self._ignored.add(read.symbol)
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
            choices.append((rf, write))
            happens = self.named(write.condition)
            if happens != t.true:
                add(t.implies(rf, happens))
            add(t.implies(rf, t.eq(read.symbol, write.value)))
        if len(copied) != 1:
            add(t.implies(occurs, t.or_(*(rf for rf, _ in choices))))
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
            is_before = self.order.before(write.node, read.node)
            if is_before != t.true:
                matters = self.named(self.pruning.matters(read))
                self.result.orders.append(Order((matters, condition, is_before), write.node, read.node))
                self.result.orders.append(
                    Order((matters, condition, t.not_(is_before)), read.node, write.node)
                )
            added.append((write.node, t.and_(condition, is_before)))
        self.result.formulas.append(t.eq(read.symbol, found.total(t, added)))

    # --- violations -------------------------------------------------------------------------------

    def _must_not_be_over(self, reason: Term, *nodes: int) -> None:
        """The process has not ended before some nodes."""
        for end in self.graph.ends:
            is_over = self.named(end.condition)
            self._needs[reason].append(is_over)
            for node in nodes:
                if node != end.node:
                    self._ordered((reason, is_over), node, end.node)

    def _violations(self) -> Iterator[Term]:
        for position, violation in enumerate(self.graph.violations):
            if self.occurs[violation.node] != self.terms.false:
                literal = self._new(f"!wrong{position}", self.occurs[violation.node])
                self.result.is_violation[literal] = position
                self._must_not_be_over(literal, violation.node)
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
                freed = [touch.freed for touch in (one, other) if touch.freed is not None]
                if freed:  # of two that free the block only the first one finds it
                    happen.append(self.terms.or_(*freed))
                holds = self.terms.and_(*happen, self.order.adjacent(one.node, other.node))
                if holds == self.terms.false:
                    continue
                literal = self._new(f"!race{len(self.result.is_race)}", holds)
                self.result.is_race[literal] = (one, other)
                self._must_not_be_over(literal, one.node, other.node)
                for inside, outside in ((one, other), (other, one)):
                    if inside.is_inside and not outside.is_inside:  # so that it completes before the write
                        self._ordered((literal,), inside.node, outside.node)
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
                here = self._in_circle(wait, literal)
                self._must_not_be_over(here, wait.node)
                for other in range(len(threads)):
                    is_holder = t.eq(wait.holder, t.bv(other + 1, t.width(wait.holder)))
                    known = waits_for.get((thread, other), t.false)
                    waits_for[thread, other] = t.or_(known, t.and_(here, is_holder))
        self._let_spoil_later()
        exited: list[list[Term]] = [[] for _ in threads]
        for exit_ in self.graph.exits:
            exited[self.graph.nodes[exit_.node].thread].append(self.named(exit_.condition))
        everywhere = t.and_(
            *(t.not_(self.named(end.condition)) for end in self.graph.ends),
            t.or_(*(literal for of in stuck for literal in of)),
            *(
                t.or_(t.not_(events.occurs), *exited[thread], *stuck[thread])
                for thread, events in enumerate(threads)
            ),
        )
        if everywhere != t.false:
            yield self._new("!deadlock", everywhere)
        circle = self._circle(waits_for)
        if circle != t.false:
            self.result.is_circle = self._new("!circle", circle)
            yield self.result.is_circle

    def _stuck(self, wait: Wait) -> Term:
        """A literal that implies: a thread waits, and nothing that it waits for changes any more."""
        literal = self._waiting(f"!stuck{wait.node}", wait, list(self._changes(wait)))
        self.result.is_stuck[literal] = wait.node
        return literal

    def _in_circle(self, wait: Wait, stuck: Term) -> Term:
        """As ``stuck``, but those who do not hold the lock may write to it (see ``_let_spoil_later``)."""
        changes, name = list(self._changes(wait)), f"!circle{wait.node}"
        own = [write for write in changes if not self._spoils(write)]
        literal = self._new(name, stuck) if own == changes else self._waiting(name, wait, own)
        self.result.is_in_circle[literal] = wait.node
        return literal

    def _waiting(self, name: str, wait: Wait, changes: Sequence[Write]) -> Term:
        """A literal that implies: a thread waits, and some changes were made before."""
        t = self.terms
        literal = t.var(name, BOOL)
        holds = [self.occurs[wait.node]]
        if wait.instead_of is not None:
            holds.append(t.not_(self.occurs[wait.instead_of]))
        for write in changes:
            self._ordered((literal, self.named(write.condition)), write.node, wait.node)
        self.result.formulas.append(t.implies(literal, t.and_(*holds)))
        self._needs[literal] = [*holds, *(write.condition for write in changes)]
        return literal

    def _changes(self, wait: Wait) -> Iterator[Write]:
        """Writes to what a thread waits for, unless they come before that in every run.

        Whether a thread is detached may change: nobody needs to know when.
        """
        for variable in self.graph.nodes[wait.node].reads:
            if not isinstance(self.terms.symbol(variable), DetachedRole):
                for write in self._writes[variable]:
                    if write.node != wait.node and not self.static.is_before(write.node, wait.node):
                        yield write

    def _spoils(self, write: Write) -> bool:
        """Whether a write to a lock may be by somebody who does not hold it."""
        is_of_thread = isinstance(self.terms.symbol(write.variable), ThreadRole)
        return write.variable in self.graph.stored and not is_of_thread

    def _let_spoil_later(self) -> None:
        """A write to a lock is before the wait for it, or after all waits of the circle."""
        t, circle = self.terms, self.result.is_in_circle
        here = {node: literal for literal, node in circle.items()}
        for wait in self.graph.waits:
            if wait.node not in here:
                continue
            for write in filter(self._spoils, self._changes(wait)):
                mine, happens = here[wait.node], self.named(write.condition)
                is_before = self.order.before(write.node, wait.node)
                self._needs[mine].append(write.condition)
                self.result.orders.append(Order((mine, happens, is_before), write.node, wait.node))
                for literal, node in circle.items():
                    self._ordered((mine, literal, happens, t.not_(is_before)), node, write.node)

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

    def _encode_copies(self) -> None:
        """What a read copies is before it, and no other write between the two."""
        t = self.terms
        for choice in self.result.choices:
            rivals = [
                (rival, t.not_(self.named(rival.condition)), self.order.before(choice.read.node, rival.node))
                for rival in choice.rivals
            ]
            for rf, write in choice.copied:
                not_rf = t.not_(rf)
                self.order.clause(not_rf, self.order.before(write.node, choice.read.node))
                for rival, is_missing, is_later in rivals:
                    if rival is not write:
                        is_earlier = self.order.before(rival.node, write.node)
                        self.order.clause(not_rf, is_missing, is_earlier, is_later)

    # --- models -----------------------------------------------------------------------------------

    def edges_of(self, value: Callable[[Term], bool]) -> list[tuple[int, int]]:
        """The order that a model needs, apart from the static one."""
        found: dict[tuple[int, int], None] = {}
        for literals, a, b in self.result.orders:
            if all(value(literal) for literal in literals):
                found[a, b] = None
        for choice in self.result.choices:
            for rf, write in choice.copied:
                if value(rf):
                    found.update(dict.fromkeys(self._kept(choice, write, value)))
                    break
        return [(a, b) for a, b in found if not self.static.is_before(a, b)]

    def is_decided(self, node: int) -> bool:
        """Whether a model tells if a node happens: that may depend on a read that does not matter."""
        occurs = self.graph.nodes[node].occurs
        return self._ignored.isdisjoint(relevant_symbols(self.terms, [occurs], self._needs))

    def _kept(self, choice: Choice, write: Write, value: Callable[[Term], bool]) -> Iterator[tuple[int, int]]:
        """How a model keeps apart what a read copies and other writes."""
        read = choice.read.node
        yield write.node, read
        for rival in choice.rivals:
            if rival is not write and value(self.named(rival.condition)):
                is_earlier = value(self.order.before(rival.node, write.node))
                yield (rival.node, write.node) if is_earlier else (read, rival.node)
