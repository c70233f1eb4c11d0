"""How addresses flow through terms: which arguments a term's value derives from, and by which offset.

A term is *wide* if a whole address fits into it. What a wide term may hold is meant modulo the pointer's
width: extending an address and cutting it back, as casts between integer types do, gives the same address.
"""

from collections.abc import Mapping

from sley.analyses.constraints import COMPUTED, NUMBER, Constraints
from sley.analyses.objects import Offset
from sley.analyses.ranges import Ranges
from sley.logic.operators import Op, to_signed
from sley.logic.sorts import BitVecSort, FloatSort, Sort
from sley.logic.terms import Term, Terms
from sley.program.memory import NO_ADDRESS, PointerLayout

Step = tuple[Term, Offset]
"""An argument, and what is added to its offset."""

STAY = Offset(0)

_CARRIERS = frozenset({Op.ZERO_EXTEND, Op.SIGN_EXTEND, Op.EXTRACT, Op.FP_FROM_BITS, Op.FP_TO_BITS})


class ValueFlow:
    """Makes a node of the constraint graph for each wide term of one function at a time."""

    def __init__(
        self, terms: Terms, pointers: PointerLayout, constraints: Constraints, id_mark: Term
    ) -> None:
        self.terms = terms
        self.pointers = pointers
        self.constraints = constraints
        self.ranges = Ranges(terms)
        self._wild = pointers.wild
        self._id_mark = id_mark
        self._nodes: dict[Term, int] = {}
        self.variables: Mapping[Term, int] = {}
        """The nodes of the registers and local addresses of the present function."""

    def enter(self, variables: Mapping[Term, int]) -> None:
        """From now on, terms are those of a function with these variables."""
        self.variables, self._nodes = variables, dict(variables)

    def is_wide(self, sort: Sort) -> bool:
        """Whether a whole address fits into a value of this sort."""
        return isinstance(sort, BitVecSort | FloatSort) and sort.width >= self.pointers.width

    def node(self, term: Term) -> int:
        """The node that stands for what a wide term may hold."""
        stack = [term]
        nodes = self._nodes
        while stack:
            top = stack[-1]
            if top in nodes:
                stack.pop()
                continue
            bits, steps = self.sources(top)
            missing = [argument for argument, _ in steps if argument not in nodes]
            if missing:
                stack.extend(missing)
                continue
            made = nodes[top] = self.constraints.node()
            self.constraints.include(made, bits)
            for argument, offset in steps:
                self.constraints.shift(nodes[argument], made, offset)
        return nodes[term]

    def number(self, value: int, width: int) -> int:
        """The places that a constant may name."""
        pointers = self.pointers
        if abs(to_signed(value, width)) <= pointers.largest_object:
            return 0 if abs(to_signed(value, width)) <= NO_ADDRESS else NUMBER
        value &= (1 << pointers.width) - 1
        number, offset = pointers.number(value), pointers.offset(value)
        if offset > pointers.largest_object and value != pointers.wild:
            number, offset = number + 1, offset - (1 << pointers.offset_bits)  # just before an object
        if number == 0 or number >= (1 << (pointers.width - pointers.offset_bits)) - 2:
            return 0
        static = self.constraints.classes.objects.of_static(number)
        return COMPUTED if static is None else self.constraints.place(static, Offset(offset))

    def sources(self, term: Term) -> tuple[int, list[Step]]:
        """The places that a term may hold by itself, and the terms whose places it may take over."""
        terms = self.terms
        op = terms.op(term)
        value = terms.number(term)
        if value is not None:
            sort = terms.sort(term)
            assert isinstance(sort, BitVecSort | FloatSort)
            return self.number(value, sort.width), []
        if isinstance(terms.sort(term), BitVecSort) and self.ranges.is_within(
            term, self.pointers.largest_object
        ):
            return 0 if self.ranges.is_within(term, NO_ADDRESS) else NUMBER, []
        if op is Op.ITE:
            return self._choice(term)
        if op is Op.BVADD and self._id_mark in terms.args(term):
            return 0, [(self._id_mark, STAY)]
        if op is Op.BVXOR and self._id_mark in terms.args(term):
            return 0, []  # the handle that an id stands for
        if op is Op.BVADD or op is Op.BVSUB:
            return self._sum(term, is_guarded_by=None)
        if op is Op.CONCAT and self.is_wide(terms.sort(terms.args(term)[1])):
            return 0, [(terms.args(term)[1], STAY)]
        if op in _CARRIERS and self._is_whole(term):
            return 0, [(terms.args(term)[0], STAY)]
        if op in (Op.BVAND, Op.BVOR, Op.BVXOR):
            return self._bitwise(term)
        return COMPUTED, []

    def _is_whole(self, term: Term) -> bool:
        """Whether the argument is wide and its low bits are those of the result."""
        payload = self.terms.payload(term)
        starts_low = self.terms.op(term) is not Op.EXTRACT or (isinstance(payload, tuple) and payload[1] == 0)
        return starts_low and self.is_wide(self.terms.sort(self.terms.args(term)[0]))

    def _choice(self, term: Term) -> tuple[int, list[Step]]:
        """Both branches; the front end writes ``in range ? p + i : wild`` where ``i`` could be large."""
        condition, then, otherwise = self.terms.args(term)
        for branch, other in ((then, otherwise), (otherwise, then)):
            if self.terms.number(other) == self._wild and self.terms.op(branch) in (Op.BVADD, Op.BVSUB):
                return self._sum(branch, is_guarded_by=condition)
        return 0, [(then, STAY), (otherwise, STAY)]

    def _sum(self, term: Term, is_guarded_by: Term | None) -> tuple[int, list[Step]]:
        """An address plus or minus a number that is surely small keeps its object."""
        left, right = self.terms.args(term)
        sign = 1 if self.terms.op(term) is Op.BVADD else -1
        if self._is_small(right):
            return 0, [(left, self._addition(right, sign))]
        if sign == 1 and self._is_small(left):
            return 0, [(right, self._addition(left, 1))]
        if is_guarded_by is not None:
            tested = set(self.terms.variables(is_guarded_by))
            left_is_tested, right_is_tested = (
                bool(names) and names <= tested
                for names in (set(self.terms.variables(left)), set(self.terms.variables(right)))
            )
            if right_is_tested and not left_is_tested:
                return 0, [(left, self._guarded_addition(right, sign))]
            if left_is_tested and not right_is_tested and sign == 1:
                return 0, [(right, self._guarded_addition(left, 1))]
        if sign == -1:
            return COMPUTED, []
        return COMPUTED, [(left, self._addition(right, 1)), (right, self._addition(left, 1))]

    def _is_small(self, term: Term) -> bool:
        return self.ranges.is_within(term, self.pointers.largest_object)

    def _addition(self, term: Term, sign: int) -> Offset:
        fact = self.ranges.fact(term)
        if fact.modulus == 0:
            value = to_signed(fact.residue & ((1 << self.pointers.width) - 1), self.pointers.width)
            return Offset(sign * value)
        return Offset(sign * fact.residue % fact.modulus, fact.modulus)

    def _guarded_addition(self, term: Term, sign: int) -> Offset:
        """As ``_addition``, where the guard excludes that a product of index and size wraps."""
        if self.terms.op(term) is Op.BVMUL:
            for factor in self.terms.args(term):
                size = self.terms.number(factor)
                if size is not None and 0 < size <= self.pointers.largest_object:
                    return Offset(0, size)
        return self._addition(term, sign)

    def _bitwise(self, term: Term) -> tuple[int, list[Step]]:
        kept = self._kept_argument(term)
        if kept is not None:
            return 0, [(kept, Offset(0, 1))]
        return (NUMBER, []) if self._clears_number(term) else (COMPUTED, [])

    def _number_bits(self) -> int:
        return ((1 << self.pointers.width) - 1) & ~((1 << self.pointers.offset_bits) - 1)

    def _clears_number(self, term: Term) -> bool:
        if self.terms.op(term) is not Op.BVAND:
            return False
        masks = (self.terms.number(arg) for arg in self.terms.args(term))
        return any(mask is not None and mask & self._number_bits() == 0 for mask in masks)

    def _kept_argument(self, term: Term) -> Term | None:
        """The argument whose bits above the offset the result has, if the form of the other tells."""
        left, right = self.terms.args(term)
        for argument, other in ((left, right), (right, left)):
            mask = self.terms.number(other)
            if self.terms.op(term) is Op.BVAND:
                if mask is not None and ~mask & self._number_bits() == 0:
                    return argument
            else:
                low, high, _, _ = self.ranges.fact(other)
                if low >= 0 and high < 1 << self.pointers.offset_bits:
                    return argument
        return None
