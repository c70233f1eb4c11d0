"""Invariants of proofs hold in the program when they are written into it."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from sley.evidence.source_invariants import of_program
from sley.evidence.verdict import Safe
from sley.verification.result import Result
from sley.verification.task import Task
from sley.verification.verify import verify
from tests.invariants.asserted import is_true, proved

ROOT = Path(__file__).parents[2]
LOCKED = ROOT / "examples" / "locked_update.c"
PROGRAMS = ROOT / "tests" / "programs"

SHADOWS = """
#include <pthread.h>
int x = 1, total; static int only[1];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void add(int x) {
    pthread_mutex_lock(&m);
    total += x; only[0] = total;
    pthread_mutex_unlock(&m);
}
void *worker(void *unused) {
    for (int i = 0; i < 2; i++) {
        { int i = 7; add(i); }
        add(i);
    }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    for (int x = 5; x < 7; x++) add(x);
    pthread_join(t, 0);
    while (x < 4) x++;
    return 0;
}
"""


@cache
def locked() -> Result:
    return proved(LOCKED)


def test_what_is_said() -> None:
    assert [(one.span.line, one.kind, one.text) for one in locked().invariants] == [
        (9, "lock", "0 <= counter && counter <= 1"),
        (11, "lock", "1 <= counter && counter <= 2"),
    ]
    (mutex,) = locked().mutex_invariants
    assert (mutex.mutex, mutex.text) == ("lock", "0 <= counter && counter <= 2")


def test_only_whoever_asks_gets_them() -> None:
    assert not verify(Task(paths=(LOCKED,))).invariants


def test_names_mean_what_c_says(tmp_path: Path) -> None:
    """Inner declarations hide outer ones, parameters globals; an array of one is an array."""
    path = tmp_path / "shadows.c"
    path.write_text(SHADOWS)
    result = proved(path)
    found = {(one.function, one.span.line): one.text for one in result.invariants}
    assert found["main", 22] == "total == 26 && only[0] == 26"  # nothing of x, which is declared inside
    assert "i" not in found["worker", 11]  # an inner block declares it again
    assert found["add", 7].startswith("total == only[0] && 0 <= total && total <= 25 && ")
    assert is_true(path, result, tmp_path) is True


@pytest.mark.parametrize(
    "name",
    [
        "mutual_exclusion/spin_lock.c",
        pytest.param("lifetimes/request_answered_in_time.c", marks=pytest.mark.long),
        pytest.param("mutual_exclusion/dekker.c", marks=pytest.mark.long),
        pytest.param("language/constructors.c", marks=pytest.mark.long),
    ],
)
def test_they_hold(tmp_path: Path, name: str) -> None:
    result = proved(PROGRAMS / name)
    assert result.invariants
    assert is_true(PROGRAMS / name, result, tmp_path) is True


def test_a_wrong_one_is_found(tmp_path: Path) -> None:
    result = locked()
    assert isinstance(result.outcome, Safe)
    (one, *others) = result.outcome.invariants.places
    wrong = replace(result.outcome.invariants, places=(replace(one, text="counter == 0"), *others))
    assert (
        is_true(LOCKED, replace(result, outcome=replace(result.outcome, invariants=wrong)), tmp_path) is False
    )


@pytest.mark.parametrize("engine", ["impact", "explore"])
def test_from_proofs(tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are too many states, the proof is asked."""
    monkeypatch.setattr(of_program, "_from_states", lambda *_: None)
    path = PROGRAMS / "mutual_exclusion" / "spin_lock.c"
    result = proved(path, engines=(engine,))
    assert result.invariants
    assert is_true(path, result, tmp_path) is True
