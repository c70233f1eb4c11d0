"""What a term may be.

Law: if every register has a value of the set that its abstract value stands for, so has the term.
"""

from collections.abc import Callable
from functools import reduce

from sley.analyses.ranges import Fact, anything, applied
from sley.logic.operators import Op
from sley.logic.sorts import BitVecSort, BoolSort, width_of
from sley.logic.terms import Term
from sley.program.program import Program
from sley.semantics.abstract.arithmetic import ORDERS, compared, moved_symbol, shifted_back_by, shifted_by
from sley.semantics.abstract.comparisons import HANDLE, HANDLE_BITS, as_number, equal, is_in, tested_object
from sley.semantics.abstract.contents import any_of, constant
from sley.semantics.abstract.objects import ObjectKind, Objects
from sley.semantics.abstract.refinement import Refinement, Registers
from sley.semantics.abstract.values import (
    EITHER,
    FALSE,
    NOTHING,
    SELF,
    TRUE,
    ZERO,
    Reference,
    Value,
    any_number,
    fact_union,
    object_of,
    truth,
    union,
)

MOST_CHOICES = 200
"""Choices whose values are remembered; then all are forgotten."""

_TRUTHS = {Op.NOT, Op.AND, Op.OR, Op.EQ, *ORDERS}
_IN_PROGRAM = {ObjectKind.STATIC, ObjectKind.LOCAL, ObjectKind.HEAP}
"""Of objects that the program has made, or that were there from the start."""

_CARRIERS = frozenset({Op.ZERO_EXTEND, Op.SIGN_EXTEND, Op.EXTRACT, Op.FP_FROM_BITS, Op.FP_TO_BITS})


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
        self.refinement = Refinement(objects, self.value)
        self._is_alive = is_alive
        self._has_asked = False
        """Whether it mattered what is alive, which changes."""
        self._choices: dict[tuple[Term, int], tuple[Registers, Value]] = {}
        """A choice and the identity of registers, which do not change and are kept here for that."""

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
            arguments = [as_number(self.objects, one) for one in arguments]
        if any(one.places for one in arguments):
            return self._of_addresses(term, op, arguments)
        return self._of_numbers(term, arguments)

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
            symbol = moved_symbol(terms.op(term), arguments[0], arguments[1], terms.width(term))
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
            return (
                shifted_by(self.pointers, left, right, width)
                if left.places
                else shifted_by(self.pointers, right, left, width)
            )
        if op is Op.BVSUB:
            return shifted_back_by(self.pointers, arguments[0], arguments[1], width)
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
        made, was_choosing = NOTHING, self.refinement.is_choosing
        for branch, holds in ((then, True), (otherwise, False)):
            self.refinement.is_choosing = True
            under = self.refinement.refined(condition, registers, holds=holds)
            self.refinement.is_choosing = was_choosing
            if under is not None:
                made = union(made, self.value(branch, under))
        return made

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
        if op is Op.EQ and (tested := tested_object(self.terms, self.pointers, arguments)) is not None:
            return is_in(self.objects, self.value(tested[0], registers), tested[1])
        if op is Op.EQ and self._compares_objects(arguments):
            one, other = (self.value(self.terms.args(side)[0], registers) for side in arguments)
            return EITHER if self._may_share_object(one, other) else FALSE
        first = self.value(arguments[0], registers)
        if op is Op.NOT:
            known = truth(first)
            return EITHER if known is None else FALSE if known else TRUE
        second = self.value(arguments[1], registers)
        if op is Op.EQ:
            return equal(self.objects, first, second, self.terms.sort(arguments[0]))
        return compared(op, first, second, self.terms.width(arguments[0]))

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
        if ObjectKind.STATIC in kinds:
            return False
        self._has_asked = True
        return not (self._is_alive(one) and self._is_alive(other))

    def _connected(self, arguments: tuple[Term, ...], registers: Registers, *, is_and: bool) -> Value:
        decides = not is_and
        is_open = False
        for one in arguments:
            known = truth(self.value(one, registers))
            if known is decides:
                return TRUE if decides else FALSE
            is_open |= known is None
        return EITHER if is_open else FALSE if decides else TRUE
