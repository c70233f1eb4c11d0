"""Litmus tests as texts, and all their candidate executions: events, rf, mo, filtered by the axioms.

``Wx1.rel`` writes 1 to x, ``Rx1.acq`` reads 1, ``Ux1:2.rlx`` finds 1 and writes 2, ``F.sc`` is a fence;
initially all is 0. Without a dot an access is relaxed. ``allows(threads)`` asks whether some execution is
consistent in which all these values are read; ``last`` has the final values that are wanted.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product

from sley.program.instructions import MemoryOrder
from sley.semantics.axioms import INITIAL, Event, Execution, Kind, is_consistent

ORDERS = {
    "na": MemoryOrder.PLAIN,
    "rlx": MemoryOrder.RELAXED,
    "acq": MemoryOrder.ACQUIRE,
    "rel": MemoryOrder.RELEASE,
    "ar": MemoryOrder.ACQUIRE_RELEASE,
    "sc": MemoryOrder.SEQUENTIAL,
}
_EVENT = re.compile(r"(?:([RWU])([a-z])(\d+)(?::(\d+))?|F)(?:\.(\w+))?$")


def allows(*threads: str, last: Mapping[str, int] | None = None) -> bool:
    """Whether RC11 allows this outcome."""
    return any(map(is_consistent, candidates(threads, last or {})))


def candidates(threads: Sequence[str], last: Mapping[str, int]) -> Iterator[Execution]:
    """All graphs of the threads' events with matching values."""
    events, found = [], []
    for thread, text in enumerate(threads):
        for word in text.split():
            event, value = _event(thread, word)
            events.append(event)
            found.append(value)
    locations = sorted({str(event.location) for event in events if event.location is not None})
    for location in locations:
        events.append(Event(INITIAL, Kind.WRITE, MemoryOrder.PLAIN, location, 0))
        found.append(None)
    readers = [i for i, value in enumerate(found) if value is not None]
    sources = [
        [
            j
            for j, e in enumerate(events)
            if e.writes and e.location == events[i].location and j != i and e.value == found[i]
        ]
        for i in readers
    ]
    for chosen in product(*sources):
        for mo in product(*(_orders(events, location, last) for location in locations)):
            yield Execution(events, dict(zip(readers, chosen, strict=True)), mo)


def _event(thread: int, word: str) -> tuple[Event, int | None]:
    match = _EVENT.match(word)
    assert match, word
    kind, location, first, second, order = match.groups()
    if kind is None:
        return Event(thread, Kind.FENCE, ORDERS[order]), None
    written = int(second if kind == "U" else first)
    event = Event(thread, Kind(kind), ORDERS[order or "rlx"], location, written)
    return event, None if kind == "W" else int(first)


def _orders(events: Sequence[Event], location: str, last: Mapping[str, int]) -> Iterator[tuple[int, ...]]:
    writes = [i for i, e in enumerate(events) if e.writes and e.location == location and e.thread != INITIAL]
    (initial,) = [i for i, e in enumerate(events) if e.location == location and e.thread == INITIAL]
    for order in permutations(writes):
        final = events[order[-1]].value if order else 0
        if last.get(location, final) == final:
            yield (initial, *order)
