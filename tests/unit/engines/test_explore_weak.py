"""The search under C11: what it finds, that reduction loses nothing, and that its proofs are checked."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from sley.base.budget import Budget
from sley.engines.explore.engine import explore, explore_weak
from sley.engines.explore.options import ExploreOptions
from sley.engines.explore.weak import WeakExplorer, WeakReduction
from sley.evidence.closed_states.check import check_closed_states
from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.closed_states.runs import ClosedStatesFollower
from sley.evidence.closed_states.weak import check_closed_histories
from sley.evidence.proof import RefusedProofError
from sley.evidence.remarks import MissingOrder, Reordered, Reordering
from sley.evidence.runs import MisfitError, run_against
from sley.evidence.verdict import Claimed, Unknown, Unsafe
from sley.program.instructions import MemoryOrder
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.semantics.axioms import Kind
from sley.semantics.code import Code
from sley.semantics.history import History
from sley.semantics.machine import StateMachine
from sley.semantics.state import State
from tests.textual.parser import parse_program
from tests.unit.semantics.random_litmus import (
    LOCK,
    UNLOCK,
    Operation,
    Threads,
    defined_outcomes,
    machine_outcomes,
    outcomes,
    program,
    random_cycle,
    random_litmus,
)

RACES = frozenset({Property.RACE, Property.DEADLOCK})

MESSAGE = """program lp64
global data : i32
global flag : i32
thread main() -> i32 {{
  reg a : i64
  reg f : i32
  reg d : i32
  entry 0 exit 9
  0 -> 1 : create a, writer()
  1 -> 2 : load f, flag @{load} "flag"
  2 -> 1 : assume (= f 0:i32)
  2 -> 3 : assume (not (= f 0:i32))
  3 -> 4 : load d, data "data"
  4 -> 5 : join a
  5 -> 9 : end return
}}
thread writer() -> i64 {{
  entry 20 exit 29
  20 -> 21 : store data "data", 1:i32
  21 -> 22 : store flag @{store} "flag", 1:i32
  22 -> 29 : exit 0:i64
}}
"""


def message(store: str, load: str) -> Program:
    return parse_program(MESSAGE.format(store=store, load=load))


def compare(threads: Threads) -> None:
    """The search reads what the axioms allow, finds the races, and its proof is accepted."""
    machine = StateMachine(program(threads), history=History())
    explorer = WeakExplorer(machine, RACES, WeakReduction(machine, RACES), Budget(), more_seconds=1e9)
    explorer.search()
    defined, has_race = defined_outcomes(threads)
    found, found_race = outcomes(threads, explorer.graph.states)
    assert found_race == has_race
    assert not explorer.gave_up
    if not has_race:
        assert found == defined
        proof = ClosedStates(tuple(explorer.graph.states), tuple(explorer.expanded))
        check_closed_histories(machine.code.program, RACES, proof, Budget())


def relaxed(kind: Kind, location: str, value: int = 0) -> Operation:
    return Operation(kind, MemoryOrder.RELAXED, location, value)


def plain(kind: Kind) -> Operation:
    return Operation(kind, MemoryOrder.PLAIN, "z", 1)


SHAPES: dict[str, Threads] = {
    "nothing between an update and what it reads": (
        (relaxed(Kind.UPDATE, "x", 1),),
        (relaxed(Kind.WRITE, "x", 2),),
        (relaxed(Kind.READ, "x"), relaxed(Kind.READ, "x")),
    ),
    "a mutex orders": ((LOCK, plain(Kind.WRITE), UNLOCK), (LOCK, plain(Kind.READ), UNLOCK)),
    "nothing orders": ((LOCK, plain(Kind.WRITE), UNLOCK), (plain(Kind.READ),)),
    "fences order what is read and written around them": (
        (plain(Kind.WRITE), Operation(Kind.FENCE, MemoryOrder.RELEASE), relaxed(Kind.WRITE, "x", 1)),
        (
            Operation(Kind.READ, MemoryOrder.RELAXED, "x", until=1),
            Operation(Kind.FENCE, MemoryOrder.ACQUIRE),
            plain(Kind.READ),
        ),
    ),
}


@pytest.mark.parametrize("threads", SHAPES.values(), ids=SHAPES)
def test_shapes_are_as_the_axioms_say(threads: Threads) -> None:
    compare(threads)
    defined, has_race = defined_outcomes(threads)
    assert machine_outcomes(threads) == (set() if has_race else defined, has_race)


@pytest.mark.parametrize("seed", [*range(50), 168, 188])
def test_cycles_are_as_the_axioms_say(seed: int) -> None:
    compare(random_cycle(seed))


@pytest.mark.parametrize("seed", [*range(24), 1005, 1033, 1106, 1137])
def test_reduction_loses_no_outcome_and_no_race(seed: int) -> None:
    has_lock, has_loops = seed % 4 == 2, seed % 4 == 3 and seed < 1000
    size = 2 if has_loops else 4 if has_lock else 6
    has_plain = seed % 4 != 0 and seed < 1000
    compare(random_litmus(seed, size, "z" if has_plain else "", has_lock=has_lock, has_loops=has_loops))


@pytest.mark.parametrize("reduction", [True, False])
@pytest.mark.parametrize(
    ("store", "load", "kind"),
    [
        ("release", "acquire", Claimed),
        ("release", "relaxed", Unsafe),
        ("relaxed", "acquire", Unsafe),
        ("seq_cst", "seq_cst", Claimed),
    ],
)
def test_a_message_needs_release_and_acquire(store: str, load: str, kind: type, reduction: bool) -> None:
    options = ExploreOptions(reduction=reduction)
    verdict, _ = explore_weak(message(store, load), ALL_PROPERTIES, options, Budget())
    assert isinstance(verdict, kind)
    if isinstance(verdict, Unsafe):
        assert verdict.traces[0].failure.property is Property.RACE
        assert verdict.traces[0].memory_model is MemoryModel.C11
        missing = verdict.traces[0].facts[-1]
        assert isinstance(missing, MissingOrder)
        assert (missing.is_load_weak, missing.order) == (store != "relaxed", MemoryOrder.RELAXED)


def test_a_trace_says_what_a_read_does_not_see() -> None:
    text = MESSAGE.format(store="relaxed", load="relaxed")
    text = text.replace('store data "data"', 'store data @relaxed "data"')
    text = text.replace('load d, data "data"', 'load d, data @relaxed "data"').replace(
        "4 -> 5 : join a", "4 -> 8 : assume (= d 0:i32)\n  4 -> 5 : assume (not (= d 0:i32))"
    )
    text = text.replace("exit 9\n  0 ->", 'exit 9\n  error 8 : reach assertion "stale"\n  0 ->')
    verdict, _ = explore_weak(parse_program(text), frozenset({Property.REACH}), ExploreOptions(), Budget())
    assert isinstance(verdict, Unsafe)
    (note,) = [event.note for event in verdict.traces[0].events if event.note and event.target == "data"]
    assert isinstance(note, Reordered)
    assert (note.how, verdict.traces[0].threads[note.thread].name) == (Reordering.UNSEEN, "writer")


def test_a_limit_is_never_safe() -> None:
    verdict, _ = explore_weak(
        message("release", "acquire"), ALL_PROPERTIES, ExploreOptions(max_states=3), Budget()
    )
    assert isinstance(verdict, Unknown)


# --- seeded faults in proofs ----------------------------------------------------------------------------


@cache
def proof_of_message() -> tuple[Program, ClosedStates]:
    prepared = message("release", "acquire")
    verdict, _ = explore_weak(prepared, ALL_PROPERTIES, ExploreOptions(), Budget())
    assert isinstance(verdict, Claimed)
    return prepared, verdict.proof


def test_the_proof_is_accepted() -> None:
    prepared, proof = proof_of_message()
    check_closed_histories(prepared, ALL_PROPERTIES, proof, Budget())


def without_last_state(proof: ClosedStates) -> ClosedStates:
    return ClosedStates(proof.states[:-1], proof.expansions[:-1])


def with_the_wrong_thread(proof: ClosedStates) -> ClosedStates:
    """Where the thread that writes suffices, take the one that reads what it writes."""
    at = proof.expansions.index((1,))
    return ClosedStates(proof.states, (*proof.expansions[:at], (0,), *proof.expansions[at + 1 :]))


def forgetting(change: Callable[[History], History]) -> Callable[[ClosedStates], ClosedStates]:
    """Another history in every state but the first: as if something had not happened."""

    def changed(state: State) -> State:
        assert state.history is not None
        return state._replace(history=change(state.history))

    def run(proof: ClosedStates) -> ClosedStates:
        return ClosedStates((proof.states[0], *map(changed, proof.states[1:])), proof.expansions)

    return run


FAULTS = {
    "a state is missing": without_last_state,
    "the thread that reads is taken first": with_the_wrong_thread,
    "accesses are forgotten": forgetting(lambda h: replace(h, accesses=())),
    "what threads know is forgotten": forgetting(
        lambda h: replace(h, views=tuple(v._replace(current=()) for v in h.views))
    ),
    "events are forgotten": forgetting(lambda h: replace(h, events=tuple(() for _ in h.events), mo=())),
    "races are ignored": forgetting(lambda h: replace(h, finds_races=False)),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_wrong_proofs_are_refused(fault: Callable[[ClosedStates], ClosedStates]) -> None:
    prepared, proof = proof_of_message()
    with pytest.raises(RefusedProofError):
        check_closed_histories(prepared, ALL_PROPERTIES, fault(proof), Budget())


def test_a_reduction_that_lets_a_thread_read_first_is_refused() -> None:
    """To read later is to see more: who reads does not suffice by itself."""
    write = Operation(Kind.WRITE, MemoryOrder.RELAXED, "x", 1)
    read = Operation(Kind.READ, MemoryOrder.RELAXED, "x")
    machine = StateMachine(program(((read,), (write,))), history=History())
    reduction = WeakReduction(machine, RACES)
    reduction.eager |= set(machine.code.out)
    explorer = WeakExplorer(machine, RACES, reduction, Budget())
    explorer.search()
    proof = ClosedStates(tuple(explorer.graph.states), tuple(explorer.expanded))
    with pytest.raises(RefusedProofError):
        check_closed_histories(machine.code.program, RACES, proof, Budget())


def test_a_proof_for_other_orders_is_refused() -> None:
    _, proof = proof_of_message()
    with pytest.raises(RefusedProofError):
        check_closed_histories(message("relaxed", "acquire"), ALL_PROPERTIES, proof, Budget())


def test_a_proof_by_interleaving_is_refused_and_the_other_way_round() -> None:
    prepared, proof = proof_of_message()
    interleaved = ClosedStates(
        tuple(dict.fromkeys(state._replace(history=None) for state in proof.states)), proof.expansions
    )
    with pytest.raises(RefusedProofError):
        check_closed_histories(prepared, ALL_PROPERTIES, interleaved, Budget())
    with pytest.raises(RefusedProofError):
        check_closed_states(prepared, ALL_PROPERTIES, proof, Budget())


def test_random_runs_of_c11_are_held_against_a_proof() -> None:
    """A read that only C11 allows leads to a place that interleaving never comes to."""
    text = MESSAGE.format(store="relaxed", load="relaxed").replace('data "data"', 'data @relaxed "data"')
    text = text.replace(
        "4 -> 5 : join a",
        "4 -> 6 : assume (= d 0:i32)\n  6 -> 5 : join a\n  4 -> 5 : assume (not (= d 0:i32))",
    )
    code = Code(parse_program(text))
    proof, _ = explore_weak(code.program, RACES, ExploreOptions(), Budget())
    assert isinstance(proof, Claimed)
    assert run_against(code, RACES, ClosedStatesFollower(code, proof.proof), 1.0, Budget()).given_up == 0
    interleaved, _ = explore(code.program, RACES, ExploreOptions(), Budget())
    assert isinstance(interleaved, Claimed)
    follower = ClosedStatesFollower(code, interleaved.proof)
    follower.history = History()
    with pytest.raises(MisfitError):
        run_against(code, RACES, follower, 1.0, Budget())
