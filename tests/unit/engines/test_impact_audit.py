"""Labels and covers are right after every step of the algorithm; the audit can tell."""

from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.engines.impact.algorithm import Impact
from sley.engines.impact.engine import impact, make_impact
from sley.engines.impact.options import ImpactOptions, Interleaving, Interpolants
from sley.evidence.verdict import Claimed
from sley.frontend.load import load
from sley.passes.pipeline import prepare
from sley.program.program import Program
from sley.program.properties import PROPERTY_GROUPS
from tests.limits import AMPLE
from tests.unit.engines.labels import LabelError, audit

FOLDER = Path(__file__).parents[2] / "programs" / "impact"
REACH = PROPERTY_GROUPS["reach"]


def program(name: str) -> Program:
    return prepare(load([FOLDER / f"{name}.c"]), REACH)


@pytest.mark.parametrize("interleaving", [Interleaving.STATIC, Interleaving.DYNAMIC])
@pytest.mark.parametrize("force_cover", [True, False])
@pytest.mark.parametrize("interpolants", [one for one in Interpolants if one is not Interpolants.AUTO])
@pytest.mark.parametrize("name", ["s01_cover_expansion_safe", "s10_forced_need_safe"])
def test_well_labelled_after_every_step(
    name: str,
    interpolants: Interpolants,
    force_cover: bool,
    interleaving: Interleaving,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps, last_of_a_step = 0, Impact.close_ancestors

    def audited(run: Impact) -> None:
        nonlocal steps
        last_of_a_step(run)
        audit(run.terms, run.formulas, run.entailment, run.nodes)
        steps += 1

    monkeypatch.setattr(Impact, "close_ancestors", audited)
    options = ImpactOptions(interleaving=interleaving, force_cover=force_cover, interpolants=interpolants)
    verdict, _ = impact(program(name), REACH, options, Budget(AMPLE))
    assert isinstance(verdict, Claimed)
    assert steps > 1


def test_the_audit_notices_a_conjunct_that_came_from_nowhere() -> None:
    run = make_impact(
        program("endless_handover"), REACH, ImpactOptions(interpolants=Interpolants.VALUES), Budget(AMPLE)
    )
    run.run()
    node = next(node for node in run.nodes if node.label.conjuncts and node.cover is None and node.parent)
    wrong = run.terms.not_(next(iter(node.label.conjuncts)))
    node.label.add(run.terms, (wrong,))
    with pytest.raises(LabelError):
        audit(run.terms, run.formulas, run.entailment, run.nodes)
