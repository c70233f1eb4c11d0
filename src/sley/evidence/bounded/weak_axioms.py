"""The formula of C11: who reads from whom, modification order, happens-before, and the text of RC11.

The text asks for axioms on atomic accesses and fences, and says what synchronises. Happens-before goes
through all events, also calls and plain accesses, so it is followed along the threads here.

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
from sley.base.reasons import Reason, Why
from sley.evidence.bounded.axioms import Axioms, PossibleRead
from sley.evidence.bounded.events import EventWrite
from sley.evidence.bounded.literals import Edge, LiteralPairs, require
from sley.evidence.bounded.order import EventOrder, Orders
from sley.evidence.bounded.weak_events import Access, Accesses
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.memory_models.evaluation import Evaluation
from sley.memory_models.model import bundled
from sley.program import instructions as ir

INITIAL = -1
"""The event of initial values, before everything."""

MOST_EVENTS = 400


class WeakAxioms(Axioms):
    """The formula of a set of events under C11."""

    def __init__(self, accesses: Accesses, order: EventOrder, budget: Budget) -> None:
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
        self.count = 0
        self.carrier = LiteralPairs(
            self.base, lambda literals, then: self.rule(*literals, then=then), self._new_literal
        )
        self.orders = [order]
        self.order = Orders(self.orders)  # type: ignore[assignment]
        if len(self.events.events) > MOST_EVENTS:
            raise GaveUpError(Reason("too many events for a formula with weak orders", Why.UNROLLED))

    def _encode_more(self) -> None:
        for axiom in (self._happens_before, self._modification_order, self._model):
            self.budget.check()
            axiom()

    def _needed(
        self, bad: Iterable[Term], meanings: Mapping[Term, Term], reads: Mapping[Term, PossibleRead]
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

    def _having(self, access: Access, has: Callable[[ir.MemoryOrder], bool]) -> Term:
        """A literal: it takes place, with an order that has a property."""
        t, on_success, on_failure = self.terms, has(access.order), has(access.failure)
        if on_success == on_failure:
            return self.happens(access) if on_success else t.false
        written = access.writes if on_success else t.not_(access.writes)
        return self._literal(t.and_(access.happens, written))

    def is_sequential(self, access: Access) -> Term:
        """A literal: it takes place, and is seq_cst."""
        return self._having(access, lambda order: order is ir.MemoryOrder.SEQUENTIAL)

    # --- rf ---------------------------------------------------------------------------------------

    def _reads(self) -> list[PossibleRead]:
        """Without what only looks like a read: of a cell that a store may hit, but does not."""
        return [
            read
            for read in super()._reads()
            if read.variable not in self.accesses.variables
            or self.of_event[read.event.number, read.variable].reads
        ]

    def _seen(self, read: PossibleRead, writes: list[EventWrite]) -> PossibleRead:
        if read.variable not in self.accesses.variables:
            return super()._seen(read, writes)
        own = self.by_variable[read.variable]
        exact = [
            EventWrite(a.event, a.writes, a.value) for a in own if self.may_write(a) and a.value is not None
        ]
        later = [
            w
            for w in exact
            if w.event != read.event.number and not self.order.is_before(read.event.number, w.event)
        ]
        first = EventWrite(INITIAL, self.terms.true, self.events.initial[read.variable])
        read.copied = [first, *later]
        return read

    def _read_from(self, read: PossibleRead) -> None:
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

    def _copies(self, read: PossibleRead, write: EventWrite, chosen: Term) -> None:
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
        """The relation sw of the text."""
        made = Evaluation(bundled("rc11"), self.carrier).named("sw")
        for literals, a, b in list(self.carrier.edges(made)):
            literal = self._literal(self.terms.and_(*literals))
            yield literal, self.accesses.all[a].event, self.accesses.all[b].event

    # --- what the text speaks of --------------------------------------------------------------------

    def _model(self) -> None:
        """The axioms of the text; NO-THIN-AIR is that there is the one order of all events."""
        axioms = ["coherence", "coherence-of-updates", "atomicity"]
        if sum(self.is_sequential(access) != self.terms.false for access in self.accesses.all) > 1:
            axioms.append("sc")
        given = {"hb": self.carrier.made(self._known_order())}
        asked = (lambda literals: self.never(*literals)), self._acyclic
        require(bundled("rc11"), self.carrier, *asked, only=axioms, given=given)

    def _known_order(self) -> Iterator[Edge]:
        for (i, a), (j, b) in permutations(enumerate(self.accesses.all), 2):
            before = self.hb(a.event, b.event)
            if before != self.terms.false:
                yield self._edge(i, j, before)

    def _acyclic(self, name: str, edges: Iterable[Edge]) -> None:
        """There is an order of the accesses that contains a relation."""
        order = EventOrder(self.terms, range(len(self.accesses.all)), (), f"{name}:")
        for literals, a, b in edges:
            self.rule(*literals, then=order.before(a, b))
        self.orders.append(order)

    def _new_literal(self, name: str) -> Term:
        self.count += 1
        return self.terms.var(f"!{name}:{self.count}", BOOL)

    def _edge(self, a: int, b: int, *literals: Term) -> Edge:
        """If the literals hold, and both happen."""
        happen = (self.happens(self.accesses.all[a]), self.happens(self.accesses.all[b]))
        return tuple(one for one in dict.fromkeys((*happen, *literals)) if one != self.terms.true), a, b

    def base(self, name: str) -> Iterator[Edge]:
        """The pairs of a set or relation; initial values come before everything, and are in none."""
        everything = list(enumerate(self.accesses.all))
        if name == "po":
            pairs = ((i, j) for (i, a), (j, b) in permutations(everything, 2) if _sb(a, b))
            yield from (self._edge(i, j) for i, j in pairs)
        elif name == "loc":
            for (i, a), (j, b) in product(everything, everything):
                if a.variable is not None and a.variable == b.variable:
                    yield self._edge(i, j)
        elif name in ("rf", "co", "fr"):
            for own in self.by_variable.values():
                yield from self._communications(name, own)
        else:
            for i, access in everything:
                if (when := self._is_in(name, access)) != self.terms.false:
                    yield self._edge(i, i, when)

    def _communications(self, name: str, own: list[Access]) -> Iterator[Edge]:
        numbers = {access.event: number for number, access in enumerate(self.accesses.all) if access in own}
        for a, b in permutations(own, 2):
            first, second = numbers[a.event], numbers[b.event]
            if name == "co" and self.may_write(a) and self.may_write(b):
                yield self._edge(first, second, self.writes(a), self.writes(b), self.mo(a, b))
            elif name == "fr" and a.reads and self.may_write(b):
                yield self._edge(first, second, self.writes(b), self.rb(a, b))
            for chosen, source in self.sources(b) if name == "rf" else ():
                if source == a.event:
                    yield self._edge(first, second, chosen)

    def _is_in(self, name: str, access: Access) -> Term:
        """When an access is in a set; ``rmw`` is the identity on updates."""
        t, is_fence = self.terms, access.variable is None
        writes = self.writes(access) if self.may_write(access) else t.false
        match name:
            case "_" | "id":
                return t.true
            case "R":
                return t.true if access.reads else t.false
            case "W":
                return writes
            case "F":
                return t.true if is_fence else t.false
            case "RLX":
                return t.true if access.order is not ir.MemoryOrder.PLAIN else t.false
            case "REL" if access.order.releases:
                return t.true if is_fence else writes
            case "ACQ" if is_fence or access.reads:
                return self._having(access, lambda order: order.acquires)
            case "SC":
                return self.is_sequential(access)
            case "rmw" if access.is_update:
                return writes
        return t.false

    # --- mo, rb -------------------------------------------------------------------------------------

    def mo(self, a: Access, b: Access) -> Term:
        """Of two writes, one is before another in modification order."""
        if a.event > b.event:
            return self.terms.not_(self.mo(b, a))
        return self._pair("mo", a, b)

    def rb(self, read: Access, write: Access) -> Term:
        """A read comes before a write."""
        return self._pair("rb", read, write)

    def _modification_order(self) -> None:
        """The relation mo is total on the writes of each variable; rb = rf⁻¹; mo."""
        for own in self.by_variable.values():
            writes = [access for access in own if self.may_write(access)]
            for a, b, c in permutations(writes, 3):
                both = (self.writes(a), self.writes(b), self.writes(c))
                self.rule(*both, self.mo(a, b), self.mo(b, c), then=self.mo(a, c))
            for a, b in permutations(own, 2):
                if a.reads and self.may_write(b):
                    self._reads_before(a, b)

    def _reads_before(self, read: Access, write: Access) -> None:
        for chosen, source in self.sources(read):
            if source == INITIAL:
                self.rule(chosen, then=self.rb(read, write))
            elif source != write.event:
                older = self.of_event[source, read.variable]
                self.rule(chosen, self.mo(older, write), then=self.rb(read, write))


def _sb(a: Access, b: Access) -> bool:
    return a.thread == b.thread and a.event < b.event
