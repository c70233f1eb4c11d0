"""Points-to: which objects, at which offsets, a value may be the address of.

Inclusion-based (Andersen), flow-insensitive, field-sensitive by offset. Since a pointer is a bit-vector,
values are tracked through every bit-vector that is wide enough to hold one, whatever C calls it.

*Claims.* The result lists, for every access, the places that its address can be derived from by adding and
subtracting, and whether it may be *elsewhere*: the outcome of other arithmetic (``is_computed``), or a value
that was never computed, such as an uninitialised pointer or an input (``is_arbitrary``). The lists are
complete for every run in which no access that is elsewhere hits a live object outside its list. Users have to
make sure of that: an engine gives up there, a checker proves that it cannot happen.

Further assumptions, all part of what ``program.memory`` promises: no sum of guarded steps from a pointer
reaches another object; the two topmost object numbers are never used; numbers of dead heap blocks may be
given to later ones, so a pointer to a block that is freed somewhere may be one to any that is made after.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sley.analyses.constraints import ARBITRARY, COMPUTED, MARKS, NUMBER, PARTIAL
from sley.analyses.objects import Offset, indices, union
from sley.analyses.pointer_flow import PointerFlow
from sley.logic.sorts import Sort
from sley.logic.terms import Term
from sley.program.program import Program


class ByteSet(NamedTuple):
    """A set of bytes: these offsets in this abstract object."""

    object: int
    offset: Offset


@dataclass(frozen=True, slots=True)
class Targets:
    """What an address may be; null and other numbers that name no object are not listed."""

    places: tuple[ByteSet, ...]
    objects: int
    """The abstract objects of the places, one bit each."""
    is_computed: bool
    """Whether it may be elsewhere as the outcome of arithmetic."""
    is_arbitrary: bool
    """Whether it may be elsewhere as a value that was never computed: uninitialised, an input, unmodelled."""
    is_number: bool
    """Whether it may be a number that is no address of ours, but not so small that it is none for sure."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether it may be something that is not derived from these places."""
        return self.is_computed or self.is_arbitrary


class PointsTo:
    """The solved points-to constraints of a program."""

    def __init__(self, program: Program) -> None:
        flow = PointerFlow(program)
        flow.collect()
        self.objects = flow.objects
        self.classes = flow.classes
        self._flow = flow
        self._constraints = flow.constraints
        self._constraints.solve()
        self._targets: dict[int, Targets] = {}
        self._known: dict[int, Targets] = {}
        self._known_values: dict[int, Targets] = {}
        self._term_bits: dict[str, dict[Term, int]] = {}

    def is_wide(self, sort: Sort) -> bool:
        """Whether a whole address fits into a value of this sort."""
        return self._flow.flow.is_wide(sort)

    @property
    def is_reusing(self) -> bool:
        """Whether heap blocks may get the numbers of dead ones."""
        return bool(self._flow.reused)

    def targets(self, location: int) -> Targets:
        """Where the instruction at this location may access memory (Free: the blocks it may free)."""
        found = self._targets.get(location)
        if found is None:
            value = self._constraints.values[self._flow.address_nodes[location]]
            if value not in self._known:
                self._known[value] = self._decoded(self._constraints.aliases(value))
            found = self._targets[location] = self._known[value]
        return found

    def foresees(self, location: int, obj: int, offset: int, size: int, step: int = 0) -> bool:
        """Whether these bytes of an abstract object are among those that the access there may touch.

        With a step, also all that are a multiple of it further on.

        Bytes outside of the object are none; then it is enough that the object may be accessed.
        """
        touched = self.classes.partitions[obj].touched(Offset(offset, step), 0, size)
        listed = union(
            self.classes.partitions[obj].touched(place.offset, 0, size)
            for place in self.targets(location).places
            if place.object == obj
        )
        return self.may_reach(location, obj) and not touched & ~listed

    def may_reach(self, location: int, obj: int) -> bool:
        """Whether the access there, or the free, may be to this abstract object."""
        return bool(self.targets(location).objects >> obj & 1)

    @property
    def access_locations(self) -> tuple[int, ...]:
        """The locations for which there are ``targets``."""
        return tuple(self._flow.address_nodes)

    def held_by(self, function: str, term: Term) -> Targets:
        """What a wide term over the registers of a function may hold at any time."""
        bits = self._bits(function, term)
        found = self._known_values.get(bits)
        if found is None:
            found = self._known_values[bits] = self._decoded(bits)
        return found

    def _bits(self, function: str, term: Term) -> int:
        known = self._term_bits.setdefault(function, {})
        constraints, variables = self._constraints, self._flow.variables[function]
        stack = [term]
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            if top in variables:
                known[top] = constraints.values[variables[top]]
                continue
            bits, steps = self._flow.flow.sources(top)
            missing = [argument for argument, _ in steps if argument not in known]
            if missing:
                stack.extend(missing)
                continue
            known[top] = bits | union(constraints.moved(known[a], by) for a, by in steps)
        return known[term]

    def contents(self, obj: int) -> int:
        """The abstract objects to which anything in this object may point, one bit each."""
        constraints = self._constraints
        return constraints.objects_in(
            union(constraints.values[node] for node in constraints.memory_nodes(obj))
        )

    @cached_property
    def published(self) -> int:
        """The objects whose address a new thread gets, an ending one leaves, or unmodelled code knows."""
        constraints, flow = self._constraints, self._flow
        nodes = (*flow.argument_nodes, flow.exit_node, constraints.scrambled)
        return constraints.objects_in(union(constraints.values[node] for node in nodes))

    @cached_property
    def scrambled(self) -> int:
        """The objects that unmodelled functions may read and change."""
        constraints = self._constraints
        return constraints.objects_in(constraints.aliases(constraints.values[constraints.scrambled]))

    def _decoded(self, bits: int) -> Targets:
        places = sorted(ByteSet(*self._constraints.place_of(bit)) for bit in indices(bits & ~MARKS))
        objects = self._constraints.objects_in(bits)
        marks = (bool(bits & mark) for mark in (COMPUTED | PARTIAL, ARBITRARY, COMPUTED | NUMBER))
        return Targets(tuple(places), objects, *marks)
