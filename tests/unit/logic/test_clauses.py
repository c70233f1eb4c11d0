"""Clauses: what is read off formulas is so under every assignment."""

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sley.logic.clauses import conjuncts, connected, disjuncts, fixed_values, subsumes
from sley.logic.sorts import BOOL, bitvec
from sley.logic.terms import Term, Terms


def make() -> tuple[Terms, Term, Term, Term]:
    terms = Terms()
    a, b, c = (terms.var(name, BOOL) for name in "abc")
    return terms, a, b, c


def test_conjuncts_are_found_however_deep() -> None:
    terms, a, b, c = make()
    formula = terms.and_(a, terms.and_(terms.not_(terms.or_(b, c)), a))
    assert conjuncts(terms, (formula, a)) == [a, terms.not_(b), terms.not_(c)]
    assert conjuncts(terms, (terms.true,)) == []
    assert conjuncts(terms, (terms.false,)) == [terms.false]


def test_disjuncts_are_found_however_deep() -> None:
    terms, a, b, c = make()
    formula = terms.or_(a, terms.not_(terms.and_(b, terms.not_(c))))
    assert disjuncts(terms, formula) == {a, terms.not_(b), c}
    assert disjuncts(terms, terms.false) == frozenset()


def test_subsumption() -> None:
    terms, a, b, c = make()
    assert subsumes(terms, [a], terms.or_(a, b))
    assert not subsumes(terms, [terms.or_(a, b)], a)
    assert subsumes(terms, [terms.or_(a, b)], a, [terms.not_(b)])
    assert subsumes(terms, [], terms.or_(a, b), [b])
    assert not subsumes(terms, [c], terms.or_(a, b))
    assert subsumes(terms, [terms.false], a)


def test_fixed_values() -> None:
    terms, a, b, _ = make()
    x = terms.var("x", bitvec(8))
    five = terms.bv(5, 8)
    found = fixed_values(terms, [a, terms.not_(b), terms.eq(x, five)])
    assert found == {a: terms.true, b: terms.false, x: five}
    assert fixed_values(terms, [terms.or_(a, b), terms.ule(x, five)]) == {}


def test_connected() -> None:
    terms, a, b, c = make()
    link = terms.or_(a, b)
    assert connected(terms, [c, b, link], (a,)) == [link, b]
    assert connected(terms, [terms.false, c], (a,)) == [terms.false]


def random_formula(terms: Terms, variables: list[Term], rng: random.Random, depth: int) -> Term:
    if depth == 0 or rng.random() < 0.2:
        variable = rng.choice(variables)
        return variable if rng.random() < 0.5 else terms.not_(variable)
    parts = [random_formula(terms, variables, rng, depth - 1) for _ in range(rng.randint(2, 3))]
    made = terms.and_(*parts) if rng.random() < 0.5 else terms.or_(*parts)
    return terms.not_(made) if rng.random() < 0.3 else made


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_all_of_it_is_sound(seed: int) -> None:
    """Against the truth tables of random formulas."""
    rng = random.Random(seed)
    terms = Terms()
    variables = [terms.var(f"v{i}", BOOL) for i in range(4)]
    hypotheses = [random_formula(terms, variables, rng, 2) for _ in range(3)]
    facts = [random_formula(terms, variables, rng, 1) for _ in range(rng.randrange(2))]
    goal = random_formula(terms, variables, rng, 2)
    is_subsumed = subsumes(terms, hypotheses, goal, facts)
    parts, alternatives = conjuncts(terms, hypotheses), disjuncts(terms, goal)
    values = fixed_values(terms, hypotheses)
    for row in product((False, True), repeat=len(variables)):
        model = dict(zip(variables, row, strict=True))
        hold = all(terms.evaluate(h, model) for h in hypotheses)
        assert all(terms.evaluate(p, model) for p in parts) == hold
        assert any(terms.evaluate(d, model) for d in alternatives) == terms.evaluate(goal, model)
        if hold:
            assert all(terms.evaluate(v, model) == terms.value(value) for v, value in values.items())
            if is_subsumed and all(terms.evaluate(f, model) for f in facts):
                assert terms.evaluate(goal, model)


@pytest.mark.parametrize("seed", range(30))
def test_what_is_not_connected_does_not_matter(seed: int) -> None:
    """If the connected hypotheses do not imply the goal, and the others can be true, all together do not."""
    rng = random.Random(seed)
    terms = Terms()
    variables = [terms.var(f"v{i}", BOOL) for i in range(6)]
    hypotheses = [random_formula(terms, rng.sample(variables, 2), rng, 1) for _ in range(4)]
    goal = random_formula(terms, variables[:1], rng, 1)
    kept = connected(terms, hypotheses, (goal,))
    rest = [h for h in hypotheses if h not in kept]
    used = {v for h in (*kept, goal) for v in terms.variables(h)}
    assert all(used.isdisjoint(terms.variables(h)) for h in rest)
