"""What must not happen: failures, data races, deadlocks, as conditions over events.

A data race and a deadlock are properties of a state: where threads stand, and what memory holds then. That
two threads stand somewhere at the same time is said by the order of the events around; what a state holds for
good is read by an event after all others.
"""

from collections.abc import Callable, Iterator
from itertools import combinations

from sley.base.errors import GaveUpError
from sley.evidence.bounded_check.events import Bad, Event, Stand
from sley.evidence.bounded_check.order import Order
from sley.evidence.bounded_check.unrolling import Unrolling
from sley.logic.terms import Term
from sley.semantics.symbolic_violations import Condition, PlainAccess, SymbolicPredicates

RACE = "a data race"
MAYBE_RACE = "whether there is a data race"


class Violations:
    """Finds the conditions for one unrolling; what we cannot tell is a trouble."""

    def __init__(self, unrolling: Unrolling) -> None:
        self.unrolling = unrolling
        self.terms = unrolling.terms
        self.result = unrolling.result
        shape, places = unrolling.steps.shape, unrolling.places
        self.predicates = SymbolicPredicates(
            unrolling.vocabulary, lambda edge, _: places.listed(shape, edge)
        )
        self.troubles: list[Bad] = []

    # --- deadlocks --------------------------------------------------------------------------------

    def end(self) -> Event:
        """An event after all others, which reads what those see that stay where they are."""
        t, events = self.terms, self.result.events
        event = Event(len(events), -1, -1, 0, t.true, t.true, t.true)
        self.result.order.extend((other.number, event.number) for other in events)
        events.append(event)
        return event

    def deadlocks(self, end: Event) -> Iterator[Bad]:
        """All threads are blocked or over; or some wait for each other in a circle."""
        t, threads = self.terms, range(len(self.result.creations))
        blocked: dict[int, list[Term]] = {thread: [] for thread in threads}
        waits = {(thread, other): t.false for thread in threads for other in threads}
        for stand in self.result.stands:
            if not self.predicates.may_block(stand.location) or stand.stays == t.false:
                continue
            here = self._at_end(stand, self.predicates.blocked(stand.thread, stand.location), end)
            blocked[stand.thread].append(here)
            if self.predicates.waits_for_thread(stand.location):
                for other in threads:
                    condition = self.predicates.waits_for(stand.thread, stand.location, other)
                    pair = (stand.thread, other)
                    waits[pair] = self.unrolling.named(
                        t.or_(waits[pair], self._at_end(stand, condition, end))
                    )
        yield Bad(self._stuck(blocked), "a deadlock")
        yield Bad(self.predicates.has_cycle(list(threads), waits), "a deadlock")

    def _at_end(self, stand: Stand, condition: Condition, end: Event) -> Term:
        """The thread stays here, and the condition holds."""
        t = self.terms
        holds, unknown = (self.unrolling.seen(stand, one, self._reader(end)) for one in condition)
        if unknown != t.false:
            self.troubles.append(Bad(t.and_(stand.stays, unknown), "whether a thread is blocked"))
        return self.unrolling.named(t.and_(stand.stays, holds))

    def _stuck(self, blocked: dict[int, list[Term]]) -> Term:
        """Some thread is blocked, and all others are, too, or they have ended or do not exist."""
        t, result = self.terms, self.result
        each = [
            t.or_(t.not_(result.created[thread]), *result.exited.get(thread, ()), *here)
            for thread, here in blocked.items()
        ]
        return t.and_(t.or_(*(one for here in blocked.values() for one in here)), *each)

    # --- data races -------------------------------------------------------------------------------

    def races(self) -> Iterator[Callable[[Order], Bad]]:
        """For each pair of stands that may race when they do, given the order."""
        plain = [(s, a) for s in self.result.stands if not s.is_alone and (a := self._access(s)) is not None]
        sections = [s for s in self.result.stands if not s.is_alone and self.predicates.is_section(s.location)]
        for (one, first), (other, second) in combinations(plain, 2):
            if one.thread != other.thread:
                yield from self._pair(one, first, other, second)
        for one, first in plain:
            for other in sections:
                if one.thread != other.thread and not first.is_atomic:
                    raw = self.predicates.next_access(one.thread, one.location)
                    assert raw is not None
                    condition = self.predicates.conflict_with_section(raw, other.thread, other.location)
                    yield from self._first_one(other, one, condition)

    def _access(self, stand: Stand) -> PlainAccess | None:
        """What the thread accesses next, with what is known put in."""
        found = self.predicates.next_access(stand.thread, stand.location)
        if found is None or self.predicates.is_section(stand.location):
            return None
        address = self.terms.substitute(found.address, dict(stand.values))
        return found._replace(address=address)

    def _pair(
        self, one: Stand, first: PlainAccess, other: Stand, second: PlainAccess
    ) -> Iterator[Callable[[Order], Bad]]:
        t = self.terms
        condition = self.predicates.conflict(first, second)
        if condition == t.false:
            return
        if first.size is None or second.size is None:
            for this, that, is_free in ((one, other, first.size is None), (other, one, second.size is None)):
                if is_free:
                    raw = [self.predicates.next_access(s.thread, s.location) for s in (this, that)]
                    assert raw[0] is not None and raw[1] is not None
                    yield from self._first_one(this, that, Condition(self.predicates.conflict(*raw), t.false))
            return
        seen = self.unrolling.seen(one, condition, _no_memory)
        holds = t.and_(one.reached, other.reached, seen)
        if holds != t.false:
            is_known = one.event is not None and other.event is not None
            what = RACE if is_known else MAYBE_RACE
            yield lambda order: Bad(t.and_(holds, self._meanwhile(order, one, other)), what)

    def _meanwhile(self, order: Order, one: Stand, other: Stand) -> Term:
        """Both stand there at the same time: what led to each of them was before the next step of the other."""
        t, events = self.terms, self.result.events
        conditions = []
        for this, that in ((one, other), (other, one)):
            for event in this.before:
                if that.event is not None:
                    conditions.append(
                        t.or_(t.not_(events[event].occurs), order.before(event, that.event))
                    )
        return t.and_(*conditions)

    def _first_one(
        self, one: Stand, other: Stand, condition: Condition
    ) -> Iterator[Callable[[Order], Bad]]:
        """A race where what the first one accesses depends on memory: its step comes next, and reads that."""
        t = self.terms
        if condition == Condition(t.false, t.false):
            return
        if one.event is None:
            raise GaveUpError("a step that nobody notices may be part of a data race")
        event = self.result.events[one.event]
        reader = self._reader(event)
        for term, is_known in ((condition.holds, True), (condition.unknown, False)):
            seen = self.unrolling.seen(one, self._given(other, term), reader)
            holds = t.and_(event.occurs, other.reached, seen)
            if holds != t.false:
                yield self._next(event, other, holds, is_known=is_known)

    def _given(self, other: Stand, term: Term) -> Term:
        """The term with what the other thread knows, of its own registers, put in."""
        mine = {v: value for v, value in other.values.items() if self.unrolling.kind(v) is None}
        return self.terms.substitute(term, mine)

    def _next(self, event: Event, other: Stand, holds: Term, *, is_known: bool) -> Callable[[Order], Bad]:
        t, events = self.terms, self.result.events

        def bad(order: Order) -> Bad:
            before = (t.or_(t.not_(events[e].occurs), order.before(e, event.number)) for e in other.before)
            after = t.true if other.event is None else order.before(event.number, other.event)
            return Bad(t.and_(holds, after, *before), RACE if is_known else MAYBE_RACE)

        return bad

    def _reader(self, event: Event) -> Callable[[Term], Term]:
        def read(variable: Term) -> Term:
            if variable not in event.reads:
                symbol = self.terms.var(f"!also{event.number}:{self.terms.name(variable)}", self.terms.sort(variable))
                event.reads[variable] = symbol
                self.unrolling.initial(variable)
            return event.reads[variable]

        return read


def _no_memory(variable: Term) -> Term:
    raise AssertionError("an address depends on memory")
