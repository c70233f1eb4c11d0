"""The checker refuses what does not prove anything: each corruption of a good proof is noticed."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from sley.base.budget import Budget
from sley.engines.explore.engine import explore
from sley.engines.explore.options import ExploreOptions
from sley.evidence.closed_states import checker
from sley.evidence.closed_states.check import check_closed_states
from sley.evidence.closed_states.checker import UnforeseenAccessError, is_acyclic, is_smaller
from sley.evidence.closed_states.proof import ClosedStates, Expansion, Parts
from sley.evidence.proof import RefusedProofError
from sley.evidence.verdict import Claimed, Unsafe
from sley.logic.sorts import bitvec
from sley.program.instructions import Cause
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from sley.semantics.knowledge import EITHER, FALSE, TRUE
from sley.semantics.machine import StateMachine, undetermined_values
from sley.semantics.roles import OpenRole
from sley.semantics.state import State
from sley.semantics.values import Computed, Ranges, Undetermined
from tests.textual.parser import parse_program

TEXT = """program lp64
global x : i32 = 0
global m : i32 = 0
thread main() -> i32 {
  reg a : i64
  reg b : i64
  reg t : i32
  entry 0 exit 9
  0 -> 1 : create a, worker(0:i64)
  1 -> 2 : create b, worker(0:i64)
  2 -> 3 : join a
  3 -> 4 : join b
  4 -> 5 : load t, x "x"
  5 -> 6 : assume (= t EXPECTED:i32)
  5 -> 7 : assume (not (= t EXPECTED:i32))
  6 -> 9 : end return
  error 7 : reach assertion "assertion can fail"
}
thread worker(arg : i64) -> i64 {
  reg t : i32
  entry 20 exit 25
  20 -> 21 : lock m
  21 -> 22 : load t, x "x"
  22 -> 23 : store x "x", (bvadd t 1:i32)
  23 -> 24 : unlock m
  24 -> 25 : exit 0:i64
}
"""


def program(expected: int = 2) -> Program:
    return parse_program(TEXT.replace("EXPECTED", str(expected)))


def proof(*, reduction: bool) -> ClosedStates:
    verdict, _ = explore(program(), ALL_PROPERTIES, ExploreOptions(reduction=reduction), Budget())
    assert isinstance(verdict, Claimed)
    assert isinstance(verdict.proof, ClosedStates)
    return verdict.proof


@pytest.mark.parametrize("reduction", [True, False])
def test_a_good_proof_is_accepted(reduction: bool) -> None:
    check_closed_states(program(), ALL_PROPERTIES, proof(reduction=reduction), Budget())


def without(good: ClosedStates, missing: int) -> ClosedStates:
    kept = [at for at in range(len(good.states)) if at != missing]
    return ClosedStates(tuple(good.states[at] for at in kept), tuple(good.expansions[at] for at in kept))


def test_a_missing_state_is_noticed() -> None:
    good = proof(reduction=False)
    for missing in range(len(good.states)):
        bad = without(good, missing)
        with pytest.raises(RefusedProofError):
            check_closed_states(program(), ALL_PROPERTIES, bad, Budget())


def test_several_processes_see_what_one_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "MANY", 0)
    budget, good = Budget(), proof(reduction=True)
    budget.cores = 3
    check_closed_states(program(), ALL_PROPERTIES, good, budget)
    for missing in (1, 2, 3):
        with pytest.raises(RefusedProofError):
            check_closed_states(program(), ALL_PROPERTIES, without(good, missing), budget)


def test_a_thread_left_out_without_reason_is_noticed() -> None:
    good = proof(reduction=False)
    refused = 0
    for at, taken in enumerate(good.expansions):
        assert isinstance(taken, tuple)
        if len(taken) < 2 or good.states[at].cells[1] != 0:
            continue  # where the lock is held, leaving out the others is justified
        for kept in taken:
            expansions = (*good.expansions[:at], (kept,), *good.expansions[at + 1 :])
            try:
                check_closed_states(program(), ALL_PROPERTIES, replace(good, expansions=expansions), Budget())
            except RefusedProofError:
                refused += 1
    assert refused > 5


def test_a_proof_of_another_program_is_refused() -> None:
    with pytest.raises(RefusedProofError, match="error location"):
        check_closed_states(program(3), ALL_PROPERTIES, proof(reduction=True), Budget())


def test_cycles_of_reduced_states_are_found() -> None:
    assert is_acyclic({1: [2], 2: [3], 3: []})
    assert not is_acyclic({1: [2], 2: [3], 3: [1]})
    assert is_acyclic({1: [2], 2: [3]})


# --- forged splits --------------------------------------------------------------------------------

FAILING = """program lp64
thread main() -> i32 {
  entry 0 exit 9
  0 -> 7 : assume true
  error 7 : reach assertion "assertion can fail"
}
"""

ASKING = """program lp64
global x : i32 = 0
thread main() -> i32 {
  reg t : i32
  entry 0 exit 9
  0 -> 1 : havoc t, input "input"
  1 -> 2 : store x "x", t
  2 -> 3 : load t, x "x"
  3 -> 4 : assume (= t 5:i32)
  3 -> 5 : assume (not (= t 5:i32))
  4 -> 9 : end return
  5 -> 6 : store x "x", 5:i32
  6 -> 9 : end return
}
"""


def test_a_split_of_a_value_that_does_not_occur_is_refused() -> None:
    failing = parse_program(FAILING)
    value = Undetermined(0, 32, ((0, 9),), Cause.INPUT)
    for ranges in (value.ranges,), (((0, 4),), ((5, 9),)), (((0, 9),), ((3, 3),)), ():
        forged = ClosedStates((StateMachine(failing).initial(),), (Parts(value, ranges),))
        with pytest.raises(RefusedProofError, match="occurs"):
            check_closed_states(failing, ALL_PROPERTIES, forged, Budget())


def splitting_proof() -> tuple[Program, ClosedStates, int]:
    """A program that asks about an input, a good proof of it, and the state that is split there."""
    asking = parse_program(ASKING)
    verdict, _ = explore(asking, ALL_PROPERTIES, ExploreOptions(), Budget())
    assert isinstance(verdict, Claimed)
    assert isinstance(verdict.proof, ClosedStates)
    check_closed_states(asking, ALL_PROPERTIES, verdict.proof, Budget())
    at = next(n for n, e in enumerate(verdict.proof.expansions) if isinstance(e, Parts))
    return asking, verdict.proof, at


LARGEST = 2**32 - 1
WHOLE = ((0, LARGEST),)
FIVE, OTHERS = ((5, 5),), ((0, 4), (6, LARGEST))


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (lambda parts: replace(parts, ranges=(WHOLE,)), "smaller"),
        (lambda parts: replace(parts, ranges=(WHOLE, *parts.ranges)), "smaller"),
        (lambda parts: replace(parts, ranges=(FIVE,)), "cover"),
        (lambda parts: replace(parts, ranges=(FIVE, ((6, LARGEST),))), "cover"),
        (lambda parts: replace(parts, ranges=(*parts.ranges, ())), "smaller"),
        (lambda parts: replace(parts, ranges=(FIVE, OTHERS[::-1])), "smaller"),
        (lambda parts: replace(parts, value=replace(parts.value, ranges=FIVE), ranges=(FIVE,)), "occurs"),
        (lambda parts: replace(parts, value=replace(parts.value, number=7)), "occurs"),
        (lambda parts: replace(parts, value=replace(parts.value, text="other")), "occurs"),
    ],
)
def test_a_split_that_loses_values_or_is_none_is_refused(
    forge: Callable[[Parts], Parts], reason: str
) -> None:
    asking, good, at = splitting_proof()
    parts = good.expansions[at]
    assert isinstance(parts, Parts)
    assert set(parts.ranges) == {FIVE, OTHERS}
    assert undetermined_values(good.states[at]) == [parts.value]
    expansions = (*good.expansions[:at], forge(parts), *good.expansions[at + 1 :])
    with pytest.raises(RefusedProofError, match=reason):
        check_closed_states(asking, ALL_PROPERTIES, replace(good, expansions=expansions), Budget())


def test_a_state_that_has_to_be_split_and_is_not_is_refused() -> None:
    asking, good, at = splitting_proof()
    expansions = (*good.expansions[:at], (0,), *good.expansions[at + 1 :])
    with pytest.raises(RefusedProofError):
        check_closed_states(asking, ALL_PROPERTIES, replace(good, expansions=expansions), Budget())


RELATING = """program lp64
global x : i32 = 0
global y : i32 = 0
thread main() -> i32 {
  reg s : i32
  reg t : i32
  entry 0 exit 9
  0 -> 1 : havoc t, input "input"
  1 -> 2 : store x "x", t
  2 -> 3 : havoc t, input "input"
  3 -> 4 : store y "y", t
  4 -> 5 : load s, x "x"
  5 -> 6 : load t, y "y"
  6 -> 7 : assume (bvult s t)
  6 -> 9 : assume (not (bvult s t))
  7 -> 8 : assume (= s 0:i32)
  7 -> 10 : assume (not (= s 0:i32))
  8 -> 9 : store x "x", t
  10 -> 11 : store y "y", (bvsub t 1:i32)
  11 -> 12 : load t, y "y"
  12 -> 13 : assume (bvult t s)
  12 -> 9 : assume (not (bvult t s))
  9 -> 14 : end return
  error 13 : reach assertion "assertion can fail"
}
"""
"""Below a larger number there is room; checks only if what is known of two inputs together is kept."""


def relating_proof() -> tuple[Program, ClosedStates, int, Parts]:
    """A program that compares two inputs, a good proof of it, and where they are told apart, and how."""
    relating = parse_program(RELATING)
    verdict, _ = explore(relating, ALL_PROPERTIES, ExploreOptions(), Budget())
    assert isinstance(verdict, Claimed)
    assert isinstance(verdict.proof, ClosedStates)
    assert check_closed_states(relating, ALL_PROPERTIES, verdict.proof, Budget()).solvers == ("Z3",)
    for at, parts in enumerate(verdict.proof.expansions):
        if isinstance(parts, Parts) and isinstance(parts.value, Computed):
            return relating, verdict.proof, at, parts
    raise AssertionError("no condition on two inputs is split")


@pytest.mark.parametrize("ranges", [(TRUE,), (FALSE,), (EITHER,), (TRUE, EITHER), (), (TRUE, ((0, 5),))])
def test_a_condition_that_is_split_is_true_or_false(ranges: tuple[Ranges, ...]) -> None:
    relating, good, at, parts = relating_proof()
    expansions = (*good.expansions[:at], replace(parts, ranges=ranges), *good.expansions[at + 1 :])
    with pytest.raises(RefusedProofError, match=r"cover|smaller"):
        check_closed_states(relating, ALL_PROPERTIES, replace(good, expansions=expansions), Budget())


def test_what_is_said_of_inputs_must_be_known_of_the_state() -> None:
    relating, good, at, parts = relating_proof()
    assert isinstance(parts.value, Computed)
    terms = relating.terms
    first, second = (terms.var(OpenRole(one.number, 32), bitvec(32)) for one in parts.value.inputs)
    other = terms.var(OpenRole(7, 32), bitvec(32))
    forged = (
        replace(parts.value, facts=frozenset({terms.ult(first, second)})),
        replace(parts.value, inputs=parts.value.inputs[:1]),
        replace(parts.value, inputs=()),
        replace(parts.value, term=terms.ult(first, other)),
        replace(parts.value, inputs=tuple(replace(one, ranges=((0, 9),)) for one in parts.value.inputs)),
        parts.value.inputs[0],
    )
    for value in forged:
        expansions = (*good.expansions[:at], replace(parts, value=value), *good.expansions[at + 1 :])
        with pytest.raises(RefusedProofError):
            check_closed_states(relating, ALL_PROPERTIES, replace(good, expansions=expansions), Budget())


def test_states_with_more_facts_than_are_known_are_refused() -> None:
    relating, good, _, _ = relating_proof()
    for number, state in enumerate(good.states):
        cells = tuple(
            replace(cell, facts=frozenset()) if isinstance(cell, Computed) else cell for cell in state.cells
        )
        if cells == state.cells:
            continue
        states = (*good.states[:number], state._replace(cells=cells), *good.states[number + 1 :])
        with pytest.raises(RefusedProofError):
            check_closed_states(relating, ALL_PROPERTIES, replace(good, states=states), Budget())


def test_without_a_solver_a_proof_about_two_inputs_is_refused() -> None:
    relating, good, _, _ = relating_proof()
    with pytest.raises(RefusedProofError):
        checker.Checker(relating, ALL_PROPERTIES, good, Budget()).check()


def test_parts_are_proper_subsets() -> None:
    assert is_smaller(((1, 2),), ((0, 2),))
    assert is_smaller(((0, 0), (2, 2)), ((0, 2),))
    assert not is_smaller(((0, 2),), ((0, 2),))
    assert not is_smaller(((1, 3),), ((0, 2),))
    assert not is_smaller((), ((0, 2),))
    assert not is_smaller(((0, 0), (1, 1)), ((0, 2),)), "neighbours are one interval"
    assert not is_smaller(((2, 2), (0, 0)), ((0, 2),)), "not sorted"
    assert not is_smaller(((2, 1),), ((0, 2),))


POSTPONING = """program lp64
global g : i32 = 0
global y : i32 = 0
thread main() -> i32 {
  reg a : i64
  entry 0 exit 9
  0 -> 1 : create a, late(0:i64)
  1 -> 2 : create a, spin(0:i64)
  2 -> 3 : join a
  3 -> 4 : store g "g", 1:i32
  4 -> 9 : end return
}
thread late(arg : i64) -> i64 {
  reg t : i32
  entry 20 exit 29
  20 -> 21 : load t, y @seq_cst "y"
  21 -> 22 : assume (= t 0:i32)
  21 -> 23 : assume (not (= t 0:i32))
  22 -> 29 : exit 0:i64
  error 23 : reach assertion "assertion can fail"
}
thread spin(arg : i64) -> i64 {
  reg t : i32
  entry 40 exit 49
  40 -> 41 : havoc t, input "input"
  41 -> 42 : assume (not (= t 0:i32))
  42 -> 43 : store g "g", t
  43 -> 44 : store y @seq_cst "y", 1:i32
  44 -> 45 : load t, g "g"
  45 -> 46 : assume (= t 0:i32)
  45 -> 48 : assume (not (= t 0:i32))
  46 -> 47 : havoc t, input "input"
  47 -> 44 : store g "g", t
  48 -> 44 : store g "g", 0:i32
}
"""


def test_a_loop_that_is_closed_by_a_split_postpones_nobody() -> None:
    verdict, _ = explore(parse_program(POSTPONING), ALL_PROPERTIES, ExploreOptions(), Budget())
    assert isinstance(verdict, Unsafe)


def test_a_cycle_through_a_split_state_is_refused() -> None:
    """With the failure taken out, the search is complete; leaving threads out on the cycle is noticed."""
    safe = parse_program(POSTPONING.replace("21 -> 23 : assume (not (= t 0:i32))", "21 -> 22 : assume true"))
    properties = PROPERTY_GROUPS["reach"]
    verdict, _ = explore(safe, properties, ExploreOptions(), Budget())
    assert isinstance(verdict, Claimed)
    good = verdict.proof
    assert isinstance(good, ClosedStates)
    check_closed_states(safe, properties, good, Budget())
    assert any(isinstance(expansion, Parts) for expansion in good.expansions)
    expansions = tuple(_spin_alone(e, s) for e, s in zip(good.expansions, good.states, strict=True))
    with pytest.raises(RefusedProofError, match="no cycle"):
        check_closed_states(safe, properties, replace(good, expansions=expansions), Budget())


def _spin_alone(expansion: Expansion, state: State) -> Expansion:
    """Only the loop is taken where it is among others."""
    is_looping = len(state.threads) == 3 and 44 <= state.threads[2][0] <= 48
    return (2,) if isinstance(expansion, tuple) and is_looping and 2 in expansion else expansion


def test_a_thread_that_is_taken_twice_does_not_stand_for_another() -> None:
    good = proof(reduction=False)
    refused = 0
    for at, taken in enumerate(good.expansions):
        assert isinstance(taken, tuple)
        if len(taken) < 2:
            continue
        expansions = (*good.expansions[:at], taken[:1] * len(taken), *good.expansions[at + 1 :])
        with pytest.raises(RefusedProofError):
            check_closed_states(program(), ALL_PROPERTIES, replace(good, expansions=expansions), Budget())
        refused += 1
    assert refused > 5


HIDDEN = """program lp64
global h : i64 = 0
global m : i32 = 0
thread main() -> i32 {
  reg p : i64
  reg a : i64
  reg t : i64
  entry 0 exit 9
  0 -> 1 : allocate p, 8:i64, i64 zeroed
  1 -> 2 : store h "h", (bvnot ADDRESS)
  2 -> 3 : create a, worker(0:i64)
  3 -> 4 : FIRST
  4 -> 5 : join a
  5 -> 9 : end return
}
thread worker(arg : i64) -> i64 {
  reg q : i64
  reg t : i64
  entry 20 exit 25
  20 -> 21 : load q, h "h"
  SECOND
  23 -> 25 : exit 0:i64
}
"""


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("load t, *p", "21 -> 23 : free (bvnot q)"),
        ("free p", "21 -> 23 : load t, *(bvnot q)"),
        ("free p", "21 -> 23 : free (bvnot q)"),
        ("free p", "21 -> 22 : atomic_begin\n  22 -> 26 : load t, *(bvnot q)\n  26 -> 23 : atomic_end"),
        ("lock m", "21 -> 23 : lock *(bvnot q)"),
    ],
)
@pytest.mark.parametrize("reduction", [True, False])
def test_hidden_accesses_are_noticed(first: str, second: str, reduction: bool) -> None:
    """Also where they are wrong, or blocked, because the other thread was first in all runs of the proof."""
    address = "&m" if first == "lock m" else "p"
    text = HIDDEN.replace("FIRST", first).replace("SECOND", second).replace("ADDRESS", address)
    hiding, asked = parse_program(text), frozenset({Property.REACH})
    verdict, _ = explore(hiding, asked, ExploreOptions(reduction=reduction), Budget())
    assert isinstance(verdict, Claimed)
    assert isinstance(verdict.proof, ClosedStates)
    with pytest.raises(UnforeseenAccessError):
        check_closed_states(hiding, asked, verdict.proof, Budget())
    for name in ("p", "q", "&m"):
        text = text.replace(f"(bvnot {name})", name)
    shown = parse_program(text)
    verdict, _ = explore(shown, asked, ExploreOptions(reduction=reduction), Budget())
    assert isinstance(verdict, Claimed)
    assert isinstance(verdict.proof, ClosedStates)
    check_closed_states(shown, asked, verdict.proof, Budget())


@pytest.mark.parametrize("address", ["-8:i64", "4096:i64", "(bvsub p 8:i64)", "(bvadd p 800:i64)"])
def test_wrong_accesses_to_nothing_need_no_foresight(address: str) -> None:
    second = f"21 -> 23 : store *{address.replace('p', 'q')}, 1:i64"
    text = HIDDEN.replace("FIRST", "fence seq_cst full").replace("SECOND", second)
    text = text.replace("(bvnot ADDRESS)", "p")
    shown, asked = parse_program(text), frozenset({Property.REACH})
    verdict, _ = explore(shown, asked, ExploreOptions(), Budget())
    assert isinstance(verdict, Claimed)
    assert isinstance(verdict.proof, ClosedStates)
    check_closed_states(shown, asked, verdict.proof, Budget())
