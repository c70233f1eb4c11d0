"""Threads, rows and commands in a report are those that the user knows, and can use."""

from pathlib import Path

from sley.evidence.trace import Trace
from sley.reports.lines import plain
from sley.reports.text import report
from sley.verification.result import Result
from sley.verification.task import Task
from sley.verification.verify import verify

PROGRAMS = Path(__file__).parents[2] / "programs"
THREADS = """\
#include <assert.h>
#include <threads.h>
static int x;
static int producer(void *unused) { x++; return 0; }
static int consumer(void *unused) { x++; return 0; }
int main(void)
{
    thrd_t a, b, c;
    thrd_create(&a, producer, 0);
    thrd_create(&b, consumer, 0);
    thrd_create(&c, consumer, 0);
    thrd_join(a, 0);
    thrd_join(b, 0);
    thrd_join(c, 0);
    assert(x == 3);
    return 0;
}
"""
FILL = """\
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct ring { int written; int slots[72]; };
static struct ring *ring;
static void *work(void *unused) { ring->written++; return unused; }
int main(void)
{
    pthread_t thread;
    ring = malloc(sizeof *ring);
    memset(ring, 0, sizeof *ring);
    pthread_create(&thread, 0, work, 0);
    ring->written++;
    pthread_join(thread, 0);
    free(ring);
    return 0;
}
"""


def found(path: Path) -> Result:
    return verify(Task(paths=(path,), engines=("explore",), jobs=0))


def trace_of(result: Result) -> Trace:
    return result.traces[0]


def test_threads_of_the_library_are_called_by_the_function_of_the_user(tmp_path: Path) -> None:
    path = tmp_path / "threads.c"
    path.write_text(THREADS)
    names = [thread.name for thread in trace_of(found(path)).threads]
    assert names == ["main", "producer", "consumer #1", "consumer #2"]


def test_a_fill_is_one_note(tmp_path: Path) -> None:
    path = tmp_path / "fill.c"
    path.write_text(FILL)
    lines = plain(report(found(path))).splitlines()
    assert [line.strip() for line in lines if "slots" in line] == ["ring#1.slots[0] … ring#1.slots[71] = 0"]


def test_what_cannot_be_forced_is_not_offered(tmp_path: Path) -> None:
    path = tmp_path / "fill.c"
    path.write_text(FILL)
    assert "replay --native" in plain(report(found(path)))
    assert "replay --native" not in plain(report(found(PROGRAMS / "orders" / "store_buffering.c")))
