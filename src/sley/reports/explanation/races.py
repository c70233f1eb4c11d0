"""Data races: which locks each side holds, and which order is missing."""

from collections.abc import Iterator

from sley.evidence.library_objects import is_attempt
from sley.evidence.remarks import Accesses, AccessKind, MissingOrder
from sley.evidence.trace import TraceEvent
from sley.program.c_text import called_in
from sley.program.instructions import MemoryOrder
from sley.program.memory_model import MemoryModel
from sley.reports.explanation.explanation import Explanation
from sley.reports.explanation.run import READS, WRITES, Held, TraceRun


def race(run: TraceRun) -> Explanation:
    """Two accesses that nothing orders."""
    if len(run.failing) != 2:
        return Explanation()
    first, second = (run.events[index] for index in run.failing)
    when = "can run at the same moment: nothing orders them"
    if run.trace.memory_model is MemoryModel.C11:
        when = "are not ordered by happens-before"
    places = [f"{run.line(index)} ({run.name(run.events[index].thread)})" for index in run.failing]
    why = f"Line{places[0].removeprefix('line')} and {places[1]} {when}. C gives such a program no meaning."
    locks = list(_locks(run, first, second)) if run.trace.memory_model is not MemoryModel.C11 else []
    _cite_orders(run)
    return run.said([" ".join([why, *locks])], list(_fix(run, first, second)))


def _cite_orders(run: TraceRun) -> None:
    """The read and the write of which the facts say that they do not order anything stay visible."""
    for order in _missing_orders(run):
        lines = order.read_line, order.write_line
        for line, kinds in zip(lines, (READS, WRITES), strict=True):
            found = [i for i, e in enumerate(run.events) if _is_at(e, line) and e.kind in kinds]
            run.cited.update(found[-1:])


def _missing_orders(run: TraceRun) -> Iterator[MissingOrder]:
    return (fact for fact in run.trace.facts if isinstance(fact, MissingOrder))


def _is_at(event: TraceEvent, line: int | None) -> bool:
    return event.origin.span is not None and event.origin.span.line == line


def _held(run: TraceRun, event: TraceEvent) -> dict[str, Held]:
    return run.held(event.thread, len(run.events))


def _locks(run: TraceRun, first: TraceEvent, second: TraceEvent) -> Iterator[str]:
    """What each side holds; what both hold for reading excludes neither."""
    sides = _held(run, first), _held(run, second)
    shared = [name for name, held in sides[0].items() if name in sides[1] and held.is_for_reading]
    names = run.name(first.thread), run.name(second.thread)
    if shared:
        for index in (side[shared[0]].index for side in sides):
            run.step(index)
        yield f"{names[0]} holds `{shared[0]}` for reading only, and so does {names[1]}."
        return
    if any(sides):
        yield (
            "; ".join(f"{name} holds {_text(run, side)}" for name, side in zip(names, sides, strict=True))
            + "."
        )
    for event in (first, second):
        refused = run.refused(event.thread, len(run.events))
        if refused is not None:
            call = _attempt(run.events[refused])
            yield (f"{run.name(event.thread)} goes on although its {call} failed in {run.step(refused)}.")


def _text(run: TraceRun, held: dict[str, Held]) -> str:
    texts = [
        f"`{lock.name}`{' for reading' if lock.is_for_reading else ''} since {run.step(lock.index)}"
        for lock in held.values()
    ]
    return " and ".join(texts) or "no lock"


def _attempt(event: TraceEvent) -> str:
    """The function that tries to take a lock."""
    called = (name for name in called_in(event.origin.text) if is_attempt(name.lower()))
    return next(called, "attempt to take the lock")


def _fix(run: TraceRun, first: TraceEvent, second: TraceEvent) -> Iterator[str]:
    subject = run.trace.failure.subject
    name = f"`{subject}`" if subject else "the variable"
    orders = list(_missing_orders(run))
    accesses = [event.note for event in (first, second) if isinstance(event.note, Accesses)]
    if any(access.what is AccessKind.FREE for access in accesses):
        yield "Free the block once, when no other thread can use it any more: after a join, for example."
    elif orders:
        yield from dict.fromkeys(map(_stronger, orders))
    else:
        yield _common_lock(run, first, second, name)


def _stronger(order: MissingOrder) -> str:
    kind, needed = ("load", MemoryOrder.ACQUIRE) if order.is_load_weak else ("store", MemoryOrder.RELEASE)
    line = order.read_line if order.is_load_weak else order.write_line
    access, needs = f"the {kind} in line {line}", f"memory_order_{needed.value}"
    if order.order is MemoryOrder.PLAIN:
        return f"Make the variable of {access} atomic, with {needs} there."
    return f"Give {access} {needs} instead of memory_order_{order.order.value}."


def _common_lock(run: TraceRun, first: TraceEvent, second: TraceEvent, name: str) -> str:
    sides = _held(run, first), _held(run, second)
    attempts = [run.refused(event.thread, len(run.events)) for event in (first, second)]
    refused = next((index for index in attempts if index is not None), None)
    if refused is not None:
        return f"Touch {name} only if {_attempt(run.events[refused])} returned 0."
    shared = [lock for lock, held in sides[0].items() if lock in sides[1] and held.is_for_reading]
    if shared:
        return f"Take `{shared[0]}` for writing where {name} is written, or make {name} atomic."
    if bool(sides[0]) != bool(sides[1]):
        (lock, *_), other = (sides[0], second) if sides[0] else (sides[1], first)
        line = "" if other.origin.span is None else f" in line {other.origin.span.line}"
        return f"Hold `{lock}`{line}, too, or make {name} atomic."
    accesses = [event.note for event in (first, second) if isinstance(event.note, Accesses)]
    are_same = len({(access.name, access.is_atomic) for access in accesses}) < 2
    if accesses and all(access.is_inner for access in accesses):
        return "Hold the same mutex around both calls, or use functions that keep nothing (`..._r`)."
    return f"Hold the same mutex around both{f', or make {name} atomic' if are_same else ''}."
