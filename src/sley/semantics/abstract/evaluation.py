"""What a term may be, and what follows for registers if a condition holds.

Law: if every register has a value of the set that its abstract value stands for, so has the term; and no
state in which the condition holds is lost by a refinement.
"""

from collections.abc import Callable, Mapping
from functools import reduce
from math import gcd

from sley.analyses.ranges import Fact, anything, applied
from sley.logic.operators import Op
from sley.logic.sorts import BitVecSort, BoolSort, Sort, width_of
from sley.logic.terms import Term
from sley.program.program import Program
from sley.semantics.abstract.contents import constant
from sley.semantics.abstract.objects import Kind, Objects
from sley.semantics.abstract.values import (
    EITHER,
    FALSE,
    NOTHING,
    OTHER,
    SELF,
    TRUE,
    ZERO,
    Reference,
    Symbol,
    Value,
    any_number,
    fact,
    fact_meet,
    fact_union,
    is_no_address,
    object_of,
    truth,
    union,
)

Registers = Mapping[Term, Value]

HANDLE_BITS = 32
"""No run has so many threads that the handle of one does not fit."""

HANDLE = Value(Fact(1, (1 << (HANDLE_BITS - 1)) - 1))
"""The handle of any thread."""

MOST_DISTANCE = 1 << 14
"""Of a value from what its token stands for."""

MOST_CHOICES = 200
"""Of which it is known what they are."""

_TRUTHS = {Op.NOT, Op.AND, Op.OR, Op.EQ, Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE}
_IN_PROGRAM = {Kind.STATIC, Kind.LOCAL, Kind.HEAP}
"""Of objects that the program has made, or that were there from the start."""

_CARRIERS = frozenset({Op.ZERO_EXTEND, Op.SIGN_EXTEND, Op.EXTRACT, Op.FP_FROM_BITS, Op.FP_TO_BITS})
_ORDERS = {Op.BVSLT: (True, True), Op.BVSLE: (True, False), Op.BVULT: (False, True), Op.BVULE: (False, False)}
"""Comparison -> whether it is signed, whether it is strict."""


