"""Hash-consing, substitution, evaluation and the views of a term."""

import random
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sley.logic.operators import Op
from sley.logic.sorts import BOOL, F32, I8, I32, BoolSort, bitvec
from sley.logic.terms import Term, Terms
from tests.unit.logic.random_terms import FLOATS, Generator, any_sort, make, random_value

SEEDS = st.integers(0, 2**32)


@dataclass(frozen=True)
class Named:
    name: str

    def __str__(self) -> str:
        return self.name


def test_equal_terms_are_the_same_number() -> None:
    terms = Terms()
    x, y = terms.var("x", I32), terms.var("y", I32)
    assert terms.var("x", I32) == x
    assert terms.var("x", I8) != x
    assert terms.add(x, y) == terms.add(y, x)
    assert terms.sub(x, y) != terms.sub(y, x)
    assert terms.bv(-1, 8) == terms.bv(255, 8) == terms.const(255, I8)
    assert terms.bv(1, 1) != terms.true


def test_a_variable_knows_what_it_stands_for() -> None:
    terms = Terms()
    x, plain = terms.var(Named("x"), I32), terms.var("y", I32)
    assert (terms.symbol(x), terms.name(x)) == (Named("x"), "x")
    assert terms.symbol(plain) == terms.name(plain) == "y"
    assert terms.var("x", I32) == x, "solvers know names only"
    with pytest.raises(AssertionError, match="y is taken"):
        terms.var(Named("y"), I32)


def test_truth_values_of_any_making_are_truth_values() -> None:
    terms = Terms()
    p = terms.var("p", BoolSort())
    assert terms.and_(p, terms.const(value=True, sort=BoolSort())) == p
    assert terms.var("p", BOOL) == p
    assert terms.and_() == terms.true
    assert terms.or_() == terms.false


@pytest.mark.parametrize(
    ("op", "sorts"),
    [(Op.BVADD, (I8, I32)), (Op.EQ, (I8, BOOL)), (Op.AND, (I8, I8)), (Op.ITE, (I8, I8, I8))],
)
def test_sorts_that_do_not_fit_are_refused(op: Op, sorts: tuple[BoolSort, ...]) -> None:
    terms = Terms()
    args = [terms.var(f"v{i}", sort) for i, sort in enumerate(sorts)]
    with pytest.raises(AssertionError):
        terms.make(op, args)


def test_bits_that_are_not_there_are_refused() -> None:
    terms = Terms()
    with pytest.raises(AssertionError):
        terms.extract(terms.var("x", I8), 8, 0)


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_substitution_is_evaluation_in_two_steps(seed: int) -> None:
    rng = random.Random(seed)
    generator = Generator(rng, widths=(1, 3, 8), floats=FLOATS)
    terms = Terms()
    term = make(terms, generator.tree(any_sort(generator), 4))
    mapping = {
        v: make(terms, generator.tree(terms.sort(v), 2)) for v in terms.variables(term) if rng.random() < 0.8
    }
    replaced = terms.substitute(term, mapping)
    free = dict.fromkeys(v for t in (term, replaced, *mapping.values()) for v in terms.variables(t))
    values = {v: random_value(rng, terms.sort(v)) for v in free}
    inner = values | {v: terms.evaluate(t, values) for v, t in mapping.items()}
    assert terms.evaluate(replaced, values) == terms.evaluate(term, inner)


def test_substitution_happens_all_at_once() -> None:
    terms = Terms()
    x, y = terms.var("x", I8), terms.var("y", I8)
    assert terms.substitute(terms.sub(x, y), {x: y, y: x}) == terms.sub(y, x)
    assert terms.substitute_all((x, terms.not_(terms.eq(x, y))), {x: y}) == (y, terms.false)


def test_substitution_tells_many_variables_apart() -> None:
    """More variables than a signature has bits: those that share a bit must not be confused."""
    terms = Terms()
    variables = [terms.var(f"x{i}", I8) for i in range(1000)]
    pairs = [terms.add(a, b) for a, b in zip(variables, variables[300:], strict=False)]
    for i in (0, 255, 256, 511):
        replaced = terms.substitute(pairs[i], {variables[i]: variables[1]})
        assert replaced == terms.add(variables[1], variables[i + 300])
        assert terms.substitute(pairs[i], {variables[(i + 255) % 1000]: variables[1]}) == pairs[i]
        assert terms.variables(pairs[i]) == (variables[i], variables[i + 300])
        assert not terms.mentions(pairs[i], variables[(i + 255) % 1000])


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_variables_are_those_that_a_walk_meets(seed: int) -> None:
    generator = Generator(random.Random(seed), widths=(1, 8), floats=(F32,))
    terms = Terms()
    term = make(terms, generator.tree(any_sort(generator), 4))
    met = sorted({t for t in terms.walk((term,)) if terms.is_var(t)})
    assert list(terms.variables(term)) == met
    assert terms.has_variables(term) == bool(met)
    assert terms.has_variables(term) != terms.is_const(term)
    for name in "xy":
        for sort in (BOOL, I8, bitvec(1), F32):
            variable = terms.var(name, sort)
            assert terms.mentions(term, variable) == (variable in met)


def test_walk_gives_arguments_first_and_nothing_twice() -> None:
    terms = Terms()
    x, y = terms.var("x", I8), terms.var("y", I8)
    both = terms.mul(terms.add(x, y), terms.sub(terms.add(x, y), y))
    order = terms.walk((both, x))
    assert len(order) == len(set(order))
    position = {t: i for i, t in enumerate(order)}
    assert all(position[a] < position[t] for t in order for a in terms.args(t))


def _deep(terms: Terms, depth: int) -> Term:
    x, term = terms.var("x", I32), terms.var("y", I32)
    for i in range(depth):
        term = terms.add(term, x) if i % 2 else terms.apply(Op.BVXOR, term, x)
    return term


def test_deep_terms_need_no_stack() -> None:
    terms = Terms()
    x, y = terms.var("x", I32), terms.var("y", I32)
    deep = _deep(terms, 20_000)
    assert terms.variables(deep) == (x, y)
    assert terms.evaluate(deep, {x: 0, y: 7}) == 7
    assert terms.substitute(deep, {x: terms.bv(0, 32)}) == y


def test_resize_converts_as_c_does() -> None:
    terms = Terms()
    x = terms.var("x", I8)
    assert terms.resize(x, 8, signed=True) == x
    values = {x: 0x80}
    assert terms.evaluate(terms.resize(x, 16, signed=True), values) == 0xFF80
    assert terms.evaluate(terms.resize(x, 16, signed=False), values) == 0x80
    assert terms.evaluate(terms.resize(x, 4, signed=True), values) == 0
