"""Guesses about counters, and about numbers that threads are given when they are created.

A *counter* is a register that is set to constants and counted up by constants. It is not less than the
constants, and not greater than what tests say of it. A thread that was given a counter's value has a number
that is less than the counter is now: so threads created later have other numbers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product

from sley.engines.modular.candidates import assigned_facts
from sley.engines.modular.thresholds import MOST_TESTS
from sley.engines.modular.views import SystemViews
from sley.evidence.modular.proof import View
from sley.logic.linear import linear_form, slope
from sley.logic.operators import Op
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Term
from sley.semantics.templates import ABSENT_AT, MAIN, Template, TemplateSystem


def counter_candidates(views: SystemViews) -> dict[View, list[Term]]:
    """Conjuncts for each view."""
    counters = Counters(views.system)
    found: dict[View, list[Term]] = {}
    for view in views.views:
        instances = views.instances(view)
        shared = [t.position for t in views.system.templates if not t.is_replicated]
        conjuncts: dict[Term, None] = {}
        for position in dict.fromkeys((*shared, *instances)):
            if position in (MAIN, *instances):
                conjuncts.update(dict.fromkeys(counters.bounds(position)))
        for position in instances:
            conjuncts.update(dict.fromkeys(_not_begun(views.system, position)))
            conjuncts.update(dict.fromkeys(counters.numbers(position)))
        for one, other in combinations(instances, 2):
            conjuncts.update(dict.fromkeys(counters.differences(one, other)))
        found[view] = list(conjuncts)
    return found


def _not_begun(system: TemplateSystem, position: int) -> Iterator[Term]:
    """That a thread does not exist yet where main is."""
    t, is_absent = system.terms, system.terms.eq(system.at(position), system.place(ABSENT_AT))
    for place in system.stops(system.templates[MAIN]):
        yield t.or_(t.ne(system.at(MAIN), system.place(place)), is_absent)


@dataclass(frozen=True, slots=True)
class Counter:
    """A register that is counted up, of a template's first thread."""

    template: Template
    variable: Term
    least: int
    places: tuple[int, ...]
    """Where it is live."""
    bounds: tuple[Term, ...]
    """What it is compared with."""


@dataclass(frozen=True, slots=True)
class CountedParameter:
    """A parameter of a thread that is decided by a counter of its creator."""

    template: Template
    parameter: Term
    value: Term
    """What the next one would get."""
    counter: Counter
    distance: int
    """Between what two threads are given, at least."""


