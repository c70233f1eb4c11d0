"""The checker of packed states refuses what the other one refuses, and vectors that are no states."""

from array import array
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from sley.base.budget import Budget
from sley.engines.explore.algorithm import Explorer
from sley.engines.explore.native import go_on_natively
from sley.evidence.closed_states.packed import Looks, Masks, Numbering, PackedStates, Vectors
from sley.evidence.closed_states.packed_check import is_accepted
from sley.evidence.closed_states.proof import ClosedStates, Parts
from sley.evidence.proof import RefusedProofError
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES
from sley.semantics.machine import StateMachine
from sley.semantics.values import Undetermined
from sley.semantics.watched import WatchedItem
from tests.fuzz.laws import checker_disagreements, loaded, searched
from tests.textual.parser import parse_program
from tests.unit.evidence.test_closed_states_check import FIVE, WHOLE, program, splitting_proof, without

PROGRAMS = Path(__file__).parents[2] / "programs"


def check(of: Program, claimed: ClosedStates) -> None:
    assert is_accepted(of, ALL_PROPERTIES, claimed, Budget())


def plain(*, reduction: bool) -> ClosedStates:
    explorer = searched(program(), ALL_PROPERTIES, 1_000, is_reduced=reduction)
    assert explorer is not None
    return explorer.closed


def packed(*, reduction: bool) -> tuple[ClosedStates, PackedStates]:
    good = plain(reduction=reduction).packed()
    assert good is not None
    assert isinstance(good.states, PackedStates)
    return good, good.states


@pytest.mark.parametrize("reduction", [True, False])
def test_a_good_proof_is_accepted(reduction: bool) -> None:
    same, (good, _) = plain(reduction=reduction), packed(reduction=reduction)
    assert tuple(good.states) == same.states
    assert good.summary == same.summary
    check(program(), good)


def test_a_missing_state_is_noticed() -> None:
    good = plain(reduction=False)
    for missing in range(1, len(good.states)):
        with pytest.raises(RefusedProofError, match="every successor"):
            check(program(), without(good, missing))
    with pytest.raises(RefusedProofError, match="initial"):
        check(program(), without(good, 0))


def test_a_proof_of_another_program_is_refused() -> None:
    with pytest.raises(RefusedProofError, match="error location"):
        check(program(3), plain(reduction=True))


def damaged(good: ClosedStates, random: Random) -> ClosedStates:
    """A state is missing, or threads are left out or taken that were not."""
    states, taken = list(good.states), [set(one) for one in good.expansions if isinstance(one, tuple)]
    at = random.randrange(len(states))
    match random.randrange(4):
        case 0:
            return without(good, at)
        case 1:
            taken[at] = {thread for thread in taken[at] if random.random() < 0.5}
        case 2:
            taken[at].add(random.randrange(len(states[at].threads)))
        case _:
            taken = [{random.choice(sorted(one))} if one and random.random() < 0.3 else one for one in taken]
    return replace(good, expansions=tuple(tuple(sorted(one)) for one in taken))


@pytest.mark.parametrize(
    "name",
    [
        "deadlock/lock_order_consistent.c",
        "conditions/wait_in_loop.c",
        "memory/freed_after_join.c",
        "deadlock/trylock_backs_off.c",
        "alike/own_element.c",
    ],
)
def test_both_checkers_refuse_the_same(name: str) -> None:
    of, random = loaded(PROGRAMS / name), Random(1)
    for is_reduced in (False, True):
        explorer = searched(of, ALL_PROPERTIES, 1_000, is_reduced=is_reduced)
        if explorer is None:
            assert not is_reduced
            continue
        assert not explorer.violations
        assert list(checker_disagreements(of, ALL_PROPERTIES, explorer.closed)) == []
        for _ in range(15):
            bad = damaged(explorer.closed, random)
            assert list(checker_disagreements(of, ALL_PROPERTIES, bad)) == []


# --- forged vectors -------------------------------------------------------------------------------------


def forged(states: PackedStates, change: Callable[[PackedStates], None]) -> PackedStates:
    """A copy with something changed in it."""
    of = states.numbering
    numbering = Numbering(of.cells, list(of.values), list(of.threads), list(of.blocks))
    vectors, memories = (
        Vectors(array("I", one.words), array("I", one.starts)) for one in (states.vectors, states.memories)
    )
    copy = PackedStates(numbering, vectors, memories)
    change(copy)
    return copy


def exchange_threads(states: PackedStates) -> None:
    words = states.vectors.words
    words[-1], words[-2] = words[-2], words[-1]


