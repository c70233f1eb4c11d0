"""Executions of machines in a notation: ``Wx1 F.full Ry0``, ``Ry1 Rx0.addr`` (depends on the last read).

``Ux0:1`` is a locked update, which finds 0 and writes 1; ``Vx0:1.al`` one that is a read and a write.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations, product

from sley.program.instructions import Barrier
from sley.program.memory_model import MemoryModel
from sley.semantics.hardware import INITIAL, Event, Execution, is_allowed

BARRIERS = {
    "full": Barrier.FULL,
    "light": Barrier.LIGHTWEIGHT,
    "stores": Barrier.STORES,
    "loads": Barrier.LOADS,
    "wr": Barrier.STORE_LOAD,
    "isb": Barrier.CONTROL,
}


@dataclass
class Candidate:
    """What all candidate executions of some threads with given values have in common."""

    events: list[Event] = field(default_factory=list)
    values: dict[tuple[int, object], int] = field(default_factory=dict)
    """What an event reads at a location."""
    written: dict[tuple[int, object], int] = field(default_factory=dict)
    dependencies: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def executions(self) -> Iterator[Execution]:
        """All that have the values that reads are said to get."""
        places = {place: [n for n, p in self.written if p == place] for _, place in self.written}
        reads = list(self.values)
        sources = [self._sources(read, places[read[1]]) for read in reads]
        orders = [[(first, *rest) for rest in permutations(others)] for first, *others in places.values()]
        for chosen, order in product(product(*sources), product(*orders)):
            rf, co = dict(zip(reads, chosen, strict=True)), dict(zip(places, order, strict=True))
            yield replace(self._plain, reads_from=rf, coherence=co)

    def _sources(self, read: tuple[int, object], writes: list[int]) -> list[int]:
        return [w for w in writes if w != read[0] and self.written[w, read[1]] == self.values[read]]

    @cached_property
    def _plain(self) -> Execution:
        found = self.dependencies
        return Execution(
            self.events,
            {},
            {},
            address_dependencies=found.get("addr", []),
            data_dependencies=found.get("data", []),
            control_dependencies=found.get("ctrl", []),
            updates=found.get("rmw", []),
        )


def candidate(*threads: str) -> Candidate:
    """The events of some threads, after initial writes of 0."""
    made = Candidate()
    places = {word[1] for thread in threads for word in thread.split() if word[0] in "RWUV"}
    for place in sorted(places):
        made.written[len(made.events), place] = 0
        made.events.append(Event(INITIAL, writes=frozenset(place)))
    for number, thread in enumerate(threads):
        _add_thread(made, number, thread)
    return made


def _add_thread(made: Candidate, number: int, thread: str) -> None:
    read, branches = 0, list[int]()

    def add(event: Event) -> int:
        at = len(made.events)
        made.events.append(event)
        made.dependencies.setdefault("ctrl", []).extend((source, at) for source in branches)
        return at

    for word in thread.split():
        name, _, how = word.partition(".")
        if how in ("ctrl", "ctrlisync"):
            branches.append(read)
        if how == "ctrlisync":
            add(Event(number, barrier=Barrier.CONTROL))
        if name == "F":
            add(Event(number, barrier=BARRIERS[how]))
            continue
        place, values = name[1], name[2:].split(":")
        if name[0] == "V":
            read = add(Event(number, frozenset(place), tags=frozenset(set(how.upper()) & set("AQ"))))
            made.values[read, place] = int(values[0])
            written = add(Event(number, writes=frozenset(place), tags=frozenset(set(how.upper()) & set("L"))))
            made.written[written, place] = int(values[1])
            made.dependencies.setdefault("rmw", []).append((read, written))
            continue
        reads, writes = name[0] in "RU", name[0] in "WU"
        tags = frozenset(how.upper()) if how in ("a", "q", "l") else frozenset()
        at = add(Event(number, frozenset(place * reads), frozenset(place * writes), tags=tags))
        if how in ("addr", "data"):
            made.dependencies.setdefault(how, []).append((read, at))
        if reads:
            made.values[at, place], read = int(values[0]), at
        if writes:
            made.written[at, place] = int(values[-1])


def executions(*threads: str, last: Mapping[str, int] | None = None) -> Iterator[Execution]:
    """Those with these values, and these last ones."""
    made = candidate(*threads)
    for execution in made.executions():
        ends = {place: made.written[execution.coherence[place][-1], place] for place in last or {}}
        if ends == (last or {}):
            yield execution


def allows(model: MemoryModel, *threads: str, last: Mapping[str, int] | None = None) -> bool:
    """Whether a machine allows these values, and these last ones."""
    return any(is_allowed(execution, model) for execution in executions(*threads, last=last))
