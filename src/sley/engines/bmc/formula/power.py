"""The axioms of Power: section 6 of *Herding Cats*, by rules (see ``hardware``)."""

from collections.abc import Iterable, Iterator
from itertools import product

from sley.engines.bmc.events.dependencies import Sources
from sley.engines.bmc.events.machine import MachineEvent
from sley.engines.bmc.formula.machine import Machine
from sley.engines.bmc.formula.total import TotalOrder
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program.instructions import Barrier

Pair = tuple[int, int]
Edge = tuple[tuple[Term, ...], int, int]
"""If the literals hold, one event is related to another."""


class Derived:
    """A relation that rules derive: a literal for each pair for which there is one."""

    def __init__(self, m: Machine, name: str) -> None:
        self.m = m
        self.name = name
        self.pairs: dict[Pair, Term] = {}
        self.after: dict[int, list[int]] = {}
        """For each event those that it may be related to."""
        self.before: dict[int, list[int]] = {}

    def add(self, literals: tuple[Term, ...], a: int, b: int) -> bool:
        """A way to be related; whether it is the first for this pair."""
        if self.m.terms.false in literals:
            return False
        is_new = (a, b) not in self.pairs
        if is_new:
            self.pairs[a, b] = self.m.terms.var(f"!{self.name}{a}:{b}", BOOL)
            self.after.setdefault(a, []).append(b)
            self.before.setdefault(b, []).append(a)
        self.m.rule(*literals, then=self.pairs[a, b])
        return is_new

    def edges(self) -> Iterator[Edge]:
        """All its pairs."""
        for (a, b), literal in self.pairs.items():
            yield (literal,), a, b

    def to(self, a: int) -> Iterator[tuple[Term, int]]:
        """What an event may be related to, with literals."""
        for b in self.after.get(a, ()):
            yield self.pairs[a, b], b


def closed(m: Machine, name: str, edges: Iterable[Edge]) -> Derived:
    """The transitive closure of a relation."""
    known = list(edges)
    found, from_ = Derived(m, name), dict[int, list[Edge]]()
    for edge in known:
        from_.setdefault(edge[1], []).append(edge)
    waiting = [(a, b) for literals, a, b in known if found.add(literals, a, b)]
    while waiting:
        a, b = waiting.pop()
        for literals, _, c in from_.get(b, ()):
            if found.add((found.pairs[a, b], *literals), a, c):
                waiting.append((a, c))
    return found


def led_to(m: Machine, name: str, edges: Iterable[Edge], target: Derived) -> Derived:
    """A relation, and then maybe another: ``edges; target?``."""
    found = Derived(m, name)
    for literals, a, b in edges:
        found.add(literals, a, b)
        for literal, c in target.to(b):
            found.add((*literals, literal), a, c)
    return found


def led_by(m: Machine, name: str, edges: Iterable[Edge], target: Derived) -> Derived:
    """A relation any number of times, and then another: ``edges*; target``."""
    found, to = Derived(m, name), dict[int, list[Edge]]()
    for edge in edges:
        to.setdefault(edge[2], []).append(edge)
    waiting = [(a, b) for literals, a, b in target.edges() if found.add(literals, a, b)]
    while waiting:
        b, c = waiting.pop()
        for literals, a, _ in to.get(b, ()):
            if found.add((*literals, found.pairs[b, c]), a, c):
                waiting.append((a, c))
    return found


# --- preserved program order ------------------------------------------------------------------------------


