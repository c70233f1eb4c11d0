"""What ``abstract`` gives to other engines: what is left of a program, and answers with two proofs."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from sley.analyses.accesses import find_accesses
from sley.analyses.effects import NOTHING
from sley.base.budget import Budget
from sley.cli.main import run
from sley.engines.abstract.fixpoint import fixpoint
from sley.evidence.fixpoint.given import GivenFixpoint, given_by
from sley.evidence.fixpoint.proof import Fixpoint
from sley.evidence.footprints import Footprint, Footprints
from sley.evidence.proof import KeptProof, ProofOfTheRest, RefusedProofError
from sley.evidence.verdict import Safe, Unsafe
from sley.program.instructions import Access, Assume, FaultTest, Load, Lock, Store, Update
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.semantics.code import Code
from sley.verification.attempt import Attempt
from sley.verification.engines import ENGINES
from sley.verification.facts import EngineFacts, gains
from sley.verification.kept_proofs import keep, read
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.result import Answer
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.limits import AMPLE
from tests.marked_programs import FOLDER

HEAD = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
"""

ACCOUNTS = f"""{HEAD}
struct account {{ pthread_mutex_t lock; int balance; }};
struct account *a, *b;
static struct account *opened(void)
{{
    struct account *made = malloc(sizeof *made);
    pthread_mutex_init(&made->lock, 0);
    made->balance = 0;
    return made;
}}
static void put(struct account *to, int amount)
{{
    pthread_mutex_lock(&to->lock);
    to->balance = to->balance + amount;
    pthread_mutex_unlock(&to->lock);
}}
static void *one(void *unused) {{ put(a, 1); put(b, 2); return 0; }}
int main(void)
{{
    pthread_t s, t;
    a = opened();
    b = opened();
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a->balance == 2);
    free(a);
    free(b);
    return 0;
}}
"""
"""That the sum is right takes more than one thread at a time; all else does not."""


def task_of(path: Path, *engines: str, properties: frozenset[Property] = ALL_PROPERTIES) -> Task:
    limits = Limits(seconds=AMPLE)
    return Task(paths=(path,), selection=Selection(properties), engines=engines, limits=limits, jobs=0)


@cache
def given_for(text: str) -> tuple[Program, GivenFixpoint]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(text)
        program, given = given_of(path)
    assert given is not None
    return program, given


def given_of(path: Path) -> tuple[Program, GivenFixpoint | None]:
    program, budget = program_of(task_of(path)), Budget(AMPLE)
    proof = fixpoint(program, ALL_PROPERTIES, budget).proof()
    return program, given_by(program, ALL_PROPERTIES, proof, budget)


def accesses_of(program: Program) -> dict[str, list[Access]]:
    """By what C calls the memory."""
    found: dict[str, list[Access]] = {}
    for edge in program.edges:
        if isinstance(edge.instruction, Load | Store | Update | Lock):
            found.setdefault(edge.instruction.access.text, []).append(edge.instruction.access)
    return found


# --- what is left --------------------------------------------------------------------------------------


def test_what_is_proved_is_left_out() -> None:
    program, given = given_for(ACCOUNTS)
    proved = {Property.RACE, Property.DEADLOCK, Property.DEREF, Property.DIVISION}
    assert given.properties == ALL_PROPERTIES - proved
    accesses = accesses_of(given.program)["to->balance"]
    assert accesses
    assert all(access.is_unnoticed and access.is_certain for access in accesses)
    faults = [one.instruction.of for one in given.program.edges if isinstance(one.instruction, FaultTest)]
    assert not [of for of in faults if isinstance(of, Load | Store | Update | Lock)]
    assert not any(access.is_unnoticed for found in accesses_of(program).values() for access in found)


def test_threads_stop_where_they_did() -> None:
    program, given = given_for(ACCOUNTS)
    errors = {at for f in program.functions.values() for at in f.errors}
    left = {at for f in given.program.functions.values() for at in f.errors}
    assert left < errors
    assert Code(given.program).stops == Code(program).stops - (errors - left)


def test_nobody_notices_an_access_that_is_unnoticed() -> None:
    _, given = given_for(ACCOUNTS)
    accesses = find_accesses(given.program, is_elsewhere_excluded=True)
    footprints = Footprints(given.program, accesses.sharing.points_to)
    unnoticed = [
        edge.source
        for edge in given.program.edges
        if isinstance(edge.instruction, Load | Store) and edge.instruction.access.text == "to->balance"
    ]
    assert unnoticed
    for location in unnoticed:
        assert accesses.action(location) == NOTHING
        assert footprints.action(location) == Footprint()
        assert not accesses.may_stop(location)
    stores = [at for at in unnoticed if any(isinstance(e.instruction, Store) for e in footprints.out[at])]
    assert all(accesses.overwrites(at) for at in stores)


