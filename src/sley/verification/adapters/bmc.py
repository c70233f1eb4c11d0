"""Engine ``bmc`` on interleavings, under C11 and on machines, with the checkers of its proofs."""

from dataclasses import replace
from functools import partial

from sley.base.budget import SHARE_IS_USED_UP, Budget
from sley.base.errors import GaveUpError
from sley.engines.bmc.audit import check_again
from sley.engines.bmc.engine import bmc, bmc_machine, bmc_weak
from sley.engines.bmc.options import BmcOptions
from sley.engines.bmc.proof import BoundedProof
from sley.evidence.bounded.check import check_bounded
from sley.evidence.bounded.machine import check_machine
from sley.evidence.bounded.proof import BoundedProof as Plain
from sley.evidence.bounded.runs import BoundedFollower
from sley.evidence.bounded.weak import check_weak
from sley.evidence.proof import Checked
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.engine import Engine
from sley.verification.thresholds import PATIENCE, TIMES_PATIENCE


def check_bmc(
    program: Program, properties: frozenset[Property], proof: BoundedProof, budget: Budget
) -> Checked:
    """By the checker's own formula; if that takes too long, by the engine's, built again: that is said."""
    try:
        share = budget.share(1.0, PATIENCE + TIMES_PATIENCE * proof.seconds)
        return check_bounded(program, properties, proof.plain, share)
    except (GaveUpError, RecursionError) as reason:
        budget.check()
        checked = check_again(program, properties, proof, budget)
        why = "it took too long" if str(reason) == SHARE_IS_USED_UP else str(reason)
        skipped = (
            f"The checker has no formula of its own for this program ({why}): the engine's was built again."
        )
        return replace(checked, skipped=(*checked.skipped, skipped))


ENGINE = Engine[BmcOptions, BoundedProof](
    bmc,
    check_bmc,
    BoundedFollower,
    kind=Plain,
    plain=lambda proof: proof.plain,
    check_plain=check_bounded,
)

FOR_WEAK = Engine[BmcOptions, BoundedProof](
    bmc_weak,
    lambda program, properties, proof, budget: check_weak(program, properties, proof.plain, budget),
    BoundedFollower,
    kind=Plain,
    plain=lambda proof: proof.plain,
    check_plain=check_weak,
)


def on_machine(model: MemoryModel) -> Engine[BmcOptions, BoundedProof]:
    """The engine under the memory model of a machine."""
    check = partial(check_machine, model=model)
    return Engine(
        partial(bmc_machine, model=model),
        lambda program, properties, proof, budget: check(program, properties, proof.plain, budget),
        BoundedFollower,
        kind=Plain,
        plain=lambda proof: proof.plain,
        check_plain=check,
    )
