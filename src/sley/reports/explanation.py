"""What can be said truthfully about why a run goes wrong, and what might mend it.

Every sentence is an observation on the rows of this very run; where none applies, nothing is said.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sley.evidence.trace import MAY_HAVE_TO_WAIT, Event, EventKind, Trace
from sley.program.memory_model import MemoryModel
from sley.program.properties import Property
from sley.reports.rows import MEMORY_KINDS, Row


@dataclass(frozen=True, slots=True)
class LostUpdate:
    """``reader`` reads a variable, another thread writes it, then ``reader`` writes it without looking."""

    variable: str
    read: Row
    lost: Row
    write: Row


@dataclass(frozen=True, slots=True)
class Explanation:
    """Sentences for the reader; ``remarks`` belong to single rows, by number."""

    why: tuple[str, ...] = ()
    fix: tuple[str, ...] = ()
    remarks: Mapping[int, str] = field(default_factory=dict)


def explain(trace: Trace, rows: Sequence[Row], watched: Sequence[str]) -> Explanation:
    """What the rows of this trace show about its violation."""
    names = {thread.id: thread.name for thread in trace.threads}
    match trace.failure.property:
        case Property.RACE:
            return _race(trace, rows, names)
        case Property.DEADLOCK:
            return _deadlock(rows)
        case Property.REACH if not trace.memory_model.is_hardware:  # there, a write is not where it looks
            lost = next(lost_updates(rows, watched), None)
            return Explanation() if lost is None else _lost_update(lost, names)
        case Property.DEREF:
            return _dereference(rows, names)
        case _:
            return Explanation()


def lost_updates(rows: Sequence[Row], watched: Sequence[str]) -> Iterator[LostUpdate]:
    """Writes that overwrite another thread's write which the writer has not read, latest first."""
    accesses = [
        (event, row)
        for row in rows
        for event in row.events
        if event.kind in MEMORY_KINDS and event.target in watched
    ]
    for index in range(len(accesses) - 1, -1, -1):
        event, row = accesses[index]
        if event.kind is EventKind.WRITE:
            found = _overwritten(accesses[:index], event, row)
            if found is not None:
                yield found


def _overwritten(earlier: Sequence[tuple[Event, Row]], write: Event, row: Row) -> LostUpdate | None:
    """The latest write of another thread between the writer's last access (a read) and its write."""
    lost: Row | None = None
    for event, other in reversed(earlier):
        if event.target != write.target:
            continue
        if event.thread == write.thread:
            if event.kind is EventKind.READ and lost is not None:
                return LostUpdate(write.target, other, lost, row)
            return None
        if event.kind is not EventKind.READ and lost is None:
            lost = other
    return None


def _lost_update(found: LostUpdate, names: Mapping[int, str]) -> Explanation:
    reader, other = names[found.write.thread], names[found.lost.thread]
    lines = _line_range(found.read, found.write)
    return Explanation(
        why=(
            f"{_capital(reader)} reads `{found.variable}` in step {found.read.number} and writes it in step "
            f"{found.write.number}. In between, {other} writes it (step {found.lost.number}), and this "
            "write is overwritten unseen.",
        ),
        fix=(
            f"Make {lines} one step: hold one mutex around all uses of `{found.variable}`, "
            "or use an atomic operation.",
        ),
        remarks={found.write.number: f"overwrites what {other} wrote in step {found.lost.number}"},
    )


def _line_range(first: Row, last: Row) -> str:
    low, high = sorted((first.line, last.line))
    return f"line {low}" if low == high else f"lines {low}-{high}"


def _race(trace: Trace, rows: Sequence[Row], names: Mapping[int, str]) -> Explanation:
    failing = [row for row in rows if row.is_failure]
    if len(failing) != 2:
        return Explanation()
    first, second = failing
    variable = re.search(r"`(.+)`", trace.failure.message)
    fix = (f"Hold the same mutex around both, or make `{variable[1]}` atomic.",) if variable else ()
    when = "can run at the same moment: nothing orders them"
    if trace.memory_model is MemoryModel.C11:
        when = "are not ordered by happens-before"
    if any(event.note.startswith("frees") for row in failing for event in row.events):
        fix = ("Free the block once, when no other thread can use it any more: after a join, for example.",)
    return Explanation(
        why=(
            f"Line {first.line} ({names[first.thread]}) and line {second.line} ({names[second.thread]}) "
            f"{when}. C gives such a program no meaning.",
        ),
        fix=fix,
    )


def _dereference(rows: Sequence[Row], names: Mapping[int, str]) -> Explanation:
    """A local variable ends with its block, whoever else still has its address."""
    for row in rows:
        for event in row.events:
            if event.kind is not EventKind.LEAVE or not event.note:
                continue
            if not event.target:
                return Explanation(why=(f"The pointer is left over: {event.note} since step {row.number}.",))
            return Explanation(
                why=(
                    f"The pointer leads to `{event.target}`, a local variable of {names[row.thread]} "
                    f"that is gone since step {row.number}.",
                )
            )
    return Explanation()


def _deadlock(rows: Sequence[Row]) -> Explanation:
    """Two threads that wait for locks can be helped by an order on the locks."""
    if any(event.note == MAY_HAVE_TO_WAIT for row in rows for event in row.events):
        return Explanation(
            why=(
                "While a writer waits, a lock need not be granted for reading: POSIX leaves that to the "
                "implementation. Linux grants it by default.",
            ),
            fix=("Do not ask for a read lock, or wait for who does, while holding the lock for reading.",),
        )
    waiting = [row for row in rows if row.is_failure and "lock" in row.statement.text]
    return Explanation(fix=("Take the locks in the same order in every thread.",) if len(waiting) > 1 else ())


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]
