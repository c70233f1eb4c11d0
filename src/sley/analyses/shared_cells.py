"""Shared cells: which scalars of shared memory an access touches, and whether it touches whole ones."""

from sley.analyses.accesses import find_accesses
from sley.analyses.graphs import reachable
from sley.analyses.objects import indices
from sley.analyses.pointers import ByteSet
from sley.program.instructions import AtomicBegin, AtomicEnd, Load, Store
from sley.program.memory import MemoryObject, Storage
from sley.program.program import Edge, Function, Program


class SharedCells:
    """What the accesses of a flat program touch; sets of classes of cells have one bit each.

    Law: two accesses of one thread that touch the same byte of shared memory have a class in common. If both
    are *whole*, they access the same bytes or have none in common.
    """

    def __init__(self, program: Program) -> None:
        self.accesses = find_accesses(program)
        self.points_to = self.accesses.sharing.points_to
        self.inside = frozenset(at for f in program.functions.values() for at in _inside(f))
        """The locations inside atomic sections: what is done there reaches memory at once."""

    def touched(self, edge: Edge) -> int:
        """The classes that the access may touch and another thread may notice."""
        effect = self.accesses.effect(edge)
        return effect.reads | effect.writes

    def is_bookkeeping(self, edge: Edge) -> bool:
        """Whether an access is one of our models to a variable of its own, which no machine has."""
        targets = self.points_to.targets(edge.source)
        found = (self.points_to.objects[index] for index in indices(targets.objects))
        is_own = all(one.declaration is not None and not one.declaration.c_name for one in found)
        return edge.origin.is_library and not targets.is_elsewhere and is_own

    def is_whole(self, edge: Edge) -> bool:
        """Whether a load or a store surely accesses one whole scalar of a global, or nothing valid."""
        assert isinstance(edge.instruction, Load | Store)
        access = edge.instruction.access
        targets = self.points_to.targets(edge.source)
        if targets.is_elsewhere or access.location is not None or access.is_first:
            return False
        return all(self._is_cell(place, access.size) for place in targets.places)

    def _is_cell(self, place: ByteSet, size: int) -> bool:
        obj = self.points_to.objects[place.object]
        if obj.storage is not Storage.GLOBAL or obj.layout.constant:
            return False
        if obj.declaration is None or obj.declaration.is_read_only:
            return False
        partition = self.points_to.classes.partitions[place.object]
        met = list(partition.overlaps(place.offset, 0, size))
        is_exact = bool(met) and all(exact for _, exact in met)
        return is_exact and partition.stays_in_column(place.offset)

    def globals_at(self, edge: Edge) -> list[MemoryObject]:
        """The globals that a whole access may be to."""
        objects = self.points_to.objects
        found = (objects[index].declaration for index in indices(self.points_to.targets(edge.source).objects))
        return [declared for declared in found if declared is not None]


def _inside(function: Function) -> frozenset[int]:
    begun = [edge.target for edge in function.edges if isinstance(edge.instruction, AtomicBegin)]
    successors = {
        at: [edge.target for edge in edges if not isinstance(edge.instruction, AtomicEnd)]
        for at, edges in function.outgoing.items()
    }
    return reachable(begun, successors)