class Preserved:
    """The fixpoint of figure 25: ii, ci, ic and cc, of events of one thread."""

    def __init__(self, m: Machine) -> None:
        self.m = m
        self.ii, self.ci = Derived(m, "ii"), Derived(m, "ci")
        self.ic, self.cc = Derived(m, "ic"), Derived(m, "cc")
        self.waiting: list[tuple[Derived, int, int]] = []
        for relation, edges in (
            (self.ii, self._ii0()),
            (self.ci, self._ci0()),
            (self.cc, self._cc0()),
        ):
            for literals, a, b in edges:
                self._add(relation, literals, a, b)
        while self.waiting:
            self._go_on(*self.waiting.pop())

    def _add(self, relation: Derived, literals: tuple[Term, ...], a: int, b: int) -> None:
        if relation.add(literals, a, b):
            self.waiting.append((relation, a, b))

    def _go_on(self, relation: Derived, a: int, b: int) -> None:
        """All rules in which a pair that is new may take part, with pairs that are not."""
        ii, ci, ic, cc = self.ii, self.ci, self.ic, self.cc
        literal = relation.pairs[a, b]
        contained = {ci: (ii, cc), ii: (ic,), cc: (ic,), ic: ()}
        for larger in contained[relation]:
            self._add(larger, (literal,), a, b)
        for first, second, result in (
            (ic, ci, ii),
            (ii, ii, ii),
            (ci, ii, ci),
            (cc, ci, ci),
            (ic, cc, ic),
            (ii, ic, ic),
            (ci, ic, cc),
            (cc, cc, cc),
        ):
            if relation is first:
                for other, c in list(second.to(b)):
                    self._add(result, (literal, other), a, c)
            if relation is second:
                for x in list(first.before.get(a, ())):
                    self._add(result, (first.pairs[x, a], literal), x, b)

    def edges(self) -> Iterator[Edge]:
        """The relation ppo = (ii & RR) | (ic & RW)."""
        events = self.m.events
        for relation, is_write in ((self.ii, False), (self.ic, True)):
            for (a, b), literal in relation.pairs.items():
                if events[a].reads and (events[b].writes if is_write else events[b].reads):
                    yield (literal,), a, b

    def _dp(self) -> Iterator[Edge]:
        for event in self.m.events:
            found = self.m.formula.graph.nodes[event.node].dependencies
            yield from self._from(event, found.address)
            if event.writes:
                yield from self._from(event, found.data)

    def _from(self, event: MachineEvent, sources: Sources) -> Iterator[Edge]:
        for literal, read in self.m.depends(event, sources):
            yield (literal,), read.number, event.number

    def _ii0(self) -> Iterator[Edge]:
        """The relations dp, rdw = po-loc & (fre; rfe), and rfi."""
        yield from self._dp()
        m = self.m
        for variable, reads in m.readers.items():
            for read in reads:
                for copy, source in m.sources(read, variable):
                    if source.thread == read.thread and source.node:
                        yield (copy,), source.number, read.number
                    elif source.node:
                        yield from self._read_different_writes(variable, read, copy, source)

    def _read_different_writes(
        self, variable: Term, read: MachineEvent, copy: Term, source: MachineEvent
    ) -> Iterator[Edge]:
        for earlier in self.m.readers[variable]:
            if self._is_line(earlier, read):
                yield (copy, self.m.fr(earlier, source, variable)), earlier.number, read.number

    def _is_line(self, a: MachineEvent, b: MachineEvent) -> bool:
        return bool(a.node) and a.thread == b.thread and self.m.made.is_first(a, b)

    def _ci0(self) -> Iterator[Edge]:
        """The relations ctrl+cfence, and detour = po-loc & (coe; rfe)."""
        m = self.m
        for event in m.events:
            yield from self._from(event, m.formula.graph.nodes[event.node].dependencies.fenced)
        for variable, reads in m.readers.items():
            for read, write in product(reads, m.writers.get(variable, ())):
                for copy, source in m.sources(read, variable) if self._is_line(write, read) else ():
                    if source.thread != read.thread and source.node:
                        away = (m.does_write(write, variable), m.co(write, source, variable))
                        yield (copy, *away), write.number, read.number

    def _cc0(self) -> Iterator[Edge]:
        """The relations dp, po-loc, ctrl, and addr; po."""
        m = self.m
        yield from self._dp()
        for event in m.events:
            found = m.formula.graph.nodes[event.node].dependencies
            yield from self._from(event, found.control)
            for literal, read in m.depends(event, found.address):
                for later in m.events:
                    if self._is_line(event, later):
                        yield (literal, m.occurs(later)), read.number, later.number
        for first, second in m.po_pairs():
            for variable in {*first.reads, *first.writes} & {*second.reads, *second.writes}:
                yield (
                    (_accesses(m, first, variable), _accesses(m, second, variable)),
                    *_numbers(first, second),
                )


def _accesses(m: Machine, event: MachineEvent, variable: Term) -> Term:
    t = m.terms
    return m.formula.named(t.or_(event.reads.get(variable, t.false), event.writes.get(variable, t.false)))


def _numbers(a: MachineEvent, b: MachineEvent) -> Pair:
    return a.number, b.number


# --- happens before, propagation ----------------------------------------------------------------------------


