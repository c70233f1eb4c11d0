"""The step of ``step`` in terms: what one edge of one thread does, as a guard and parallel updates.

Where an address is not a constant, an access is a choice over *targets*, the places that the caller expects
it to hit (a points-to analysis knows them). What lies in live memory but is not among them is the condition
``unknown`` of the effect: there the other parts say nothing, and whoever relies on them has to show that it
cannot happen. A property test ties every case to the reference interpreter.

Floats have one NaN. Where a float is read from memory whose bytes are another one, ``unknown`` holds, too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from sley.logic.sorts import FloatSort, Sort, bitvec
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.memory import Storage
from sley.program.program import Edge
from sley.semantics.symbolic_memory import (
    AccessTarget,
    Aim,
    Fresh,
    SymbolicAccess,
    from_bits,
    is_valid,
    matching_targets,
    to_bits,
)
from sley.semantics.vocabulary import EXITED, GONE, RUNNING, STATUS, Instance, Lifetime, Vocabulary, zero


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What the caller knows or decides about an edge."""

    targets: Sequence[Aim] | None = None
    """Accesses and Free: where the address may point; None: cells of the right size, all heap blocks."""
    block: int | None = None
    """Allocate: the number of the block that is made."""
    thread: int | None = None
    """Create: the id of the thread that is made."""
    scrambled: Sequence[int] = ()
    """CallUnmodelled: the numbers of the objects that it can reach."""
    is_one_of_many: bool = False
    """Join: a thread is meant that is not known, and that can be joined."""


@dataclass(slots=True)
class SymbolicEffect:
    """What an edge does; in states where ``unknown`` holds the rest means nothing."""

    guard: Term
    """The edge can be taken."""
    waits: Term
    """The thread is blocked, as deadlock detection sees it (a spurious wake-up can leave even then)."""
    unknown: Term
    """Live memory that is no target is accessed, or neither terms nor hints provide for what happens."""
    may_be_wrong: Term
    """The edge can be taken, but may be wrong as well: a thread is meant that is not known."""
    updates: dict[Term, Term] = field(default_factory=dict)
    """Variable -> its new value, all at once; other variables keep theirs."""
    is_end: bool = False
    """The process ends."""


def effect_of(
    vocabulary: Vocabulary, thread: int, edge: Edge, fresh: Fresh, hints: Hints | None = None
) -> SymbolicEffect:
    """What ``edge`` does when ``thread`` takes it; arbitrary values are variables made by ``fresh``."""
    return _EdgeEffect(vocabulary, thread, fresh, hints or Hints()).of(edge.instruction)


