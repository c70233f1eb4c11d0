"""Engine ``modular``: proofs for any number of threads, none where there is a violation."""

from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.modular.engine import modular
from sley.engines.modular.options import ModularOptions
from sley.evidence.modular.check import check_modular
from sley.evidence.modular.proof import ModularProof
from sley.evidence.verdict import Claimed, Unknown, Verdict
from sley.frontend.load import load
from sley.passes.frozen import specialise
from sley.passes.pipeline import prepare
from sley.program.program import Program
from sley.program.properties import PROPERTY_GROUPS, Property
from tests.limits import AMPLE

HEADER = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
int x, y;
unsigned u;
atomic_int flag;
atomic_uint count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
"""
MANY = """
int main(void)
{
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    return 0;
}
"""
TWO = """
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, worker, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
"""
LOCKED = """
void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    int old = x;
    x = old + 1;
    assert(x == old + 1);
    pthread_mutex_unlock(&m);
    return 0;
}
"""
SPINNING = """
void *worker(void *unused)
{
    while (atomic_exchange(&flag, 1))
        ;
    x = 1;
    assert(x == 1);
    x = 0;
    flag = 0;
    return 0;
}
"""
COUNTING = """
void *worker(void *unused)
{
    unsigned old = count;
    if (old == ~0u || !atomic_compare_exchange_strong(&count, &old, old + 1))
        return 0;
    assert(count > old);
    return 0;
}
"""
WRONG_END = """
void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    x = 1;
    if (__VERIFIER_nondet_int())
        return 0;
    pthread_mutex_unlock(&m);
    return 0;
}
"""


def program_of(folder: Path, text: str, *groups: str) -> tuple[Program, frozenset[Property]]:
    path = folder / "prog.c"
    path.write_text(HEADER + text)
    properties = frozenset(p for group in groups for p in PROPERTY_GROUPS[group])
    return specialise(prepare(load((path,)), properties)), properties


def answer(folder: Path, text: str, *groups: str, seconds: float = AMPLE) -> Verdict[ModularProof]:
    program, properties = program_of(folder, text, *groups)
    verdict, _ = modular(program, properties, ModularOptions(), Budget(seconds))
    if isinstance(verdict, Claimed):
        check_modular(program, properties, verdict.proof, Budget(AMPLE))
    return verdict


@pytest.mark.parametrize("main", [MANY, TWO])
@pytest.mark.parametrize(
    ("worker", "groups"),
    [
        (LOCKED, ("reach", "race", "deadlock", "memory")),
        (SPINNING, ("reach", "race", "deadlock")),
        (COUNTING, ("reach", "race", "deadlock")),
    ],
)
def test_safe(tmp_path: Path, worker: str, main: str, groups: tuple[str, ...]) -> None:
    verdict = answer(tmp_path, worker + main, *groups)
    assert isinstance(verdict, Claimed)
    assert ("any number" in verdict.proof.summary) == (main == MANY)


@pytest.mark.parametrize(
    ("worker", "group"),
    [
        (LOCKED.replace("pthread_mutex_lock(&m);", "").replace("pthread_mutex_unlock(&m);", ""), "race"),
        (LOCKED.replace("pthread_mutex_lock(&m);", "").replace("pthread_mutex_unlock(&m);", ""), "reach"),
        (LOCKED.replace("pthread_mutex_lock(&m);", ""), "misuse"),
        (
            SPINNING.replace("atomic_exchange(&flag, 1)", "flag").replace("x = 1;", "flag = 1; x = 1;"),
            "reach",
        ),
        (COUNTING.replace("old == ~0u || ", ""), "reach"),
        (WRONG_END, "deadlock"),
        (
            LOCKED.replace("pthread_mutex_lock(&m);", "pthread_mutex_lock(&m); pthread_mutex_lock(&m);"),
            "deadlock",
        ),
    ],
)
def test_not_safe(tmp_path: Path, worker: str, group: str) -> None:
    assert not isinstance(answer_in_time(tmp_path, worker + MANY, group), Claimed)


def test_a_counter_overflows_in_the_end(tmp_path: Path) -> None:
    assert not isinstance(answer_in_time(tmp_path, LOCKED + MANY, "overflow"), Claimed)


def answer_in_time(folder: Path, text: str, group: str) -> Verdict[ModularProof]:
    try:
        return answer(folder, text, group, seconds=2.0)
    except GaveUpError as reason:
        return Unknown(str(reason))


def test_different_threads(tmp_path: Path) -> None:
    text = """
void *writer(void *unused) { y = 7; flag = 1; return 0; }
void *reader(void *unused) { if (flag) assert(y == 7); return 0; }
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, writer, 0);
    pthread_create(&t, 0, reader, 0);
    return 0;
}
"""
    assert isinstance(answer(tmp_path, text, "reach", "race"), Claimed)


PLACES = """
int buffer[2];
atomic_int used = 1;
void *worker(void *value)
{
    if (used == 2)
        return 0;
    pthread_mutex_lock(&m);
    int place = used++;
    if (place < 2)
        buffer[place] = (int)(long)value;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, (void *)i);
    return 0;
}
"""


def test_invariants_speak_of_threads_in_view_only(tmp_path: Path) -> None:
    """What main gives a new thread is no guess about another one; the checker would refuse it."""
    assert isinstance(answer(tmp_path, PLACES, "race"), Claimed)


CHOSEN = """
void *worker(void *unused) { pthread_mutex_lock(&m); x = !x; pthread_mutex_unlock(&m); return 0; }
int main(void)
{
    pthread_t t;
    pthread_mutex_t *one = &m;
    if (__VERIFIER_nondet_int())
        one = &n;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(one);
    pthread_mutex_unlock(one);
    return 0;
}
"""
COPIED = """
int *table, length;
void *worker(void *unused)
{
    int i = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    if (0 <= i && i < length)
        table[i] = 2;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t t;
    int given = __VERIFIER_nondet_int();
    if (given < 1 || given > 1000)
        return 0;
    table = malloc(given * sizeof *table);
    length = given;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("text", "groups", "needed"),
    [
        (CHOSEN, ("race", "reach"), "shared_values._register_values"),
        pytest.param(
            "#include <stdlib.h>\n" + COPIED,
            ("memory", "race"),
            "candidates._moved",
            marks=pytest.mark.long,
        ),
    ],
)
def test_what_is_guessed_is_needed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    groups: tuple[str, ...],
    needed: str,
) -> None:
    """Each guess leads to a proof that is read off; without it there is none."""
    assert isinstance(answer(tmp_path, text, *groups), Claimed)
    monkeypatch.setattr(f"sley.engines.modular.{needed}", lambda *_: ())
    assert not isinstance(answer(tmp_path, text, *groups), Claimed)
