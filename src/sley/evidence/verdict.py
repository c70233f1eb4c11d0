"""The answer of an engine: Safe needs a proof, Unsafe a replayed trace, everything else is Unknown."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sley.evidence.proof import Proof
from sley.evidence.trace import Trace


@dataclass(frozen=True, slots=True)
class Safe:
    """No violation for any schedule, input or number of iterations; ``proof`` was accepted by its checker."""

    proof: Proof


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


@dataclass(frozen=True, slots=True)
class Unknown:
    """Gave up: why, and what is certain nevertheless."""

    reason: str
    certain: tuple[str, ...] = ()
    traces: tuple[Trace, ...] = field(default=())
    """Possible bugs: replayed, but resting on arbitrary results of unmodelled functions."""


Verdict = Safe | Unsafe | Bounded | Unknown

Statistics = Mapping[str, int | float | str]
"""What an engine counted, by name, in the order to be shown."""
