"""From a caller's state to that in which a function starts, and back.

A function gets to see the memory that its arguments lead to, and the static objects that it asks
for while they are owned; all of them if it starts threads. What else its caller owns waits for its
return: nothing looks at it meanwhile.

It does not hear of objects that were gone before, unless it asks or makes new ones: its caller
still knows when it returns. Nor does its caller hear of local variables that are gone, unless there
still is an address of one: any other thread that has one knew before the call that it was gone. And only
what the call makes or may end can be gone after it that was not before: a function that frees
nothing leaves blocks alone, whatever its other callers had freed.
"""

from collections.abc import Collection, Mapping, Sequence

from sley.logic.terms import Term
from sley.program.program import Function
from sley.semantics.abstract.contents import Cells, any_of
from sley.semantics.abstract.facts import FactReader
from sley.semantics.abstract.objects import ObjectKind
from sley.semantics.abstract.state import (
    RESULT,
    AbstractState,
    Lock,
    Partition,
    forgetting,
    published,
    reachable,
)
from sley.semantics.abstract.values import (
    OTHER,
    SELF,
    Reference,
    Symbol,
    Token,
    Value,
    is_no_address,
    is_recent,
    is_within,
    named,
    object_of,
    old,
    shifted,
    with_references,
    without_symbol,
)

Call = tuple[int, int, str, Partition]
"""A context, a location in its function, the function that is called there, and in which states."""

Start = tuple[int, int, str]
"""A context, a location in its function, and the function that is started there."""


ENDING = -1
"""In place of a location: what is called when a thread, or the first one, has returned."""


def entered(
    caller: AbstractState, function: Function, context: int, arguments: Sequence[Value], world: FactReader
) -> AbstractState:
    """The state in which a function starts in a context."""
    registers = {
        parameter.term: named(without_symbol(value), ("parameter", context, position))
        for position, (parameter, value) in enumerate(zip(function.parameters, arguments, strict=True))
    }
    passed = _passed(caller, context, arguments, world)
    memory = {obj: _unnamed(cells) for obj, cells in caller.memory.items() if obj in passed}
    names = {
        value.symbol[0]: (("parameter", context, position), value.symbol[1])
        for position, value in enumerate(arguments)
        if value.symbol is not None and value.symbol[0] not in (SELF, OTHER)
    }
    held, unnamed = _renamed(caller.held, names)
    maybe = _maybe_inside(caller, names, unnamed, context)
    state = caller._replace(registers=registers, memory=memory, held=held, maybe=maybe)
    asked, made = world.asked(context), world.made(context)
    if asked is None:
        return state

    def heard_of(objs: frozenset[int]) -> frozenset[int]:
        return frozenset(
            obj
            for obj in objs
            if obj in asked or (obj in made and world.objects.kind(obj) is not ObjectKind.LOCAL)
        )

    return state._replace(dead=heard_of(state.dead), old_dead=heard_of(state.old_dead))


def left(function: Function, value: Value | None, state: AbstractState) -> AbstractState:
    """The state in which a function returns this."""
    if value is None:
        registers = {} if function.result is None else {RESULT: any_of(function.result)}
    else:
        registers = {RESULT: value}
    return state._replace(registers=registers)


def started(function: Function, context: int, arguments: Sequence[Value]) -> AbstractState:
    """The state in which a thread starts."""
    registers = {
        parameter.term: named(value, ("parameter", context, position))
        for position, (parameter, value) in enumerate(zip(function.parameters, arguments, strict=True))
    }
    return AbstractState(registers, {})


def first(function: Function) -> AbstractState:
    """The state in which the first thread starts, in context 0: its arguments are not known."""
    arguments = [any_of(parameter.sort) for parameter in function.parameters]
    return started(function, 0, arguments)._replace(running=frozenset(), is_early=True)


def _passed(caller: AbstractState, context: int, arguments: Sequence[Value], world: FactReader) -> set[int]:
    """The owned objects that a function gets to see in a context."""
    objects, asked = world.objects, world.asked(context)
    static = {
        obj
        for obj in caller.memory
        if objects.kind(obj) is ObjectKind.STATIC and (asked is None or obj in asked)
    }
    held = (value for obj in static for value in caller.memory[obj].values())
    return static | reachable(caller, [*arguments, *held], objects)


