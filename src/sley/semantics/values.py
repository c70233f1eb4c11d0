"""Values that are not decided yet.

An input or an uninitialised variable may hold any of 2**32 values, and most programs only ever ask whether it
is zero. So the interpreter does not enumerate: an arbitrary value is an :class:`Undetermined` with the set of
values it may still have. A comparison that both parts of the set could answer differently *splits* the
state in two; an operation that needs the value itself enumerates a small set and gives up on a large one.
What is computed from such values is :class:`Computed`: a term over them, and with it what is known of them
beyond their sets (``knowledge``).

A state with such values stands for all states in which they are replaced by members of their sets for which
all facts hold.

They have no arithmetic on purpose: compiled code that touches one raises TypeError, and the step is then run
by the reference interpreter, which knows what to do.
"""

from dataclasses import dataclass

from sley.logic.terms import Term
from sley.program.instructions import Cause

Ranges = tuple[tuple[int, int], ...]
"""Disjoint, sorted, non-adjacent closed intervals of unsigned numbers."""


@dataclass(frozen=True, slots=True)
class Undetermined:
    """One of ``ranges``, the same wherever this number occurs in the state."""

    number: int
    width: int
    """In bits; where more are expected, the others are 0."""
    ranges: Ranges
    cause: Cause
    text: str = ""
    """What it is for the user: ``__VERIFIER_nondet_int()``, ``variable x``, the unmodelled function."""

    @property
    def size(self) -> int:
        """How many values are possible."""
        return size_of(self.ranges)


@dataclass(frozen=True, slots=True)
class Computed:
    """What a term is, the variables of which are undetermined values."""

    term: Term
    """Where more bits are expected, the others are 0."""
    inputs: tuple[Undetermined, ...]
    """The undetermined values in the term and in the facts, by number."""
    facts: frozenset[Term] = frozenset()
    """What holds between them: all facts of the state that have to do with the term, directly or not."""


Open = Undetermined | Computed
"""A value that is not decided yet."""


@dataclass(frozen=True, slots=True)
class Unset:
    """A memory cell that was neither read nor wholly written yet: arbitrary, but fixed from now on."""

    cause: Cause
    text: str = ""
    mask: int = 0
    """Bits that were written, as happens when bytes are written one by one."""
    value: int = 0
    """Their values."""

    def with_bits(self, mask: int, value: int, width: int) -> "Unset | int":
        """The cell after some of its bits were written."""
        known, bits = self.mask | mask, (self.value & ~mask) | value
        return bits if known == (1 << width) - 1 else Unset(self.cause, self.text, known, bits)

    def without_bits(self, mask: int) -> "Unset":
        """The cell after some of its bits became unspecified."""
        return Unset(self.cause, self.text, self.mask & ~mask, self.value & ~mask)


UNSET = Unset(Cause.UNINITIALISED)


def everything(width: int) -> Ranges:
    """All numbers of that many bits."""
    return ((0, (1 << width) - 1),)


def size_of(a: Ranges) -> int:
    """How many numbers there are."""
    return sum(high - low + 1 for low, high in a)


def intersection(a: Ranges, b: Ranges) -> Ranges:
    """The numbers in both."""
    found = []
    for low_a, high_a in a:
        for low_b, high_b in b:
            low, high = max(low_a, low_b), min(high_a, high_b)
            if low <= high:
                found.append((low, high))
    return tuple(sorted(found))


def complement(a: Ranges, width: int) -> Ranges:
    """The numbers of that width that are not in ``a``."""
    found = []
    start = 0
    for low, high in a:
        if start < low:
            found.append((start, low - 1))
        start = high + 1
    if start < 1 << width:
        found.append((start, (1 << width) - 1))
    return tuple(found)


def union(a: Ranges, b: Ranges) -> Ranges:
    """The numbers in one of them, or in both."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(a + b):
        if merged and merged[-1][1] + 1 >= low:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def members(a: Ranges) -> list[int]:
    """All numbers, in order."""
    return [n for low, high in a for n in range(low, high + 1)]


def representative(a: Ranges) -> int:
    """The member that reads best in a counterexample: the smallest."""
    return a[0][0]


class NeedsSplitError(Exception):
    """The step asks a question that is not answered: try in turn that ``value`` is in each of the parts.

    It is an undetermined value, or a condition that is 1 or 0. If more is known of the value than its set, it
    is in no other part than those that are named.
    """

    def __init__(self, value: Open, parts: tuple[Ranges, ...]) -> None:
        super().__init__("split")
        self.value = value
        self.parts = parts
