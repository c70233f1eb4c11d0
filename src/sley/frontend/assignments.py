"""Assignments: plain, compound, and by one."""

from collections.abc import Callable
from dataclasses import replace

from sley.frontend.arithmetic import SHIFTS, wide_shift_amount
from sley.frontend.c_types import (
    CType,
    FloatType,
    IntegerType,
    PointerType,
    RecordType,
    common_type,
    promoted,
)
from sley.frontend.clang_library import COMPUTED_BY, Binary, Unary
from sley.frontend.conversions import convert
from sley.frontend.part import Lowering
from sley.frontend.places import BitFieldPlace, MemoryPlace, Place, RegisterPlace
from sley.frontend.syntax import SyntaxNode
from sley.frontend.writing import c_text
from sley.logic.terms import Term
from sley.program.instructions import Update

STEPS = {
    Unary.POST_INCREMENT: Binary.ADD,
    Unary.POST_DECREMENT: Binary.SUB,
    Unary.PRE_INCREMENT: Binary.ADD,
    Unary.PRE_DECREMENT: Binary.SUB,
}
"""The operators that change a variable by one, and how."""
_POSTFIX = (Unary.POST_INCREMENT, Unary.POST_DECREMENT)


class Assignments(Lowering):
    """What the expressions of one function assign."""

    def _begin(self) -> None:
        self._arithmetic = self._expressions.arithmetic

    def assignment(self, node: SyntaxNode) -> Term:
        """``left = right``; the value is what is in ``left`` then."""
        left, right = node.children
        place = self._settled(self._expressions.place(left, is_accessed=True), right)
        if isinstance(place.ctype, RecordType):
            assert isinstance(place, MemoryPlace)
            source = self._expressions.value(right)
            return self._expressions.aggregates.stored(place, source, c_text(right), node)
        value = self._expressions.value_as(right, self._expressions.value_type(left))
        self._expressions.memory.write(place, value)
        return self._as_stored(place, value)

    def compound_assignment(self, node: SyntaxNode) -> Term:
        """``left op= right``."""
        left, right = node.children
        operator = int(COMPUTED_BY[Binary(node.binary_operator)])
        place = self._settled(self._expressions.place(left, is_accessed=True), right)
        ctype = self._expressions.value_type(left)
        value = self._expressions.stable(self._expressions.value(right), right)
        if isinstance(ctype, PointerType):
            index = self._expressions.index(value, right)
            return self._moved(place, ctype, operator, index, keeps_old=False)[1]
        computed, operand = self._operand(ctype, operator, value, right)
        if operator in (Binary.DIV, Binary.REM):  # of all others, what is stored is the same
            self._expressions.wide_bit_fields.settle(node.children, operator, [operand])
        return self._computed(place, ctype, computed, operator, operand, node, keeps_old=False)[1]

    def step(self, node: SyntaxNode, *, is_used: bool = True) -> Term:
        """``x++`` and its kin; the old value is not kept where the value is not used."""
        operand = node.children[0]
        place = self._expressions.place(operand, is_accessed=True)
        ctype = self._expressions.value_type(operand)
        operator = STEPS[Unary(node.unary_operator)]
        keeps_old = is_used and node.unary_operator in _POSTFIX
        if isinstance(ctype, PointerType):
            one = self._terms.bv(1, 8 * ctype.size)
            old, new = self._moved(place, ctype, operator, one, keeps_old=keeps_old)
        else:
            computed = promoted(ctype)
            one = self._expressions.literal(1, computed)
            old, new = self._computed(place, ctype, computed, operator, one, node, keeps_old=keeps_old)
        return old if keeps_old else new

    def _settled(self, place: Place, *later: SyntaxNode) -> Place:
        """A place that what is evaluated later does not move."""
        if isinstance(place, MemoryPlace | BitFieldPlace):
            return replace(place, address=self._expressions.stable(place.address, *later))
        return place

    def _operand(self, ctype: CType, operator: int, value: Term, node: SyntaxNode) -> tuple[CType, Term]:
        """The type in which a compound assignment computes, and its right operand in that type."""
        if operator in SHIFTS:
            computed, amount_type = promoted(ctype), promoted(self._expressions.value_type(node))
            amount = self._expressions.converted(value, node, amount_type)
            return computed, wide_shift_amount(self._emitter, amount, amount_type, computed)
        computed = common_type(ctype, self._expressions.value_type(node))
        return computed, self._expressions.converted(value, node, computed)

    def _moved(
        self, place: Place, ctype: PointerType, operator: int, index: Term, *, keeps_old: bool
    ) -> tuple[Term, Term]:
        step = self._terms.neg(index) if operator == Binary.SUB else index
        pointers, size = self._expressions.pointers, ctype.pointee.size
        return self._changed(
            place, lambda old: pointers.moved(old, step, size), lambda _: None, keeps_old=keeps_old
        )

    def _computed(
        self,
        place: Place,
        ctype: CType,
        computed: CType,
        operator: int,
        operand: Term,
        node: SyntaxNode,
        *,
        keeps_old: bool,
    ) -> tuple[Term, Term]:
        def new(old: Term) -> Term:
            wide = convert(self._terms, old, ctype, computed)
            result = self._arithmetic.compute(operator, wide, operand, computed)
            return self._expressions.convert(result, computed, ctype, lambda: c_text(node))

        def check(old: Term) -> None:
            if isinstance(computed, IntegerType):
                wide = convert(self._terms, old, ctype, computed)
                self._arithmetic.check(operator, wide, operand, computed, lambda: c_text(node))

        may_not_fit = isinstance(computed, FloatType) and isinstance(ctype, IntegerType)
        return self._changed(place, new, check, keeps_old=keeps_old, is_term=not may_not_fit)

    def _changed(
        self,
        place: Place,
        new: Callable[[Term], Term],
        check: Callable[[Term], None],
        *,
        keeps_old: bool,
        is_term: bool = True,
    ) -> tuple[Term, Term]:
        """Replace the value of a place by a function of it; the old and the new value.

        Atomic objects change in one step; others are read, then written. Where the new value is no term of
        the old one, reading and writing an atomic object are one section.
        """
        memory = self._expressions.memory
        is_atomic = isinstance(place, MemoryPlace) and memory.access(place).is_atomic
        if is_atomic and not is_term:
            with self._emitter.section():
                return self._changed_by_steps(place, new, check, keeps_old=keeps_old)
        if is_atomic and is_term:
            assert isinstance(place, MemoryPlace)
            access = memory.access(place)
            target = self._emitter.temporary(access.sort)
            self._emitter.emit(Update(target, access, new(target.term)))
            check(target.term)
            return target.term, new(target.term)
        return self._changed_by_steps(place, new, check, keeps_old=keeps_old)

    def _changed_by_steps(
        self, place: Place, new: Callable[[Term], Term], check: Callable[[Term], None], *, keeps_old: bool
    ) -> tuple[Term, Term]:
        memory = self._expressions.memory
        old = memory.read(place)
        check(old)
        changed = new(old)
        if isinstance(place, RegisterPlace) and keeps_old:
            old = self._emitter.saved(old)
        memory.write(place, changed)
        return old, self._as_stored(place, changed)

    def _as_stored(self, place: Place, value: Term) -> Term:
        """What reading the place now would give."""
        if isinstance(place, BitFieldPlace) and isinstance(place.ctype, IntegerType):
            bits = self._terms.extract(value, place.width - 1, 0)
            return self._terms.resize(bits, place.ctype.width, signed=place.ctype.is_signed)
        return place.register.term if isinstance(place, RegisterPlace) else value
