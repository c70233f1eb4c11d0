"""The engines by the name that ``--engine`` takes, each with the checker of its proofs.

An engine is imported when it is asked for: a run needs few of them, each in a process of its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sley.base.budget import SHARE_IS_USED_UP, Budget
from sley.base.errors import GaveUpError
from sley.base.parts import Part
from sley.evidence.proof import Checked, Proof
from sley.evidence.runs import Follower
from sley.evidence.verdict import Claimed, PartVerdict, Statistics, Verdict
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, ON_REQUEST, Property
from sley.semantics.code import Code

if TYPE_CHECKING:
    from sley.engines.bmc.proof import BoundedProof

PATIENCE, PATIENCE_FACTOR = 2.0, 3.0
"""A check of bmc's proof may take so many seconds, and so many times what the search took."""

Options = TypeVar("Options")
P = TypeVar("P", bound=Proof)


@dataclass(frozen=True)  # with slots no class that is generic can be named with its arguments
class Partition(Generic[Options, P]):
    """How a search is divided into parts that know nothing of each other."""

    search: Callable[[Program, frozenset[Property], Options, Part, Budget], tuple[PartVerdict, Statistics]]
    """Search one part."""

    united: Callable[[Program, Sequence[Any]], P]
    """What the parts claim, in their order, as a proof; GaveUpError if they do not fit together."""

    is_possible: Callable[[Options], bool] = lambda _: True
    """Whether a search with these options can be divided."""


@dataclass(frozen=True)
class Engine(Generic[Options, P]):
    """A search with options of its own, and a checker of its proofs that knows nothing of the search."""

    search: Callable[[Program, frozenset[Property], Options, Budget], tuple[Verdict[P], Statistics]]
    """From a prepared program to the claim that it is safe, replayed violations, or no answer."""

    check_proof: Callable[[Program, frozenset[Property], P, Budget], Checked]
    """Accepts the proof, or raises: GaveUpError if it cannot tell, anything else if it refuses."""

    follower: Callable[[Code, Any], Follower]
    """What the plain part of a proof says of concrete runs."""

    partition: "Partition[Options, P] | None" = None
    """How the search is divided, if it can be."""

    checks_on_all_cores: bool = False
    """Whether the check of a large proof computes in as many processes as there may be."""

    only_proves: bool = False
    """Whether it never finds a violation."""

    decides: frozenset[Property] = ALL_PROPERTIES
    """What it can be asked about."""

    kind: Any = None
    """The type of the plain part of proofs, by which a file keeps it."""

    plain: Callable[[P], Any] = lambda proof: proof
    """The part of a proof that a file can keep: data of ``evidence``, which knows no engine."""

    check_plain: Callable[[Program, frozenset[Property], Any, Budget], Checked] | None = None
    """The same as ``check_proof`` for the plain part alone; None: that is all of it."""

    def with_proof(self, proof: Callable[[Program], Any]) -> "AnyEngine":
        """An engine that finds a proof at once: the plain part of one, as somebody kept it."""
        return replace(
            self,
            search=lambda program, *_: (Claimed(proof(program)), {}),
            check_proof=self.check_plain or self.check_proof,
            plain=lambda found: found,
            partition=None,
        )


AnyEngine = Engine[Any, Any]
"""One of several: its options and its proofs fit each other, but which they are is not known."""


def _explore() -> AnyEngine:
    from sley.engines.explore.engine import explore, explore_part
    from sley.engines.explore.parts import united
    from sley.evidence.closed_states.check import check_closed_states
    from sley.evidence.closed_states.proof import ClosedStates
    from sley.evidence.closed_states.runs import ClosedStatesFollower

    partition = Partition(explore_part, united)
    decides = ALL_PROPERTIES | ON_REQUEST
    return Engine(
        explore,
        check_closed_states,
        ClosedStatesFollower,
        partition,
        checks_on_all_cores=True,
        decides=decides,
        kind=ClosedStates,
    )


def _explore_weak() -> AnyEngine:
    from sley.engines.explore.engine import explore_weak
    from sley.evidence.closed_states.proof import ClosedStates
    from sley.evidence.closed_states.runs import ClosedStatesFollower
    from sley.evidence.closed_states.weak import check_closed_histories

    return Engine(
        explore_weak,
        check_closed_histories,
        ClosedStatesFollower,
        checks_on_all_cores=True,
        kind=ClosedStates,
    )


def _impact() -> AnyEngine:
    from sley.engines.impact.engine import impact
    from sley.evidence.reachability_tree.check import check_reachability_tree
    from sley.evidence.reachability_tree.proof import ReachabilityTree
    from sley.evidence.reachability_tree.runs import TreeFollower

    return Engine(impact, check_reachability_tree, TreeFollower, kind=ReachabilityTree)


