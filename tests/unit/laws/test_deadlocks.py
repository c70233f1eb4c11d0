"""Deadlocks: circles of waits, of different threads at once and without a common lock."""

from collections.abc import Callable

import pytest

from sley.laws.deadlocks import Arrow, Node, _circle
from sley.semantics.abstract.objects import Cell
from sley.semantics.abstract.world import Wait

A, B, C = (Cell(obj, 0, 4) for obj in range(3))
THREAD = 9
"""A kind of threads, whose end is waited for."""


def wait_for(*cells: Cell, thread: int | None = None) -> Wait:
    return Wait(frozenset(cells), frozenset(), thread, None, frozenset(), frozenset())


def arrows(*pairs: tuple[Node, Node]) -> dict[Node, list[Arrow]]:
    """One wait for each pair of what is held and what is waited for."""
    found: dict[Node, list[Arrow]] = {}
    for number, (held, wanted) in enumerate(pairs):
        cells = (wanted,) if isinstance(wanted, Cell) else ()
        found.setdefault(held, []).append(Arrow(wanted, wait_for(*cells, thread=number)))
    return found


def always(_: Wait, __: Wait) -> bool:
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
def test_a_circle_of_waits_is_found(waits: dict[Node, list[Arrow]], *, has_circle: bool) -> None:
    assert (_circle(waits, always) is not None) == has_circle


@pytest.mark.parametrize("pair", [(0, 1), (1, 2), (0, 2)])
def test_waits_that_are_never_at_once_make_no_circle(pair: tuple[int, int]) -> None:
    """As two of one thread, or of threads that hold a common lock."""

    def apart(one: Wait, other: Wait) -> bool:
        return {one.thread, other.thread} != set(pair)

    waits = arrows((A, B), (B, C), (C, A))
    assert _circle(waits, always) is not None
    assert _circle(waits, apart) is None


def test_a_circle_in_a_circle_is_found_although_the_outer_one_is_impossible() -> None:
    waits = arrows((A, B), (B, A), (B, C), (C, A))
    inner: Callable[[Wait, Wait], bool] = lambda one, other: {one.thread, other.thread} <= {0, 1}  # noqa: E731
    found = _circle(waits, inner)
    assert found is not None
    assert found.thread in {0, 1}
