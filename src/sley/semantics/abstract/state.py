"""What is known of a thread that stands somewhere: its registers, memory that only it reaches, its locks.

*Owned* memory is a map from cells to values. An object is owned if the map has its cell
``everything``, which says what cells hold that are not listed; it is then about the recent instance
of the object, which only the thread can reach. As long as the first thread is alone from the start
on, it also owns all static objects (the state is *early*): cells that are not listed hold their
initial values.

All other memory is the *world's*: a value for each cell that holds at any time (``facts``).
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple, TypeVar

from sley.logic.terms import Term
from sley.semantics.abstract.contents import Cells, contents_of
from sley.semantics.abstract.facts import FactReader
from sley.semantics.abstract.objects import ObjectCell, ObjectKind, Objects
from sley.semantics.abstract.values import (
    SELF,
    ZERO,
    Reference,
    Token,
    Value,
    Widening,
    any_number,
    for_others,
    is_recent,
    is_within,
    object_of,
    old,
    recent,
    union,
    widened,
    with_references,
    without_symbol,
)

LockAt = tuple[int, int]
"""The lock at an offset of an object that there is once."""

LockBy = tuple[Token, int]
"""The lock at a distance from what a token stands for."""

Lock = LockAt | LockBy

Partition = tuple[frozenset[Lock], int, bool]
"""Locks that are held, depth of atomic sections, whether no thread has been created."""

MOST_NAMES = 20
"""Of locks that a thread may hold. In a loop, names may be at ever larger distances."""

RESULT = Term(-1)
"""The register in which a function leaves its result."""


class AbstractState(NamedTuple):
    """One thread, in one function."""

    registers: Mapping[Term, Value]
    """Those not listed may be anything."""
    memory: Mapping[int, Cells]
    """What it owns, and what is in it: of static objects, all else is as in the beginning; of others, as
    in the whole."""
    held: frozenset[Lock] = frozenset()
    """Locks that it surely holds."""
    maybe: frozenset[Lock] | None = frozenset()
    """Further locks that it may hold; None: any."""
    running: frozenset[Reference] | None = None
    """The threads that may be running beside it; None: any."""
    dead: frozenset[int] = frozenset()
    """Objects whose recent instance may be gone: left, freed, joined."""
    old_dead: frozenset[int] = frozenset()
    """Objects of whose old instances it may have ended some."""
    depth: int = 0
    """How many atomic sections it is in."""
    is_early: bool = False
    """Whether no other thread has been created so far."""

    @property
    def partition(self) -> Partition:
        """States that differ in this are kept apart."""
        return self.held, self.depth, self.is_early

    def owns(self, reference: Reference, objects: Objects) -> bool:
        """Whether only the thread can reach an object, and the state knows its contents."""
        obj = object_of(reference)
        if objects.kind(obj) is ObjectKind.STATIC:
            return self.is_early
        return is_recent(reference) and obj in self.memory


def contents(state: AbstractState, cell: ObjectCell, objects: Objects) -> Value:
    """What a cell of an owned object holds."""
    return contents_of(state.memory.get(cell.object, {}), cell, objects)


def stored(
    state: AbstractState, cell: ObjectCell, value: Value, objects: Objects, *, is_strong: bool
) -> AbstractState:
    """A cell of an owned object gets a value; or may get it, unless the store is strong."""
    cells = state.memory.get(cell.object, {})
    changed = dict(cells)
    for other in cells:
        if objects.overlapping(cell, other) or (not cell.size and other.size):
            changed[other] = union(
                any_number(8 * other.size), without_symbol(contents_of(cells, other, objects))
            )
    changed[cell] = value if is_strong else without_symbol(union(contents_of(cells, cell, objects), value))
    return state._replace(memory={**state.memory, cell.object: changed})


def reachable(state: AbstractState, roots: Iterable[Value], objects: Objects) -> set[int]:
    """The owned objects to which these values lead, beside static ones."""
    found: set[int] = set()
    waiting = [value for value in roots if value.places]
    while waiting:
        for reference, _ in waiting.pop().places:
            obj = object_of(reference)
            if obj in found or not is_recent(reference) or not state.owns(reference, objects):
                continue
            found.add(obj)
            waiting += [value for value in state.memory[obj].values() if value.places]
    return found


def published(state: AbstractState, objs: Iterable[int], world: FactReader) -> AbstractState:
    """The state in which some objects are no longer owned: the world knows what they hold.

    Whatever they lead to is not owned any more, either: it is among the objects.
    """
    gone = set(objs)
    if not gone:
        return state
    for obj in gone & state.memory.keys():
        cells = state.memory[obj]
        for cell, value in cells.items():
            if cell.size:
                # what a lock holds that is taken goes without saying
                world.write(cell, ZERO if value.symbol == (SELF, 0) else for_others(value))
                continue
            for part in world.objects.parts(obj):
                if part not in cells:
                    world.write(part, for_others(contents_of(cells, part, world.objects)))
    return state._replace(memory={obj: cells for obj, cells in state.memory.items() if obj not in gone})


def no_longer_early(state: AbstractState, world: FactReader) -> AbstractState:
    """Static objects become the world's."""
    if not state.is_early:
        return state
    objects = world.objects
    static = {obj for obj in state.memory if objects.kind(obj) is ObjectKind.STATIC}
    world.keep_initial(frozenset(cell for obj in static for cell in state.memory[obj]))
    led_to = reachable(state, _values(state, static), objects)
    state = published(state, static | led_to, world)
    for obj in sorted(led_to):
        world.share(obj)
    return state._replace(is_early=False)


