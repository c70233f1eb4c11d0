"""Why no thread of a system of templates is in a deadlock: whoever holds a lock waits upwards, if at all.

The argument is for programs in which threads wait for nothing but locks, and main for the end of threads too.
A lock's cell is 0, or it is the handle of a thread that put it there: that is so at the start, and every
step leaves it, clears it, or puts the handle of the thread that steps. If a thread waits for a lock, then the
thread that holds it exists. It is shown that this one is at a stop where it cannot be blocked, or waits for a
lock of higher rank (``semantics.lock_order``), whose holder is again such a one; ranks end, so some thread
can step, and waits make no circle. If main waits for the end of a thread, that thread can step, or waits for
a lock; then one of the holders can step, and it is not main, which does not wait for an end while it holds a
lock that is waited for.
"""

from collections.abc import Iterator
from itertools import permutations

from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.logic.operators import Op
from sley.logic.terms import Term
from sley.program.instructions import Join, Lock
from sley.semantics.lock_order import lock_ranks
from sley.semantics.symbolic_violations import SymbolicPredicates
from sley.semantics.templates import ABSENT_AT, EXITED_AT, MAIN, Template, TemplateSystem


def _beyond(why: str) -> Reason:
    """Why deadlocks are not looked for."""
    return Reason(f"whether threads can wait for each other for ever: {why}", Why.WAITS)


class Waits:
    """Where threads wait, and what must not be so then."""

    def __init__(self, system: TemplateSystem) -> None:
        self.system = system
        self.terms = system.terms
        predicates = SymbolicPredicates(system.vocabulary)
        self.locks: dict[tuple[int, int], Term] = {}
        """Template and stop -> the cell of the lock that is waited for there."""
        self.joins: list[int] = []
        """The stops at which main waits for the end of a thread."""
        for template in system.templates:
            for location in system.stops(template):
                if predicates.may_block(location):
                    self._add(template, location)
        self.ranks = lock_ranks(system, self.locks)
        for cell in self.ranks:
            self._demand_handles(cell)

    def _add(self, template: Template, location: int) -> None:
        match self._wait_at(location):
            case Lock(access=access):
                address = self.system.vocabulary.instantiated(template.position, access.address)
                self.locks[template.position, location] = self._cell(address, access.size)
            case Join() if template.position == MAIN:
                self.joins.append(location)
            case Join():
                raise GaveUpError(_beyond("a worker waits for the end of a thread"))
            case None:
                raise GaveUpError(_beyond("they wait for other things than locks"))

    def _wait_at(self, location: int) -> Lock | Join | None:
        edges = self.system.code.out[location]
        return next((e.instruction for e in edges if isinstance(e.instruction, Lock | Join)), None)

    def _cell(self, address: Term, size: int) -> Term:
        vocabulary, pointer = self.system.vocabulary, self.terms.number(address)
        instance = None if pointer is None else vocabulary.everything.get(vocabulary.pointers.number(pointer))
        if pointer is None or instance is None:
            raise GaveUpError(_beyond("which lock is meant is not known"))
        found = instance.layout.cell_at(vocabulary.pointers.offset(pointer))
        if found is None or found[1].size != size or found[0] not in vocabulary.indices(instance):
            raise GaveUpError(_beyond("a lock is part of something else"))
        return vocabulary.cell(instance, found[0])

    def _demand_handles(self, cell: Term) -> None:
        """The lock is free at the start; a step leaves it, clears it, or puts the own handle into it."""
        t = self.terms
        free = t.bv(0, t.width(cell))
        if self.system.initial_values().get(cell) != free:
            raise GaveUpError(_beyond("a lock is not free at the start"))
        for template in self.system.templates:
            own = self.system.vocabulary.identity(template.position, t.width(cell))
            for transition in self.system.transitions(template):
                waiting = [transition.updates.get(cell, cell)]
                while waiting:
                    value = waiting.pop()
                    if t.op(value) is Op.ITE:
                        waiting.extend(t.args(value)[1:])
                    elif value not in (free, own, cell):
                        raise GaveUpError(_beyond("a lock is written in another way"))

    # --- what must not be so --------------------------------------------------------------------------

    def impossible(self) -> Iterator[tuple[list[int], list[Term]]]:
        """Instances, and conditions on them that no state may meet."""
        t, system = self.terms, self.system
        for (position, location), cell in self.locks.items():
            yield [position], [self._is_at(position, location), self._holds(position, cell)]
        for location in self.joins:
            if system.joins_one_of_many(location):
                continue
            join = self._wait_at(location)
            assert isinstance(join, Join)
            joined = system.vocabulary.instantiated(MAIN, join.handle)
            is_own = t.eq(joined, system.vocabulary.identity(MAIN, t.width(joined)))
            yield [MAIN], [self._is_at(MAIN, location), is_own]
        for waiting, holding in self._pairs():
            first = system.template(waiting).position
            for (position, location), cell in self.locks.items():
                if position == first:
                    stuck = t.or_(*(self._is_at(holding, at) for at in self._where_stuck(holding, cell)))
                    yield (
                        [waiting, holding],
                        [self._is_at(waiting, location), self._holds(holding, cell), stuck],
                    )

    def _pairs(self) -> Iterator[tuple[int, int]]:
        """All pairs of templates, as instances: one waits, the other holds the lock."""
        positions = [template.position for template in self.system.templates]
        yield from permutations(positions, 2)
        for template in self.system.replicated:
            yield template.position, self.system.position(template, 1)

    def _where_stuck(self, position: int, cell: Term) -> Iterator[int]:
        """Where a thread must not be that holds a lock another one waits for."""
        first = self.system.template(position).position
        for (waiting, location), lock in self.locks.items():
            if waiting == first and self.ranks[lock] <= self.ranks[cell]:
                yield location
        yield EXITED_AT
        if position == MAIN:
            yield from self.joins
        else:
            yield ABSENT_AT

    def _is_at(self, position: int, place: int) -> Term:
        return self.terms.eq(self.system.at(position), self.system.place(place))

    def _holds(self, position: int, cell: Term) -> Term:
        return self.terms.eq(cell, self.system.vocabulary.identity(position, self.terms.width(cell)))
