"""Which cells of large objects deserve a variable each, where others are said to hold anything at any time.

An object with many cells, some of which are chosen by an index that is not known, costs more as a row of
variables than it tells: it is *blurred*. The cells that accesses name by a constant offset are kept, unless
there are many of those, too.
"""

from collections.abc import Mapping

from sley.analyses.objects import AbstractObject
from sley.analyses.pointers import PointsTo
from sley.program.memory import Storage
from sley.program.program import Program
from sley.program.rewriting import access_of

MANY_CELLS = 32
"""An object with more cells than this is blurred if an index chooses among them."""

TOO_MANY_CELLS = 256
"""An object with more cells than this is blurred in any case."""


def kept_cells(program: Program, points_to: PointsTo) -> Mapping[int, tuple[int, ...]]:
    """Abstract object -> the indices of the cells that are kept, for each that is blurred."""
    named: dict[int, set[int]] = {}
    indexed: set[int] = set()
    for edge in program.edges:
        if (access := access_of(edge.instruction)) is None:
            continue
        for place in points_to.targets(edge.source).places:
            if place.offset.modulus:
                indexed.add(place.object)
            else:
                covered = _covered(points_to.objects[place.object], place.offset.residue, access[0].size)
                named.setdefault(place.object, set()).update(covered)
    blurred = [obj for obj in points_to.objects if _is_blurred(obj, is_indexed=obj.index in indexed)]
    kept = {obj.index: tuple(sorted(named.get(obj.index, ()))) for obj in blurred}
    return {index: cells if len(cells) <= MANY_CELLS else () for index, cells in kept.items()}


def _is_blurred(obj: AbstractObject, *, is_indexed: bool) -> bool:
    if obj.storage is Storage.CODE:
        return False
    if obj.size is None:
        return True
    return obj.layout.count(obj.size) > (MANY_CELLS if is_indexed else TOO_MANY_CELLS)


def _covered(obj: AbstractObject, offset: int, size: int) -> list[int]:
    """The cells under these bytes."""
    layout = obj.layout
    if offset < 0 or (obj.size is not None and offset + size > obj.size) or obj.storage is Storage.CODE:
        return []
    first = offset // layout.stride * len(layout.cells)
    last = (offset + size - 1) // layout.stride * len(layout.cells) + len(layout.cells)
    cells = ((index, layout.offset_of(index)) for index in range(first, last))
    return [
        index
        for index, at in cells
        if at < offset + size and offset < at + layout.cells[index % len(layout.cells)].size
    ]
