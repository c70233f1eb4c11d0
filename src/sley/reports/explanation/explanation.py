"""What is said about a violation."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Explanation:
    """Sentences for the reader; ``remarks`` belong to single rows, by number."""

    why: tuple[str, ...] = ()
    fix: tuple[str, ...] = ()
    remarks: Mapping[int, str] = field(default_factory=dict)
    decisive: frozenset[int] = frozenset()
    """Events of the trace, by index, that the sentences speak of: they must stay visible."""

    def __bool__(self) -> bool:
        return bool(self.why or self.fix)
