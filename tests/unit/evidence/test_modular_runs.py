"""Concrete runs against modular proofs: right ones fit, and wrong invariants do not."""

from dataclasses import replace
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.evidence.modular.proof import ModularProof
from sley.evidence.modular.runs import ModularFollower
from sley.evidence.runs import MisfitError, run_against
from sley.program.program import Program
from sley.semantics.code import Code
from sley.semantics.templates import ABSENT_AT, TemplateSystem
from tests.limits import AMPLE
from tests.unit.engines.test_modular import COUNTING, LOCKED, MANY, SPINNING, TWO, program_of
from tests.unit.evidence.test_modular_check import PAIR, claimed


def follow(program: Program, proof: ModularProof) -> int:
    code = Code(program)
    return run_against(code, frozenset(), ModularFollower(code, proof), 1.0, Budget(AMPLE)).states


@pytest.mark.parametrize("text", [PAIR, *(w + m for w in (LOCKED, SPINNING, COUNTING) for m in (MANY, TWO))])
def test_proofs_fit(tmp_path: Path, text: str) -> None:
    task = program_of(tmp_path, text, "reach")
    assert follow(task[0], claimed(task)) > 30


@pytest.mark.parametrize("worker", [SPINNING, LOCKED])
def test_wrong_invariants_do_not_fit(tmp_path: Path, worker: str) -> None:
    task = program_of(tmp_path, worker + MANY, "reach", "race")
    proof = claimed(task)
    system = TemplateSystem(task[0], copies=3, watched=proof.watched)
    t, (one,) = task[0].terms, system.workers
    ((view, conjuncts),) = proof.invariants.items()
    at, handle = system.at(one.position), system.handle(one.position)
    is_absent = t.eq(at, system.place(ABSENT_AT))
    wrong = [
        t.false,
        is_absent,
        t.or_(is_absent, t.eq(at, system.place(system.stops(one)[0]))),
        t.or_(is_absent, t.eq(handle, t.bv(2, t.width(handle)))),
        *(t.eq(system.changer(v), t.bv(0, t.width(system.changer(v)))) for v in proof.watched),
    ]
    for conjunct in wrong:
        with pytest.raises(MisfitError, match="invariant"):
            follow(task[0], replace(proof, invariants={view: (*conjuncts, conjunct)}))


def test_two_in_view_in_any_order(tmp_path: Path) -> None:
    task = program_of(tmp_path, COUNTING + MANY, "reach")
    system = TemplateSystem(task[0], copies=4)
    t, (worker,) = task[0].terms, system.workers
    one, other = (system.handle(system.position(worker, copy)) for copy in (0, 1))
    view = (worker.position, worker.position)
    assert follow(task[0], ModularProof(2, (), {view: (t.ne(one, other),)})) > 30
    with pytest.raises(MisfitError):
        follow(task[0], ModularProof(2, (), {view: (t.ult(one, other),)}))
