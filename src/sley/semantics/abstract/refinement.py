"""What follows for registers if a condition holds.

Law: no state in which the condition holds is lost by a refinement.
"""

from collections.abc import Callable, Mapping

from sley.analyses.ranges import Fact, anything
from sley.logic.operators import Op
from sley.logic.sorts import BoolSort
from sley.logic.terms import Term
from sley.semantics.abstract.arithmetic import ORDERS, bounded, excluding, is_in_width, signed, unsigned
from sley.semantics.abstract.comparisons import HANDLE, as_number, may_be_handle, tested_object
from sley.semantics.abstract.objects import Objects
from sley.semantics.abstract.values import FALSE, OTHER, TRUE, Value, fact_meet, is_no_address, truth

Registers = Mapping[Term, Value]


class Refinement:
    """Of registers, by conditions on terms whose values are known."""

    def __init__(self, objects: Objects, value: Callable[[Term, Registers], Value]) -> None:
        self.objects = objects
        self.terms = objects.program.terms
        self.pointers = objects.program.pointers
        self.value = value
        self.is_choosing = False
        """Whether it is for one branch of a choice: a handle may become a number there."""

    def refined(self, condition: Term, registers: Registers, *, holds: bool) -> Registers | None:
        """What is known of registers if the condition holds, or does not; None: that cannot be."""
        known = truth(self.value(condition, registers))
        if known is not None:
            return registers if known is holds else None
        terms = self.terms
        op, arguments = terms.op(condition), terms.args(condition)
        if op is Op.NOT:
            return self.refined(arguments[0], registers, holds=not holds)
        if op is Op.VAR:
            symbol = self.value(condition, registers).symbol
            return self._with(condition, (TRUE if holds else FALSE)._replace(symbol=symbol), registers)
        if op in (Op.AND, Op.OR):
            return self._refined_connection(arguments, registers, is_and=op is Op.AND, holds=holds)
        if op is Op.EQ and (tested := tested_object(self.terms, self.pointers, arguments)) is not None:
            return self._refined_object(tested[0], tested[1], registers, holds=holds)
        if op is Op.EQ:
            return self._refined_equation(arguments[0], arguments[1], registers, holds=holds)
        if op in ORDERS:
            return self._refined_order(op, arguments[0], arguments[1], registers, holds=holds)
        return registers

    def _refined_connection(
        self, arguments: tuple[Term, ...], registers: Registers, *, is_and: bool, holds: bool
    ) -> Registers | None:
        if is_and is holds:
            under: Registers | None = registers
            for one in arguments:
                if under is None:
                    return None
                under = self.refined(one, under, holds=holds)
            return under
        open_ones = [one for one in arguments if truth(self.value(one, registers)) is None]
        if len(open_ones) == 1:
            return self.refined(open_ones[0], registers, holds=holds)
        return registers

    def _refined_equation(
        self, left: Term, right: Term, registers: Registers, *, holds: bool
    ) -> Registers | None:
        a, b = self.value(left, registers), self.value(right, registers)
        if isinstance(self.terms.sort(left), BoolSort):
            return self._refined_equivalence(left, a, right, b, registers, holds=holds)
        if not holds:
            under: Registers | None = registers
            if b.number is not None and b.number.modulus == 0 and not b.places:
                under = self._without(left, a, b.number.residue, registers)
            if under is not None and a.number is not None and a.number.modulus == 0 and not a.places:
                under = self._without(right, b, a.number.residue, under)
            return under
        under = self._restricted(left, a, b, registers)
        return None if under is None else self._restricted(right, b, a, under)

    def _refined_object(
        self, term: Term, tested: int, registers: Registers, *, holds: bool
    ) -> Registers | None:
        value = self.value(term, registers)
        static = self.objects.static_place(self.pointers.address(tested >> 1)) if tested % 2 == 0 else None
        if static is None:
            return registers
        places = tuple(
            place
            for place in value.places
            if (place[0] == static[0]) is holds or (not holds and place[1].low < 0)
        )
        numbers = None if holds and is_no_address(value) else value.number
        if numbers is None and not places:
            return None
        return self._put(term, Value(numbers, places, value.symbol), registers)

    def _refined_equivalence(
        self, left: Term, a: Value, right: Term, b: Value, registers: Registers, *, holds: bool
    ) -> Registers | None:
        known = truth(b)
        if known is not None:
            return self.refined(left, registers, holds=known is holds)
        known = truth(a)
        return registers if known is None else self.refined(right, registers, holds=known is holds)

    def _restricted(self, term: Term, known: Value, other: Value, registers: Registers) -> Registers | None:
        """The term, of which this is known, equals another one."""
        numbers, places = known.number, known.places
        may_be_address = not is_no_address(known) or may_be_handle(self.objects, other, known)
        if numbers is not None and other.number is not None and not (other.places and may_be_address):
            numbers = fact_meet(numbers, other.number)
        elif numbers is not None and other.number is None and not may_be_address:
            numbers = None
        if not other.places and is_no_address(other) and not may_be_handle(self.objects, known, other):
            places = ()
        if numbers is None and not places:
            return None
        return self._put(term, Value(numbers, places, known.symbol), registers)

    def _without(self, term: Term, known: Value, excluded: int, registers: Registers) -> Registers | None:
        """The term is not this number."""
        numbers = known.number
        if numbers is None:
            return registers
        made = excluding(numbers, excluded)
        if made is None and not known.places:
            return None
        return self._put(term, Value(made, known.places, known.symbol), registers)

    def _refined_order(
        self, op: Op, left: Term, right: Term, registers: Registers, *, holds: bool
    ) -> Registers | None:
        is_signed, is_strict = ORDERS[op]
        if not holds:
            left, right, is_strict = right, left, not is_strict
        a, b = self.value(left, registers), self.value(right, registers)
        if a.places or b.places or a.number is None or b.number is None:
            return registers
        width = self.terms.width(left)
        x, y = (a.number, b.number) if is_signed else (unsigned(a.number, width), unsigned(b.number, width))
        gap = 1 if is_strict else 0
        lower = bounded(x, x.low, min(x.high, y.high - gap))
        higher = bounded(y, max(y.low, x.low + gap), y.high)
        if lower is None or higher is None:
            return None
        if not is_signed:
            lower, higher = signed(lower, a.number, width), signed(higher, b.number, width)
        under = self._put(left, Value(lower, (), a.symbol), registers)
        return None if under is None else self._put(right, Value(higher, (), b.symbol), under)

    def limited(self, term: Term, known: Fact, registers: Registers) -> Registers | None:
        """What is known of registers if a term, which is no address, is a number of which this is known."""
        value = self.value(term, registers)
        made = None if value.number is None else fact_meet(value.number, known)
        return None if made is None else self._put(term, Value(made, (), value.symbol), registers)

    def _put(self, term: Term, value: Value, registers: Registers) -> Registers | None:
        """A term has this value: what that says about the registers in it."""
        terms = self.terms
        op = terms.op(term)
        if op is Op.VAR:
            is_known = term in registers or (self.is_choosing and term == self.objects.program.self_handle)
            return self._with(term, value, registers) if is_known else registers
        arguments = terms.args(term)
        if op is Op.BVADD:
            return self._put_sum(term, value, registers)
        if op is Op.BVMUL and value.number is not None and not value.places:
            return self._put_product(term, value.number, registers)
        if op in (Op.SIGN_EXTEND, Op.ZERO_EXTEND) and value.number is not None and not value.places:
            inner = self.value(arguments[0], registers)
            if inner.number is None or inner.places:
                return registers
            if op is Op.ZERO_EXTEND and inner.number.low < 0:
                return registers
            made = fact_meet(inner.number, value.number)
            if made is None:
                return None
            return self._put(arguments[0], Value(made, (), inner.symbol), registers)
        return registers

    def _put_product(self, term: Term, product: Fact, registers: Registers) -> Registers | None:
        left, right = self.terms.args(term)
        factor = self.terms.number(right)
        if factor is None:
            left, factor = right, self.terms.number(left)
        inner = self.value(left, registers)
        if factor is None or inner.number is None or inner.places or factor == 0:
            return registers
        whole = anything(self.terms.width(term))
        if inner.number.low * factor < whole.low or inner.number.high * factor > whole.high:
            return registers
        made = fact_meet(inner.number, Fact(-(-product.low // factor), product.high // factor))
        return None if made is None else self._put(left, Value(made, (), inner.symbol), registers)

    def _put_sum(self, term: Term, value: Value, registers: Registers) -> Registers | None:
        terms = self.terms
        left, right = terms.args(term)
        distance = terms.number(right)
        if distance is None:
            left, right = right, left
            distance = terms.number(right)
        if distance is None:
            return registers
        width = terms.width(term)
        signed = distance - (1 << width) if distance >> (width - 1) else distance
        inner = self.value(left, registers)
        number = as_number(self.objects, inner)
        if number is HANDLE and not self.is_choosing:
            return registers
        if number is not HANDLE and inner.places and len(value.places) < len(inner.places):
            kept = {reference for reference, _ in value.places}
            places = tuple(place for place in inner.places if place[0] in kept)
            return self._put(left, Value(inner.number, places, inner.symbol), registers)
        if value.places or value.number is None:
            return registers
        inner = number
        if inner.number is None or inner.places:
            return registers
        moved = Fact(
            value.number.low - signed,
            value.number.high - signed,
            value.number.residue - signed,
            value.number.modulus,
        )
        sums = Fact(inner.number.low + signed, inner.number.high + signed)
        if not (is_in_width(sums, width) or is_in_width(moved, width)):  # it may wrap around
            return registers
        made = fact_meet(inner.number, moved)
        return None if made is None else self._put(left, Value(made, (), inner.symbol), registers)

    def _with(self, register: Term, value: Value, registers: Registers) -> Registers:
        """Also of those registers that have the same value by name."""
        changed = dict(registers)
        changed[register] = value
        if value.symbol is not None and value.symbol[0] != OTHER:
            for other, known in registers.items():
                if known.symbol == value.symbol and other != register:
                    changed[other] = value
        return changed
