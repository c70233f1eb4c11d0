"""The checkers' footprints beside the effects that engines reduce by: two derivations of one law."""

from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from sley.analyses.accesses import find_accesses
from sley.analyses.pointers import PointsTo
from sley.evidence.footprints import Footprints
from sley.frontend.load import load
from sley.passes import prepare
from tests.marked_programs import FOLDER, marks_of, name_of

PROGRAMS = [path for path in sorted(FOLDER.glob("[a-m]*/*.c"))[::12] if marks_of(path).harness is None]


@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
@pytest.mark.parametrize("observes_end", [False, True])
def test_conflicts_are_those_of_the_engines_analysis(path: Path, observes_end: bool) -> None:
    program = prepare(load((path,)))
    points_to = PointsTo(program)
    accesses = find_accesses(program, points_to, is_elsewhere_excluded=True, observes_end=observes_end)
    footprints = Footprints(program, points_to, observes_end=observes_end)
    for one, other in combinations_with_replacement(list(footprints.out)[:150], 2):
        expected = accesses.action(one).conflicts_with(accesses.action(other))
        assert footprints.action(one).conflicts_with(footprints.action(other)) is expected, (one, other)


@pytest.mark.parametrize("path", PROGRAMS[::3], ids=name_of)
def test_what_may_follow_is_the_same(path: Path) -> None:
    program = prepare(load((path,)))
    points_to = PointsTo(program)
    accesses = find_accesses(program, points_to, is_elsewhere_excluded=True)
    footprints = Footprints(program, points_to)
    unseen = footprints.starts | footprints.awaited_ends
    for held in (frozenset(), footprints.mutexes):
        for one in list(footprints.out)[:60]:
            blocked = accesses.staying_blocked((one,), held)
            assert footprints.staying_locked((one,), held) == blocked
            future = footprints.future(one, blocked).without(unseen)
            mask = ~(accesses.starts | accesses.awaited_ends)
            other_future = accesses.future_until(one, blocked)
            for at in list(footprints.out)[:60]:
                action = footprints.action(at).without(unseen)
                other = accesses.action(at)
                expected = type(other)(other.reads & mask, other.writes & mask).conflicts_with(
                    type(other)(other_future.reads & mask, other_future.writes & mask)
                )
                assert action.conflicts_with(future) is expected, (one, at)