def _renamed(
    locks: frozenset[Lock], names: Mapping[Token, tuple[Token, int]]
) -> tuple[frozenset[Lock], frozenset[Lock]]:
    """Locks by the names that the function has for them, and those for which it has none."""
    found: set[Lock] = set()
    unnamed: set[Lock] = set()
    for base, distance in locks:
        if isinstance(base, int):
            found.add((base, distance))
        elif base in names:
            token, moved = names[base]
            found.add((token, distance - moved))
        else:
            unnamed.add((base, distance))
    return frozenset(found), frozenset(unnamed)


def _maybe_inside(
    caller: AbstractState, names: Mapping[Token, tuple[Token, int]], unnamed: frozenset[Lock], context: int
) -> frozenset[Lock] | None:
    """The locks that a function may hold beside those that it surely holds.

    Among them are locks for which it has no name: nothing there is known to be them, and a function that is
    called with ever other ones need not be looked at for each. Its caller knows whether it still has them.
    The names of the function itself are about to get a new meaning.
    """
    if caller.maybe is None:
        return None
    maybe, others = _renamed(caller.maybe, names)
    others |= unnamed
    return (
        None if any(base[1] == context for base, _ in others if isinstance(base, tuple)) else maybe | others
    )


def returned(
    caller: AbstractState,
    function: Function,
    exit_: AbstractState,
    contexts: tuple[int, int],
    arguments: Sequence[Value],
    result: tuple[Term, Token] | None,
    world: FactReader,
) -> AbstractState:
    """The state of the caller after a call; the contexts are the caller's and the function's."""
    own, called = contexts
    objects = world.objects
    made = world.made(called)
    is_again = ~own in made
    passed = _passed(caller, called, arguments, world)
    waiting = {obj: cells for obj, cells in caller.memory.items() if obj not in passed}
    again = {obj for obj in waiting if obj in made}
    if again:
        state = caller._replace(memory=waiting)
        values = [value for obj in again for value in waiting[obj].values()]
        state = published(state, again | reachable(state, values, objects), world)
        waiting = dict(state.memory)

    def is_local(obj: int) -> bool:
        return objects.kind(obj) is ObjectKind.LOCAL

    def ended(objs: frozenset[int]) -> frozenset[int]:
        """Those that may have ended in the call; its other callers may have lost others before."""
        is_ending = world.ends(function.name)
        return frozenset(obj for obj in objs if obj in made or (is_ending and not is_local(obj)))

    def change(reference: Reference) -> tuple[Reference, ...]:
        obj = object_of(reference)
        return (old(obj), reference) if is_recent(reference) and obj in made else (reference,)

    def kept(value: Value) -> Value:
        if is_again and value.symbol is not None and value.symbol[0][1] == own:
            value = without_symbol(value)
        return with_references(value, change) if value.places else value

    registers = {register: kept(value) for register, value in caller.registers.items()}
    memory: dict[int, Cells] = {
        obj: {cell: kept(value) for cell, value in cells.items()} for obj, cells in waiting.items()
    }
    memory.update((obj, _unnamed(cells)) for obj, cells in exit_.memory.items())
    held, maybe = _locks_back(caller, exit_, contexts, arguments, world)
    state = exit_._replace(
        registers=registers,
        memory=memory,
        held=held,
        maybe=maybe,
        dead=ended(exit_.dead) | {obj for obj in caller.dead if obj not in made or is_local(obj)},
        old_dead=ended(exit_.old_dead) | caller.old_dead | {obj for obj in caller.dead if obj in made},
    )
    if result is not None:
        register, token = result
        value = exit_.registers[RESULT]
        if world.hands_back(function.name):
            value = _among(value, arguments)
        symbol = _symbol_back(value, called, arguments)
        value = _argument_back(value, called, [kept(one) for one in arguments])
        value = named(value, token) if symbol is None else Value(value.number, value.places, symbol)
        state = state._replace(registers={**registers, register: value})
    return forgetting(state, world)


def _among(value: Value, arguments: Sequence[Value]) -> Value:
    """A value without the addresses of what no argument is the address of."""
    given = {object_of(reference) for argument in arguments for reference, _ in argument.places}
    kept = tuple(place for place in value.places if object_of(place[0]) in given)
    return value if len(kept) == len(value.places) else Value(value.number, kept, value.symbol)