@pytest.mark.parametrize(
    "change",
    [
        lambda states: states.vectors.words.__setitem__(0, 10_000),
        lambda states: states.vectors.words.__setitem__(1, 10_000),
        lambda states: states.vectors.words.__setitem__(1, 0),
        exchange_threads,
        lambda states: states.vectors.starts.__setitem__(1, 0),
        lambda states: states.vectors.starts.__setitem__(-1, 100_000),
        lambda states: states.memories.words.__setitem__(1, 10_000),
        lambda states: states.memories.words.__setitem__(1, 0),
        lambda states: setattr(states.numbering, "cells", states.numbering.cells + 1),
    ],
)
def test_vectors_of_no_states_are_refused(change: Callable[[PackedStates], None]) -> None:
    good, states = packed(reduction=False)
    with pytest.raises(RefusedProofError, match="vectors"):
        check(program(), replace(good, states=forged(states, change)))


def test_values_that_mean_something_else_are_refused() -> None:
    good, states = packed(reduction=False)
    refused = 0
    for number in range(1, len(states.numbering.values)):
        bad = forged(states, lambda copy, at=number: copy.numbering.values.__setitem__(at, 77))  # type: ignore[misc]
        with pytest.raises(RefusedProofError):
            check(program(), replace(good, states=bad))
        refused += 1
    assert refused > 2


def test_too_few_sets_of_threads_are_refused() -> None:
    good, _ = packed(reduction=False)
    assert isinstance(good.expansions, Masks)
    with pytest.raises(RefusedProofError, match="one expansion"):
        check(program(), replace(good, expansions=Masks(good.expansions.masks[:-1], {})))


SPINNING = """program lp64
global x : i32 = 0
global y : i32 = 0
thread main() -> i32 {
  reg a : i64
  reg t : i32
  entry 0 exit 9
  0 -> 1 : create a, other(0:i64)
  1 -> 2 : load t, x @seq_cst "x"
  2 -> 1 : assume (= t 0:i32)
  2 -> 3 : assume (not (= t 0:i32))
  3 -> 9 : end return
}
thread other(arg : i64) -> i64 {
  reg t : i32
  entry 20 exit 29
  20 -> 21 : load t, y @seq_cst "y"
  21 -> 29 : exit 0:i64
}
"""


def test_a_loop_that_leaves_others_out_for_ever_is_refused() -> None:
    spinning = parse_program(SPINNING)
    explorer = searched(spinning, ALL_PROPERTIES, 100, is_reduced=False)
    assert explorer is not None
    full = explorer.closed
    expansions = tuple(
        (0,) if 0 in taken and len(taken) > 1 and state.threads[0][0] == 1 else taken
        for state, taken in zip(full.states, full.expansions, strict=True)
        if isinstance(taken, tuple)
    )
    bad = replace(full, expansions=expansions)
    assert bad.expansions != full.expansions
    with pytest.raises(RefusedProofError, match="no cycle"):
        check(spinning, bad)
    assert list(checker_disagreements(spinning, ALL_PROPERTIES, bad)) == []


def test_a_look_that_is_not_noted_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then answers are kept for states in which they are wrong, by the search and by the checker alike."""

    noted = Looks.look

    def look(self: Looks, place: WatchedItem) -> object:
        return self._found(place)[2] if place.kind == "cell" else noted(self, place)

    of = loaded(PROGRAMS / "lock_free" / "cas_loop.c")
    monkeypatch.setattr(Looks, "look", look)
    explorer = Explorer(StateMachine(of), ALL_PROPERTIES, None, Budget())
    assert go_on_natively(explorer)
    assert not explorer.violations
    with pytest.raises(RefusedProofError):
        check(of, explorer.closed)


def test_forged_splits_are_refused_alike() -> None:
    asking, good, at = splitting_proof()
    check(asking, good)
    parts = good.expansions[at]
    assert isinstance(parts, Parts)
    assert isinstance(parts.value, Undetermined)
    forged_ones = (
        (),
        (0,),
        replace(parts, ranges=(WHOLE,)),
        replace(parts, ranges=(FIVE,)),
        replace(parts, ranges=()),
        replace(parts, value=replace(parts.value, number=7)),
    )
    for forged in forged_ones:
        bad = replace(good, expansions=(*good.expansions[:at], forged, *good.expansions[at + 1 :]))
        assert list(checker_disagreements(asking, ALL_PROPERTIES, bad)) == []
        with pytest.raises(RefusedProofError):
            check(asking, bad)
    for missing in range(1, len(good.states)):
        with pytest.raises(RefusedProofError):
            check(asking, without(good, missing))
