"""What C11 allows: execution graphs and the axioms of RC11.

The model is that of Lahav, Vafeiadis, Kang, Hur, Dreyer: *Repairing Sequential Consistency in C/C++11*
(PLDI 2017), sections 3 and 4. Names are theirs:

| paper | here |
|---|---|
| sb, rf, mo, rb | ``sb``, ``rf``, ``mo``, ``rb`` |
| rs, sw, hb, eco | ``rs``, ``sw``, ``hb``, ``eco`` |
| scb, psc_base, psc_F | ``scb``, ``psc_base``, ``psc_fences`` |
| COHERENCE, ATOMICITY, SC, NO-THIN-AIR | one function each |

We differ in three things. An update that succeeds is one event that reads and writes, not two that ``rmw``
links: so ``rf; rmw`` is ``rf`` to an update. Happens-before also contains what creates and joins threads and
what mutexes do (``asw``). And consume is acquire. The release sequence ``rs`` is that of the paper: later
writes of the same thread to the same location continue it, as in C11 (in C++20 only updates do).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from sley.program.instructions import Order


class Kind(Enum):
    """What an event does."""

    READ = "R"
    WRITE = "W"
    UPDATE = "U"
    """Reads and writes at once."""
    FENCE = "F"


INITIAL = -1
"""The thread of initial writes, which come before everything."""


@dataclass(frozen=True, slots=True)
class Event:
    """A node of an execution graph; threads list their events in program order."""

    thread: int
    kind: Kind
    order: Order
    location: object = None
    """Which atomic object; None for fences."""
    value: object = 0
    """What is read, or written: by an update, what it writes."""

    @property
    def reads(self) -> bool:
        """Whether it takes a value."""
        return self.kind in (Kind.READ, Kind.UPDATE)

    @property
    def writes(self) -> bool:
        """Whether it gives a value."""
        return self.kind in (Kind.WRITE, Kind.UPDATE)


class Relation:
    """A relation on the events of a graph, by their numbers: row i is the set of what i is related to."""

    __slots__ = ("rows",)

    def __init__(self, rows: Sequence[int]) -> None:
        self.rows = tuple(rows)

    @classmethod
    def of(cls, size: int, pairs: Iterable[tuple[int, int]]) -> "Relation":
        """The relation with these pairs."""
        rows = [0] * size
        for first, second in pairs:
            rows[first] |= 1 << second
        return cls(rows)

    def __or__(self, other: "Relation") -> "Relation":
        return Relation([a | b for a, b in zip(self.rows, other.rows, strict=True)])

    def __and__(self, other: "Relation") -> "Relation":
        return Relation([a & b for a, b in zip(self.rows, other.rows, strict=True)])

    def __sub__(self, other: "Relation") -> "Relation":
        return Relation([a & ~b for a, b in zip(self.rows, other.rows, strict=True)])

    def __matmul__(self, other: "Relation") -> "Relation":
        """Composition: first this, then the other."""
        return Relation([_union(row, other.rows) for row in self.rows])

    @property
    def optional(self) -> "Relation":
        """The reflexive closure."""
        return Relation([row | 1 << i for i, row in enumerate(self.rows)])

    @property
    def inverse(self) -> "Relation":
        """The pairs the other way round."""
        return Relation.of(len(self.rows), ((b, a) for a, row in enumerate(self.rows) for b in members(row)))

    @property
    def closure(self) -> "Relation":
        """The transitive closure."""
        rows = list(self.rows)
        for middle in range(len(rows)):
            bit, through = 1 << middle, rows[middle]
            if through:
                for i, row in enumerate(rows):
                    if row & bit:
                        rows[i] = row | through
        return Relation(rows)

    @property
    def irreflexive_part(self) -> "Relation":
        """Without the pairs of an event with itself."""
        return Relation([row & ~(1 << i) for i, row in enumerate(self.rows)])

    def between(self, sources: int, targets: int) -> "Relation":
        """The pairs from one set to another."""
        return Relation([row & targets if sources >> i & 1 else 0 for i, row in enumerate(self.rows)])

    @property
    def is_empty(self) -> bool:
        """Whether it has no pairs."""
        return not any(self.rows)

    @property
    def is_irreflexive(self) -> bool:
        """Whether no event is related to itself."""
        return not any(row >> i & 1 for i, row in enumerate(self.rows))

    @property
    def is_acyclic(self) -> bool:
        """Whether no event comes back to itself."""
        return self.closure.is_irreflexive


def members(mask: int) -> Iterable[int]:
    """The numbers in a set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _union(mask: int, rows: Sequence[int]) -> int:
    found = 0
    for i in members(mask):
        found |= rows[i]
    return found