def _locks_back(
    caller: AbstractState,
    exit_: AbstractState,
    contexts: tuple[int, int],
    arguments: Sequence[Value],
    world: FactReader,
) -> tuple[frozenset[Lock], frozenset[Lock] | None]:
    """The locks that are held after a call, and those that may be.

    Those in objects that the call has nothing to do with are as they were, whatever locks its
    other callers in this context held. A lock that is known by a name is in an object that a value of that
    name is the address of; if there is none, it may be anywhere. What the function named itself is not known
    by that name to its caller: such locks may be held.
    """
    own, called = contexts
    is_again = ~own in world.made(called)
    handled = world.handled(called)
    named_apart = _named_apart(caller, handled)

    def is_left_alone(lock: Lock) -> bool:
        base, _ = lock
        if isinstance(base, int):
            return base not in handled
        return not (is_again and base[1] == own) and (not handled or base in named_apart)

    def at_exit(locks: frozenset[Lock]) -> frozenset[Lock]:
        return _named_back(locks, called, own, arguments, is_again=is_again)

    def after(before: frozenset[Lock], then: frozenset[Lock]) -> frozenset[Lock]:
        return frozenset((*filter(is_left_alone, before), *(one for one in then if not is_left_alone(one))))

    its_own = frozenset(one for one in exit_.held if isinstance(one[0], tuple) and _is_own(one[0], called))
    kept = exit_.held - its_own
    held = after(caller.held, at_exit(kept))
    if not handled and not is_again:
        return held, caller.maybe
    if caller.maybe is None or exit_.maybe is None:
        return held, None
    maybe = at_exit(exit_.maybe | its_own)
    if len(maybe) < len(exit_.maybe | its_own) or len(at_exit(kept)) < len(kept):
        return held, None
    return held, after(caller.maybe, maybe) - held


def _is_own(token: Token, context: int) -> bool:
    """Whether a name was given in a context, other than to an argument."""
    return token[0] != "parameter" and token[1] == context


def _named_apart(caller: AbstractState, handled: Collection[int]) -> set[Token]:
    """The names of addresses in none of these objects."""
    return {
        value.symbol[0]
        for value in caller.registers.values()
        if value.symbol is not None
        and value.places
        and is_no_address(value)
        and not any(object_of(reference) in handled for reference, _ in value.places)
    }


def _named_back(
    locks: frozenset[Lock], called: int, own: int, arguments: Sequence[Value], *, is_again: bool
) -> frozenset[Lock]:
    found: set[Lock] = set()
    for base, distance in locks:
        if isinstance(base, int):
            found.add((base, distance))
        elif base[0] == "parameter" and base[1] == called:
            symbol = arguments[base[2]].symbol
            if symbol is not None and symbol[0] not in (SELF, OTHER):
                found.add((symbol[0], distance + symbol[1]))
        elif not (is_again and base[1] == own):
            found.add((base, distance))
    return frozenset(found)


def _unnamed(cells: Cells) -> Cells:
    """The same without names; the very same if there are none."""
    if all(value.symbol is None for value in cells.values()):
        return cells
    return {cell: without_symbol(value) for cell, value in cells.items()}


def _argument_back(value: Value, called: int, arguments: Sequence[Value]) -> Value:
    """What a call returns, if that is an argument, moved: others may have passed other ones."""
    if value.symbol is None or value.symbol[0][0] != "parameter" or value.symbol[0][1] != called:
        return value
    token, distance = value.symbol
    argument = arguments[token[2]]
    number = None if argument.number is None else shifted(argument.number, distance)
    places = tuple((reference, shifted(offset, distance)) for reference, offset in argument.places)
    found = Value(number, places, value.symbol)
    return found if is_within(found, value) else value


def _symbol_back(value: Value, called: int, arguments: Sequence[Value]) -> Symbol | None:
    if value.symbol is None or value.symbol[0][0] != "parameter" or value.symbol[0][1] != called:
        return None
    token, distance = value.symbol
    symbol = arguments[token[2]].symbol
    return None if symbol is None or symbol[0] == OTHER else (symbol[0], symbol[1] + distance)