def _owned(state: AbstractState, objects: Objects) -> set[int]:
    """The objects that are not static and owned."""
    return {obj for obj in state.memory if objects.kind(obj) is not ObjectKind.STATIC}


def _values(state: AbstractState, objs: Iterable[int]) -> list[Value]:
    """What some owned objects hold."""
    return [value for obj in objs for value in state.memory[obj].values()]


def covers(general: AbstractState, special: AbstractState, world: FactReader) -> bool:
    """Whether one state stands for all that another one does; what it does not own, the world must know.

    The world is told with ``write``, and has to object if it did not know that.
    """
    if general.is_early and not special.is_early:
        return False
    if special.is_early and not general.is_early:
        special = no_longer_early(special, world)
    if general.depth != special.depth or not general.held <= special.held:
        return False
    if general.maybe is not None and (
        special.maybe is None or not special.held | special.maybe <= general.held | general.maybe
    ):
        return False
    if general.running is not None and (special.running is None or not special.running <= general.running):
        return False
    if not (special.dead <= general.dead and special.old_dead <= general.old_dead):
        return False
    for register, value in general.registers.items():
        known = special.registers.get(register)
        if known is None or not is_within(known, value):
            return False
    return _covers_memory(general, special, world)


def _covers_memory(general: AbstractState, special: AbstractState, world: FactReader) -> bool:
    objects = world.objects
    kept, owned = _owned(general, objects), _owned(special, objects)
    if not kept <= owned:
        return False
    special = _given_up(special, owned - kept, world)
    nothing: Cells = {}
    for obj in {**general.memory, **(special.memory if general.is_early else {})}:
        more, less = general.memory.get(obj, nothing), special.memory.get(obj, nothing)
        if more is not less and not _covers_cells(more, less, objects):
            return False
    return True


def _covers_cells(general: Cells, special: Cells, objects: Objects) -> bool:
    return all(
        value is special.get(cell) or is_within(contents_of(special, cell, objects), value)
        for cell, value in general.items()
    ) and all(
        is_within(value, contents_of(general, cell, objects))
        for cell, value in special.items()
        if cell not in general
    )


def _given_up(state: AbstractState, lost: set[int], world: FactReader) -> AbstractState:
    """The state without ownership of some objects; what they lead to must be among them."""
    if not lost:
        return state
    objects = world.objects
    led_to = reachable(state, _values(state, lost), objects)
    return published(state, lost | led_to, world)


def _joined_maybe(a: AbstractState, b: AbstractState) -> frozenset[Lock] | None:
    """The locks that may be held, but for those that surely are; any, if there are ever more names."""
    if a.maybe is None or b.maybe is None:
        return None
    maybe = (a.held | b.held | a.maybe | b.maybe) - (a.held & b.held)
    names = sum(not isinstance(base, int) for base, _ in maybe)
    return maybe if names <= MOST_NAMES else None


