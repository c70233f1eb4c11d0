"""Minimum hitting sets, by PySAT."""

from collections.abc import Collection, Hashable, Iterable
from typing import TypeVar

from pysat.examples.hitman import Hitman

_T = TypeVar("_T", bound=Hashable)


def smallest_hitting_set(sets: Iterable[Collection[_T]]) -> frozenset[_T]:
    """A smallest set that has an element of each."""
    with Hitman(bootstrap_with=[list(one) for one in sets], htype="sorted") as hitman:
        return frozenset(hitman.get())
