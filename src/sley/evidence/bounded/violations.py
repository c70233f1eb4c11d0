"""What must not happen: failures, data races, deadlocks, as conditions over events.

A data race and a deadlock are properties of a state: where threads stand, and what memory holds then. That
two threads stand somewhere at the same time is said by the order of the events around; what a state holds for
good is read by an event after all others.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from sley.base.errors import GaveUpError
from sley.evidence.bounded.events import BadEvent, BoundedEvent, Stand
from sley.evidence.bounded.order import EventOrder
from sley.evidence.bounded.unrolling import Unrolling
from sley.logic.terms import Term
from sley.semantics.symbolic_step import AccessedBytes
from sley.semantics.symbolic_violations import Condition

RACE = "a data race"
MAYBE_RACE = "whether there is a data race"


class Violations:
    """Finds the conditions for one unrolling; what we cannot tell is a trouble."""

    def __init__(self, unrolling: Unrolling) -> None:
        self.unrolling = unrolling
        self.terms = unrolling.terms
        self.result = unrolling.result
        self.predicates = unrolling.places.predicates(unrolling.steps.shape)
        self.troubles: list[BadEvent] = []

    # --- deadlocks --------------------------------------------------------------------------------

    def deadlocks(self) -> Iterator[Callable[[EventOrder], BadEvent]]:
        """All threads are blocked for good, or over; or some wait for each other in a circle at some time."""
        stands = [s for s in self.result.stands if self.predicates.may_block(s.location)]
        yield from self._stuck([s for s in stands if s.stays != self.terms.false])
        yield from self._circles([s for s in stands if self.predicates.waits_for_thread(s.location)])

    def _observer(self, *, is_last: bool) -> BoundedEvent:
        """An event that only reads, after all others or at any time."""
        t, events = self.terms, self.result.events
        here = len(events)
        event = BoundedEvent(here, -here - 1, -1, 0, t.true, t.true, t.true, t.true, here)
        if is_last:
            self.result.order.extend((other.number, event.number) for other in events)
        events.append(event)
        return event

    def _stuck(self, stands: Sequence[Stand]) -> Iterator[Callable[[EventOrder], BadEvent]]:
        """Some thread is blocked, and all others are, too, or they have ended or do not exist."""
        t, result = self.terms, self.result
        if not stands:
            return
        end = self._observer(is_last=True)
        blocked: dict[int, list[Term]] = {thread: [] for thread in range(len(result.creations))}
        for stand in stands:
            holds = self._seen(stand, self.predicates.blocked(stand.thread, stand.location), end)
            blocked[stand.thread].append(self.unrolling.named(t.and_(stand.stays, holds)))
        each = [
            t.or_(t.not_(result.created[thread]), *result.exited.get(thread, ()), *here)
            for thread, here in blocked.items()
        ]
        some = t.or_(*(one for here in blocked.values() for one in here))
        yield lambda _: BadEvent(t.and_(some, *each), "a deadlock")

    def _circles(self, stands: Sequence[Stand]) -> Iterator[Callable[[EventOrder], BadEvent]]:
        """Some threads wait for each other; that another one may end that does not count."""
        t, threads = self.terms, range(len(self.result.creations))
        if not stands:
            return
        middle = self._observer(is_last=False)
        found = {
            (number, other): self._seen(
                stand, self.predicates.waits_for(stand.thread, stand.location, other), middle
            )
            for number, stand in enumerate(stands)
            for other in threads
        }

        def bad(order: EventOrder) -> BadEvent:
            waits = {(thread, other): t.false for thread in threads for other in threads}
            for number, stand in enumerate(stands):
                is_here = self._is_there(order, stand, middle)
                for other in threads:
                    here = t.and_(is_here, found[number, other])
                    pair = (stand.thread, other)
                    waits[pair] = self.unrolling.named(t.or_(waits[pair], here))
            return BadEvent(self.predicates.has_cycle(list(threads), waits), "a deadlock")

        yield bad

    def _is_there(self, order: EventOrder, stand: Stand, observer: BoundedEvent) -> Term:
        """The thread stands there when the observer looks."""
        t = self.terms
        if stand.is_alone:
            return stand.stays
        stays = stand.stays
        if stand.event is not None:
            stays = t.or_(stays, order.before(observer.number, stand.event))
        return t.and_(stand.reached, stays, self._arrived(order, stand, observer.number))

    def _arrived(self, order: EventOrder, stand: Stand, event: int) -> Term:
        """What led to a stand is before an event."""
        t, events = self.terms, self.result.events
        return t.and_(*(t.or_(t.not_(events[e].occurs), order.before(e, event)) for e in stand.before))

    def _seen(self, stand: Stand, condition: Condition, observer: BoundedEvent) -> Term:
        """When the condition holds, with what the observer reads; where that is not known is a trouble."""
        t, reader = self.terms, self._reader(observer)
        holds, unknown = (self.unrolling.seen(stand, one, reader) for one in condition)
        if unknown != t.false:
            self.troubles.append(BadEvent(t.and_(stand.reached, unknown), "whether a thread is blocked"))
        return holds

    # --- data races -------------------------------------------------------------------------------

    def races(self) -> Iterator[Callable[[EventOrder], BadEvent]]:
        """For each pair of stands that may race when they do, given the order."""
        plain = [(s, a) for s in self.result.stands if not s.is_alone and (a := self._access(s)) is not None]
        sections = [
            s for s in self.result.stands if not s.is_alone and self.predicates.is_section(s.location)
        ]
        for (one, first), (other, second) in combinations(plain, 2):
            if one.thread != other.thread:
                yield from self._pair(one, first, other, second)
        for one, first in plain:
            for other in sections:
                if one.thread != other.thread and not first.is_atomic:
                    raw, at = self._raw(one), other.location
                    condition = self.predicates.conflict_with_section(raw, other.thread, at)
                    yield from self._first_one(other, one, condition)

    def _raw(self, stand: Stand) -> AccessedBytes:
        found = self.predicates.next_access(stand.thread, stand.location)
        assert found is not None
        return found

    def _access(self, stand: Stand) -> AccessedBytes | None:
        """What the thread accesses next, with what is known put in."""
        found = self.predicates.next_access(stand.thread, stand.location)
        if found is None or self.predicates.is_section(stand.location):
            return None
        address = self.terms.substitute(found.address, dict(stand.values))
        return found._replace(address=address)

    def _pair(
        self, one: Stand, first: AccessedBytes, other: Stand, second: AccessedBytes
    ) -> Iterator[Callable[[EventOrder], BadEvent]]:
        t = self.terms
        condition = self.predicates.conflict(first, second)
        if condition == t.false:
            return
        if first.size is None or second.size is None:
            for this, that, is_free in ((one, other, first.size is None), (other, one, second.size is None)):
                if is_free:
                    accesses = self._raw(this), self._raw(that)
                    meet = Condition(self.predicates.conflict(*accesses), t.false)
                    yield from self._first_one(this, that, meet)
            return
        seen = self.unrolling.seen(one, condition, _no_memory)
        holds = t.and_(one.reached, other.reached, seen)
        if holds != t.false:
            is_known = one.event is not None and other.event is not None
            what = RACE if is_known else MAYBE_RACE
            yield lambda order: BadEvent(t.and_(holds, self._meanwhile(order, one, other)), what)

    def _meanwhile(self, order: EventOrder, one: Stand, other: Stand) -> Term:
        """Both stand there at the same time: what led to each is before the next step of the other."""
        pairs = ((one, other), (other, one))
        return self.terms.and_(
            *(self._arrived(order, this, that.event) for this, that in pairs if that.event is not None)
        )

    def _first_one(
        self, one: Stand, other: Stand, condition: Condition
    ) -> Iterator[Callable[[EventOrder], BadEvent]]:
        """A race where what the first one accesses depends on memory: its step comes next, and reads that."""
        t = self.terms
        if condition == Condition(t.false, t.false):
            return
        if one.event is None:
            raise GaveUpError("an unobserved step may be part of a data race")
        event = self.result.events[one.event]
        reader = self._reader(event)
        for term, is_known in ((condition.holds, True), (condition.unknown, False)):
            seen = self.unrolling.seen(one, self._given(other, term), reader)
            holds = t.and_(event.looks, other.reached, seen)  # also if the process ends by it
            if holds != t.false:
                yield self._next(event, other, holds, is_known=is_known)

    def _given(self, other: Stand, term: Term) -> Term:
        """The term with what the other thread knows, of its own registers, put in."""
        mine = {v: value for v, value in other.values.items() if self.unrolling.kind(v) is None}
        return self.terms.substitute(term, mine)

    def _next(
        self, event: BoundedEvent, other: Stand, holds: Term, *, is_known: bool
    ) -> Callable[[EventOrder], BadEvent]:
        t = self.terms

        def bad(order: EventOrder) -> BadEvent:
            after = t.true if other.event is None else order.before(event.number, other.event)
            before = self._arrived(order, other, event.number)
            return BadEvent(t.and_(holds, after, before), RACE if is_known else MAYBE_RACE)

        return bad

    def _reader(self, event: BoundedEvent) -> Callable[[Term], Term]:
        def read(variable: Term) -> Term:
            if variable not in event.reads:
                symbol = self.terms.var(
                    f"!also{event.number}:{self.terms.name(variable)}", self.terms.sort(variable)
                )
                event.reads[variable] = symbol
                self.unrolling.initial(variable)
            return event.reads[variable]

        return read


def _no_memory(variable: Term) -> Term:
    raise AssertionError("an address depends on memory")
