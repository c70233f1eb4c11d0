"""What makes events a run (N. Sinha, C. Wang, *Staged Concurrent Program Analysis*, FSE 2010, section 3).

One function per axiom. A read that matters copies a write that happens, that is before it, with no other
write of the variable between the two; everything happens in one order, in which threads are in order.
Dropping a constraint admits more runs, so only what says that something is *impossible* needs a reason.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from sley.base.budget import Budget
from sley.evidence.bounded.events import BoundedEvent, Events, EventWrite
from sley.evidence.bounded.lemmas import SumVariable
from sley.evidence.bounded.order import Clause, EventOrder
from sley.logic.sorts import BOOL
from sley.logic.terms import Term, Terms


@dataclass(slots=True)
class PossibleRead:
    """A read, and the writes that it may see."""

    event: BoundedEvent
    variable: Term
    symbol: Term
    copied: list[EventWrite] = field(default_factory=list)
    """It may copy these."""
    rivals: list[EventWrite] = field(default_factory=list)
    """These may be between another one and the read."""


class Axioms:
    """The formula of a set of events."""

    def __init__(
        self,
        terms: Terms,
        events: Events,
        order: EventOrder,
        sums: Mapping[Term, SumVariable],
        budget: Budget,
    ) -> None:
        self.terms = terms
        self.events = events
        self.order = order
        self.sums = sums
        self.budget = budget
        self.formulas: list[Term] = []
        self.clauses: list[Clause] = []
        self.literals: dict[Term, Term] = {}
        """Terms and the literals that are equivalent to them."""

    def encode(self, bad: Collection[Term]) -> None:
        """All that has to hold in a run, as far as what is asked for depends on it."""
        meanings = dict(self.events.definitions)
        reads = {read.symbol: read for read in self._reads()}
        needed = self._needed(bad, meanings, reads)
        self.formulas = [self.terms.eq(name, meanings[name]) for name in meanings if name in needed]
        for symbol, read in reads.items():
            if symbol in needed:
                self.budget.spend()
                if read.variable in self.sums:
                    self._sees_sum(read, self.sums[read.variable])
                else:
                    self._read_from(read)
        for condition in bad:
            self._literal(condition)
        self._encode_more()
        self.clauses.extend(self.order.clauses())

    def _encode_more(self) -> None:
        """Here other axioms may follow."""

    # --- which write a read may copy --------------------------------------------------------------

    def _reads(self) -> list[PossibleRead]:
        writes: dict[Term, list[EventWrite]] = {}
        for event in self.events.events:
            for variable, write in event.writes.items():
                if write.condition != self.terms.false:
                    writes.setdefault(variable, []).append(write)
        return [
            self._seen(PossibleRead(event, variable, symbol), writes.get(variable, []))
            for event in self.events.events
            for variable, symbol in event.reads.items()
        ]

    def _seen(self, read: PossibleRead, writes: list[EventWrite]) -> PossibleRead:
        """Leave out writes that are always later, or always overwritten before the read.

        Lemma: let every run have v before w and w before the read, and let w be a write that happens whenever
        the read does. Then the read copies w, or what came after it, and never v.
        """
        event, earlier = read.event.number, self.order.earlier
        later = [w for w in writes if w.event != event and not earlier[w.event] >> event & 1]
        sure = [
            w
            for w in later
            if read.event.dominators >> w.event & 1
            and self._is_unconditional(w)
            and earlier[event] >> w.event & 1
        ]
        hidden = 0
        for write in sure:
            hidden |= earlier[write.event]
        first = [] if sure else [EventWrite(-1, self.terms.true, self.events.initial[read.variable])]
        read.rivals = [w for w in later if not hidden >> w.event & 1]
        read.copied = [w for w in (*first, *read.rivals) if self._is_possible(read, w)]
        return read

    def _is_unconditional(self, write: EventWrite) -> bool:
        return write.condition == self.events.events[write.event].occurs

    def _is_possible(self, read: PossibleRead, write: EventWrite) -> bool:
        """Whether the step of the read can be completed with this value.

        Lemma: a value that makes the condition of the step false is not the one that the step has read.
        """
        t, possible = self.terms, read.event.possible
        if not t.is_const(write.value) or not t.mentions(possible, read.symbol):
            return True
        return t.substitute(possible, {read.symbol: write.value}) != t.false

    # --- what depends on what ---------------------------------------------------------------------

    def _needed(
        self, bad: Iterable[Term], meanings: Mapping[Term, Term], reads: Mapping[Term, PossibleRead]
    ) -> set[Term]:
        """The names and symbols that what is asked for depends on; others may hold anything."""
        found: set[Term] = set()
        waiting = [variable for term in bad for variable in self.terms.variables(term)]
        while waiting:
            symbol = waiting.pop()
            if symbol in found:
                continue
            found.add(symbol)
            terms: list[Term] = []
            if symbol in meanings:
                terms.append(meanings[symbol])
            elif symbol in reads:
                read = reads[symbol]
                terms.append(read.event.looks)
                if read.variable not in self.sums:
                    terms += [write.value for write in read.copied]
                terms += [write.condition for write in (*read.copied, *read.rivals)]
            waiting.extend(v for term in terms for v in self.terms.variables(term))
        return found

    # --- axioms -----------------------------------------------------------------------------------

    def _read_from(self, read: PossibleRead) -> None:
        """A read that matters copies one write; each choice implies what the other axioms say."""
        t, looks = self.terms, self._literal(read.event.looks)
        choices: list[Term] = []
        for write in read.copied:
            name = f"!from{read.symbol}:{write.event}"
            chosen = looks if len(read.copied) == 1 else t.var(name, BOOL)
            choices.append(chosen)
            self._copies(read, write, chosen)
            self._happened(write, chosen)
            self._came_before(read, write, chosen)
            self._none_between(read, write, chosen)
        if len(choices) != 1:
            self._clause(t.not_(looks), *choices)

    def _sees_sum(self, read: PossibleRead, found: SumVariable) -> None:
        """A read that matters sees what was there at first, and all that was added before it."""
        t, width = self.terms, self.terms.width(read.symbol)
        limit = 1 << width
        total = sum(constant for _, constant in found.added)
        narrow = total.bit_length() if total < limit else width
        added = t.bv(0, narrow)
        for write, constant in found.added:
            if write.event != read.event.number:
                is_before = self.order.before(write.event, read.event.number)
                happens = t.and_(self._literal(write.condition), is_before)
                added = t.add(added, t.ite(happens, t.bv(constant, narrow), t.bv(0, narrow)))
        value = t.add(found.base, t.resize(added, width, signed=False))
        self.formulas.append(t.implies(self._literal(read.event.looks), t.eq(read.symbol, value)))

    def _copies(self, read: PossibleRead, write: EventWrite, chosen: Term) -> None:
        """The read has the value of the write."""
        self.formulas.append(self.terms.implies(chosen, self.terms.eq(read.symbol, write.value)))

    def _happened(self, write: EventWrite, chosen: Term) -> None:
        """The write happens."""
        self._clause(self.terms.not_(chosen), self._literal(write.condition))

    def _came_before(self, read: PossibleRead, write: EventWrite, chosen: Term) -> None:
        """The write is before the read."""
        if write.event >= 0:
            self._clause(self.terms.not_(chosen), self.order.before(write.event, read.event.number))

    def _none_between(self, read: PossibleRead, write: EventWrite, chosen: Term) -> None:
        """Every other write of the variable that happens is before this one, or after the read."""
        t, order = self.terms, self.order
        for rival in read.rivals:
            if rival.event != write.event:
                is_earlier = t.false if write.event < 0 else order.before(rival.event, write.event)
                is_later = order.before(read.event.number, rival.event)
                self._clause(t.not_(chosen), t.not_(self._literal(rival.condition)), is_earlier, is_later)

    # --- formulas ---------------------------------------------------------------------------------

    def _literal(self, term: Term) -> Term:
        """A literal that is equivalent to a term."""
        t = self.terms
        if term not in self.literals:
            self.literals[term] = name = term
            if not (t.is_const(term) or t.is_var(term)):
                self.literals[term] = name = t.var(f"!lit{len(self.literals)}", BOOL)
                self.formulas.append(t.eq(name, term))
        return self.literals[term]

    def _clause(self, *literals: Term) -> None:
        if self.terms.true not in literals:
            self.clauses.append(tuple(one for one in literals if one != self.terms.false))
