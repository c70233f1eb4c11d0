"""What is known of undetermined values: the numbers that each may be, and what holds between them.

The facts about a value travel with it (``Computed``), so whoever has a value knows all that the state knows
of it. Numbers that nothing in a state refers to any more may still occur in facts: there is *some* value for
each of them.

Laws. ``narrowed`` keeps just the assignments in which the value is in the ranges; ``settled`` changes nothing
but how they are written. No fact is about one value alone if it can be said by its ranges, none says
that two values are equal (they are one then), and a value that can only be one number is that number.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from sley.logic.operators import Op
from sley.logic.sorts import bitvec
from sley.logic.terms import Substitution, Term, Terms
from sley.semantics.preimages import satisfying
from sley.semantics.roles import OpenRole
from sley.semantics.values import Computed, Open, Ranges, Undetermined, everything, intersection

TRUE, FALSE, EITHER = ((1, 1),), ((0, 0),), ((0, 1),)
"""What conditions may be."""


class ContradictionError(Exception):
    """No values are as they should be."""


def variable_of(terms: Terms, value: Undetermined) -> Term:
    """The variable that an undetermined value is in terms."""
    return terms.var(OpenRole(value.number, value.width), bitvec(value.width))


def term_of(terms: Terms, value: Open) -> Term:
    """The term that a value is."""
    return value.term if isinstance(value, Computed) else variable_of(terms, value)


def number_of(terms: Terms, variable: Term) -> int:
    """The number of the undetermined value that a variable is."""
    role = terms.symbol(variable)
    assert isinstance(role, OpenRole)
    return role.number


def inputs_of(value: object) -> tuple[Undetermined, ...]:
    """The undetermined values that something depends on."""
    if isinstance(value, Undetermined):
        return (value,)
    return value.inputs if isinstance(value, Computed) else ()


def numbers_of(value: object) -> frozenset[int]:
    """Their numbers."""
    return frozenset(one.number for one in inputs_of(value))


def as_term(terms: Terms, value: Open | int, width: int) -> Term:
    """A value as a term of that many bits."""
    if isinstance(value, int):
        return terms.bv(value, width)
    term = term_of(terms, value)
    return terms.zero_extend(term, width - terms.width(term))


def within(terms: Terms, term: Term, ranges: Ranges) -> Term:
    """That a term is in these ranges."""
    every = EITHER if terms.is_boolean(term) else everything(terms.width(term))
    ranges = intersection(ranges, every)
    if ranges == every:
        return terms.true
    if terms.is_boolean(term):
        return terms.or_(*(term if one == TRUE[0] else terms.not_(term) for one in ranges))
    return terms.or_(*(_between(terms, low, term, high) for low, high in ranges))


def _between(terms: Terms, low: int, term: Term, high: int) -> Term:
    first, last = (terms.bv(bound, terms.width(term)) for bound in (low, high))
    if low == high:
        return terms.eq(term, first)
    return terms.and_(terms.ule(first, term), terms.ule(term, last))


@dataclass(slots=True)
class ValueKnowledge:
    """Undetermined values by number, and what holds between them."""

    terms: Terms
    inputs: dict[int, Undetermined] = field(default_factory=dict)
    facts: frozenset[Term] = frozenset()

    @staticmethod
    def of(terms: Terms, values: Iterable[object]) -> "ValueKnowledge":
        """What is known of all these together."""
        found = ValueKnowledge(terms)
        for value in values:
            for one in inputs_of(value):
                found.inputs[one.number] = one
            if isinstance(value, Computed):
                found.facts |= value.facts
        return found

    def formulas(self) -> tuple[Term, ...]:
        """All that is known, as formulas."""
        sets = (within(self.terms, variable_of(self.terms, v), v.ranges) for v in self.inputs.values())
        return (*(one for one in sets if one != self.terms.true), *sorted(self.facts))

    def value(self, term: Term) -> Open | int:
        """What a term over the values is."""
        terms = self.terms
        while terms.op(term) is Op.ZERO_EXTEND:
            term = terms.args(term)[0]
        if (number := terms.number(term)) is not None:
            return number
        numbers, facts = self._connected({number_of(terms, v) for v in terms.variables(term)})
        if terms.is_var(term) and not facts:
            return self.inputs[number_of(terms, term)]
        return Computed(term, tuple(self.inputs[number] for number in sorted(numbers)), facts)

    def _connected(self, numbers: set[int]) -> tuple[set[int], frozenset[Term]]:
        """With these values all that facts lead to, and those facts."""
        open_facts = {
            fact: {number_of(self.terms, v) for v in self.terms.variables(fact)} for fact in self.facts
        }
        found: set[Term] = set()
        while more := [fact for fact, those in open_facts.items() if those & numbers]:
            for fact in more:
                numbers = numbers | open_facts.pop(fact)
                found.add(fact)
        return numbers, frozenset(found)

    def narrowed(self, value: Open, ranges: Ranges) -> "Narrowing":
        """What is known if the value is in the ranges as well."""
        known = ValueKnowledge(self.terms, dict(self.inputs), self.facts)
        known.learn(term_of(self.terms, value), ranges)
        return known.settled()

    def learn(self, term: Term, ranges: Ranges) -> None:
        """What a term is, is in these ranges."""
        if self.terms.is_var(term):
            self._restrict(number_of(self.terms, term), ranges)
        else:
            self.facts |= {within(self.terms, term, ranges)}

    def settled(self) -> "Narrowing":
        """The same in its normal form, and what became of the values."""
        known = ValueKnowledge(self.terms, dict(self.inputs), self.facts)
        replaced: dict[Term, Term] = {}
        while mapping := known._simplified():
            replace_all = self.terms.substitution(mapping)
            replaced = {old: replace_all(new) for old, new in replaced.items()} | mapping
        return Narrowing(known, replaced)

    def _restrict(self, number: int, ranges: Ranges) -> None:
        value = self.inputs[number]
        left = intersection(value.ranges, ranges)
        if not left:
            raise ContradictionError
        self.inputs[number] = replace(value, ranges=left)

    def _simplified(self) -> dict[Term, Term]:
        """Values that turn out to be a number, or another one; facts are without them then."""
        self._restrict_by_facts()
        mapping: dict[Term, Term] = {}
        for number, value in list(self.inputs.items()):
            (low, high), *rest = value.ranges
            if low == high and not rest:
                mapping[variable_of(self.terms, value)] = self.terms.bv(low, value.width)
                del self.inputs[number]
        if not mapping:
            mapping = self._equality()
        if mapping:
            replace_all = self.terms.substitution(mapping)
            self.facts = frozenset(map(replace_all, self.facts))
        return mapping

    def _restrict_by_facts(self) -> None:
        """Facts about one value become its ranges; what is always true is no fact."""
        terms = self.terms
        waiting, facts = list(self.facts), set[Term]()
        while waiting:
            fact = waiting.pop()
            variables = terms.variables(fact)
            if fact == terms.false:
                raise ContradictionError
            if terms.op(fact) is Op.AND:
                waiting.extend(terms.args(fact))
            elif len(variables) == 1 and (ranges := satisfying(terms, fact)) is not None:
                self._restrict(number_of(terms, variables[0]), ranges)
            elif fact != terms.true:
                facts.add(fact)
        self.facts = frozenset(facts)

    def _equality(self) -> dict[Term, Term]:
        """Of two values that are equal, the one with the larger number is the other one."""
        for fact in sorted(self.facts):
            if self.terms.op(fact) is Op.EQ and all(map(self.terms.is_var, self.terms.args(fact))):
                kept, gone = sorted(self.terms.args(fact), key=lambda v: number_of(self.terms, v))
                same = self.inputs.pop(number_of(self.terms, gone))
                self._restrict(number_of(self.terms, kept), same.ranges)
                return {gone: kept}
        return {}


class Narrowing:
    """What became of values as more was known of them."""

    def __init__(self, known: ValueKnowledge, replaced: Mapping[Term, Term]) -> None:
        self.known = known
        self._numbers = frozenset(known.inputs) | {number_of(known.terms, v) for v in replaced}
        self._substituted: Substitution = known.terms.substitution(replaced)
        self._done: dict[Open, Open | int] = {}

    def __call__(self, value: object) -> object:
        """What a value has become."""
        if not isinstance(value, Open) or not any(v.number in self._numbers for v in inputs_of(value)):
            return value
        if value not in self._done:
            term = self._substituted(term_of(self.known.terms, value))
            self._done[value] = self._with_others(value).value(term)
        return self._done[value]

    def _with_others(self, value: Open) -> ValueKnowledge:
        """What is known, also of other values that this one depends on and that nothing has happened to."""
        terms, others = self.known.terms, ValueKnowledge.of(self.known.terms, (value,))
        kept = {number: one for number, one in others.inputs.items() if number not in self._numbers}
        facts = {
            fact
            for fact in others.facts
            if self._numbers.isdisjoint(number_of(terms, v) for v in terms.variables(fact))
        }
        return ValueKnowledge(terms, kept | self.known.inputs, self.known.facts | facts)
