"""Labels from a finite stock of predicates: forms of equalities, reasons, the stock and what it proves."""

from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.engines.impact.algorithm import Impact
from sley.engines.impact.engine import make_impact
from sley.engines.impact.entailment import Entailment
from sley.engines.impact.extent import Extent
from sley.engines.impact.formulas import ConjunctTable
from sley.engines.impact.options import ImpactOptions, Interpolants
from sley.engines.impact.thresholds import MOST_ALIKE
from sley.frontend.load import load
from sley.logic.sorts import bitvec
from sley.logic.terms import Term, Terms
from sley.passes.pipeline import prepare
from sley.program.properties import PROPERTY_GROUPS
from tests.limits import AMPLE

REACH = PROPERTY_GROUPS["reach"]
COUNTER = Path(__file__).parents[2] / "programs" / "input_loops" / "stops_at_bound.c"


@pytest.fixture
def terms() -> Terms:
    return Terms()


def variables(terms: Terms, names: str) -> list[Term]:
    return [terms.var(name, bitvec(8)) for name in names]


def run_of(interpolants: Interpolants, extent: Extent | None = None) -> Impact:
    program = prepare(load([COUNTER]), REACH)
    return make_impact(program, REACH, ImpactOptions(interpolants=interpolants), Budget(AMPLE), extent)


# --- forms -----------------------------------------------------------------------------------------


def test_an_equality_of_sums_has_one_form(terms: Terms) -> None:
    a, b, c = variables(terms, "abc")
    one, two, three = (terms.bv(n, 8) for n in (1, 2, 3))
    solved = ConjunctTable(terms).solved
    expected = solved(terms.eq(a, terms.add(b, one)))
    assert solved(terms.eq(terms.add(a, two), terms.add(b, three))) == expected
    assert solved(terms.eq(terms.sub(a, one), b)) == expected
    assert solved(terms.eq(terms.add(b, two), terms.add(a, one))) == expected
    plain = solved(terms.eq(terms.add(a, b), c))
    assert solved(terms.eq(terms.add(terms.add(a, one), terms.sub(b, one)), c)) == plain


@pytest.mark.parametrize("values", [(0, 255, 1), (255, 0, 0), (3, 2, 6), (128, 127, 255), (1, 1, 2)])
def test_the_form_of_an_equality_means_the_same(terms: Terms, values: tuple[int, int, int]) -> None:
    a, b, c = variables(terms, "abc")
    model = dict(zip((a, b, c), values, strict=True))
    for left in (a, terms.add(a, b), terms.sub(a, b), terms.add(a, terms.bv(200, 8))):
        for right in (b, terms.add(c, terms.bv(100, 8)), terms.sub(c, a), terms.bv(7, 8)):
            equality = terms.eq(left, right)
            solved = ConjunctTable(terms).solved(equality)
            assert terms.evaluate(solved, model) == terms.evaluate(equality, model)


# --- reasons ---------------------------------------------------------------------------------------


def test_a_reason_has_no_more_than_is_needed_beside_what_is_given(terms: Terms) -> None:
    a, b = variables(terms, "ab")
    zero, five = terms.bv(0, 8), terms.bv(5, 8)
    positive, equal, exact = terms.ult(zero, a), terms.eq(a, b), terms.eq(b, five)
    goal = terms.ult(zero, b)
    assert Entailment(terms).reason((), (positive, equal, exact), goal) in ((positive, equal), (exact,))
    assert Entailment(terms).reason((equal,), (positive,), goal) == (positive,)
    assert Entailment(terms).reason((exact,), (positive, equal), goal) == ()
    assert Entailment(terms).reason((), (equal,), exact) is None


def test_a_reason_that_was_found_beside_one_label_is_no_reason_beside_another(terms: Terms) -> None:
    a, b = variables(terms, "ab")
    two = terms.bv(2, 8)
    equal, other, goal = terms.eq(a, b), terms.ne(a, two), terms.ne(b, two)
    entailment = Entailment(terms)
    assert entailment.reason((other,), (equal,), goal) == (equal,)
    assert set(entailment.reason((), (other, equal), goal) or ()) == {equal, other}


def test_a_contradiction_is_a_reason_for_false(terms: Terms) -> None:
    a, b = variables(terms, "ab")
    one = terms.eq(a, terms.bv(1, 8))
    assert Entailment(terms).reason((), (one, terms.eq(b, a)), terms.false) is None
    both = (one, terms.eq(b, a), terms.not_(one))
    assert Entailment(terms).reason((), both, terms.false) == (one, terms.not_(one))


# --- the stock -------------------------------------------------------------------------------------


def test_predicates_that_differ_in_constants_only_are_few() -> None:
    predicates = run_of(Interpolants.PREDICATES).interpolation.predicates
    terms = predicates.terms
    (a,) = variables(terms, "a")
    offered = [predicates.offer(terms.ult(a, terms.bv(n, 8))) for n in range(2, 10)]
    assert offered == [True] * MOST_ALIKE + [False] * (8 - MOST_ALIKE)


def test_a_counter_that_stops_at_a_bound_is_proved_by_predicates_only() -> None:
    extent = Extent(nodes=2_000, conjuncts=200, repetitions=12)
    by_values, run = run_of(Interpolants.VALUES, extent), run_of(Interpolants.PREDICATES, extent)
    by_values.run()
    run.run()
    assert by_values.watcher.is_beyond
    assert not run.watcher.is_beyond
    assert not run.violations
    assert not run.gave_up
    assert any(not node.is_possible for node in run.nodes)
