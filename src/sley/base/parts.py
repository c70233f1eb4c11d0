"""Parts of one search, which together are the whole."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class ParallelPart(NamedTuple):
    """One of several parts."""

    number: int
    """Counted from 0."""
    of: int

    def __str__(self) -> str:
        return f"part {self.number + 1} of {self.of}"

    def share(self, things: Sequence[T]) -> Sequence[T]:
        """Its share of some things: each belongs to one part, neighbours mostly to the same."""
        return things[len(things) * self.number // self.of : len(things) * (self.number + 1) // self.of]