class Counters:
    """All counters of a system."""

    def __init__(self, system: TemplateSystem) -> None:
        self.system = system
        self.terms = system.terms

    @cached_property
    def counters(self) -> tuple[Counter, ...]:
        """Those of all templates."""
        return tuple(c for template in self.system.templates for c in self._of(template))

    def _of(self, template: Template) -> Iterator[Counter]:
        t, vocabulary = self.terms, self.system.vocabulary
        updates: dict[Term, set[Term]] = {}
        tests: dict[Term, None] = {}
        for transition in self.system.transitions(template):
            for variable, value in transition.updates.items():
                updates.setdefault(variable, set()).add(value)
            tests.update(dict.fromkeys(transition.guard))
        for register in vocabulary.threads[template.position].registers:
            variable = vocabulary.register(template.position, register)
            if not isinstance(register.sort, BitVecSort) or variable not in updates:
                continue
            steps = [linear_form(t, value) for value in sorted(updates[variable])]
            starts = [_signed(constant, t.width(variable)) for constant, parts in steps if not parts]
            ups = [_signed(c, t.width(variable)) for c, parts in steps if parts == {variable: 1}]
            if starts and ups and min(ups) > 0 and len(starts) + len(ups) == len(steps):
                places = self._live(template, variable)
                bounds = tuple(dict.fromkeys(self._compared(variable, tests)))[:MOST_TESTS]
                yield Counter(template, variable, min(starts), places, bounds)

    def _live(self, template: Template, variable: Term) -> tuple[int, ...]:
        """The places where a register is read later."""
        code, vocabulary = self.system.code, self.system.vocabulary
        return tuple(
            place
            for place in self.system.stops(template)
            if any(vocabulary.register(template.position, r) == variable for r in code.live.get(place, ()))
        )

    def _compared(self, variable: Term, tests: dict[Term, None]) -> Iterator[Term]:
        """What a variable, with or without a constant, is compared with as a signed number."""
        t = self.terms
        for test in tests:
            atom = t.args(test)[0] if t.op(test) is Op.NOT else test
            if t.op(atom) is Op.BVSLT:
                one, other = t.args(atom)
                for side, bound in ((one, other), (other, one)):
                    if linear_form(t, side)[1] == {variable: 1} and not t.mentions(bound, variable):
                        yield bound

    def bounds(self, position: int) -> Iterator[Term]:
        """Bounds of the counters of one thread."""
        t, system = self.terms, self.system
        renaming = system.renaming(system.template(position).position, position) if position else {}
        for counter in self.counters:
            if counter.template != system.template(position):
                continue
            variable, width = counter.variable, t.width(counter.variable)
            facts = [t.not_(t.slt(variable, t.bv(counter.least, width)))]
            facts += [t.not_(t.slt(bound, variable)) for bound in counter.bounds]
            visible = {*system.shared, *(system.own(counter.template.position) if position else ())}
            for fact in facts:
                if visible.issuperset(t.variables(fact)):
                    elsewhere = self._is_elsewhere(counter.template.position, counter.places)
                    yield t.substitute(t.or_(elsewhere, fact), renaming)

    def _is_elsewhere(self, position: int, places: tuple[int, ...]) -> Term:
        at = self.system.at(position)
        return self.terms.and_(*(self.terms.ne(at, self.system.place(place)) for place in places))

    # --- what threads are given ---------------------------------------------------------------------------

    @cached_property
    def given(self) -> tuple[CountedParameter, ...]:
        """Parameters of threads of which there are many that main's counters decide."""
        t, system = self.terms, self.system
        main = {c.variable: c for c in self.counters if c.template.position == MAIN}
        found: dict[tuple[Template, Term], list[Term]] = {}
        for transition in system.transitions(system.templates[MAIN]):
            if transition.created is None or not system.template(transition.created).is_replicated:
                continue
            template = system.template(transition.created)
            first = system.renaming(transition.created, template.position)
            for variable, value in transition.updates.items():
                if variable in first and isinstance(t.sort(variable), BitVecSort):
                    value = t.substitute(value, self._computed)
                    found.setdefault((template, first[variable]), []).append(value)
        return tuple(
            CountedParameter(template, variable, values[0], counter, distance)
            for (template, variable), values in found.items()
            if all(value == values[0] for value in values)
            for counter in (main[v] for v in t.variables(values[0]) if v in main)
            if (distance := slope(t, values[0], counter.variable))
        )

    @cached_property
    def _computed(self) -> dict[Term, Term]:
        """Registers of main that are computed from its counters, if always in the same way."""
        t, system = self.terms, self.system
        main = {c.variable for c in self.counters if c.template.position == MAIN}
        found: dict[Term, set[Term]] = {}
        for transition in system.transitions(system.templates[MAIN]):
            for fact in assigned_facts(system, transition):
                sides = t.args(fact) if t.op(fact) is Op.EQ else ()
                for variable, value in permutations(sides, 2):
                    is_counted = any(v in main for v in t.variables(value))
                    if t.is_var(variable) and variable not in main and is_counted:
                        found.setdefault(variable, set()).add(value)
        return {variable: values.pop() for variable, values in found.items() if len(values) == 1}

    def _copies(self, given: CountedParameter) -> list[Term]:
        """The registers that hold nothing but a parameter, itself included."""
        updates: dict[Term, set[Term]] = {}
        for transition in self.system.transitions(given.template):
            for changed, value in transition.updates.items():
                updates.setdefault(changed, set()).add(value)
        sort = self.terms.sort(given.parameter)
        copies = [
            v for v, found in updates.items() if found == {given.parameter} and self.terms.sort(v) == sort
        ]
        return [given.parameter, *copies]

    def numbers(self, position: int) -> Iterator[Term]:
        """What is known of the number that one of many was given, and of the counter that gave it."""
        t, system = self.terms, self.system
        for given in self.given:
            if given.template != system.template(position):
                continue
            renaming = system.renaming(given.template.position, position)
            for own in self._copies(given):
                gone = self._is_elsewhere(given.template.position, self._live(given.template, own))
                for fact in self._of_number(own, given):
                    yield t.substitute(t.or_(gone, fact), renaming)

    def _of_number(self, own: Term, given: CountedParameter) -> Iterator[Term]:
        """The number lies between the first and the next one; both are the last one's for a moment."""
        t, system, counter = self.terms, self.system, given.counter
        less = t.ult if given.distance > 1 else t.slt
        width = t.width(counter.variable)
        first = t.substitute(given.value, {counter.variable: t.bv(counter.least, width)})
        yield t.not_(less(own, first))
        for bound in counter.bounds:
            last = t.substitute(given.value, {counter.variable: bound})
            if set(system.shared).issuperset(t.variables(last)):
                yield less(own, last)
        for place in counter.places:
            elsewhere = self._is_elsewhere(MAIN, (place,))
            yield t.or_(elsewhere, less(own, given.value))
            yield t.or_(elsewhere, t.not_(less(given.value, own)))
            if given.distance > 1:
                after = t.add(own, t.bv(given.distance, t.width(own)))
                yield t.or_(elsewhere, t.not_(less(given.value, after)))

    def differences(self, one: int, other: int) -> Iterator[Term]:
        """What is known of the numbers that two threads were given."""
        t, system = self.terms, self.system
        for given in self.given:
            if not given.template == system.template(one) == system.template(other):
                continue
            first, second = (system.renaming(given.template.position, p) for p in (one, other))
            for own, others in product(self._copies(given), repeat=2):
                gone = t.or_(
                    t.substitute(
                        self._is_elsewhere(given.template.position, self._live(given.template, own)), first
                    ),
                    t.substitute(
                        self._is_elsewhere(given.template.position, self._live(given.template, others)),
                        second,
                    ),
                )
                mine, theirs = first[own], second[others]
                yield t.or_(gone, t.ne(mine, theirs))
                if given.distance > 1:
                    by = t.bv(given.distance, t.width(own))
                    apart = (t.not_(t.ult(b, t.add(a, by))) for a, b in ((mine, theirs), (theirs, mine)))
                    yield t.or_(gone, *apart)


def _signed(number: int, width: int) -> int:
    return number - (1 << width) if number >> (width - 1) else number
