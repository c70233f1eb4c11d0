"""What memory models allow by definition: every candidate execution of a made test, judged by the axioms.

No front end, no engine and no machine takes part; only the axioms in ``semantics`` are the same.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations, product

from sley.frontend.fences import MACHINE_FENCES
from sley.program.instructions import Barrier, MemoryOrder
from sley.program.memory_model import MemoryModel
from sley.semantics import axioms, hardware
from tests.litmus.cycles import Operation, Test

_TAGS = {"ldar": "A", "ldapr": "Q", "stlr": "L"}
_ORDERS = {order.value: order for order in MemoryOrder}


def is_allowed(test: Test, model: MemoryModel) -> bool:
    """Whether some candidate execution with the outcome is one that the model allows."""
    judge = _rc11 if model is MemoryModel.C11 else _machine
    return any(judge(candidate, model) for candidate in _candidates(test))


@dataclass(frozen=True)
class _Candidate:
    events: tuple[tuple[int, Operation], ...]
    """With their threads; first values at last, of thread -1."""
    rf: Mapping[int, int]
    co: tuple[tuple[int, ...], ...]


def _candidates(test: Test) -> Iterator[_Candidate]:
    events = [(thread, one) for thread, operations in enumerate(test.threads) for one in operations]
    places = sorted({one.location for _, one in events if one.location})
    events += [(-1, Operation("W", place)) for place in places]
    writes = {p: [i for i, (_, e) in enumerate(events) if e.kind == "W" and e.location == p] for p in places}
    reads = [i for i, (_, one) in enumerate(events) if one.kind == "R"]
    sources = [
        [w for w in writes[events[r][1].location] if events[w][1].value == events[r][1].value] for r in reads
    ]
    for chosen in product(*sources):
        for co in product(*(_coherence(writes[place], events, test.final.get(place)) for place in places)):
            yield _Candidate(tuple(events), dict(zip(reads, chosen, strict=True)), co)


def _coherence(
    writes: list[int], events: list[tuple[int, Operation]], final: int | None
) -> Iterator[tuple[int, ...]]:
    *later, first = writes
    for order in permutations(later):
        last = events[order[-1]][1].value if order else 0
        if final in (None, last):
            yield (first, *order)


def _rc11(candidate: _Candidate, _: MemoryModel) -> bool:
    """A race-free reading: plain accesses are not made by tests that are judged here."""
    events = []
    for thread, one in candidate.events:
        kind = axioms.Kind(one.kind)
        order = _ORDERS[one.fence if one.kind == "F" else one.order]
        is_first = thread == axioms.INITIAL
        place = one.location or None
        events.append(axioms.Event(thread, kind, MemoryOrder.PLAIN if is_first else order, place, one.value))
    return axioms.is_consistent(axioms.Execution(events, candidate.rf, candidate.co))


def _machine(candidate: _Candidate, model: MemoryModel) -> bool:
    """A branch with a control fence behind it has that as an event of its own, before what depends on it."""
    events: list[hardware.Event] = []
    dependencies: dict[str, list[tuple[int, int]]] = {kind: [] for kind in ("addr", "data", "ctrl")}
    numbers: dict[int, int] = {}
    last: dict[int, int] = {}
    branches: dict[int, list[int]] = {}

    def add(event: hardware.Event) -> int:
        dependencies["ctrl"] += [(read, len(events)) for read in branches.get(event.thread, ())]
        events.append(event)
        return len(events) - 1

    for i, (thread, one) in enumerate(candidate.events):
        if one.depends.startswith("ctrl"):
            branches.setdefault(thread, []).append(last[thread])
        if one.depends in ("ctrlisync", "ctrlisb"):
            add(hardware.Event(thread, barrier=Barrier.CONTROL))
        numbers[i] = add(_event(thread, one))
        if one.depends in ("addr", "data"):
            dependencies[one.depends].append((last[thread], numbers[i]))
        if one.kind == "R":
            last[thread] = numbers[i]
    execution = hardware.Execution(
        events,
        {(numbers[r], candidate.events[r][1].location): numbers[w] for r, w in candidate.rf.items()},
        {candidate.events[order[0]][1].location: [numbers[w] for w in order] for order in candidate.co},
        address_dependencies=dependencies["addr"],
        data_dependencies=dependencies["data"],
        control_dependencies=dependencies["ctrl"],
    )
    return hardware.is_allowed(execution, model)


def _event(thread: int, one: Operation) -> hardware.Event:
    return hardware.Event(
        thread,
        frozenset({one.location}) if one.kind == "R" else frozenset(),
        frozenset({one.location}) if one.kind == "W" else frozenset(),
        MACHINE_FENCES[one.fence.replace(".", " ")].barrier if one.kind == "F" else None,
        frozenset({_TAGS[one.order]} if one.order in _TAGS and thread >= 0 else ()),
    )
