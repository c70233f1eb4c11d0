"""Linear forms: what cancels, and that they mean the same as the term."""

from hypothesis import given
from hypothesis import strategies as st

from sley.logic.linear import constant_sums, linear_form
from sley.logic.sorts import BOOL, bitvec
from sley.logic.terms import Term, Terms

WIDTH = 8


def test_complementary_choices_are_a_constant() -> None:
    t = Terms()
    c = t.var("c", BOOL)
    one, nothing = t.bv(1, WIDTH), t.bv(0, WIDTH)
    total = t.add(t.ite(c, one, nothing), t.ite(t.not_(c), one, nothing))
    assert linear_form(t, total) == (1, {})
    assert constant_sums(t, total) == {total: one}


@st.composite
def sums(draw: st.DrawFn) -> tuple[Terms, Term, dict[Term, int | bool]]:
    """A sum of variables, choices and constants, with values of its variables."""
    t = Terms()
    values: dict[Term, int | bool] = {
        t.var(f"x{i}", bitvec(WIDTH)): draw(st.integers(0, 255)) for i in range(2)
    }
    values |= {t.var(f"c{i}", BOOL): draw(st.booleans()) for i in range(2)}
    numbers = [v for v in values if not t.is_boolean(v)]
    conditions = [v for v in values if t.is_boolean(v)]
    term = t.bv(draw(st.integers(0, 255)), WIDTH)
    for _ in range(draw(st.integers(1, 8))):
        condition = draw(st.sampled_from(conditions))
        condition = t.not_(condition) if draw(st.booleans()) else condition
        choice = t.ite(
            condition, t.bv(draw(st.integers(0, 255)), WIDTH), t.bv(draw(st.integers(0, 255)), WIDTH)
        )
        part = draw(st.sampled_from([choice, *numbers]))
        term = t.add(term, part) if draw(st.booleans()) else t.sub(term, part)
    return t, term, values


@given(sums())
def test_a_linear_form_means_the_same(case: tuple[Terms, Term, dict[Term, int | bool]]) -> None:
    t, term, values = case
    constant, multiples = linear_form(t, term)
    total = constant
    for atom, factor in multiples.items():
        value = t.evaluate(atom, values)
        assert isinstance(value, int)
        total += factor * value
    assert total % (1 << WIDTH) == t.evaluate(term, values)
