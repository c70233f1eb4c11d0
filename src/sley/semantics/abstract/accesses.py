"""Loads, stores and updates: what they may find, what they change, and what others may notice of them."""

from functools import reduce

from sley.analyses.ranges import Fact
from sley.logic.operators import Op, to_signed
from sley.logic.sorts import BoolSort, Sort, width_of
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Edge
from sley.program.properties import Property
from sley.semantics.abstract.contents import any_of, of_width, outside
from sley.semantics.abstract.locking import give_back, no_longer_sure, owner_in, take
from sley.semantics.abstract.objects import ObjectCell
from sley.semantics.abstract.pointers import Target, ask_for, doubt_about, may_be_stale, valid_places
from sley.semantics.abstract.setting import Setting, with_register
from sley.semantics.abstract.state import AbstractState, contents, published, reachable, stored, without_token
from sley.semantics.abstract.values import (
    EITHER,
    NOTHING,
    OTHER,
    SELF,
    Place,
    Reference,
    Value,
    any_number,
    fact_union,
    fact_within,
    for_others,
    is_no_address,
    named,
    object_of,
    shifted,
    union,
    without_symbol,
)
from sley.semantics.abstract.world import Guard, SharedTouch


def access_step(
    here: Setting, edge: Edge, instruction: ir.Accessing, state: AbstractState
) -> list[AbstractState]:
    """The states after an access to memory."""
    access = instruction.access
    target = here.value(access.address, state)
    is_write = not isinstance(instruction, ir.Load)
    doubt = doubt_about(here, target, access, state, is_write=is_write)
    here.checks(edge, Property.DEREF, doubt)
    places = valid_places(here, target, access, is_write=is_write)
    ask_for(here, map(object_of, (reference for reference, _ in places)), state)
    is_elsewhere = not is_no_address(target) or may_be_stale(here, places, state)
    if is_elsewhere:
        here.listener.is_elsewhere(here.context, edge)
    elif not places:
        return []
    state = _refined(here, Target(access, target, places), state)
    if places:  # what follows is said of runs in which the access was to one of these
        target = Value(None, places, target.symbol)
    to = Target(access, target, places)
    _tell_of_touch(here, edge, to, state, is_write=is_write)
    match instruction:
        case ir.Load(target=register):
            state, value = _loaded(here, edge, to, state)
            return [with_register(state, register, value)] if value.places or value.number else []
        case ir.Store(value=term):
            return [_written(here, to, here.value(term, state), state)]
        case ir.Update(target=register, value=term):
            state, value = _loaded(here, edge, to, state)
            if value.number is None and not value.places:
                return []
            state = with_register(state, register, value)
            return [_written(here, to, here.value(term, state), state)]
        case ir.Lock():
            return take(here, edge, to, state)
        case ir.Unlock():
            return give_back(here, edge, to, state)


def _refined(here: Setting, to: Target, state: AbstractState) -> AbstractState:
    """What was accessed is the address of something."""
    access, target, places = to
    if not places or (target.number is None and places == target.places):
        return state
    term = access.address
    state = _with_index(here, term, places, state)
    if term not in state.registers:
        base = _base(here, term, state)
        if base is None:
            return state
        target, distance = state.registers[base], _distance(here, term, base)
        places = target.places if distance is None else valid_places(here, target, access, distance=distance)
        term = base
    known = Value(None, places, target.symbol)
    registers = dict(state.registers)
    for register, value in state.registers.items():
        is_same = value.symbol is not None and value.symbol == target.symbol != (OTHER, 0)
        if register == term or is_same:
            registers[register] = known
    return state._replace(registers=registers)


def _with_index(here: Setting, term: Term, places: tuple[Place, ...], state: AbstractState) -> AbstractState:
    """What was added to an address is such that the sum is one of these places."""
    term = _without_wild(here, term)
    if here.terms.op(term) is not Op.BVADD:
        return state
    bases = [one for one in here.terms.args(term) if here.value(one, state).places]
    indices = [one for one in here.terms.args(term) if one not in bases]
    if len(bases) != 1 or len(indices) != 1:
        return state
    base = here.value(bases[0], state)
    starts = dict(base.places)
    if base.number is not None:
        return state
    found = [_between(starts[reference], offset) for reference, offset in places]
    registers = here.evaluation.refinement.limited(indices[0], reduce(fact_union, found), state.registers)
    return state if registers is None else state._replace(registers=registers)


def _without_wild(here: Setting, term: Term) -> Term:
    """An address, as it is where it is not one that nothing is at."""
    if here.terms.op(term) is not Op.ITE:
        return term
    _, then, otherwise = here.terms.args(term)
    return then if here.terms.number(otherwise) == here.program.pointers.wild else term


def _distance(here: Setting, term: Term, base: Term) -> int | None:
    """What constant is added to a register, if nothing else is."""
    numbers = [here.terms.number(one) for one in here.terms.args(term) if one != base]
    is_sum = here.terms.op(term) is Op.BVADD and len(numbers) == 1
    if not is_sum or numbers[0] is None:
        return None
    return to_signed(numbers[0], here.program.pointers.width)