THREADS = """
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(x + y < 2);
    return 0;
}
"""

NOTICED = {
    "a race": "int x, y; void *one(void *u) { x = 1; return 0; } void *two(void *u) { x = 1; return 0; }",
    "atomic": """atomic_int x; int y; void *one(void *u) { x = 1; return 0; }
        void *two(void *u) { x = 1; return 0; }""",
    "one side is atomic": """atomic_int x; int y; void *one(void *u) { x = 1; return 0; }
        void *two(void *u) { *(int *)&x = 1; return 0; }""",
    "another lock": """int x, y; pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
        void *one(void *u) { pthread_mutex_lock(&l); x = 1; pthread_mutex_unlock(&l); return 0; }
        void *two(void *u) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }""",
    "read elsewhere": """int x, y; pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
        void *one(void *u) { pthread_mutex_lock(&l); x = 1; pthread_mutex_unlock(&l); return 0; }
        void *two(void *u) { y = x; return 0; }""",
}


@pytest.mark.parametrize("name", NOTICED)
def test_what_others_notice(name: str) -> None:
    _, given = given_for(HEAD + NOTICED[name] + THREADS)
    stores = [
        edge.instruction.access
        for function in ("one", "two")
        for edge in given.program.functions[function].edges
        if isinstance(edge.instruction, Store) and edge.instruction.access.text != "y"
    ]
    assert stores
    assert not any(access.is_unnoticed for access in stores)


