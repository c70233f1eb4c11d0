"""The checker of bmc's proofs: it accepts what is true and refuses what is not, without the engine's help."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.bmc.engine import bmc
from sley.engines.bmc.events.unrolling import Unroller
from sley.engines.bmc.options import BmcOptions
from sley.evidence.bounded.check import check_bounded
from sley.evidence.bounded.proof import BoundedProof, Loop
from sley.evidence.proof import RefusedProofError
from sley.evidence.verdict import Claimed
from sley.program.program import Program
from sley.program.properties import PROPERTY_GROUPS, Property
from sley.semantics.code import Code
from sley.semantics.symbolic_step import Shape
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.task import Task
from tests.limits import AMPLE
from tests.marked_programs import FOLDER, PROGRAMS, marks_of

SWEPT = ("atomics", "deadlock", "division", "ends", "found", "race", "threads", "synchronisation")
"""Folders of small programs."""

ATTEMPTS = ("failed_semaphore_orders_nothing", "failed_trylock_orders_nothing")
"""Their races need attempts that fail for no reason, which is another program."""


def program_for(path: Path, properties: frozenset[Property]) -> Program:
    model = marks_of(path).data_model
    return program_of(Task(paths=(path,), selection=Selection(properties), data_model=model))


def proof_within(program: Program, properties: frozenset[Property], unwind: int) -> BoundedProof:
    """What an engine would claim that misses whatever happens within these bounds."""
    unroller = Unroller(Code(program))
    heads = [head for name in program.functions for head in unroller.nest(name).loops.bodies]
    bounds: dict[Loop | int, int] = dict.fromkeys(heads, unwind)
    graph = unroller.unroll(bounds, Budget(AMPLE), finds_waits=Property.DEADLOCK in properties)
    return BoundedProof(tuple(graph.repeats.items()), unroller.claims.shape, unroller.claims.settled)


@cache
def proved(name: str) -> tuple[Program, frozenset[Property], BoundedProof]:
    """A program that engine bmc proves, for all that it decides."""
    path = FOLDER / f"{name}.c"
    properties = marks_of(path).holds - {Property.LEAK}
    program = program_for(path, properties)
    verdict, _ = bmc(program, properties, BmcOptions(), Budget(AMPLE))
    assert isinstance(verdict, Claimed), verdict
    return program, properties, verdict.proof.plain


TRUE = (
    "atomics/address_published",
    "conditions/one_shot",
    "found/bmc_threads_of_threads",
    "mutual_exclusion/readers_writers_rwlock",
    "mutual_exclusion/spin_lock",
    "threads/arguments_and_results",
    "threads/exit_in_thread",
)


@pytest.mark.parametrize("name", [name for name in TRUE if (FOLDER / f"{name}.c").exists()])
def test_accepts_what_is_true(name: str) -> None:
    program, properties, proof = proved(name)
    assert check_bounded(program, properties, proof, Budget(AMPLE)).solvers


FALSE = (
    ("found/bmc_asks_one_of_two_alike", 2),
    ("found/bmc_branch_that_does_not_matter", 2),
    ("found/bmc_circle_broken_later", 2),
    ("found/bmc_failure_while_holding", 2),
    ("found/bmc_join_on_one_path", 2),
    ("found/bmc_join_one_of_two_alike", 2),
    ("found/bmc_mutex_initialised_late", 2),
    ("found/bmc_mutex_initialised_while_held", 2),
    ("found/bmc_race_beside_events", 2),
    ("found/bmc_stops_after_unlock", 2),
    ("found/bmc_two_ways_back", 4),
    ("found/bmc_two_ways_back_later", 4),
    ("found/lock_freed_by_third_thread", 2),
    ("ends/one_path_aborts", 2),
    ("ends/abort_in_loop_of_section", 4),
)
"""Programs with a violation that engine bmc once missed, or might have, and bounds within which it is."""


@pytest.mark.parametrize(("name", "unwind"), FALSE)
def test_refuses_proofs_that_were_once_accepted(name: str, unwind: int) -> None:
    path = FOLDER / f"{name}.c"
    for group in marks_of(path).violated:
        properties = PROPERTY_GROUPS[group] - {Property.LEAK}
        program = program_for(path, properties)
        proof = proof_within(program, properties, unwind)
        with pytest.raises(RefusedProofError) as refusal:
            check_bounded(program, properties, proof, Budget(AMPLE))
        assert "beyond its bound" not in str(refusal.value)


COUNTING = """
#include <pthread.h>
#include <assert.h>
pthread_mutex_t lock;
int shared, limit;
void *worker(void *unused)
{
    for (int i = 0; i < limit; i++) {
        pthread_mutex_lock(&lock);
        shared++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
int main(void)
{
    pthread_t one, other;
    limit = 2;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&other, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(shared == LIMIT);
}
"""


def counting(tmp_path: Path, limit: int) -> tuple[Program, frozenset[Property], BoundedProof]:
    path = tmp_path / "counting.c"
    path.write_text("// sley: reach=true\n" + COUNTING.replace("LIMIT", str(limit)))
    properties = frozenset({Property.REACH, Property.RACE, Property.DEADLOCK})
    program = program_for(path, properties)
    return program, properties, proof_within(program, properties, 3)


def test_refuses_bounds_that_are_too_low(tmp_path: Path) -> None:
    program, properties, proof = counting(tmp_path, 4)
    check_bounded(program, properties, proof, Budget(AMPLE))
    fewer = replace(proof, repeats=tuple((loop, count - 2) for loop, count in proof.repeats))
    with pytest.raises(RefusedProofError, match="beyond its bound"):
        check_bounded(program, properties, fewer, Budget(AMPLE))
    with pytest.raises(RefusedProofError, match="beyond its bound"):
        check_bounded(program, properties, replace(proof, repeats=()), Budget(AMPLE))


def test_a_false_claim_about_what_exists_hides_nothing(tmp_path: Path) -> None:
    program, properties, proof = counting(tmp_path, 3)
    for threads in (proof.shape.threads[:1], ("main", "main", "worker"), proof.shape.threads):
        claimed = replace(proof, shape=Shape(threads))
        with pytest.raises(RefusedProofError, match="assertion"):
            check_bounded(program, properties, claimed, Budget(AMPLE))


def test_a_false_claim_that_a_variable_is_settled_hides_nothing(tmp_path: Path) -> None:
    program, properties, proof = counting(tmp_path, 3)
    vocabulary = Unroller(Code(program)).steps.vocabulary(proof.shape)
    cells = frozenset(cell for i in vocabulary.instances.values() for cell in vocabulary.cells(i))
    with pytest.raises(RefusedProofError, match="assertion"):
        check_bounded(program, properties, replace(proof, settled=cells), Budget(AMPLE))


ADDING = """
#include <pthread.h>
#include <assert.h>
pthread_mutex_t lock;
int shared, turn;
void *worker(void *unused) { BODY return 0; }
void *other(void *unused) { OTHER return 0; }
int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_create(&three, 0, other, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    JOIN
    assert(shared == 3);
}
"""
LOCKED = "pthread_mutex_lock(&lock); shared++; pthread_mutex_unlock(&lock);"
APART = "pthread_mutex_lock(&lock); int seen = shared; pthread_mutex_unlock(&lock); "
STORE = APART + "pthread_mutex_lock(&lock); shared = seen + 1; pthread_mutex_unlock(&lock);"
JOIN = "pthread_join(three, 0);"
ADDERS = (
    (LOCKED, LOCKED, JOIN, True),
    (LOCKED, LOCKED, "", False),
    (LOCKED, LOCKED, "if (turn) " + JOIN, False),
    (LOCKED, "shared++;", JOIN, False),
    ("shared++;", "shared++;", JOIN, False),
    (STORE, LOCKED, JOIN, False),
    (LOCKED, "pthread_mutex_lock(&lock); shared = 1; pthread_mutex_unlock(&lock);", JOIN, False),
    (LOCKED, "pthread_mutex_lock(&lock); shared++; shared++; pthread_mutex_unlock(&lock);", JOIN, False),
    (LOCKED, "pthread_mutex_lock(&lock); if (!turn) shared++; pthread_mutex_unlock(&lock);", JOIN, True),
)


@pytest.mark.parametrize(("body", "other", "join", "holds"), ADDERS)
def test_lemmas_hold_only_where_they_do(
    tmp_path: Path, body: str, other: str, join: str, *, holds: bool
) -> None:
    """Joins, sections and sums: each is used, and is not where something is missing that its lemma needs."""
    text = ADDING.replace("BODY", body).replace("OTHER", other).replace("JOIN", join)
    path = tmp_path / "adding.c"
    path.write_text("// sley: reach=true\n" + text)
    properties = frozenset({Property.REACH})
    program = program_for(path, properties)
    proof = proof_within(program, properties, 1)
    if holds:
        check_bounded(program, properties, proof, Budget(AMPLE))
    else:
        with pytest.raises(RefusedProofError, match="assertion"):
            check_bounded(program, properties, proof, Budget(AMPLE))


@pytest.mark.parametrize(
    "path",
    [path for path in PROGRAMS if path.relative_to(FOLDER).parts[0] in SWEPT and path.stem not in ATTEMPTS],
    ids=lambda path: str(path.relative_to(FOLDER).with_suffix("")),
)
def test_no_violation_of_a_marked_program_is_accepted(path: Path) -> None:
    """Whatever bounds: what is marked as violated is refused, or nothing is said."""
    for group in marks_of(path).violated:
        properties = PROPERTY_GROUPS[group]
        program = program_for(path, properties)
        try:
            check_bounded(program, properties, proof_within(program, properties, 2), Budget(AMPLE))
        except (RefusedProofError, GaveUpError):
            continue
        pytest.fail(f"a proof for {group} was accepted")
