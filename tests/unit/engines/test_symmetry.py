"""Engine ``symmetry``: the paper's unsound abstractions, its corrected steps, and proofs that are refused."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sley.analyses.threads import Creations
from sley.base.budget import Budget
from sley.base.errors import GaveUpError, InputError
from sley.engines.symmetry import AnyNumber, Cubes, Refinement, SymmetryOptions, abstracted, symmetry
from sley.engines.symmetry.seeds import parse_predicates
from sley.evidence.proof import RefusedProofError
from sley.evidence.symmetric.abstraction import Abstraction, Predicate
from sley.evidence.symmetric.check import check_symmetric
from sley.evidence.symmetric.machine import Cube, Machine
from sley.evidence.symmetric.proof import Forbidden, SymmetricProof
from sley.evidence.symmetric.reachability import reach
from sley.evidence.symmetric.text import parse_boolean, print_boolean
from sley.evidence.symmetric.words import Words
from sley.evidence.verdict import Bounded, Claimed, Unknown, Unsafe, Verdict
from sley.program.program import Program
from sley.program.properties import PROPERTY_GROUPS, Property
from sley.semantics.templates import TemplateSystem
from sley.verification.property_files import Selection
from sley.verification.result import Answer
from sley.verification.task import EngineOptions, Limits, Task
from sley.verification.verify import program_of, verify

REACH = frozenset({Property.REACH})

HEADER = """
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""

FOR_EVER = """
int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, worker, 0);
    pthread_exit(0);
}
"""

OWNED_BY_ONE = """
int s = 0;
void *worker(void *unused) {
    int l = 1;
    assert(s != l);
    s = s + 1;
    return 0;
}
"""
"""Sect. 2, first program: s != l in a local Boolean that only its owner updates misses the failure."""

SHARED_BY_ALL = """
int s = 0;
_Bool t = 0;
void *worker(void *unused) {
    int l = 0;
    if (__VERIFIER_nondet_bool())
        if (t)
            assert(s != l);
    l = s + 1;
    t = 1;
    return 0;
}
"""
"""Sect. 2, second program: s == l in a shared Boolean misses the failure."""

LAST_WRITER = """
int s = 0;
void *worker(void *unused) {
    int l = __VERIFIER_nondet_int();
    s = l;
    assert(s == l);
    return 0;
}
"""
"""The precondition of s == l under s = l is true for the active thread only."""

COUNTER = """
unsigned s = 0;
void *worker(void *unused) {
    pthread_mutex_lock(&m);
    unsigned l = s;
    s = l + 1;
    assert(s == l + 1);
    pthread_mutex_unlock(&m);
    return 0;
}
"""

INITIALISED = """
int s = 5;
void *worker(void *unused) {
    assert(s == 5);
    return 0;
}
"""

ASSUMED = """
int s = 0;
void *worker(void *unused) {
    int l = __VERIFIER_nondet_int();
    __VERIFIER_assume(l > 3);
    assert(l > 2);
    return 0;
}
"""

RACY = "int s; void *worker(void *unused) { s = 1; return 0; }"
GUARDED = """
int s;
void *worker(void *unused) { pthread_mutex_lock(&m); s = 1; pthread_mutex_unlock(&m); return 0; }
"""


def program(
    tmp_path: Path, text: str, main: str = FOR_EVER, properties: frozenset[Property] = REACH
) -> Program:
    path = tmp_path / "program.c"
    path.write_text(HEADER + text + main)
    return program_of(Task(paths=(path,), selection=Selection(properties)))


def answer(tmp_path: Path, text: str, main: str = FOR_EVER, **options: Any) -> Verdict[SymmetricProof]:
    made = program(tmp_path, text, main)
    verdict, _ = symmetry(made, REACH, SymmetryOptions(**options), Budget(30))
    if isinstance(verdict, Claimed):
        check_symmetric(made, REACH, verdict.proof, Budget(30))
    return verdict


