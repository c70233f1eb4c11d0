"""C's arithmetic on terms: which operator a type asks for, and what can go wrong before it.

Checks are written only where the operands do not rule the error out.
"""

from collections.abc import Callable

from sley.frontend.c_types import CType, FloatType, IntegerType
from sley.frontend.clang_library import Binary
from sley.frontend.conversions import signed_range
from sley.frontend.emitter import Emitter
from sley.logic.operators import Op
from sley.logic.terms import Term, Terms
from sley.program.memory import PointerLayout
from sley.program.properties import Failure, Property

Text = Callable[[], str]
"""The C text of an operation; asked for only where a check needs it."""

_OVERFLOW_TEST = {Binary.ADD: Op.SADDO, Binary.SUB: Op.SSUBO, Binary.MUL: Op.SMULO}
_PLAIN = {
    Binary.ADD: Op.BVADD,
    Binary.SUB: Op.BVSUB,
    Binary.MUL: Op.BVMUL,
    Binary.AND: Op.BVAND,
    Binary.OR: Op.BVOR,
    Binary.XOR: Op.BVXOR,
    Binary.SHL: Op.BVSHL,
}
_BY_SIGN = {
    Binary.DIV: (Op.BVUDIV, Op.BVSDIV),
    Binary.REM: (Op.BVUREM, Op.BVSREM),
    Binary.SHR: (Op.BVLSHR, Op.BVASHR),
}
_FLOAT = {Binary.ADD: Op.FP_ADD, Binary.SUB: Op.FP_SUB, Binary.MUL: Op.FP_MUL, Binary.DIV: Op.FP_DIV}
COMPARISONS = frozenset({Binary.LT, Binary.GT, Binary.LE, Binary.GE, Binary.EQ, Binary.NE})
SHIFTS = frozenset({Binary.SHL, Binary.SHR})


class Arithmetic:
    """Arithmetic operators, with their checks written to the emitter."""

    def __init__(self, emitter: Emitter) -> None:
        self._emitter = emitter
        self._terms = emitter.terms

    def binary(self, operator: int, a: Term, b: Term, ctype: CType, text: Text) -> Term:
        """``a operator b`` for operands of one type (of shifts: ``b`` has the width of ``a``)."""
        self.check(operator, a, b, ctype, text)
        return self.compute(operator, a, b, ctype)

    def compute(self, operator: int, a: Term, b: Term, ctype: CType) -> Term:
        """The value alone."""
        op = Binary(operator)
        if isinstance(ctype, FloatType):
            return self._terms.make(_FLOAT[op], (a, b))
        if op in _BY_SIGN:
            unsigned, signed = _BY_SIGN[op]
            is_signed = isinstance(ctype, IntegerType) and ctype.is_signed
            return self._terms.apply(signed if is_signed else unsigned, a, b)
        return self._terms.apply(_PLAIN[op], a, b)

    def check(self, operator: int, a: Term, b: Term, ctype: CType, text: Text) -> None:
        """Write what must hold before the operation."""
        if not isinstance(ctype, IntegerType):
            return
        match operator:
            case Binary.ADD | Binary.SUB | Binary.MUL if ctype.is_signed:
                self._check_overflow(Binary(operator), a, b, text)
            case Binary.DIV | Binary.REM:
                self._check_division(a, b, ctype, text)
            case Binary.SHL | Binary.SHR:
                self._check_shift(operator, a, b, ctype, text)
            case _:
                pass

    def _check_overflow(self, operator: Binary, a: Term, b: Term, text: Text) -> None:
        terms = self._terms
        (a_low, a_high), (b_low, b_high) = signed_range(terms, a), signed_range(terms, b)
        match operator:
            case Binary.ADD:
                corners = [a_low + b_low, a_high + b_high]
            case Binary.SUB:
                corners = [a_low - b_high, a_high - b_low]
            case _:
                corners = [x * y for x in (a_low, a_high) for y in (b_low, b_high)]
        limit = 1 << (terms.width(a) - 1)
        if -limit <= min(corners) and max(corners) < limit:
            return
        fine = terms.not_(terms.apply(_OVERFLOW_TEST[operator], a, b))
        self._overflow(fine, text)

    def _check_division(self, a: Term, b: Term, ctype: IntegerType, text: Text) -> None:
        terms, width = self._terms, ctype.width
        fine = terms.ne(b, terms.bv(0, width))
        if fine != terms.true:
            failure = Failure(Property.DIVISION, "division-by-zero", "division by zero", text())
            self._emitter.check(fine, failure)
        if ctype.is_signed:
            smallest, minus_one = terms.bv(1 << (width - 1), width), terms.bv(-1, width)
            overflows = terms.and_(terms.eq(a, smallest), terms.eq(b, minus_one))
            self._overflow(terms.not_(overflows), text)

    def _check_shift(self, operator: int, a: Term, b: Term, ctype: IntegerType, text: Text) -> None:
        terms, width = self._terms, ctype.width
        in_range = terms.ult(b, terms.bv(width, width))
        if in_range != terms.true:
            failure = Failure(Property.OVERFLOW, "shift-amount", "shift amount out of range", text())
            self._emitter.check(in_range, failure)
        if operator == Binary.SHL and ctype.is_signed:
            back = terms.apply(Op.BVASHR, terms.apply(Op.BVSHL, a, b), b)
            fits = terms.and_(terms.sle(terms.bv(0, width), a), terms.eq(back, a))
            self._overflow(fits, text)

    def negative(self, a: Term, ctype: CType, text: Text) -> Term:
        """``-a``."""
        terms = self._terms
        if isinstance(ctype, FloatType):
            return terms.make(Op.FP_NEG, (a,))
        assert isinstance(ctype, IntegerType)
        if ctype.is_signed:
            smallest = -(1 << (ctype.width - 1))
            if signed_range(terms, a)[0] == smallest:
                self._overflow(terms.ne(a, terms.bv(smallest, ctype.width)), text)
        return terms.neg(a)

    def compare(self, operator: int, a: Term, b: Term, ctype: CType) -> Term:
        """A comparison as a truth value."""
        terms = self._terms
        if operator in (Binary.GT, Binary.GE):
            a, b = b, a
            operator = Binary.LT if operator == Binary.GT else Binary.LE
        if isinstance(ctype, FloatType):
            return self._compare_floats(operator, a, b)
        is_signed = isinstance(ctype, IntegerType) and ctype.is_signed
        match operator:
            case Binary.EQ:
                return terms.eq(a, b)
            case Binary.NE:
                return terms.ne(a, b)
            case Binary.LT:
                return terms.slt(a, b) if is_signed else terms.ult(a, b)
            case _:
                return terms.sle(a, b) if is_signed else terms.ule(a, b)

    def _compare_floats(self, operator: int, a: Term, b: Term) -> Term:
        terms = self._terms
        match operator:
            case Binary.EQ:
                return terms.make(Op.FP_EQ, (a, b))
            case Binary.NE:
                return terms.not_(terms.make(Op.FP_EQ, (a, b)))
            case Binary.LT:
                return terms.make(Op.FP_LT, (a, b))
            case _:
                return terms.make(Op.FP_LE, (a, b))

    def _overflow(self, fine: Term, text: Text) -> None:
        if fine != self._terms.true:
            failure = Failure(Property.OVERFLOW, "signed-overflow", "signed overflow", text())
            self._emitter.check(fine, failure)


