"""Engine ``symmetry``: the paper's unsound abstractions, its corrected steps, and predicates from files."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from sley.base.budget import Budget
from sley.base.errors import GaveUpError, InputError
from sley.engines.symmetry.cegar import Cegar
from sley.engines.symmetry.engine import abstracted, symmetry
from sley.engines.symmetry.names import SystemNames
from sley.engines.symmetry.options import Cubes, First, Passives, RefinementMode, SymmetryOptions
from sley.engines.symmetry.seeds import parse_predicates
from sley.evidence.proof import RefusedProofError
from sley.evidence.symmetric.check import check_symmetric
from sley.evidence.symmetric.proof import Reachable, SymmetricProof
from sley.evidence.verdict import Bounded, Claimed, Unknown, Unsafe, Verdict
from sley.program.program import Program
from sley.program.properties import PROPERTY_GROUPS, Property
from sley.reports.boolean_program import print_boolean
from sley.semantics.templates import TemplateSystem
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.result import Answer
from sley.verification.task import EngineOptions, Limits, Task
from sley.verification.verify import verify
from tests.unit.evidence.symmetric.boolean_text import parse_boolean

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

GROWING = """
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
unsigned s = 0;
void *worker(void *unused) {
    unsigned l = s;
    __VERIFIER_atomic_begin();
    if (s < 1000) s = s + 1;
    __VERIFIER_atomic_end();
    assert(s >= l);
    return 0;
}
"""
"""That s >= l remains when another thread counts is known of both threads' variables only."""

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
    {"refinement": RefinementMode.TRACES},
    {"refinement": RefinementMode.TRACES, "cubes": Cubes.ONE},
    {"refinement": RefinementMode.TRACES, "cubes": Cubes.TWO},
    {"refinement": RefinementMode.TRACES, "first": First.TRANSITIONS},
    {"first": First.TRANSITIONS},
    {"passives": Passives.ONE},
    {"symmetry": False},
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
    assert not isinstance(verdict.proof.argument, Reachable)


@pytest.mark.parametrize("refinement", list(RefinementMode))
def test_mixed_predicates_need_clauses_about_passive_threads(
    refinement: RefinementMode, tmp_path: Path
) -> None:
    ways: dict[str, Any] = {"threads_each": "2", "refinement": refinement}
    alone = answer(tmp_path, GROWING, passives=Passives.NONE, **ways)
    assert isinstance(alone, Unknown)
    assert "no new predicates" in alone.reason
    assert isinstance(answer(tmp_path, GROWING, passives=Passives.ONE, **ways), Bounded)


def test_published_settings_count_what_the_stated_number_takes(tmp_path: Path) -> None:
    made = program(tmp_path, COUNTER)
    numbers: dict[RefinementMode, list[int]] = {}
    for refinement in RefinementMode:
        options = SymmetryOptions(threads_each="3", refinement=refinement)
        with patch.object(Cegar, "run", autospec=True, side_effect=Cegar.run) as run:
            symmetry(made, REACH, options, Budget(30))
        numbers[refinement] = [call.args[1] for call in run.call_args_list]
    assert numbers == {RefinementMode.DEMAND: [1, 3], RefinementMode.TRACES: [3]}


def test_a_stated_number_of_threads_is_a_bound(tmp_path: Path) -> None:
    assert answer(tmp_path, COUNTER, threads_each="3") == Bounded(
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
        answer(tmp_path, COUNTER, threads_each=threads)


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


BOX = """
extern void *malloc(unsigned long);
extern void free(void *);
_Atomic int *box;
void *worker(void *unused) {
    *box = 1;
    assert(*box == 1);
    return 0;
}
"""
BOXED = """
int main(void) {
    pthread_t thread;
    box = malloc(sizeof *box);
    *box = 0;
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, worker, 0);
    %s
    pthread_exit(0);
}
"""


def test_a_block_that_is_made_once(tmp_path: Path) -> None:
    assert isinstance(answer(tmp_path, BOX, BOXED % ""), Claimed)


def test_a_block_that_is_freed_while_others_use_it(tmp_path: Path) -> None:
    memory = PROPERTY_GROUPS["memory"]
    made = program(tmp_path, BOX, BOXED % "free((void *)box);", memory)
    verdict, _ = symmetry(made, memory, SymmetryOptions(), Budget(30))
    assert isinstance(verdict, Unsafe)


def test_leaks_are_not_decided(tmp_path: Path) -> None:
    made, leak = program(tmp_path, BOX, BOXED % ""), REACH | {Property.LEAK}
    verdict, _ = symmetry(made, leak, SymmetryOptions(), Budget(30))
    assert isinstance(verdict, Unknown)
    assert "leaks" in verdict.reason
    assert verdict.certain
    proof = answer(tmp_path, BOX, BOXED % "")
    assert isinstance(proof, Claimed)
    with pytest.raises(RefusedProofError, match="leaks"):
        check_symmetric(made, leak, proof.proof, Budget(30))


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


# --- texts ------------------------------------------------------------------------------------------


BLOCK = """
#include <stdlib.h>
int *block;
void *worker(void *unused) { __sync_fetch_and_add(block, 1); return 0; }
"""
ONE_WORKER = """
int main(void) {
    pthread_t thread;
    block = calloc(1, sizeof *block);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(*block == 1);
    return 0;
}
"""


@pytest.mark.parametrize(("text", "main"), [(COUNTER, FOR_EVER), (BLOCK, ONE_WORKER)])
def test_predicates_are_read_back(text: str, main: str, tmp_path: Path) -> None:
    made = program(tmp_path, text, main)
    _, abstract = abstracted(made, REACH, SymmetryOptions(), Budget(30))
    words = SystemNames(TemplateSystem(made))
    for name, kind, written in abstract.predicates:
        (found,) = parse_predicates(written, words, "file")
        assert words.text(found) == written, name
        assert (found.template is None) == (kind == "shared")


def test_numbers_are_those_of_c(tmp_path: Path) -> None:
    words = SystemNames(TemplateSystem(program(tmp_path, COUNTER)))
    assert len(parse_predicates("s == 18\ns == 0x12u\ns == 022", words, "file")) == 1


def test_the_boolean_program_is_read_back(tmp_path: Path) -> None:
    _, abstract = abstracted(program(tmp_path, COUNTER), REACH, SymmetryOptions(), Budget(30))
    again = parse_boolean(print_boolean(abstract.program))
    assert parse_boolean(print_boolean(again)) == again


@pytest.mark.parametrize("line", ["s = 1", "t == 1", "s == worker.l ==", "(s", "s ? 1 : 2", "s == 08"])
def test_lines_that_are_no_predicates(line: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="file:2"):
        parse_predicates(
            f"s == 1 // a comment\n{line}", SystemNames(TemplateSystem(program(tmp_path, COUNTER))), "file"
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
        engines=("symmetry",),
        options=options,
    )
    result = verify(task)
    assert result.answer is Answer.SAFE
    assert result.statistics["mixed predicates"] == 2
