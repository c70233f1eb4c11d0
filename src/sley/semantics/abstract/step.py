"""What an instruction does to an abstract state.

Law: if a thread is in one of the states that ``state`` stands for, and memory in one that the world stands
for, then whatever the instruction leads to is covered by the states that ``after`` gives, and the world was
told of all that others can notice. What can go wrong is told, too; runs end where something does.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import assert_never

from sley.analyses.ranges import Fact
from sley.logic.operators import Op, to_signed
from sley.logic.sorts import BoolSort, Sort, width_of
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.memory import Storage
from sley.program.program import Edge, Program
from sley.program.properties import Property
from sley.semantics.abstract.contents import of_width, outside
from sley.semantics.abstract.contexts import Context
from sley.semantics.abstract.evaluation import Evaluation, any_of
from sley.semantics.abstract.facts import LOCK_SIZE, OWNER
from sley.semantics.abstract.objects import Cell, Kind, Objects
from sley.semantics.abstract.state import (
    Lock,
    State,
    contents,
    no_longer_early,
    published,
    reachable,
    renewed,
    stored,
    without_token,
)
from sley.semantics.abstract.values import (
    EITHER,
    NOTHING,
    OTHER,
    SELF,
    ZERO,
    Place,
    Reference,
    Token,
    Value,
    address,
    any_number,
    fact_meet,
    fact_union,
    fact_within,
    for_others,
    is_no_address,
    is_recent,
    named,
    object_of,
    old,
    recent,
    shifted,
    union,
    without_symbol,
)
from sley.semantics.abstract.world import Doubt, Guard, Listener, Touch, Wait, World


class Stepper:
    """The instructions of one context."""

    def __init__(
        self,
        program: Program,
        context: Context,
        world: World,
        properties: frozenset[Property],
        listener: Listener | None = None,
    ) -> None:
        self.program = program
        self.terms = program.terms
        self.context = context
        self.world = world
        self.listener = listener or Listener()
        self.objects: Objects = world.objects
        self.evaluation = Evaluation(
            program, world.objects, context.function, lambda one: self._is_alive(one, self._state)
        )
        self.properties = properties
        self._state = State({}, {})
        """That of which values are asked."""
        self.pointer_size = program.pointers.width // 8

    def value(self, term: Term, state: State) -> Value:
        """What a term may be."""
        self._state = state
        return self.evaluation.value(term, state.registers)

    def after(self, edge: Edge, state: State) -> list[State]:
        """The states after an instruction, other than one that leaves the function."""
        instruction = edge.instruction
        match instruction:
            case ir.Assign() | ir.Assume() | ir.Check() | ir.Havoc():
                return self._local(edge, instruction, state)
            case ir.Load() | ir.Store() | ir.Update() | ir.Lock() | ir.Unlock():
                return self._access(edge, instruction, state)
            case ir.Allocate() | ir.Free() | ir.Enter() | ir.Leave():
                return self._life(edge, instruction, state)
            case ir.Create() | ir.CreatePointer() | ir.Join() | ir.Detach() | ir.Exit() | ir.End():
                return self._thread(edge, instruction, state)
            case ir.Fence() | ir.AtomicBegin() | ir.AtomicEnd() | ir.Await():
                return self._order(edge, instruction, state)
            case ir.Call() | ir.CallPointer() | ir.CallUnmodelled() | ir.GiveUp():
                return self._called(edge, instruction, state)
            case ir.Fault(of=of):
                return [state] if self._may_be_wrong(of, state) else []
            case ir.Return():
                raise AssertionError("this leaves the function")
            case _:
                assert_never(instruction)

    def _order(
        self, edge: Edge, instruction: ir.Fence | ir.AtomicBegin | ir.AtomicEnd | ir.Await, state: State
    ) -> list[State]:
        match instruction:
            case ir.Await(condition=condition, is_spurious=is_spurious):
                if not state.depth:  # else the section is asked as a whole
                    self.listener.may_stay(self.context, edge)
                return [state] if is_spurious else self._assume(condition, state)
            case ir.AtomicBegin():
                if not state.depth:
                    self.listener.begins(self.context, edge)
                return [state._replace(depth=state.depth + 1)]
            case ir.AtomicEnd():
                return [state._replace(depth=max(state.depth - 1, 0))]
            case ir.Fence():
                return [state]

    def _called(
        self,
        edge: Edge,
        instruction: ir.Call | ir.CallPointer | ir.CallUnmodelled | ir.GiveUp,
        state: State,
    ) -> list[State]:
        match instruction:
            case ir.Call(function=function, arguments=arguments):
                return self._call(edge, (function,), arguments, state)
            case ir.CallPointer(pointer=pointer, arguments=arguments):
                return self._call(edge, self._functions(edge, pointer, state), arguments, state)
            case ir.CallUnmodelled():
                return [self._unmodelled(edge, instruction, state)]
            case ir.GiveUp(reason=reason):
                self.listener.gives_up(self.context, edge, reason)
                return [] if edge.target == self.program.functions[self.context.function].exit else [state]

    # --- local --------------------------------------------------------------------------------

    def _local(self, edge: Edge, instruction: ir.LocalInstruction, state: State) -> list[State]:
        match instruction:
            case ir.Assign(assignments=assignments):
                return [self._assign(edge, assignments, state)]
            case ir.Assume(condition=condition):
                return self._assume(condition, state)
            case ir.Check():
                return self._check(edge, instruction, state)
            case ir.Havoc(target=target, cause=cause):
                is_from_outside = cause is ir.Cause.UNMODELLED and self._is_wide(target.sort)
                value = outside(self.objects) if is_from_outside else any_of(target.sort)
                return [_with(state, target, value)]

    def _assign(self, edge: Edge, assignments: Sequence[tuple[ir.Register, Term]], state: State) -> State:
        if not assignments:
            return state
        state = self._copied(edge, assignments, state)
        values = [self.value(term, state) for _, term in assignments]
        registers = dict(state.registers)
        for (register, _), value in zip(assignments, values, strict=True):
            registers[register.term] = value
        return state._replace(registers=registers)

    def _copied(self, edge: Edge, assignments: Sequence[tuple[ir.Register, Term]], state: State) -> State:
        """What is copied gets a name: who asks the copy later learns of both."""
        for _, term in assignments[:1]:
            value = state.registers.get(term)
            if value is not None and value.symbol is None and (value.places or value == EITHER):
                return self._named(edge, term, value, state)
        return state

    def _named(self, edge: Edge, register: Term, value: Value, state: State) -> State:
        """The state in which what is in a register has a name."""
        token = ("load", self.context.index, edge.source)
        self.listener.names(token, value)
        state = without_token(state, token)
        return state._replace(registers={**state.registers, register: named(value, token)})

    def _assume(self, condition: Term, state: State) -> list[State]:
        self._state = state
        registers = self.evaluation.refined(condition, state.registers, holds=True)
        return [] if registers is None else [state._replace(registers=registers)]

    def _check(self, edge: Edge, check: ir.Check, state: State) -> list[State]:
        self._state = state
        holds = self.evaluation.refined(check.condition, state.registers, holds=False) is None
        self.listener.checks(self.context, edge, check.failure.property, None if holds else Doubt.VALUES)
        if check.failure.property is Property.OVERFLOW and Property.OVERFLOW not in self.properties:
            return [state]
        return self._assume(check.condition, state)

    # --- memory -------------------------------------------------------------------------------

    def _is_wide(self, sort: Sort) -> bool:
        return not isinstance(sort, BoolSort) and width_of(sort) >= self.program.pointers.width

    def _access(
        self, edge: Edge, instruction: ir.Load | ir.Store | ir.Update | ir.Lock | ir.Unlock, state: State
    ) -> list[State]:
        access = instruction.access
        target = self.value(access.address, state)
        is_write = not isinstance(instruction, ir.Load)
        doubt = self._doubt(target, access, state, is_write=is_write)
        self.listener.checks(self.context, edge, Property.DEREF, doubt)
        places = self._valid(target, access, is_write=is_write)
        self._ask_for(map(object_of, (reference for reference, _ in places)), state)
        is_elsewhere = not is_no_address(target) or self._may_be_stale(places, state)
        if is_elsewhere:
            self.listener.is_elsewhere(self.context, edge)
        elif not places:
            return []
        state = self._accessed(access, target, places, state)
        if places:  # what follows is said of runs in which the access was to one of these
            target = Value(None, places, target.symbol)
        self._touch(edge, places, access, target, state, is_write=is_write)
        is_sole = len(places) == 1
        match instruction:
            case ir.Load(target=register):
                state, value = self._loaded(edge, target, access, places, state)
                return [_with(state, register, value)] if value.places or value.number else []
            case ir.Store(value=term):
                value = self.value(term, state)
                return [self._stored(places, access, value, state, is_strong=is_sole)]
            case ir.Update(target=register, value=term):
                state, value = self._loaded(edge, target, access, places, state)
                if value.number is None and not value.places:
                    return []
                state = _with(state, register, value)
                new = self.value(term, state)
                return [self._stored(places, access, new, state, is_strong=is_sole)]
            case ir.Lock():
                return self._lock(edge, target, places, access, state)
            case ir.Unlock():
                return self._unlock(edge, target, places, access, state)

    def _ask_for(self, objs: Iterable[int], state: State) -> None:
        """Who calls this function has to say what static objects hold, while they are owned."""
        for obj in objs:
            if state.is_early and self.objects.kind(obj) is Kind.STATIC:
                self.world.asks(self.context, obj)

    def _may_be_wrong(self, of: ir.Faulty, state: State) -> bool:
        match of:
            case ir.Unlock(access=access):
                target = self.value(access.address, state)
                lock = self._identity(target, self._valid(target, access, is_write=True))
                return self._doubt(target, access, state, is_write=True) is not None or not self._holds(
                    lock, state
                )
            case (
                ir.Load(access=access)
                | ir.Store(access=access)
                | ir.Update(access=access)
                | ir.Lock(access=access)
            ):
                is_write = not isinstance(of, ir.Load)
                target = self.value(access.address, state)
                return self._doubt(target, access, state, is_write=is_write) is not None
            case ir.Free(address=term):
                return not self._may_free(self.value(term, state), state)
            case ir.Join(handle=handle) | ir.Detach(handle=handle):
                return not self._is_joinable(self.value(handle, state), state)

    def _holds(self, lock: Lock | None, state: State) -> bool:
        """Whether the thread surely has a lock, and its cell says so."""
        return lock is not None and lock in state.held and not self._is_overwritten(lock)

    def _is_overwritten(self, lock: Lock) -> bool:
        """Whether somebody may take a lock away without giving it back."""
        base, offset = lock
        if not isinstance(base, int):
            return self.world.is_some_lock_overwritten()
        cells, _ = self.objects.cells(base, Fact(offset, offset, offset, 0), LOCK_SIZE)
        return any(map(self.world.is_overwritten, cells))

    def _doubt(self, target: Value, access: ir.Access, state: State, *, is_write: bool) -> Doubt | None:
        """Why an access may not be one to a living object."""
        if target.number is not None:
            return self._doubt_about(target)
        doubts = (
            self._doubt_of(reference, offset, access, state, is_write=is_write)
            for reference, offset in target.places
        )
        return next((one for one in doubts if one is not None), None if target.places else Doubt.ADDRESS)

    def _doubt_about(self, target: Value) -> Doubt:
        """What an address may be that is a number."""
        if target.number == ZERO.number:
            return Doubt.NULL
        if any(object_of(reference) == self.objects.outside for reference, _ in target.places):
            return Doubt.FOREIGN
        return Doubt.BOUNDS if target.places else Doubt.ADDRESS

    def _doubt_of(
        self, reference: Reference, offset: Fact, access: ir.Access, state: State, *, is_write: bool
    ) -> Doubt | None:
        obj = object_of(reference)
        if obj == self.objects.outside:
            return Doubt.FOREIGN
        if not self._is_alive(reference, state):
            return Doubt.GONE
        size = self.objects.size(obj)
        if size is None:
            size = self._least_size(obj)
        if offset.low < 0 or offset.high + access.size > size:
            return Doubt.BOUNDS
        shape = self.objects.shape(obj)
        if shape is None:
            return Doubt.ADDRESS
        if is_write and not access.is_first:
            declared = shape.declaration
            is_constant = declared is not None and declared.is_read_only
            return Doubt.CONSTANT if is_constant or shape.layout.constant else None
        return None

    def _least_size(self, obj: int) -> int:
        if self.objects.kind(obj) is not Kind.HEAP:
            return 0
        known = self.world.read(size_of(obj)).number
        return 0 if known is None else known.low

    def _is_alive(self, reference: Reference, state: State) -> bool:
        obj = object_of(reference)
        kind = self.objects.kind(obj)
        if kind is Kind.STATIC:
            return True
        if kind is Kind.THREAD_LOCAL:
            return not self.world.is_outlived(obj)
        if kind not in (Kind.LOCAL, Kind.HEAP):
            return False
        self.world.asks(self.context, obj)
        gone = state.dead if is_recent(reference) else state.old_dead
        if obj in gone:
            return False
        if is_recent(reference) and (kind is Kind.LOCAL or obj in state.memory):
            return True  # only who knows an object ends it, and nobody else leaves own variables
        # the first thread knows what it has ended of what it made last; of others there may be several
        is_first = is_recent(reference) and self.context.thread is None
        return not self.world.is_outlived(obj, not_by_first=is_first)

    def _may_be_stale(self, places: Sequence[Place], state: State) -> bool:
        """Whether an object may be gone: its number may be that of another one by now."""
        return any(
            self.objects.kind(object_of(reference)) in (Kind.LOCAL, Kind.HEAP)
            and not self._is_alive(reference, state)
            for reference, _ in places
        )

    def _valid(
        self, target: Value, access: ir.Access, *, is_write: bool = False, distance: int = 0
    ) -> tuple[Place, ...]:
        """The places from which an access at a distance may be, if it is not wrong."""
        found = []
        for reference, offset in target.places:
            obj = object_of(reference)
            if self.objects.kind(obj) is Kind.OUTSIDE:
                found.append((reference, offset))
            elif self._is_variable(obj) if is_write and not access.is_first else self.objects.shape(obj):
                size = self.objects.size(obj)
                end = (self.program.pointers.largest_object if size is None else size) - access.size
                inside = fact_meet(offset, Fact(-distance, end - distance))
                if inside is not None:
                    found.append((reference, inside))
        return tuple(found)

    def _accessed(self, access: ir.Access, target: Value, places: tuple[Place, ...], state: State) -> State:
        """What was accessed is the address of something."""
        if not places or (target.number is None and places == target.places):
            return state
        term = access.address
        state = self._with_index(term, places, state)
        if term not in state.registers:
            base = self._base(term, state)
            if base is None:
                return state
            target, distance = state.registers[base], self._distance(term, base)
            places = target.places if distance is None else self._valid(target, access, distance=distance)
            term = base
        known = Value(None, places, target.symbol)
        registers = dict(state.registers)
        for register, value in state.registers.items():
            is_same = value.symbol is not None and value.symbol == target.symbol != (OTHER, 0)
            if register == term or is_same:
                registers[register] = known
        return state._replace(registers=registers)

    def _with_index(self, term: Term, places: tuple[Place, ...], state: State) -> State:
        """What was added to an address is such that the sum is one of these places."""
        term = self._without_wild(term)
        if self.terms.op(term) is not Op.BVADD:
            return state
        bases = [one for one in self.terms.args(term) if self.value(one, state).places]
        indices = [one for one in self.terms.args(term) if one not in bases]
        if len(bases) != 1 or len(indices) != 1:
            return state
        base = self.value(bases[0], state)
        starts = dict(base.places)
        if base.number is not None:
            return state
        found = [_between(starts[reference], offset) for reference, offset in places]
        registers = self.evaluation.limited(indices[0], reduce(fact_union, found), state.registers)
        return state if registers is None else state._replace(registers=registers)

    def _without_wild(self, term: Term) -> Term:
        """An address, as it is where it is not one that nothing is at."""
        if self.terms.op(term) is not Op.ITE:
            return term
        _, then, otherwise = self.terms.args(term)
        return then if self.terms.number(otherwise) == self.program.pointers.wild else term

    def _distance(self, term: Term, base: Term) -> int | None:
        """What constant is added to a register, if nothing else is."""
        numbers = [self.terms.number(one) for one in self.terms.args(term) if one != base]
        is_sum = self.terms.op(term) is Op.BVADD and len(numbers) == 1
        return (
            to_signed(numbers[0], self.program.pointers.width) if is_sum and numbers[0] is not None else None
        )

    def _base(self, term: Term, state: State) -> Term | None:
        """The register to which an address adds something, if it may be the address of something."""
        terms = self.terms
        while terms.op(term) is not Op.VAR:
            arguments = terms.args(term)
            if terms.op(term) is Op.ITE:
                branches = [one for one in arguments[1:] if terms.number(one) != self.program.pointers.wild]
            elif terms.op(term) is Op.BVADD:
                branches = [one for one in arguments if self.value(one, state).places]
            else:
                return None
            if len(branches) != 1:
                return None
            term = branches[0]
        known = state.registers.get(term)
        return term if known is not None and known.places else None

    def _loaded(
        self, edge: Edge, target: Value, access: ir.Access, places: Sequence[Place], state: State
    ) -> tuple[State, Value]:
        made = NOTHING
        for reference, offset in places:
            made = union(made, self._contents(reference, offset, access, state))
        if not places:
            made = union(made, outside(self.objects) if self._is_wide(access.sort) else any_of(access.sort))
        made = _typed(made, access.sort, self.pointer_size)
        owner = self._owner(places, access, target, state)
        if owner is not None:
            return state, named(without_symbol(made), owner)
        if made.symbol == (SELF, 0):
            return state, made
        token = ("load", self.context.index, edge.source)
        self.listener.names(token, made)
        return without_token(state, token), named(without_symbol(made), token)

    def _owner(self, places: Sequence[Place], access: ir.Access, target: Value, state: State) -> Token | None:
        """Whether a cell surely holds the handle of the thread, or surely not, if it can be that of a lock.

        The cell of a lock that else only zero is written to holds the handle of a thread that has taken it.
        """
        if len(places) != 1 or not is_no_address(target) or state.owns(places[0][0], self.objects):
            return None
        reference, offset = places[0]
        cells, _ = self.objects.cells(object_of(reference), offset, access.size)
        if not all(self.world.is_lock(cell) for cell in cells):
            return None
        lock = self._identity(target, places)
        if self._holds(lock, state):
            return SELF
        if state.maybe is None or lock is None or lock in (*state.maybe, *state.held):
            return None
        is_named = not any(isinstance(one[0], tuple) for one in (*state.held, *state.maybe))
        is_sure = isinstance(lock[0], int) and is_named
        return OTHER if is_sure or (not state.held and not state.maybe) else None

    def _contents(self, reference: Reference, offset: Fact, access: ir.Access, state: State) -> Value:
        obj = object_of(reference)
        if obj == self.objects.outside:
            return outside(self.objects)
        cells, is_exact = self._touched(obj, offset, access.size)
        made = NOTHING if is_exact else any_number(8 * access.size)
        is_owned = state.owns(reference, self.objects)
        for cell in cells:
            value = contents(state, cell, self.objects) if is_owned else self.world.read(cell)
            made = union(made, of_width(value, access.size, self.pointer_size))
        return made

    def _touched(self, obj: int, offsets: Fact, size: int) -> tuple[tuple[Cell, ...], bool]:
        """What an access may touch, and whether it is one of these as a whole."""
        cells, _ = self.objects.cells(obj, offsets, size)
        if all(cell.size for cell in cells):
            return cells, True
        return self.objects.touched_parts(obj, offsets, size), False

    def _stored(
        self, places: Sequence[Place], access: ir.Access, value: Value, state: State, *, is_strong: bool
    ) -> State:
        value = without_symbol(value)
        escaping = any(not state.owns(reference, self.objects) for reference, _ in places)
        if escaping and value.places:
            state = published(state, reachable(state, (value,), self.objects), self.world)
        for reference, offset in places:
            obj = object_of(reference)
            _, is_whole = self.objects.cells(obj, offset, access.size)
            cells, is_exact = self._touched(obj, offset, access.size)
            is_owned = state.owns(reference, self.objects)
            if not is_owned and state.running != frozenset():
                self.world.overwrites(cells)
            for cell in cells:
                put = value if is_exact else self._mixed(value, cell)
                if is_owned:
                    state = stored(state, cell, put, self.objects, is_strong=is_strong and is_whole)
                else:
                    self.world.write(cell, for_others(put))
            if any(self.world.is_locked(cell) for cell in cells):
                self.world.handles(self.context, {obj})
                state = _no_longer_sure(state, {obj})
        return state

    def _mixed(self, value: Value, cell: Cell) -> Value:
        """What a cell may hold after a value was written to some of its bytes, or all."""
        size = cell.size or self.pointer_size
        return union(of_width(value, size, self.pointer_size), any_number(8 * size))

    def _touch(
        self,
        edge: Edge,
        places: Sequence[Place],
        access: ir.Access,
        target: Value,
        state: State,
        *,
        is_write: bool,
    ) -> None:
        if state.running is not None and not state.running:
            return
        for reference, offset in places:
            if state.owns(reference, self.objects):
                continue
            obj = object_of(reference)
            guards = self._guards(obj, offset, target, state)
            low, size = offset, access.size
            if access.location is not None:
                start, end = access.location
                low = Fact(offset.low + start, offset.high + start, offset.residue + start, offset.modulus)
                size = end - start
            touch = Touch(
                obj, low, size, is_write, access.is_atomic, guards, self.context.thread, state.running
            )
            self.listener.touches(self.context, edge, touch)

    def _guards(self, obj: int, offset: Fact, target: Value, state: State) -> frozenset[Guard]:
        found = {Guard(-1)} if state.depth else set()
        for base, distance in state.held:
            if isinstance(base, int):
                found.add(Guard(base, distance))
            elif target.symbol is not None and target.symbol[0] == base and offset.modulus == 0:
                found.add(Guard(obj, offset.residue + distance - target.symbol[1], is_inside=True))
        return frozenset(found)

    # --- locks --------------------------------------------------------------------------------

    def _identity(self, target: Value, places: Sequence[Place]) -> Lock | None:
        """Which lock an address is that of; None: nobody knows."""
        if len(places) == 1 and is_no_address(target):
            reference, offset = places[0]
            obj = object_of(reference)
            if offset.modulus == 0 and self.world.is_once(obj):
                return obj, offset.residue
        return None if target.symbol is None or target.symbol[0] in (SELF, OTHER) else target.symbol

    def _lock(
        self, edge: Edge, target: Value, places: Sequence[Place], access: ir.Access, state: State
    ) -> list[State]:
        state = self._with_name(edge, access.address, target, state)
        lock = self._identity(self.value(access.address, state), places)
        self.world.handles(self.context, {object_of(reference) for reference, _ in places})
        self._tell_of_lock(edge, places, access, state)
        state = self._with_owner(places, access, state, OWN_HANDLE)
        if lock is None:
            return [state._replace(maybe=None)]
        if self._holds(lock, state):
            return []
        maybe = None if state.maybe is None else state.maybe - {lock}
        return [state._replace(held=state.held | {lock}, maybe=maybe)]

    def _with_name(self, edge: Edge, term: Term, target: Value, state: State) -> State:
        """The pointer by which a lock is taken gets a name: so it is known when the lock is given back."""
        terms = self.terms
        if terms.op(term) is Op.BVADD:
            variables = [one for one in terms.args(term) if terms.number(one) is None]
            term = variables[0] if len(variables) == 1 else term
        value = state.registers.get(term)
        if target.symbol is not None or value is None or value.symbol is not None or not value.places:
            return state
        return self._named(edge, term, value, state)

    def _tell_of_lock(self, edge: Edge, places: Sequence[Place], access: ir.Access, state: State) -> None:
        """In a section a lock is not waited for: the section is asked as a whole."""
        waited_for: set[Cell] = set()
        for reference, offset in places:
            cells, _ = self.objects.cells(object_of(reference), offset, access.size)
            self.listener.takes(self.context, cells)
            if not state.owns(reference, self.objects):
                waited_for.update(cells)
            elif not state.depth and any(contents(state, cell, self.objects) != ZERO for cell in cells):
                self.listener.may_stay(self.context, edge)  # nobody else can set it free
        if waited_for and not state.depth:
            self._tell_of_wait(edge, state, cells=frozenset(waited_for))

    def _tell_of_wait(
        self,
        edge: Edge,
        state: State,
        cells: frozenset[Cell] = frozenset(),
        threads: frozenset[int] = frozenset(),
    ) -> None:
        wait = Wait(cells, threads, self.context.thread, state.running, state.held, state.maybe)
        self.listener.waits_for(self.context, edge, wait)

    def _with_owner(self, places: Sequence[Place], access: ir.Access, state: State, value: Value) -> State:
        """Whoever reads the cell of a lock may find any thread there, or none; the value, if it is owned."""
        for reference, offset in places:
            cells, is_whole = self.objects.cells(object_of(reference), offset, access.size)
            self.world.locks(cells)
            if state.owns(reference, self.objects):
                is_strong = is_whole and len(places) == 1
                for cell in cells:
                    put = value if is_strong else OWNER
                    state = stored(state, cell, put, self.objects, is_strong=is_strong)
        return state

    def _unlock(
        self, edge: Edge, target: Value, places: Sequence[Place], access: ir.Access, state: State
    ) -> list[State]:
        lock = self._identity(target, places)
        doubt = None if self._holds(lock, state) else Doubt.NOT_HELD
        self.listener.checks(self.context, edge, Property.MISUSE, doubt)
        state = self._with_owner(places, access, state, ZERO)
        objs = {object_of(reference) for reference, _ in places}
        self.world.handles(self.context, objs)
        if lock is not None and lock in state.held:
            return [state._replace(held=state.held - {lock})]
        return [_no_longer_sure(state, objs)]

    # --- lives --------------------------------------------------------------------------------

    def _life(
        self, edge: Edge, instruction: ir.Allocate | ir.Free | ir.Enter | ir.Leave, state: State
    ) -> list[State]:
        match instruction:
            case ir.Allocate(target=target, size=size, is_zeroed=is_zeroed):
                return [self._allocate(edge, target, size, state, is_zeroed=is_zeroed)]
            case ir.Enter(object=entered, is_zeroed=is_zeroed):
                obj = self.objects.local(self.context.function, entered)
                return [self._begun(renewed(state, obj, self.world), obj, is_zeroed=is_zeroed)]
            case ir.Leave(object=left):
                return [self._leave(left.address, state)]
            case ir.Free(address=term):
                return self._free(edge, term, state)

    def _begun(self, state: State, obj: int, *, is_zeroed: bool) -> State:
        whole = ZERO if is_zeroed else any_number(self.program.pointers.width)
        return state._replace(memory={**state.memory, obj: {self.objects.everything(obj): whole}})

    def _allocate(
        self, edge: Edge, target: ir.Register, size: Term, state: State, *, is_zeroed: bool
    ) -> State:
        obj = self.objects.block(self.context.function, edge.source, self.context.maker)
        sizes = self.value(size, state)
        if sizes.places or sizes.number is None or sizes.number.low < 0:
            sizes = Value(Fact(0, self.program.pointers.largest_object))
        self.world.write(size_of(obj), without_symbol(sizes))
        state = self._begun(renewed(state, obj, self.world), obj, is_zeroed=is_zeroed)
        return _with(state, target, address(recent(obj)))

    def _leave(self, local: Term, state: State) -> State:
        reference, _ = self.evaluation.value(local, {}).places[0]
        obj = object_of(reference)
        if self.world.is_shared(obj) and state.running != frozenset():
            self.world.outlive(obj, self.context.thread)
        memory = {other: cells for other, cells in state.memory.items() if other != obj}
        old_dead = state.old_dead if state.owns(reference, self.objects) else state.old_dead | {obj}
        return state._replace(memory=memory, dead=state.dead | {obj}, old_dead=old_dead)

    def _free(self, edge: Edge, term: Term, state: State) -> list[State]:
        target = self.value(term, state)
        doubt = None if self._may_free(target, state) else Doubt.BLOCK
        self.listener.checks(self.context, edge, Property.FREE, doubt)
        if not is_no_address(target):
            self.listener.is_elsewhere(self.context, edge)
        places = tuple(
            place for place in target.places if self.objects.kind(object_of(place[0])) is Kind.HEAP
        )
        whole = Fact(0, self.program.pointers.largest_object)
        for reference, _ in places:
            obj = object_of(reference)
            if state.owns(reference, self.objects):
                continue
            if state.running != frozenset():
                guards = self._guards(obj, whole, target, state)
                touch = Touch(
                    obj,
                    whole,
                    0,
                    is_write=True,
                    is_atomic=False,
                    guards=guards,
                    thread=self.context.thread,
                    running=state.running,
                )
                self.listener.touches(self.context, edge, touch)
                if self.world.is_shared(obj):
                    self.world.outlive(obj, self.context.thread)
        dead, old_dead = state.dead, state.old_dead
        for reference, _ in places:
            obj = object_of(reference)
            is_owned = obj in state.memory
            if is_recent(reference) or not is_owned:
                dead |= {obj}
            if not is_recent(reference) or not is_owned:
                old_dead |= {obj}
        state = state._replace(dead=dead, old_dead=old_dead)
        return [state] if places or target.number is not None else []

    def _may_free(self, target: Value, state: State) -> bool:
        """Whether it is surely null or the start of a living block."""
        holds = target.number is None or target.number == ZERO.number
        for reference, offset in target.places:
            is_start = offset == ZERO.number
            is_block = self.objects.kind(object_of(reference)) is Kind.HEAP
            holds = holds and is_start and is_block and self._is_alive(reference, state)
        return holds

    # --- threads and calls --------------------------------------------------------------------

    def _thread(
        self,
        edge: Edge,
        instruction: ir.Create | ir.CreatePointer | ir.Join | ir.Detach | ir.Exit | ir.End,
        state: State,
    ) -> list[State]:
        match instruction:
            case ir.Create(target=target, function=function, arguments=arguments):
                return self._create(edge, target, (function,), arguments, state)
            case ir.CreatePointer(target=target, pointer=pointer, arguments=arguments):
                functions = self._functions(edge, pointer, state)
                return self._create(edge, target, functions, arguments, state)
            case ir.Join(target=register, handle=handle):
                return self._join(edge, register, handle, state)
            case ir.Detach(handle=handle):
                value = self.value(handle, state)
                doubt = None if self._is_joinable(value, state) else Doubt.HANDLE
                self.listener.checks(self.context, edge, Property.MISUSE, doubt)
                return [self._ended(value, state)]
            case ir.Exit(value=term):
                self.finished(edge, None if term is None else self.value(term, state), state)
                return []
            case ir.End():
                return []

    def _functions(self, edge: Edge, pointer: Term, state: State) -> tuple[str, ...]:
        """What a pointer may be the address of; that of anything else is wrong."""
        value = self.value(pointer, state)
        found = []
        is_certain = value.number is None
        for reference, offset in value.places:
            declared = self.objects.declaration(object_of(reference))
            is_code = declared is not None and declared.storage is Storage.CODE
            is_start = is_code and offset == ZERO.number
            if is_start and declared is not None:
                found.append(declared.name)
            is_certain = is_certain and is_start
        self.listener.checks(self.context, edge, Property.DEREF, None if is_certain else Doubt.CODE)
        if not is_no_address(value):
            self.listener.is_elsewhere(self.context, edge)
        return tuple(found)

    def _fits(self, edge: Edge, function: str, arguments: Sequence[Term], *, is_start: bool) -> bool:
        called = self.program.functions.get(function)
        if called is None:
            self.listener.gives_up(
                self.context, edge, f"call of `{function}` through a pointer, but it has no model"
            )
            return False
        given, taken = [self.terms.sort(a) for a in arguments], [p.sort for p in called.parameters]
        target = getattr(edge.instruction, "target", None)
        fits = taken in (given, []) if is_start else taken == given
        if not is_start and target is not None and called.result != target.sort:
            fits = False
        if not fits:
            self.listener.gives_up(
                self.context, edge, f"call of `{function}` through a pointer of another type"
            )
        return fits

    def _call(
        self, edge: Edge, functions: Sequence[str], arguments: Sequence[Term], state: State
    ) -> list[State]:
        values = [self.value(one, state) for one in arguments]
        found = []
        for function in functions:
            if self._fits(edge, function, arguments, is_start=False):
                found += self.world.call(self.context, edge, function, values, state)
        target = getattr(edge.instruction, "target", None)
        if isinstance(target, ir.Register):
            token = ("load", self.context.index, edge.source)
            for value in (one.registers[target.term] for one in found):
                if value.symbol is not None and value.symbol[0] == token:
                    self.listener.names(token, value)
        return found

    def _create(
        self,
        edge: Edge,
        target: ir.Register,
        functions: Sequence[str],
        arguments: Sequence[Term],
        state: State,
    ) -> list[State]:
        values = [self.value(one, state) for one in arguments]
        thread = self.objects.thread(self.context.function, edge.source, self.context.maker)
        state = no_longer_early(state, self.world)
        given = reachable(state, values, self.objects)
        state = published(state, given, self.world)
        for obj in sorted(given | {object_of(one) for value in values for one, _ in value.places}):
            self.world.share(obj)
        for obj in sorted(state.dead | state.old_dead):
            if self.objects.kind(obj) in (Kind.LOCAL, Kind.HEAP) and self.world.is_shared(obj):
                self.world.outlive(obj, self.context.thread)
        fitting = [one for one in functions if self._fits(edge, one, arguments, is_start=True)]
        for function in fitting:
            taken = len(self.program.functions[function].parameters)
            given_values = [for_others(value) for value in values[:taken]]
            self.world.start(self.context, edge, thread, function, given_values, state)
        if not fitting:
            return []
        state = renewed(state, thread, self.world)
        if state.running is not None:
            children = {old(one) for one in self.world.offspring(thread)}
            state = state._replace(running=state.running | {recent(thread)} | children)
        return [_with(state, target, address(recent(thread)))]

    def _is_joinable(self, value: Value, state: State) -> bool:
        if value.number is not None or len(value.places) != 1:
            return False
        reference, offset = value.places[0]
        obj = object_of(reference)
        self.world.asks(self.context, obj)
        is_thread = self.objects.kind(obj) is Kind.THREAD and offset == ZERO.number
        return (
            is_thread and is_recent(reference) and obj not in state.dead and not self.world.is_outlived(obj)
        )

    def _ended(self, value: Value, state: State) -> State:
        """The thread cannot be joined any more."""
        dead, old_dead = state.dead, state.old_dead
        for reference, _ in value.places:
            if is_recent(reference):
                dead |= {object_of(reference)}
            else:
                self.world.outlive(object_of(reference), self.context.thread)
        return state._replace(dead=dead, old_dead=old_dead)

    def _join(self, edge: Edge, register: ir.Register | None, handle: Term, state: State) -> list[State]:
        value = self.value(handle, state)
        doubt = None if self._is_joinable(value, state) else Doubt.HANDLE
        self.listener.checks(self.context, edge, Property.MISUSE, doubt)
        threads = [place for place in value.places if self.objects.kind(object_of(place[0])) is Kind.THREAD]
        is_sure = value.number is None or value.number == ZERO.number  # other numbers may be handles
        if not state.depth:
            joined = frozenset(object_of(reference) for reference, _ in threads)
            self._tell_of_wait(edge, state, threads=joined)
            if not is_sure or any(offset != ZERO.number for _, offset in threads):
                self.listener.may_stay(self.context, edge)
        state = self._ended(value, state)
        if state.running is not None and len(threads) == 1 and is_sure:
            reference, offset = threads[0]
            if is_recent(reference) and offset == ZERO.number:
                state = state._replace(running=state.running - {reference})
        if register is None:
            return [state]
        made = outside(self.objects) if not is_no_address(value) else NOTHING
        for reference, _ in threads:
            made = union(made, self.world.read(Cell(object_of(reference), 0, self.pointer_size)))
        return [_with(state, register, made)]

    def finished(self, edge: Edge, value: Value | None, state: State) -> None:
        """A thread ends with this: what others know of its stack is gone."""
        self.listener.ends(self.context, edge, state)
        functions = self.world.functions_of(self.context.thread)
        for obj, origin in enumerate(self.objects.origins):
            is_own = origin.kind is Kind.LOCAL and origin.name.partition("::")[0] in functions
            if (is_own or origin.kind is Kind.THREAD_LOCAL) and self.world.is_shared(obj):
                self.world.outlive(obj, self.context.thread)
        if value is None or self.context.thread is None:
            return
        published(state, reachable(state, (value,), self.objects), self.world)
        for reference, _ in value.places:
            self.world.share(object_of(reference))
        self.world.write(Cell(self.context.thread, 0, self.pointer_size), for_others(value))

    def _unmodelled(self, edge: Edge, call: ir.CallUnmodelled, state: State) -> State:
        """It may change what it is given, and return any of it; it keeps no address, and writes none."""
        self.listener.unmodelled(self.context, edge, call.function)
        values = [self.value(one, state) for one in call.arguments]
        given = [Value(None, value.places) for value in values if value.places]
        named = {one for value in given for one, _ in value.places if self._is_variable(object_of(one))}
        self._ask_for(map(object_of, named), state)
        is_owned = all(state.owns(one, self.objects) for one in named)
        changed = dict.fromkeys(self._changed_by(call, values, state))
        if not is_owned:
            state = published(state, reachable(state, given, self.objects), self.world)
        for cell in changed:
            put = self._mixed(outside(self.objects), cell)
            if is_owned:
                state = stored(state, cell, put, self.objects, is_strong=False)
            else:
                self.world.share(cell.object)
                self.world.write(cell, put)
        if call.target is None:
            return state
        result = any_of(call.target.sort)
        if self._is_wide(call.target.sort):
            result = reduce(union, given if is_owned else map(for_others, given), outside(self.objects))
        return _with(state, call.target, result)

    def _changed_by(self, call: ir.CallUnmodelled, values: Sequence[Value], state: State) -> Iterator[Cell]:
        """What it may write to: members and what they lead to, or whole objects."""
        for number, value in enumerate(values):
            extent = call.extents[number] if call.extents else None
            if extent == 0:
                continue
            wholes = reachable(state, (value,), self.objects)
            for reference, offset in value.places:
                obj = object_of(reference)
                if extent is None:
                    wholes.add(obj)
                elif self._is_variable(obj):
                    wholes.discard(obj)
                    yield from self._touched(obj, offset, extent)[0]
            yield from (self.objects.everything(obj) for obj in sorted(wholes) if self._is_variable(obj))

    def _is_variable(self, obj: int) -> bool:
        """Whether what is in an object may change."""
        declared = self.objects.declaration(obj)
        return self.objects.shape(obj) is not None and not (declared is not None and declared.is_read_only)


OWN_HANDLE = Value(OWNER.number, (), (SELF, 0))
"""What a lock holds that was just taken."""


def size_of(obj: int) -> Cell:
    """A cell that no access has: how large blocks of an object are."""
    return Cell(obj, -1, 8)


def _between(start: Fact, end: Fact) -> Fact:
    """How far it may be from one offset to the other."""
    if start.modulus == 0:
        return shifted(end, -start.residue)
    return Fact(end.low - start.high, end.high - start.low)


def _with(state: State, register: ir.Register, value: Value) -> State:
    registers = dict(state.registers)
    registers[register.term] = value
    return state._replace(registers=registers)


def _no_longer_sure(state: State, objs: set[int]) -> State:
    """Locks in some objects, and those known by a name, may have been given back, or not."""
    kept = frozenset(one for one in state.held if isinstance(one[0], int) and one[0] not in objs)
    maybe = None if state.maybe is None else state.maybe | (state.held - kept)
    return state._replace(held=kept, maybe=maybe)


def _typed(value: Value, sort: Sort, pointer_size: int) -> Value:
    if isinstance(sort, BoolSort):
        is_truth = value.number is not None and not value.places and fact_within(value.number, Fact(0, 1))
        return value if is_truth else EITHER
    return of_width(value, (width_of(sort) + 7) // 8, pointer_size)
