"""The points-to analysis in terms of the objects that exist: which places an access is claimed to hit."""

from collections.abc import Iterator, Sequence
from math import gcd

from sley.analyses.objects import AbstractObject, Offset
from sley.analyses.pointers import PointsTo
from sley.program.instructions import Accessing, Free
from sley.program.program import Edge
from sley.semantics.symbolic_memory import AccessTarget, Aim, Region, elements
from sley.semantics.symbolic_step import Shape, SymbolicSteps
from sley.semantics.symbolic_violations import SymbolicPredicates
from sley.semantics.vocabulary import Instance


class ShapePlaces:
    """The points-to analysis in terms of the objects that exist in a shape."""

    def __init__(self, steps: SymbolicSteps, points_to: PointsTo) -> None:
        self.steps = steps
        self.points_to = points_to
        self.program = steps.code.program
        self._listed: dict[tuple[Shape, int], tuple[AccessTarget, ...]] = {}
        self._predicates: dict[Shape, SymbolicPredicates] = {}

    def predicates(self, shape: Shape) -> SymbolicPredicates:
        """The state properties, with accesses where the analysis lists them."""
        if shape not in self._predicates:
            vocabulary = self.steps.vocabulary(shape)
            self._predicates[shape] = SymbolicPredicates(vocabulary, lambda edge, _: self.listed(shape, edge))
        return self._predicates[shape]

    def abstract(self, shape: Shape, number: int) -> int | None:
        """The abstract object that the object with this number belongs to."""
        static = self.points_to.objects.of_static(number)
        if static is not None:
            return static
        for used, block in shape.heap:
            if used == number:
                return self.points_to.objects.of_site(block.site)
        thread, slot = self.program.local_slot(number) or (len(shape.threads), 0)
        if thread < len(shape.threads):
            return self.points_to.objects.of_local(shape.threads[thread], slot)
        return None

    def foresees(self, shape: Shape, edge: Edge, target: AccessTarget) -> bool:
        """Whether the points-to analysis lists this place for the access on an edge."""
        obj = self.abstract(shape, target.number)
        if obj is None:
            return False
        if isinstance(edge.instruction, Free):
            return bool(self.points_to.targets(edge.source).objects >> obj & 1)
        step = target.step if target.times > 1 else 0
        return self.points_to.foresees(edge.source, obj, target.offset, _size(edge), step)

    def listed(self, shape: Shape, edge: Edge) -> tuple[AccessTarget, ...]:
        """All places that the points-to analysis lists for the access on an edge."""
        key = (shape, edge.source)
        if key not in self._listed:
            found = dict.fromkeys(
                target
                for place in self.points_to.targets(edge.source).places
                for instance in self._instances(shape, self.points_to.objects[place.object])
                for target in _offsets(instance, range(instance.cell_count), place.offset, _size(edge))
            )
            self._listed[key] = tuple(found)
        return self._listed[key]

    def aims(self, shape: Shape, edge: Edge) -> tuple[Aim, ...]:
        """As ``listed``, with regions for the places in blurred objects that are no variables."""
        vocabulary = self.steps.vocabulary(shape)
        found: dict[Aim, None] = {}
        for place in self.points_to.targets(edge.source).places:
            for instance in self._instances(shape, self.points_to.objects[place.object]):
                indices = vocabulary.indices(instance)
                found.update(dict.fromkeys(_offsets(instance, indices, place.offset, _size(edge))))
                if vocabulary.is_blurred(instance):
                    found[Region(instance.number, place.offset)] = None
        return tuple(found)

    def _instances(self, shape: Shape, obj: AbstractObject) -> Iterator[Instance]:
        instances = self.steps.vocabulary(shape).instances
        if obj.is_static:
            number = self.points_to.objects.static_number(obj.index)
            if number in instances:
                yield instances[number]
        elif obj.is_heap:
            for number, block in shape.heap:
                if block.site == obj.site:
                    yield instances[number]
        else:
            assert obj.slot is not None
            for thread, function in enumerate(shape.threads):
                number = self.program.local_number(thread, obj.slot)
                if function == obj.template and number in instances:
                    yield instances[number]


def _size(edge: Edge) -> int:
    instruction = edge.instruction
    assert isinstance(instruction, Accessing | Free)
    return 0 if isinstance(instruction, Free) else instruction.access.size


def _offsets(instance: Instance, indices: Sequence[int], offset: Offset, size: int) -> Iterator[AccessTarget]:
    """The places in an object at some offsets; of many offsets those where such a cell of the size begins."""
    if offset.modulus == 0:
        if 0 <= offset.residue <= instance.capacity - size:
            yield AccessTarget(instance.number, offset.residue)
        return
    if size == 0:  # a block is freed by the address of its beginning
        if offset.residue % offset.modulus == 0:
            yield AccessTarget(instance.number, 0)
        return
    if instance.is_array:
        for target in elements(instance, size):
            yield from _restricted(target, offset)
        return
    for index in indices:
        at = instance.layout.offset_of(index)
        cell = instance.layout.cells[index % len(instance.layout.cells)]
        is_listed = (at - offset.residue) % offset.modulus == 0
        if is_listed and cell.size == size and at + size <= instance.capacity:
            yield AccessTarget(instance.number, at)


def _restricted(target: AccessTarget, offset: Offset) -> Iterator[AccessTarget]:
    """Those of the places that are at one of the offsets: they are evenly spaced, too."""
    apart = offset.modulus // gcd(max(target.step, 1), offset.modulus)
    for skipped in range(min(apart, target.times)):
        first = target.offset + skipped * target.step
        if (first - offset.residue) % offset.modulus == 0:
            times = (target.times - 1 - skipped) // apart + 1
            yield AccessTarget(target.number, first, target.step * apart, times)
            return
