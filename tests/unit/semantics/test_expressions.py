import random

import pytest

from sley.logic.operators import Op
from sley.logic.sorts import I8, I32
from sley.logic.terms import Terms
from sley.program.instructions import Cause
from sley.semantics.evaluation import Evaluator
from sley.semantics.expressions import PythonSource, compile_term
from sley.semantics.values import NeedsSplitError, Undetermined, everything, members
from tests.unit.logic import random_terms as trees


@pytest.mark.parametrize("seed", range(300))
def test_python_text_means_what_the_table_says(seed: int) -> None:
    rng = random.Random(seed)
    terms = Terms()
    generator = trees.Generator(rng, widths=(1, 8, 32), floats=trees.FLOATS)
    tree = generator.tree(trees.any_sort(generator), 4)
    term = trees.make(terms, tree)
    values = {key: trees.random_value(rng, key[1]) for key in trees.variables(tree)}
    by_variable = {terms.var(name, sort): value for (name, sort), value in values.items()}
    function = compile_term(PythonSource(terms), term)
    assert function(by_variable) == trees.meaning(tree, values)


def test_a_long_term_is_walked() -> None:
    terms = Terms()
    x = terms.var("x", I32)
    term = x
    for _ in range(40):  # the text would double with each level
        term = terms.mul(terms.add(term, terms.bv(1, 32)), term)
    function = compile_term(PythonSource(terms), term)
    assert function({x: 3}) == terms.evaluate(term, {x: 3})


@pytest.mark.parametrize("seed", range(200))
def test_a_split_answers_for_every_member(seed: int) -> None:
    """Evaluating with an undetermined value, splitting where asked, covers every value rightly."""
    rng = random.Random(seed)
    terms = Terms()
    x = terms.var("x", I8)
    atoms = []
    for _ in range(3):
        constant = terms.bv(rng.randrange(256), 8)
        op = rng.choice([Op.EQ, Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE])
        sides = (x, constant) if rng.random() < 0.5 else (constant, x)
        atoms.append(terms.make(op, sides))
    term = terms.or_(terms.and_(atoms[0], terms.not_(atoms[1])), atoms[2])
    evaluator = Evaluator(terms)
    waiting = [Undetermined(0, 8, everything(8), Cause.INPUT)]
    seen: list[int] = []
    while waiting:
        value = waiting.pop()
        try:
            answer = evaluator.value(term, {x: value})
        except NeedsSplitError as question:
            waiting.extend(Undetermined(0, 8, part, Cause.INPUT) for part in question.parts)
            continue
        for member in members(value.ranges):
            assert terms.evaluate(term, {x: member}) == answer
            seen.append(member)
    assert sorted(seen) == list(range(256))
