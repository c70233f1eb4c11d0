"""Values of arrays: one number for all indices but a few.

An array is a function of its index; two are never compared, so nothing depends on how one is written down. In
a state of a run some elements may not be decided: then the array has no default, and asking for such an
element raises KeyError, as the evaluation of a term does for a variable that has no value.
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ArrayValue:
    """``default`` at every index that is not among ``others``; None: not decided there."""

    default: int | None
    others: tuple[tuple[int, int], ...] = ()
    """Index and element, sorted; no element is the default."""

    @staticmethod
    def of(default: int | None, others: Iterable[tuple[int, int]]) -> "ArrayValue":
        """The array with these elements; of those with one index the last counts."""
        return ArrayValue(default, tuple(sorted(pair for pair in dict(others).items() if pair[1] != default)))

    def at(self, index: int) -> int:
        """The element."""
        place = bisect_left(self.others, (index,))
        if place < len(self.others) and self.others[place][0] == index:
            return self.others[place][1]
        if self.default is None:
            raise KeyError(index)
        return self.default

    def with_element(self, index: int, element: int) -> "ArrayValue":
        """The array with another element there."""
        place = bisect_left(self.others, (index,))
        is_there = place < len(self.others) and self.others[place][0] == index
        new = ((index, element),) if element != self.default else ()
        return ArrayValue(self.default, self.others[:place] + new + self.others[place + is_there :])
