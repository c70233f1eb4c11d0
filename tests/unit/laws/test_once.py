"""What happens once: a single entry from a place that is passed once, and nothing else."""

import pytest

from sley.laws.once import Once
from sley.semantics.abstract.contexts import Context
from sley.semantics.abstract.objects import MANY_MAKERS, ObjectKind, ObjectOrigin
from sley.semantics.abstract.state import Partition

MAIN, CALLED, DEEPER = (Context(index, name, None) for index, name in enumerate(("main", "f", "g")))
LOOP, STRAIGHT = 7, 8
"""Locations: the first one is on a cycle of its function."""
PARTITION: Partition = (frozenset(), 0, True)


def once_of(*entered: tuple[Context, int, Context]) -> Once:
    """By calls: the caller, where, and the context that is entered."""
    calls = {
        (caller.index, location, inside.function, PARTITION): inside.index
        for caller, location, inside in entered
    }
    return Once((MAIN, CALLED, DEEPER), calls, {}, lambda _, location: location == LOOP)


@pytest.mark.parametrize(
    ("entered", "is_once"),
    [
        ([(MAIN, STRAIGHT, CALLED)], True),
        ([(MAIN, STRAIGHT, CALLED), (CALLED, STRAIGHT, DEEPER)], True),
        ([(MAIN, LOOP, CALLED)], False),
        ([(MAIN, STRAIGHT, CALLED), (MAIN, STRAIGHT + 1, CALLED)], False),
        ([(MAIN, LOOP, CALLED), (CALLED, STRAIGHT, DEEPER)], False),
        ([(MAIN, STRAIGHT, CALLED), (CALLED, STRAIGHT, CALLED)], False),
        ([(CALLED, STRAIGHT, DEEPER), (DEEPER, STRAIGHT, CALLED)], False),
        ([], False),
    ],
    ids=["called", "deeper", "in a loop", "twice", "below a loop", "by itself", "in a circle", "never"],
)
def test_a_context_is_entered_once(entered: list[tuple[Context, int, Context]], *, is_once: bool) -> None:
    last = entered[-1][2] if entered else CALLED
    assert once_of(*entered).is_entered_once(last.index) == is_once


def test_a_second_entry_is_noticed_after_the_first_was_asked_about() -> None:
    once = once_of((MAIN, STRAIGHT, CALLED))
    assert once.is_entered_once(CALLED.index)
    once.enter(CALLED.index, MAIN.index, STRAIGHT + 1)
    assert not once.is_entered_once(CALLED.index)


def test_an_object_is_made_once_where_its_place_is_passed_once() -> None:
    once = once_of((MAIN, STRAIGHT, CALLED))
    assert once.is_made_once(ObjectOrigin(ObjectKind.HEAP, "f", STRAIGHT, CALLED.index))
    assert once.is_made_once(ObjectOrigin(ObjectKind.STATIC, "x"))
    assert not once.is_made_once(ObjectOrigin(ObjectKind.HEAP, "f", LOOP, CALLED.index))
    assert not once.is_made_once(ObjectOrigin(ObjectKind.HEAP, "f", STRAIGHT, MANY_MAKERS))
    assert not once.is_made_once(ObjectOrigin(ObjectKind.LOCAL, "f::x"))
