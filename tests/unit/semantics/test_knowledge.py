"""What is known of undetermined values: all that they may be is tried."""

from itertools import product
from random import Random

import pytest

from sley.evidence.closed_states.consistency import SolverConsistency
from sley.logic.operators import Op
from sley.logic.terms import Term, Terms
from sley.program.instructions import Cause
from sley.semantics.evaluation import Evaluator
from sley.semantics.knowledge import (
    FALSE,
    TRUE,
    ContradictionError,
    Narrowing,
    ValueKnowledge,
    as_term,
    inputs_of,
    number_of,
    term_of,
    variable_of,
)
from sley.semantics.values import Computed, NeedsSplitError, Open, Undetermined, everything, members
from sley.solvers import make_solver

WIDTH = 3

Assignment = tuple[int, ...]
"""What each of the undetermined values is, in order."""


def undetermined(number: int, width: int = WIDTH) -> Undetermined:
    return Undetermined(number, width, everything(width), Cause.INPUT)


def random_term(terms: Terms, variables: list[Term], random: Random, depth: int = 2) -> Term:
    if depth == 0 or random.random() < 0.3:
        return random.choice([*variables, terms.bv(random.randrange(1 << WIDTH), WIDTH)])
    a, b = (random_term(terms, variables, random, depth - 1) for _ in range(2))
    return terms.make(random.choice((Op.BVADD, Op.BVSUB, Op.BVMUL, Op.BVAND, Op.BVUDIV, Op.BVSHL)), (a, b))


def random_condition(terms: Terms, variables: list[Term], random: Random) -> Term:
    a, b = (random_term(terms, variables, random) for _ in range(2))
    return terms.make(random.choice((Op.EQ, Op.EQ, Op.BVULT, Op.BVSLE, Op.SADDO)), (a, b))


def value_in(terms: Terms, value: object, now: dict[Term, int]) -> int:
    """What a value is if undetermined values are as they are ``now``."""
    return int(terms.evaluate(term_of(terms, value), now)) if isinstance(value, Open) else int(str(value))


def possible(terms: Terms, values: tuple[object, ...]) -> set[Assignment]:
    """All that some values may be together."""
    known = ValueKnowledge.of(terms, values)
    inputs = list(known.inputs.values())
    found: set[Assignment] = set()
    for numbers in product(*(members(one.ranges) for one in inputs)):
        now = {variable_of(terms, one): number for one, number in zip(inputs, numbers, strict=True)}
        if all(terms.evaluate(fact, now) for fact in known.facts):
            found.add(tuple(value_in(terms, value, now) for value in values))
    return found


@pytest.mark.parametrize("seed", range(200))
def test_to_know_more_keeps_just_what_fits(seed: int) -> None:
    terms, random = Terms(), Random(seed)
    first = [undetermined(number) for number in range(3)]
    variables = [variable_of(terms, one) for one in first]
    values: tuple[object, ...] = tuple(first)
    right = set(product(range(1 << WIDTH), repeat=3))
    for _ in range(4):
        asked = random_condition(terms, variables, random)
        is_so = random.random() < 0.6
        right = {
            one for one in right if terms.evaluate(asked, dict(zip(variables, one, strict=True))) == is_so
        }
        now = [as_term(terms, value, WIDTH) for value in values]  # type: ignore[arg-type]
        condition = terms.substitute(asked, dict(zip(variables, now, strict=True)))
        known = ValueKnowledge.of(terms, values)
        try:
            known.learn(condition, TRUE if is_so else FALSE)
            narrowing = known.settled()
        except ContradictionError:
            assert not right
            return
        values = tuple(map(narrowing, values))
        assert possible(terms, values) == right
        if not right:
            return
        assert_normal(terms, narrowing)


