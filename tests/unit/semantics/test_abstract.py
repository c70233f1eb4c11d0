"""Abstract values stand for all concrete ones: terms, conditions, order."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from sley.analyses.ranges import Fact
from sley.base.budget import Budget
from sley.engines.abstract.iteration import Iteration
from sley.logic.operators import to_signed
from sley.logic.sorts import BOOL, BitVecSort, BoolSort, Sort, bitvec
from sley.logic.terms import Term, Terms
from sley.program.program import Function, Program
from sley.semantics.abstract.evaluation import Evaluation
from sley.semantics.abstract.objects import Objects
from sley.semantics.abstract.state import AbstractState, covers, joined
from sley.semantics.abstract.values import Value, Widening, fact, is_within, union, widened, widening
from tests.unit.logic.random_terms import Generator, make, meaning, random_value, variables


def evaluation_over(terms: Terms) -> Evaluation:
    """Of a program that does nothing."""
    main = Function("main", "main", (), (), (), 0, 1, ())
    program = Program(terms, {"main": main}, ())
    return Evaluation(program, Objects(program), "main", lambda _: False)


def stands_for(value: Value, number: int) -> bool:
    known = value.number
    if known is None or not known.low <= number <= known.high:
        return False
    return number == known.residue if known.modulus == 0 else (number - known.residue) % known.modulus == 0


def signed(number: int | bool, sort: Sort) -> int:
    return to_signed(number, sort.width) if isinstance(sort, BitVecSort) else int(number)


def around(choose: random.Random, number: int, sort: Sort) -> Value:
    """Some numbers, this one among them."""
    if not isinstance(sort, BitVecSort):
        return choose.choice((Value(Fact(0, 1)), Value(Fact(number, number, number, 0))))
    most = 1 << (sort.width - 1)
    low, high = choose.randint(-most, number), choose.randint(number, most - 1)
    made = fact(low, high, number, choose.choice((1, 1, 2, 3, 4)))
    assert made is not None
    return Value(made)


def random_case(seed: int, sort: Sort) -> tuple[Terms, Term, dict[Term, Value], dict[Term, int], int]:
    """A term, what is known of its variables, what they are, and what the term is then."""
    choose = random.Random(seed)
    tree = Generator(choose).tree(sort, choose.choice((1, 2, 3)))
    terms = Terms()
    term = make(terms, tree)
    concrete = {variable: random_value(choose, variable[1]) for variable in variables(tree)}
    known, exact = {}, {}
    for variable, number in concrete.items():
        made = terms.var(*variable)
        if not isinstance(number, int) or not isinstance(variable[1], BitVecSort | BoolSort):
            continue
        exact[made] = signed(number, variable[1])
        known[made] = around(choose, exact[made], variable[1])
    result = meaning(tree, concrete)
    assert isinstance(result, int)
    return terms, term, known, exact, signed(result, sort)


@settings(deadline=None, max_examples=400)
@given(st.integers(0, 1_000_000))
def test_values_of_terms(seed: int) -> None:
    terms, term, known, _, result = random_case(seed, bitvec(8))
    assert stands_for(evaluation_over(terms).value(term, known), result)


@settings(deadline=None, max_examples=400)
@given(st.integers(0, 1_000_000))
def test_no_state_in_which_a_condition_holds_is_lost(seed: int) -> None:
    terms, term, known, exact, result = random_case(seed, BOOL)
    evaluation = evaluation_over(terms)
    assert stands_for(evaluation.value(term, known), result)
    refined = evaluation.refinement.refined(term, known, holds=bool(result))
    assert refined is not None
    assert all(stands_for(refined[variable], number) for variable, number in exact.items())


def facts(choose: random.Random) -> Value:
    low = choose.randint(-20, 20)
    made = fact(low, low + choose.randint(0, 20), low, choose.choice((1, 2, 3)))
    assert made is not None
    return Value(
        made, tuple((one, Fact(0, choose.randint(0, 3))) for one in sorted(choose.sample(range(4), 2)))
    )


@settings(deadline=None, max_examples=200)
@given(st.integers(0, 1_000_000))
def test_unions_cover_both_and_widening_ends(seed: int) -> None:
    choose = random.Random(seed)
    a, b = facts(choose), facts(choose)
    both = union(a, b)
    assert is_within(a, both)
    assert is_within(b, both)
    assert is_within(both, a) == is_within(b, a)
    widen = Widening(widening((-100, -10, 0, 10, 100)), widening((-100, 0, 100)))
    steps = 0
    while not is_within(b, a):
        a = widened(a, b, widen)
        b, steps = facts(choose), steps + 1
        assert steps < 60


def test_a_test_for_null_tells_pointers_from_it() -> None:
    terms = Terms()
    evaluation = evaluation_over(terms)
    pointer = terms.var("p", bitvec(64))
    known = {pointer: Value(Fact(0, 0, 0, 0), ((2, Fact(0, 0, 0, 0)),))}
    is_null = terms.eq(pointer, terms.bv(0, 64))
    null, other = (evaluation.refinement.refined(is_null, known, holds=holds) for holds in (True, False))
    assert null is not None
    assert other is not None
    assert null[pointer] == Value(Fact(0, 0, 0, 0))
    assert other[pointer] == Value(None, ((2, Fact(0, 0, 0, 0)),))


def test_locks_at_ever_larger_distances_come_to_an_end() -> None:
    world = Iteration(evaluation_over(Terms()).objects.program, frozenset(), Budget())
    known, joins = AbstractState({}, {}), 0
    for distance in range(1_000):
        lock = (("load", 0, 7), 48 * distance)
        state = AbstractState({}, {}, maybe=frozenset({lock}))
        if not covers(known, state, world):
            known, joins = joined(known, state, world), joins + 1
            assert covers(known, state, world)
    assert joins < 100


def test_choices_in_choices_are_made_once() -> None:
    terms = Terms()
    evaluation = evaluation_over(terms)
    first = number = terms.var("x", bitvec(32))
    for most in range(1_000, 960, -1):  # by trees, there would be three to the power of forty of them
        number = terms.ite(terms.ult(number, terms.bv(most, 32)), terms.add(number, terms.bv(1, 32)), number)
    found = evaluation.value(number, {first: Value(Fact(0, 2_000))})
    assert stands_for(found, 1_000)
