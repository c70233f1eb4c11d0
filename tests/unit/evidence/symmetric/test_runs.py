"""Concrete runs against proofs by symmetric predicate abstraction: right ones fit, wrong ones do not."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from sley.base.budget import Budget
from sley.evidence import runs
from sley.evidence.runs import FEWEST_RUNS, Fitted, MisfitError, run_against
from sley.evidence.symmetric.proof import (
    ClosedViews,
    Reachable,
    SymmetricProof,
)
from sley.evidence.symmetric.runs import SymmetricFollower
from sley.program.program import Program
from sley.semantics.code import Code
from tests.limits import AMPLE
from tests.unit.engines.test_symmetry import COUNTER, FOR_EVER, REACH, program
from tests.unit.evidence.symmetric.test_check import FAULTS, TWO_WORKERS, proof_of, without


def fits(made: Program, proof: SymmetricProof, seconds: float = 3.0) -> Fitted:
    code = Code(made)
    return run_against(code, REACH, SymmetricFollower(code, proof), seconds, Budget(AMPLE))


def misfits(made: Program, proof: SymmetricProof) -> bool:
    try:
        with patch.object(runs, "MOST_SECONDS", AMPLE):  # until one does not fit
            fits(made, proof, AMPLE)
    except MisfitError:
        return True
    return False


@pytest.mark.parametrize(("main", "kind"), [(FOR_EVER, ClosedViews), (TWO_WORKERS, Reachable)])
def test_right_proofs_fit(main: str, kind: type, tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER, main)
    proof = proof_of(made)
    assert isinstance(proof.argument, kind)
    found = fits(made, proof)
    assert found.runs >= FEWEST_RUNS
    assert found.states > found.runs


def test_without_a_configuration_some_run_does_not_fit(tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER, TWO_WORKERS)
    proof = proof_of(made)
    assert isinstance(proof.argument, Reachable)
    known = proof.argument.configurations
    parts = [replace(proof, argument=Reachable(without(known, i))) for i in range(0, len(known), 9)]
    assert sum(misfits(made, part) for part in parts) > len(parts) / 2


def test_a_thread_that_no_view_has(tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER)
    proof = proof_of(made)
    assert isinstance(proof.argument, ClosedViews)
    few = tuple(view for view in proof.argument.views if len(view[1]) < 2)
    assert misfits(made, replace(proof, argument=replace(proof.argument, views=few)))


@pytest.mark.parametrize(
    "fault", ["a broadcast forgets passive threads", "one solution of many", "workers take no steps"]
)
def test_what_a_faulty_engine_claims_does_not_fit(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, name, wrong, text = FAULTS[fault]
    made = program(tmp_path, text)
    monkeypatch.setattr(owner, name, wrong)
    assert misfits(made, proof_of(made))
