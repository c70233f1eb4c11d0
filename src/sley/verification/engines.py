"""The engines by the name that ``--engine`` takes, each with the checker of its proofs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from sley.base.budget import SHARE_IS_USED_UP, Budget
from sley.base.errors import GaveUpError
from sley.engines.bmc import bmc
from sley.engines.bmc.audit import check_again
from sley.engines.bmc.options import BmcOptions
from sley.engines.bmc.proof import BoundedProof
from sley.engines.explore import explore
from sley.engines.explore.options import ExploreOptions
from sley.engines.impact import impact
from sley.engines.impact.options import ImpactOptions
from sley.engines.modular import modular
from sley.engines.modular.options import ModularOptions
from sley.engines.symmetry import symmetry
from sley.engines.symmetry.options import SymmetryOptions
from sley.evidence.bounded.check import check_bounded
from sley.evidence.bounded.runs import BoundedFollower
from sley.evidence.closed_states.check import check_closed_states
from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.closed_states.runs import ClosedStatesFollower
from sley.evidence.modular.check import check_modular
from sley.evidence.modular.proof import ModularProof
from sley.evidence.modular.runs import ModularFollower
from sley.evidence.proof import Checked, Proof
from sley.evidence.reachability_tree.check import check_reachability_tree
from sley.evidence.reachability_tree.proof import ReachabilityTree
from sley.evidence.reachability_tree.runs import TreeFollower
from sley.evidence.runs import Follower
from sley.evidence.symmetric.check import check_symmetric
from sley.evidence.symmetric.proof import SymmetricProof
from sley.evidence.symmetric.runs import SymmetricFollower
from sley.evidence.verdict import Statistics, Verdict
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.code import Code

PATIENCE, PATIENCE_FACTOR = 2.0, 3.0
"""A check of bmc's proof may take so many seconds, and so many times what the search took."""

Options = TypeVar("Options")
P = TypeVar("P", bound=Proof)


@dataclass(frozen=True)  # with slots no class that is generic can be named with its arguments
class Engine(Generic[Options, P]):
    """A search with options of its own, and a checker of its proofs that knows nothing of the search."""

    search: Callable[[Program, frozenset[Property], Options, Budget], tuple[Verdict[P], Statistics]]
    """From a prepared program to the claim that it is safe, replayed violations, or no answer."""

    check_proof: Callable[[Program, frozenset[Property], P, Budget], Checked]
    """Accepts the proof, or raises: GaveUpError if it cannot tell, anything else if it refuses."""

    follower: Callable[[Code, P], Follower]
    """What the proof says of concrete runs."""


def check_bmc(
    program: Program, properties: frozenset[Property], proof: BoundedProof, budget: Budget
) -> Checked:
    """By the checker's own formula; if that takes too long, by the engine's, built again: that is said."""
    try:
        share = budget.share(1.0, PATIENCE + PATIENCE_FACTOR * proof.seconds)
        return check_bounded(program, properties, proof.plain, share)
    except (GaveUpError, RecursionError) as reason:
        budget.check()
        checked = check_again(program, properties, proof, budget)
        why = "it took too long" if str(reason) == SHARE_IS_USED_UP else str(reason)
        skipped = (
            f"The checker has no formula of its own for this program ({why}): the engine's was built again."
        )
        return replace(checked, skipped=(*checked.skipped, skipped))


AnyEngine = Engine[Any, Any]
"""One of several: its options and its proofs fit each other, but which they are is not known."""

ENGINES: Mapping[str, AnyEngine] = {
    "explore": Engine[ExploreOptions, ClosedStates](explore, check_closed_states, ClosedStatesFollower),
    "impact": Engine[ImpactOptions, ReachabilityTree](impact, check_reachability_tree, TreeFollower),
    "bmc": Engine[BmcOptions, BoundedProof](
        bmc, check_bmc, lambda code, proof: BoundedFollower(code, proof.plain)
    ),
    "modular": Engine[ModularOptions, ModularProof](modular, check_modular, ModularFollower),
    "symmetry": Engine[SymmetryOptions, SymmetricProof](symmetry, check_symmetric, SymmetricFollower),
}
