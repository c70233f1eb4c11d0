"""Evaluating terms when some values are undetermined.

Fast where nothing is undetermined; otherwise the term is walked. What is computed from undetermined values is
a term over them (``Computed``); comparisons are decided from what is known of them, and
:class:`NeedsSplitError` says how to tell cases apart that would answer differently.
"""

from collections.abc import Callable, Mapping

from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.logic.operators import MEANING, Op
from sley.logic.sorts import BOOL, BitVecSort, Sort
from sley.logic.terms import Term, Terms
from sley.program.instructions import Cause
from sley.semantics.consistency import Consistency
from sley.semantics.expressions import PythonSource, compile_term
from sley.semantics.knowledge import (
    FALSE,
    TRUE,
    ValueKnowledge,
    as_term,
    inputs_of,
    number_of,
    variable_of,
    within,
)
from sley.semantics.preimages import satisfying
from sley.semantics.values import (
    Computed,
    NeedsSplitError,
    Open,
    Ranges,
    Undetermined,
    complement,
    intersection,
    members,
    size_of,
)

LARGEST_ENUMERATION = 1024
"""Sets of up to this many possible values are enumerated when the value itself is needed."""

MOST_CASES = 64
"""Something that is computed from large sets may have so many values when the value itself is needed."""

NULL = ((0, 0),)

SMALL = ((0, 3),)
"""Numbers from which sizes of blocks are computed that are tried before all are given up on."""

_COMPARISONS = (Op.EQ, Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE)


class Evaluator:
    """Evaluates terms of one arena over values that may be undetermined.

    Without a solver, only questions about one of them alone are answered.
    """

    def __init__(self, terms: Terms, consistency: Consistency | None = None) -> None:
        self.terms = terms
        self.consistency = consistency
        self._source = PythonSource(terms)
        self._compiled: dict[Term, Callable[[Mapping[Term, object]], object]] = {}
        self._ranges: dict[Term, Ranges | None] = {}
        """Conditions on one variable -> where they hold."""

    def value(self, term: Term, values: Mapping[Term, object]) -> object:
        """The value of ``term``: a number, a truth value, or an undetermined value passed on whole."""
        function = self._compiled.get(term)
        if function is None:
            function = self._compiled[term] = compile_term(self._source, term)
        try:
            return function(values)
        except TypeError:
            if not any(isinstance(values[v], Open) for v in self.terms.variables(term)):
                raise
            return self._partial(term, values)

    def number(self, term: Term, values: Mapping[Term, object]) -> int:
        """The value of a bit-vector term, which must be determined."""
        return self._only(self.value(term, values))

    def address(self, term: Term, values: Mapping[Term, object]) -> int:
        """The value of a pointer: an arbitrary one may be null, which is worth a case of its own."""
        value = self.value(term, values)
        if isinstance(value, Undetermined) and value.size > 1 and intersection(value.ranges, NULL):
            raise NeedsSplitError(value, (NULL, intersection(value.ranges, complement(NULL, 128))))
        return self._only(value)

    def size(self, term: Term, values: Mapping[Term, object]) -> int:
        """The size of a block: if it may be anything, small ones are tried first, and others given up on."""
        value = self.value(term, values)
        try:
            return self._only(value)
        except GaveUpError:
            assert isinstance(value, Open)
            one = self._smallest(value)
            if not intersection(one.ranges, SMALL):
                raise
            small: tuple[Ranges, ...] = tuple(((n, n),) for n in members(intersection(one.ranges, SMALL)))
            rest = intersection(one.ranges, complement(SMALL, one.width))
            known = ValueKnowledge.of(self.terms, (value,))
            raise self._enumeration(known, one, (*small, rest) if rest else small) from None

    def _smallest(self, value: Open) -> Undetermined:
        """Of the undetermined values that a value is computed from, the one with the smallest set."""
        if isinstance(value, Undetermined):
            return value
        variables = self.terms.variables(value.term)
        return min((v for v in value.inputs if variable_of(self.terms, v) in variables), key=lambda v: v.size)

    def _only(self, value: object) -> int:
        """The number that a value must be: if it may be a few, they are told apart first."""
        if not isinstance(value, Computed) or self.consistency is None:
            if isinstance(value, Open):
                raise enumeration(value)
            assert isinstance(value, int)
            return value
        smallest = self._smallest(value)
        if smallest.size <= LARGEST_ENUMERATION:
            every: tuple[Ranges, ...] = tuple(((n, n),) for n in members(smallest.ranges))
            raise self._enumeration(ValueKnowledge.of(self.terms, (value,)), smallest, every)
        cases = self._cases(value)
        if len(cases) == 1:
            return cases[0]
        if len(cases) > MOST_CASES:
            raise enumeration(value)
        case = self.terms.eq(value.term, self.terms.bv(cases[0], self.terms.width(value.term)))
        raise self._question(ValueKnowledge.of(self.terms, (value,)), case)

    def _enumeration(
        self, known: ValueKnowledge, value: Undetermined, parts: tuple[Ranges, ...]
    ) -> NeedsSplitError:
        """Those of the parts that one of the values may be in."""
        variable = variable_of(self.terms, value)
        whole = known.value(variable)
        if isinstance(whole, Undetermined):
            return NeedsSplitError(whole, parts)
        assert isinstance(whole, Computed)
        cases = ((part, within(self.terms, variable, part)) for part in parts)
        return NeedsSplitError(whole, tuple(part for part, case in cases if self._is_possible(known, case)))

    def _cases(self, value: Computed) -> list[int]:
        """What a value may be: all of it, or more than enough."""
        assert self.consistency is not None
        formulas = {*ValueKnowledge.of(self.terms, (value,)).formulas()}
        found: list[int] = []
        while len(found) <= MOST_CASES:
            model = self.consistency.model(frozenset(formulas), (value.term,))
            if model is None:
                break
            found += model
            formulas.add(self.terms.ne(value.term, self.terms.bv(model[0], self.terms.width(value.term))))
        return found

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
        sorts = tuple(t.sort(a) for a in t.args(term))
        open_values = [v for v in values if isinstance(v, Open)]
        if not open_values:
            return MEANING[op](values, sorts, t.sort(term), t.payload(term))
        if op in _COMPARISONS and values[0] == values[1]:
            return op in (Op.EQ, Op.BVULE, Op.BVSLE)
        if not all(isinstance(sort, BitVecSort) for sort in (*sorts, *self._result(term))):
            return self._of_floats(op, values)
        args = [as_term(t, v, s.width) for v, s in zip(values, sorts, strict=True)]  # type: ignore[arg-type,union-attr]
        made = t.make(op, args, t.payload(term))
        known = ValueKnowledge.of(t, open_values)
        return self._truth(known, made) if t.is_boolean(made) else known.value(made)

    def _result(self, term: Term) -> tuple[Sort, ...]:
        """The sort of what is neither true nor false."""
        sort = self.terms.sort(term)
        return () if sort == BOOL else (sort,)

    def _of_floats(self, op: Op, values: list[object]) -> bool:
        """Only equality of their bits is decided; for everything else they have to be known."""
        for value, other in (values, values[::-1]) if op is Op.EQ else ():
            if isinstance(value, Undetermined) and isinstance(other, int):
                return decide(value, ((other, other),))
        raise enumeration(min((v for v in values if isinstance(v, Open)), key=lambda v: inputs_of(v)[0].size))

    def _truth(self, known: ValueKnowledge, condition: Term) -> bool:
        """Whether a condition holds; if it does for some of the possible values only, split."""
        t = self.terms
        if not t.has_variables(condition):
            return condition == t.true
        if known.facts & {condition, t.not_(condition)}:
            return condition in known.facts
        variables = t.variables(condition)
        if len(variables) == 1 and (ranges := self._satisfying(condition)) is not None:
            value = known.value(variables[0])
            if isinstance(value, Undetermined):
                return decide(value, ranges)
            condition = within(t, variables[0], ranges)
        if self.consistency is None:
            numbers = [number_of(t, v) for v in variables]
            raise enumeration(min((known.inputs[n] for n in numbers), key=lambda v: v.size))
        if not self._is_possible(known, condition):
            return False
        if not self._is_possible(known, t.not_(condition)):
            return True
        raise self._question(known, condition)

    def _satisfying(self, condition: Term) -> Ranges | None:
        if condition not in self._ranges:
            self._ranges[condition] = satisfying(self.terms, condition)
        return self._ranges[condition]

    def is_in(self, value: Open, ranges: Ranges) -> bool:
        """Whether a value is in a set."""
        if isinstance(value, Undetermined):
            return decide(value, ranges)
        known = ValueKnowledge.of(self.terms, (value,))
        return self._truth(known, within(self.terms, value.term, ranges))

    def _question(self, known: ValueKnowledge, condition: Term) -> NeedsSplitError:
        value = known.value(condition)
        assert isinstance(value, Computed)
        return NeedsSplitError(value, (TRUE, FALSE))

    def _is_possible(self, known: ValueKnowledge, condition: Term) -> bool:
        assert self.consistency is not None
        return self.consistency.is_possible(frozenset((*known.formulas(), condition)))


