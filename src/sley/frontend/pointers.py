"""Pointer arithmetic on bit-vectors that hold an object's number and an offset."""

from sley.frontend.conversions import signed_range
from sley.logic.operators import Op
from sley.logic.terms import Term, Terms
from sley.program.memory import PointerLayout


class PointerArithmetic:
    """Sums and differences; steps too large for the offset give a pointer to nothing."""

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
