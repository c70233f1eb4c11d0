"""Data races: every condition of the law is needed; without it, a program with a race is proved."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sley.base.budget import Budget
from sley.engines.abstract.fixpoint import fixpoint
from sley.evidence.fixpoint.check import settle
from sley.frontend.load import load
from sley.laws import races
from sley.program.properties import Property

HEADER = """
#include <pthread.h>
#include <stdlib.h>
struct guarded { pthread_mutex_t lock; int value; } *each[2];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;
"""

THREADS = """
int main(void) {
  pthread_t first, second;
  PREPARE
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, other, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
"""

LOCKED = """
void *one(void *unused) { pthread_mutex_lock(&lock); x = 1; pthread_mutex_unlock(&lock); return 0; }
void *other(void *unused) { pthread_mutex_lock(&lock); x = 2; pthread_mutex_unlock(&lock); return 0; }
"""
UNLOCKED = "void *one(void *unused) { x = 1; return 0; }\nvoid *other(void *unused) { x = 2; return 0; }\n"
LOCKS_OF_THEIR_OWN = """
static void write(struct guarded *by) {
  pthread_mutex_lock(&by->lock); x = 1; pthread_mutex_unlock(&by->lock);
}
void *one(void *unused) { write(each[0]); return 0; }
void *other(void *unused) { write(each[1]); return 0; }
"""
ALLOCATE = (
    "for (int i = 0; i < 2; i++) { each[i] = malloc(sizeof *each[i]); if (!each[i]) return 0;"
    " pthread_mutex_init(&each[i]->lock, 0); }"
)
TAKEN_AWAY = """
void *one(void *unused) { pthread_mutex_lock(&lock); x = 1; pthread_mutex_unlock(&lock); return 0; }
void *other(void *unused) {
  __atomic_store_n((int *)&lock, 0, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&lock); x = 2; pthread_mutex_unlock(&lock); return 0;
}
"""
SMALL_AND_WIDE = """
union { int wide; char small[4]; } shared;
void *one(void *unused) { shared.wide = 1; return 0; }
void *other(void *unused) { shared.small[2] = 2; return 0; }
"""

Written = Callable[[str, str], bool]


@pytest.fixture
def is_proved(tmp_path: Path) -> Written:
    """Whether it is proved that there is no race in a program."""

    def run(threads: str, prepare: str) -> bool:
        path = tmp_path / "program.c"
        path.write_text(HEADER + threads + THREADS.replace("PREPARE", prepare))
        program, properties = load((path,)), frozenset({Property.RACE})
        settled = settle(program, properties, fixpoint(program, properties, Budget()).proof(), Budget())
        return settled.why_not(properties) is None

    return run


def test_a_common_lock_excludes_a_race(is_proved: Written) -> None:
    assert is_proved(LOCKED, "")


@pytest.mark.parametrize(
    ("threads", "prepare", "owner", "condition", "instead"),
    [
        (UNLOCKED, "", races.Races, "_have_in_common", True),
        (UNLOCKED, "", races.Threads, "may_run_beside", False),
        (SMALL_AND_WIDE, "", races, "_overlap", False),
        (LOCKS_OF_THEIR_OWN, ALLOCATE, races.Races, "_have_in_common", True),
        (TAKEN_AWAY, "", races, "is_kept", True),
    ],
    ids=["no lock", "at once", "same bytes", "a common lock", "kept"],
)
def test_each_condition_is_needed(
    threads: str,
    prepare: str,
    owner: Any,
    condition: str,
    instead: bool,
    is_proved: Written,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not is_proved(threads, prepare)
    monkeypatch.setattr(owner, condition, lambda *_: instead)
    assert is_proved(threads, prepare)
