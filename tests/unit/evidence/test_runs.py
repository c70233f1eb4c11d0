"""Concrete runs alone refuse wrong proofs, and fit right ones."""

from dataclasses import replace
from pathlib import Path

import pytest

from sley.analyses.effects import ClassEffect
from sley.base.budget import Budget
from sley.engines.explore.engine import explore
from sley.engines.explore.options import ExploreOptions
from sley.engines.impact.algorithm import Impact
from sley.engines.impact.engine import impact
from sley.engines.impact.entailment import Entailment
from sley.engines.impact.options import ImpactOptions
from sley.evidence import runs
from sley.evidence.bounded.proof import BoundedProof, Loop
from sley.evidence.bounded.runs import BoundedFollower
from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.closed_states.runs import ClosedStatesFollower
from sley.evidence.reachability_tree.proof import ReachabilityTree
from sley.evidence.reachability_tree.runs import TreeFollower
from sley.evidence.runs import FEWEST_RUNS, Fitted, Follower, MisfitError, run_against
from sley.evidence.verdict import Claimed
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from sley.semantics import random_runs, step
from sley.semantics.code import Code
from sley.semantics.symbolic_step import Shape
from sley.semantics.vocabulary import Vocabulary
from tests.textual.parser import parse_program
from tests.textual.test_textual import PROGRAMS, REACH, expected_of, program_in
from tests.unit.evidence.test_closed_states_check import TEXT

SAFE = [path for path in PROGRAMS if expected_of(path) is Claimed]

COUNTER = TEXT.replace("EXPECTED", "2")
UNLOCKED = COUNTER.replace(": lock m", ": skip").replace(": unlock m", ": skip")

LOOP = """program lp64
global x : i32 = 0
thread main() -> i32 {
  reg t : i32
  entry 0 exit 9
  0 -> 1 : load t, x @seq_cst
  1 -> 2 : assume (bvult t 3:i32)
  1 -> 7 : assume (not (bvult t 3:i32))
  2 -> 0 : store x @seq_cst, (bvadd t 1:i32)
  error 7 : reach assertion "assertion can fail"
}
"""

BOUNDED = """program lp64
global x : i32 = 0
thread main() -> i32 {
  reg t : i32
  reg h : i64
  entry 0 exit 9
  0 -> 1 : load t, x @seq_cst
  1 -> 2 : assume (bvult t 3:i32)
  1 -> 3 : assume (not (bvult t 3:i32))
  2 -> 0 : store x @seq_cst, (bvadd t 1:i32)
  3 -> 4 : create h, worker()
  4 -> 5 : join h
  5 -> 9 : end return
}
thread worker() -> i64 {
  entry 20 exit 21
  20 -> 21 : exit 0:i64
}
"""

TURNS = "\n".join(f"  {at} -> {at + 1} : store x @seq_cst, {at}:i32" for at in range(20, 30))
LATE_RACE = f"""program lp64
global x : i32 = 0
global y : i32 = 0
thread main() -> i32 {{
  reg h : i64
  entry 0 exit 9
  0 -> 1 : create h, worker()
  1 -> 2 : store y, 1:i32
  2 -> 9 : exit 0:i64
}}
thread worker() -> i64 {{
  entry 20 exit 99
{TURNS}
  30 -> 31 : store y, 2:i32
  31 -> 99 : exit 0:i64
}}
"""
"""The other thread gets to the variable late."""


def fits(
    program: Program, follower: Follower | None = None, properties: frozenset[Property] = ALL_PROPERTIES
) -> Fitted:
    return run_against(Code(program), properties, follower or Follower(), 0.5, Budget(20.0))


def states_of(program: Program) -> ClosedStates:
    verdict, _ = explore(program, ALL_PROPERTIES, ExploreOptions(), Budget(20.0))
    assert isinstance(verdict, Claimed)
    return verdict.proof


def tree_of(program: Program) -> ReachabilityTree:
    verdict, _ = impact(program, REACH, ImpactOptions(), Budget(20.0))
    assert isinstance(verdict, Claimed)
    return verdict.proof


@pytest.mark.parametrize("path", SAFE, ids=lambda path: path.stem)
def test_right_proofs_fit(path: Path) -> None:
    program = program_in(path)
    verdict, _ = explore(program, REACH, ExploreOptions(), Budget(20.0))
    assert isinstance(verdict, Claimed)
    found = fits(program, ClosedStatesFollower(Code(program), verdict.proof), REACH)
    assert found.runs >= FEWEST_RUNS
    assert found.states > found.runs
    assert fits(program, TreeFollower(Code(program), tree_of(program)), REACH).runs >= FEWEST_RUNS


def test_runs_that_are_given_up_on_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step, "LONGEST_STEP", 0)
    found = fits(parse_program(BOUNDED))
    assert (found.runs, found.states) == (0, 0)
    assert found.given_up >= FEWEST_RUNS


def test_no_proof_knows_what_is_not_modelled() -> None:
    text = BOUNDED.replace("5 -> 9 : end return", '5 -> 9 : give_up "beyond us"')
    with pytest.raises(MisfitError, match="not modelled: beyond us"):
        fits(parse_program(text))