class Evaluation:
    """Terms of one function, under what is known of its registers."""

    def __init__(
        self, program: Program, objects: Objects, function: str, is_alive: Callable[[Reference], bool]
    ) -> None:
        self.program = program
        self.terms = program.terms
        self.pointers = program.pointers
        self.objects = objects
        self._constants: dict[Term, Value] = {
            program.self_handle: HANDLE._replace(symbol=(SELF, 0)),
            program.id_mark: ZERO,
            **objects.addresses_in(function),
        }
        self._is_choosing = False
        """Whether registers are refined for one branch of a choice: a handle may become a number there."""
        self._is_alive = is_alive
        self._has_asked = False
        """Whether it mattered what is alive, which changes."""
        self._choices: dict[tuple[Term, int], tuple[Registers, Value]] = {}
        """A choice and the identity of registers, which nobody changes and which are kept here for that."""

    # --- values -------------------------------------------------------------------------------

    def value(self, term: Term, registers: Registers) -> Value:
        """What a term may be."""
        known = registers.get(term)
        if known is None:
            known = self._constants.get(term)
        return self._computed(term, registers) if known is None else known

    def _computed(self, term: Term, registers: Registers) -> Value:
        terms = self.terms
        op = terms.op(term)
        if op is Op.CONST:
            made = self._constants[term] = self._constant(term)
            return made
        if op is Op.VAR:
            return any_of(terms.sort(term))
        if op is Op.ITE:
            return self._choice(term, registers)
        if op in _TRUTHS:
            return self._truth(term, op, registers)
        if isinstance(terms.sort(term), BoolSort):
            return self._overflow(term, op, registers)
        arguments = [self.value(one, registers) for one in terms.args(term)]
        if any(one.number is None and not one.places for one in arguments):
            return NOTHING
        if op not in _CARRIERS and not (op is Op.BVADD and ZERO in arguments):  # which is how ids are made
            arguments = [self._as_number(one) for one in arguments]
        if any(one.places for one in arguments):
            return self._of_addresses(term, op, arguments)
        return self._of_numbers(term, arguments)

    def _as_number(self, value: Value) -> Value:
        """The handle of a thread is a small number, for who computes with it."""
        is_handle = value.number is None and all(
            self.objects.kind(object_of(reference)) is Kind.THREAD and offset == ZERO.number
            for reference, offset in value.places
        )
        return HANDLE if is_handle else value

    def _constant(self, term: Term) -> Value:
        value = self.terms.value(term)
        sort = self.terms.sort(term)
        if isinstance(sort, BoolSort):
            return TRUE if value else FALSE
        width = width_of(sort)
        return constant(self.objects, int(value), width)

    def _of_numbers(self, term: Term, arguments: list[Value]) -> Value:
        terms = self.terms
        if not isinstance(terms.sort(term), BitVecSort):
            return any_of(terms.sort(term))
        facts = [
            value.number
            for one, value in zip(terms.args(term), arguments, strict=True)
            if isinstance(terms.sort(one), BitVecSort) and value.number is not None
        ]
        symbol = None
        if terms.op(term) is Op.EXTRACT and arguments[0].symbol == (SELF, 0) and self._starts_low(term):
            symbol = arguments[0].symbol if terms.width(term) >= HANDLE_BITS else None
        elif terms.op(term) in (Op.BVADD, Op.BVSUB):
            symbol = _moved_symbol(terms.op(term), arguments[0], arguments[1], terms.width(term))
        return Value(applied(terms, term, facts), (), symbol)

    def _of_addresses(self, term: Term, op: Op, arguments: list[Value]) -> Value:
        """Sums keep the object; what else is done with an address makes a number of it."""
        sort = self.terms.sort(term)
        width = width_of(sort)
        if op in _CARRIERS and width >= self.pointers.width and self._starts_low(term):
            known = arguments[0]
            return Value(None if known.number is None else anything(width), known.places, known.symbol)
        if op is Op.EXTRACT and self.terms.payload(term) == self.pointers.place_bits:
            return self._offset(arguments[0], width)
        if op is Op.BVADD:
            left, right = arguments
            return self._sum(left, right, width) if left.places else self._sum(right, left, width)
        if op is Op.BVSUB:
            return self._difference(arguments[0], arguments[1], width)
        if op is Op.BVAND:
            return self._masked(term, arguments, width)
        return any_of(sort)

    def _offset(self, value: Value, width: int) -> Value:
        """How far an address is behind the start of its object."""
        if value.number is not None:
            return any_number(width)
        made = reduce(fact_union, (offset for _, offset in value.places))
        is_inside = made.low >= 0 and made.high <= anything(width).high
        return Value(made) if is_inside else any_number(width)

    def _starts_low(self, term: Term) -> bool:
        payload = self.terms.payload(term)
        return self.terms.op(term) is not Op.EXTRACT or (isinstance(payload, tuple) and payload[1] == 0)

    def _sum(self, base: Value, distance: Value, width: int) -> Value:
        step = distance.number
        if distance.places or step is None or not self._is_small(step):
            return any_number(width)
        places = tuple((reference, self._moved(offset, step)) for reference, offset in base.places)
        numbers = None if base.number is None else _added(width, base.number, step)
        symbol = _moved_symbol(Op.BVADD, base, distance, width)
        return Value(numbers, places, symbol)

    def _difference(self, left: Value, right: Value, width: int) -> Value:
        if right.places:
            return any_number(width)
        step = right.number
        if step is None or not self._is_small(step):
            return any_number(width)
        negated = Value(Fact(-step.high, -step.low, -step.residue, step.modulus))
        return self._sum(left, negated, width)

    def _masked(self, term: Term, arguments: list[Value], width: int) -> Value:
        """``p & ~7`` stays in the object of ``p``; ``p & 7`` is a small number."""
        below = (1 << self.pointers.offset_bits) - 1
        for one, value in zip(self.terms.args(term), reversed(arguments), strict=True):
            mask = self.terms.number(one)
            if mask is None:
                continue
            if mask >> self.pointers.offset_bits == 0:
                return Value(Fact(0, mask))
            if (mask | below) == (1 << width) - 1:
                spread = Fact(-self.pointers.largest_object, self.pointers.largest_object)
                numbers = None if value.number is None else anything(width)
                return Value(numbers, tuple((reference, spread) for reference, _ in value.places))
        return any_number(width)

    def _is_small(self, step: Fact) -> bool:
        return -self.pointers.largest_object <= step.low and step.high <= self.pointers.largest_object

    def _moved(self, offset: Fact, step: Fact) -> Fact:
        """Pointers do not get from one object into another: so much is promised by ``program.memory``."""
        farthest = 1 << (self.pointers.offset_bits + 2)
        made = _added(self.pointers.width, offset, step)
        if made.low < -farthest or made.high > farthest:
            return Fact(-farthest, farthest, made.residue, made.modulus)
        return made

    def _choice(self, term: Term, registers: Registers) -> Value:
        """Choices in choices would else be made again and again."""
        key = (term, id(registers))
        known = self._choices.get(key)
        if known is not None:
            return known[1]
        had_asked, self._has_asked = self._has_asked, False
        made = self._chosen(term, registers)
        if not self._has_asked:
            if len(self._choices) >= MOST_CHOICES:
                self._choices.clear()
            self._choices[key] = (registers, made)
        self._has_asked |= had_asked
        return made

    def _chosen(self, term: Term, registers: Registers) -> Value:
        condition, then, otherwise = self.terms.args(term)
        known = truth(self.value(condition, registers))
        if known is not None:
            return self.value(then if known else otherwise, registers)
        made, was_choosing = NOTHING, self._is_choosing
        for branch, holds in ((then, True), (otherwise, False)):
            self._is_choosing = True
            under = self.refined(condition, registers, holds=holds)
            self._is_choosing = was_choosing
            if under is not None:
                made = union(made, self.value(branch, under))
        return made

    # --- truth --------------------------------------------------------------------------------

    def _overflow(self, term: Term, op: Op, registers: Registers) -> Value:
        if op not in (Op.SADDO, Op.SSUBO, Op.SMULO):
            return EITHER
        first, second = (self.value(one, registers) for one in self.terms.args(term))
        if first.places or second.places or first.number is None or second.number is None:
            return EITHER
        a, b = first.number, second.number
        if op is Op.SADDO:
            ends = [a.low + b.low, a.high + b.high]
        elif op is Op.SSUBO:
            ends = [a.low - b.high, a.high - b.low]
        else:
            ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        whole = anything(self.terms.width(self.terms.args(term)[0]))
        if whole.low <= min(ends) and max(ends) <= whole.high:
            return FALSE
        return TRUE if max(ends) < whole.low or min(ends) > whole.high else EITHER

    def _truth(self, term: Term, op: Op, registers: Registers) -> Value:
        arguments = self.terms.args(term)
        if op in (Op.AND, Op.OR):
            return self._connected(arguments, registers, is_and=op is Op.AND)
        if op is Op.EQ and (tested := self._tested_object(arguments)) is not None:
            return self._is_in(self.value(tested[0], registers), tested[1])
        if op is Op.EQ and self._compares_objects(arguments):
            one, other = (self.value(self.terms.args(side)[0], registers) for side in arguments)
            return EITHER if self._may_share_object(one, other) else FALSE
        first = self.value(arguments[0], registers)
        if op is Op.NOT:
            known = truth(first)
            return EITHER if known is None else FALSE if known else TRUE
        second = self.value(arguments[1], registers)
        if op is Op.EQ:
            return self._equal(first, second, self.terms.sort(arguments[0]))
        return _compared(op, first, second, self.terms.width(arguments[0]))

    def _tested_object(self, arguments: tuple[Term, ...]) -> tuple[Term, int] | None:
        """The address and the number of the object, where it is tested whether it is one into that."""
        left, right = sorted(arguments, key=self.terms.is_const)
        number = self.terms.number(right)
        is_of_object = self.terms.op(left) is Op.EXTRACT
        if number is None or not is_of_object or self.terms.payload(left) != self.pointers.object_bits:
            return None
        return self.terms.args(left)[0], number

    def _compares_objects(self, arguments: tuple[Term, ...]) -> bool:
        """Whether it is asked if two addresses are in the same object."""
        bits = self.pointers.object_bits
        return all(self.terms.op(one) is Op.EXTRACT and self.terms.payload(one) == bits for one in arguments)

    def _may_share_object(self, one: Value, other: Value) -> bool:
        """The number of a static object is never that of another one; that of what is gone may be."""
        if one.number is not None or other.number is not None:
            return True
        farthest = self.pointers.largest_object
        if any(o.low < -farthest or o.high >= farthest for _, o in (*one.places, *other.places)):
            return True
        return any(self._may_be_same(first, second) for first, _ in one.places for second, _ in other.places)

    def _may_be_same(self, one: Reference, other: Reference) -> bool:
        kinds = {self.objects.kind(object_of(one)), self.objects.kind(object_of(other))}
        if object_of(one) == object_of(other) or not kinds <= _IN_PROGRAM:
            return True
        if Kind.STATIC in kinds:
            return False
        self._has_asked = True
        return not (self._is_alive(one) and self._is_alive(other))

    def _is_in(self, value: Value, tested: int) -> Value:
        """Whether an address is one into the object with this number, from its start on."""
        static = self.objects.static_place(self.pointers.address(tested >> 1)) if tested % 2 == 0 else None
        if static is None:
            return EITHER
        is_none = is_no_address(value)
        hits = [place for place in value.places if place[0] == static[0]]
        if not hits and is_none:
            return FALSE
        is_all = value.number is None and len(hits) == len(value.places) == 1
        return TRUE if is_all and hits[0][1].low >= 0 else EITHER

    def _connected(self, arguments: tuple[Term, ...], registers: Registers, *, is_and: bool) -> Value:
        decides = not is_and
        is_open = False
        for one in arguments:
            known = truth(self.value(one, registers))
            if known is decides:
                return TRUE if decides else FALSE
            is_open |= known is None
        return EITHER if is_open else FALSE if decides else TRUE

    def _equal(self, a: Value, b: Value, sort: Sort) -> Value:
        if not isinstance(sort, BoolSort | BitVecSort):
            return EITHER
        if a.symbol is not None and b.symbol is not None:
            tokens = {a.symbol[0], b.symbol[0]}
            if tokens == {SELF, OTHER} and a.symbol[1] == b.symbol[1]:
                return FALSE
            if len(tokens) == 1 and OTHER not in tokens:
                return TRUE if a.symbol[1] == b.symbol[1] else FALSE
        if not a.places and not b.places:
            if a.number is None or b.number is None:
                return EITHER
            if fact_meet(a.number, b.number) is None:
                return FALSE
            return TRUE if a.number.modulus == 0 == b.number.modulus else EITHER
        if self._may_meet(a, b):
            return EITHER
        return FALSE

    def _may_meet(self, a: Value, b: Value) -> bool:
        if a.number is not None and b.number is not None and fact_meet(a.number, b.number) is not None:
            return True
        if (a.places and not is_no_address(b)) or (b.places and not is_no_address(a)):
            return True
        if self._may_be_handle(a, b) or self._may_be_handle(b, a):
            return True
        return any(
            self.objects.may_be_equal(reference, offset, other, other_offset)
            for reference, offset in a.places
            for other, other_offset in b.places
        )

    def _may_be_handle(self, a: Value, b: Value) -> bool:
        """Whether one may be the handle of a thread, which is a small number, and the other that number."""
        return (
            b.number is not None
            and b.number.high > 0
            and any(self.objects.kind(object_of(reference)) is Kind.THREAD for reference, _ in a.places)
        )

    # --- refinement ---------------------------------------------------------------------------

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
        if op is Op.EQ and (tested := self._tested_object(arguments)) is not None:
            return self._refined_object(tested[0], tested[1], registers, holds=holds)
        if op is Op.EQ:
            return self._refined_equation(arguments[0], arguments[1], registers, holds=holds)
        if op in _ORDERS:
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
        may_be_address = not is_no_address(known) or self._may_be_handle(other, known)
        if numbers is not None and other.number is not None and not (other.places and may_be_address):
            numbers = fact_meet(numbers, other.number)
        elif numbers is not None and other.number is None and not may_be_address:
            numbers = None
        if not other.places and is_no_address(other) and not self._may_be_handle(known, other):
            places = ()
        if numbers is None and not places:
            return None
        return self._put(term, Value(numbers, places, known.symbol), registers)

    def _without(self, term: Term, known: Value, excluded: int, registers: Registers) -> Registers | None:
        """The term is not this number."""
        numbers = known.number
        if numbers is None:
            return registers
        made = _excluding(numbers, excluded)
        if made is None and not known.places:
            return None
        return self._put(term, Value(made, known.places, known.symbol), registers)

    def _refined_order(
        self, op: Op, left: Term, right: Term, registers: Registers, *, holds: bool
    ) -> Registers | None:
        is_signed, is_strict = _ORDERS[op]
        if not holds:
            left, right, is_strict = right, left, not is_strict
        a, b = self.value(left, registers), self.value(right, registers)
        if a.places or b.places or a.number is None or b.number is None:
            return registers
        width = self.terms.width(left)
        x, y = (a.number, b.number) if is_signed else (_unsigned(a.number, width), _unsigned(b.number, width))
        gap = 1 if is_strict else 0
        lower = _bounded(x, x.low, min(x.high, y.high - gap))
        higher = _bounded(y, max(y.low, x.low + gap), y.high)
        if lower is None or higher is None:
            return None
        if not is_signed:
            lower, higher = _signed(lower, a.number, width), _signed(higher, b.number, width)
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
            is_known = term in registers or (self._is_choosing and term == self.program.self_handle)
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
        number = self._as_number(inner)
        if number is HANDLE and not self._is_choosing:
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
        if not (_is_in_width(sums, width) or _is_in_width(moved, width)):  # it may wrap around
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


