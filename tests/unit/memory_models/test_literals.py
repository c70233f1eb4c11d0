"""The checker's carrier against sets of pairs: whatever literals hold, rules derive just the right pairs."""

from itertools import product
from random import Random

import pytest

from sley.evidence.bounded.literals import Clause, Edge, LiteralPairs
from sley.logic.sorts import BOOL
from sley.logic.terms import Term, Terms
from sley.memory_models.evaluation import Evaluation
from sley.memory_models.model import of_text
from sley.memory_models.pairs import Pairs
from sley.memory_models.relations import Relation

SIZE = 7
EXPRESSIONS = (
    "po+",
    "po*; rf",
    "(po | rf)+ & co",
    "po; rf; co?",
    "[range(po)]; rf^-1",
    "(po; rf | co; rf)+",
    "(R * _) & (po | rf; po)",
)
RECURSIVE = "let rec a = po | b; a and b = rf | a; b; co let found = a | b; a empty 0"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("text", [*(f"let found = {one} empty 0" for one in EXPRESSIONS), RECURSIVE])
def test_rules_derive_what_sets_have(text: str, seed: int) -> None:
    random, t = Random(seed), Terms()
    names = ("po", "rf", "co")
    may = {n: [p for p in product(range(SIZE), range(SIZE)) if random.random() < 0.12] for n in names}
    holds = {(name, pair): random.random() < 0.7 for name in names for pair in may[name]}
    literals = {key: t.var(f"{key}", BOOL) for key in holds}
    reads = random.getrandbits(SIZE)
    rules: list[tuple[Clause, Term]] = []
    count = iter(range(100_000))

    def base(name: str) -> list[Edge]:
        if name in names:
            return [((literals[name, pair],), *pair) for pair in may[name]]
        those = (1 << SIZE) - 1 if name in ("_", "id") else reads if name == "R" else 0
        return [((), a, a) for a in range(SIZE) if those >> a & 1]

    carrier = LiteralPairs(
        base, lambda said, then: rules.append((said, then)), lambda _: t.var(f"!{next(count)}", BOOL)
    )
    model = of_text(text)
    found = list(carrier.edges(Evaluation(model, carrier).named("found")))
    true = {literals[key] for key, is_so in holds.items() if is_so}
    while more := {then for said, then in rules if then not in true and true.issuperset(said)}:
        true |= more
    execution = Pairs(
        SIZE,
        {"R": reads},
        {name: Relation.of(SIZE, [pair for pair in may[name] if holds[name, pair]]) for name in names},
    )
    wanted = Evaluation(model, execution).named("found")
    derived = Relation.of(SIZE, [(a, b) for said, a, b in found if true.issuperset(said)])
    assert derived == wanted