class Propagation:
    """The relations hb and prop of Power."""

    def __init__(self, m: Machine) -> None:
        self.m = m
        self.ffence = [*self._fences(Barrier.FULL, Barrier.STORE_LOAD), *self._started()]
        light = self._fences(Barrier.LIGHTWEIGHT, Barrier.LOADS, Barrier.STORES)
        self.fences = [*self.ffence, *light]
        rfe = [((copy,), source.number, read.number) for copy, source, read in m.rfe]
        self.hb = closed(m, "hb", (*Preserved(m).edges(), *self.fences, *rfe))
        after_fence = led_to(m, "fenced", self.fences, self.hb)
        self.base = Derived(m, "base")
        for edge in after_fence.edges():
            self.base.add(*edge)
        for literals, a, b in rfe:
            for literal, c in after_fence.to(b):
                self.base.add((*literals, literal), a, c)
        strong = led_to(m, "strong", self.ffence, self.hb)
        self.strong = led_by(m, "com", communications(m), led_by(m, "bases", self.base.edges(), strong))

    def _fences(self, *barriers: Barrier) -> Iterator[Edge]:
        for first, second in self.m.po_pairs():
            literal = self.m.separated(first, second, *barriers)
            if literal != self.m.terms.false:
                yield (literal,), first.number, second.number

    def _started(self) -> Iterator[Edge]:
        """What a creation or a join keeps in order has a full fence between."""
        for first, second in self.m.started_pairs():
            yield self.m.both(first, second), first.number, second.number

    def prop(self) -> Iterator[Edge]:
        """(prop-base & WW) | (com*; prop-base*; ffence; hb*)."""
        events = self.m.events
        yield from self.strong.edges()
        for literals, a, b in self.base.edges():
            if events[a].writes and events[b].writes:
                yield literals, a, b


def communications(m: Machine) -> Iterator[Edge]:
    """The relation com = rf | co | fr."""
    yield from from_reads(m)
    yield from coherence(m)
    for variable, reads in m.readers.items():
        for read in reads:
            for copy, source in m.sources(read, variable):
                if source.node:
                    yield (copy,), source.number, read.number


def from_reads(m: Machine) -> Iterator[Edge]:
    """The relation fr."""
    for variable, reads in m.readers.items():
        for read in reads:
            for write in m.overwriters(read, variable):
                yield (m.does_write(write, variable), m.fr(read, write, variable)), *_numbers(read, write)


def coherence(m: Machine) -> Iterator[Edge]:
    """The relation co."""
    for variable, writes in m.writers.items():
        for one, other in product(writes, writes):
            if one.number != other.number and one.node and other.node:
                both = (m.does_write(one, variable), m.does_write(other, variable))
                yield (*both, m.co(one, other, variable)), *_numbers(one, other)


# --- axioms -------------------------------------------------------------------------------------------------


def acyclic(m: Machine, name: str, edges: Iterable[Edge]) -> None:
    """There is an order of the events that contains the relation."""
    known = list(edges)
    numbers = sorted({number for _, a, b in known for number in (a, b)})
    order = TotalOrder(m.terms, f"!{name}", numbers, lambda _a, _b: False)
    for clause in order.clauses():
        m.clause(*clause)
    for literals, a, b in known:
        m.rule(*literals, then=order.before(a, b))


def sections_at_once(m: Machine) -> None:
    """Sections happen at once: acyclic(com); without sections that is part of SC PER LOCATION."""
    if any(len({*event.reads, *event.writes}) > 1 for event in m.events if event.node):
        acyclic(m, "at", communications(m))


def no_thin_air(p: Propagation) -> None:
    """NO THIN AIR: acyclic(hb)."""
    for (a, b), literal in p.hb.pairs.items():
        if a == b:
            p.m.never(literal)


def observation(p: Propagation) -> None:
    """OBSERVATION: irreflexive(fre; prop; hb*)."""
    m = p.m
    seen = led_to(m, "seen", p.prop(), p.hb)
    for literals, read, write in from_reads(m):
        if m.events[read].thread != m.events[write].thread and (write, read) in seen.pairs:
            m.never(*literals, seen.pairs[write, read])


def propagation(p: Propagation) -> None:
    """PROPAGATION: acyclic(co | prop)."""
    acyclic(p.m, "prop", (*coherence(p.m), *p.prop()))


def power(m: Machine) -> None:
    """All of them."""
    sections_at_once(m)
    relations = Propagation(m)
    for axiom in (no_thin_air, observation, propagation):
        m.formula.budget.check()
        axiom(relations)
