"""Locks: which one an address is that of, and what is known of a thread that takes it or gives it back."""

from collections.abc import Sequence

from sley.analyses.ranges import Fact
from sley.logic.operators import Op
from sley.program.program import Edge
from sley.program.properties import Property
from sley.semantics.abstract.facts import LOCK_SIZE, OWNER
from sley.semantics.abstract.objects import ObjectCell
from sley.semantics.abstract.pointers import Target
from sley.semantics.abstract.setting import Setting
from sley.semantics.abstract.state import AbstractState, Lock, contents, stored
from sley.semantics.abstract.values import OTHER, SELF, ZERO, Place, Token, Value, is_no_address, object_of
from sley.semantics.abstract.world import Doubt, PossibleWait

OWN_HANDLE = Value(OWNER.number, (), (SELF, 0))
"""What a lock holds that was just taken."""


def holds(here: Setting, lock: Lock | None, state: AbstractState) -> bool:
    """Whether the thread surely has a lock, and its cell says so."""
    return lock is not None and lock in state.held and not _is_overwritten(here, lock)


def _is_overwritten(here: Setting, lock: Lock) -> bool:
    """Whether a lock may be taken away from the thread that has it."""
    base, offset = lock
    if not isinstance(base, int):
        return here.world.is_some_lock_overwritten()
    cells, _ = here.objects.cells(base, Fact(offset, offset, offset, 0), LOCK_SIZE)
    return any(map(here.world.is_overwritten, cells))


def owner_in(here: Setting, to: Target, state: AbstractState) -> Token | None:
    """Whether a cell surely holds the handle of the thread, or surely not, if it can be that of a lock.

    The cell of a lock that else only zero is written to holds the handle of a thread that has taken it.
    """
    if len(to.places) != 1 or not is_no_address(to.value) or state.owns(to.places[0][0], here.objects):
        return None
    reference, offset = to.places[0]
    cells, _ = here.objects.cells(object_of(reference), offset, to.access.size)
    if not all(here.world.is_lock(cell) for cell in cells):
        return None
    lock = lock_at(here, to.value, to.places)
    if holds(here, lock, state):
        return SELF
    if state.maybe is None or lock is None or lock in (*state.maybe, *state.held):
        return None
    is_named = not any(isinstance(one[0], tuple) for one in (*state.held, *state.maybe))
    is_sure = isinstance(lock[0], int) and is_named
    return OTHER if is_sure or (not state.held and not state.maybe) else None


def lock_at(here: Setting, target: Value, places: Sequence[Place]) -> Lock | None:
    """Which lock an address is that of; None: it is not known."""
    if len(places) == 1 and is_no_address(target):
        reference, offset = places[0]
        obj = object_of(reference)
        if offset.modulus == 0 and here.world.is_once(obj):
            return obj, offset.residue
    return None if target.symbol is None or target.symbol[0] in (SELF, OTHER) else target.symbol


def take(here: Setting, edge: Edge, to: Target, state: AbstractState) -> list[AbstractState]:
    """The states in which the thread has a lock."""
    state = _with_name(here, edge, to, state)
    lock = lock_at(here, here.value(to.access.address, state), to.places)
    here.world.handles(here.context, {object_of(reference) for reference, _ in to.places})
    _tell_of_lock(here, edge, to, state)
    state = _with_owner(here, to, state, OWN_HANDLE)
    if lock is None:
        return [state._replace(maybe=None)]
    if holds(here, lock, state):
        return []
    maybe = None if state.maybe is None else state.maybe - {lock}
    return [state._replace(held=state.held | {lock}, maybe=maybe)]


def _with_name(here: Setting, edge: Edge, to: Target, state: AbstractState) -> AbstractState:
    """The pointer by which a lock is taken gets a name: so it is known when the lock is given back."""
    terms, term = here.terms, to.access.address
    if terms.op(term) is Op.BVADD:
        variables = [one for one in terms.args(term) if terms.number(one) is None]
        term = variables[0] if len(variables) == 1 else term
    value = state.registers.get(term)
    if to.value.symbol is not None or value is None or value.symbol is not None or not value.places:
        return state
    return here.named(edge, term, value, state)


def _tell_of_lock(here: Setting, edge: Edge, to: Target, state: AbstractState) -> None:
    """In a section a lock is not waited for: the section is asked as a whole."""
    waited_for: set[ObjectCell] = set()
    for reference, offset in to.places:
        cells, _ = here.objects.cells(object_of(reference), offset, to.access.size)
        here.listener.takes(here.context, cells)
        if not state.owns(reference, here.objects):
            waited_for.update(cells)
        elif not state.depth and any(contents(state, cell, here.objects) != ZERO for cell in cells):
            here.listener.may_stay(here.context, edge)  # no other thread can set it free
    if waited_for and not state.depth:
        tell_of_wait(here, edge, state, cells=frozenset(waited_for))


def tell_of_wait(
    here: Setting,
    edge: Edge,
    state: AbstractState,
    cells: frozenset[ObjectCell] = frozenset(),
    threads: frozenset[int] = frozenset(),
) -> None:
    """The thread may have to wait for one of these locks or threads."""
    wait = PossibleWait(cells, threads, here.context.thread, state.running, state.held, state.maybe)
    here.listener.waits_for(here.context, edge, wait)


def _with_owner(here: Setting, to: Target, state: AbstractState, value: Value) -> AbstractState:
    """A read of the cell of a lock may find any thread there, or none; the value, if it is owned."""
    for reference, offset in to.places:
        cells, is_whole = here.objects.cells(object_of(reference), offset, to.access.size)
        here.world.locks(cells)
        if state.owns(reference, here.objects):
            is_strong = is_whole and len(to.places) == 1
            for cell in cells:
                put = value if is_strong else OWNER
                state = stored(state, cell, put, here.objects, is_strong=is_strong)
    return state


def give_back(here: Setting, edge: Edge, to: Target, state: AbstractState) -> list[AbstractState]:
    """The states in which the thread has a lock no more."""
    lock = lock_at(here, to.value, to.places)
    here.checks(edge, Property.MISUSE, None if holds(here, lock, state) else Doubt.NOT_HELD)
    state = _with_owner(here, to, state, ZERO)
    objs = {object_of(reference) for reference, _ in to.places}
    here.world.handles(here.context, objs)
    if lock is not None and lock in state.held:
        return [state._replace(held=state.held - {lock})]
    return [no_longer_sure(state, objs)]


def no_longer_sure(state: AbstractState, objs: set[int]) -> AbstractState:
    """Locks in some objects, and those known by a name, may have been given back, or not."""
    kept = frozenset(one for one in state.held if isinstance(one[0], int) and one[0] not in objs)
    maybe = None if state.maybe is None else state.maybe | (state.held - kept)
    return state._replace(held=kept, maybe=maybe)
