"""Accepts or refuses the proof of engine ``bmc`` for a program with weak orders, by RC11."""

from collections.abc import Callable, Iterator
from itertools import product

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.base.reasons import MIXED_RACE
from sley.evidence.bounded.check import Reachability, numbers_by_schedule, unrolled
from sley.evidence.bounded.events import BadEvent, BoundedEvent, Stand
from sley.evidence.bounded.lemmas import joins
from sley.evidence.bounded.order import EventOrder
from sley.evidence.bounded.proof import BoundedProof
from sley.evidence.bounded.unrolling import Unrolling
from sley.evidence.bounded.violations import MAYBE_RACE, RACE, Violations
from sley.evidence.bounded.weak_axioms import WeakAxioms
from sley.evidence.bounded.weak_events import Accesses, WeakUnrolling
from sley.evidence.proof import Checked, RefusedProofError
from sley.logic.terms import Term
from sley.program.instructions import Allocate
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.roles import AliveRole
from sley.semantics.symbolic_step import AccessedBytes
from sley.semantics.vocabulary import Lifetime, may_lose

NOT_ASKED = MIXED_RACE
MAY_BE_GONE = "a thread uses a local variable of another one that may be gone by then"


def check_weak(
    program: Program, properties: frozenset[Property], proof: BoundedProof, budget: Budget
) -> Checked:
    """Accept the proof, or raise: ``RefusedProofError``, or ``GaveUpError`` if we cannot tell."""
    unrolling = unrolled(WeakUnrolling, program, proof, budget)
    events = unrolling.result
    if Property.LEAK in properties and may_lose(unrolling.steps.code, unrolling.steps.found.heap):
        raise GaveUpError("whether memory is lost is not part of the formula")
    violations = WeakViolations(unrolling, is_asked=Property.RACE in properties)
    asked = list(violations.races())
    if Property.DEADLOCK in properties:
        asked += violations.deadlocks()
    order = EventOrder(program.terms, [event.thread for event in events.events], events.order)
    for last, first in joins(program.terms, events):
        order.add(last, first)
    axioms = WeakAxioms(Accesses(unrolling), order, budget)
    violations.happens_before = axioms.hb
    found = [violation(order) for violation in asked]
    is_open = (MAYBE_RACE, NOT_ASKED)
    wrong = [*events.errors, *(bad for bad in found if bad.what not in is_open)]
    open_ = [*events.troubles, *violations.troubles, *(bad for bad in found if bad.what in is_open)]
    open_ += [*numbers_by_schedule(program.terms, events, order), *violations.ends_of_lives()]
    try:
        solver = Reachability(program.terms, axioms, budget).exclude(wrong, events.cuts, open_)
    except RefusedProofError as refused:
        raise GaveUpError(f"the checker knows of less that happens before: {refused}") from refused
    return Checked("the program was unrolled again, and RC11 as a formula of our own was solved", (solver,))


class WeakViolations(Violations):
    """Data races by happens-before."""

    happens_before: Callable[[int, int], Term]

    def __init__(self, unrolling: Unrolling, *, is_asked: bool) -> None:
        super().__init__(unrolling)
        self.is_asked = is_asked
        """Whether races are violations; if not, those of atomic accesses are beyond us."""

    def _unordered(self, a: int | None, b: int | None) -> Term:
        if a is None or b is None:
            return self.terms.true
        hb, t = self.happens_before, self.terms
        return t.and_(t.not_(hb(a, b)), t.not_(hb(b, a)))

    def _meanwhile(self, order: EventOrder, one: Stand, other: Stand) -> Term:
        return self._unordered(one.event, other.event)

    def _next(
        self, event: BoundedEvent, other: Stand, holds: Term, *, is_known: bool
    ) -> Callable[[EventOrder], BadEvent]:
        what = RACE if is_known and self.is_asked else MAYBE_RACE
        return lambda _: BadEvent(self.terms.and_(holds, self._unordered(event.number, other.event)), what)

    def _pair(
        self, one: Stand, first: AccessedBytes, other: Stand, second: AccessedBytes
    ) -> Iterator[Callable[[EventOrder], BadEvent]]:
        if self.is_asked:
            yield from super()._pair(one, first, other, second)
        elif first.is_atomic or second.is_atomic:
            for violation in super()._pair(one, first, other, second):
                yield _not_asked(violation)

    def _access(self, stand: Stand) -> AccessedBytes | None:
        """What the thread accesses next; to clear a new block is to write all of its bytes."""
        action = self.unrolling.code.action(stand.location)
        if not isinstance(action, Allocate) or not action.is_zeroed or stand.event is None:
            return super()._access(stand)
        for variable in self.result.events[stand.event].writes:
            role = self.terms.symbol(variable)
            if isinstance(role, AliveRole):
                block = self.unrolling.vocabulary.instances[role.number]
                address = self.unrolling.vocabulary.address(role.number)
                return AccessedBytes(address, block.capacity, is_write=True, is_atomic=False)
        return None

    def _raw(self, stand: Stand) -> AccessedBytes:
        found = self._access(stand)
        return super()._raw(stand) if found is None or found.size is None else found

    def ends_of_lives(self) -> Iterator[BadEvent]:
        """A use of another thread's local variable comes before its end, or we cannot tell."""
        t, events, instances = self.terms, self.result.events, self.unrolling.vocabulary.instances
        for user, ender in product(events, events):
            for variable, write in ender.writes.items() if user.thread != ender.thread else ():
                role = t.symbol(variable)
                if (
                    isinstance(role, AliveRole)
                    and instances[role.number].kind is Lifetime.LOCAL
                    and variable in user.reads
                    and write.value != t.true
                ):
                    both = t.and_(user.looks, write.condition)
                    yield BadEvent(t.and_(both, self._unordered(user.number, ender.number)), MAY_BE_GONE)


def _not_asked(violation: Callable[[EventOrder], BadEvent]) -> Callable[[EventOrder], BadEvent]:
    return lambda order: violation(order)._replace(what=NOT_ASKED)
