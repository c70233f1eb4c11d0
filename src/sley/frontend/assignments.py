"""Assignments: plain, compound, and by one."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from sley.frontend.arithmetic import SHIFTS, wide_shift_amount
from sley.frontend.c_types import IntegerType, PointerType, RecordType, common_type, promoted
from sley.frontend.clang_library import COMPUTED_BY, Binary
from sley.frontend.conversions import convert
from sley.frontend.places import BitFieldPlace, MemoryPlace, Place, RegisterPlace
from sley.frontend.syntax import Node
from sley.frontend.writing import c_text
from sley.logic.terms import Term
from sley.program.instructions import Update

if TYPE_CHECKING:
    from sley.frontend.expressions import Expressions


class Assignments:
    """What the expressions of one function assign."""

    def __init__(self, expressions: "Expressions") -> None:
        self._expressions = expressions
        self._emitter = expressions.emitter
        self._terms = expressions.terms

    def step(self, node: Node, operator: Binary, is_postfix: bool) -> Term:  # noqa: FBT001 - from a table
        operand = node.children[0]
        place = self._expressions.place(operand)
        ctype = self._expressions.value_type(operand)
        computed = promoted(ctype)

        def new(old: Term) -> Term:
            if isinstance(ctype, PointerType):
                amount = self._terms.bv(1 if operator is Binary.ADD else -1, 8 * ctype.size)
                return self._expressions.pointers.moved(old, amount, ctype.pointee.size)
            wide = convert(self._terms, old, ctype, computed)
            one = self._expressions.literal(1, computed)
            return convert(
                self._terms,
                self._expressions.arithmetic.compute(operator, wide, one, computed),
                computed,
                ctype,
            )

        def check(old: Term) -> None:
            if isinstance(computed, IntegerType):
                wide = convert(self._terms, old, ctype, computed)
                self._expressions.arithmetic.check(
                    operator, wide, self._expressions.literal(1, computed), computed, c_text(node)
                )

        old, changed = self._changed(place, new, check, keeps_old=is_postfix)
        return old if is_postfix else changed

    def _changed(
        self, place: Place, new: Callable[[Term], Term], check: Callable[[Term], None], *, keeps_old: bool
    ) -> tuple[Term, Term]:
        """Replace the value of a place by a function of it; the old and the new value.

        Atomic objects change in one step; others are read, then written.
        """
        if isinstance(place, MemoryPlace) and self._expressions.memory.access(place).is_atomic:
            access = self._expressions.memory.access(place)
            target = self._emitter.temporary(access.sort)
            self._emitter.emit(Update(target, access, new(target.term)))
            check(target.term)
            return target.term, new(target.term)
        old = self._expressions.memory.read(place)
        check(old)
        changed = new(old)
        if isinstance(place, RegisterPlace):
            if keeps_old:
                old = self._emitter.saved(old)
            self._expressions.memory.write(place, changed)
            return old, place.register.term
        self._expressions.memory.write(place, changed)
        return old, self._as_stored(place, changed)

    def _as_stored(self, place: Place, value: Term) -> Term:
        """What reading the place now would give."""
        if isinstance(place, BitFieldPlace) and isinstance(place.ctype, IntegerType):
            bits = self._terms.extract(value, place.width - 1, 0)
            return self._terms.resize(bits, place.ctype.width, signed=place.ctype.is_signed)
        return place.register.term if isinstance(place, RegisterPlace) else value

    def assignment(self, node: Node, left: Node, right: Node) -> Term:
        place = self._expressions.place(left)
        if isinstance(place, MemoryPlace):
            place = replace(place, address=self._expressions.stable(place.address, right))
        if isinstance(place.ctype, RecordType):
            assert isinstance(place, MemoryPlace)
            self._expressions.aggregates.copy(place, self._expressions.value(right), c_text(right), node)
            return place.address
        value = self._expressions.value_as(right, self._expressions.value_type(left))
        self._expressions.memory.write(place, value)
        return self._as_stored(place, value)

    def compound_assignment(self, node: Node) -> Term:
        left, right = node.children
        operator = int(COMPUTED_BY[Binary(node.binary_operator)])
        place = self._expressions.place(left)
        ctype = self._expressions.value_type(left)
        if isinstance(place, MemoryPlace):
            place = replace(place, address=self._expressions.stable(place.address, right))
        operand = (
            self._emitter.saved(self._expressions.value(right))
            if right.assigns
            else self._expressions.value(right)
        )
        if isinstance(ctype, PointerType):
            index = self._expressions.index(operand, right)
            index = self._terms.neg(index) if operator == Binary.SUB else index
            size = ctype.pointee.size
            return self._changed(
                place,
                lambda old: self._expressions.pointers.moved(old, index, size),
                lambda _: None,
                keeps_old=False,
            )[1]
        if operator in SHIFTS:
            computed = promoted(ctype)
            amount_type = promoted(self._expressions.value_type(right))
            amount = self._expressions.converted(operand, right, amount_type)
            b = wide_shift_amount(self._emitter, amount, amount_type, computed)
        else:
            computed = common_type(ctype, self._expressions.value_type(right))
            b = self._expressions.converted(operand, right, computed)

        def new(old: Term) -> Term:
            wide = convert(self._terms, old, ctype, computed)
            return convert(
                self._terms,
                self._expressions.arithmetic.compute(operator, wide, b, computed),
                computed,
                ctype,
            )

        def check(old: Term) -> None:
            wide = convert(self._terms, old, ctype, computed)
            self._expressions.arithmetic.check(operator, wide, b, computed, c_text(node))

        return self._changed(place, new, check, keeps_old=False)[1]