UNKNOWN = {
    "any address": "int main(int argc, char **argv) { return *(int *)(long)argc; }",
    "freed meanwhile": """void *one(void *u) { int *p = u; *p = 1; return 0; }
        int main(void) {
            pthread_t s;
            int *x = malloc(sizeof *x);
            pthread_create(&s, 0, one, x);
            free(x);
            pthread_join(s, 0);
            return 0;
        }""",
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_nothing_follows_where_an_address_is_not_known(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(HEAD + UNKNOWN[name])
    assert given_of(path)[1] is None


def test_who_gains(tmp_path: Path) -> None:
    fixed, path = tmp_path / "fixed.c", tmp_path / "accounts.c"
    fixed.write_text(HEAD + NOTICED["another lock"] + THREADS)
    path.write_text(ACCOUNTS)

    def engines(file: Path) -> set[str]:
        task = task_of(file)
        program = program_of(task)
        return {n for n in ENGINES if gains(Attempt(n, ENGINES, program, ALL_PROPERTIES, task))}

    assert engines(path) == set(ENGINES) - {"abstract"}
    assert engines(fixed) == set(ENGINES) - {"abstract", "explore"}


# --- answers -------------------------------------------------------------------------------------------


def test_an_answer_rests_on_two_proofs(tmp_path: Path) -> None:
    path = tmp_path / "accounts.c"
    path.write_text(ACCOUNTS)
    result = verify(replace(task_of(path, "abstract", "explore"), keeps_proof=True))
    assert result.answer is Answer.SAFE
    assert isinstance(result.outcome, Safe)
    assert isinstance(result.outcome.proof, ProofOfTheRest)
    assert [kept.engine for kept in result.outcome.kept] == ["abstract", "explore"]
    fixpoint_kept, rest = result.outcome.kept
    assert fixpoint_kept.properties == ALL_PROPERTIES > rest.properties
    assert fixpoint_kept.program != rest.program
    assert result.outcome.checked.runs


def test_a_violation_is_one_of_the_whole_program(tmp_path: Path) -> None:
    path = tmp_path / "wrong.c"
    path.write_text(ACCOUNTS.replace("a->balance == 2", "a->balance == 3"))
    for engine in ("explore", "impact"):
        result = verify(task_of(path, "abstract", engine))
        assert result.engine == engine
        assert isinstance(result.outcome, Unsafe)
        assert result.outcome.traces[0].failure.property is Property.REACH


def test_switched_off(tmp_path: Path) -> None:
    path = tmp_path / "accounts.c"
    path.write_text(ACCOUNTS)
    task = task_of(path, "abstract", "explore")
    outcome = verify(replace(task, uses_facts=False)).outcome
    assert isinstance(outcome, Safe)
    assert not isinstance(outcome.proof, ProofOfTheRest)
    program = program_of(task)
    for other in (task_of(path, "explore"), task_of(path, "abstract"), replace(task, uses_facts=False)):
        assert EngineFacts(program, ALL_PROPERTIES, other).given is None
    assert EngineFacts(program, ALL_PROPERTIES, task).given is not None


# --- files ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A program, and what its proof file says."""
    folder = tmp_path_factory.mktemp("facts")
    program, proof = folder / "accounts.c", folder / "p.json"
    program.write_text(ACCOUNTS)
    assert run(["check", str(program), "--engine", "abstract,explore", "--proof", str(proof)]) == 0
    assert run(["prove-check", str(program), str(proof)]) == 0
    return str(program), proof.read_text()


Refused = Callable[[Callable[[list[Any]], list[Any]]], str]


@pytest.fixture
def refused(kept: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Refused:
    """Says why a file with changed proofs is refused."""

    def reason(change: Callable[[list[Any]], list[Any]]) -> str:
        program, text = kept
        content: dict[str, Any] = json.loads(text)
        content["proofs"] = change(content["proofs"])
        file = tmp_path / "p.json"
        file.write_text(json.dumps(content))
        assert run(["prove-check", program, str(file)]) == 3
        return " ".join(capsys.readouterr().out.split())

    return reason


def without_a_context(proof: Fixpoint) -> Fixpoint:
    return replace(proof, states=dict(list(proof.states.items())[:-1]))


def without_memory(proof: Fixpoint) -> Fixpoint:
    return replace(proof, memory={})


@pytest.mark.parametrize("damage", [without_a_context, without_memory])
def test_a_damaged_fixpoint_is_refused(
    damage: Callable[[Fixpoint], Fixpoint], kept: tuple[str, str], refused: Refused
) -> None:
    program, engine = program_of(task_of(Path(kept[0]))), ENGINES["abstract"]

    def damaged(proofs: list[Any]) -> list[Any]:
        first = KeptProof("abstract", ALL_PROPERTIES, "", "Fixpoint", json.dumps(proofs[0]["proof"]))
        found = read(engine, first, program)
        assert isinstance(found, Fixpoint)
        other = keep(engine, "abstract", damage(found), program, ALL_PROPERTIES)
        return [proofs[0] | {"proof": json.loads(other.text)}, proofs[1]]

    assert "the proof is refused" in refused(damaged)


def test_one_of_two_proofs_is_none(refused: Refused) -> None:
    assert "an assertion may fail" in refused(lambda proofs: proofs[:1])
    refused(lambda proofs: proofs[1:])


def test_the_rest_cannot_stand_for_the_whole(refused: Refused) -> None:
    names = ("properties", "program")
    refused(lambda proofs: [proofs[1] | {name: proofs[0][name] for name in names}])


def test_the_rest_is_checked(refused: Refused) -> None:
    def damaged(proofs: list[Any]) -> list[Any]:
        nodes = proofs[1]["proof"]["nodes"]
        states = next(row for row in reversed(nodes[:-1]) if len(row) > 20)
        states.pop()
        return proofs

    assert "the proof is refused" in refused(damaged)


def test_a_fixpoint_that_is_none_gives_nothing() -> None:
    program, _ = given_for(ACCOUNTS)
    proof = fixpoint(program, ALL_PROPERTIES, Budget(AMPLE)).proof()
    with pytest.raises(RefusedProofError):
        given_by(program, ALL_PROPERTIES, without_a_context(proof), Budget(AMPLE))


def test_branches_that_stay_are_certain() -> None:
    text = f"""{HEAD} int main(int argc, char **argv) {{
        int i = 0;
        for (; i < 5; i++)
            ;
        assert(i * argc != 35);
        return 0;
    }}"""
    program, given = given_for(text)
    left = [failure.property for f in given.program.functions.values() for failure in f.errors.values()]
    assert Property.REACH in left
    assert sum(len(f.errors) for f in program.functions.values()) > len(left)
    certain = [edge.instruction for edge in given.program.edges if isinstance(edge.instruction, Assume)]
    assert any(one.is_certain for one in certain)


@pytest.mark.parametrize("engine", ["impact", "bmc", "modular", "explore"])
def test_what_another_thread_frees_is_left(engine: str) -> None:
    """It was said to be there as long as main, which made it, had not freed it."""
    path = FOLDER / "freeing" / "by_joined_thread.c"
    task = Task(paths=(path,), engines=("abstract", engine), limits=Limits(seconds=AMPLE))
    assert verify(task).answer in (Answer.BUG, Answer.UNKNOWN)