def any_of(sort: Sort) -> Value:
    """Any value of a sort that nobody computed."""
    return EITHER if isinstance(sort, BoolSort) else any_number(width_of(sort))


def _added(width: int, a: Fact, b: Fact) -> Fact:
    whole = anything(width)
    low, high, modulus = a.low + b.low, a.high + b.high, gcd(a.modulus, b.modulus)
    residue = a.residue + b.residue
    if whole.low <= low and high <= whole.high:
        return Fact(low, high, residue % modulus if modulus else residue, modulus)
    modulus = gcd(modulus, 1 << width)
    return Fact(whole.low, whole.high, residue % modulus, modulus)


def _is_in_width(known: Fact, width: int) -> bool:
    whole = anything(width)
    return whole.low <= known.low and known.high <= whole.high


def _moved_symbol(op: Op, a: Value, b: Value, width: int) -> Symbol | None:
    """Only as far as no sum of two distances wraps around."""
    if width < 2 * MOST_DISTANCE.bit_length():
        return None
    if a.symbol is None and op is Op.BVADD:
        a, b = b, a
    if a.symbol is None or b.places or b.number is None or b.number.modulus != 0:
        return None
    token, distance = a.symbol
    distance += b.number.residue if op is Op.BVADD else -b.number.residue
    return (token, distance) if abs(distance) <= MOST_DISTANCE else None


