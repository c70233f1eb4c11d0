"""Parts of one search: together they are the whole, alone they prove nothing."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.base.parts import ParallelPart
from sley.engines.bmc import search
from sley.engines.bmc.events.unrolling import Unroller
from sley.engines.bmc.formula.encoding import encode
from sley.engines.bmc.options import BmcOptions, Likely
from sley.engines.bmc.parts import runs_of
from sley.engines.bmc.steps import reduced
from sley.evidence.proof import RefusedProofError
from sley.evidence.verdict import Safe, Unknown, Unsafe
from sley.program.properties import Property
from sley.semantics.code import Code
from sley.solvers import make_solver
from sley.solvers.port import SolverAnswer
from sley.verification.answers import Answered
from sley.verification.attempt import Attempt
from sley.verification.engines import ENGINES
from sley.verification.executors.nodes import parts
from sley.verification.observer import SilentObserver
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.task import Task
from tests.limits import AMPLE

REACH = frozenset({Property.REACH})
SUM = """\
#include <assert.h>
#include <pthread.h>
_Atomic int x = 1, y = 1;
void *first(void *unused) { for (int i = 0; i < 2; i++) x = x + y; return 0; }
void *second(void *unused) { for (int i = 0; i < 2; i++) y = y + x; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  assert(y < LIMIT);
}
"""
"""The largest value of y is 8: x = 2, y = 3, x = 5, y = 8."""


def attempt(tmp_path: Path, engine: str, limit: int) -> Attempt:
    path = tmp_path / "sum.c"
    path.write_text(SUM)
    task = Task(paths=(path,), defines=(f"LIMIT={limit}",), selection=Selection(REACH))
    return Attempt(engine, ENGINES, program_of(task), REACH, task)


def answered(one: Attempt) -> Answered:
    return one.answered(Budget(AMPLE), SilentObserver())


def claims(found: Sequence[Answered]) -> tuple[object, ...]:
    return tuple(one.claim for one in found)


@pytest.mark.parametrize("engine", ["explore", "bmc"])
def test_all_parts_together_are_a_proof(tmp_path: Path, engine: str) -> None:
    whole = attempt(tmp_path, engine, 9)
    found = [answered(part) for part in whole.in_parts(3)]
    for one in found:
        assert isinstance(one.outcome, Unknown)
        assert "was searched" in one.outcome.reason
    united = answered(replace(whole, claims=claims(found)))
    assert isinstance(united.outcome, Safe)


RELATED = """\
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
_Atomic int x, y;
void *work(void *unused) { int old = x; if (old < y) x = old + 1; return 0; }
int main(void) {
  pthread_t a, b;
  int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int();
  x = first; y = second;
  if (first > second) return 0;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  assert(x <= y);
}
"""


def test_parts_that_compute_with_inputs_fit_together_wherever_they_were_searched(tmp_path: Path) -> None:
    """In each of them terms have other numbers."""
    path = tmp_path / "related.c"
    path.write_text(RELATED)
    task = Task(paths=(path,), selection=Selection(REACH))

    def anew() -> Attempt:
        return Attempt("explore", ENGINES, program_of(task), REACH, task)

    found = [answered(anew().in_parts(3)[number]) for number in range(3)]
    whole = anew()
    assert isinstance(answered(replace(whole, claims=claims(found))).outcome, Safe)


@pytest.mark.parametrize("engine", ["explore", "bmc"])
def test_a_violation_is_in_some_part_and_a_proof_without_it_is_refused(tmp_path: Path, engine: str) -> None:
    whole = attempt(tmp_path, engine, 8)
    found = [answered(part) for part in whole.in_parts(3)]
    assert any(isinstance(one.outcome, Unsafe) for one in found)
    innocent = [one for one in found if one.claim is not None]
    if innocent:
        with pytest.raises(RefusedProofError):
            answered(replace(whole, claims=claims(innocent)))


def test_cubes_exclude_each_other_and_cover_all_runs(tmp_path: Path) -> None:
    program = attempt(tmp_path, "bmc", 9).program
    options, budget = BmcOptions(), Budget(AMPLE)
    graph = Unroller(Code(program)).unroll({}, budget, finds_waits=False, summarises=True)
    formula = encode(reduced(graph, options, REACH), options, REACH, budget)
    t = program.terms
    runs = [runs_of(formula, ParallelPart(number, 3)) for number in range(3)]
    solver = make_solver("bitwuzla", t)
    assert solver.check(t.not_(t.or_(*runs))) is SolverAnswer.UNSAT
    for number, one in enumerate(runs):
        assert solver.check(one) is SolverAnswer.SAT
        assert solver.check(t.and_(one, t.or_(*runs[:number]))) is SolverAnswer.UNSAT


def test_cores_that_are_left_are_shared_out(tmp_path: Path) -> None:
    whole = [attempt(tmp_path, engine, 9) for engine in ("explore", "impact", "bmc")]
    assert parts(whole, 3) == []
    found = [(one.name, one.part) for one in parts(whole, 5)]
    assert found == [(name, ParallelPart(number, 2)) for name in ("explore", "bmc") for number in range(2)]


def test_parts_with_likely_invariants_find_what_the_whole_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part is asked about its own runs only, in all turns."""
    monkeypatch.setattr(search, "EASY", 0)
    for bound in (8, 9):
        one = attempt(tmp_path, "bmc", bound)
        options = replace(one.task.options, bmc=BmcOptions(likely_invariants=Likely.SWITCHED, runs=3))
        whole = replace(one, task=replace(one.task, options=options))
        found = [answered(part) for part in whole.in_parts(3)]
        if bound == 8:
            assert any(isinstance(part.outcome, Unsafe) for part in found)
        else:
            assert isinstance(answered(replace(whole, claims=claims(found))).outcome, Safe)


def test_a_search_of_some_runs_is_not_divided(tmp_path: Path) -> None:
    one = attempt(tmp_path, "bmc", 9)
    options = replace(one.task.options, bmc=BmcOptions(unwind=2))
    assert replace(one, task=replace(one.task, options=options)).in_parts(2) == []
