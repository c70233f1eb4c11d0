"""Threads are created, joined and detached, and end."""

from collections.abc import Sequence

from sley.program import instructions as ir
from sley.program.program import Edge
from sley.program.properties import Property
from sley.semantics.abstract.calling import fits, functions_at
from sley.semantics.abstract.contents import outside
from sley.semantics.abstract.locking import tell_of_wait
from sley.semantics.abstract.objects import ObjectCell, ObjectKind
from sley.semantics.abstract.pointers import is_joinable
from sley.semantics.abstract.setting import Setting, with_register
from sley.semantics.abstract.state import AbstractState, no_longer_early, published, reachable, renewed
from sley.semantics.abstract.values import (
    NOTHING,
    ZERO,
    Value,
    address,
    for_others,
    is_no_address,
    is_recent,
    object_of,
    old,
    recent,
    union,
)
from sley.semantics.abstract.world import Doubt


def thread_step(
    here: Setting, edge: Edge, instruction: ir.Threading | ir.CreatePointer, state: AbstractState
) -> list[AbstractState]:
    """The states after an instruction about threads."""
    match instruction:
        case ir.Create(function=function):
            return _create(here, edge, instruction, (function,), state)
        case ir.CreatePointer(pointer=pointer):
            return _create(here, edge, instruction, functions_at(here, edge, pointer, state), state)
        case ir.Join():
            return _join(here, edge, instruction, state)
        case ir.Detach(handle=handle):
            value = here.value(handle, state)
            doubt = None if is_joinable(here, value, state) else Doubt.HANDLE
            here.checks(edge, Property.MISUSE, doubt)
            return [_ended(here, value, state)]
        case ir.Exit(value=term):
            finished(here, edge, None if term is None else here.value(term, state), state)
            return []
        case ir.End():
            return []


def _create(
    here: Setting,
    edge: Edge,
    create: ir.Create | ir.CreatePointer,
    functions: Sequence[str],
    state: AbstractState,
) -> list[AbstractState]:
    values = [here.value(one, state) for one in create.arguments]
    thread = here.objects.thread(here.context.function, edge.source, here.context.maker)
    state = no_longer_early(state, here.world)
    given = reachable(state, values, here.objects)
    state = published(state, given, here.world)
    for obj in sorted(given | {object_of(one) for value in values for one, _ in value.places}):
        here.world.share(obj)
    for obj in sorted(state.dead | state.old_dead):
        if here.objects.kind(obj) in (ObjectKind.LOCAL, ObjectKind.HEAP) and here.world.is_shared(obj):
            here.world.outlive(obj, here.context.thread)
    fitting = [one for one in functions if fits(here, edge, one, create.arguments, is_start=True)]
    for function in fitting:
        taken = len(here.program.functions[function].parameters)
        given_values = [for_others(value) for value in values[:taken]]
        here.world.start(here.context, edge, thread, function, given_values, state)
    if not fitting:
        return []
    state = renewed(state, thread, here.world)
    if state.running is not None:
        children = {old(one) for one in here.world.offspring(thread)}
        state = state._replace(running=state.running | {recent(thread)} | children)
    return [with_register(state, create.target, address(recent(thread)))]


def _ended(here: Setting, value: Value, state: AbstractState) -> AbstractState:
    """The thread cannot be joined any more."""
    dead, old_dead = state.dead, state.old_dead
    for reference, _ in value.places:
        if is_recent(reference):
            dead |= {object_of(reference)}
        else:
            here.world.outlive(object_of(reference), here.context.thread)
    return state._replace(dead=dead, old_dead=old_dead)


def _join(here: Setting, edge: Edge, join: ir.Join, state: AbstractState) -> list[AbstractState]:
    value = here.value(join.handle, state)
    doubt = None if is_joinable(here, value, state) else Doubt.HANDLE
    here.checks(edge, Property.MISUSE, doubt)
    threads = [place for place in value.places if here.objects.kind(object_of(place[0])) is ObjectKind.THREAD]
    is_sure = value.number is None or value.number == ZERO.number  # other numbers may be handles
    if not state.depth:
        joined = frozenset(object_of(reference) for reference, _ in threads)
        tell_of_wait(here, edge, state, threads=joined)
        if not is_sure or any(offset != ZERO.number for _, offset in threads):
            here.listener.may_stay(here.context, edge)
    state = _ended(here, value, state)
    if state.running is not None and len(threads) == 1 and is_sure:
        reference, offset = threads[0]
        if is_recent(reference) and offset == ZERO.number:
            state = state._replace(running=state.running - {reference})
    if join.target is None:
        return [state]
    made = outside(here.objects) if not is_no_address(value) else NOTHING
    for reference, _ in threads:
        made = union(made, here.world.read(ObjectCell(object_of(reference), 0, here.pointer_size)))
    return [with_register(state, join.target, made)]


def finished(here: Setting, edge: Edge, value: Value | None, state: AbstractState) -> None:
    """A thread ends with this: what others know of its stack is gone."""
    here.listener.ends(here.context, edge, state)
    functions = here.world.functions_of(here.context.thread)
    for obj, origin in enumerate(here.objects.origins):
        is_own = origin.kind is ObjectKind.LOCAL and origin.name.partition("::")[0] in functions
        if (is_own or origin.kind is ObjectKind.THREAD_LOCAL) and here.world.is_shared(obj):
            here.world.outlive(obj, here.context.thread)
    if value is None or here.context.thread is None:
        return
    published(state, reachable(state, (value,), here.objects), here.world)
    for reference, _ in value.places:
        here.world.share(object_of(reference))
    here.world.write(ObjectCell(here.context.thread, 0, here.pointer_size), for_others(value))