def joined(
    a: AbstractState,
    b: AbstractState,
    world: FactReader,
    widen: Widening | None = None,
    changing: Collection[Term] | None = None,
) -> AbstractState:
    """A state that covers both; with ``widen``, such that no chain of these goes on for ever.

    Only registers that change are widened, if it is known which do: those of others come to an end.
    """
    objects = world.objects
    combine: Callable[[Value, Value], Value] = union if widen is None else lambda x, y: widened(x, y, widen)
    if a.is_early and not b.is_early:
        a = no_longer_early(a, world)
    elif b.is_early and not a.is_early:
        b = no_longer_early(b, world)
    both = _owned(a, objects) & _owned(b, objects)
    a, b = _all_given_up(a, both, world), _all_given_up(b, both, world)
    # what is given up may lead to more
    while (kept := _owned(a, objects) & _owned(b, objects)) != both:
        both = kept
        a, b = _all_given_up(a, both, world), _all_given_up(b, both, world)
    registers = {
        register: (combine if changing is None or register in changing else union)(
            value, b.registers[register]
        )
        for register, value in a.registers.items()
        if register in b.registers
    }
    nothing: Cells = {}
    memory = {
        obj: _joined_cells(a.memory.get(obj, nothing), b.memory.get(obj, nothing), objects, combine)
        for obj in {**a.memory, **b.memory}
    }
    held = a.held & b.held
    maybe = _joined_maybe(a, b)
    running = None if a.running is None or b.running is None else a.running | b.running
    return AbstractState(
        registers,
        memory,
        held,
        maybe,
        running,
        a.dead | b.dead,
        a.old_dead | b.old_dead,
        a.depth,
        a.is_early,
    )


def _joined_cells(a: Cells, b: Cells, objects: Objects, combine: Callable[[Value, Value], Value]) -> Cells:
    """What is in an object; the first as it is if nothing is new, so that it is soon compared again."""
    if a is b:
        return a
    made = {
        cell: combine(contents_of(a, cell, objects), contents_of(b, cell, objects)) for cell in {**a, **b}
    }
    return a if len(made) == len(a) and all(made[cell] == value for cell, value in a.items()) else made


def _all_given_up(state: AbstractState, kept: set[int], world: FactReader) -> AbstractState:
    return _given_up(state, _owned(state, world.objects) - kept, world)


def renewed(state: AbstractState, obj: int, world: FactReader) -> AbstractState:
    """A new instance of an object is made: what was recent is old."""
    state = _given_up(state, {obj} & _owned(state, world.objects), world)
    was_recent, now_old = recent(obj), old(obj)

    def change(reference: Reference) -> tuple[Reference]:
        return (now_old,) if reference == was_recent else (reference,)

    running = state.running
    if running is not None and was_recent in running:
        running = running | {now_old}
    return state._replace(
        registers=_changed(state.registers, was_recent, change),
        memory=_each(state.memory, lambda cells: _changed(cells, was_recent, change)),
        running=running,
        dead=state.dead - {obj},
        old_dead=state.old_dead | ({obj} & state.dead),
    )


Key = TypeVar("Key")


def _each(memory: Mapping[int, Cells], change: Callable[[Cells], Cells]) -> Mapping[int, Cells]:
    """The same with each object changed; the very same if none is."""
    made = {obj: change(cells) for obj, cells in memory.items()}
    return memory if all(made[obj] is cells for obj, cells in memory.items()) else made


def _changed(
    values: Mapping[Key, Value], reference: Reference, change: Callable[[Reference], Iterable[Reference]]
) -> Mapping[Key, Value]:
    if not any(reference == one for value in values.values() for one, _ in value.places):
        return values
    return {key: with_references(value, change) for key, value in values.items()}


def forgetting(state: AbstractState, world: FactReader) -> AbstractState:
    """The state without local variables that are gone, if nothing that can be seen has their addresses."""
    is_local = {obj for obj in state.dead | state.old_dead if world.objects.kind(obj) is ObjectKind.LOCAL}
    gone = {obj for obj in is_local if not world.is_escaped(obj)}
    if not gone:
        return state
    for value in (*state.registers.values(), *_values(state, state.memory)):
        gone.difference_update(object_of(reference) for reference, _ in value.places)
    return state._replace(dead=state.dead - gone, old_dead=state.old_dead - gone)


def without_token(state: AbstractState, token: Token) -> AbstractState:
    """The state before a token gets a new meaning."""
    state = state._replace(
        registers=_unnamed(state.registers, token),
        memory=_each(state.memory, lambda cells: _unnamed(cells, token)),
    )
    kept = frozenset(lock for lock in state.held if lock[0] != token)
    maybe = state.maybe
    if len(kept) < len(state.held) or (maybe and any(lock[0] == token for lock in maybe)):
        maybe = None
    return state._replace(held=kept, maybe=maybe)


def _unnamed(values: Mapping[Key, Value], token: Token) -> Mapping[Key, Value]:
    if not any(value.symbol is not None and value.symbol[0] == token for value in values.values()):
        return values
    return {
        key: without_symbol(value) if value.symbol is not None and value.symbol[0] == token else value
        for key, value in values.items()
    }
