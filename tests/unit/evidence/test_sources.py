"""Which step an event follows from, in runs that are replayed."""

from pathlib import Path

from sley.evidence.sources import RunSources
from sley.evidence.trace import EventKind, Trace, TraceEvent
from sley.verification.task import Task
from sley.verification.verify import verify


def trace_of(folder: Path, text: str) -> Trace:
    path = folder / "program.c"
    path.write_text(text)
    return verify(Task(paths=(path,))).traces[0]


def followed(trace: Trace) -> set[tuple[str, str, int, str]]:
    """For each event with a source: its kind, target, the thread that it follows from and what that did."""
    return {
        (event.kind.value, event.target, source.thread, source.kind.value)
        for event in trace.events
        if event.source is not None
        for source in trace.events
        if source.step == event.source and source.kind in ANSWERS.get(event.kind, ())
    }


ANSWERS = {
    EventKind.READ: (EventKind.WRITE,),
    EventKind.LOCK: (EventKind.UNLOCK,),
    EventKind.UNLOCK: (EventKind.LOCK,),
    EventKind.JOIN: (EventKind.EXIT,),
    EventKind.FAIL: (EventKind.LOCK,),
}


def test_reads_locks_and_joins(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        """
#include <assert.h>
#include <pthread.h>
struct { pthread_mutex_t lock; pthread_cond_t set; int value; } box =
  { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 };
void *giver(void *unused) {
  pthread_mutex_lock(&box.lock);
  box.value = 7;
  pthread_cond_signal(&box.set);
  pthread_mutex_unlock(&box.lock);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&box.lock);
  pthread_create(&t, 0, giver, 0);
  while (box.value == 0) pthread_cond_wait(&box.set, &box.lock);
  pthread_mutex_unlock(&box.lock);
  pthread_join(t, 0);
  assert(box.value == 0);
}
""",
    )
    assert followed(trace) >= {
        ("read", "box.value", 1, "write"),
        ("lock", "box.lock", 0, "unlock"),
        ("lock", "box.lock", 1, "unlock"),
        ("join", "giver", 1, "exit"),
    }


def test_a_wake_up_follows_from_the_step_that_took_the_thread_off_the_list() -> None:
    sources = RunSources()
    sources.blocked(0b0000, 0b1110, by=1, step=3)
    sources.blocked(0b1110, 0b1100, by=0, step=5)
    sources.blocked(0b1100, 0b1000, by=0, step=6)
    sources.blocked(0b1000, 0b0000, by=3, step=7)
    assert [sources.wake(thread) for thread in range(4)] == [None, 5, 6, None]
    assert sources.wake(1) is None


def test_bytes_of_several_writes_follow_from_none() -> None:
    sources = RunSources()
    sources.write(8, 4, step=1)
    assert sources.written(8, 4) == 1
    sources.write(10, 1, step=2)
    assert sources.written(8, 4) is None
    sources.forget(8, 15)
    assert sources.written(10, 1) is None


def test_a_deadlock_knows_who_took_the_lock(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        """
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *other(void *unused) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
}
""",
    )
    assert followed(trace) >= {("fail", "b", 1, "lock"), ("fail", "a", 0, "lock")}


def test_under_c11_a_read_need_not_follow_from_the_last_write(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *other(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  int seen = atomic_load_explicit(&y, memory_order_relaxed);
  assert(!seen || atomic_load_explicit(&x, memory_order_relaxed));
}
""",
    )
    reads = [event for event in trace.events if event.kind is EventKind.READ and event.is_shared]
    assert [source_target(trace, event) for event in reads] == ["y", ""]


def source_target(trace: Trace, event: TraceEvent) -> str:
    return next((other.target for other in trace.events if other.step == event.source), "")
