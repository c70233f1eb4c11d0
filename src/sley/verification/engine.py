"""What the scheduler knows of an engine: a search, and a checker of its proofs that knows nothing of it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from sley.base.budget import Budget
from sley.evidence.proof import Checked, Proof
from sley.evidence.runs import Follower
from sley.evidence.verdict import Claimed, Statistics, Verdict
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.semantics.code import Code

Options = TypeVar("Options")
P = TypeVar("P", bound=Proof)


@dataclass(frozen=True)  # with slots no class that is generic can be named with its arguments
class Engine(Generic[Options, P]):
    """A search with options of its own, and a checker of its proofs that knows nothing of the search."""

    search: Callable[[Program, frozenset[Property], Options, Budget], tuple[Verdict[P], Statistics]]
    """From a prepared program to the claim that it is safe, replayed violations, or no answer."""

    check_proof: Callable[[Program, frozenset[Property], P, Budget], Checked]
    """Accepts the proof, or raises: GaveUpError if it cannot tell, anything else if it refuses."""

    follower: Callable[[Code, Any], Follower]
    """What the plain part of a proof says of concrete runs."""

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

    def plain_part(self, proof: P) -> Any:
        """What a file keeps and runs are held against; a proof of another engine has none."""
        plain = self.plain(proof)
        assert self.kind is None or isinstance(plain, self.kind), f"a proof of {type(proof).__name__}"
        return plain

    def with_proof(self, proof: Callable[[Program], Any]) -> "AnyEngine":
        """An engine that finds a proof at once: the plain part of one, as a file kept it."""
        return replace(
            self,
            search=lambda program, *_: (Claimed(proof(program)), {}),
            check_proof=self.check_plain or self.check_proof,
            plain=lambda found: found,
        )


AnyEngine = Engine[Any, Any]
"""One of several. ``adapters`` make them, where types say that options, proofs and checkers fit each other;
what a mistake of ours mixes up later, ``plain_part`` finds."""
