"""The violations of ``violations`` in terms: when a state has a race, a deadlock, or loses memory.

``StatePredicates`` decides these for one state; here they are conditions over the variables of a vocabulary,
for all states with the same *control*: the location of each thread by id; a thread that has ended, or does
not exist yet, has a negative number or None. A property test ties the two together.

Deviation: two accesses overlap here also where one of them wraps around the end of the address space. No
object is there, so such an access is wrong anyway.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from sley.analyses.independence import overlap
from sley.logic.clauses import conjuncts, disjuncts
from sley.logic.sorts import BoolSort, Sort, bitvec, width_of
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Edge
from sley.program.properties import Property
from sley.program.rewriting import access_of
from sley.semantics.symbolic import Hints, effect_of
from sley.semantics.symbolic_memory import Aim, SymbolicAccess, matching_targets, to_bits
from sley.semantics.symbolic_sections import Section, Targets, everywhere, may_block, section_of
from sley.semantics.symbolic_step import AccessedBytes
from sley.semantics.violations import known_section_accesses
from sley.semantics.vocabulary import EXITED, GONE, RUNNING, STATUS, Instance, Lifetime, Vocabulary

Control = Sequence[int | None]

Held = Sequence[tuple[Term, Term]]
"""Values, each with the condition under which it is there."""


class Condition(NamedTuple):
    """When something is so: where ``holds`` is true, except where ``unknown`` is: there nothing is said."""

    holds: Term
    unknown: Term


class SymbolicPredicates:
    """The state properties over one vocabulary; ``targets`` says where accesses may go."""

    def __init__(self, vocabulary: Vocabulary, targets: Targets = everywhere) -> None:
        self.vocabulary = vocabulary
        self.code = vocabulary.code
        self.terms = vocabulary.terms
        self.targets = targets
        self._plain: dict[tuple[int, int], AccessedBytes | None] = {}
        self._sections: dict[tuple[int, int], Section] = {}
        self._known: dict[int, list[tuple[Term, int]] | None] = {}
        self._blocking: dict[int, bool] = {}

    def violations(
        self, control: Control, properties: Collection[Property]
    ) -> Iterator[tuple[Property, Condition]]:
        """When a state violates some of these properties."""
        if Property.RACE in properties:
            yield from ((Property.RACE, condition) for _, _, condition in self.race(control))
        if Property.DEADLOCK in properties:
            if (stuck := self.stuck(control)) is not None:
                yield Property.DEADLOCK, stuck
            yield Property.DEADLOCK, self.wait_cycle(control)
        if Property.LEAK in properties and not _running(control):
            # the last thread has ended, main by its exit
            yield Property.LEAK, lost_memory(self.vocabulary, {}, None)

    # --- data races -----------------------------------------------------------------------------------

    def race(self, control: Control) -> list[tuple[int, int, Condition]]:
        """For pairs of threads when they race; pairs that never do are left out.

        A condition may mention arbitrary values of an atomic section: then there is a race if it holds for
        some of them.
        """
        running = _running(control)
        plain = [(t, access) for t, at in running if (access := self.next_access(t, at)) is not None]
        sections = [(t, at) for t, at in running if self.is_section(at)]
        found = [
            (thread, other, Condition(self.conflict(access, other_access), self.terms.false))
            for index, (thread, access) in enumerate(plain)
            for other, other_access in plain[index + 1 :]
        ]
        for thread, at in sections:
            found += [
                (other, thread, self.conflict_with_section(access, thread, at)) for other, access in plain
            ]
        return [pair for pair in found if pair[2] != (self.terms.false, self.terms.false)]

    def is_section(self, location: int) -> bool:
        """Whether the next step is an atomic section."""
        return isinstance(self._action(location), ir.AtomicBegin)

    def next_access(self, thread: int, location: int) -> AccessedBytes | None:
        """What the thread accesses next, outside of atomic sections, if others could notice it."""
        key = (thread, location)
        if key not in self._plain:
            edges = self.code.out.get(location, ())
            self._plain[key] = next((a for e in edges if (a := self._made_by(thread, e)) is not None), None)
        return self._plain[key]

    def _made_by(self, thread: int, edge: Edge) -> AccessedBytes | None:
        if isinstance(edge.instruction, ir.Free):
            freed = self.vocabulary.instantiated(thread, edge.instruction.address)
            return AccessedBytes(freed, None, is_write=True, is_atomic=False)
        found = access_of(edge.instruction)
        if found is None:
            return None
        access, is_write = found
        if access.is_unnoticed:
            return None
        start, end = access.location or (0, access.size)
        address = self.vocabulary.instantiated(thread, access.address)
        address = self.terms.add(address, self.terms.bv(start, self.terms.width(address)))
        is_atomic = access.is_atomic or isinstance(edge.instruction, ir.Lock | ir.Unlock)
        return AccessedBytes(address, end - start, is_write, is_atomic)

    def conflict(self, one: AccessedBytes, other: AccessedBytes) -> Term:
        """The two accesses, next to each other, are a data race."""
        if not (one.is_write or other.is_write) or (one.is_atomic and other.is_atomic):
            return self.terms.false
        return self._meet(one, other)

    def _meet(self, one: AccessedBytes, other: AccessedBytes) -> Term:
        """The two accesses have a byte in common."""
        if one.size is not None and other.size is not None:
            return overlap(self.terms, _bytes(one.address, one.size), _bytes(other.address, other.size))
        heap = (i for i in self.vocabulary.instances.values() if i.kind is Lifetime.HEAP)
        return self.terms.or_(*(self._meet_in(block, one, other) for block in heap))

    def _meet_in(self, block: Instance, *accesses: AccessedBytes) -> Term:
        """The block lives and has bytes, all of these accesses are to it, and one of them frees it."""
        t, vocabulary = self.terms, self.vocabulary
        start, size = vocabulary.address(block.number), vocabulary.size(block)
        width = t.width(start)
        conditions = [vocabulary.alive(block), t.ult(t.bv(0, width), size)]
        for address, length, *_ in accesses:
            if length is None:
                conditions.append(t.eq(address, start))
            else:
                begins = t.ult(t.sub(address, start), size)
                conditions.append(t.or_(begins, t.ult(t.sub(start, address), t.bv(length, width))))
        return t.and_(*conditions)

    def conflict_with_section(self, plain: AccessedBytes, thread: int, location: int) -> Condition:
        """When a run through the section accesses the same; all its accesses are atomic."""
        t = self.terms
        may_meet = t.false if plain.is_atomic else self._may_meet(plain, thread, location)
        if may_meet == t.false:
            return Condition(t.false, t.false)
        section = self._section(thread, location)
        meets = [
            t.and_(run.guard, self._meet(plain, access))
            for run in section.runs
            for access in run.accesses
            if access.is_write or plain.is_write
        ]
        return Condition(t.or_(*meets), t.and_(section.unknown, may_meet))

    def _may_meet(self, plain: AccessedBytes, thread: int, location: int) -> Term:
        """False only where no access of the section meets the other one, whatever run is taken."""
        if location not in self._known:
            self._known[location] = known_section_accesses(self.code, location)
        known = self._known[location]
        if known is None:
            return self.terms.true
        accesses = (
            AccessedBytes(self.vocabulary.instantiated(thread, term), size, is_write=True)
            for term, size in known
        )
        return self.terms.or_(*(self._meet(plain, access) for access in accesses))

    def _section(self, thread: int, location: int) -> Section:
        key = (thread, location)
        if key not in self._sections:
            self._sections[key] = section_of(self.vocabulary, thread, location, self.targets)
        return self._sections[key]

    # --- deadlock -------------------------------------------------------------------------------------

    def stuck(self, control: Control) -> Condition | None:
        """No running thread can step, except by a spurious wake-up; None if one of them always can."""
        t, running = self.terms, _running(control)
        if not running or not all(self.may_block(location) for _, location in running):
            return None
        blocked = [self.blocked(thread, location) for thread, location in running]
        statuses = self._statuses(control)
        holds = t.and_(*(one.holds for one in blocked))
        is_open = t.or_(*(one.unknown for one in blocked))
        unknown = t.and_(is_open, *(t.or_(one.holds, one.unknown) for one in blocked))
        return Condition(t.substitute(holds, statuses), t.substitute(unknown, statuses))

    def may_block(self, location: int) -> bool:
        """Whether a thread at the location can be blocked, as far as the form of its next step tells."""
        if location not in self._blocking:
            is_waiting = isinstance(self._action(location), ir.Lock | ir.Join | ir.Await)
            is_section = self.is_section(location)
            self._blocking[location] = may_block(self.code, location) if is_section else is_waiting
        return self._blocking[location]

    def blocked(self, thread: int, location: int) -> Condition:
        """The thread cannot step: ``holds`` and ``unknown`` exclude each other."""
        if self.is_section(location):
            return self._blocked_section(self._section(thread, location))
        edge = self._edge(location)
        assert edge is not None
        targets = self._lock_targets(thread, edge) if isinstance(edge.instruction, ir.Lock) else None
        effect = effect_of(self.vocabulary, thread, edge, _no_input, Hints(targets=targets))
        return Condition(self.terms.and_(effect.waits, self.terms.not_(effect.unknown)), effect.unknown)

    def _blocked_section(self, section: Section) -> Condition:
        """No run through the section completes, whatever arbitrary values it meets.

        Whether some values make a run complete is narrowed down from both sides: without the conjuncts that
        mention them, and by trying two values.
        """
        t = self.terms
        guards = [t.and_(run.guard, t.not_(run.waits)) for run in section.runs]
        unknown = sorted(disjuncts(t, section.unknown))
        may_step = t.or_(*(self._without(section.inputs, one) for one in (*guards, *unknown)))
        surely = t.and_(t.or_(*guards), t.not_(section.unknown))
        must_step = t.or_(*(self._tried(section.inputs, number, surely) for number in (0, 1)))
        return Condition(t.not_(may_step), t.and_(may_step, t.not_(must_step)))

    def _without(self, inputs: Sequence[Term], condition: Term) -> Term:
        """A consequence of the condition that does not mention the inputs."""
        t = self.terms
        parts = conjuncts(t, (condition,))
        return t.and_(*(part for part in parts if not any(t.mentions(part, v) for v in inputs)))

    def _tried(self, inputs: Sequence[Term], number: int, condition: Term) -> Term:
        """The condition with this number for every input."""
        t = self.terms
        return t.substitute(condition, {v: t.const(_value_of(t.sort(v), number), t.sort(v)) for v in inputs})

    def _statuses(self, control: Control) -> dict[Term, Term]:
        """What the control says about how far the threads are."""
        t, vocabulary = self.terms, self.vocabulary
        running, exited, gone = (t.const(status, STATUS) for status in (RUNNING, EXITED, GONE))
        here = dict(_running(control))
        found: dict[Term, Term] = {}
        for thread in range(len(vocabulary.threads)):
            status = vocabulary.status(thread)
            found[status] = running if thread in here else t.ite(t.eq(status, exited), exited, gone)
        return found

    def wait_cycle(self, control: Control) -> Condition:
        """Some threads wait for each other in a circle, for locks or for the end of one another."""
        t = self.terms
        waiting = [(thread, at) for thread, at in _running(control) if self.waits_for_thread(at)]
        found = {
            (thread, other): self.waits_for(thread, at, other)
            for thread, at in waiting
            for other, _ in waiting
        }
        waits = {pair: condition.holds for pair, condition in found.items()}
        unknown = t.or_(*(condition.unknown for condition in found.values()))
        return Condition(self.has_cycle([thread for thread, _ in waiting], waits), unknown)

    def waits_for_thread(self, location: int) -> bool:
        """Whether the next step is to take a lock or to join a thread, outside of atomic sections."""
        return self._waiting(location) is not None

    def waits_for(self, thread: int, location: int, other: int) -> Condition:
        """The thread would have to wait here for a lock that the other one holds, or for its end."""
        t, edge = self.terms, self._waiting(location)
        assert edge is not None
        holder, is_wait, unknown = self._holder(thread, edge)
        is_other = t.eq(holder, self.vocabulary.identity(other, t.width(holder)))
        is_detached = self.vocabulary.detached(other) if isinstance(edge.instruction, ir.Join) else t.false
        return Condition(t.and_(is_wait, is_other, t.not_(is_detached)), unknown)

    def _waiting(self, location: int) -> Edge | None:
        edge = self._edge(location)
        return edge if edge is not None and isinstance(edge.instruction, ir.Lock | ir.Join) else None

    def _holder(self, thread: int, edge: Edge) -> tuple[Term, Term, Term]:
        """The handle of the thread that is waited for; when that is so; when it is not known."""
        t, instruction = self.terms, edge.instruction
        if isinstance(instruction, ir.Join):
            return self.vocabulary.instantiated(thread, instruction.handle), t.true, t.false
        assert isinstance(instruction, ir.Lock)
        access = instruction.access
        address = self.vocabulary.instantiated(thread, access.address)
        targets = self._lock_targets(thread, edge)
        if targets is None:
            targets = matching_targets(self.vocabulary, address, access.size)
        memory = SymbolicAccess(self.vocabulary, address, access.size, targets, writes=True)
        return memory.read(bitvec(8 * access.size)), memory.covered, memory.unknown

    def _lock_targets(self, thread: int, edge: Edge) -> Sequence[Aim] | None:
        assert isinstance(edge.instruction, ir.Lock)
        address = self.vocabulary.instantiated(thread, edge.instruction.access.address)
        return None if self.terms.is_const(address) else self.targets(edge, address)

    def has_cycle(self, threads: Sequence[int], waits: dict[tuple[int, int], Term]) -> Term:
        """Some thread waits for itself in the transitive closure."""
        t = self.terms
        reach = dict(waits)
        for middle in threads:
            for first in threads:
                for last in threads:
                    through = t.and_(reach[first, middle], reach[middle, last])
                    reach[first, last] = t.or_(reach[first, last], through)
        return t.or_(*(reach[thread, thread] for thread in threads))

    # --- leaks ----------------------------------------------------------------------------------------

    def leak(self, control: Control, thread: int) -> Condition:
        """A heap block is left that nothing refers to when ``thread`` ends the process with its next step.

        Nothing is said where local variables that are not part of a state could still refer to it.
        """
        t, location = self.terms, control[thread]
        assert location is not None
        action = self._action(location)
        if not isinstance(action, ir.End):
            return Condition(t.false, t.true)
        if action.ending is ir.Ending.ABORT:
            return Condition(t.false, t.false)
        returns = action.ending is ir.Ending.RETURN
        lost = lost_memory(self.vocabulary, dict(_running(control)), thread if returns else None)
        others_ended = all(other == thread for other, _ in _running(control))
        if self.code.program.keeps_frames or (others_ended and returns):
            return lost
        return Condition(t.false, t.or_(*lost))

    # --- where threads stand --------------------------------------------------------------------------

    def _edge(self, location: int) -> Edge | None:
        """The edge with which the next step begins, unless it is a branch or wrong."""
        edges = self.code.out.get(location, ())
        return next((edge for edge in edges if not isinstance(edge.instruction, ir.FaultTest)), None)

    def _action(self, location: int) -> ir.Instruction | None:
        edge = self._edge(location)
        return None if edge is None else edge.instruction


def _running(control: Control) -> list[tuple[int, int]]:
    """The threads that have not ended, with their locations."""
    return [(thread, at) for thread, at in enumerate(control) if at is not None and at >= 0]


def _bytes(address: Term, size: int) -> ir.Access:
    return ir.Access(address, bitvec(8 * size))


def _value_of(sort: Sort, number: int) -> int | bool:
    return bool(number) if isinstance(sort, BoolSort) else number


def _no_input(sort: Sort, text: str) -> Term:
    raise AssertionError("a wait makes no arbitrary value")


# --- lost memory ------------------------------------------------------------------------------------------


MOST_ELEMENTS = 256
"""A larger array is not looked through for what its elements refer to."""


def lost_memory(vocabulary: Vocabulary, running: Mapping[int, int], without: int | None) -> Condition:
    """Some live heap block cannot be reached from what is left when thread ``without`` has returned.

    ``running`` has the location of every thread that runs; if none does, their results are not wanted any
    more. As in ``StatePredicates.leaked``, every value whose upper bits name an object refers to it, be it
    meant as a pointer or not. Reachability is unrolled: a path need not be longer than there are blocks. What
    only an array too large to be looked through might refer to is not known to be lost.
    """
    t = vocabulary.terms
    heap = [i for i in vocabulary.instances.values() if i.kind is Lifetime.HEAP]
    nodes = {i.number: i for i in heap}
    if without is not None:
        nodes |= {i.number: i for i in vocabulary.locals(without)}
    roots = [i for number, i in vocabulary.instances.items() if number not in nodes]
    held = [
        *(_thread_values(vocabulary, running, without) if running else ()),
        *(v for i in roots for v in _contents(vocabulary, i)),
    ]
    reached = {number: _refer(vocabulary, held, number) for number in nodes}
    arrows = {
        (source, target): _refer(vocabulary, list(_contents(vocabulary, i)), target)
        for source, i in nodes.items()
        for target in nodes
        if source != target
    }
    for _ in nodes:
        reached = {
            number: t.or_(known, *(t.and_(reached[n], arrows[n, number]) for n in nodes if n != number))
            for number, known in reached.items()
        }
    owned = [i for i in heap if not i.is_kept]
    lost = t.or_(*(t.and_(vocabulary.alive(i), t.not_(reached[i.number])) for i in owned))
    opaque = (vocabulary.alive(i) for i in vocabulary.instances.values() if _is_opaque(vocabulary, i))
    is_open = t.or_(*opaque)
    return Condition(t.and_(lost, t.not_(is_open)), t.and_(lost, is_open))


def _is_opaque(vocabulary: Vocabulary, instance: Instance) -> bool:
    """Whether an object is not looked through though its elements are wide enough to refer to something."""
    is_large = instance.is_array and instance.cell_count > MOST_ELEMENTS
    return is_large and any(8 * c.size > vocabulary.pointers.offset_bits for c in instance.layout.cells)


def _contents(vocabulary: Vocabulary, instance: Instance) -> Iterator[tuple[Term, Term]]:
    """The cells of an object; a heap block may be smaller than its capacity."""
    if instance.is_array and instance.cell_count > MOST_ELEMENTS:
        return
    t = vocabulary.terms
    alive, size = vocabulary.alive(instance), vocabulary.size(instance)
    for index, cell in zip(vocabulary.indices(instance), vocabulary.cells(instance), strict=True):
        start = index // len(instance.layout.cells) * instance.layout.stride
        yield t.and_(alive, t.ult(t.bv(start, t.width(size)), size)), cell


def _thread_values(
    vocabulary: Vocabulary, running: Mapping[int, int], without: int | None
) -> Iterator[tuple[Term, Term]]:
    """The live registers of running threads and the results of exited ones."""
    t = vocabulary.terms
    for thread in range(len(vocabulary.threads)):
        if thread not in running:
            has_exited = t.eq(vocabulary.status(thread), t.const(EXITED, STATUS))
            yield has_exited, vocabulary.result(thread)
        elif thread != without:
            for register in vocabulary.code.live[running[thread]]:
                yield t.true, vocabulary.register(thread, register)


def _refer(vocabulary: Vocabulary, held: Held, number: int) -> Term:
    """One of the values that are there refers to the object."""
    t = vocabulary.terms
    return t.or_(*(t.and_(is_there, _refers(vocabulary, value, number)) for is_there, value in held))


def _refers(vocabulary: Vocabulary, value: Term, number: int) -> Term:
    t, split = vocabulary.terms, vocabulary.pointers.offset_bits
    sort = t.sort(value)
    upper = 0 if isinstance(sort, BoolSort) else width_of(sort) - split
    if upper <= 0 or number >> upper:
        return t.false
    bits = to_bits(t, value, width_of(sort))
    return t.eq(t.extract(bits, width_of(sort) - 1, split), t.bv(number, upper))