def decide(value: Undetermined, satisfying: Ranges) -> bool:
    """Whether the value is in the set; if only some of its possible values are, split."""
    inside = intersection(value.ranges, satisfying)
    if not inside:
        return False
    if inside == value.ranges:
        return True
    outside = intersection(value.ranges, complement(satisfying, 128))
    assert outside, "ranges not normal"
    # the smaller one first: so the exit of a loop that an input bounds comes before all of its rounds
    raise NeedsSplitError(
        value, (outside, inside) if size_of(outside) < size_of(inside) else (inside, outside)
    )


def enumeration(value: Open) -> Exception:
    """What to raise when the value itself is needed: try all, if they are few."""
    one = min(inputs_of(value), key=lambda v: v.size)
    if one.size <= LARGEST_ENUMERATION and not (isinstance(value, Computed) and value.facts):
        return NeedsSplitError(one, tuple(((n, n),) for n in members(one.ranges)))
    if one.cause is Cause.LAYOUT:
        return GaveUpError(Reason(f"what happens depends on {one.text}", Why.LEFT_OPEN, one.text))
    what = f"`{one.text}`" if one.text else "an arbitrary value"
    text = f"{what} ({one.cause.value}) has too many possible values to enumerate"
    if not one.text:
        is_unset = one.cause is Cause.UNINITIALISED
        return GaveUpError(Reason(text, Why.UNINITIALISED if is_unset else Why.INPUT))
    why = _MANY_VALUES.get(one.cause)
    return GaveUpError(text if why is None else Reason(text, why, what))


_MANY_VALUES = {
    Cause.INPUT: Why.INPUT,
    Cause.UNMODELLED: Why.NO_MODEL,
    Cause.UNINITIALISED: Why.UNINITIALISED,
}
"""What is behind a value with too many possibilities."""
