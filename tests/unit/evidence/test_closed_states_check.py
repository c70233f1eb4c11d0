"""The checker refuses what does not prove anything: each corruption of a good proof is noticed."""

from dataclasses import replace

import pytest

from sley.base.budget import Budget
from sley.engines.explore import ExploreOptions, explore
from sley.evidence.closed_states import ClosedStates
from sley.evidence.closed_states_check import UnforeseenAccessError, check_closed_states, is_acyclic
from sley.evidence.proof import RefusedProofError
from sley.evidence.verdict import Safe
from sley.program.parser import parse_program
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property

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
    assert isinstance(verdict, Safe)
    assert isinstance(verdict.proof, ClosedStates)
    return verdict.proof


@pytest.mark.parametrize("reduction", [True, False])
def test_a_good_proof_is_accepted(reduction: bool) -> None:
    check_closed_states(program(), ALL_PROPERTIES, proof(reduction=reduction), Budget())


def test_a_missing_state_is_noticed() -> None:
    good = proof(reduction=False)
    for missing in range(len(good.states)):
        bad = ClosedStates(
            good.states[:missing] + good.states[missing + 1 :],
            good.expansions[:missing] + good.expansions[missing + 1 :],
        )
        with pytest.raises(RefusedProofError):
            check_closed_states(program(), ALL_PROPERTIES, bad, Budget())


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
    assert isinstance(verdict, Safe)
    assert isinstance(verdict.proof, ClosedStates)
    with pytest.raises(UnforeseenAccessError):
        check_closed_states(hiding, asked, verdict.proof, Budget())
    for name in ("p", "q", "&m"):
        text = text.replace(f"(bvnot {name})", name)
    shown = parse_program(text)
    verdict, _ = explore(shown, asked, ExploreOptions(reduction=reduction), Budget())
    assert isinstance(verdict, Safe)
    assert isinstance(verdict.proof, ClosedStates)
    check_closed_states(shown, asked, verdict.proof, Budget())


@pytest.mark.parametrize("address", ["-8:i64", "4096:i64", "(bvsub p 8:i64)", "(bvadd p 800:i64)"])
def test_wrong_accesses_to_nothing_need_no_foresight(address: str) -> None:
    second = f"21 -> 23 : store *{address.replace('p', 'q')}, 1:i64"
    text = HIDDEN.replace("FIRST", "fence seq_cst").replace("SECOND", second).replace("(bvnot ADDRESS)", "p")
    shown, asked = parse_program(text), frozenset({Property.REACH})
    verdict, _ = explore(shown, asked, ExploreOptions(), Budget())
    assert isinstance(verdict, Safe)
    assert isinstance(verdict.proof, ClosedStates)
    check_closed_states(shown, asked, verdict.proof, Budget())
