"""What the only thread does in many steps with one outcome each is left out of search and proof."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.engines.explore.engine import explore
from sley.engines.explore.options import ExploreOptions
from sley.evidence.closed_states.check import check_closed_states
from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.encoding.codec import decode, encode
from sley.evidence.invariants import NONE
from sley.evidence.proof import RefusedProofError
from sley.evidence.source_invariants.of_program import _from_proof
from sley.evidence.verdict import Claimed, Unsafe
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES
from sley.semantics.machine import LONGEST_SOLO, StateMachine
from sley.semantics.state import State
from sley.verification.reading import program_of
from sley.verification.task import Task

LONG = """#include <assert.h>
#include <pthread.h>
unsigned sum;
void *worker(void *unused) { sum++; return 0; }
int main(void) {
    pthread_t thread;
    for (unsigned i = 0; i < ROUNDS; i++)
        sum += i % 7;
    pthread_create(&thread, 0, worker, 0);
    RACE
    pthread_join(thread, 0);
    assert(sum > LEAST);
    return 0;
}
"""

STOPS = """#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int i, sum;
int main(void) {
    for (i = 0; i < 3; i++)
        sum += i;
    STOP
    for (i = 0; i < 3; i++)
        sum += i;
    return 0;
}
"""


def program(tmp_path: Path, text: str, **words: object) -> Program:
    for word, meaning in words.items():
        text = text.replace(word, str(meaning))
    path = tmp_path / "a.c"
    path.write_text(text)
    return program_of(Task(paths=(path,)))


def long(tmp_path: Path, race: str = "", rounds: int = 1500, least: int = 1000) -> Program:
    return program(tmp_path, LONG, ROUNDS=rounds, RACE=race, LEAST=least)


def proof_of(flat: Program) -> ClosedStates:
    verdict, _ = explore(flat, ALL_PROPERTIES, ExploreOptions(), Budget())
    assert isinstance(verdict, Claimed)
    proof = verdict.proof
    assert isinstance(proof, ClosedStates)
    return proof


def accepted(flat: Program, proof: ClosedStates) -> bool:
    try:
        check_closed_states(flat, ALL_PROPERTIES, proof, Budget())
    except RefusedProofError:
        return False
    return True


def test_few_states_are_enough(tmp_path: Path) -> None:
    flat = long(tmp_path)
    proof = proof_of(flat)
    assert proof.leaves_out_solo
    assert len(proof.states) < 50
    assert accepted(flat, proof)
    sent = json.dumps(encode(ClosedStates, proof, flat.terms))
    assert decode(ClosedStates, json.loads(sent), flat) == proof


def test_it_goes_on_after_the_most_steps_at_once(tmp_path: Path) -> None:
    flat = long(tmp_path, rounds=LONGEST_SOLO)
    proof = proof_of(flat)
    assert 1 < sum(len(state.threads) == 1 for state in proof.states) < 20
    assert accepted(flat, proof)


def test_a_proof_has_to_say_so(tmp_path: Path) -> None:
    flat = long(tmp_path)
    proof = proof_of(flat)
    assert not accepted(flat, replace(proof, leaves_out_solo=False))


def test_no_other_states_may_be_left_out(tmp_path: Path) -> None:
    flat = long(tmp_path)
    proof = proof_of(flat)
    for left_out in range(len(proof.states)):
        fewer = replace(
            proof,
            states=(*proof.states[:left_out], *proof.states[left_out + 1 :]),
            expansions=(*proof.expansions[:left_out], *proof.expansions[left_out + 1 :]),
        )
        assert not accepted(flat, fewer)


def test_violations_behind_it_are_replayed(tmp_path: Path) -> None:
    for flat in (long(tmp_path, least=10_000), long(tmp_path, race="sum++;")):
        verdict, _ = explore(flat, ALL_PROPERTIES, ExploreOptions(), Budget())
        assert isinstance(verdict, Unsafe)
        assert len(verdict.traces[0].schedule) > 1500


def test_few_steps_are_searched_like_others(tmp_path: Path) -> None:
    proof = proof_of(long(tmp_path, rounds=20, least=10))
    assert not proof.leaves_out_solo
    assert len(proof.states) > 20


def test_of_what_is_left_out_no_invariants_are_known(tmp_path: Path) -> None:
    flat = long(tmp_path)
    assert _from_proof(flat, proof_of(flat)) == NONE


@pytest.mark.parametrize(
    ("stop", "is_whole"),
    [
        ("", True),
        ("sum += __VERIFIER_nondet_int() > 3;", False),
        ("{ int *p = malloc(4), *q; free(p); q = malloc(4); sum += p == q; free(q); }", False),
        ("sum /= sum - 3;", False),
        ("exit(0);", False),
    ],
)
def test_it_ends_where_several_things_may_happen(tmp_path: Path, stop: str, is_whole: bool) -> None:
    flat = program(tmp_path, STOPS, STOP=stop)
    compiled, reference = StateMachine(flat), StateMachine(flat, is_compiled=False)
    found, steps = compiled.beyond(compiled.initial())
    assert (found, steps) == reference.beyond(reference.initial())
    step_by_step = alone(reference)
    assert (found, steps) == (step_by_step[-1], len(step_by_step))
    again, more = compiled.beyond(found)
    assert (again, more) == (found, 0)
    cells = [cell for cell in found.cells if isinstance(cell, int)]
    assert (6 in cells) is is_whole


def alone(machine: StateMachine) -> list[State]:
    """The same, step by step."""
    found: list[State] = []
    state = machine.initial()
    while True:
        try:
            outcomes = machine.successors(state, 0)
        except Exception:  # noqa: BLE001 - whatever it asks
            return found
        if len(outcomes) != 1 or outcomes[0].state is None or outcomes[0].choices:
            return found
        if outcomes[0].thread[0] in machine.code.errors:
            return found
        state = outcomes[0].state
        found.append(state)
