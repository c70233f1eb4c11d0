"""Evaluating terms when some values are undetermined.

Fast where nothing is undetermined; otherwise the term is walked, comparisons are decided from the sets of
possible values, and :class:`NeedsSplitError` says how to cut a set whose members would answer differently.
"""

from collections.abc import Callable, Mapping

from sley.base.errors import GaveUpError
from sley.logic.operators import MEANING, Op
from sley.logic.sorts import BOOL, BitVecSort
from sley.logic.terms import Term, Terms
from sley.program.instructions import Cause
from sley.semantics.expressions import PythonSource, compile_term
from sley.semantics.values import (
    NeedsSplitError,
    Ranges,
    Undetermined,
    complement,
    intersection,
    members,
)

LARGEST_ENUMERATION = 1024
"""Sets of up to this many possible values are enumerated when the value itself is needed."""

NULL = ((0, 0),)

_COMPARISONS = (Op.EQ, Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE)


class Evaluator:
    """Evaluates terms of one arena over values that may be undetermined."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._source = PythonSource(terms)
        self._compiled: dict[Term, Callable[[Mapping[Term, object]], object]] = {}

    def value(self, term: Term, values: Mapping[Term, object]) -> object:
        """The value of ``term``: a number, a truth value, or an undetermined value passed on whole."""
        function = self._compiled.get(term)
        if function is None:
            function = self._compiled[term] = compile_term(self._source, term)
        try:
            return function(values)
        except TypeError:
            if not any(isinstance(values[v], Undetermined) for v in self.terms.variables(term)):
                raise
            return self._partial(term, values)

    def number(self, term: Term, values: Mapping[Term, object]) -> int:
        """The value of a bit-vector term, which must be determined."""
        value = self.value(term, values)
        if isinstance(value, Undetermined):
            raise enumeration(value)
        assert isinstance(value, int)
        return value

    def address(self, term: Term, values: Mapping[Term, object]) -> int:
        """The value of a pointer: an arbitrary one may be null, which is worth a case of its own."""
        value = self.value(term, values)
        if isinstance(value, int):
            return value
        assert isinstance(value, Undetermined)
        if value.size > 1 and intersection(value.ranges, NULL):
            rest = intersection(value.ranges, complement(NULL, 128))
            raise NeedsSplitError(value, (NULL, rest))
        raise enumeration(value)

    def truth(self, term: Term, values: Mapping[Term, object]) -> bool:
        """The value of a Boolean term."""
        value = self.value(term, values)
        assert isinstance(value, bool)
        return value

    def _partial(self, term: Term, values: Mapping[Term, object]) -> object:
        t = self.terms
        op = t.op(term)
        args = t.args(term)
        match op:
            case Op.CONST:
                return t.value(term)
            case Op.VAR:
                return values[term]
            case Op.NOT:
                return not self._partial(args[0], values)
            case Op.AND:
                return all(self._partial(a, values) for a in args)
            case Op.OR:
                return any(self._partial(a, values) for a in args)
            case Op.ITE:
                return self._partial(args[1] if self._partial(args[0], values) else args[2], values)
            case Op.ZERO_EXTEND:
                return self._partial(args[0], values)
            case _:
                return self._operation(term, op, [self._partial(a, values) for a in args])

    def _operation(self, term: Term, op: Op, values: list[object]) -> object:
        t = self.terms
        open_values = [v for v in values if isinstance(v, Undetermined)]
        if op in _COMPARISONS and t.sort(t.args(term)[0]) != BOOL and open_values:
            return self._comparison(term, op, values)
        if open_values:
            raise enumeration(open_values[0])
        sorts = tuple(t.sort(a) for a in t.args(term))
        return MEANING[op](values, sorts, t.sort(term), t.payload(term))

    def _comparison(self, term: Term, op: Op, values: list[object]) -> bool:
        a, b = values
        if a == b:
            return op in (Op.EQ, Op.BVULE, Op.BVSLE)
        if isinstance(a, Undetermined) and isinstance(b, Undetermined):
            raise enumeration(a if a.size <= b.size else b)
        sort = self.terms.sort(self.terms.args(term)[0])
        width = sort.width if isinstance(sort, BitVecSort) else 64
        if isinstance(a, Undetermined):
            assert isinstance(b, int)
            return decide(a, _satisfying(op, b, width, is_left=True))
        assert isinstance(a, int)
        assert isinstance(b, Undetermined)
        return decide(b, _satisfying(op, a, width, is_left=False))


def decide(value: Undetermined, satisfying: Ranges) -> bool:
    """Whether the value is in the set; if only some of its possible values are, split."""
    inside = intersection(value.ranges, satisfying)
    if not inside:
        return False
    if inside == value.ranges:
        return True
    outside = intersection(value.ranges, complement(satisfying, 128))
    raise NeedsSplitError(value, (inside, outside)) if outside else AssertionError("ranges not normal")


def enumeration(value: Undetermined) -> Exception:
    """What to raise when the value itself is needed: try all, if they are few."""
    if value.size <= LARGEST_ENUMERATION:
        return NeedsSplitError(value, tuple(((n, n),) for n in members(value.ranges)))
    if value.cause is Cause.LAYOUT:
        return GaveUpError(f"what happens depends on {value.text}")
    what = f"`{value.text}`" if value.text else "an arbitrary value"
    return GaveUpError(f"{what} ({value.cause.value}) has too many possible values to enumerate")


def _satisfying(op: Op, other: int, width: int, *, is_left: bool) -> Ranges:
    """The numbers x with ``x op other`` (or ``other op x`` if x is on the right)."""
    top = (1 << width) - 1
    sign = 1 << (width - 1)
    match op:
        case Op.EQ:
            return ((other, other),)
        case Op.BVULT | Op.BVULE:
            slack = 0 if op is Op.BVULE else 1
            return _interval(0, other - slack) if is_left else _interval(other + slack, top)
        case _:
            # signed: shift the order so that it becomes the unsigned one, then shift back
            slack = 0 if op is Op.BVSLE else 1
            shifted = other ^ sign
            low, high = (0, shifted - slack) if is_left else (shifted + slack, top)
            if low > high:
                return ()
            negative = _interval(max(low, 0) + sign, min(high, sign - 1) + sign) if low < sign else ()
            positive = _interval(max(low, sign) - sign, high - sign) if high >= sign else ()
            return tuple(sorted(_merged(positive + negative)))


def _interval(low: int, high: int) -> Ranges:
    return ((low, high),) if low <= high else ()


def _merged(ranges: Ranges) -> Ranges:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and merged[-1][1] + 1 >= low:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)
