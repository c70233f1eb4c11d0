"""What samples of values have in common, and formulas in C."""

import pytest

from sley.evidence.source_invariants.formulas import FormulaWriter, disjunction
from sley.evidence.source_invariants.samples import Samples
from sley.evidence.source_invariants.variables import ScalarName
from sley.logic.sorts import I8, I32, bitvec
from sley.logic.terms import Terms
from sley.program.instructions import Cause
from sley.program.memory import Display, PointerLayout
from sley.semantics.values import UNSET, Undetermined

X, Y = ScalarName("x", Display.SIGNED, 32), ScalarName("y", Display.SIGNED, 32)
U, C = ScalarName("u", Display.UNSIGNED, 64), ScalarName("c", Display.CHAR, 8)
P = ScalarName("p", Display.POINTER, 64)
MINUS_ONE = (1 << 32) - 1
ADDRESS = PointerLayout().address(PointerLayout().first_object)


def said(*rows: dict[ScalarName, object]) -> str | None:
    samples = Samples(list(rows[0]), PointerLayout())
    for row in rows:
        samples.add(row)
    return samples.text()


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([5], "x == 5"),
        ([MINUS_ONE], "x == -1"),
        ([0, 1, 2], "0 <= x && x <= 2"),
        ([0, 7], "x == 0 || x == 7"),
        ([0, 7, 9, 30], "0 <= x && x <= 30"),
        ([MINUS_ONE, 0], "-1 <= x && x <= 0"),
        ([1 << 31], "x == -2147483647 - 1"),
        ([0, UNSET], None),
        ([Undetermined(1, 32, ((0, 3),), Cause.INPUT), 5], "0 <= x && x <= 5"),
        ([Undetermined(1, 32, ((0, MINUS_ONE),), Cause.INPUT)], None),
    ],
)
def test_single_variables(values: list[object], text: str | None) -> None:
    assert said(*({X: value} for value in values)) == text


def test_pairs() -> None:
    assert said({X: 1, Y: 1}, {X: 4, Y: 4}) == "x == y && (x == 1 || x == 4) && (y == 1 || y == 4)"
    assert str(said({X: 0, Y: 9}, {X: 1, Y: 8}, {X: 2, Y: 7})).startswith("x + y == 9 && ")
    assert str(said({X: 3, Y: 0}, {X: 4, Y: 1}, {X: 5, Y: 2})).startswith("x == y + 3 && ")
    overflowing = said({X: MINUS_ONE, Y: 1 << 31}, {X: 0, Y: (1 << 31) + 1})
    assert "+" not in str(overflowing).replace("x == y +", "")


def test_what_means_nothing_to_others() -> None:
    """Addresses and characters of unknown sign are not said; of pointers, whether they are null."""
    assert said({U: ADDRESS}) is None
    assert said({U: 1 << 20}) == "u == 1048576"
    assert said({C: 200}) is None
    assert said({C: 65}) == "c == 65"
    assert said({P: 0}) == "p == 0"
    assert said({P: ADDRESS}, {P: ADDRESS + 8}) == "p != 0"
    assert said({P: ADDRESS}, {P: 0}) is None


def test_formulas() -> None:
    t = Terms()
    x, y, u = t.var("x", I32), t.var("y", I32), t.var("u", bitvec(64))
    other = t.var("other", I8)
    formulas = FormulaWriter(t, {x: X, y: Y, u: U})

    def case(*some: object) -> set[str]:
        return set(formulas.case(some, {}))  # type: ignore[arg-type]

    assert case(t.slt(x, t.bv(3, 32))) == {"x < 3"}
    assert case(t.not_(t.eq(x, y))) == {"x != y"}
    assert case(t.eq(x, t.bv(-2, 32)), t.eq(other, t.bv(1, 8))) == {"x == -2"}
    assert case(t.or_(t.eq(x, t.bv(1, 32)), t.eq(other, t.bv(1, 8)))) == set()
    assert case(t.eq(t.add(x, y), t.bv(7, 32))) == {"((unsigned)x + (unsigned)y) == 7u"}
    assert case(t.ult(x, y)) == {"(unsigned)x < (unsigned)y"}
    assert case(t.slt(u, t.bv(3, 64))) == set()


def test_disjunctions() -> None:
    a, b, c = "x == 1", "y == 2", "x == 3"
    assert disjunction([frozenset({a, b}), frozenset({c, b})]) == "y == 2 && (x == 1 || x == 3)"
    assert disjunction([frozenset({a, b}), frozenset({b})]) == "y == 2"
    assert disjunction([frozenset({a}), frozenset()]) is None
    assert disjunction([]) is None
    assert disjunction([frozenset({f"x == {n}"}) for n in range(5)]) is None
