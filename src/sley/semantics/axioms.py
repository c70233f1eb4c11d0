"""Execution graphs of C11, for the text ``memory_models/rc11.cat`` to judge.

The text is RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer: *Repairing Sequential Consistency in C/C++11* (PLDI
2017). We differ in three things. An update that succeeds is one event that reads and writes, not two that
``rmw`` links: so ``rmw`` is the identity on updates. Happens-before also contains what creates and joins
threads and what mutexes do (``asw``). And consume is acquire.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from sley.memory_models.model import bundled
from sley.memory_models.pairs import Pairs, broken
from sley.memory_models.relations import Relation
from sley.program.instructions import MemoryOrder


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
    order: MemoryOrder
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

    @property
    def sets(self) -> tuple[str, ...]:
        """The sets of the text that it is in."""
        found = [name for name, is_in in (("R", self.reads), ("W", self.writes)) if is_in]
        found += ["F"] if self.kind is Kind.FENCE else []
        found += ["RLX"] if self.order is not MemoryOrder.PLAIN else []
        found += ["REL"] if self.order.releases and self.kind is not Kind.READ else []
        found += ["ACQ"] if self.order.acquires and self.kind is not Kind.WRITE else []
        return (*found, "SC") if self.order is MemoryOrder.SEQUENTIAL else tuple(found)


class Execution(Pairs):
    """An execution graph G."""

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
        sets: dict[str, int] = {}
        for i, event in enumerate(self.events):
            for name in event.sets:
                sets[name] = sets.get(name, 0) | 1 << i
        from_ = Relation.of(size, ((write, read) for read, write in rf.items()))
        order = Relation.of(size, ((a, b) for one in mo for i, a in enumerate(one) for b in one[i + 1 :]))
        updates = sum(1 << i for i, event in enumerate(self.events) if event.kind is Kind.UPDATE)
        everything = Relation.on(size, (1 << size) - 1)
        relations = {
            "po": Relation.of(size, self._program_order()),
            "loc": self._same_location(),
            "rf": from_,
            "co": order,
            "fr": (from_.inverse @ order) - everything,
            "rmw": Relation.on(size, updates),
            "asw": Relation.of(size, asw),
        }
        super().__init__(size, sets, relations)

    def _program_order(self) -> Iterable[tuple[int, int]]:
        """Initial writes come first."""
        events = list(enumerate(self.events))
        return (
            (i, j)
            for i, a in events
            for j, b in events
            if (a.thread == INITIAL != b.thread) or (a.thread == b.thread != INITIAL and i < j)
        )

    def _same_location(self) -> Relation:
        by_location: dict[object, int] = {}
        for i, event in enumerate(self.events):
            if event.location is not None:
                by_location[event.location] = by_location.get(event.location, 0) | 1 << i
        return Relation([by_location.get(event.location, 0) for event in self.events])


def is_consistent(graph: Execution) -> bool:
    """Whether the execution is one that RC11 allows."""
    return broken(bundled("rc11"), graph) is None


def is_sequential(graph: Execution, happens_before: Relation) -> bool:
    """Whether it satisfies the axiom SC, where it is known what happens before what."""
    return broken(bundled("rc11"), graph, "sc", given={"hb": happens_before}) is None
