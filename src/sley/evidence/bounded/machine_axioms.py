"""The models of machines as *Herding Cats* (TOPLAS 36(2), 2014) states them, relation by relation.

A literal for each pair that may be in a relation, a rule for each way to be in it, and what must not be. A
rule says what follows; nothing says what does not. Every relation but rf and co is used only to exclude runs:
so the smallest that the rules allow admits all runs that any other does.

What only the system uses (``machine_events``) is read as ever, along one order of all events: its calls have
full barriers around them, and two that conflict there communicate in that order.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import permutations, product
from typing import Any

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.evidence.bounded.axioms import Axioms, Read
from sley.evidence.bounded.dependencies import Needs, Reads
from sley.evidence.bounded.events import Write
from sley.evidence.bounded.machine_events import Access, MachineAccesses
from sley.evidence.bounded.order import Clause, Order
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program.instructions import Barrier
from sley.program.memory_model import MemoryModel

INITIAL = -1
"""The event of initial values, before everything."""

MOST_ACCESSES = 250

Edge = tuple[tuple[Term, ...], int, int]
"""If the literals hold, one access is related to another."""

Pairs = Mapping[tuple[int, int], Term]
"""A relation: a literal for each pair that may be in it."""


class MachineAxioms(Axioms):
    """The formula of a set of events on a machine."""

    def __init__(self, accesses: MachineAccesses, order: Order, budget: Budget) -> None:
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
            raise GaveUpError("too many events for a formula of a machine")
        self.orders = [order]
        self.order = _Orders(self.orders)  # type: ignore[assignment]

    @property
    def one_order(self) -> Order:
        """The order of all events along which the system is seen."""
        return self.orders[0]

    def _encode_more(self) -> None:
        for axiom in (self._coherence, self._from_reads, self._per_location, self._atomicity):
            self.budget.check()
            axiom()
        (self._power if self.model is MemoryModel.POWER else self._one_memory)()

    def _needed(
        self, bad: Iterable[Term], meanings: Mapping[Term, Term], reads: Mapping[Term, Read]
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

    def po(self, a: Access, b: Access) -> bool:
        """Program order in one thread."""
        return a.thread == b.thread and a.number < b.number

    # --- rf ---------------------------------------------------------------------------------------

    def _seen(self, read: Read, writes: list[Write]) -> Read:
        if read.variable not in self.accesses.memory:
            return super()._seen(read, writes)
        own = self.reading.get((read.event.number, read.variable))
        first = Write(INITIAL, self.terms.true, self.events.initial[read.variable])
        read.copied = [first]
        for access in self.writers[read.variable]:
            is_later = own is not None and (access is own or self.po(own, access))
            if not is_later and access.event != read.event.number:
                value = self.accesses.value(access, read.variable)
                read.copied.append(Write(access.number, access.writes[read.variable], value))
        return read

    def _read_from(self, read: Read) -> None:
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

    def _copies(self, read: Read, write: Write, chosen: Term) -> None:
        super()._copies(read, write, chosen)
        if read.variable not in self.accesses.memory and write.event != INITIAL:
            self.copied.setdefault(read.event.number, []).append((chosen, write.event))

    def _is_observer(self, read: Read) -> bool:
        return read.event.thread < 0

    def _sees_last(self, read: Read) -> None:
        """Who looks when all is over sees the last write of each coherence order."""
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

    def communications(self, variable: Term) -> Iterator[Edge]:
        """rf, co and fr of one variable; initial values come before all."""
        writes = self.writers[variable]
        for a, b in permutations(writes, 2):
            both = (self.writes(a, variable), self.writes(b, variable))
            yield (*both, self.co(a, b, variable)), a.number, b.number
        for read in self.readers[variable]:
            for chosen, source in self.sources(read, variable):
                if source != INITIAL:
                    yield (chosen,), source, read.number
        yield from self._fr(variable)

    def _fr(self, variable: Term) -> Iterator[Edge]:
        for read, write in product(self.readers[variable], self.writers[variable]):
            if read is not write:
                overwritten = (self.writes(write, variable), self.fr(read, write, variable))
                yield overwritten, read.number, write.number

    # --- axioms of all models -----------------------------------------------------------------------

    def _per_location(self) -> None:
        """SC PER LOCATION: acyclic(po-loc | com); RMO lets two reads pass each other."""
        for variable in self.accesses.memory:
            own = sorted({a.number: a for a in (*self.readers[variable], *self.writers[variable])}.items())
            com = self.closed(f"com:{variable}:", self.communications(variable))
            for (i, a), (j, b) in product(own, own):
                if i == j and (i, i) in com:
                    self.never(com[i, i])
                is_kept = self.po(a, b) or (a.thread != b.thread and self._is_started(a, b))
                if self.model is MemoryModel.RMO and variable not in {*a.writes, *b.writes}:
                    continue
                if is_kept and (j, i) in com:
                    self.never(self._touches(a, variable), self._touches(b, variable), com[j, i])

    def _touches(self, access: Access, variable: Term) -> Term:
        t = self.terms
        return self._literal(t.or_(access.reads.get(variable, t.false), access.writes.get(variable, t.false)))

    def _is_started(self, a: Access, b: Access) -> bool:
        """Whether a creation, or a join, keeps two accesses of different threads in order."""
        return self.one_order.is_before(a.event, b.event)

    def _atomicity(self) -> None:
        """Nothing comes between the read and the write of an update."""
        for second in (access for access in self.all if access.is_second):
            first = self.all[second.number - 1]
            for variable in first.reads:
                for write in self.writers[variable]:
                    if write.thread != second.thread and variable in second.writes:
                        between = (self.fr(first, write, variable), self.co(write, second, variable))
                        both = (self.writes(write, variable), self.writes(second, variable))
                        self.never(*both, *between)

    # --- relations ------------------------------------------------------------------------------------

    def closed(self, name: str, edges: Iterable[Edge]) -> dict[tuple[int, int], Term]:
        """The transitive closure: a literal for each pair that may be in it."""
        known = list(edges)
        steps: dict[int, list[Edge]] = {}
        for edge in known:
            steps.setdefault(edge[1], []).append(edge)
        found: dict[tuple[int, int], Term] = {}
        for start in steps:
            waiting, seen = [start], {start}
            while waiting:
                for _, _, target in steps.get(waiting.pop(), ()):
                    found.setdefault((start, target), self._pair(name, start, target))
                    if target not in seen:
                        seen.add(target)
                        waiting.append(target)
        for literals, a, b in known:
            self.rule(*literals, then=found[a, b])
        for (a, b), literal in found.items():
            for literals, _, c in steps.get(b, ()):
                self.rule(literal, *literals, then=found[a, c])
        return found

    def acyclic(self, name: str, edges: Iterable[Edge]) -> None:
        """There is an order of all accesses that contains a relation."""
        order = Order(self.terms, range(len(self.all)), (), name)
        for literals, a, b in edges:
            self.rule(*literals, then=order.before(a, b))
        self.orders.append(order)

    def po_pairs(self) -> Iterator[tuple[Access, Access]]:
        """Two accesses of one thread, in order."""
        return ((a, b) for a in self.all for b in self.all if self.po(a, b))

    def fences(self, *barriers: Barrier) -> Iterator[Edge]:
        """Accesses of one thread with a barrier between that keeps them in order."""
        t = self.terms
        for a, b in self.po_pairs():
            bars = [bar.happens for bar in self.accesses.between(a, b) if _keeps(bar.barrier, barriers, a, b)]
            if bars:
                there = self._literal(t.or_(*bars))
                yield (self.happens(a), self.happens(b), there), a.number, b.number

    def started(self) -> Iterator[Edge]:
        """Accesses that a creation or a join keeps in order: it has full barriers around."""
        for a, b in permutations(self.all, 2):
            if a.thread != b.thread and self._is_started(a, b):
                yield (self.happens(a), self.happens(b)), a.number, b.number

    def calls(self) -> Iterator[Edge]:
        """Calls that conflict in what only the system uses communicate in the order of all events."""
        uses: dict[Term, list[tuple[Access, bool]]] = {}
        for access in self.all:
            event = self.events.events[access.event]
            for variable in dict.fromkeys((*event.reads, *event.writes)) if access.is_call else ():
                if variable not in self.accesses.memory:
                    uses.setdefault(variable, []).append((access, variable in event.writes))
        for variable, own in uses.items():
            for (a, _), (b, is_written) in permutations(own, 2):
                if a.thread != b.thread:
                    yield from self._call(variable, a, b, is_written=is_written)

    def _call(self, variable: Term, a: Access, b: Access, *, is_written: bool) -> Iterator[Edge]:
        first, second = self.events.events[a.event].writes.get(variable), self.events.events[b.event]
        is_before = self.one_order.before(a.event, b.event)
        if is_before == self.terms.false:
            return
        both = (self.happens(a), self.happens(b))
        if first is not None:
            yield (*both, self._literal(first.condition), is_before), a.number, b.number
        if is_written:
            yield (*both, self._literal(second.writes[variable].condition), is_before), a.number, b.number

    def _depends(self, access: Access, reads: Reads) -> Iterator[Edge]:
        for event, when in reads.items():
            for source in self.all:
                if source.event == event and source.reads and source.number != access.number:
                    literals = (self._literal(when), self.happens(source), self.happens(access))
                    yield literals, source.number, access.number

    def rfe(self) -> Iterator[Edge]:
        """Reads from other threads."""
        for variable, reads in self.readers.items():
            for read in reads:
                for chosen, source in self.sources(read, variable):
                    if source != INITIAL and self.all[source].thread != read.thread:
                        yield (chosen,), source, read.number

    # --- TSO, PSO, RMO --------------------------------------------------------------------------------

    def _one_memory(self) -> None:
        """Acyclic(ppo | fences | rfe | co | fr): the axioms but SC PER LOCATION in one."""
        com = (edge for variable in self.accesses.memory for edge in self._co_and_fr(variable))
        edges = (*self._ppo(), *self.fences(*Barrier), *self.started(), *self.rfe(), *self.calls(), *com)
        self.acyclic("ghb", edges)

    def _co_and_fr(self, variable: Term) -> Iterator[Edge]:
        for a, b in permutations(self.writers[variable], 2):
            both = (self.writes(a, variable), self.writes(b, variable))
            yield (*both, self.co(a, b, variable)), a.number, b.number
        yield from self._fr(variable)

    def _ppo(self) -> Iterator[Edge]:
        if self.model is MemoryModel.RMO:
            yield from self._dependencies()
            return
        for a, b in self.po_pairs():
            if a.reads or (self.model is MemoryModel.TSO and a.writes and b.writes):
                yield (self.happens(a), self.happens(b)), a.number, b.number

    def _dependencies(self) -> Iterator[Edge]:
        for access in self.all:
            yield from self._needs(access, lambda needs: needs.address)
            if access.writes:
                yield from self._needs(access, lambda needs: needs.data)
                yield from self._needs(access, lambda needs: needs.control)

    # --- Power ------------------------------------------------------------------------------------------

    def _power(self) -> None:
        """NO THIN AIR, OBSERVATION and PROPAGATION; sections happen at once."""
        calls = list(self.calls())
        com = [e for variable in self.accesses.memory for e in self.communications(variable)] + calls
        if any(self._is_section(access) for access in self.all):
            self.acyclic("at", com)
        ffence = [*self.fences(Barrier.FULL, Barrier.STORE_LOAD), *self.started()]
        fences = [*ffence, *self.fences(Barrier.LIGHTWEIGHT, Barrier.LOADS, Barrier.STORES)]
        rfe = [*self.rfe(), *self._calls_that_read()]
        hb = self.closed("hb", (*self._ppo_power(), *fences, *rfe))
        for (a, b), literal in hb.items():
            if a == b:
                self.never(literal)
        prop, seen = self._prop(hb, fences, rfe, ffence, com)
        co = [edge for variable in self.accesses.memory for edge in self._co(variable)]
        self.acyclic("prop", (*co, *prop))
        for variable in self.accesses.memory:
            for literals, read, write in self._fr(variable):
                if self.all[read].thread != self.all[write].thread and (write, read) in seen:
                    self.never(*literals, seen[write, read])

    def _is_section(self, access: Access) -> bool:
        """Whether it uses memory, and may use something else at once."""
        is_first = self.events.events[access.event].is_first
        return access.is_call and not is_first and bool(access.reads or access.writes)

    def _calls_that_read(self) -> Iterator[Edge]:
        """A call that reads what another one wrote."""
        of_event = {access.event: access for access in self.all if access.is_call}
        for event, found in self.copied.items():
            for chosen, source in found:
                if source in of_event and event in of_event:
                    a, b = of_event[source], of_event[event]
                    if a.thread != b.thread:
                        yield (chosen, self.happens(a), self.happens(b)), a.number, b.number

    def _prop(
        self, hb: Pairs, fences: list[Edge], rfe: list[Edge], strong: list[Edge], com: list[Edge]
    ) -> tuple[list[Edge], Pairs]:
        """(prop-base & WW) | (com*; prop-base*; ffence; hb*); and the same followed by hb*."""
        fenced = self.then("fenced", fences, hb)
        base: dict[tuple[int, int], Term] = {}
        for literals, a, c in (*_edges(fenced), *self._after_reading(rfe, fenced)):
            base.setdefault((a, c), self._pair("base", a, c))
            self.rule(*literals, then=base[a, c])
        bases = self.before("bases", _edges(base), self.then("strong", strong, hb))
        all_ = self.before("coms", com, bases)
        writes = {access.number for access in self.all if access.writes}
        prop = [*_edges(all_), *(e for e in _edges(base) if e[1] in writes and e[2] in writes)]
        return prop, self.then("seen", prop, hb)

    def _after_reading(self, rfe: Iterable[Edge], fenced: Pairs) -> Iterator[Edge]:
        """rfe; fences; hb*."""
        after: dict[int, list[tuple[Term, int]]] = {}
        for (b, c), literal in fenced.items():
            after.setdefault(b, []).append((literal, c))
        for literals, a, b in rfe:
            yield from (((*literals, literal), a, c) for literal, c in after.get(b, ()))

    def then(self, name: str, edges: Iterable[Edge], hb: Pairs) -> Pairs:
        """A relation, and maybe hb after it."""
        after: dict[int, list[tuple[Term, int]]] = {}
        for (a, b), literal in hb.items():
            after.setdefault(a, []).append((literal, b))
        found: dict[tuple[int, int], Term] = {}
        for literals, a, b in edges:
            for more, c in ((self.terms.true, b), *after.get(b, ())):
                found.setdefault((a, c), self._pair(name, a, c))
                self.rule(*literals, more, then=found[a, c])
        return found

    def before(self, name: str, edges: Iterable[Edge], target: Pairs) -> Pairs:
        """A relation any number of times, and then a pair of another."""
        into: dict[int, list[Edge]] = {}
        for edge in edges:
            into.setdefault(edge[2], []).append(edge)
        found = {pair: self._pair(name, *pair) for pair in target}
        for pair, literal in target.items():
            self.rule(literal, then=found[pair])
        waiting = list(target)
        while waiting:
            b, c = waiting.pop()
            for literals, a, _ in into.get(b, ()):
                if (a, c) not in found:
                    found[a, c] = self._pair(name, a, c)
                    waiting.append((a, c))
                self.rule(*literals, found[b, c], then=found[a, c])
        return found

    def _ppo_power(self) -> Iterator[Edge]:
        """(ii & RR) | (ic & RW), of figure 25."""
        dp = [e for a in self.all for e in self._needs(a, lambda n: n.address)]
        dp += [e for a in self.all if a.writes for e in self._needs(a, lambda n: n.data)]
        ctrl = [e for a in self.all for e in self._needs(a, lambda n: n.control)]
        settled = [e for a in self.all for e in self._needs(a, lambda n: n.settled)]
        rfi, rdw, detour, po_loc = [], [], [], []
        for variable in self.accesses.memory:
            rfi += list(self._rfi(variable))
            rdw += list(self._rdw(variable))
            detour += list(self._detour(variable))
            po_loc += list(self._po_loc(variable))
        addr_po = [
            ((*literals, self.happens(later)), a, later.number)
            for access in self.all
            for literals, a, b in self._needs(access, lambda n: n.address)
            for later in self.all
            if self.po(self.all[b], later)
        ]
        relations = {
            "ii": [*dp, *rdw, *rfi],
            "ci": [*settled, *detour],
            "ic": [],
            "cc": [*dp, *po_loc, *ctrl, *addr_po],
        }
        found = self._fixpoint(relations)
        for (a, b), literal in found["ii"].items():
            if self.all[a].reads and self.all[b].reads:
                yield (literal,), a, b
        for (a, b), literal in found["ic"].items():
            if self.all[a].reads and self.all[b].writes:
                yield (literal,), a, b

    def _fixpoint(self, first: Mapping[str, list[Edge]]) -> Mapping[str, Pairs]:
        """The least relations with ii0, ci0, ic0 and cc0 that are closed under the rules."""
        found: dict[str, dict[tuple[int, int], Term]] = {name: {} for name in first}
        for name, edges in first.items():
            for literals, a, b in edges:
                found[name].setdefault((a, b), self._pair(name, a, b))
                self.rule(*literals, then=found[name][a, b])
        done: set[tuple[str, int, int, int]] = set()
        is_new = True
        while is_new:
            is_new = False
            for name, parts in _RULES:
                self.budget.check()
                for a, b, c, literals in list(_compositions(found, parts)):
                    key = (f"{name}{parts}", a, b, c)
                    if key not in done:
                        done.add(key)
                        is_new = True
                        found[name].setdefault((a, c), self._pair(name, a, c))
                        self.rule(*literals, then=found[name][a, c])
        return found

    def _needs(self, access: Access, of: Callable[[Needs], Reads]) -> Iterator[Edge]:
        needs = self.accesses.needs.get(access.event)
        return iter(()) if needs is None else self._depends(access, of(needs))

    def _rfi(self, variable: Term) -> Iterator[Edge]:
        for read in self.readers[variable]:
            for chosen, source in self.sources(read, variable):
                if source != INITIAL and self.all[source].thread == read.thread:
                    yield (chosen,), source, read.number

    def _rdw(self, variable: Term) -> Iterator[Edge]:
        """po-loc & (fre; rfe)."""
        for first, second in product(self.readers[variable], repeat=2):
            for chosen, source in self.sources(second, variable) if self.po(first, second) else ():
                if source != INITIAL and self.all[source].thread != second.thread:
                    away = self.fr(first, self.all[source], variable)
                    yield (chosen, away), first.number, second.number

    def _detour(self, variable: Term) -> Iterator[Edge]:
        """po-loc & (coe; rfe)."""
        for first, second in product(self.writers[variable], self.readers[variable]):
            for chosen, source in self.sources(second, variable) if self.po(first, second) else ():
                if source != INITIAL and self.all[source].thread != second.thread:
                    away = self.co(first, self.all[source], variable)
                    yield (chosen, self.writes(first, variable), away), first.number, second.number

    def _po_loc(self, variable: Term) -> Iterator[Edge]:
        own = {a.number: a for a in (*self.readers[variable], *self.writers[variable])}
        for a, b in product(own.values(), repeat=2):
            if self.po(a, b):
                yield (self._touches(a, variable), self._touches(b, variable)), a.number, b.number

    def _co(self, variable: Term) -> Iterator[Edge]:
        for a, b in permutations(self.writers[variable], 2):
            both = (self.writes(a, variable), self.writes(b, variable))
            yield (*both, self.co(a, b, variable)), a.number, b.number


_RULES = (
    ("ii", ("ci",)),
    ("ii", ("ic", "ci")),
    ("ii", ("ii", "ii")),
    ("ci", ("ci", "ii")),
    ("ci", ("cc", "ci")),
    ("ic", ("ii",)),
    ("ic", ("cc",)),
    ("ic", ("ic", "cc")),
    ("ic", ("ii", "ic")),
    ("cc", ("ci",)),
    ("cc", ("ci", "ic")),
    ("cc", ("cc", "cc")),
)
"""Each relation contains these, one after another."""


def _compositions(
    found: Mapping[str, Pairs], parts: tuple[str, ...]
) -> Iterator[tuple[int, int, int, tuple[Term, ...]]]:
    """The pairs of one relation, or of two in a row, with what is between."""
    first = found[parts[0]]
    if len(parts) == 1:
        yield from ((a, -1, b, (literal,)) for (a, b), literal in first.items())
        return
    after: dict[int, list[tuple[int, Term]]] = {}
    for (b, c), literal in found[parts[1]].items():
        after.setdefault(b, []).append((c, literal))
    for (a, b), literal in first.items():
        for c, other in after.get(b, ()):
            yield a, b, c, (literal, other)


def _edges(pairs: Pairs) -> Iterator[Edge]:
    return (((literal,), a, b) for (a, b), literal in pairs.items())


def _keeps(barrier: Barrier, wanted: tuple[Barrier, ...], a: Access, b: Access) -> bool:
    """Whether a barrier is one of those wanted, and keeps two accesses in order; calls read and write."""
    first = {"R": a.is_call or a.reads, "W": a.is_call or a.writes}
    second = {"R": b.is_call or b.reads, "W": b.is_call or b.writes}
    return barrier in wanted and any(first[pair[0]] and second[pair[1]] for pair in barrier.pairs)


class _Orders:
    """Several orders, as one that has cycles if one of them does."""

    def __init__(self, orders: list[Order]) -> None:
        self.orders = orders

    def __getattr__(self, name: str) -> Any:
        return getattr(self.orders[0], name)

    def clauses(self) -> Iterator[Clause]:
        """Those of all."""
        return (clause for order in self.orders for clause in order.clauses())

    def cycle(self, holds: Callable[[Term], bool]) -> list[Clause]:
        """Clauses that exclude cycles of a model."""
        return [clause for order in self.orders for clause in order.cycle(holds)]