class Execution:
    """An execution graph G, and the relations that the paper derives from it."""

    def __init__(
        self,
        events: Sequence[Event],
        rf: Mapping[int, int],
        mo: Iterable[Sequence[int]],
        asw: Iterable[tuple[int, int]] = (),
    ) -> None:
        """Events by number; ``rf`` says from which write a read reads, ``mo`` has the writes by location."""
        self.events = tuple(events)
        size = len(self.events)
        self.rf = Relation.of(size, ((write, read) for read, write in rf.items()))
        self.mo = Relation.of(
            size, ((a, b) for order in mo for i, a in enumerate(order) for b in order[i + 1 :])
        )
        self.asw = Relation.of(size, asw)

    def those(self, is_wanted: Callable[[Event], bool]) -> int:
        """The set of events with a property."""
        return sum(1 << i for i, event in enumerate(self.events) if is_wanted(event))

    @cached_property
    def sb(self) -> Relation:
        """Sequenced before: the program order; initial writes come first."""
        events = list(enumerate(self.events))
        return Relation.of(
            len(events),
            (
                (i, j)
                for i, a in events
                for j, b in events
                if (a.thread == INITIAL != b.thread) or (a.thread == b.thread != INITIAL and i < j)
            ),
        )

    @cached_property
    def same_location(self) -> Relation:
        """Pairs of accesses to one location."""
        by_location: dict[object, int] = {}
        for i, event in enumerate(self.events):
            if event.location is not None:
                by_location[event.location] = by_location.get(event.location, 0) | 1 << i
        return Relation([by_location.get(event.location, 0) for event in self.events])

    def at_one(self, relation: Relation) -> Relation:
        """Restricted to pairs of accesses to one location: ``|loc``."""
        return Relation([a & b for a, b in zip(relation.rows, self.same_location.rows, strict=True)])

    def at_two(self, relation: Relation) -> Relation:
        """Restricted to all other pairs: ``|≠loc``."""
        return Relation([a & ~b for a, b in zip(relation.rows, self.same_location.rows, strict=True)])

    @cached_property
    def rb(self) -> Relation:
        """Reads before: a read comes before the writes that overwrite what it reads."""
        return (self.rf.inverse @ self.mo).irreflexive_part

    @cached_property
    def eco(self) -> Relation:
        """The extended coherence order."""
        return (self.rf | self.mo | self.rb).closure

    @cached_property
    def rs(self) -> Relation:
        """The release sequence: [W]; sb|loc?; [W⊒rlx]; (rf; rmw)*."""
        writes = self.those(lambda e: e.writes)
        atomic = self.those(lambda e: e.writes and e.order is not Order.PLAIN)
        updates = self.those(lambda e: e.kind is Kind.UPDATE)
        chain = self.rf.between(writes, updates).closure.optional
        return self.at_one(self.sb).optional.between(writes, atomic) @ chain

    @cached_property
    def sw(self) -> Relation:
        """Synchronises with: [E⊒rel]; ([F]; sb)?; rs; rf; [R⊒rlx]; (sb; [F])?; [E⊒acq]."""
        everything = (1 << len(self.events)) - 1
        fences = self.those(lambda e: e.kind is Kind.FENCE)
        atomic_reads = self.those(lambda e: e.reads and e.order is not Order.PLAIN)
        releasing = self.those(_releases)
        acquiring = self.those(_acquires)
        to_head = self.sb.between(fences, everything).optional
        from_read = self.sb.between(everything, fences).optional
        read = self.rf.between(everything, atomic_reads)
        return (to_head @ self.rs @ read @ from_read).between(releasing, acquiring)

    @cached_property
    def hb(self) -> Relation:
        """Happens before: (sb | sw)+, with what creates and joins threads, and mutexes."""
        return (self.sb | self.sw | self.asw).closure

    @cached_property
    def sequential(self) -> int:
        """E^sc."""
        return self.those(lambda e: e.order is Order.SEQUENTIAL)

    @cached_property
    def sequential_fences(self) -> int:
        """F^sc."""
        return self.those(lambda e: e.order is Order.SEQUENTIAL and e.kind is Kind.FENCE)

    @cached_property
    def scb(self) -> Relation:
        """SC before: sb | sb|≠loc; hb; sb|≠loc | hb|loc | mo | rb."""
        elsewhere = self.at_two(self.sb)
        return self.sb | elsewhere @ self.hb @ elsewhere | self.at_one(self.hb) | self.mo | self.rb

    @cached_property
    def psc_base(self) -> Relation:
        """([E^sc] | [F^sc]; hb?); scb; ([E^sc] | hb?; [F^sc])."""
        everything = (1 << len(self.events)) - 1
        same = Relation([1 << i for i in range(len(self.events))])
        to_scb = same.between(self.sequential, everything) | self.hb.optional.between(
            self.sequential_fences, everything
        )
        from_scb = same.between(everything, self.sequential) | self.hb.optional.between(
            everything, self.sequential_fences
        )
        return to_scb @ self.scb @ from_scb

    @cached_property
    def psc_fences(self) -> Relation:
        """[F^sc]; (hb | hb; eco; hb); [F^sc]."""
        fences = self.sequential_fences
        return (self.hb | self.hb @ self.eco @ self.hb).between(fences, fences)


def _releases(event: Event) -> bool:
    return event.order.releases and event.kind is not Kind.READ


def _acquires(event: Event) -> bool:
    return event.order.acquires and event.kind is not Kind.WRITE


def coherence(graph: Execution) -> bool:
    """COHERENCE: hb; eco? is irreflexive; so is eco, where the two events of an update are one."""
    return (graph.hb @ graph.eco.optional).is_irreflexive and graph.eco.is_irreflexive


def atomicity(graph: Execution) -> bool:
    """ATOMICITY: rmw ∩ (rb; mo) is empty: nothing comes between an update and what it reads."""
    return (graph.rb @ graph.mo).is_irreflexive


def sequential_consistency(graph: Execution) -> bool:
    """SC: psc_base | psc_F is acyclic."""
    return (graph.psc_base | graph.psc_fences).is_acyclic


def no_thin_air(graph: Execution) -> bool:
    """NO-THIN-AIR: sb | rf is acyclic; threads and mutexes read from each other, too."""
    return (graph.sb | graph.rf | graph.asw).is_acyclic


AXIOMS = (coherence, atomicity, sequential_consistency, no_thin_air)


def is_consistent(graph: Execution) -> bool:
    """Whether the execution is one that RC11 allows."""
    return all(axiom(graph) for axiom in AXIOMS)
