"""Candidate executions of machines, for the texts in ``memory_models`` to judge.

An event may access several locations at once: it is an atomic section, with full barriers around it. A locked
instruction is such a section with one location; one that is not locked (on RMO, Power and ARM) is two events,
linked by ``rmw``. Two axioms of N. Chong, T. Sorensen, J. Wickerson, *The Semantics of Transactions and Weak
Memory in x86, Power, ARM, and C++*, PLDI 2018, are about sections: TxnOrder is implied, as a section is one
event, and so is StrongIsol, as ``po-loc | com`` is acyclic over all locations together.

Threads: what comes before the creation of a thread comes before all of it in program order.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import product

from sley.memory_models.model import MemoryModelText, bundled, of_text
from sley.memory_models.pairs import Pairs, broken
from sley.memory_models.relations import Relation
from sley.program.compiled_orders import sets_of
from sley.program.instructions import Barrier
from sley.program.memory_model import MemoryModel

INITIAL = -1
"""The thread of initial writes."""

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Event:
    """An access, a section, or a barrier; threads list their events in program order."""

    thread: int
    reads: frozenset[object] = frozenset()
    writes: frozenset[object] = frozenset()
    barrier: Barrier | None = None
    tags: frozenset[str] = frozenset()
    """More sets that it is in: ``A`` of an instruction that acquires."""

    @property
    def sets(self) -> Iterable[str]:
        """The sets of the texts that it is in."""
        yield from ("R",) if self.reads else ()
        yield from ("W",) if self.writes else ()
        yield from self.tags
        yield from () if self.barrier is None else sets_of(self.barrier)


@dataclass(frozen=True)
class Execution:
    """A candidate execution."""

    events: Sequence[Event]
    reads_from: Mapping[tuple[int, object], int]
    """A read and its location -> the write that it reads from."""
    coherence: Mapping[object, Sequence[int]]
    """The writes of each location, from the initial one on."""
    creators: Mapping[int, int] = field(default_factory=dict)
    """Thread -> the last event before it was created, of the thread that did so."""
    address_dependencies: Iterable[Pair] = ()
    data_dependencies: Iterable[Pair] = ()
    control_dependencies: Iterable[Pair] = ()
    """From a read to all events after a branch that depends on it."""
    joins: Mapping[int, int] = field(default_factory=dict)
    """Thread -> the first event after it was joined."""
    updates: Iterable[Pair] = ()
    """The read and the write of an instruction that is not locked."""

    def pairs(self) -> Pairs:
        """Its sets and relations."""
        sets: dict[str, int] = {}
        for i, event in enumerate(self.events):
            for name in event.sets:
                sets[name] = sets.get(name, 0) | 1 << i
        locations = dict.fromkeys(one for e in self.events for one in (*e.reads, *e.writes))
        at = [self._at(location) for location in locations]
        relations = {
            "po": self._program_order,
            "threads": self._relation(self._between_threads()),
            "int": self._internal,
            "ext": Relation([~row & (1 << len(self.events)) - 1 for row in self._internal.rows]),
            "loc": self._union(self._relation((a, b) for a in one for b in one) for one in at),
            "rf": self._relation((write, read) for (read, _), write in self.reads_from.items()),
            "co": self._union(map(self._coherence, locations)),
            "fr": self._union(map(self._from_reads, locations)),
            "addr": self._relation(self.address_dependencies),
            "data": self._relation(self.data_dependencies),
            "ctrl": self._relation(self.control_dependencies),
            "rmw": self._relation(self.updates),
        }
        return Pairs(len(self.events), sets, relations)

    def _relation(self, pairs: Iterable[Pair]) -> Relation:
        return Relation.of(len(self.events), pairs)

    def _union(self, relations: Iterable[Relation]) -> Relation:
        found = self._relation(())
        for relation in relations:
            found = found | relation
        return found

    @cached_property
    def _program_order(self) -> Relation:
        """Also over creations of threads."""
        size, threads = len(self.events), [event.thread for event in self.events]
        lines = ((i, j) for j in range(size) for i in range(j) if threads[i] == threads[j] != INITIAL)
        created = ((self.creators[t], j) for j, t in enumerate(threads) if t in self.creators)
        return self._relation((*lines, *created)).closure

    def _between_threads(self) -> Iterator[Pair]:
        """What creations and joins keep in order."""
        order = self._program_order.rows
        for a, b in product(range(len(self.events)), repeat=2):
            one, other = self.events[a].thread, self.events[b].thread
            joined = self.joins.get(one)
            is_after = joined is not None and (b == joined or order[joined] >> b & 1)
            if one != other and (order[a] >> b & 1 or is_after):
                yield a, b

    @cached_property
    def _internal(self) -> Relation:
        """Pairs of events of one thread."""
        of_thread: dict[int, int] = {}
        for i, event in enumerate(self.events):
            of_thread[event.thread] = of_thread.get(event.thread, 0) | 1 << i
        return Relation([of_thread[event.thread] for event in self.events])

    def _at(self, location: object) -> list[int]:
        return [i for i, e in enumerate(self.events) if location in e.reads or location in e.writes]

    def _coherence(self, location: object) -> Relation:
        line = self.coherence.get(location, ())
        return self._relation((a, b) for i, a in enumerate(line) for b in line[i + 1 :])

    def _from_reads(self, location: object) -> Relation:
        """A read comes before the writes that overwrite what it reads."""
        read = ((r, w) for (r, place), w in self.reads_from.items() if place == location)
        identity = Relation.on(len(self.events), (1 << len(self.events)) - 1)
        return (self._relation(read) @ self._coherence(location)) - identity


@cache
def text_of(model: MemoryModel) -> MemoryModelText:
    """The text of a model of a machine; that of a user's also has threads begin and end as C says."""
    if model.text is None:
        return bundled(model.value)
    file, text = model.text
    found = of_text(text, file)
    return replace(found, axioms=(*found.axioms, *_OF_THREADS))


_OF_THREADS = of_text("acyclic threads & loc | com as threads").axioms


def is_allowed(execution: Execution, model: MemoryModel) -> bool:
    """Whether a machine of this model may execute so."""
    return broken(text_of(model), execution.pairs()) is None
