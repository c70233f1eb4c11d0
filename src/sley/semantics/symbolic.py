"""The step of ``step`` in terms: what one edge of one thread does, as a guard and parallel updates.

Where an address is not a constant, an access is a choice over *targets*, the places that the caller expects it
to hit (a points-to analysis knows them). What lies in live memory but is not among them is the condition
``elsewhere`` of the effect: there the other parts say nothing, and whoever relies on them has to show that it
cannot happen. A property test ties every case to the reference interpreter.

Deviation from the interpreter: a float that is read from memory has one NaN, whatever the bytes were.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, assert_never

from sley.logic.operators import Op
from sley.logic.sorts import BitVecSort, BoolSort, FloatSort, Sort, bitvec
from sley.logic.terms import Term
from sley.program.instructions import (
    Access,
    Allocate,
    Assign,
    Assume,
    AtomicBegin,
    AtomicEnd,
    Await,
    Call,
    CallPointer,
    CallUnmodelled,
    Check,
    Create,
    CreatePointer,
    Detach,
    End,
    Enter,
    Exit,
    Fault,
    Fence,
    Free,
    GiveUp,
    Havoc,
    Join,
    Leave,
    Load,
    Lock,
    Register,
    Return,
    Store,
    Unlock,
    Update,
)
from sley.program.memory import Storage
from sley.program.program import Edge, Function
from sley.semantics.memory import initial_cells
from sley.semantics.vocabulary import EXITED, GONE, RUNNING, Instance, Kind, Vocabulary

Fresh = Callable[[Sort, str], Term]
"""Makes a variable that occurs nowhere else, given its sort and what it stands for."""


class Target(NamedTuple):
    """A place that an access may hit: a byte offset in an object."""

    number: int
    offset: int


@dataclass(frozen=True, slots=True)
class Hints:
    """What the caller knows or decides about an edge; None for targets: all places of matching cells."""

    targets: Sequence[Target] | None = None
    """Load, Store, Update, Lock, Unlock, Free: where the address may point."""
    block: int | None = None
    """Allocate: the number of the block that is made."""
    thread: int | None = None
    """Create: the id of the thread that is made."""
    scrambled: Sequence[int] = ()
    """CallUnmodelled: the objects that it can reach."""


@dataclass(slots=True)
class Effect:
    """What an edge does; in states where ``elsewhere`` holds the rest means nothing."""

    guard: Term
    """The edge can be taken."""
    waits: Term
    """The thread is blocked, as deadlock detection sees it (a spurious wake-up can leave even then)."""
    elsewhere: Term
    """Live memory that is not among the targets is accessed, or more than the hints provide for."""
    updates: dict[Term, Term] = field(default_factory=dict)
    """Variable -> its new value, all at once; other variables keep theirs."""
    is_end: bool = False
    """The process ends."""


class SymbolicStep:
    """Makes the effects of edges over one vocabulary."""

    def __init__(self, vocabulary: Vocabulary, fresh: Fresh) -> None:
        self.vocabulary = vocabulary
        self.terms = vocabulary.terms
        self.fresh = fresh

    def effect(self, thread: int, edge: Edge, hints: Hints | None = None) -> Effect:
        """What ``edge`` does when ``thread`` takes it."""
        return _EdgeEffect(self, thread, hints or Hints()).of(edge)

    def is_valid(self, address: Term, size: int, *, writes: bool) -> Term:
        """The bytes are inside one live object (that may be written)."""
        t, instances = self.terms, self.vocabulary.instances.values()
        return t.or_(
            *(self._is_inside(address, size, i) for i in instances if not (writes and i.is_read_only))
        )

    def _is_inside(self, address: Term, size: int, instance: Instance) -> Term:
        t, vocabulary = self.terms, self.vocabulary
        width, split = vocabulary.pointers.width, vocabulary.pointers.offset_bits
        number, offset = t.extract(address, width - 1, split), t.extract(address, split - 1, 0)
        end = t.add(t.zero_extend(offset, width - split), t.bv(size, width))
        is_named = t.eq(number, t.bv(instance.number, width - split))
        return t.and_(is_named, vocabulary.alive(instance), t.ule(end, vocabulary.size(instance)))

    def matching_targets(self, size: int) -> list[Target]:
        """The places of all cells that have exactly this size."""
        found: list[Target] = []
        for instance in self.vocabulary.instances.values():
            for index in range(instance.cell_count):
                offset = instance.layout.offset_of(index)
                cell = instance.layout.cells[index % len(instance.layout.cells)]
                if cell.size == size and offset + size <= instance.capacity:
                    found.append(Target(instance.number, offset))
        return found


class _Case(NamedTuple):
    """One target of an access: when it is hit, and which parts of which cells it is."""

    condition: Term
    parts: tuple["_Part", ...]


class _Part(NamedTuple):
    """Some bytes of a cell that an access covers; ``cell`` is None for padding."""

    cell: Term | None
    start: int
    """First byte inside the cell."""
    at: int
    """First byte inside the access."""
    count: int


class _EdgeEffect:
    """Builds one effect."""

    def __init__(self, step: SymbolicStep, thread: int, hints: Hints) -> None:
        self.step = step
        self.vocabulary = step.vocabulary
        self.terms = step.terms
        self.thread = thread
        self.hints = hints
        self.result = Effect(step.terms.true, step.terms.false, step.terms.false)

    def of(self, edge: Edge) -> Effect:  # noqa: C901, PLR0912 - a total match
        instruction = edge.instruction
        match instruction:
            case Assign(assignments=assignments):
                for register, term in assignments:
                    self._set(register, self._term(term))
            case Assume(condition=condition):
                self.result.guard = self._term(condition)
            case Havoc(target=target, text=text):
                self._set(target, self.step.fresh(target.sort, text))
            case Load(target=target, access=access):
                self._set(target, self._load(access, self._access(access, writes=False)))
            case Store(access=access, value=value):
                self._store(access, self._access(access, writes=True), self._term(value))
            case Update(target=target, access=access, value=value):
                self._update(target, access, value)
            case Fence() | AtomicBegin() | AtomicEnd():
                pass
            case Allocate():
                self._allocate(instruction)
            case Free(address=address):
                self._free(self._term(address))
            case Enter(object=obj, is_zeroed=is_zeroed):
                self._begin(self.vocabulary.local(self.thread, obj), is_zeroed=is_zeroed, text=obj.c_name)
            case Leave(object=obj):
                self._end_life(self.vocabulary.local(self.thread, obj))
            case Create(target=target, function=name, arguments=arguments):
                self._create(target, self.vocabulary.code.program.functions[name], arguments)
            case Join(target=joined, handle=handle):
                self._join(joined, self._term(handle))
            case Detach(handle=handle):
                self._detach(self._term(handle))
            case Exit(value=exit_value):
                self._exit(None if exit_value is None else self._term(exit_value))
            case End():
                self.result.is_end = True
            case Lock(access=access):
                self._lock(access)
            case Unlock(access=access):
                self._unlock(access)
            case Await(condition=condition, is_spurious=is_spurious):
                holds = self._term(condition)
                self.result.guard = self.terms.true if is_spurious else holds
                self.result.waits = self.terms.not_(holds)
            case CallUnmodelled(target=register_or_none, function=name):
                self._scramble(register_or_none, name)
            case GiveUp():
                self.result.elsewhere = self.terms.true
            case Fault(of=of):
                self._fault(of)
            case Check() | Call() | CallPointer() | CreatePointer() | Return():
                raise AssertionError(f"{type(instruction).__name__} in a prepared program")
            case _:
                assert_never(instruction)
        return self.result

    def _term(self, term: Term) -> Term:
        return self.vocabulary.instantiated(self.thread, term)

    def _set(self, register: Register, value: Term) -> None:
        self.result.updates[self.vocabulary.register(self.thread, register)] = value

    # --- accesses -------------------------------------------------------------------------------------

    def _access(self, access: Access, *, writes: bool) -> list[_Case]:
        """The cases of an access; guard and elsewhere are set."""
        t, address = self.terms, self._term(access.address)
        cases = self._cases(address, access.size, writes=writes)
        covered = t.or_(*(case.condition for case in cases))
        is_valid = self.step.is_valid(address, access.size, writes=writes)
        self.result.guard = covered
        self.result.elsewhere = t.and_(is_valid, t.not_(covered))
        return cases

    def _cases(self, address: Term, size: int, *, writes: bool) -> list[_Case]:
        t, hints = self.terms, self.hints.targets
        cases = []
        for target in self.step.matching_targets(size) if hints is None else dict.fromkeys(hints):
            instance = self.vocabulary.instances[target.number]
            parts = self._parts(instance, target.offset, size)
            is_useless = any(part.cell is None for part in parts) and not writes
            if is_useless or target.offset + size > instance.capacity or (writes and instance.is_read_only):
                continue
            hit = t.eq(address, self.vocabulary.address(target.number, target.offset))
            condition = t.and_(hit, self.step._is_inside(address, size, instance)) if hit != t.false else hit
            if condition != t.false:
                cases.append(_Case(condition, parts))
        return cases

    def _parts(self, instance: Instance, offset: int, size: int) -> tuple[_Part, ...]:
        parts = []
        for index, start, cell_size, at in instance.table.covering(offset, size):
            count = min(start + cell_size, offset + size) - at
            cell = None if index < 0 else self.vocabulary.cell(instance, index)
            parts.append(_Part(cell, at - start, at - offset, count))
        return tuple(parts)

    def _load(self, access: Access, cases: Iterable[_Case]) -> Term:
        """The value that is read, by cases."""
        width = bitvec(8 * access.size)
        return self._by_cases([(c.condition, self._joined(c.parts)) for c in cases], width, access.sort)

    def _by_cases(self, choices: list[tuple[Term, Term]], width: Sort, sort: Sort) -> Term:
        if not choices:
            return _from_bits(self, self.terms.const(0, width), sort)
        *others, (_, value) = choices
        for condition, other in reversed(others):
            value = self.terms.ite(condition, other, value)
        return _from_bits(self, value, sort)

    def _joined(self, parts: tuple[_Part, ...]) -> Term:
        pieces = []
        for part in parts:
            assert part.cell is not None
            low = 8 * part.start
            pieces.append(self.terms.extract(part.cell, low + 8 * part.count - 1, low))
        result = pieces[0]
        for piece in pieces[1:]:
            result = self.terms.concat(piece, result)
        return result

    def _store(self, access: Access, cases: Iterable[_Case], value: Term) -> None:
        t, updates = self.terms, self.result.updates
        bits = _to_bits(self, value, access)
        for condition, parts in cases:
            for part in parts:
                if part.cell is not None:
                    old = updates.get(part.cell, part.cell)
                    updates[part.cell] = t.ite(condition, self._written(part, bits), old)

    def _written(self, part: _Part, bits: Term) -> Term:
        """The cell after its part of ``bits`` was written."""
        t, cell = self.terms, part.cell
        assert cell is not None
        result = t.extract(bits, 8 * (part.at + part.count) - 1, 8 * part.at)
        width, end = t.width(cell), 8 * (part.start + part.count)
        if part.start:
            result = t.concat(result, t.extract(cell, 8 * part.start - 1, 0))
        return t.concat(t.extract(cell, width - 1, end), result) if end < width else result

    def _update(self, target: Register, access: Access, value: Term) -> None:
        cases = self._access(access, writes=True)
        old = self._load(access, cases)
        new = self.terms.substitute(self._term(value), {self.vocabulary.register(self.thread, target): old})
        self._store(access, cases, new)
        self._set(target, old)

    def _lock(self, access: Access) -> None:
        t = self.terms
        cases = self._access(access, writes=True)
        bits = 8 * access.size
        is_free = t.eq(self._load_bits(access, cases), t.bv(0, bits))
        self.result.waits = t.and_(self.result.guard, t.not_(is_free))
        self.result.guard = t.and_(self.result.guard, is_free)
        self._store_bits(cases, t.bv(self.thread + 1, bits))

    def _unlock(self, access: Access) -> None:
        t = self.terms
        cases = self._access(access, writes=True)
        is_own = t.eq(self._load_bits(access, cases), t.bv(self.thread + 1, 8 * access.size))
        self.result.guard = t.and_(self.result.guard, is_own)
        self._store_bits(cases, t.bv(0, 8 * access.size))
