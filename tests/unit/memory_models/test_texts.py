"""Texts in cat: what is read, what is refused and where, and what it means on one execution."""

from itertools import product
from random import Random

import pytest

from sley.base.errors import InputError
from sley.memory_models.evaluation import Evaluation
from sley.memory_models.model import bundled, of_file, of_text
from sley.memory_models.pairs import Pairs, broken
from sley.memory_models.relations import Relation

SIZE = 6
BUNDLED = ("prelude", "sc", "tso", "pso", "rmo", "power", "armv8", "rc11")


def execution(seed: int) -> Pairs:
    random = Random(seed)

    def drawn() -> Relation:
        everything = product(range(SIZE), range(SIZE))
        return Relation.of(SIZE, [pair for pair in everything if random.random() < 0.2])

    sets = {name: random.getrandbits(SIZE) for name in ("R", "W", "F")}
    return Pairs(SIZE, sets, {name: drawn() for name in ("po", "rf", "co", "fr", "addr")})


def value(expression: str, seed: int = 0) -> set[tuple[int, int]]:
    model = of_text(f"let found = {expression} empty 0")
    found = Evaluation(model, execution(seed)).named("found")
    return {(a, b) for a, row in enumerate(found.rows) for b in range(SIZE) if row >> b & 1}


def pairs(name: str, seed: int) -> set[tuple[int, int]]:
    return value(name, seed)


def composed(one: set[tuple[int, int]], other: set[tuple[int, int]]) -> set[tuple[int, int]]:
    return {(a, d) for a, b in one for c, d in other if b == c}


def closed(one: set[tuple[int, int]]) -> set[tuple[int, int]]:
    found = set(one)
    while not composed(found, one) <= found:
        found |= composed(found, one)
    return found


@pytest.mark.parametrize("seed", range(8))
def test_operators(seed: int) -> None:
    po, rf, co = (pairs(name, seed) for name in ("po", "rf", "co"))
    same = {(a, a) for a in range(SIZE)}
    everything = set(product(range(SIZE), repeat=2))
    reads, writes = pairs("[R]", seed), pairs("[W]", seed)
    assert value("po | rf; co", seed) == po | composed(rf, co)
    assert value("po; rf & co", seed) == composed(po, rf & co)
    assert value(r"po \ rf", seed) == po - rf
    assert value("~po", seed) == everything - po
    assert value("[~R]", seed) == same - reads
    assert value("po^-1", seed) == {(b, a) for a, b in po}
    assert value("po+", seed) == closed(po)
    assert value("po*", seed) == closed(po) | same
    assert value("po?", seed) == po | same
    assert value("po*; rf", seed) == composed(closed(po) | same, rf)
    assert value("[R]; po; [W]", seed) == composed(composed(reads, po), writes)
    assert value("R * W", seed) == {(a, d) for a, _ in reads for _, d in writes}
    assert value("[range(po)]", seed) == {(b, b) for _, b in po}
    assert value("[domain(po)]", seed) == {(a, a) for a, _ in po}
    assert value("fencerel(F)", seed) == composed(composed(po, pairs("[F]", seed)), po)
    assert value("0 | po", seed) == po


def test_stars_and_products_are_told_apart() -> None:
    assert value("po* | rf") == closed(pairs("po", 0)) | {(a, a) for a in range(SIZE)} | pairs("rf", 0)
    assert of_text("let r = po* acyclic r").axioms
    assert value("(R | W) * W") == value("M * W")


@pytest.mark.parametrize("seed", range(4))
def test_recursion_is_the_least_fixpoint(seed: int) -> None:
    model = of_text("let rec a = po | b; a and b = rf | a; b acyclic a")
    found = Evaluation(model, execution(seed))
    a, b = found.named("a"), found.named("b")
    graph = execution(seed)
    po, rf = graph.base("po"), graph.base("rf")
    assert po is not None
    assert rf is not None
    one, other = Relation.of(SIZE, ()), Relation.of(SIZE, ())
    for _ in range(40):
        one, other = po | other @ one, rf | one @ other
    assert (a, b) == (one, other)


def test_the_axiom_that_is_broken_is_named() -> None:
    loop = Pairs(2, {}, {"po": Relation.of(2, [(0, 1), (1, 0)])})
    model = of_text("empty rf as first\nirreflexive po\nacyclic po as last")
    assert broken(model, loop) == "last"
    assert broken(of_text("irreflexive po; po"), loop) == "irreflexive in line 1"
    assert broken(of_text("empty po"), loop) == "empty in line 1"
    assert broken(model, loop, "first") is None


@pytest.mark.parametrize("name", BUNDLED)
def test_ours_are_read(name: str) -> None:
    assert bundled(name).title
    assert bool(bundled(name).axioms) == (name != "prelude")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("acyclic po |", "1:13: a name expected, not the end of the file"),
        ("acyclic (po", "1:12: `)` expected"),
        ("let x = nothing", "1:9: `nothing` is not defined"),
        ("let x = po\nlet x = rf", "2:5: `x` is defined already"),
        ("let po = rf", "1:5: `po` is defined already"),
        ("acyclic R", "1:9: a relation expected, and this is a set"),
        ("acyclic R; po", "a relation expected"),
        ("acyclic [po]", "a set expected"),
        ("acyclic R | po", "of a set and a relation"),
        ("let rec r = po \\ r", "what is being defined is taken away"),
        ("let rec r = ~r", "what is being defined is taken away"),
        ("let f(x) = ~x let rec r = po; f(r)", "a function of what is being defined"),
        ("let f(x) = x acyclic f(po, rf)", "`f` cannot be applied so"),
        ("acyclic g(po)", "no function `g` is defined"),
        ("flag ~empty po", "`let`, `include`, `acyclic`, `irreflexive` or `empty` expected"),
        ('include "other.cat"', "one file is a model"),
        ("(* no end", "1:1: a comment that does not end"),
        ("acyclic po $", "1:12: $ has no meaning in cat"),
        ("acyclic " + "(" * 60 + "po" + ")" * 60, "too deep"),
    ],
)
def test_what_is_refused_has_a_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        of_text(text, "model.cat")
    assert message in str(refused.value)
    assert str(refused.value).startswith("model.cat:")


def test_functions_of_functions_are_limited() -> None:
    lines = ["let f0(x) = x"] + [f"let f{i}(x) = f{i - 1}(x) | f{i - 1}(x)" for i in range(1, 40)]
    with pytest.raises(InputError, match="cannot be applied so"):
        of_text("\n".join([*lines, "acyclic f39(po)"]))


def test_files_are_read_with_care(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "model.cat"
    path.write_text(
        '"Mine" (* a (* nested *) comment *) // and one to the end\ninclude "cos.cat"\nacyclic po | com'
    )
    assert of_file(path).title == "Mine"
    path.write_bytes(b"acyclic \xff")
    with pytest.raises(InputError, match="not a text file"):
        of_file(path)
    path.write_text("(" * 70_000)
    with pytest.raises(InputError, match="larger than"):
        of_file(path)
