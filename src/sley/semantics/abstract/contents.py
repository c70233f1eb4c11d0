"""What cells hold: by what is known of their object, and in the beginning."""

from collections.abc import Mapping

from sley.analyses.ranges import Fact, anything
from sley.logic.sorts import BoolSort, Sort, width_of
from sley.semantics.abstract.objects import ObjectCell, ObjectKind, Objects
from sley.semantics.abstract.values import EITHER, NOTHING, Value, any_number, old, union

Cells = Mapping[ObjectCell, Value]
"""What is in an object."""


def of_width(value: Value, size: int, pointer_size: int) -> Value:
    """What such contents are if so many bytes of them are read as one scalar."""
    places = value.places if size >= pointer_size else ()
    numbers = value.number
    if places is not value.places and value.places:
        numbers = anything(8 * size)
    if numbers is not None:
        whole = anything(8 * size)
        if numbers.low < whole.low or numbers.high > whole.high:
            numbers = whole
    if numbers is value.number and places is value.places:
        return value
    return Value(numbers, places)


def contents_of(cells: Cells, cell: ObjectCell, objects: Objects) -> Value:
    """What a cell of an owned object holds, by those that are known."""
    found = cells.get(cell)
    if found is not None:
        return found
    pointer_size = objects.program.pointers.width // 8
    rest = cells.get(ObjectCell(cell.object, 0, 0))
    if rest is None:
        rest = initial_contents(objects, cell)
    if any(objects.overlapping(cell, other) for other in cells):
        return union(of_width(rest, cell.size, pointer_size), any_number(8 * cell.size))
    return of_width(rest, cell.size, pointer_size) if cell.size else rest


def initial_contents(objects: Objects, cell: ObjectCell) -> Value:
    """What a static cell holds in the beginning."""
    if objects.kind(cell.object) is ObjectKind.OUTSIDE:
        return outside(objects)
    values = objects.initial(cell)
    width = 8 * cell.size if cell.size else 64
    if values is None:
        return _all_initial(objects, cell.object, width)
    made = NOTHING
    for value in values:
        made = union(made, constant(objects, value, width))
    return made


def _all_initial(objects: Objects, obj: int, width: int) -> Value:
    """Whatever an object may hold anywhere in the beginning."""
    declared = objects.declaration(obj)
    made = any_number(width)
    for _, value in declared.initial if declared is not None else ():
        made = union(made, constant(objects, value, 64))
    return made


def constant(objects: Objects, value: int, width: int) -> Value:
    """What a constant of so many bits is: maybe the address of a static object."""
    pointers = objects.program.pointers
    signed = value - (1 << width) if width and value >> (width - 1) else value
    if width >= pointers.width and abs(signed) > pointers.largest_object:
        place = objects.static_place(value & ((1 << pointers.width) - 1))
        if place is not None:
            return Value(None, (place,))
    return Value(Fact(signed, signed, signed, 0))


def outside(objects: Objects) -> Value:
    """What functions without a body make: any number, or an address outside."""
    width = objects.program.pointers.width
    farthest = objects.program.pointers.largest_object
    return Value(anything(width), ((old(objects.outside), Fact(-farthest, farthest)),))


def any_of(sort: Sort) -> Value:
    """Any value of a sort."""
    return EITHER if isinstance(sort, BoolSort) else any_number(width_of(sort))
