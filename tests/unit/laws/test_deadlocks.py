"""Deadlocks: circles of waits, of different threads at once and without a common lock."""

import pytest

from sley.laws.deadlocks import Node, WaitsFor, _circle
from sley.semantics.abstract.objects import ObjectCell
from sley.semantics.abstract.world import PossibleWait

A, B, C = (ObjectCell(obj, 0, 4) for obj in range(3))
THREAD = 9
"""A kind of threads, whose end is waited for."""


def wait_for(*cells: ObjectCell, thread: int | None = None) -> PossibleWait:
    return PossibleWait(frozenset(cells), frozenset(), thread, None, frozenset(), frozenset())


def arrows(*pairs: tuple[Node, Node]) -> dict[Node, list[WaitsFor]]:
    """One wait for each pair of what is held and what is waited for."""
    found: dict[Node, list[WaitsFor]] = {}
    for number, (held, wanted) in enumerate(pairs):
        cells = (wanted,) if isinstance(wanted, ObjectCell) else ()
        found.setdefault(held, []).append(WaitsFor(wanted, wait_for(*cells, thread=number)))
    return found


def always(_: PossibleWait, __: PossibleWait) -> bool:
    return True


@pytest.mark.parametrize(
    ("waits", "has_circle"),
    [
        (arrows((A, B), (B, A)), True),
        (arrows((A, A)), True),
        (arrows((A, B), (B, C), (C, A)), True),
        (arrows((A, THREAD), (THREAD, A)), True),
        (arrows((A, B), (B, C), (A, C)), False),
        (arrows((A, B), (C, B)), False),
        ({}, False),
    ],
    ids=["two", "itself", "three", "lock and join", "in order", "the same", "none"],
)
def test_a_circle_of_waits_is_found(waits: dict[Node, list[WaitsFor]], *, has_circle: bool) -> None:
    assert (_circle(waits, always) is not None) == has_circle


@pytest.mark.parametrize("pair", [(0, 1), (1, 2), (0, 2)])
def test_waits_that_are_never_at_once_make_no_circle(pair: tuple[int, int]) -> None:
    """As two of one thread, or of threads that hold a common lock."""

    def apart(one: PossibleWait, other: PossibleWait) -> bool:
        return {one.thread, other.thread} != set(pair)

    waits = arrows((A, B), (B, C), (C, A))
    assert _circle(waits, always) is not None
    assert _circle(waits, apart) is None


def test_a_circle_in_a_circle_is_found_although_the_outer_one_is_impossible() -> None:
    waits = arrows((A, B), (B, A), (B, C), (C, A))

    def inner(one: PossibleWait, other: PossibleWait) -> bool:
        return {one.thread, other.thread} <= {0, 1}

    found = _circle(waits, inner)
    assert found is not None
    assert found.thread in {0, 1}
