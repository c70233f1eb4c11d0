"""What is known of objects and their addresses in every layout; questions about addresses, as terms."""

from functools import cached_property

from sley.analyses.graphs import reachable
from sley.analyses.loops import find_loops
from sley.analyses.objects import indices
from sley.analyses.pointers import PointsTo, Targets
from sley.analyses.ranges import Ranges
from sley.analyses.threads import Creations, Instances
from sley.logic.operators import to_signed
from sley.logic.sorts import Sort, bitvec
from sley.logic.terms import Term
from sley.program.instructions import Create, Detach, Enter, Join
from sley.program.memory import NO_ADDRESS, Storage
from sley.program.program import Program

MOST_NAMES = 4
"""So many objects are named at most."""


class AddressFacts:
    """The program, its objects, and the hidden order of their addresses."""

    def __init__(self, program: Program, points_to: PointsTo) -> None:
        self.program = program
        self.terms = program.terms
        self.pointers = program.pointers
        self.points_to = points_to
        self.ranges = Ranges(program.terms)
        self.locations = program.fresh_locations()
        self.creations = Creations(program)

    def alignment(self, targets: Targets) -> int:
        """A power of two of which all these objects start at a multiple."""
        return min(self.points_to.objects[obj].alignment for obj in indices(targets.objects))

    def may_be_outside(self, targets: Targets) -> bool:
        """Whether an address may be one that is not inside its object."""
        for obj, offset in targets.places:
            size = self.points_to.objects[obj].size
            if self.points_to.objects[obj].storage is Storage.CODE:
                continue  # steps from there lead to no known place
            if offset.modulus != 0 or not 0 <= offset.residue < (1 if size is None else size):
                return True
        return False

    def is_same_object(self, one: Targets | None, other: Targets | None) -> bool:
        """Whether both are addresses that are surely in one and the same object."""
        if one is None or other is None:
            return False
        if one.objects != other.objects or one.objects.bit_count() != 1:
            return False
        if any(side.is_arbitrary or side.is_number for side in (one, other)):
            return False
        return self.is_single(one.objects.bit_length() - 1)

    def is_single(self, obj: int) -> bool:
        """Whether the abstract object stands for one object with one life in every run."""
        described = self.points_to.objects[obj]
        if described.is_static:
            return True
        assert described.template is not None
        if self.creations.instances[described.template] is not Instances.ONE:
            return False
        function = self.program.functions[described.template]
        if described.is_heap:
            made = [described.site]
        else:
            made = [
                e.source
                for e in function.edges
                if isinstance(e.instruction, Enter) and e.instruction.object == described.declaration
            ]
        return len(made) <= 1 and not any(at in find_loops(function).on_cycle for at in made)

    def unknown(self, objects: int) -> str:
        """What is not known about the objects."""
        if objects >> self.points_to.objects.thread_id & 1:
            return "which numbers ids and handles of threads are, which is left open"
        return f"where {self.names(objects)} in memory, which C leaves open"

    def names(self, objects: int) -> str:
        """What the user calls the objects, with a verb."""
        found: dict[str, None] = {}
        for obj in indices(objects):
            described = self.points_to.objects[obj]
            declared = described.declaration
            if described.is_heap:
                found["a heap block"] = None
            elif declared is not None and declared.c_name:
                found[f"`{declared.c_name}`"] = None
        *first, last = list(found)[:MOST_NAMES] or ["an object"]
        last = last if len(found) <= MOST_NAMES else "others"
        return f"{', '.join(first)} and {last} lie" if first else f"{last} lies"

    def is_id(self, targets: Targets) -> bool:
        """Whether this may be the id of a thread, or the handle of an object of Windows."""
        return bool(targets.objects >> self.points_to.objects.thread_id & 1)

    @cached_property
    def reuses_ids(self) -> bool:
        """Whether a thread may be created after another has been joined or detached."""
        edges = list(self.program.edges)
        ends = [e.target for e in edges if isinstance(e.instruction, Join | Detach)]
        creates = {e.source for e in edges if isinstance(e.instruction, Create)}
        if not ends or not creates:
            return False
        main = self.program.entry
        is_simple = all(self.creations.template_at[at] == main for at in (*ends, *creates))
        return not is_simple or bool(reachable(ends, self.creations.successors) & creates)

    # --- questions about an address, as terms ------------------------------------------------------

    @property
    def sort(self) -> Sort:
        """The sort of addresses."""
        return bitvec(self.pointers.width)

    def _is_within(self, value: Term, low: int, high: int) -> Term:
        terms, width = self.terms, self.pointers.width
        return terms.ule(terms.add(value, terms.bv(-low, width)), terms.bv(high - low, width))

    def is_tiny(self, value: Term) -> Term:
        """No address: null, or a mark."""
        return self._is_within(value, -NO_ADDRESS, NO_ADDRESS)

    def is_small(self, value: Term) -> Term:
        """A step that does not lead from one object into another."""
        return self._is_within(value, -self.pointers.largest_object, self.pointers.largest_object)

    def is_near(self, distance: Term) -> Term:
        """The distance of two addresses in one object; those in different ones are further apart."""
        return self._is_within(distance, -self.pointers.largest_object, self.pointers.largest_object - 1)

    def is_inside(self, address: Term, targets: Targets) -> Term:
        """The address is surely inside its object."""
        sizes = (self.points_to.objects[obj].size for obj in indices(targets.objects))
        offset = self.terms.extract(address, self.pointers.offset_bits - 1, 0)
        least = min(1 if size is None else size for size in sizes)
        return self.terms.ult(offset, self.terms.bv(least, self.pointers.offset_bits))

    def number(self, address: Term) -> Term:
        """The number of the object to which an address belongs, also just before its start."""
        half = self.terms.bv(self.pointers.largest_object, self.pointers.width)
        top = self.pointers.width - 1
        return self.terms.extract(self.terms.add(address, half), top, self.pointers.offset_bits)

    def is_object(self, address: Term) -> Term:
        """It looks like an address: it has the number that an object may have."""
        terms, number = self.terms, self.number(address)
        width = terms.width(number)
        return terms.or_(
            *(
                terms.ult(terms.sub(number, terms.bv(low, width)), terms.bv(high - low, width))
                for low, high in self.pointers.likely_numbers
            )
        )

    def is_at_the_end(self, term: Term) -> bool:
        """A constant that is so close to the end of the signed numbers that no object lies beyond it."""
        value = self.terms.number(term)
        end = 1 << (self.pointers.width - 1)
        return value is not None and abs(value - end) <= self.pointers.largest_object

    def is_guess(self, value: int) -> bool:
        """Whether a constant may happen to be the address of something."""
        pointers = self.pointers
        is_tiny = abs(to_signed(value & ((1 << pointers.width) - 1), pointers.width)) <= NO_ADDRESS
        is_of_nothing = pointers.number(value) >= (1 << (pointers.width - pointers.offset_bits)) - 2
        return not is_tiny and not is_of_nothing and value != pointers.wild
