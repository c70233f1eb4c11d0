"""What addresses may be: whether an access is valid, and which objects have surely not ended."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sley.analyses.ranges import Fact
from sley.program import instructions as ir
from sley.semantics.abstract.objects import ObjectCell, ObjectKind
from sley.semantics.abstract.setting import Setting
from sley.semantics.abstract.state import AbstractState
from sley.semantics.abstract.values import ZERO, Place, Reference, Value, fact_meet, is_recent, object_of
from sley.semantics.abstract.world import Doubt


class Target(NamedTuple):
    """What an access is to."""

    access: ir.Access
    value: Value
    """That of the address."""
    places: tuple[Place, ...]
    """Those of them at which the access may be valid."""


def ask_for(here: Setting, objs: Iterable[int], state: AbstractState) -> None:
    """The callers of this function have to say what static objects hold, while they are owned."""
    for obj in objs:
        if state.is_early and here.objects.kind(obj) is ObjectKind.STATIC:
            here.world.asks(here.context, obj)


def doubt_about(
    here: Setting, target: Value, access: ir.Access, state: AbstractState, *, is_write: bool
) -> Doubt | None:
    """Why an access may not be one to a living object."""
    if target.number is not None:
        return _doubt_of_number(here, target)
    doubts = (
        _doubt_of_place(here, reference, offset, access, state, is_write=is_write)
        for reference, offset in target.places
    )
    return next((one for one in doubts if one is not None), None if target.places else Doubt.ADDRESS)


def _doubt_of_number(here: Setting, target: Value) -> Doubt:
    """What an address may be that is a number."""
    if target.number == ZERO.number:
        return Doubt.NULL
    if any(object_of(reference) == here.objects.outside for reference, _ in target.places):
        return Doubt.FOREIGN
    return Doubt.BOUNDS if target.places else Doubt.ADDRESS


def _doubt_of_place(
    here: Setting,
    reference: Reference,
    offset: Fact,
    access: ir.Access,
    state: AbstractState,
    *,
    is_write: bool,
) -> Doubt | None:
    obj = object_of(reference)
    if obj == here.objects.outside:
        return Doubt.FOREIGN
    if not here.is_alive(reference, state):
        return Doubt.GONE
    size = here.objects.size(obj)
    if size is None:
        size = _least_size(here, obj)
    if offset.low < 0 or offset.high + access.size > size:
        return Doubt.BOUNDS
    shape = here.objects.shape(obj)
    if shape is None:
        return Doubt.ADDRESS
    if is_write and not access.is_first:
        declared = shape.declaration
        is_constant = declared is not None and declared.is_read_only
        return Doubt.CONSTANT if is_constant or shape.layout.constant else None
    return None


def _least_size(here: Setting, obj: int) -> int:
    if here.objects.kind(obj) is not ObjectKind.HEAP:
        return 0
    known = here.world.read(size_cell(obj)).number
    return 0 if known is None else known.low


def may_be_stale(here: Setting, places: Sequence[Place], state: AbstractState) -> bool:
    """Whether an object may be gone: its number may be that of another one by now."""
    return any(
        here.objects.kind(object_of(reference)) in (ObjectKind.LOCAL, ObjectKind.HEAP)
        and not here.is_alive(reference, state)
        for reference, _ in places
    )


def valid_places(
    here: Setting, target: Value, access: ir.Access, *, is_write: bool = False, distance: int = 0
) -> tuple[Place, ...]:
    """The places from which an access at a distance may be, if it is not wrong."""
    found = []
    for reference, offset in target.places:
        obj = object_of(reference)
        if here.objects.kind(obj) is ObjectKind.OUTSIDE:
            found.append((reference, offset))
        elif is_variable(here, obj) if is_write and not access.is_first else here.objects.shape(obj):
            size = here.objects.size(obj)
            end = (here.program.pointers.largest_object if size is None else size) - access.size
            inside = fact_meet(offset, Fact(-distance, end - distance))
            if inside is not None:
                found.append((reference, inside))
    return tuple(found)


def may_free(here: Setting, target: Value, state: AbstractState) -> bool:
    """Whether it is surely null or the start of a living block."""
    holds = target.number is None or target.number == ZERO.number
    for reference, offset in target.places:
        is_start = offset == ZERO.number
        is_block = here.objects.kind(object_of(reference)) is ObjectKind.HEAP
        holds = holds and is_start and is_block and here.is_alive(reference, state)
    return holds


def is_joinable(here: Setting, value: Value, state: AbstractState) -> bool:
    """Whether it is surely the handle of a thread that was neither joined nor detached."""
    if value.number is not None or len(value.places) != 1:
        return False
    reference, offset = value.places[0]
    obj = object_of(reference)
    here.world.asks(here.context, obj)
    is_thread = here.objects.kind(obj) is ObjectKind.THREAD and offset == ZERO.number
    return is_thread and is_recent(reference) and obj not in state.dead and not here.world.is_outlived(obj)


def is_variable(here: Setting, obj: int) -> bool:
    """Whether what is in an object may change."""
    declared = here.objects.declaration(obj)
    return here.objects.shape(obj) is not None and not (declared is not None and declared.is_read_only)


def size_cell(obj: int) -> ObjectCell:
    """A cell that no access has: how large blocks of an object are."""
    return ObjectCell(obj, -1, 8)