def assert_normal(terms: Terms, narrowing: Narrowing) -> None:
    """Nothing is said twice, or by a fact instead of ranges."""
    known = narrowing.known
    assert all(one.size > 1 for one in known.inputs.values())
    for fact in known.facts:
        assert terms.has_variables(fact)
        is_equality = terms.op(fact) is Op.EQ and all(map(terms.is_var, terms.args(fact)))
        assert not is_equality


def test_what_has_to_do_with_a_value_comes_with_it() -> None:
    terms = Terms()
    x, y, z = (undetermined(number, 32) for number in range(3))
    known = ValueKnowledge.of(terms, (x, y, z))
    less = terms.ult(variable_of(terms, x), variable_of(terms, y))
    narrowing = known.narrowed(Computed(less, (x, y)), TRUE)
    assert narrowing(z) == z
    assert [one.number for one in inputs_of(narrowing(x))] == [0, 1]
    total = Computed(terms.add(variable_of(terms, y), variable_of(terms, z)), (y, z))
    computed = narrowing(total)
    assert isinstance(computed, Computed)
    assert computed.facts == {less}
    assert [one.number for one in computed.inputs] == [0, 1, 2]


def test_values_that_are_equal_are_one() -> None:
    terms = Terms()
    x, y, z = (undetermined(number, 32) for number in range(3))
    known = ValueKnowledge.of(terms, (x, y, z))
    for one, other in ((x, z), (y, z)):
        known.learn(terms.eq(variable_of(terms, one), variable_of(terms, other)), TRUE)
    known.learn(variable_of(terms, y), ((5, 9),))
    narrowing = known.settled()
    assert narrowing(x) == narrowing(y) == narrowing(z)
    assert isinstance(narrowing(x), Undetermined)
    assert [number_of(terms, variable_of(terms, one)) for one in inputs_of(narrowing(z))] == [0]
    assert narrowing.known.narrowed(narrowing.known.inputs[0], ((7, 7),))(narrowing(z)) == 7


@pytest.mark.parametrize("seed", range(60))
def test_questions_are_split_until_they_are_answered(seed: int) -> None:
    """Splitting where asked, every pair of numbers is answered for once, and rightly."""
    random, terms = Random(seed), Terms()
    x, y = undetermined(0), undetermined(1)
    variables = [variable_of(terms, one) for one in (x, y)]
    asked = [random_condition(terms, variables, random) for _ in range(3)]
    term = terms.or_(terms.and_(asked[0], terms.not_(asked[1])), asked[2])
    evaluator = Evaluator(terms, SolverConsistency(lambda: make_solver("bitwuzla", terms)))
    waiting: list[tuple[object, object]] = [(x, y)]
    seen: list[Assignment] = []
    while waiting:
        values = waiting.pop()
        try:
            answer = evaluator.value(term, dict(zip(variables, values, strict=True)))
        except NeedsSplitError as question:
            known = ValueKnowledge.of(terms, values)
            for part in question.parts:
                narrowing = known.narrowed(question.value, part)
                waiting.append((narrowing(values[0]), narrowing(values[1])))
            continue
        for numbers in possible(terms, values):
            assert terms.evaluate(term, dict(zip(variables, numbers, strict=True))) == answer
            seen.append(numbers)
    assert sorted(seen) == sorted(product(range(1 << WIDTH), repeat=2))


def test_a_value_that_can_be_few_numbers_is_told_apart() -> None:
    terms = Terms()
    x = undetermined(0, 32)
    rest = terms.apply(Op.BVAND, variable_of(terms, x), terms.bv(6, 32))
    evaluator = Evaluator(terms, SolverConsistency(lambda: make_solver("bitwuzla", terms)))
    variable = variable_of(terms, x)
    waiting: list[object] = [x]
    found: list[int] = []
    while waiting:
        value = waiting.pop()
        try:
            found.append(evaluator.number(rest, {variable: value}))
        except NeedsSplitError as question:
            waiting += [
                ValueKnowledge.of(terms, (value,)).narrowed(question.value, part)(value)
                for part in question.parts
            ]
    assert sorted(found) == [0, 2, 4, 6]