def wide_shift_amount(emitter: Emitter, amount: Term, source: CType, target: CType) -> Term:
    """The right operand of a shift in the width of the left one; a cut amount stays out of range."""
    terms = emitter.terms
    assert isinstance(source, IntegerType)
    assert isinstance(target, IntegerType)
    if source.width <= target.width:
        return terms.resize(amount, target.width, signed=source.is_signed)
    limit = terms.bv(target.width, source.width)
    cut = terms.extract(amount, target.width - 1, 0)
    return terms.ite(terms.ult(amount, limit), cut, terms.bv(-1, target.width))


class PointerArithmetic:
    """Pointers hold the number of an object and an offset; steps too large for that give one to nothing."""

    def __init__(self, terms: Terms, layout: PointerLayout) -> None:
        self._terms = terms
        self._layout = layout

    def moved(self, pointer: Term, index: Term, size: int) -> Term:
        """``pointer`` plus ``index`` (a signed number of pointer width) elements of ``size`` bytes."""
        terms, width = self._terms, self._layout.width
        step = terms.mul(index, terms.bv(size, width))
        target = terms.add(pointer, step)
        limit = self._layout.largest_object // size if size else 0
        low, high = signed_range(terms, index)
        if size == 0 or (-limit <= low and high < limit):
            return target
        in_range = terms.ult(terms.add(index, terms.bv(limit, width)), terms.bv(2 * limit, width))
        return terms.ite(in_range, target, terms.bv(self._layout.wild, width))

    def moved_variably(self, pointer: Term, index: Term, size: Term) -> Term:
        """``pointer`` plus ``index`` elements of ``size`` bytes, at most that of the largest object."""
        terms, width = self._terms, self._layout.width
        step = terms.mul(terms.sign_extend(index, width), terms.zero_extend(size, width))
        limit = self._layout.largest_object
        is_near = terms.ult(terms.add(step, terms.bv(limit, 2 * width)), terms.bv(2 * limit, 2 * width))
        target = terms.add(pointer, terms.extract(step, width - 1, 0))
        return terms.ite(is_near, target, terms.bv(self._layout.wild, width))

    def difference(self, a: Term, b: Term, size: int) -> Term:
        """``a - b`` in elements of ``size`` bytes."""
        terms, width = self._terms, self._layout.width
        distance = terms.sub(a, b)
        if size <= 1:
            return distance
        if size & (size - 1) == 0:
            return terms.apply(Op.BVASHR, distance, terms.bv(size.bit_length() - 1, width))
        return terms.apply(Op.BVSDIV, distance, terms.bv(size, width))
