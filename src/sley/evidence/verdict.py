"""The answers of engines and of the whole: an engine claims, and only a checked claim is Safe."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from sley.evidence.invariants import NONE, Invariants
from sley.evidence.proof import Checked, KeptProof, Proof
from sley.evidence.trace import Trace

P = TypeVar("P", bound=Proof, covariant=True)


@dataclass(frozen=True, slots=True)
class Claimed(Generic[P]):
    """An engine says that there is no violation, with a proof that was not checked yet."""

    proof: P


@dataclass(frozen=True, slots=True)
class Safe:
    """No violation for any schedule, input or number of iterations, and how the proof of it was checked."""

    proof: Proof
    checked: Checked
    invariants: Invariants = NONE
    """What holds at places of the C program; only if it was asked for."""
    kept: tuple[KeptProof, ...] = ()
    """All proofs that the answer rests on, as a file keeps them; only if it was asked for."""


@dataclass(frozen=True, slots=True)
class Unsafe:
    """Violations, each replayed; the first is the one that the result names."""

    traces: tuple[Trace, ...]

    @property
    def is_certain(self) -> bool:
        """Whether some trace does not depend on an unmodelled function."""
        return any(not trace.depends_on for trace in self.traces)


@dataclass(frozen=True, slots=True)
class Bounded:
    """Nothing found up to a bound, and something beyond the bound exists."""

    bound: str
    beyond: tuple[str, ...] = ()
    """What can go further, such as ``the loop at queue.c:12``; maybe not all."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Gave up: why, and what is certain nevertheless."""

    reason: str
    certain: tuple[str, ...] = ()
    traces: tuple[Trace, ...] = field(default=())
    """Possible bugs: replayed, but resting on arbitrary results of unmodelled functions."""
    reasons: tuple[tuple[str, str], ...] = ()
    """Engines and the reason of each, where several gave up."""


Verdict = Claimed[P] | Unsafe | Bounded | Unknown
"""The answer of an engine."""

Statistics = Mapping[str, int | float | str]
"""What an engine counted, by name, in the order to be shown."""
