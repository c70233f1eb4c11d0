"""The engines by the name that ``--engine`` takes, each with the checker of its proofs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sley.analyses.threads import Creations, Instances
from sley.base.budget import Budget
from sley.engines.bmc import bmc
from sley.engines.bmc.audit import check_bounded
from sley.engines.explore import explore
from sley.engines.impact import impact
from sley.engines.modular import modular
from sley.engines.symmetry import symmetry
from sley.evidence.closed_states_check import check_closed_states
from sley.evidence.modular_check import check_modular
from sley.evidence.reachability_tree_check import check_reachability_tree
from sley.evidence.symmetric.check import check_symmetric
from sley.evidence.verdict import Statistics, Verdict
from sley.program.program import Program
from sley.program.properties import Property


@dataclass(frozen=True, slots=True)
class Engine:
    """A search, and a checker that knows nothing of the search."""

    search: Callable[[Program, frozenset[Property], Any, Budget], tuple[Verdict, Statistics]]
    """From a prepared program and the engine's own options to a claim: Safe with a proof that nobody has
    checked yet, Unsafe with replayed traces, or no answer."""

    check_proof: Callable[[Program, frozenset[Property], Any, Budget], None]
    """Accepts the proof of a Safe, or raises: GaveUpError if it cannot tell, anything else if it refuses."""


ENGINES: Mapping[str, Engine] = {
    "explore": Engine(explore, check_closed_states),
    "impact": Engine(impact, check_reachability_tree),
    "bmc": Engine(bmc, check_bounded),
    "modular": Engine(modular, check_modular),
    "symmetry": Engine(symmetry, check_symmetric),
}


class Turn(NamedTuple):
    """An engine gets a part of the time that is left, in seconds at most ``at_most``."""

    engine: str
    part: float = 1.0
    at_most: float | None = None


ROW = (
    Turn("explore", 0.1, 1.5),
    Turn("bmc", 0.3, 15.0),
    Turn("impact", 0.5),
    Turn("modular", 0.3, 30.0),
    Turn("bmc", 0.5),
    Turn("explore"),
)
"""Who is asked, in this order, where the user chose none: bounds are small at first, and deeper later."""

ROW_FOR_MANY = (
    Turn("explore", 0.1, 1.5),
    Turn("bmc", 0.1, 5.0),
    Turn("modular", 0.3, 30.0),
    Turn("symmetry", 0.4, 60.0),
    Turn("impact", 0.5),
    Turn("bmc", 0.5),
    Turn("explore"),
)
"""The same for programs that start a function more than once, maybe any number of times."""


def row_for(program: Program) -> tuple[Turn, ...]:
    """Who is asked about a prepared program."""
    instances = Creations(program).instances.values()
    return ROW_FOR_MANY if Instances.MANY in instances else ROW
