"""What every run keeps, and what any run can be brought to: facts about plain events, each with its lemma."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sley.evidence.bounded.events import BoundedEvent, Events, EventWrite
from sley.evidence.bounded.order import EventOrder
from sley.logic.operators import Op
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Term, Terms
from sley.program.program import Program
from sley.program.rewriting import access_of
from sley.semantics.roles import StatusRole

FEW = 3
"""Variables that are written less often are no sums: it would not pay."""


class SumVariable(NamedTuple):
    """A variable that is only ever added to: what it held at first, and what each write adds."""

    base: Term
    added: tuple[tuple[EventWrite, int], ...]


def joins(terms: Terms, events: Events) -> Iterator[tuple[int, int]]:
    """Pairs of the last event of a thread and the first after a join with it.

    Lemma: let a step go on only with a status of a thread that none but steps of that thread write, and only
    its last. Then all that the thread does comes before whatever happens only if that step went on. If all
    later events of the joining thread are such, this may be said of events that do not happen, too: with the
    join all later ones are missing, and can be thought of as the last of all.
    """
    last = {event.thread: event.number for event in events.events}
    for event in events.events:
        thread = _joined(terms, events, event)
        later = [e for e in events.events[event.number + 1 :] if e.thread == event.thread]
        if thread is None or thread == event.thread or not later or thread not in last:
            continue
        if all(e.dominators >> event.number & 1 for e in later):
            yield last[thread], later[0].number


def _joined(terms: Terms, events: Events, event: BoundedEvent) -> int | None:
    """The thread that has ended whenever the event is followed by others."""
    for variable, symbol in event.reads.items():
        role = terms.symbol(variable)
        if isinstance(role, StatusRole) and terms.mentions(event.passes, symbol):
            writers = [e for e in events.events if variable in e.writes and e.number != event.number]
            values = [(e.thread, e.writes[variable].value) for e in writers]
            values.append((-1, events.initial[variable]))
            if all(
                thread == role.thread
                for thread, value in values
                if not (
                    terms.is_const(value) and terms.substitute(event.passes, {symbol: value}) == terms.false
                )
            ):
                return role.thread
    return None


def keepers(events: Events) -> frozenset[Term]:
    """The locks that keep others out.

    Lemma: let a cell be written, once there are several threads, by nothing but steps that take a lock (it
    was 0, and becomes the number of the thread) or give it back (it was that number, and becomes 0). Then
    between taking and giving back no other thread does either.
    """
    found = {event.lock for event in events.events if event.lock is not None}
    for event in events.events:
        if event.lock is None and not event.is_first:
            found.difference_update(event.writes)
    return frozenset(found)


def sections(events: Events, order: EventOrder, good: frozenset[Term]) -> list[int]:
    """For each event the one that stands for all of its critical section, or itself.

    Lemma (R. Lipton, Reduction, CACM 1975): in a section locks are taken, then given back. What is taken can
    be taken later, what is given back can be given back earlier, and an access between commutes with all that
    another thread may do meanwhile, if whoever uses the same variable holds a lock in common that keeps
    others out, or is before or after the whole section in every run. So every run has one with the same
    steps, reads and end in which no section is interrupted; none in which threads are created or joined is
    one.

    A cycle of waiting threads may be looked for when all others have gone through their sections as far
    as they can: taking or giving back locks that keep others out does not end a circle.
    """
    members: dict[int, list[BoundedEvent]] = {}
    for event in events.events:
        members.setdefault(event.section, []).append(event)
    users: dict[Term, list[BoundedEvent]] = {}
    for event in events.events:
        for variable in {*event.reads, *event.writes}:
            users.setdefault(variable, []).append(event)
    broken = {start for start, inside in members.items() if not _is_closed(events, order, start, inside)}
    for start, inside in members.items():
        if start not in broken and len(inside) > 1 and not _commutes(inside, users, order, good):
            broken.add(start)
    return [event.number if event.section in broken else event.section for event in events.events]


def _is_closed(events: Events, order: EventOrder, start: int, inside: Iterable[BoundedEvent]) -> bool:
    """Every run has the same other events before all of the section, and after."""
    own = sum(1 << e.number for e in events.events if e.thread == events.events[start].thread)
    before = order.earlier[start] & ~own
    return start not in events.open_sections and not any(
        event.makes_thread or order.earlier[event.number] & ~own != before for event in inside
    )


def _commutes(
    inside: Iterable[BoundedEvent],
    users: dict[Term, list[BoundedEvent]],
    order: EventOrder,
    good: frozenset[Term],
) -> bool:
    """What happens inside cannot be observed."""
    for event in inside:
        for variable in {*event.reads, *event.writes}:
            is_kept = event.lock == variable and variable in good
            for other in users[variable]:
                if (
                    other.thread != event.thread
                    and not (is_kept and other.location < 0)
                    and (variable in event.writes or variable in other.writes)
                    and not event.held & other.held & good
                    and not order.is_before(event.number, other.number)
                    and not order.is_before(other.number, event.number)
                ):
                    return False
    return True


def sums(terms: Terms, events: Events, order: EventOrder) -> dict[Term, SumVariable]:
    """Variables that are only ever added to.

    Lemma: let every write leave what a read of its own uninterrupted section has seen, plus a constant, with
    no other write of the section between the two. Then a variable holds, at any time, what it held before
    there were several threads, plus the constants of all writes that have happened.
    """
    writers: dict[Term, list[BoundedEvent]] = {}
    for event in events.events:
        for variable in event.writes:
            writers.setdefault(variable, []).append(event)
    found = {v: _sum(terms, events, order, v, those) for v, those in writers.items()}
    return {variable: one for variable, one in found.items() if one is not None}


def _sum(
    terms: Terms, events: Events, order: EventOrder, variable: Term, writers: list[BoundedEvent]
) -> SumVariable | None:
    first = [event for event in writers if event.is_first]
    rest = [event for event in writers if not event.is_first]
    if len(rest) < FEW or len(first) > 1 or not isinstance(terms.sort(variable), BitVecSort):
        return None
    users = [e for e in events.events if (variable in e.reads or variable in e.writes) and not e.is_first]
    if first and not all(e.dominators >> first[0].number & 1 for e in users):
        return None
    base = first[0].writes[variable].value if first else events.initial.get(variable)
    if base is None:
        return None
    added = [(event.writes[variable], _added(terms, events, order, variable, event)) for event in rest]
    constants = tuple((write, constant) for write, constant in added if constant is not None)
    return SumVariable(base, constants) if len(constants) == len(added) else None


def _added(
    terms: Terms, events: Events, order: EventOrder, variable: Term, event: BoundedEvent
) -> int | None:
    """What a write adds to what its section has read; None if it does something else."""
    value = event.writes[variable].value
    if terms.op(value) is not Op.BVADD or len(terms.args(value)) != 2:
        return None
    one, other = terms.args(value)
    symbol, constant = (one, terms.number(other)) if terms.is_var(one) else (other, terms.number(one))
    for read in events.events[: event.number + 1]:
        if read.reads.get(variable) == symbol and order.unit[read.number] == order.unit[event.number]:
            is_sure = read is event or event.dominators >> read.number & 1
            between = events.events[read.number : event.number]
            is_last = not any(e.thread == event.thread and variable in e.writes for e in between)
            return constant if is_sure and is_last else None
    return None


def has_wide_accesses(program: Program) -> bool:
    """Whether data races are about more than variables: the neighbours of a bit-field."""
    return any(
        (access := access_of(edge.instruction)) is not None and access[0].location is not None
        for function in program.functions.values()
        for edge in function.edges
    )
