"""The formula of a machine: reads-from, coherence, and the text of its model.

What only the system uses (``machine_events``) is read as ever, along one order of all events: its calls have
full barriers around them, and two that conflict there communicate in that order.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations, product

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.evidence.bounded.axioms import Axioms, PossibleRead
from sley.evidence.bounded.dependencies import Reads
from sley.evidence.bounded.events import EventWrite
from sley.evidence.bounded.literals import Edge, LiteralPairs, require
from sley.evidence.bounded.machine_events import Access, MachineAccesses
from sley.evidence.bounded.order import EventOrder, Orders
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program.compiled_orders import sets_of
from sley.semantics.hardware import text_of

INITIAL = -1
"""The event of initial values, before everything."""

MOST_ACCESSES = 250


class MachineAxioms(Axioms):
    """The formula of a set of events on a machine."""

    def __init__(self, accesses: MachineAccesses, order: EventOrder, budget: Budget) -> None:
        super().__init__(accesses.terms, accesses.unrolling.result, order, {}, budget)
        self.accesses = accesses
        self.all = accesses.all
        self.model = accesses.model
        self.readers: dict[Term, list[Access]] = {v: [] for v in accesses.memory}
        self.writers: dict[Term, list[Access]] = {v: [] for v in accesses.memory}
        for access in self.all:
            for variable in access.reads:
                self.readers[variable].append(access)
            for variable in access.writes:
                self.writers[variable].append(access)
        self.reading = {(a.event, v): a for v, own in self.readers.items() for a in own}
        self.rf: dict[tuple[int, Term], list[tuple[Term, int]]] = {}
        """A read -> the accesses that it may see, each with its literal."""
        self.copied: dict[int, list[tuple[Term, int]]] = {}
        """Calls -> the calls whose values they see, each with its literal."""
        if len(self.all) > MOST_ACCESSES:
            raise GaveUpError(Reason("too many events for a formula of a machine", Why.UNROLLED))
        self.bars = dict(enumerate(accesses.bars, len(self.all)))
        """Barriers by number: those after the accesses."""
        self.first = len(self.all) + len(self.bars)
        """The number of initial values."""
        self.happen: list[Term] = []
        self.count = 0
        self.orders = [order]
        self.order = Orders(self.orders)  # type: ignore[assignment]

    @property
    def one_order(self) -> EventOrder:
        """The order of all events along which the system is seen."""
        return self.orders[0]

    def _encode_more(self) -> None:
        self.happen = [self.happens(access) for access in self.all]
        self.happen += [self._literal(bar.happens) for bar in self.bars.values()]
        self.happen.append(self.terms.true)
        for axiom in (self._coherence, self._from_reads, self._model):
            self.budget.check()
            axiom()

    def _needed(
        self, bad: Iterable[Term], meanings: Mapping[Term, Term], reads: Mapping[Term, PossibleRead]
    ) -> set[Term]:
        """Whatever is read may order something."""
        return {*meanings, *reads}

    def rule(self, *literals: Term, then: Term) -> None:
        """If the literals hold, so does another one."""
        self.budget.spend()
        self._clause(*(self.terms.not_(literal) for literal in literals), then)

    def never(self, *literals: Term) -> None:
        """The literals do not hold together."""
        self.budget.spend()
        self._clause(*(self.terms.not_(literal) for literal in literals))

    def happens(self, access: Access) -> Term:
        """A literal: it takes place."""
        return self._literal(access.happens)

    def writes(self, access: Access, variable: Term) -> Term:
        """A literal: it writes a variable."""
        return self._literal(access.writes[variable])

    # --- rf ---------------------------------------------------------------------------------------

    def _seen(self, read: PossibleRead, writes: list[EventWrite]) -> PossibleRead:
        if read.variable not in self.accesses.memory:
            return super()._seen(read, writes)
        own = self.reading.get((read.event.number, read.variable))
        first = EventWrite(INITIAL, self.terms.true, self.events.initial[read.variable])
        read.copied = [first]
        for access in self.writers[read.variable]:
            is_later = own is not None and (access is own or self._po(own.number, access.number))
            if not is_later and access.event != read.event.number:
                value = self.accesses.value(access, read.variable)
                read.copied.append(EventWrite(access.number, access.writes[read.variable], value))
        return read

    def _read_from(self, read: PossibleRead) -> None:
        """Memory: a read has the value of a write that happens, wherever that is."""
        if read.variable not in self.accesses.memory:
            super()._read_from(read)
            return
        t, key = self.terms, (read.event.number, read.variable)
        own = self.reading.get(key)
        if own is None and not self._is_observer(read):
            return  # looks like a read, of a cell that a store may hit
        happens = t.true if own is None else self._literal(own.reads[read.variable])
        self.rf[key] = []
        for write in read.copied:
            chosen = t.var(f"!from{read.symbol}:{write.event}", BOOL)
            self.rf[key].append((chosen, write.event))
            self._copies(read, write, chosen)
            self._happened(write, chosen)
            self.rule(chosen, then=happens)
        self._clause(t.not_(happens), *(chosen for chosen, _ in self.rf[key]))
        if own is None:
            self._sees_last(read)

    def _copies(self, read: PossibleRead, write: EventWrite, chosen: Term) -> None:
        super()._copies(read, write, chosen)
        if read.variable not in self.accesses.memory and write.event != INITIAL:
            self.copied.setdefault(read.event.number, []).append((chosen, write.event))

    def _is_observer(self, read: PossibleRead) -> bool:
        return read.event.thread < 0

    def _sees_last(self, read: PossibleRead) -> None:
        """A look when all is over sees the last write of each coherence order."""
        variable, here = read.variable, read.event.number
        if not all(self.one_order.is_before(e.number, here) for e in self.events.events if e.thread >= 0):
            raise GaveUpError("threads wait for locks that are memory of the program")
        for chosen, source in self.rf[read.event.number, variable]:
            for write in self.writers[variable]:
                if source == INITIAL:
                    self.never(chosen, self.writes(write, variable))
                elif write.number != source:
                    later = self.co(self.all[source], write, variable)
                    self.never(chosen, self.writes(write, variable), later)

    def sources(self, access: Access, variable: Term) -> list[tuple[Term, int]]:
        """rf: what an access may see."""
        return self.rf.get((access.event, variable), [])

    # --- co, fr -----------------------------------------------------------------------------------

    def _pair(self, name: str, a: int, b: int, variable: Term | None = None) -> Term:
        return self.terms.var(f"!{name}{a}:{b}:{variable}", BOOL)

    def co(self, a: Access, b: Access, variable: Term) -> Term:
        """Of two writes, one is before another in coherence order."""
        if a.number > b.number:
            return self.terms.not_(self.co(b, a, variable))
        return self._pair("co", a.number, b.number, variable)

    def fr(self, read: Access, write: Access, variable: Term) -> Term:
        """A read sees what a write overwrites."""
        return self._pair("fr", read.number, write.number, variable)

    def _coherence(self) -> None:
        """The relation co is a total order of the writes of each variable."""
        for variable, writes in self.writers.items():
            for a, b, c in permutations(writes, 3):
                one, other = self.co(a, b, variable), self.co(b, c, variable)
                self.rule(one, other, then=self.co(a, c, variable))

    def _from_reads(self) -> None:
        """The relation fr = rf⁻¹; co."""
        for variable, reads in self.readers.items():
            for read, write in product(reads, self.writers[variable]):
                for chosen, source in self.sources(read, variable) if read is not write else ():
                    if source == INITIAL:
                        self.rule(chosen, then=self.fr(read, write, variable))
                    elif source != write.number:
                        newer = self.co(self.all[source], write, variable)
                        self.rule(chosen, newer, then=self.fr(read, write, variable))

    # --- what the text speaks of ----------------------------------------------------------------------

    def _model(self) -> None:
        """The axioms of the text."""
        carrier = LiteralPairs(
            self.base, lambda literals, then: self.rule(*literals, then=then), self._new_literal
        )
        require(text_of(self.model), carrier, lambda literals: self.never(*literals), self.acyclic)

    def _new_literal(self, name: str) -> Term:
        self.count += 1
        return self.terms.var(f"!{name}:{self.count}", BOOL)

    def base(self, name: str) -> Iterator[Edge]:
        """The pairs of a set or relation of the execution. Barriers, and initial values, are events, too."""
        if name in ("po", "int", "ext", "threads", "loc"):
            yield from self._by_place(name)
        elif name in ("rf", "co", "fr"):
            yield from self._communications(name)
        elif name in ("addr", "data", "ctrl"):
            yield from self._dependencies(name)
        elif name == "rmw":
            seconds = (access for access in self.all if access.is_second)
            yield from (self._edge(second.number - 1, second.number) for second in seconds)
        else:
            yield from self._set(name)

    def _edge(self, a: int, b: int, *literals: Term) -> Edge:
        """If the literals hold, and both happen."""
        t, happen = self.terms, (self.happen[a], self.happen[b])
        return tuple(one for one in dict.fromkeys((*happen, *literals)) if one != t.true), a, b

    def _set(self, name: str) -> Iterator[Edge]:
        for access in self.all:
            is_in = {
                "R": access.is_call or bool(access.reads),
                "W": access.is_call or bool(access.writes),
            }
            if name in ("_", "id") or is_in.get(name, name in access.tags):
                yield self._edge(access.number, access.number)
        for number, bar in self.bars.items():
            if name in ("_", "id") or name in sets_of(bar.barrier):
                yield self._edge(number, number)
        if name in ("_", "id", "W"):
            yield self._edge(self.first, self.first)

    def _by_place(self, name: str) -> Iterator[Edge]:
        """What does not depend on reads-from."""
        if name == "loc":
            for variable in self.accesses.memory:
                own = {a.number: a for a in (*self.readers[variable], *self.writers[variable])}
                touched = {a: self._touches(access, variable) for a, access in own.items()}
                touched[self.first] = self.terms.true
                for a, b in product(touched, touched):
                    yield self._edge(a, b, touched[a], touched[b])
            return
        for a, b in product(range(len(self.happen)), repeat=2):
            is_same = self.thread(a) == self.thread(b)
            if {"int": is_same, "ext": not is_same, "po": self._po(a, b)}.get(name, self._started(a, b)):
                yield self._edge(a, b)

    def thread(self, number: int) -> int:
        """The thread of an access, a barrier, or of none."""
        if number == self.first:
            return INITIAL
        return self.bars[number].thread if number in self.bars else self.all[number].thread

    def _po(self, a: int, b: int) -> bool:
        """Program order in one thread."""
        if self.first in (a, b) or self.thread(a) != self.thread(b) or a == b:
            return False
        after = self.bars[a].before if a in self.bars else self.all[a].event
        before = self.bars[b].after if b in self.bars else self.all[b].event
        return after <= before if a in self.bars or b in self.bars else a < b

    def _started(self, a: int, b: int) -> bool:
        """Whether a creation, or a join, keeps two accesses of different threads in order."""
        if max(a, b) >= len(self.all) or self.thread(a) == self.thread(b):
            return False
        return self.one_order.is_before(self.all[a].event, self.all[b].event)

    def _touches(self, access: Access, variable: Term) -> Term:
        t = self.terms
        return self._literal(t.or_(access.reads.get(variable, t.false), access.writes.get(variable, t.false)))

    def _communications(self, name: str) -> Iterator[Edge]:
        for variable in self.accesses.memory:
            made = {"rf": self._rf, "co": self._co, "fr": self._fr}[name]
            yield from made(variable)
        yield from self._calls_that_read() if name == "rf" else self._calls(name)

    def _rf(self, variable: Term) -> Iterator[Edge]:
        for read in self.readers[variable]:
            for chosen, source in self.sources(read, variable):
                yield self._edge(self.first if source == INITIAL else source, read.number, chosen)

    def _co(self, variable: Term) -> Iterator[Edge]:
        for write in self.writers[variable]:
            yield self._edge(self.first, write.number, self.writes(write, variable))
        for a, b in permutations(self.writers[variable], 2):
            both = (self.writes(a, variable), self.writes(b, variable))
            yield self._edge(a.number, b.number, *both, self.co(a, b, variable))

    def _fr(self, variable: Term) -> Iterator[Edge]:
        for read, write in product(self.readers[variable], self.writers[variable]):
            if read is not write:
                overwritten = (self.writes(write, variable), self.fr(read, write, variable))
                yield self._edge(read.number, write.number, *overwritten)

    def _calls(self, name: str) -> Iterator[Edge]:
        """Calls that conflict in what only the system uses communicate in the order of all events."""
        events = self.events.events
        for a, b in permutations([access for access in self.all if access.is_call], 2):
            first, second = events[a.event], events[b.event]
            before = self.one_order.before(a.event, b.event)
            for variable, write in second.writes.items() if a.thread != b.thread else ():
                known = first.writes.get(variable)
                if variable in self.accesses.memory or before == self.terms.false:
                    continue
                literals = (before, self._literal(write.condition))
                if name == "co" and known is not None:
                    yield self._edge(a.number, b.number, *literals, self._literal(known.condition))
                elif name == "fr" and variable in first.reads:
                    yield self._edge(a.number, b.number, *literals)

    def _calls_that_read(self) -> Iterator[Edge]:
        """A call that reads what another one wrote."""
        of_event = {access.event: access for access in self.all if access.is_call}
        for event, found in self.copied.items():
            for chosen, source in found:
                if source in of_event and event in of_event:
                    yield self._edge(of_event[source].number, of_event[event].number, chosen)

    def _dependencies(self, name: str) -> Iterator[Edge]:
        for access in self.all:
            needs = self.accesses.needs.get(access.event)
            if needs is not None and (access.writes or name != "data"):
                reads = {"addr": needs.address, "data": needs.data, "ctrl": needs.control}[name]
                yield from self._depends(access.number, reads)
        for number, bar in self.bars.items() if name == "ctrl" else ():
            yield from self._depends(number, bar.control)

    def _depends(self, number: int, reads: Reads) -> Iterator[Edge]:
        for event, when in reads.items():
            for source in self.all:
                if source.event == event and source.reads and source.number != number:
                    yield self._edge(source.number, number, self._literal(when))

    def acyclic(self, name: str, edges: Iterable[Edge]) -> None:
        """There is an order of all events that contains a relation."""
        order = EventOrder(self.terms, range(len(self.happen)), (), f"{name}:")
        for literals, a, b in edges:
            self.rule(*literals, then=order.before(a, b))
        self.orders.append(order)
