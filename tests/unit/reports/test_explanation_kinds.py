"""What is said about other kinds of bugs is true of their runs, and no more is said than they show."""

import re
from pathlib import Path

import pytest

from sley.evidence.library_objects import CONDITION_VARIABLE, UsedObjects, object_of
from sley.evidence.remarks import Mark
from sley.evidence.trace import EventKind, Fault, FaultKind, Trace
from sley.program.program import Origin
from sley.program.properties import PROPERTY_GROUPS, Failure, Property
from sley.reports.explanation import explain
from sley.reports.explanation.arithmetic import computed
from sley.reports.rows import mentioned, rows_of
from sley.reports.story import tell
from sley.verification.property_files import Selection
from sley.verification.task import Task
from sley.verification.verify import verify
from tests.unit.reports.traces import MAIN, WORKER_1, WORKER_2, trace_of, user

Events = list[tuple[int, EventKind, Origin, dict[str, object]]]

CHECK = user(13, "if (plain == 0)", "worker")
WAIT = user(14, "pthread_cond_wait(&changed, &lock);", "worker")
CLAIM = user(15, "assert(plain == 1)", "worker")
SIGNAL = user(20, "pthread_cond_signal(&changed);")


def plain(value: int, **more: object) -> dict[str, object]:
    return {"target": "plain", "value": str(value), "is_shared": True, **more}


def failing(*events: tuple[int, EventKind, Origin, dict[str, object]]) -> Trace:
    failure = Failure(Property.REACH, "assertion", "assertion can fail")
    return trace_of(failure, (MAIN, WORKER_1, WORKER_2), [*events, (1, EventKind.FAIL, CLAIM, {})])


def why(trace: Trace) -> str:
    rows = rows_of(trace.events, mentioned(trace))
    return " ".join(explain(trace, rows, ["plain"]).why)


# --- wake-ups -----------------------------------------------------------------------------------------


def woken(
    note: Mark | None, source: int | None, *others: tuple[int, EventKind, Origin, dict[str, object]]
) -> Trace:
    return failing(
        (1, EventKind.READ, CHECK, plain(0)),
        (1, EventKind.BRANCH, CHECK, {}),
        (1, EventKind.SLEEP, WAIT, {"target": "changed"}),
        *others,
        (1, EventKind.WAIT, WAIT, {"note": note, "source": source}),
        (1, EventKind.LOCK, WAIT, {"target": "lock"}),
        (1, EventKind.READ, CLAIM, plain(0)),
    )


def test_a_spurious_wake_up() -> None:
    text = why(woken(Mark.SPURIOUS_WAKE_UP, None))
    assert "without a signal of `changed` (a spurious wake-up), and goes on without looking again" in text


def test_a_signal_that_comes_too_late_is_no_spurious_wake_up() -> None:
    told: dict[str, object] = {"target": "changed", "others": (1,)}
    signal = (0, EventKind.SIGNAL, SIGNAL, told)
    taken = (2, EventKind.WRITE, user(21, "plain = 0;", "worker"), plain(0, old="1"))
    text = why(woken(None, 3, signal, taken))
    assert "signalled by main in step 3, but worker #2 changes `plain` to 0 in step 4" in text
    assert "spurious" not in text


def test_who_looks_again_is_not_blamed() -> None:
    trace = woken(Mark.SPURIOUS_WAKE_UP, None)
    again: Events = [(1, EventKind.READ, CHECK, plain(0)), (1, EventKind.BRANCH, CHECK, {})]
    events = [(e.thread, e.kind, e.origin, {"target": e.target, "value": e.value}) for e in trace.events]
    looked: Events = [*events[:-2], *again, *events[-2:]]  # type: ignore[list-item]
    assert "without looking" not in why(trace_of(trace.failure, trace.threads, looked))


# --- compare-exchange ---------------------------------------------------------------------------------

EXCHANGE = user(30, "atomic_compare_exchange_strong(&plain, &seen, 7)", "worker")


def exchanged(*values: tuple[int, int]) -> str:
    """Worker #1 reads 0 and exchanges it for 7; in between, worker #2 writes."""
    writes: Events = [
        (2, EventKind.WRITE, user(40 + n, f"plain = {new};"), plain(new, old=str(old)))
        for n, (old, new) in enumerate(values)
    ]
    return why(
        failing(
            (1, EventKind.READ, user(29, "int seen = plain;", "worker"), plain(0)),
            *writes,
            (1, EventKind.UPDATE, EXCHANGE, plain(7, old="0")),
            (1, EventKind.READ, CLAIM, plain(7)),
        )
    )


def test_a_value_that_comes_back() -> None:
    assert "worker #2 changes it to 1 (step 2), and back to 0 (step 3)" in exchanged((0, 1), (1, 0))


@pytest.mark.parametrize("values", [(), ((0, 0),)])
def test_no_aba_is_invented(values: tuple[tuple[int, int], ...]) -> None:
    assert "ABA" not in exchanged(*values)


# --- initial values -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "is_initial"), [("other", True), ("plain", False), ("plain.part", False), ("pla", False)]
)
def test_what_may_have_been_written_is_not_called_initial(target: str, *, is_initial: bool) -> None:
    written: dict[str, object] = {"target": target, "value": "3", "old": "0"}
    text = why(
        failing(
            (0, EventKind.WRITE, user(9, "write();"), written),
            (1, EventKind.READ, CLAIM, plain(3)),
        )
    )
    assert ("still has its initial value" in text) == is_initial


