"""Which atomic sections can be completed whatever memory holds."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sley.frontend.load import load
from sley.program.instructions import AtomicBegin
from sley.program.program import Program
from sley.semantics.abstract.sections import ProgramSections

PROGRAM = """
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

pthread_mutex_t mutex, other;
pthread_cond_t condition;
pthread_rwlock_t readers;
pthread_barrier_t barrier;
pthread_once_t once;
sem_t semaphore;
struct timespec soon;
int x, y;

void branches(void) { __VERIFIER_atomic_begin(); if (x) y = 1; else x = y; __VERIFIER_atomic_end(); }
void assumes(void) { __VERIFIER_atomic_begin(); __VERIFIER_assume(x); __VERIFIER_atomic_end(); }
void may_assume(void)
{
    __VERIFIER_atomic_begin();
    if (__VERIFIER_nondet_bool()) __VERIFIER_assume(x);
    __VERIFIER_atomic_end();
}
void counts(void) { __VERIFIER_atomic_begin(); for (int i = 0; i < 5; i++) x = i; __VERIFIER_atomic_end(); }
void loops(void) { __VERIFIER_atomic_begin(); while (x) y = 1; __VERIFIER_atomic_end(); }
void loops_while_it_likes(void)
{
    __VERIFIER_atomic_begin();
    while (x && __VERIFIER_nondet_bool()) y = 1;
    __VERIFIER_atomic_end();
}
void locks(void) { __VERIFIER_atomic_begin(); pthread_mutex_lock(&mutex); __VERIFIER_atomic_end(); }
void calls(void) { __VERIFIER_atomic_begin(); branches(); __VERIFIER_atomic_end(); }

void nothing(void) { }
void all(void)
{
    branches(); assumes(); may_assume(); counts(); loops(); loops_while_it_likes(); locks();
    pthread_mutex_init(&mutex, 0);
    pthread_mutex_trylock(&mutex);
    pthread_mutex_timedlock(&mutex, &soon);
    pthread_mutex_destroy(&mutex);
    pthread_cond_wait(&condition, &mutex);
    pthread_cond_timedwait(&condition, &mutex, &soon);
    pthread_cond_signal(&condition);
    pthread_cond_broadcast(&condition);
    pthread_rwlock_rdlock(&readers);
    pthread_rwlock_tryrdlock(&readers);
    pthread_rwlock_wrlock(&readers);
    pthread_rwlock_unlock(&readers);
    pthread_barrier_wait(&barrier);
    pthread_once(&once, nothing);
    pthread_tryjoin_np(0, 0);
    sem_wait(&semaphore);
    sem_trywait(&semaphore);
    sem_timedwait(&semaphore, &soon);
    sem_post(&semaphore);
}

int main(void) { all(); }
"""


@cache
def program() -> Program:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sections.c"
        path.write_text(PROGRAM)
        return load((path,))


def completed(name: str) -> list[bool]:
    function, sections = program().functions[name], ProgramSections(program())
    return [
        sections.can_complete(function, edge)
        for edge in function.edges
        if isinstance(edge.instruction, AtomicBegin)
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("branches", [True]),
        ("assumes", [False]),
        ("may_assume", [True]),
        ("counts", [True]),
        ("loops", [False]),
        ("loops_while_it_likes", [True]),
        ("locks", [False]),
        ("sley_initialise_mutex", [True]),
        ("lock_robust", [False]),
        ("pthread_mutex_trylock", [True]),
        ("sley_lock_until", [True]),
        ("pthread_mutex_destroy", [True]),
        ("start_waiting", [True]),
        ("pthread_cond_wait", [False]),
        ("pthread_cond_timedwait", [True]),
        ("pthread_cond_signal", [True]),
        ("pthread_cond_broadcast", [True]),
        ("pthread_rwlock_rdlock", [False]),
        ("pthread_rwlock_tryrdlock", [True]),
        ("wait_for_writing", [False]),
        ("pthread_barrier_wait", [True, False]),
        ("pthread_once", [False]),
        ("join_or_fail", [True]),
        ("sem_wait", [False]),
        ("sem_trywait", [True]),
        ("sem_timedwait", [True]),
        ("sem_post", [True]),
    ],
)
def test_sections(name: str, expected: list[bool]) -> None:
    assert completed(name) == expected
