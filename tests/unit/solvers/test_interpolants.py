"""Sequence interpolants obey their laws; the other solver checks them."""

import random
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from sley.logic.operators import Op
from sley.logic.sorts import BOOL, F32, I8, I32
from sley.logic.terms import Term, Terms
from sley.solvers import make_solver
from sley.solvers.port import SolverAnswer
from tests.unit.logic.random_terms import Generator, make


def interpolants(terms: Terms, parts: list[Term]) -> tuple[Term, ...] | None:
    solver = make_solver("bitwuzla", terms, interpolants=True, time_limit=20)
    solver.add(*parts)
    assert solver.check() is SolverAnswer.UNSAT
    return solver.interpolants(parts)


def is_valid(terms: Terms, formula: Term) -> bool:
    return make_solver("z3", terms).check(terms.not_(formula)) is SolverAnswer.UNSAT


def assert_laws(terms: Terms, parts: list[Term], sequence: tuple[Term, ...]) -> None:
    assert len(sequence) == len(parts) - 1
    labels = [terms.true, *sequence, terms.false]
    for i, part in enumerate(parts):
        assert is_valid(terms, terms.implies(terms.and_(labels[i], part), labels[i + 1])), i
    for i, label in enumerate(sequence):
        before = {v for part in parts[: i + 1] for v in terms.variables(part)}
        after = {v for part in parts[i + 1 :] for v in terms.variables(part)}
        assert set(terms.variables(label)) <= before & after


def counting_path(terms: Terms, length: int) -> list[Term]:
    """x0 = 0, x(i+1) = x(i) + y, y < 3, x(length) > 3 * length."""
    xs = [terms.var(f"x{i}", I32) for i in range(length + 1)]
    y = terms.var("y", I32)
    start = terms.and_(terms.eq(xs[0], terms.bv(0, 32)), terms.ult(y, terms.bv(3, 32)))
    steps = [terms.eq(xs[i + 1], terms.add(xs[i], y)) for i in range(length)]
    return [start, *steps, terms.ult(terms.bv(3 * length, 32), xs[length])]


def test_a_path() -> None:
    terms = Terms()
    parts = counting_path(terms, 5)
    sequence = interpolants(terms, parts)
    assert sequence is not None
    assert_laws(terms, parts, sequence)


def test_labels_of_a_plain_path_are_words_not_bits() -> None:
    terms = Terms()
    xs = [terms.var(f"x{i}", I32) for i in range(21)]
    steps = [terms.eq(b, terms.add(a, terms.bv(1, 32))) for a, b in pairwise(xs)]
    parts = [terms.eq(xs[0], terms.bv(0, 32)), *steps, terms.ne(xs[-1], terms.bv(20, 32))]
    sequence = interpolants(terms, parts)
    assert sequence is not None
    assert_laws(terms, parts, sequence)
    assert all(len(terms.walk((label,))) < 10 for label in sequence)


def test_parts_that_say_nothing_or_everything() -> None:
    terms = Terms()
    p = terms.var("p", BOOL)
    for parts in (
        [terms.true, p, terms.true, terms.not_(p)],
        [p, terms.false, terms.true],
        [terms.false],
        [p, p, terms.not_(p), p],
        [p, terms.not_(p), p, terms.not_(p)],
        [terms.true, terms.false],
    ):
        sequence = interpolants(terms, parts)
        assert sequence is not None
        assert_laws(terms, parts, sequence)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_random_sequences(seed: int) -> None:
    rng = random.Random(seed)
    terms = Terms()
    generator = Generator(rng, widths=(1, 4, 8), has_division=False)
    parts = [make(terms, generator.tree(BOOL, 3)) for _ in range(rng.randrange(2, 7))]
    if make_solver("bitwuzla", terms).check(*parts) is SolverAnswer.SAT:
        parts[rng.randrange(len(parts))] = terms.not_(terms.and_(*parts))
    if make_solver("bitwuzla", terms).check(*parts) is not SolverAnswer.UNSAT:
        return
    sequence = interpolants(terms, parts)
    if sequence is not None:
        assert_laws(terms, parts, sequence)


def test_bits_of_floats_may_be_shared() -> None:
    terms = Terms()
    f, word, other = terms.var("f", F32), terms.var("word", I32), terms.var("other", I8)
    bits = terms.make(Op.FP_TO_BITS, (f,))
    parts = [
        terms.eq(bits, word),
        terms.eq(other, terms.extract(word, 7, 0)),
        terms.ne(other, terms.extract(bits, 7, 0)),
    ]
    sequence = interpolants(terms, parts)
    if sequence is not None:
        assert_laws(terms, parts, sequence)