class _EdgeEffect:
    """Builds one effect."""

    def __init__(self, vocabulary: Vocabulary, thread: int, fresh: Fresh, hints: Hints) -> None:
        self.vocabulary = vocabulary
        self.terms = vocabulary.terms
        self.thread = thread
        self.fresh = fresh
        self.hints = hints
        self.result = SymbolicEffect(self.terms.true, *3 * (self.terms.false,))

    def of(self, instruction: ir.Instruction) -> SymbolicEffect:  # noqa: C901, PLR0912, PLR0915 - a total match
        """The effect of an instruction."""
        match instruction:
            case ir.Assign(assignments=assignments):
                for register, term in assignments:
                    self._set(register, self._term(term))
            case ir.Assume(condition=condition):
                self.result.guard = self._term(condition)
            case ir.Havoc(target=target, text=text):
                self._set(target, self.fresh(target.sort, text))
            case ir.Load(target=target, access=access) if access.is_unused:
                self._access(access, writes=False, reads=False)
                self._set(target, self.terms.const(0, access.sort))
            case ir.Load(target=target, access=access):
                self._set(target, self._read(self._access(access, writes=False), access.sort))
            case ir.Store(access=access, value=value):
                self.result.updates |= self._access(access, writes=True).write(self._term(value))
            case ir.Update(target=target, access=access, value=value):
                self._update(target, access, self._term(value))
            case ir.Fence() | ir.AtomicBegin() | ir.AtomicEnd():
                pass
            case ir.Allocate():
                self._allocate(instruction)
            case ir.Free(address=address):
                self._free(self._term(address))
            case ir.Enter(object=obj, is_zeroed=is_zeroed):
                self._begin(self.vocabulary.local(self.thread, obj), is_zeroed=is_zeroed, text=obj.c_name)
            case ir.Leave(object=obj):
                self._end(self.vocabulary.local(self.thread, obj))
            case ir.Create():
                self._create(instruction)
            case ir.Join(target=joined, handle=handle):
                self._join(joined, self._term(handle))
            case ir.Detach(handle=handle):
                self._detach(self._term(handle))
            case ir.Exit(value=exit_value):
                self._exit(None if exit_value is None else self._term(exit_value))
            case ir.End():
                self.result.is_end = True
            case ir.Lock(access=access):
                self._lock(access)
            case ir.Unlock(access=access):
                self._unlock(access)
            case ir.Await(condition=condition, is_spurious=is_spurious):
                holds = self._term(condition)
                self.result.guard = self.terms.true if is_spurious else holds
                self.result.waits = self.terms.not_(holds)
            case ir.CallUnmodelled(target=result, function=name):
                self._scramble(result, name)
            case ir.GiveUp():
                self.result.unknown = self.terms.true
            case ir.FaultTest(of=of):
                self.result.guard = self._is_faulty(of)
            case ir.Check() | ir.Call() | ir.CallPointer() | ir.CreatePointer() | ir.Return():
                raise AssertionError(f"{type(instruction).__name__} in a prepared program")
            case _:
                assert_never(instruction)
        return self.result

    def _term(self, term: Term) -> Term:
        return self.vocabulary.instantiated(self.thread, term)

    def _set(self, register: ir.Register, value: Term) -> None:
        self.result.updates[self.vocabulary.register(self.thread, register)] = value

    # --- accesses -------------------------------------------------------------------------------------

    def _access(self, access: ir.Access, *, writes: bool, reads: bool | None = None) -> SymbolicAccess:
        """The access; the edge can be taken where it hits a target."""
        address, targets = self._term(access.address), self.hints.targets
        if targets is None:
            targets = matching_targets(self.vocabulary, address, access.size)
        made = SymbolicAccess(
            self.vocabulary,
            address,
            access.size,
            targets,
            writes=writes,
            reads=reads,
            is_first=access.is_first,
            fresh=self.fresh,
        )
        self.result.guard, self.result.unknown = made.covered, made.unknown
        return made

    def _read(self, memory: SymbolicAccess, sort: Sort) -> Term:
        """What is there; a NaN with bytes of its own is beyond us: values do not keep them."""
        t, value = self.terms, memory.read(sort)
        if isinstance(sort, FloatSort):
            is_kept = t.eq(to_bits(t, value, 8 * memory.size), memory.read(bitvec(8 * memory.size)))
            self.result.guard = t.and_(self.result.guard, is_kept)
            self.result.unknown = t.or_(self.result.unknown, t.and_(memory.covered, t.not_(is_kept)))
        return value

    def _update(self, target: ir.Register, access: ir.Access, value: Term) -> None:
        memory = self._access(access, writes=True, reads=True)
        old = self._read(memory, access.sort)
        new = self.terms.substitute(value, {self.vocabulary.register(self.thread, target): old})
        self.result.updates |= memory.write(new)
        self._set(target, old)

    def _lock(self, access: ir.Access) -> None:
        t, width = self.terms, 8 * access.size
        memory = self._access(access, writes=True)
        is_free = t.eq(memory.read(bitvec(width)), t.bv(0, width))
        self.result.waits = t.and_(memory.covered, t.not_(is_free))
        self.result.guard = t.and_(memory.covered, is_free)
        self.result.updates |= memory.write(self.vocabulary.identity(self.thread, width))

    def _unlock(self, access: ir.Access) -> None:
        memory = self._access(access, writes=True)
        self.result.guard = self.terms.and_(memory.covered, self._is_own(access, memory))
        self.result.updates |= memory.write(self.terms.bv(0, 8 * access.size))

    def _is_own(self, access: ir.Access, memory: SymbolicAccess) -> Term:
        width = 8 * access.size
        return self.terms.eq(memory.read(bitvec(width)), self.vocabulary.identity(self.thread, width))

    # --- lifetimes ------------------------------------------------------------------------------------

    def _begin(self, instance: Instance, *, is_zeroed: bool, text: str) -> None:
        updates = self.result.updates
        updates[self.vocabulary.alive(instance)] = self.terms.true
        for variable in self.vocabulary.contents(instance):
            sort = self.terms.sort(variable)
            updates[variable] = zero(self.terms, sort) if is_zeroed else self.fresh(sort, text)

    def _end(self, instance: Instance) -> None:
        self.result.updates[self.vocabulary.alive(instance)] = self.terms.false

    def _allocate(self, instruction: ir.Allocate) -> None:
        t, vocabulary = self.terms, self.vocabulary
        assert self.hints.block is not None, "an allocation without a block"
        block = vocabulary.instances[self.hints.block]
        width = vocabulary.pointers.width
        size = t.resize(self._term(instruction.size), width, signed=False)
        self.result.guard = t.not_(vocabulary.alive(block))
        is_foreseen = (
            t.ule(size, t.bv(block.capacity, width)) if block.layout == instruction.layout else t.false
        )
        self.result.unknown = t.not_(is_foreseen)
        self._begin(block, is_zeroed=instruction.is_zeroed, text=instruction.name)
        self.result.updates[vocabulary.size(block)] = size
        self._set(instruction.target, vocabulary.address(block.number))

    def _free(self, address: Term) -> None:
        t, vocabulary, targets = self.terms, self.vocabulary, self.hints.targets
        numbers = None
        if targets is not None:
            numbers = {aim.number for aim in targets if isinstance(aim, AccessTarget) and aim.offset == 0}
        hits, others = [t.eq(address, t.bv(0, vocabulary.pointers.width))], []
        for instance in self._heap():
            hit = self._is_block(address, instance)
            if numbers is None or instance.number in numbers:
                hits.append(hit)
                alive = vocabulary.alive(instance)
                self.result.updates[alive] = t.and_(alive, t.not_(hit))
            else:
                others.append(hit)
        self.result.guard = t.or_(*hits)
        self.result.unknown = t.or_(*others)

    def _heap(self) -> list[Instance]:
        return [i for i in self.vocabulary.instances.values() if i.kind is Lifetime.HEAP]

    def _is_block(self, address: Term, instance: Instance) -> Term:
        starts = self.terms.eq(address, self.vocabulary.address(instance.number))
        return self.terms.and_(starts, self.vocabulary.alive(instance))

    def _scramble(self, result: ir.Register | None, function: str) -> None:
        vocabulary = self.vocabulary
        for number in self.hints.scrambled:
            instance = vocabulary.instances[number]
            if not instance.is_read_only:
                for variable in vocabulary.contents(instance):
                    self.result.updates[variable] = self.fresh(self.terms.sort(variable), function)
        if result is not None:
            self._set(result, self.fresh(result.sort, function))

    # --- threads --------------------------------------------------------------------------------------

    def _create(self, instruction: ir.Create) -> None:
        vocabulary, thread, t = self.vocabulary, self.hints.thread, self.terms
        assert thread is not None, "a creation without a thread"
        function = vocabulary.threads[thread]
        assert function.name == instruction.function, "a thread that runs another function"
        updates = self.result.updates
        arguments = [self._term(argument) for argument in instruction.arguments]
        given = dict(zip(function.parameters, arguments, strict=False))
        for register in vocabulary.code.live[function.entry]:
            value = given.get(register)
            zero = t.const(0, register.sort)
            updates[vocabulary.register(thread, register)] = zero if value is None else value
        for obj in function.objects:
            if obj.storage is Storage.THREAD:
                instance = vocabulary.local(thread, obj)
                updates[vocabulary.alive(instance)] = t.true
                updates |= vocabulary.initial(instance, obj)
        updates[vocabulary.status(thread)] = t.const(RUNNING, STATUS)
        self._set(instruction.target, from_bits(t, vocabulary.handle(thread), instruction.target.sort))

    def _is_status(self, thread: int, status: int) -> Term:
        return self.terms.eq(self.vocabulary.status(thread), self.terms.const(status, STATUS))

    def _meant(self, handle: Term) -> Iterable[int]:
        """The known threads that may have this handle."""
        return [
            thread
            for thread in self.vocabulary.known_threads()
            if self._is_named(thread, handle) != self.terms.false
        ]

    def _is_named(self, thread: int, handle: Term) -> Term:
        return self.terms.eq(handle, self.vocabulary.identity(thread, self.terms.width(handle)))

    def _can_join(self, thread: int, handle: Term) -> Term:
        """The handle is that of ``thread``, which was neither joined nor detached."""
        t, vocabulary = self.terms, self.vocabulary
        is_here = t.or_(self._is_status(thread, RUNNING), self._is_status(thread, EXITED))
        return t.and_(self._is_named(thread, handle), is_here, t.not_(vocabulary.detached(thread)))

    def _join(self, target: ir.Register | None, handle: Term) -> None:
        t, vocabulary = self.terms, self.vocabulary
        if self.hints.is_one_of_many:
            if target is not None:
                self._set(target, self.fresh(target.sort, "the result of a thread"))
            return
        ended, running = [], []
        result = t.bv(0, vocabulary.pointers.width)
        for thread in self._meant(handle):
            possible = self._can_join(thread, handle)
            joins = t.and_(possible, self._is_status(thread, EXITED))
            ended.append(joins)
            running.append(t.and_(possible, self._is_status(thread, RUNNING)))
            status = vocabulary.status(thread)
            self.result.updates[status] = t.ite(joins, t.const(GONE, STATUS), status)
            result = t.ite(joins, vocabulary.result(thread), result)
        self.result.may_be_wrong = is_unknown_thread = vocabulary.is_unknown_thread(handle)
        self.result.guard = t.or_(*ended, is_unknown_thread)
        self.result.waits = t.or_(*running)
        if target is not None and is_unknown_thread != t.false:
            result = t.ite(is_unknown_thread, self.fresh(t.sort(result), "the result of a thread"), result)
        if target is not None:
            self._set(target, from_bits(t, result, target.sort))

    def _detach(self, handle: Term) -> None:
        t, vocabulary = self.terms, self.vocabulary
        possible = []
        for thread in self._meant(handle):
            detaches = self._can_join(thread, handle)
            possible.append(detaches)
            status, detached = vocabulary.status(thread), vocabulary.detached(thread)
            is_over = t.and_(detaches, self._is_status(thread, EXITED))
            self.result.updates[status] = t.ite(is_over, t.const(GONE, STATUS), status)
            self.result.updates[detached] = t.or_(detached, detaches)
        self.result.may_be_wrong = vocabulary.is_unknown_thread(handle)
        self.result.guard = t.or_(*possible, self.result.may_be_wrong)

    def _exit(self, value: Term | None) -> None:
        t, vocabulary = self.terms, self.vocabulary
        width = vocabulary.pointers.width
        for instance in vocabulary.locals(self.thread):
            self._end(instance)
        updates = self.result.updates
        updates[vocabulary.result(self.thread)] = (
            t.bv(0, width) if value is None else to_bits(t, value, width)
        )
        gone, exited = t.const(GONE, STATUS), t.const(EXITED, STATUS)
        updates[vocabulary.status(self.thread)] = t.ite(vocabulary.detached(self.thread), gone, exited)

    # --- faults ---------------------------------------------------------------------------------------

    def _is_faulty(self, of: ir.Faulty) -> Term:
        t = self.terms
        match of:
            case ir.Load(access=access):
                return t.not_(
                    is_valid(self.vocabulary, self._term(access.address), access.size, writes=False)
                )
            case ir.Store(access=access) | ir.Update(access=access) | ir.Lock(access=access):
                address, changes = self._term(access.address), not access.is_first
                return t.not_(is_valid(self.vocabulary, address, access.size, writes=changes))
            case ir.Unlock(access=access):
                return self._is_wrong_unlock(access)
            case ir.Free(address=address):
                pointer = self._term(address)
                is_null = t.eq(pointer, t.bv(0, self.vocabulary.pointers.width))
                return t.not_(t.or_(is_null, *(self._is_block(pointer, i) for i in self._heap())))
            case ir.Join(handle=handle) | ir.Detach(handle=handle):
                meant = self._term(handle)
                threads = self.vocabulary.known_threads()
                return t.not_(t.or_(*(self._can_join(thread, meant) for thread in threads)))
            case _:
                assert_never(of)

    def _is_wrong_unlock(self, access: ir.Access) -> Term:
        """No memory to write, or a lock that another thread holds, or none."""
        t = self.terms
        valid = is_valid(self.vocabulary, self._term(access.address), access.size, writes=True)
        memory = self._access(access, writes=True)
        return t.or_(t.not_(valid), t.and_(memory.covered, t.not_(self._is_own(access, memory))))
