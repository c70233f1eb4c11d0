"""RC11 as its paper states it, relation by relation.

The paper: O. Lahav, V. Vafeiadis, J. Kang, C.-K. Hur, D. Dreyer, *Repairing Sequential Consistency in
C/C++11*, PLDI 2017. A literal for each pair that may be in a relation, a rule for each way to
be in it, and what must not be.

A rule says what follows; nothing says what does not. Every relation but rf and mo is used only to exclude
runs, or (happens-before) to say that there is no race: so the smallest that the rules allow admits all runs
that any other does.

Variables that are not accessed atomically are read as ever, along one order of all events that contains sb
and rf (NO-THIN-AIR): a plain access that does not race sees what happened before it, the last in any such
order.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise, permutations, product

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.evidence.bounded.axioms import Axioms, Read
from sley.evidence.bounded.events import Write
from sley.evidence.bounded.order import Order
from sley.evidence.bounded.weak_events import Access, Accesses
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program import instructions as ir

INITIAL = -1
"""The event of initial values, before everything."""

MOST_EVENTS = 400


class WeakAxioms(Axioms):
    """The formula of a set of events under C11."""

    def __init__(self, accesses: Accesses, order: Order, budget: Budget) -> None:
        super().__init__(accesses.terms, accesses.unrolling.result, order, {}, budget)
        self.accesses = accesses
        self.of_event = {(a.event, a.variable): a for a in accesses.all}
        self.by_variable: dict[Term, list[Access]] = {v: [] for v in accesses.variables}
        for access in accesses.all:
            if access.variable is not None:
                self.by_variable[access.variable].append(access)
        self.rf: dict[tuple[int, Term], list[tuple[Term, int]]] = {}
        """Of a read the events that it may read from, each with its literal."""
        self.copied: dict[tuple[int, Term], list[tuple[Term, int]]] = {}
        """The same of variables that are not atomic."""
        if len(self.events.events) > MOST_EVENTS:
            raise GaveUpError("too many events for a formula with weak orders")

    def _encode_more(self) -> None:
        for axiom in (
            self._happens_before,
            self._modification_order,
            self._coherence,
            self._atomicity,
            self._sequential,
        ):
            self.budget.check()
            axiom()

    def _needed(
        self, bad: Iterable[Term], meanings: Mapping[Term, Term], reads: Mapping[Term, Read]
    ) -> set[Term]:
        """Whatever is read may be what synchronises."""
        return {*meanings, *reads}

    def rule(self, *literals: Term, then: Term) -> None:
        """If the literals hold, so does another one."""
        self._clause(*(self.terms.not_(literal) for literal in literals), then)

    def never(self, *literals: Term) -> None:
        """The literals do not hold together."""
        self._clause(*(self.terms.not_(literal) for literal in literals))

    def _pair(self, name: str, a: Access, b: Access) -> Term:
        return self.terms.var(f"!{name}{a.event}:{b.event}:{a.variable}:{b.variable}", BOOL)

    # --- events -----------------------------------------------------------------------------------

    def happens(self, access: Access) -> Term:
        """A literal: it takes place."""
        return self._literal(access.happens)

    def writes(self, access: Access) -> Term:
        """A literal: it takes place, and writes."""
        return self._literal(access.writes)

    def may_write(self, access: Access) -> bool:
        """Whether it ever writes."""
        return access.writes != self.terms.false

    def _having(self, access: Access, has: Callable[[ir.Order], bool]) -> Term:
        """A literal: it takes place, with an order that has a property."""
        t, on_success, on_failure = self.terms, has(access.order), has(access.failure)
        if on_success == on_failure:
            return self.happens(access) if on_success else t.false
        written = access.writes if on_success else t.not_(access.writes)
        return self._literal(t.and_(access.happens, written))

    def is_sequential(self, access: Access) -> Term:
        """A literal: it takes place, and is seq_cst."""
        return self._having(access, lambda order: order is ir.Order.SEQUENTIAL)

    # --- rf ---------------------------------------------------------------------------------------

    def _reads(self) -> list[Read]:
        """Without what only looks like a read: of a cell that a store may hit, but does not."""
        return [
            read
            for read in super()._reads()
            if read.variable not in self.accesses.variables
            or self.of_event[read.event.number, read.variable].reads
        ]

    def _seen(self, read: Read, writes: list[Write]) -> Read:
        if read.variable not in self.accesses.variables:
            return super()._seen(read, writes)
        own = self.by_variable[read.variable]
        exact = [Write(a.event, a.writes, a.value) for a in own if self.may_write(a) and a.value is not None]
        later = [
            w
            for w in exact
            if w.event != read.event.number and not self.order.is_before(read.event.number, w.event)
        ]
        first = Write(INITIAL, self.terms.true, self.events.initial[read.variable])
        read.copied = [first, *later]
        return read

    def _read_from(self, read: Read) -> None:
        """An atomic read has the value of a write that happens, before it in the one order of all."""
        if read.variable not in self.accesses.variables:
            self.copied[read.event.number, read.variable] = []
            super()._read_from(read)
            return
        t, key = self.terms, (read.event.number, read.variable)
        happens = self.happens(self.of_event[key])
        self.rf[key] = []
        for write in read.copied:
            chosen = t.var(f"!from{read.symbol}:{write.event}", BOOL)
            self.rf[key].append((chosen, write.event))
            self._copies(read, write, chosen)
            self._happened(write, chosen)
            self._came_before(read, write, chosen)
            self.rule(chosen, then=happens)
        self._clause(t.not_(happens), *(chosen for chosen, _ in self.rf[key]))

    def _copies(self, read: Read, write: Write, chosen: Term) -> None:
        super()._copies(read, write, chosen)
        if read.variable not in self.accesses.variables:
            self.copied[read.event.number, read.variable].append((chosen, write.event))

    def sources(self, access: Access) -> list[tuple[Term, int]]:
        """rf: what an access may read from."""
        if access.variable is None:
            return []
        return self.rf.get((access.event, access.variable), [])

    # --- hb ---------------------------------------------------------------------------------------

    def hb(self, a: int, b: int) -> Term:
        """One event happens before another, if both happen."""
        if self.order.is_before(a, b):
            return self.terms.true
        if a == b or self.order.is_before(b, a):
            return self.terms.false
        return self.terms.var(f"!hb{a}:{b}", BOOL)

    @cached_property
    def of_thread(self) -> list[list[int]]:
        """The events of each thread, in order."""
        found: dict[int, list[int]] = {}
        for event in self.events.events:
            found.setdefault(event.thread, []).append(event.number)
        return list(found.values())

    def _happens_before(self) -> None:
        """The relation hb = (sb | sw)+."""
        numbers = range(len(self.events.events))
        for sw, release, acquire in self._synchronisations():
            self.budget.check()
            self.rule(sw, then=self.hb(release, acquire))
            for a in numbers:
                known = self.hb(a, release)
                if known != self.terms.false:
                    self.rule(known, sw, then=self.hb(a, acquire))
        for line in self.of_thread:
            for first, second in pairwise(line):
                for other in numbers:
                    self.rule(self.hb(other, first), then=self.hb(other, second))
                    self.rule(self.hb(second, other), then=self.hb(first, other))

    def _synchronisations(self) -> Iterator[tuple[Term, int, int]]:
        """sw, and what threads, locks and sections do: a literal, and the two events."""
        yield from self._by_accesses()
        yield from self._by_creation()
        yield from self._by_memory()

    def _by_creation(self) -> Iterator[tuple[Term, int, int]]:
        for thread, creator in enumerate(self.events.creations):
            own = [event.number for event in self.events.events if event.thread == thread]
            if creator is not None and own:
                yield self.terms.true, creator, own[0]

    def _by_memory(self) -> Iterator[tuple[Term, int, int]]:
        """What locks, joins and sections read of each other."""
        for (number, variable), found in self.copied.items():
            other = self.events.events[number]
            for chosen, source in found:
                if source != INITIAL and not self.events.events[source].is_first:
                    one = self.events.events[source]
                    for condition in self.accesses.passing(one, other, variable):
                        yield self._literal(self.terms.and_(chosen, condition)), source, number

    def _by_accesses(self) -> Iterator[tuple[Term, int, int]]:
        """The relation sw = [E⊒rel]; ([F]; sb)?; rs; rf; [R⊒rlx]; (sb; [F])?; [E⊒acq]."""
        for own in self.by_variable.values():
            self._release_sequences(own)
            for head, read in product(filter(self.may_write, own), own):
                if read.reads and read.order is not ir.Order.PLAIN:
                    yield from self._synchronises(head, read)

    def _synchronises(self, head: Access, read: Access) -> Iterator[tuple[Term, int, int]]:
        """The ways in which a release sequence is read."""
        seen = self._pair("syn", head, read)
        is_any = False
        for chosen, source in self.sources(read):
            last = self.of_event.get((source, head.variable))
            if last is not None and last.order is not ir.Order.PLAIN:
                is_any = True
                self.rule(chosen, self._rs(head, last), then=seen)
        if not is_any:
            return
        for releases, release in self._releases(head):
            for acquires, acquire in self._acquires(read):
                yield self._literal(self.terms.and_(seen, releases, acquires)), release, acquire

    def _rs(self, head: Access, last: Access) -> Term:
        """A write is in the release sequence of another."""
        return self._pair("rs", head, last)

    def _release_sequences(self, own: list[Access]) -> None:
        """The relation rs = [W]; sb|loc?; [W⊒rlx]; (rf; rmw)*."""
        writes = [a for a in own if self.may_write(a)]
        for head, last in product(writes, writes):
            is_later = head.thread == last.thread and head.event < last.event
            if last.order is not ir.Order.PLAIN and (head is last or is_later):
                self.rule(self.writes(head), self.writes(last), then=self._rs(head, last))
        for head, update in product(writes, (a for a in writes if a.is_update)):
            for chosen, source in self.sources(update):
                middle = self.of_event.get((source, update.variable))
                if middle is not None and middle.order is not ir.Order.PLAIN:
                    carried = (chosen, self.writes(update), self._rs(head, middle))
                    self.rule(*carried, then=self._rs(head, update))

    def _releases(self, head: Access) -> Iterator[tuple[Term, int]]:
        """[E⊒rel]; ([F]; sb)?: what is released by the beginning of a release sequence."""
        if head.order.releases:
            yield self.writes(head), head.event
        for fence in self._fences(head.thread):
            if fence.order.releases and fence.event < head.event:
                yield self._literal(self.terms.and_(fence.happens, head.writes)), fence.event

    def _acquires(self, read: Access) -> Iterator[tuple[Term, int]]:
        """(sb; [F])?; [E⊒acq]: what acquires what is read."""
        own = self._having(read, lambda order: order.acquires)
        if own != self.terms.false:
            yield own, read.event
        for fence in self._fences(read.thread):
            if fence.order.acquires and fence.event > read.event:
                yield self._literal(self.terms.and_(fence.happens, read.happens)), fence.event

    def _fences(self, thread: int) -> Iterator[Access]:
        return (a for a in self.accesses.all if a.variable is None and a.thread == thread)

    # --- mo, rb, eco --------------------------------------------------------------------------------

    def mo(self, a: Access, b: Access) -> Term:
        """Of two writes, one is before another in modification order."""
        if a.event > b.event:
            return self.terms.not_(self.mo(b, a))
        return self._pair("mo", a, b)

    def rb(self, read: Access, write: Access) -> Term:
        """A read comes before a write."""
        return self._pair("rb", read, write)

    def eco(self, a: Access, b: Access) -> Term:
        """The extended coherence order."""
        return self._pair("eco", a, b)

    def _modification_order(self) -> None:
        """The relation mo is total on the writes of each variable; rb = rf⁻¹; mo; eco = (rf | mo | rb)+."""
        for own in self.by_variable.values():
            for a, b in permutations(own, 2):
                if self.may_write(a) and self.may_write(b):
                    both = (self.writes(a), self.writes(b))
                    self.rule(*both, self.mo(a, b), then=self.eco(a, b))
                if a.reads and self.may_write(b):
                    self._reads_before(a, b)
                    self.rule(self.rb(a, b), self.writes(b), then=self.eco(a, b))
                for chosen, source in self.sources(b):
                    if source == a.event:
                        self.rule(chosen, then=self.eco(a, b))
            for a, b, c in permutations(own, 3):
                self.rule(self.eco(a, b), self.eco(b, c), then=self.eco(a, c))

    def _reads_before(self, read: Access, write: Access) -> None:
        for chosen, source in self.sources(read):
            if source == INITIAL:
                self.rule(chosen, then=self.rb(read, write))
            elif source != write.event:
                older = self.of_event[source, read.variable]
                self.rule(chosen, self.mo(older, write), then=self.rb(read, write))

    def _coherence(self) -> None:
        """COHERENCE: hb; eco? is irreflexive; so is eco, where an update is one event."""
        for own in self.by_variable.values():
            for a, b in permutations(own, 2):
                self.never(self.eco(a, b), self.eco(b, a))
                self.never(self.hb(a.event, b.event), self.happens(a), self.happens(b), self.eco(b, a))

    def _atomicity(self) -> None:
        """ATOMICITY: rmw ∩ (rb; mo) is empty."""
        for own in self.by_variable.values():
            for update, write in permutations(own, 2):
                if update.is_update and self.may_write(write):
                    between = (self.rb(update, write), self.writes(write), self.mo(write, update))
                    self.never(self.writes(update), *between)

    # --- SC ---------------------------------------------------------------------------------------

    def _sequential(self) -> None:
        """SC: psc_base | psc_F is acyclic."""
        false = self.terms.false
        events = [a for a in self.accesses.all if self.is_sequential(a) != false]
        if len(events) < 2:
            return
        for a, b in permutations(events, 2):
            self.budget.check()
            self._psc_base(a, b)
            if a.variable is None and b.variable is None:
                self._psc_fences(a, b)
            self.never(self.psc(a, b), self.psc(b, a))
        for a, b, c in permutations(events, 3):
            self.rule(self.psc(a, b), self.psc(b, c), then=self.psc(a, c))

    def psc(self, a: Access, b: Access) -> Term:
        """The partial SC relation, or what follows by going on along it."""
        return self._pair("psc", a, b)

    def _psc_base(self, a: Access, b: Access) -> None:
        """([E^sc] | [F^sc]; hb?); scb; ([E^sc] | hb?; [F^sc])."""
        if a.event == b.event or (a.variable is None and b.variable is None):
            return  # between fences it is in psc_F: scb is in hb | eco
        both = (self.is_sequential(a), self.is_sequential(b))
        if a.variable is not None and b.variable is not None:
            self._by_other_locations(a, b)
        for (first, x), (second, y) in product(self._after(a), self._before(b)):
            for literals in self._scb(x, y):
                self.rule(*both, *first, *second, *literals, then=self.psc(a, b))

    def _after(self, a: Access) -> Iterator[tuple[tuple[Term, ...], Access]]:
        yield (), a
        if a.variable is None:
            for x in self.accesses.all:
                if x.event != a.event and self.hb(a.event, x.event) != self.terms.false:
                    yield (self.hb(a.event, x.event), self.happens(x)), x

    def _before(self, b: Access) -> Iterator[tuple[tuple[Term, ...], Access]]:
        yield (), b
        if b.variable is None:
            for y in self.accesses.all:
                if y.event != b.event and self.hb(y.event, b.event) != self.terms.false:
                    yield (self.hb(y.event, b.event), self.happens(y)), y

    def _scb(self, x: Access, y: Access) -> Iterator[tuple[Term, ...]]:
        """The relation scb = sb | hb|loc | mo | rb: literals for each way."""
        if x.event == y.event:
            return
        happen = (self.happens(x), self.happens(y))
        if x.thread == y.thread and x.event < y.event:
            yield happen
        if x.variable is None or x.variable != y.variable:
            return
        yield self.hb(x.event, y.event), *happen
        if self.may_write(y):
            if self.may_write(x):
                yield self.mo(x, y), self.writes(x), self.writes(y)
            if x.reads:
                yield self.rb(x, y), self.writes(y)

    def _by_other_locations(self, x: Access, y: Access) -> None:
        """Also scb: sb|≠loc; hb; sb|≠loc. Next to hb and a fence, sb at the other end says the same."""
        if x.thread == y.thread:
            return
        both = (self.is_sequential(x), self.is_sequential(y))
        later = [z for z in self.accesses.all if _sb(x, z) and z.variable != x.variable]
        earlier = [z for z in self.accesses.all if _sb(z, y) and z.variable != y.variable]
        for one, other in product(later, earlier):
            hb = self.hb(one.event, other.event)
            if hb != self.terms.false:
                self.rule(*both, hb, self.happens(one), self.happens(other), then=self.psc(x, y))

    def _psc_fences(self, a: Access, b: Access) -> None:
        """psc_F = [F^sc]; (hb | hb; eco; hb); [F^sc]."""
        both = (self.is_sequential(a), self.is_sequential(b))
        self.rule(*both, self.hb(a.event, b.event), then=self.psc(a, b))
        for own in self.by_variable.values():
            for x, y in permutations(own, 2):
                first, second = self.hb(a.event, x.event), self.hb(y.event, b.event)
                if self.terms.false not in (first, second):
                    happen = (self.happens(x), self.happens(y), self.eco(x, y))
                    self.rule(*both, first, second, *happen, then=self.psc(a, b))


def _sb(a: Access, b: Access) -> bool:
    return a.thread == b.thread and a.event < b.event