def _base(here: Setting, term: Term, state: AbstractState) -> Term | None:
    """The register to which an address adds something, if it may be the address of something."""
    terms = here.terms
    while terms.op(term) is not Op.VAR:
        arguments = terms.args(term)
        if terms.op(term) is Op.ITE:
            branches = [one for one in arguments[1:] if terms.number(one) != here.program.pointers.wild]
        elif terms.op(term) is Op.BVADD:
            branches = [one for one in arguments if here.value(one, state).places]
        else:
            return None
        if len(branches) != 1:
            return None
        term = branches[0]
    known = state.registers.get(term)
    return term if known is not None and known.places else None


def _loaded(here: Setting, edge: Edge, to: Target, state: AbstractState) -> tuple[AbstractState, Value]:
    access, made = to.access, NOTHING
    for reference, offset in to.places:
        made = union(made, _read(here, reference, offset, access, state))
    if not to.places:
        made = union(made, outside(here.objects) if here.is_wide(access.sort) else any_of(access.sort))
    made = _typed(made, access.sort, here.pointer_size)
    owner = owner_in(here, to, state)
    if owner is not None:
        return state, named(without_symbol(made), owner)
    if made.symbol == (SELF, 0):
        return state, made
    token = here.token(edge)
    here.listener.names(token, made)
    return without_token(state, token), named(without_symbol(made), token)


def _read(
    here: Setting, reference: Reference, offset: Fact, access: ir.Access, state: AbstractState
) -> Value:
    obj = object_of(reference)
    if obj == here.objects.outside:
        return outside(here.objects)
    cells, is_exact = touched_cells(here, obj, offset, access.size)
    made = NOTHING if is_exact else any_number(8 * access.size)
    is_owned = state.owns(reference, here.objects)
    for cell in cells:
        value = contents(state, cell, here.objects) if is_owned else here.world.read(cell)
        made = union(made, of_width(value, access.size, here.pointer_size))
    return made


def touched_cells(here: Setting, obj: int, offsets: Fact, size: int) -> tuple[tuple[ObjectCell, ...], bool]:
    """What an access may touch, and whether it is one of these as a whole."""
    cells, _ = here.objects.cells(obj, offsets, size)
    if all(cell.size for cell in cells):
        return cells, True
    return here.objects.touched_parts(obj, offsets, size), False


def _written(here: Setting, to: Target, value: Value, state: AbstractState) -> AbstractState:
    places, size = to.places, to.access.size
    value = without_symbol(value)
    escaping = any(not state.owns(reference, here.objects) for reference, _ in places)
    if escaping and value.places:
        state = published(state, reachable(state, (value,), here.objects), here.world)
    for reference, offset in places:
        obj = object_of(reference)
        _, is_whole = here.objects.cells(obj, offset, size)
        cells, is_exact = touched_cells(here, obj, offset, size)
        is_owned = state.owns(reference, here.objects)
        if not is_owned and state.running != frozenset():
            here.world.overwrites(cells)
        for cell in cells:
            put = value if is_exact else mixed(here, value, cell)
            if is_owned:
                state = stored(state, cell, put, here.objects, is_strong=is_whole and len(places) == 1)
            else:
                here.world.write(cell, for_others(put))
        if any(here.world.is_locked(cell) for cell in cells):
            here.world.handles(here.context, {obj})
            state = no_longer_sure(state, {obj})
    return state


def mixed(here: Setting, value: Value, cell: ObjectCell) -> Value:
    """What a cell may hold after a value was written to some of its bytes, or all."""
    size = cell.size or here.pointer_size
    return union(of_width(value, size, here.pointer_size), any_number(8 * size))


def _tell_of_touch(here: Setting, edge: Edge, to: Target, state: AbstractState, *, is_write: bool) -> None:
    access = to.access
    if state.running is not None and not state.running:
        return
    for reference, offset in to.places:
        if state.owns(reference, here.objects):
            continue
        obj = object_of(reference)
        guards = guards_of(obj, offset, to.value, state)
        low, size = offset, access.size
        if access.location is not None:
            start, end = access.location
            low, size = shifted(offset, start), end - start
        threads = (here.context.thread, state.running)
        touch = SharedTouch(obj, low, size, is_write, access.is_atomic, guards, *threads)
        here.listener.touches(here.context, edge, touch)


def guards_of(obj: int, offset: Fact, target: Value, state: AbstractState) -> frozenset[Guard]:
    """What is held at an access to a place of an object, and no two threads have at once."""
    found = {Guard(-1)} if state.depth else set()
    for base, distance in state.held:
        if isinstance(base, int):
            found.add(Guard(base, distance))
        elif target.symbol is not None and target.symbol[0] == base and offset.modulus == 0:
            found.add(Guard(obj, offset.residue + distance - target.symbol[1], is_inside=True))
    return frozenset(found)


def _between(start: Fact, end: Fact) -> Fact:
    """How far it may be from one offset to the other."""
    if start.modulus == 0:
        return shifted(end, -start.residue)
    return Fact(end.low - start.high, end.high - start.low)


def _typed(value: Value, sort: Sort, pointer_size: int) -> Value:
    if isinstance(sort, BoolSort):
        is_truth = value.number is not None and not value.places and fact_within(value.number, Fact(0, 1))
        return value if is_truth else EITHER
    return of_width(value, (width_of(sort) + 7) // 8, pointer_size)