def _bmc() -> AnyEngine:
    from sley.engines.bmc.engine import bmc, bmc_part
    from sley.engines.bmc.options import BmcOptions
    from sley.engines.bmc.parts import can_be_divided, united
    from sley.engines.bmc.proof import BoundedProof
    from sley.evidence.bounded.check import check_bounded
    from sley.evidence.bounded.proof import BoundedProof as Plain
    from sley.evidence.bounded.runs import BoundedFollower

    return Engine[BmcOptions, BoundedProof](
        bmc,
        check_bmc,
        BoundedFollower,
        Partition(bmc_part, united, can_be_divided),
        kind=Plain,
        plain=lambda proof: proof.plain,
        check_plain=check_bounded,
    )


def _bmc_weak() -> AnyEngine:
    from sley.engines.bmc.engine import bmc_weak
    from sley.engines.bmc.options import BmcOptions
    from sley.engines.bmc.proof import BoundedProof
    from sley.evidence.bounded.proof import BoundedProof as Plain
    from sley.evidence.bounded.runs import BoundedFollower
    from sley.evidence.bounded.weak import check_weak

    return Engine[BmcOptions, BoundedProof](
        bmc_weak,
        lambda program, properties, proof, budget: check_weak(program, properties, proof.plain, budget),
        BoundedFollower,
        kind=Plain,
        plain=lambda proof: proof.plain,
        check_plain=check_weak,
    )


def _bmc_on(model: MemoryModel) -> AnyEngine:
    from sley.engines.bmc.engine import bmc_machine
    from sley.engines.bmc.options import BmcOptions
    from sley.engines.bmc.proof import BoundedProof
    from sley.evidence.bounded.machine import check_machine
    from sley.evidence.bounded.proof import BoundedProof as Plain
    from sley.evidence.bounded.runs import BoundedFollower

    check = partial(check_machine, model=model)
    return Engine[BmcOptions, BoundedProof](
        partial(bmc_machine, model=model),
        lambda program, properties, proof, budget: check(program, properties, proof.plain, budget),
        BoundedFollower,
        kind=Plain,
        plain=lambda proof: proof.plain,
        check_plain=check,
    )


def _modular() -> AnyEngine:
    from sley.engines.modular.engine import modular
    from sley.evidence.modular.check import check_modular
    from sley.evidence.modular.proof import ModularProof
    from sley.evidence.modular.runs import ModularFollower

    return Engine(modular, check_modular, ModularFollower, only_proves=True, kind=ModularProof)


def _abstract() -> AnyEngine:
    from sley.engines.abstract.engine import abstract
    from sley.evidence.fixpoint.check import check_fixpoint
    from sley.evidence.fixpoint.proof import Fixpoint
    from sley.evidence.fixpoint.runs import FixpointFollower

    return Engine(abstract, check_fixpoint, FixpointFollower, only_proves=True, kind=Fixpoint)


def _symmetry() -> AnyEngine:
    from sley.engines.symmetry.engine import symmetry
    from sley.evidence.symmetric.check import check_symmetric
    from sley.evidence.symmetric.proof import SymmetricProof
    from sley.evidence.symmetric.runs import SymmetricFollower

    return Engine(symmetry, check_symmetric, SymmetricFollower, kind=SymmetricProof)


def check_bmc(
    program: Program, properties: frozenset[Property], proof: "BoundedProof", budget: Budget
) -> Checked:
    """By the checker's own formula; if that takes too long, by the engine's, built again: that is said."""
    from sley.engines.bmc.audit import check_again
    from sley.evidence.bounded.check import check_bounded

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


class _Engines(Mapping[str, AnyEngine]):
    """The engines by name, imported when they are asked for."""

    def __init__(self, name: str, **makers: Callable[[], AnyEngine]) -> None:
        self._name = name
        self._makers = {name: cache(maker) for name, maker in makers.items()}

    def __reduce__(self) -> str:
        """In another process, they are what has this name there."""
        return self._name

    def __getitem__(self, name: str) -> AnyEngine:
        return self._makers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __contains__(self, name: object) -> bool:
        return name in self._makers


ENGINES = _Engines(
    "ENGINES",
    explore=_explore,
    impact=_impact,
    bmc=_bmc,
    modular=_modular,
    symmetry=_symmetry,
    abstract=_abstract,
)

FOR_WEAK = _Engines("FOR_WEAK", explore=_explore_weak, bmc=_bmc_weak)
"""Those that know what weak orders mean under C11, for programs that have them.

The others still find violations there: whatever happens where threads interleave also happens under C11, and
two accesses that meet are not ordered. But what they prove is nothing that C11 promises.
"""


@cache
def for_machine(model: MemoryModel) -> Mapping[str, AnyEngine]:
    """Those that know what a machine does with accesses.

    The others still find violations there: every machine may behave as if threads interleaved. Of a text
    of the user's that is not known.
    """
    return _Engines("", bmc=partial(_bmc_on, model))