def seeds(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "predicates.txt"
    path.write_text("\n".join(lines))
    return path


WAYS = [
    {},
    {"refinement": Refinement.TRACES},
    {"refinement": Refinement.TRACES, "cubes": Cubes.ONE},
    {"refinement": Refinement.TRACES, "cubes": Cubes.TWO},
    {"symmetry": False},
    {"any_number": AnyNumber.BACKWARD},
]


@pytest.mark.parametrize("options", WAYS, ids=str)
@pytest.mark.parametrize(
    ("text", "predicate"),
    [(OWNED_BY_ONE, "s != worker.l"), (SHARED_BY_ALL, "s == worker.l"), (LAST_WRITER, "s == worker.l")],
    ids=["owned by one", "shared by all", "last writer"],
)
def test_mixed_predicates_hide_no_bug(
    text: str, predicate: str, options: dict[str, Any], tmp_path: Path
) -> None:
    if text is LAST_WRITER:
        options = options | {"predicates": seeds(tmp_path, predicate)}
    verdict = answer(tmp_path, text, **options)
    assert isinstance(verdict, Unsafe)
    assert len(verdict.traces[0].threads) == 3


@pytest.mark.parametrize("options", WAYS, ids=str)
@pytest.mark.parametrize("text", [COUNTER, INITIALISED, ASSUMED], ids=["counter", "initialised", "assumed"])
def test_proofs_for_any_number_of_threads(text: str, options: dict[str, Any], tmp_path: Path) -> None:
    verdict = answer(tmp_path, text, **options)
    assert isinstance(verdict, Claimed)
    assert verdict.proof.threads is None


def test_a_stated_number_of_threads_is_a_bound(tmp_path: Path) -> None:
    assert answer(tmp_path, COUNTER, threads="3") == Bounded(
        "3 threads of each function that is started repeatedly"
    )


def test_so_many_threads_are_all_where_no_more_are_created(tmp_path: Path) -> None:
    main = "int main(void) { pthread_t a, b; pthread_create(&a, 0, worker, 0);\n"
    main += "pthread_create(&b, 0, worker, 0); pthread_join(a, 0); pthread_join(b, 0); assert(s == 2); }"
    assert isinstance(answer(tmp_path, COUNTER, main), Claimed)
    assert isinstance(answer(tmp_path, COUNTER, main.replace("s == 2", "s == 1")), Unsafe)


@pytest.mark.parametrize("threads", ["few", "0", "-1", "2.5", "\u0663", ""])
def test_the_number_of_threads_is_a_number(threads: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"`{threads}` is neither a positive number nor `any`"):
        answer(tmp_path, COUNTER, threads=threads)


@pytest.mark.parametrize(("text", "is_racy"), [(RACY, True), (GUARDED, False)])
def test_races_of_two_threads_of_one_template(text: str, is_racy: bool, tmp_path: Path) -> None:
    race = PROPERTY_GROUPS["race"]
    verdict, _ = symmetry(program(tmp_path, text, properties=race), race, SymmetryOptions(), Budget(30))
    assert isinstance(verdict, Unsafe if is_racy else Claimed)


def test_deadlocks_are_not_decided(tmp_path: Path) -> None:
    both = frozenset({Property.REACH, Property.DEADLOCK})
    verdict, _ = symmetry(program(tmp_path, COUNTER, properties=both), both, SymmetryOptions(), Budget(30))
    assert isinstance(verdict, Unknown)
    assert "wait for each other" in verdict.reason
    assert verdict.certain


def test_relations_between_two_threads_are_no_predicates(tmp_path: Path) -> None:
    text = """
    unsigned next, served;
    extern void __VERIFIER_atomic_begin(void);
    extern void __VERIFIER_atomic_end(void);
    int inside;
    void *worker(void *unused) {
        __VERIFIER_atomic_begin();
        unsigned mine = next;
        next = mine + 1;
        __VERIFIER_atomic_end();
        while (served != mine) ;
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        served = mine + 1;
        return 0;
    }
    """
    made = program(tmp_path, text)
    try:
        verdict, _ = symmetry(made, REACH, SymmetryOptions(), Budget(6))
    except GaveUpError:
        return
    assert not isinstance(verdict, Claimed)  # after 2^32 tickets, two threads have the same


# --- proofs that are refused ------------------------------------------------------------------------


def proof_of(made: Program, **options: Any) -> SymmetricProof:
    verdict, _ = symmetry(made, REACH, SymmetryOptions(**options), Budget(30))
    assert isinstance(verdict, Claimed)
    return verdict.proof


def refuses(made: Program, proof: SymmetricProof) -> bool:
    try:
        check_symmetric(made, REACH, proof, Budget(30))
    except RefusedProofError:
        return True
    return False


@pytest.mark.parametrize("way", [AnyNumber.VIEWS, AnyNumber.BACKWARD])
def test_a_proof_without_a_part_is_refused(way: AnyNumber, tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER)
    proof = proof_of(made, any_number=way)
    assert not refuses(made, proof)
    assert refuses(made, replace(proof, forbidden=()))
    for index in range(0, len(proof.configurations), 9):
        rest = (*proof.configurations[:index], *proof.configurations[index + 1 :])
        assert refuses(made, replace(proof, configurations=rest))
    for index in range(0, len(proof.elements), 4):
        rest_of = (*proof.elements[:index], *proof.elements[index + 1 :])
        assert refuses(made, replace(proof, elements=rest_of))


def test_a_clause_that_does_not_follow_is_refused(tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER)
    proof = proof_of(made)
    for step in range(6):
        wrong = Forbidden(step, (), Cube(0, 0))
        assert refuses(made, replace(proof, forbidden=(*proof.forbidden, wrong)))


def test_a_proof_for_too_few_threads_is_refused(tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER)
    proof = proof_of(made)
    machine = Machine(Abstraction(TemplateSystem(made), REACH, proof.predicates).program)
    for number, others, cube in proof.forbidden:
        machine.forbid(machine.steps[number], others, cube)
    reached = reach(machine, {1: 2})
    assert not reached.bad
    assert refuses(made, replace(proof, in_view=None, threads=2, configurations=tuple(reached.parents)))


@pytest.mark.parametrize("size", [0, -1])
def test_a_view_of_nobody_is_refused(size: int, tmp_path: Path) -> None:
    """Without a worker in view no worker ever steps, and nothing that one does is seen."""
    made = program(tmp_path, COUNTER)
    with pytest.raises(RefusedProofError, match="nobody is in view"):
        check_symmetric(made, REACH, replace(proof_of(made), in_view=size), Budget(30))


def test_a_predicate_that_its_owner_does_not_know_is_refused(tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER)
    proof, terms = proof_of(made), made.terms
    system = TemplateSystem(made)
    foreign = terms.eq(system.at(system.position(system.workers[0], 1)), system.place(0))
    arbitrary = terms.eq(terms.var("?", system.terms.sort(system.at(0))), system.place(0))
    for predicate, reason in (
        (Predicate(foreign, 1), "does not know"),
        (Predicate(foreign), "does not know"),
        (Predicate(arbitrary), "does not know"),
        (Predicate(terms.true, 7), "no template"),
    ):
        with pytest.raises(RefusedProofError, match=reason):
            check_symmetric(
                made, REACH, replace(proof, predicates=(*proof.predicates, predicate)), Budget(30)
            )


def test_a_creation_that_is_repeated_is_no_single_thread(tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER)
    (site,) = (edge.source for edge in Creations(made).edges["worker"])
    with pytest.raises(RefusedProofError, match="counts as existing once"):
        check_symmetric(made, REACH, replace(proof_of(made), singles=(site,)), Budget(30))


# --- texts ------------------------------------------------------------------------------------------


def test_predicates_are_read_back(tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER)
    _, abstract = abstracted(made, REACH, SymmetryOptions(), Budget(30))
    words = Words(TemplateSystem(made))
    for name, kind, text in abstract.predicates:
        (found,) = parse_predicates(text, words, "file")
        assert words.text(found) == text, name
        assert (found.template is None) == (kind == "shared")


def test_the_boolean_program_is_read_back(tmp_path: Path) -> None:
    _, abstract = abstracted(program(tmp_path, COUNTER), REACH, SymmetryOptions(), Budget(30))
    again = parse_boolean(print_boolean(abstract.program))
    assert parse_boolean(print_boolean(again)) == again


@pytest.mark.parametrize("line", ["s = 1", "t == 1", "s == worker.l ==", "(s", "s ? 1 : 2"])
def test_lines_that_are_no_predicates(line: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="file:2"):
        parse_predicates(
            f"s == 1 // a comment\n{line}", Words(TemplateSystem(program(tmp_path, COUNTER))), "file"
        )


def test_with_predicates_of_a_file_there_is_less_to_find(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(HEADER + COUNTER + FOR_EVER)
    file = seeds(tmp_path, "s == worker.l", "s == worker.l + 1", "m.owner == 0")
    options = EngineOptions(symmetry=SymmetryOptions(predicates=file))
    task = Task(
        paths=(path,),
        selection=Selection(REACH),
        limits=Limits(seconds=30),
        engine="symmetry",
        options=options,
    )
    result = verify(task)
    assert result.answer is Answer.SAFE
    assert result.statistics["mixed predicates"] == 2
