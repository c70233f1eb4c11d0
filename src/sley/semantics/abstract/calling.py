"""Calls: of functions by name and by pointer, and of those that have no body."""

from collections.abc import Iterator, Sequence
from functools import reduce

from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.memory import Storage
from sley.program.program import Edge
from sley.program.properties import Property
from sley.semantics.abstract.accesses import mixed, touched_cells
from sley.semantics.abstract.contents import any_of, outside
from sley.semantics.abstract.objects import ObjectCell
from sley.semantics.abstract.pointers import ask_for, is_variable
from sley.semantics.abstract.setting import Setting, with_register
from sley.semantics.abstract.state import AbstractState, published, reachable, stored
from sley.semantics.abstract.values import (
    ZERO,
    Value,
    for_others,
    is_no_address,
    object_of,
    union,
)
from sley.semantics.abstract.world import Doubt


def call_step(
    here: Setting,
    edge: Edge,
    instruction: ir.Call | ir.CallPointer | ir.CallUnmodelled | ir.GiveUp,
    state: AbstractState,
) -> list[AbstractState]:
    """The states after a call, or after what the front end gave up on."""
    match instruction:
        case ir.Call(function=function, arguments=arguments):
            return _call(here, edge, (function,), arguments, state)
        case ir.CallPointer(pointer=pointer, arguments=arguments):
            return _call(here, edge, functions_at(here, edge, pointer, state), arguments, state)
        case ir.CallUnmodelled():
            return [_unmodelled(here, edge, instruction, state)]
        case ir.GiveUp(reason=reason):
            here.listener.gives_up(here.context, edge, reason)
            return [] if edge.target == here.program.functions[here.context.function].exit else [state]


def functions_at(here: Setting, edge: Edge, pointer: Term, state: AbstractState) -> tuple[str, ...]:
    """What a pointer may be the address of; that of anything else is wrong."""
    value = here.value(pointer, state)
    found = []
    is_certain = value.number is None
    for reference, offset in value.places:
        declared = here.objects.declaration(object_of(reference))
        is_code = declared is not None and declared.storage is Storage.CODE
        is_start = is_code and offset == ZERO.number
        if is_start and declared is not None:
            found.append(declared.name)
        is_certain = is_certain and is_start
    here.checks(edge, Property.DEREF, None if is_certain else Doubt.CODE)
    if not is_no_address(value):
        here.listener.is_elsewhere(here.context, edge)
    return tuple(found)


def fits(here: Setting, edge: Edge, function: str, arguments: Sequence[Term], *, is_start: bool) -> bool:
    """Whether a function exists and takes such arguments."""
    called = here.program.functions.get(function)
    if called is None:
        reason = f"call of `{function}` through a pointer, but it has no model"
        here.listener.gives_up(here.context, edge, reason)
        return False
    given, taken = [here.terms.sort(a) for a in arguments], [p.sort for p in called.parameters]
    target = getattr(edge.instruction, "target", None)
    is_fitting = taken in (given, []) if is_start else taken == given
    if not is_start and target is not None and called.result != target.sort:
        is_fitting = False
    if not is_fitting:
        reason = f"call of `{function}` through a pointer of another type"
        here.listener.gives_up(here.context, edge, reason)
    return is_fitting


def _call(
    here: Setting, edge: Edge, functions: Sequence[str], arguments: Sequence[Term], state: AbstractState
) -> list[AbstractState]:
    values = [here.value(one, state) for one in arguments]
    found = []
    for function in functions:
        if fits(here, edge, function, arguments, is_start=False):
            found += here.world.call(here.context, edge, function, values, state)
    target = getattr(edge.instruction, "target", None)
    if isinstance(target, ir.Register):
        token = here.token(edge)
        for value in (one.registers[target.term] for one in found):
            if value.symbol is not None and value.symbol[0] == token:
                here.listener.names(token, value)
    return found


def _unmodelled(here: Setting, edge: Edge, call: ir.CallUnmodelled, state: AbstractState) -> AbstractState:
    """It may change what it is given, and return any of it; it keeps no address, and writes none."""
    values = [here.value(one, state) for one in call.arguments]
    given = [Value(None, value.places) for value in values if value.places]
    named = {one for value in given for one, _ in value.places if is_variable(here, object_of(one))}
    ask_for(here, map(object_of, named), state)
    is_owned = all(state.owns(one, here.objects) for one in named)
    changed = dict.fromkeys(_changed_by(here, call, values, state))
    if not is_owned:
        state = published(state, reachable(state, given, here.objects), here.world)
    for cell in changed:
        put = mixed(here, outside(here.objects), cell)
        if is_owned:
            state = stored(state, cell, put, here.objects, is_strong=False)
        else:
            here.world.share(cell.object)
            here.world.write(cell, put)
    if call.target is None:
        return state
    result = any_of(call.target.sort)
    if here.is_wide(call.target.sort):
        result = reduce(union, given if is_owned else map(for_others, given), outside(here.objects))
    return with_register(state, call.target, result)


def _changed_by(
    here: Setting, call: ir.CallUnmodelled, values: Sequence[Value], state: AbstractState
) -> Iterator[ObjectCell]:
    """What it may write to: members and what they lead to, or whole objects."""
    for number, value in enumerate(values):
        extent = call.extents[number] if call.extents else None
        if extent == 0:
            continue
        wholes = reachable(state, (value,), here.objects)
        for reference, offset in value.places:
            obj = object_of(reference)
            if extent is None:
                wholes.add(obj)
            elif is_variable(here, obj):
                wholes.discard(obj)
                yield from touched_cells(here, obj, offset, extent)[0]
        yield from (here.objects.everything(obj) for obj in sorted(wholes) if is_variable(here, obj))
