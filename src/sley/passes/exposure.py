"""What must not be folded: operations that would tell where a static object lies.

The address of a global or a function is a constant of ours, but C does not fix it. Whether ``&a < &b`` holds,
or what ``&a`` modulo 64 is, is decided by ``passes.addresses``, which has to find the operation. So passes
that put known values into terms leave an address out where constant folding could make something else of it
than an address, or compare it with what it may happen to equal: an address behind the end of its object.
"""

from collections.abc import Mapping

from sley.logic.operators import Op, to_signed
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Term
from sley.program.memory import NO_ADDRESS, MemoryObject
from sley.program.program import Program


class Exposure:
    """Knows the addresses of the static objects of a program."""

    def __init__(self, program: Program) -> None:
        self._terms = program.terms
        self._pointers = program.pointers
        self._program = program

    def is_address(self, term: Term) -> bool:
        """Whether the term is a constant in, or just outside of, a static object."""
        return self._object_and_offset(term) is not None

    def _object_and_offset(self, term: Term) -> tuple[MemoryObject, int] | None:
        terms, pointers = self._terms, self._pointers
        value, sort = terms.number(term), terms.sort(term)
        if value is None or not isinstance(sort, BitVecSort) or sort.width < pointers.width:
            return None
        value &= (1 << pointers.width) - 1
        if value <= pointers.wild:
            return None
        number, offset = pointers.number(value), pointers.offset(value)
        if offset > pointers.largest_object:
            number, offset = number + 1, offset - (1 << pointers.offset_bits)
        named = self._program.static_object(number)
        return None if named is None else (named, offset)

    def is_inside(self, term: Term) -> bool:
        """Whether the term is a constant inside a static object."""
        found = self._object_and_offset(term)
        return found is not None and 0 <= found[1] < found[0].size

    def _is_guess(self, term: Term) -> bool:
        """Whether the term is a number that is no address of ours, but may happen to be one."""
        value, sort = self._terms.number(term), self._terms.sort(term)
        if value is None or not isinstance(sort, BitVecSort) or sort.width < self._pointers.width:
            return False
        return abs(to_signed(value, sort.width)) > NO_ADDRESS and value != self._pointers.wild

    def without_exposed(self, term: Term, mapping: Mapping[Term, Term]) -> Mapping[Term, Term]:
        """What may be put into the term: the mapping without the values that folding would expose."""
        exposed = {
            variable
            for variable, value in mapping.items()
            if self._is_guess(value) and self._exposes(term, variable, mapping)
        }
        return {v: value for v, value in mapping.items() if v not in exposed} if exposed else mapping

    def exposes(self, term: Term, mapping: Mapping[Term, Term]) -> bool:
        """Whether putting in these values would expose an address."""
        return self.without_exposed(term, mapping) is not mapping

    def _exposes(self, term: Term, variable: Term, mapping: Mapping[Term, Term]) -> bool:
        terms = self._terms
        if not terms.mentions(term, variable):
            return False
        is_address = self.is_address(mapping[variable])
        carrying = {variable}
        for part in terms.walk((term,)):
            if carrying.isdisjoint(terms.args(part)):
                continue
            if terms.op(part) is Op.EQ:
                if not self._is_harmless_equation(part, variable, mapping):
                    return True
            elif is_address and self._is_which_object(part):
                continue
            elif is_address and not self._is_carrier(part, carrying):
                return True
            elif is_address:
                carrying.add(part)
        return False

    def _is_harmless_equation(self, equation: Term, variable: Term, mapping: Mapping[Term, Term]) -> bool:
        """Whether the numbers of objects do not matter: both sides lie in objects, or cannot lie in any."""
        terms, value = self._terms, mapping[variable]
        one, other = terms.args(equation)
        if one == variable:
            one, other = other, one
        if other != variable:
            return False  # a step away from the address may lead behind the end
        one = mapping.get(one, one)
        if not self.is_address(value):
            return not self.is_address(one)
        if not self.is_inside(value) or not (terms.is_const(one) or terms.is_var(one)):
            return False
        return self.is_inside(one) or not self._is_guess(one)

    def _is_which_object(self, part: Term) -> bool:
        """Whether the bits are taken that tell an object from others: our own models do."""
        pointers = self._pointers
        bits = (pointers.width - 1, pointers.offset_bits - 1)
        return self._terms.op(part) is Op.EXTRACT and self._terms.payload(part) == bits

    def _is_carrier(self, part: Term, carrying: set[Term]) -> bool:
        """Whether an operation on an address gives an address again."""
        terms = self._terms
        args = terms.args(part)
        match terms.op(part):
            case Op.BVADD:
                return not any(a not in carrying and self.is_address(a) for a in args) and args[0] != args[1]
            case Op.BVSUB:
                return args[1] not in carrying
            case Op.EXTRACT:
                payload = terms.payload(part)
                assert isinstance(payload, tuple)
                high, low = payload
                return bool(low == 0 and high + 1 >= self._pointers.width)
            case op:
                return op in (Op.ITE, Op.ZERO_EXTEND, Op.SIGN_EXTEND)
