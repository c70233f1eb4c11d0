"""The events of a machine in a formula, and literals for the relations between them."""

from collections.abc import Iterator
from functools import cached_property

from sley.engines.bmc.events.dependencies import Sources
from sley.engines.bmc.events.graph import Read
from sley.engines.bmc.events.machine import MachineEvent, MachineEvents
from sley.engines.bmc.formula.formula import Choice, Formula
from sley.engines.bmc.formula.pruning import Pruning
from sley.engines.bmc.formula.total import TotalOrder
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program.instructions import Barrier


def is_known(pruning: Pruning, read: Read) -> bool:
    """Whether all writes that a read may see have one value."""
    writes = pruning.formula.graph.variables[read.variable][1]
    values = {write.value for write in pruning.candidates(read, writes).copied}
    return len(values) == 1 and all(pruning.terms.is_const(value) for value in values)


class Machine:
    """The events, and the relations rf, co, fr, fences and dependencies of the paper, a literal per pair."""

    def __init__(self, formula: Formula, events: MachineEvents) -> None:
        self.formula = formula
        self.terms = formula.terms
        self.made = events
        self.events = events.events
        self.model = events.model
        self.readers: dict[Term, list[MachineEvent]] = {}
        self.writers: dict[Term, list[MachineEvent]] = {}
        for event in self.events:
            for variable in event.reads:
                self.readers.setdefault(variable, []).append(event)
            for variable in event.writes:
                self.writers.setdefault(variable, []).append(event)
        self._choose()
        self._orders = {v: self._order(v) for v in self.writers}

    def clause(self, *literals: Term) -> None:
        """One of the literals holds."""
        self.formula.budget.spend()
        self.formula.order.clause(*literals)

    def rule(self, *literals: Term, then: Term) -> None:
        """If the literals hold, so does another one."""
        self.clause(*(self.terms.not_(literal) for literal in literals), then)

    def never(self, *literals: Term) -> None:
        """The literals do not hold together."""
        self.clause(*(self.terms.not_(literal) for literal in literals))

    # --- events -----------------------------------------------------------------------------------

    def occurs(self, event: MachineEvent) -> Term:
        """A literal: it happens."""
        return self.formula.named(event.occurs)

    def does_write(self, event: MachineEvent, variable: Term) -> Term:
        """A literal: it happens, and writes a variable."""
        return self.formula.named(event.writes[variable])

    def both(self, a: MachineEvent, b: MachineEvent) -> tuple[Term, Term]:
        """Literals: the two happen."""
        return self.occurs(a), self.occurs(b)

    # --- rf ---------------------------------------------------------------------------------------

    def _choose(self) -> None:
        """The writes that each read may read from, each with its literal."""
        f, t = self.formula, self.terms
        pruning, variables = Pruning(f), f.graph.variables
        for variable, (reads, writes) in variables.items():
            for read in reads:
                f.budget.spend()
                event = self.made.of_read.get((read.node, variable))
                when = f.matters(read) if event is None else event.reads[variable]
                if when == t.false:
                    continue
                copied = pruning.candidates(read, writes).copied
                if event is None and read.node not in self.made.waits:
                    if self.made.is_known(read):
                        f.add(*(t.implies(when, t.eq(read.symbol, copied[0].value)) for _ in copied[:1]))
                    continue
                names = (t.var(f"!rf{read.symbol}:{write.node}", BOOL) for write in copied)
                copies = tuple(zip(names, copied, strict=True))
                f.choices.append(Choice(read, f.named(when), copies, ()))
        self.choices = {(c.read.node, c.read.variable): c for c in f.choices}

    def sources(self, event: MachineEvent, variable: Term) -> list[tuple[Term, MachineEvent]]:
        """rf: the writes that a read may read from, each with its literal."""
        choice = self.choices[event.node, variable]
        return [(copy, self.made.of_write[write.node, variable]) for copy, write in choice.copied]

    @cached_property
    def rfe(self) -> list[tuple[Term, MachineEvent, MachineEvent]]:
        """Reads from other threads; from what was there before is no order."""
        return [
            (copy, source, read)
            for variable, reads in self.readers.items()
            for read in reads
            for copy, source in self.sources(read, variable)
            if source.thread != read.thread and source.node
        ]

    # --- co, fr -------------------------------------------------------------------------------------

    def _order(self, variable: Term) -> TotalOrder:
        numbers = [event.number for event in self.writers[variable]]
        return TotalOrder(self.terms, f"!co{variable}", numbers, self._is_first)

    def _is_first(self, a: int, b: int) -> bool:
        return self.made.is_first(self.events[a], self.events[b])

    @property
    def orders(self) -> Iterator[TotalOrder]:
        """The coherence orders."""
        yield from self._orders.values()

    def co(self, a: MachineEvent, b: MachineEvent, variable: Term) -> Term:
        """Of two writes that happen, one is before another in coherence order."""
        return self._orders[variable].before(a.number, b.number)

    def fr(self, read: MachineEvent, write: MachineEvent, variable: Term) -> Term:
        """A read comes before a write that overwrites what it reads, if that happens."""
        return self.terms.var(f"!fr{variable}:{read.number}:{write.number}", BOOL)

    def overwriters(self, read: MachineEvent, variable: Term) -> Iterator[MachineEvent]:
        """The writes that a read may come before."""
        for write in self.writers.get(variable, ()):
            if write.number != read.number and write.node:
                yield write

    # --- program order --------------------------------------------------------------------------------

    def po_pairs(self) -> Iterator[tuple[MachineEvent, MachineEvent]]:
        """Two events of one thread, in order."""
        for second in self.events:
            for first in self.events:
                if first.node and first.thread == second.thread and self.made.is_first(first, second):
                    yield first, second

    def started_pairs(self) -> Iterator[tuple[MachineEvent, MachineEvent]]:
        """Events of two threads that a creation, or a join, keeps in order."""
        for second in self.events:
            for first in self.events:
                if first.node and first.thread != second.thread and self.made.is_first(first, second):
                    yield first, second

    def separated(self, a: MachineEvent, b: MachineEvent, *barriers: Barrier) -> Term:
        """A literal: barriers of some kinds that keep such events in order are between them."""
        t = self.terms
        wanted = {
            barrier for barrier in barriers if any(_is_pair(a, b, pair) for pair in sorted(barrier.pairs))
        }
        found = [fence.occurs for fence in self.made.between(a, b) if fence.barrier in wanted]
        return self.formula.named(t.and_(t.or_(*found), a.occurs, b.occurs))

    def depends(self, event: MachineEvent, sources: Sources) -> Iterator[tuple[Term, MachineEvent]]:
        """The reads on which something of an event depends, each with a literal."""
        for node, condition in sources.items():
            for source in self._reading(node):
                if source.number != event.number:
                    yield self.formula.named(self.terms.and_(condition, source.occurs, event.occurs)), source

    def _reading(self, node: int) -> list[MachineEvent]:
        return [event for event in self._of_node.get(node, ()) if event.reads and not event.is_look]

    @cached_property
    def _of_node(self) -> dict[int, list[MachineEvent]]:
        found: dict[int, list[MachineEvent]] = {}
        for event in self.events:
            found.setdefault(event.node, []).append(event)
        return found


def _is_pair(a: MachineEvent, b: MachineEvent, pair: str) -> bool:
    """Whether two events are such as ``RW`` says."""
    first = a.reads if pair[0] == "R" else a.writes
    second = b.reads if pair[1] == "R" else b.writes
    return bool(first and second)