def test_threads_linger_before_accesses_that_may_race(monkeypatch: pytest.MonkeyPatch) -> None:
    program = parse_program(LATE_RACE)
    monkeypatch.setattr(random_runs, "SWITCHING", (1.0,))
    with pytest.raises(MisfitError, match="data race"):
        fits(program, properties=PROPERTY_GROUPS["race"])
    monkeypatch.setattr(runs, "LINGERING_RUN", None)
    assert fits(program, properties=PROPERTY_GROUPS["race"]).runs >= FEWEST_RUNS


@pytest.mark.parametrize(
    ("text", "violation"),
    [
        (COUNTER.replace("2:i32", "3:i32"), "assertion can fail"),
        (UNLOCKED, "data race"),
        (COUNTER.replace("23 -> 24 : unlock m", "23 -> 24 : skip"), "no thread can go on"),
    ],
)
def test_a_violation_refuses_every_proof(text: str, violation: str) -> None:
    with pytest.raises(MisfitError, match=violation):
        fits(parse_program(text))


def test_only_what_was_asked_for_is_a_violation() -> None:
    silent = parse_program(UNLOCKED.replace("5 -> 7", "5 -> 6"))
    assert fits(silent, properties=REACH)
    with pytest.raises(MisfitError):
        fits(silent, properties=frozenset({Property.RACE}))


# --- forged proofs ----------------------------------------------------------------------------------


def test_states_of_a_thread_are_missing() -> None:
    program = parse_program(COUNTER)
    good = states_of(program)
    for location in (2, 4, 21, 23):
        kept = [n for n, s in enumerate(good.states) if all(at[0] != location for at in s.threads)]
        forged = ClosedStates(tuple(good.states[n] for n in kept), tuple(good.expansions[n] for n in kept))
        with pytest.raises(MisfitError, match=f"at location {location}"):
            fits(program, ClosedStatesFollower(Code(program), forged))


def test_values_of_a_thread_are_missing() -> None:
    program = parse_program(COUNTER)
    good = states_of(program)
    read = next(at for state in good.states for at in state.threads if at[0] == 22 and at[1] == 1)
    kept = [n for n, state in enumerate(good.states) if read not in state.threads]
    forged = ClosedStates(tuple(good.states[n] for n in kept), tuple(good.expansions[n] for n in kept))
    with pytest.raises(MisfitError, match="at location 22"):
        fits(program, ClosedStatesFollower(Code(program), forged))


def test_a_label_is_too_strong() -> None:
    program = parse_program(COUNTER)
    t, good, vocabulary = program.terms, tree_of(program), Vocabulary(Code(program), ())
    counter = vocabulary.cell(next(iter(vocabulary.instances.values())), 0)
    few = t.ult(counter, t.bv(2, 32))
    forged = replace(good, nodes=tuple(replace(n, label=(*n.label, few)) for n in good.nodes))
    with pytest.raises(MisfitError, match="no node of the tree"):
        fits(program, TreeFollower(Code(program), forged), REACH)


def test_a_node_is_missing() -> None:
    program = parse_program(COUNTER)
    good = tree_of(program)
    for control in dict.fromkeys(node.control for node in good.nodes[:20]):
        forged = replace(good, nodes=tuple(node for node in good.nodes if node.control != control))
        follower = TreeFollower(Code(program), forged)
        if follower.locations.issuperset(control):
            with pytest.raises(MisfitError):  # a few runs may miss it
                run_against(Code(program), REACH, follower, 50.0, Budget(20.0))


@pytest.mark.parametrize(("repeats", "threads"), [(3, 2), (2, 2), (3, 1)])
def test_a_loop_goes_on_or_a_thread_is_not_known(repeats: int, threads: int) -> None:
    program = parse_program(BOUNDED)
    shape = Shape(("main", "worker")[:threads])
    follower = BoundedFollower(Code(program), BoundedProof(((Loop(0, (), 0), repeats),), shape))
    if (repeats, threads) == (3, 2):
        assert fits(program, follower).runs >= FEWEST_RUNS
        return
    with pytest.raises(MisfitError, match="3 times anew" if repeats < 3 else "more threads"):
        fits(program, follower)


# --- faults of engines ------------------------------------------------------------------------------


def test_accesses_that_are_overlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ClassEffect, "conflicts_with", lambda _self, _other: False)
    monkeypatch.setattr("sley.engines.explore.engine.violations_of_few", lambda _: {})
    program = parse_program(UNLOCKED)
    verdict, _ = explore(program, REACH, ExploreOptions(), Budget(20.0))
    assert isinstance(verdict, Claimed), "the fault makes the engine miss the bug"
    with pytest.raises(MisfitError):
        fits(program, ClosedStatesFollower(Code(program), verdict.proof), REACH)


def test_a_cover_that_asks_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Entailment, "all_follow", lambda _self, _label, _goals: True)
    monkeypatch.setattr(Impact, "_uncover", lambda _self, _node: None)
    program = parse_program(LOOP)
    verdict, _ = impact(program, REACH, ImpactOptions(), Budget(20.0))
    assert isinstance(verdict, Claimed), "the fault makes the engine miss the bug"
    with pytest.raises(MisfitError):
        fits(program, TreeFollower(Code(program), verdict.proof), REACH)
