"""The events of a machine in a formula, and literals for the relations between them."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from itertools import permutations, product

from sley.engines.bmc.events.dependencies import Dependencies, Sources
from sley.engines.bmc.events.graph import NodeRead
from sley.engines.bmc.events.machine import MachineEvent, MachineEvents, MachineFence
from sley.engines.bmc.formula.formula import Formula, ReadChoice
from sley.engines.bmc.formula.pruning import Pruning
from sley.engines.bmc.formula.total import TotalOrder
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program.compiled_orders import sets_of

Edge = tuple[tuple[Term, ...], int, int]
"""If the literals hold, and both happen, one event is related to another."""


def is_known(pruning: Pruning, read: NodeRead) -> bool:
    """Whether all writes that a read may see have one value."""
    writes = pruning.formula.graph.variables[read.variable][1]
    values = {write.value for write in pruning.candidates(read, writes).copied}
    return len(values) == 1 and all(pruning.terms.is_const(value) for value in values)


class Machine:
    """The events, and the relations rf, co and fr, a literal per pair; fences are events, too."""

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
                f.choices.append(ReadChoice(read, f.named(when), copies, ()))
        self.choices = {(c.read.node, c.read.variable): c for c in f.choices}

    def sources(self, event: MachineEvent, variable: Term) -> list[tuple[Term, MachineEvent]]:
        """rf: the writes that a read may read from, each with its literal."""
        choice = self.choices[event.node, variable]
        return [(copy, self.made.of_write[write.node, variable]) for copy, write in choice.copied]

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

    # --- what texts speak of --------------------------------------------------------------------------

    def base(self, name: str) -> Iterator[Edge]:
        """The pairs of a set or relation of the execution; there are no others."""
        made: Mapping[str, Callable[[], Iterator[Edge]]] = {
            "po": self._po,
            "threads": self._started,
            "loc": self._same_location,
            "rf": self._rf,
            "co": self._co,
            "fr": self._fr,
            "rmw": self._rmw,
            "addr": lambda: self._needs(lambda found: found.address),
            "data": lambda: self._needs(lambda found: found.data, of_writes=True),
            "ctrl": self._control,
            "int": lambda: self._of_threads(is_same=True),
            "ext": lambda: self._of_threads(is_same=False),
        }
        return made[name]() if name in made else self._set(name)

    def _set(self, name: str) -> Iterator[Edge]:
        for event in self.events:
            is_in = {"R": bool(event.reads), "W": bool(event.writes), "_": True, "id": True}
            if is_in.get(name, name in event.tags):
                yield (), event.number, event.number
        for number, fence in self._fences():
            if name in ("_", "id") or name in sets_of(fence.barrier):
                yield (), number, number

    def _fences(self) -> Iterator[tuple[int, MachineFence]]:
        """Their numbers come after those of the others."""
        return enumerate(self.made.fences, len(self.events))

    def _of_threads(self, *, is_same: bool) -> Iterator[Edge]:
        threads = [event.thread if event.node else -1 for event in self.events]
        threads += [fence.thread for fence in self.made.fences]
        for a, one in enumerate(threads):
            yield from (((), a, b) for b, other in enumerate(threads) if (one == other) is is_same)

    def _po(self) -> Iterator[Edge]:
        """In one thread."""
        yield from (((), first.number, second.number) for first, second in self._po_pairs())
        for at, fence in self._fences():
            for event in self.events:
                if event.thread == fence.thread and event.node:
                    if event.node <= fence.after:
                        yield (), event.number, at
                    elif fence.before <= event.node:
                        yield (), at, event.number
            for to, other in self._fences():
                if other.thread == fence.thread and fence.before <= other.after and at != to:
                    yield (), at, to

    def _po_pairs(self) -> Iterator[tuple[MachineEvent, MachineEvent]]:
        for second in self.events:
            for first in self.events:
                if first.node and first.thread == second.thread and self.made.is_first(first, second):
                    yield first, second

    def _started(self) -> Iterator[Edge]:
        """Events of two threads that a creation, or a join, keeps in order."""
        for second in self.events:
            for first in self.events:
                if first.node and first.thread != second.thread and self.made.is_first(first, second):
                    yield (), first.number, second.number

    def _same_location(self) -> Iterator[Edge]:
        for variable in dict.fromkeys((*self.readers, *self.writers)):
            own = {e.number: e for e in (*self.readers.get(variable, ()), *self.writers.get(variable, ()))}
            there = {number: self._accesses(event, variable) for number, event in sorted(own.items())}
            for (a, one), (b, other) in product(there.items(), there.items()):
                yield (one, other), a, b

    def _accesses(self, event: MachineEvent, variable: Term) -> Term:
        t = self.terms
        return self.formula.named(
            t.or_(event.reads.get(variable, t.false), event.writes.get(variable, t.false))
        )

    def _rf(self) -> Iterator[Edge]:
        for variable, reads in self.readers.items():
            for read in reads:
                for copy, source in self.sources(read, variable):
                    yield (copy,), source.number, read.number

    def _co(self) -> Iterator[Edge]:
        for variable, writes in self.writers.items():
            for one, other in permutations(writes, 2):
                before = self.co(one, other, variable)
                if before != self.terms.false:
                    both = (self.does_write(one, variable), self.does_write(other, variable))
                    yield (*both, before), one.number, other.number

    def _fr(self) -> Iterator[Edge]:
        for variable, reads in self.readers.items():
            for read in reads:
                for write in self.overwriters(read, variable):
                    overwritten = (self.does_write(write, variable), self.fr(read, write, variable))
                    yield overwritten, read.number, write.number

    def _rmw(self) -> Iterator[Edge]:
        for event in self.events:
            if event.is_write_part:
                yield (), event.number - 1, event.number

    def _needs(self, of: Callable[[Dependencies], Sources], *, of_writes: bool = False) -> Iterator[Edge]:
        for event in self.events:
            if event.writes or not of_writes:
                sources = of(self.formula.graph.nodes[event.node].dependencies)
                yield from self._depends(event.number, event.occurs, sources)

    def _control(self) -> Iterator[Edge]:
        yield from self._needs(lambda found: found.control)
        for number, fence in self._fences():
            yield from self._depends(number, fence.occurs, fence.control)

    def _depends(self, number: int, occurs: Term, sources: Sources) -> Iterator[Edge]:
        """The reads on which something of an event depends."""
        for node, condition in sources.items():
            for source in self._reading.get(node, ()):
                if source.number != number:
                    literal = self.formula.named(self.terms.and_(condition, source.occurs, occurs))
                    yield (literal,), source.number, number

    @cached_property
    def _reading(self) -> dict[int, list[MachineEvent]]:
        found: dict[int, list[MachineEvent]] = {}
        for event in self.events:
            if event.reads and not event.is_look:
                found.setdefault(event.node, []).append(event)
        return found

    def separated(self, fences: Collection[int]) -> Iterator[tuple[Term, int, int]]:
        """Events of one thread with one of some fences between, each pair with a literal for that."""
        t, numbers = self.terms, dict(self._fences())
        some = [numbers[number] for number in fences]
        for a, b in self._po_pairs() if some else ():
            between = [
                fence.occurs
                for fence in some
                if fence.thread == a.thread and a.node <= fence.after and fence.before <= b.node
            ]
            if between:
                yield self.formula.named(t.and_(t.or_(*between), a.occurs, b.occurs)), a.number, b.number