# --- leaks --------------------------------------------------------------------------------------------


def test_a_block_that_nobody_ever_pointed_to() -> None:
    failure = Failure(Property.LEAK, "memory-leak", "memory is lost")
    events: Events = [
        (1, EventKind.ALLOCATE, user(5, "malloc(4);", "worker"), {"target": "block#1"}),
        (0, EventKind.FAIL, user(9, "return 0;"), {}),
    ]
    trace = trace_of(failure, (MAIN, WORKER_1), events, faults=(Fault(FaultKind.LOST, "block#1"),))
    assert why(trace) == (
        "The block was allocated by worker #1 in step 1 (line 5). Nothing ever kept a pointer to it."
    )


# --- whole programs -----------------------------------------------------------------------------------

HEAD = """#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, mine = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
sem_t items;
int plain;
void keep(void) { pthread_mutex_lock(&lock); }
void nested(void) { pthread_mutex_lock(&lock); keep(); }
"""
MAIN_OF_TWO = """int main(void) {
    pthread_t a, b;
    sem_init(&items, 0, 0);
    pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    return 0;
}
"""


def told(folder: Path, one: str, two: str, group: str) -> str:
    """What is said about a program of two threads."""
    threads = f"void *one(void *x) {{ {one} return 0; }}\nvoid *two(void *x) {{ {two} return 0; }}\n"
    path = folder / "program.c"
    path.write_text(HEAD + threads + MAIN_OF_TWO)
    result = verify(Task(paths=(path,), selection=Selection(PROPERTY_GROUPS[group]), jobs=0))
    trace = result.traces[0]
    return " ".join((trace.failure.message, *tell(trace).explanation.why))


PROGRAMS = {
    "other locks": (
        "pthread_mutex_lock(&lock); plain++; pthread_mutex_unlock(&lock);",
        "pthread_mutex_lock(&mine); plain++; pthread_mutex_unlock(&mine);",
        "race",
        r"one holds `lock` since step \d+; two holds `mine` since step \d+",
    ),
    "one item for two": (
        "sem_wait(&items);",
        "sem_post(&items); sem_wait(&items);",
        "deadlock",
        r"waits for `items`, which is 0: it starts with 0 in step \d+ .*, it is posted once and taken once",
    ),
    "destroyed condition": (
        "pthread_mutex_lock(&lock); pthread_cond_wait(&changed, &lock); pthread_mutex_unlock(&lock);",
        "pthread_cond_destroy(&changed);",
        "misuse",
        r"a destroyed condition variable is used two destroys `changed` in step|"
        r"an awaited condition variable is destroyed one waits for `changed` since step",
    ),
    "inside of a function": (
        "div(1, plain);",
        "",
        "division",
        r"division by zero in `div\(1, plain\);?`",
    ),
    "returned with the lock": (
        "keep(); keep();",
        "",
        "deadlock",
        r"one locks `lock` again, which it holds since step \d+ .*: keep has returned without unlocking it",
    ),
    "called with the lock": (
        "nested();",
        "",
        "deadlock",
        r"one locks `lock` again, which it holds since step \d+ .*: it waits for itself",
    ),
    "detached": (
        "pthread_detach(pthread_self());",
        "",
        "misuse",
        r"one was detached already by one in step \d+",
    ),
}


@pytest.mark.parametrize("kind", PROGRAMS)
def test_what_is_said_of_small_programs(kind: str, tmp_path: Path) -> None:
    one, two, group, expected = PROGRAMS[kind]
    said = told(tmp_path, one, two, group)
    assert re.search(expected, said), said


# --- words --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        (
            "total += bytes",
            {"total": "2000000000", "bytes": "2000000000"},
            "2000000000 + 2000000000 = 4000000000",
        ),
        ("n++", {"n": "2147483647"}, "2147483647 + 1 = 2147483648"),
        ("a - b", {"a": "-2147483648", "b": "1"}, "-2147483648 - 1 = -2147483649"),
        ("a + b", {"a": "2147483647"}, ""),
        ("a + b * c", {"a": "1", "b": "2147483647", "c": "2"}, ""),
        ("a + b", {"a": "1", "b": "2"}, ""),
    ],
)
def test_operations_are_shown_if_all_is_known(text: str, values: dict[str, str], expected: str) -> None:
    assert computed(text, values) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("queue.lock.owner", "queue.lock"),
        ("m.mutex.owner", "m"),
        ("ready.condition.waiters", "ready"),
        ("ready.mutex", "ready"),
        ("counter.total", "counter.total"),
    ],
)
def test_members_of_models_are_not_named(name: str, expected: str) -> None:
    assert object_of(name) == expected


def test_a_wait_is_about_its_mutex_or_its_condition() -> None:
    used = UsedObjects()
    for name in ("changed.state", "changed.waiters", "lock.owner"):
        used.add(name)
    of_condition, of_mutex = (
        Failure(Property.MISUSE, "use-destroyed", "", subject) for subject in (CONDITION_VARIABLE, "mutex")
    )
    assert (used.wrong(of_condition), used.wrong(of_mutex)) == ("changed", "lock")
    used.add("mine.owner")
    assert used.wrong(of_mutex) == ""
