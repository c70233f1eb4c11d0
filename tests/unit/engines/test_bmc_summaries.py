"""Summaries of local code, against the same code edge by edge on numbers."""

from pathlib import Path
from random import Random

import pytest

from sley.engines.bmc.events.loops import LoopNest
from sley.engines.bmc.events.summaries import Summaries, Summary
from sley.logic.operators import Value
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program.instructions import Assign, Assume, Register
from sley.program.program import Edge, Function
from sley.program.properties import Property
from sley.semantics.code import Code
from tests.fuzz.laws import loaded

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
_Atomic int x;
static int larger(int a, int b) { if (a > b) return a; return b; }
static int sign(int a)
{
    switch (a) { case 0: return 0; case 1: case 2: return 1; default: return a < 0 ? -1 : 1; }
}
void *f(void *p)
{
    int a = x, b = x;
    int c = larger(a, b) + 3, d = larger(b, c);
    if (c == d) c = c * 2; else d = sign(d) ^ a;
    assert(c != 5);
    while (a > 0) { a = a / 2; b = b + (b > d); if (b == 7) break; }
    x = b + c + d;
    return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }
"""


class Numbers:
    """Registers of one function with numbers in them."""

    def __init__(self, code: Code, function: Function, random: Random) -> None:
        self.terms = code.program.terms
        self.code = code
        self.values: dict[Term, Value] = {
            register.term: bool(random.randrange(2)) if register.sort == BOOL else random.randrange(9)
            for register in function.registers
        }

    def of(self, term: Term) -> Value:
        return self.terms.evaluate(term, self.values)

    def next(self, location: int) -> Edge | None:
        """Take the edge that can be taken."""
        for edge in self.code.out[location]:
            match edge.instruction:
                case Assign(assignments=assignments):
                    self.values |= {register.term: self.of(term) for register, term in assignments}
                    return edge
                case Assume(condition=condition) if self.of(condition):
                    return edge
                case _:
                    pass
        return None


def taken(numbers: Numbers, summary: Summary) -> list[tuple[Edge, dict[Register, Value]]]:
    """The ways that can be taken, each with what it leaves in registers."""
    return [
        (way.edge, {register: numbers.of(term) for register, term in way.updates.items()})
        for way in summary.ways
        if all(numbers.of(conjunct) for conjunct in way.guard)
    ]


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Code:
    path: Path = tmp_path_factory.mktemp("summaries") / "program.c"
    path.write_text(PROGRAM)
    return Code(loaded(path, frozenset({Property.REACH, Property.OVERFLOW})))


@pytest.mark.parametrize("seed", range(40))
def test_a_summary_says_what_its_edges_do(seed: int, code: Code) -> None:
    random = Random(seed)
    for function in code.program.functions.values():
        summaries = Summaries(code, LoopNest(function), lambda _: True)
        for start in function.locations:
            summary = summaries.of(start)
            if summary is None:
                continue
            numbers = Numbers(code, function, random)
            found = taken(numbers, summary)
            stops = any(numbers.of(stop) for stop in summary.stops)
            assert len(found) + stops == 1
            before, location = dict(numbers.values), start
            while (edge := numbers.next(location)) is not None and not any(edge is way for way, _ in found):
                location = edge.target
            assert (edge is None) == stops
            for _, updates in found:
                for register in code.live.get(edge.target if edge else -1, ()):
                    expected = updates.get(register, before[register.term])
                    assert numbers.values[register.term] == expected


def test_a_called_function_without_accesses_is_one_summary(code: Code) -> None:
    """From the second load to the loop: two calls, a branch and an assertion, with two ways out."""
    function = code.program.functions["f"]
    summaries = Summaries(code, LoopNest(function), lambda _: True)
    made = [found for location in function.locations if (found := summaries.of(location)) is not None]
    errors = [sum(way.edge.target in code.errors for way in summary.ways) for summary in made]
    most = max(len(way.updates) for summary in made for way in summary.ways)
    assert max(errors) >= 3, "overflows and the assertion are ways out of one summary"
    assert most >= 2


def test_what_is_not_looked_at_is_no_way(code: Code) -> None:
    function = code.program.functions["f"]
    nest = LoopNest(function)
    all_of_it, nothing = Summaries(code, nest, lambda _: True), Summaries(code, nest, lambda _: False)
    for location in function.locations:
        some, none = all_of_it.of(location), nothing.of(location)
        if some is not None and none is not None and len(code.out[location]) > 1:
            assert some.ways
            assert not none.ways