def _unsigned(known: Fact, width: int) -> Fact:
    if known.low >= 0:
        return known
    if known.high < 0:
        whole = 1 << width
        return Fact(known.low + whole, known.high + whole, known.residue + whole, known.modulus)
    return Fact(0, (1 << width) - 1)


def _bounded(read: Fact, low: int, high: int) -> Fact | None:
    """What is left of a fact between two bounds; it is read so, signed or not."""
    if read.modulus == 0:
        return read if low <= read.residue <= high else None
    return fact(low, high, read.residue, read.modulus)


def _signed(made: Fact, known: Fact, width: int) -> Fact:
    """What an unsigned range says of the signed reading, of which something is known."""
    half, whole = 1 << (width - 1), 1 << width
    if made.low >= half:
        made = Fact(made.low - whole, made.high - whole, made.residue - whole, made.modulus)
    elif made.high >= half:
        return known
    return fact_meet(made, known) or known


def _compared(op: Op, a: Value, b: Value, width: int) -> Value:
    is_signed, is_strict = _ORDERS[op]
    if a.places or b.places or a.number is None or b.number is None:
        return EITHER
    x, y = (a.number, b.number) if is_signed else (_unsigned(a.number, width), _unsigned(b.number, width))
    if x.high < y.low or (not is_strict and x.high == y.low):
        return TRUE
    if x.low > y.high or (is_strict and x.low == y.high):
        return FALSE
    return EITHER


def _excluding(known: Fact, value: int) -> Fact | None:
    step = known.modulus or 1
    if known.modulus == 0:
        return None if known.residue == value else known
    if known.low == value:
        return fact(known.low + step, known.high, known.residue, step)
    if known.high == value:
        return fact(known.low, known.high - step, known.residue, step)
    return known
