"""The lives of blocks and local variables."""

from sley.analyses.ranges import Fact
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Edge
from sley.program.properties import Property
from sley.semantics.abstract.accesses import guards_of
from sley.semantics.abstract.objects import ObjectKind
from sley.semantics.abstract.pointers import may_free, size_cell
from sley.semantics.abstract.setting import Setting, with_register
from sley.semantics.abstract.state import AbstractState, renewed
from sley.semantics.abstract.values import (
    ZERO,
    Value,
    address,
    any_number,
    is_no_address,
    is_recent,
    object_of,
    recent,
    without_symbol,
)
from sley.semantics.abstract.world import Doubt, SharedTouch


def life_step(here: Setting, edge: Edge, instruction: ir.Living, state: AbstractState) -> list[AbstractState]:
    """The states after an object begins or ends."""
    match instruction:
        case ir.Allocate():
            return [_allocate(here, edge, instruction, state)]
        case ir.Enter(object=entered, is_zeroed=is_zeroed):
            obj = here.objects.local(here.context.function, entered)
            return [_begun(here, renewed(state, obj, here.world), obj, is_zeroed=is_zeroed)]
        case ir.Leave(object=left):
            return [_leave(here, left.address, state)]
        case ir.Free():
            return _free(here, edge, instruction, state)


def _begun(here: Setting, state: AbstractState, obj: int, *, is_zeroed: bool) -> AbstractState:
    whole = ZERO if is_zeroed else any_number(here.program.pointers.width)
    return state._replace(memory={**state.memory, obj: {here.objects.everything(obj): whole}})


def _allocate(here: Setting, edge: Edge, allocate: ir.Allocate, state: AbstractState) -> AbstractState:
    obj = here.objects.block(here.context.function, edge.source, here.context.maker)
    sizes = here.value(allocate.size, state)
    if sizes.places or sizes.number is None or sizes.number.low < 0:
        sizes = Value(Fact(0, here.program.pointers.largest_object))
    here.world.write(size_cell(obj), without_symbol(sizes))
    state = _begun(here, renewed(state, obj, here.world), obj, is_zeroed=allocate.is_zeroed)
    return with_register(state, allocate.target, address(recent(obj)))


def _leave(here: Setting, local: Term, state: AbstractState) -> AbstractState:
    reference, _ = here.evaluation.value(local, {}).places[0]
    obj = object_of(reference)
    if here.world.is_shared(obj) and state.running != frozenset():
        here.world.outlive(obj, here.context.thread)
    memory = {other: cells for other, cells in state.memory.items() if other != obj}
    old_dead = state.old_dead if state.owns(reference, here.objects) else state.old_dead | {obj}
    return state._replace(memory=memory, dead=state.dead | {obj}, old_dead=old_dead)


def _free(here: Setting, edge: Edge, free: ir.Free, state: AbstractState) -> list[AbstractState]:
    target = here.value(free.address, state)
    doubt = None if may_free(here, target, state) else Doubt.BLOCK
    here.checks(edge, Property.FREE, doubt)
    if not is_no_address(target):
        here.listener.is_elsewhere(here.context, edge)
    places = tuple(
        place for place in target.places if here.objects.kind(object_of(place[0])) is ObjectKind.HEAP
    )
    whole = Fact(0, here.program.pointers.largest_object)
    for reference, _ in places:
        obj = object_of(reference)
        if state.owns(reference, here.objects):
            continue
        if state.running != frozenset():
            guards = guards_of(obj, whole, target, state)
            touch = SharedTouch(obj, whole, 0, True, False, guards, here.context.thread, state.running)  # noqa: FBT003
            here.listener.touches(here.context, edge, touch)
            if here.world.is_shared(obj):
                here.world.outlive(obj, here.context.thread)
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
