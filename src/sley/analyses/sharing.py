"""Sharing: which objects two or more threads may access.

An object is shared if threads of two templates, or two threads of one template, may access it. Two threads
can access the same local object or heap block only if its address *escapes*: is given to a new thread, left
by an ending one, or stored in an object that is global or escapes itself. Where numbers of freed blocks are
used again, all heap blocks escape: a stale pointer becomes one to a block of another thread. Everything else
is private: only its thread can observe accesses to it.
"""

from dataclasses import dataclass
from functools import cached_property

from sley.analyses.pointers import PointsTo
from sley.analyses.threads import Creations, Instances
from sley.program.instructions import CallUnmodelled
from sley.program.memory import Storage
from sley.program.program import Program


@dataclass(frozen=True)
class Sharing:
    """What is shared; sets of abstract objects have one bit each."""

    program: Program
    points_to: PointsTo
    creations: Creations

    @cached_property
    def escaping(self) -> int:
        """The local objects and heap blocks that a thread other than their own may know."""
        objects = self.points_to.objects
        known = self.points_to.published
        for obj in objects:
            if obj.storage is Storage.GLOBAL:
                known |= self.points_to.contents(obj.index)
        if self.points_to.is_reusing:
            known |= sum(1 << obj for obj in objects.heap)
        waiting = [obj.index for obj in objects if known >> obj.index & 1]
        while waiting:
            new = self.points_to.contents(waiting.pop()) & ~known
            known |= new
            waiting.extend(obj.index for obj in objects if new >> obj.index & 1)
        return known & ~sum(1 << obj.index for obj in objects if obj.is_static)

    @cached_property
    def accessed_by(self) -> dict[str, int]:
        """Template -> the objects that its threads may access or free."""
        found: dict[str, int] = {}
        for function in self.program.functions.values():
            accessed = 0
            for location in function.outgoing:
                if location in self._access_locations and location in self.creations.reachable:
                    accessed |= self.points_to.targets(location).objects
            if any(isinstance(edge.instruction, CallUnmodelled) for edge in function.edges):
                accessed |= self.points_to.scrambled
            found[function.name] = accessed
        return found

    @cached_property
    def _access_locations(self) -> frozenset[int]:
        return frozenset(self.points_to.access_locations)

    @cached_property
    def shared(self) -> int:
        """The objects that two or more threads may access."""
        once = many = 0
        for name, accessed in self.accessed_by.items():
            number = self.creations.instances[name]
            own = sum(
                1 << obj.index for obj in self.points_to.objects if obj.template == name and not obj.is_heap
            )
            touched = accessed | own if number is not Instances.NONE else 0
            many |= once & touched
            once |= touched
            if number is Instances.MANY:
                many |= touched
        static = sum(1 << obj.index for obj in self.points_to.objects if obj.storage is Storage.GLOBAL)
        return many & (static | self.escaping)

    def is_shared(self, obj: int) -> bool:
        """Whether two or more threads may access this abstract object."""
        return bool(self.shared >> obj & 1)

    def is_private(self, location: int) -> bool:
        """Whether the access at this location is surely to memory that no other thread accesses.

        An access that may go elsewhere is not private.
        """
        targets = self.points_to.targets(location)
        return not targets.is_elsewhere and not targets.objects & self.shared


def find_sharing(program: Program, points_to: PointsTo) -> Sharing:
    """What threads share in a flat program."""
    return Sharing(program, points_to, Creations(program))
